import type { DocumentMetadata, KnowledgeChunk } from '../model';
import { AUTHORITY_LEVELS, type CoverageWeights, type RecencyRequirement, type RequiredAuthority } from '../vocabulary';
import { CONFIDENCE_POINTS, COVERAGE, DIVERSITY, RECENCY_YEARS, REQUIRED_LEVEL, SUPPORT, UNDATED } from './constants';
import type { Evidence, Gathered } from './evidence';
import { ageInYears, freshnessOf } from './freshness';

export interface Scores {
  coverage: number;
  confidence: number;
  authority: number;
  recency: number;
  overall: number;
}

export interface Wanted {
  /** Relevant chunks that the depth asks for. */
  chunks: number;
  authority: RequiredAuthority;
  recency: RecencyRequirement;
  weights: CoverageWeights;
}

/** The scores of an assessment, 0 to 1 (seed 003, 4.6.1), from what was found. `now` in ms. docs/library.md has the formulas. */
export function scoresOf({ evidence, quality, documents }: Gathered, wanted: Wanted, now: number): Scores {
  const found = evidence.reduce((sum, { weight }) => sum + weight, 0);
  const support = Math.min(1, found / SUPPORT);
  const coverage = coverageOf(quality, found, wanted.chunks);
  const confidence = between(CONFIDENCE_POINTS, found) * between(DIVERSITY, sourcesOf(evidence));
  const authority = support * meanOf(evidence, ({ chunk }) => metAuthority(chunk, wanted.authority));
  const recency =
    support * meanOf(evidence, ({ chunk }) => metRecency(documents.get(chunk.document_id), wanted.recency, now));
  const { weights } = wanted;
  const overall =
    weights.coverage * coverage +
    weights.authority * authority +
    weights.recency * recency +
    weights.confidence * confidence;
  return { coverage, confidence, authority, recency, overall };
}

/** How well the topic is met, and how many relevant chunks there are of those that are asked for. */
function coverageOf(quality: number, found: number, asked: number): number {
  if (found === 0) return 0;
  const depth = Math.sqrt(Math.min(1, found / asked));
  return Math.min(1, (quality / COVERAGE.full) * (COVERAGE.shallow + (1 - COVERAGE.shallow) * depth));
}

/** What it has of what is required of it, 1 at most. */
export function metAuthority(
  { authority_score }: Pick<KnowledgeChunk, 'authority_score'>,
  required: RequiredAuthority,
): number {
  if (required === 'any') return 1;
  return Math.min(1, authority_score / AUTHORITY_LEVELS[REQUIRED_LEVEL[required]]);
}

/** 1 within the time that is asked for, less the older it is: half as much at twice the age. */
export function metRecency(document: DocumentMetadata | undefined, required: RecencyRequirement, now: number): number {
  if (required === 'any') return 1;
  const age = document && ageInYears(freshnessOf(document, now).date, now);
  if (age === undefined) return UNDATED;
  return Math.min(1, RECENCY_YEARS[required] / age);
}

/** How many sources it rests on: of unequal parts fewer than there are (the inverse of Simpson's index). */
function sourcesOf(evidence: readonly Evidence[]): number {
  const parts = new Map<string, number>();
  let all = 0;
  for (const { chunk, weight } of evidence) {
    parts.set(chunk.document_id, (parts.get(chunk.document_id) ?? 0) + weight);
    all += weight;
  }
  if (all === 0) return 0;
  return 1 / [...parts.values()].reduce((sum, part) => sum + (part / all) ** 2, 0);
}

function meanOf(evidence: readonly Evidence[], value: (each: Evidence) => number): number {
  const all = evidence.reduce((sum, { weight }) => sum + weight, 0);
  return all === 0 ? 0 : evidence.reduce((sum, each) => sum + each.weight * value(each), 0) / all;
}

/** A value on the line through points, ascending; beyond them the first and the last. */
function between(points: readonly (readonly [at: number, value: number])[], at: number): number {
  const after = points.findIndex(([from]) => from >= at);
  if (after === 0) return points[0]![1];
  if (after === -1) return points.at(-1)![1];
  const [from, low] = points[after - 1]!;
  const [to, high] = points[after]!;
  return low + ((high - low) * (at - from)) / (to - from);
}
