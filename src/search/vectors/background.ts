/**
 * How near a question lies to passages that have nothing to do with it. Models differ in it widely (0.1 for MiniLM, 0.75
 * for E5), so that a similarity says little by itself; against this it says the same of every model.
 */
export interface Background {
  /** The middle of all similarities. */
  middle: number;
  /** How far below the middle the sixth part lies: the standard deviation of a normal distribution. */
  spread: number;
}

/** What is taken for granted of a model as long as few passages tell more, and as many passages as that is worth. */
const PRIOR: Background = { middle: 0.3, spread: 0.12 };
const PRIOR_WEIGHT = 6;
/** Where all similarities are one, chance alone would decide. */
const LEAST_SPREAD = 0.02;

/**
 * Of the similarities of all `count` passages, counted in equal steps from -1 to 1. The lower half alone gives the
 * spread: the upper one holds what the question is about.
 */
export function backgroundOf(histogram: Uint32Array, count: number): Background {
  if (count === 0) return PRIOR;
  const middle = quantile(histogram, count / 2);
  const spread = middle - quantile(histogram, count * 0.1587);
  const weight = count / (count + PRIOR_WEIGHT);
  return {
    middle: weight * middle + (1 - weight) * PRIOR.middle,
    spread: Math.max(LEAST_SPREAD, weight * spread + (1 - weight) * PRIOR.spread),
  };
}

/**
 * 0 to 1 for how far a similarity stands out: 0.5 at three and a half spreads above the middle, 0.7 at four and a half,
 * 0.9 at six. Of thousands of passages that have nothing to do with a question, the nearest comes to about three.
 */
export function standingOut(similarity: number, { middle, spread }: Background): number {
  return 1 / (1 + Math.exp(-0.86 * ((similarity - middle) / spread - 3.5)));
}

/** The similarity below which `rank` of the counted ones lie. */
function quantile(histogram: Uint32Array, rank: number): number {
  let below = 0;
  for (let step = 0; step < histogram.length; step++) {
    const inside = histogram[step]!;
    if (below + inside >= rank) {
      const position = step + (inside === 0 ? 0 : (rank - below) / inside);
      return (position / histogram.length) * 2 - 1;
    }
    below += inside;
  }
  return 1;
}
