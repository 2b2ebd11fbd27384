import type { Effectiveness, FeedbackRecord, LearningPart } from '../../learning';

/** What a person says of something with one click. */
export type Thumb = 'helpful' | 'not_helpful';

/** From here on a rating by number, as a terminal takes it, is a good one. */
const GOOD = 0.5;
const MOST_STARS = 5;

/** What of it was said with a thumb, or as quickly. */
export function quickOf(said: readonly FeedbackRecord[]): FeedbackRecord[] {
  return said.filter(({ feedback_tier: tier }) => tier === 'quick');
}

/** The thumb that stands, of what one person said, oldest first. */
export function thumbIn(said: readonly FeedbackRecord[]): Thumb | undefined {
  const last = quickOf(said).at(-1);
  if (!last) return undefined;
  const isGood = last.feedback_type === 'rating' ? (last.rating ?? 0) >= GOOD : last.feedback_type === 'helpful';
  return isGood ? 'helpful' : 'not_helpful';
}

/** One star is 0, five are 1. */
export function shareOfStars(stars: number): number {
  return (stars - 1) / (MOST_STARS - 1);
}

/** The stars nearest to a share of 0 to 1. */
export function starsOfShare(share: number): number {
  return Math.round(Math.min(1, Math.max(0, share)) * (MOST_STARS - 1)) + 1;
}

/** What decides an order. */
export type Ranker = Pick<LearningPart, 'isRanking' | 'combinedScore'> & {
  effectivenessOf(artifact: string): Pick<Effectiveness, 'score' | 'boost'>;
};

/**
 * As the tools rank: how well something was found (`fit`, 0 to 1) and how it served, by the settings. Equal ones stay as
 * they were, and all do where ranking by what was learned is off.
 */
export function rankedBy<T>(
  learning: Ranker,
  found: readonly T[],
  of: (each: T) => { artifact: string; fit: number },
): T[] {
  if (!learning.isRanking) return [...found];
  return found
    .map((each) => {
      const { artifact, fit } = of(each);
      return { each, rank: learning.combinedScore(fit, learning.effectivenessOf(artifact)) };
    })
    .sort((a, b) => b.rank - a.rank)
    .map(({ each }) => each);
}
