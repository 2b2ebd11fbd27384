import { NEUTRAL, SIMPLE_CONFIDENCE_SAMPLES } from '../vocabulary';

/** So many of the last ratings count. The seed says "recent" and no number. */
export const RECENT_RATINGS = 10;

/** What counts how much once there are ratings (seed 003, 6.2.1). */
const FEEDBACK_SHARE = 0.4;
const RATING_SHARE = 0.6;

export interface SimpleEvidence {
  positive: number;
  negative: number;
  used: number;
  /** 0 to 1 each; their order does not count. */
  recentRatings: readonly number[];
}

/**
 * The simple score of phase 2b: the share of what was positive, and the mean of the recent ratings where there are any
 * (seed 003, 6.2.1, `calculate_simple_score`). Both answers are 0 to 1.
 */
export function simpleScore({ positive, negative, used, recentRatings }: SimpleEvidence): {
  score: number;
  confidence: number;
} {
  const given = positive + negative;
  const share = given > 0 ? positive / given : NEUTRAL;
  const count = recentRatings.length;
  const rated = count > 0 ? recentRatings.reduce((sum, rating) => sum + rating, 0) / count : 0;
  return {
    score: count > 0 ? share * FEEDBACK_SHARE + rated * RATING_SHARE : share,
    confidence: Math.min(1, (given + used) / SIMPLE_CONFIDENCE_SAMPLES),
  };
}

/**
 * The sum that it comes from: `1 / (1 + 3) × 0.4 + (0.4 + 0.9) / 2 × 0.6`. Neutral stands for the share where nothing
 * was said; alone it is no sum, and the answer empty.
 */
export function simpleFormula(
  { positive, negative, recentRatings }: Omit<SimpleEvidence, 'used'>,
  shown: (value: number) => string,
): string {
  const isGiven = positive + negative > 0;
  const share = isGiven ? `${positive} / (${positive} + ${negative})` : `${NEUTRAL}`;
  const count = recentRatings.length;
  if (count === 0) return isGiven ? share : '';
  return `${share} × ${FEEDBACK_SHARE} + (${recentRatings.map(shown).join(' + ')}) / ${count} × ${RATING_SHARE}`;
}
