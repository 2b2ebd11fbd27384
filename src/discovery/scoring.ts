import { compareText } from '../core/text';
import type { HybridHit } from '../search';
import {
  type Boost,
  type BoostContext,
  boostedScore,
  boostsOf,
  lastChecked,
  NAMED_RISK_SCORE,
  NAMED_SCORE,
} from './boosts';
import type { Subject } from './subject';

/** A hit with what it is, and its score with all boosts. */
export interface Candidate {
  subject: Subject;
  score: number;
  matched: HybridHit['matched'];
  byMeaning: boolean;
  boosts: readonly Boost[];
  /** Sections below it that were found as well and that it stands for. */
  sections: readonly Candidate[];
  /** Estimated tokens of it and of everything below it, where it stands for its sections. */
  tokens: number;
}

export function candidateOf(
  subject: Subject,
  hit: HybridHit | undefined,
  tokens: number,
  context: BoostContext,
): Candidate {
  const boosts = boostsOf(subject, context);
  // A file's rules name source files as a whole: its root is recommended for them, a section only if it was found.
  const isWhole = subject.kind !== 'node' || subject.node.parent_id === null;
  const isNamed = isWhole && (context.nearness(subject)?.isNamed ?? false);
  const found = hit?.score ?? 0;
  const boosted = boostedScore(found, boosts);
  const hasRisk = subject.kind === 'entry' && subject.entry.risks.length > 0;
  const score = isNamed ? Math.max(boosted, hasRisk ? NAMED_RISK_SCORE : NAMED_SCORE) : boosted;
  return {
    subject,
    score,
    matched: hit?.matched ?? [],
    byMeaning: hit?.byMeaning ?? false,
    boosts,
    sections: [],
    tokens,
  };
}

/** Best first; of equals what was checked last, then by address. */
export function byScore(a: Candidate, b: Candidate): number {
  return (
    b.score - a.score ||
    (lastChecked(b.subject) ?? 0) - (lastChecked(a.subject) ?? 0) ||
    compareText(a.subject.uri, b.subject.uri)
  );
}

/** Three decimals, and never up to a threshold that it does not reach. */
export function rounded(score: number): number {
  return Math.floor(score * 1_000 + 1e-9) / 1_000;
}
