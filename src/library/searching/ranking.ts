import { NEUTRAL_SCORE, RANKING_WEIGHTS, SCORE_BOOSTS } from '../vocabulary';

/** What was learned of an artifact: neutral, and nothing it rests on, as long as nobody has said how it served. */
export interface Effectiveness {
  score: number;
  confidence: number;
}

export const UNRATED: Effectiveness = { score: NEUTRAL_SCORE, confidence: 0 };

/** The factor for a score by effectiveness (seed 003, 4.8, SCORE_INTERPRETATION). */
export function boostOf(score: number): number {
  return SCORE_BOOSTS.find(([from]) => score >= from)?.[1] ?? 1;
}

/**
 * Where a result ranks (seed 003, 6.5): `semantic × 0.7 + effectiveness × boost × 0.3`, at most 1. Not boosted, what was
 * learned does not count: the semantic score alone.
 */
export function combinedScore(semantic: number, effectiveness: number, boosted: boolean): number {
  if (!boosted) return semantic;
  const { semantic: bySense, effectiveness: byUse } = RANKING_WEIGHTS;
  return Math.min(1, semantic * bySense + effectiveness * boostOf(effectiveness) * byUse);
}
