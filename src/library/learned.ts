/** What was learned of something by use: neutral, and nothing it rests on, as long as nobody has said how it served. */
export interface LearnedScore {
  /** 0 to 1. */
  score: number;
  /** 0 to 1. */
  confidence: number;
  /** The band of the score (seed 003, 4.8, SCORE_INTERPRETATION), and what it multiplies the score by in ranking. */
  level: string;
  boost: number;
}

/**
 * What was learned of passages and documents by use, by their addresses. Answers from memory and never throws: nothing
 * that ranks waits for it.
 */
export interface Learned {
  /** Whether it changes an order at all, by the settings. */
  readonly isRanking: boolean;
  /** Where a result ranks (seed 003, 6.5): 0 and more. The semantic score alone where it changes no order. */
  combinedScore(semantic: number, learned: LearnedScore): number;
  effectivenessOf(uri: string): LearnedScore;
  /** Addresses of passages on which there is feedback. */
  ratedPassages(): ReadonlySet<string>;
}

const NEUTRAL: LearnedScore = { score: 0.5, confidence: 0, level: 'moderate', boost: 1 };
const NONE: ReadonlySet<string> = new Set();

/** Where nothing is learned. */
export const NOTHING_LEARNED: Learned = {
  isRanking: false,
  combinedScore: (semantic) => semantic,
  effectivenessOf: () => NEUTRAL,
  ratedPassages: () => NONE,
};
