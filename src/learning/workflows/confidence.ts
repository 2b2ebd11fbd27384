import type { Finding } from '../workflows-model';

/** Results that are enough to say so, and places that agree. */
const ENOUGH = 5;
const ENOUGH_SOURCES = 3;
const WEIGHTS = { number: 0.35, agreement: 0.25, authority: 0.25, experience: 0.15 } as const;
/** Of what nobody has said how far it is to be trusted. */
const UNKNOWN_AUTHORITY = 0.5;

export interface Confidence {
  /** 0 to 1; 0 where nothing was found. */
  confidence: number;
  rationale: string;
}

/**
 * How far results can be relied on: how well the best three fit, times what supports them: how many there are (five are
 * enough), from how many different sources (three are enough), with what authority, and how much experience their scores
 * rest on: 35, 25, 25 and 15 parts of 100. `authority` tells that of a result by its address.
 */
export function confidenceOf(results: readonly Finding[], authority: (uri: string) => number | undefined): Confidence {
  if (results.length === 0) return { confidence: 0, rationale: 'Nothing was found.' };
  const best = results.slice(0, ENOUGH);
  const fit = mean(best.slice(0, 3).map(({ semantic_score }) => semantic_score));
  const sources = new Set(best.map(({ source, uri }) => source.document_id ?? uri)).size;
  const trusted = mean(best.map(({ uri }) => authority(uri) ?? UNKNOWN_AUTHORITY));
  const experience = mean(best.map(({ score_confidence }) => score_confidence));
  const support =
    WEIGHTS.number * Math.min(1, results.length / ENOUGH) +
    WEIGHTS.agreement * Math.min(1, sources / ENOUGH_SOURCES) +
    WEIGHTS.authority * trusted +
    WEIGHTS.experience * experience;
  const confidence = rounded(Math.min(1, fit * support));
  const rationale = [
    `${counted(results.length, 'result')} from ${counted(sources, 'source')} among the best`,
    `the best fit by ${shown(fit)}`,
    `authority ${shown(trusted)}`,
    experience > 0 ? `experience ${shown(experience)}` : 'nobody has said yet how they served',
  ].join('; ');
  return { confidence, rationale: `${rationale.charAt(0).toUpperCase()}${rationale.slice(1)}.` };
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

export function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function shown(value: number): string {
  return value.toFixed(2);
}
