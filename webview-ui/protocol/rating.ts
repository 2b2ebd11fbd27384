import * as z from 'zod';

/** What the buttons *Was this helpful?* say to the extension, on whichever page they are. */
export const ratingRequests = [
  z.strictObject({ type: z.literal('rate'), helpful: z.boolean() }),
  /** What this person said, so that a page that is behind does not say it anew. */
  z.strictObject({ type: z.literal('takeBackRating') }),
  z.strictObject({ type: z.literal('explainScore') }),
] as const;
export type RatingRequest = z.output<(typeof ratingRequests)[number]>;

/** What is known of how something served. */
export interface RatingState {
  /** What this person said and did not take back. */
  said?: 'helpful' | 'not_helpful';
  /** 0 to 1. */
  score: number;
  /** Pieces of feedback that the score rests on; of none the score is neutral. */
  ratings: number;
  /** False in Restricted Mode, where nothing is noted. */
  writable: boolean;
}
