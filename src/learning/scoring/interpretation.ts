import { CONFIDENCE_BANDS, SCORE_BANDS } from '../vocabulary';

/** `0.8 × 0.75` is a little less than 0.6 in binary: what is meant to stand on a border stands on it. */
const TOLERANCE = 1e-9;

export type ScoreBand = (typeof SCORE_BANDS)[number];
export type ConfidenceBand = (typeof CONFIDENCE_BANDS)[number];

/** What a score from 0 to 1 is called, its stars and its boost (seed 003, 4.8 and appendix B). A border begins the upper band. */
export function scoreBand(score: number): ScoreBand {
  return bandOf(SCORE_BANDS, score);
}

/** What a confidence from 0 to 1 is called (seed 003, 4.8 and appendix C). A border begins the upper band. */
export function confidenceBand(confidence: number): ConfidenceBand {
  return bandOf(CONFIDENCE_BANDS, confidence);
}

function bandOf<Band extends { from: number }>(bands: readonly Band[], value: number): Band {
  for (const band of bands) if (value + TOLERANCE >= band.from) return band;
  return bands.at(-1)!;
}
