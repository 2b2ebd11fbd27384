import * as z from 'zod';
import type { ScoreExplanation } from '../../src/learning/feedback-model';
import type { FeedbackType } from '../../src/learning/vocabulary';
import { type RatingState, ratingRequests } from './rating';

const address = z.string().min(1).max(4_096);

/** What the page of a score says to the extension. */
export const scoreRequest = z.discriminatedUnion('type', [
  /** The page is drawn, or drawn again, with what it showed before. */
  z.strictObject({ type: z.literal('ready'), artifact: address.optional() }),
  z.strictObject({ type: z.literal('open'), artifact: address }),
  /** The person looks for something else. */
  z.strictObject({ type: z.literal('choose') }),
  z.strictObject({ type: z.literal('rateInDetail') }),
  /** One's own, by its id. */
  z.strictObject({ type: z.literal('takeBack'), feedback: z.string().min(1).max(200) }),
  ...ratingRequests,
]);
export type ScoreRequest = z.output<typeof scoreRequest>;

/** What somebody said that is no number. */
export interface Remark {
  feedback_id: string;
  feedback_type: FeedbackType;
  author: string;
  by_agent: boolean;
  at: string;
  comment?: string | undefined;
  /** What it was used for. */
  context?: string | undefined;
  suggestions: readonly string[];
  missing: readonly string[];
}

export interface ScoreState {
  artifact: string;
  title: string;
  /** What it is: `lesson`, `entry`, `chunk` … */
  kind: string;
  explanation: ScoreExplanation;
  remarks: readonly Remark[];
  /** The author is an agent, by the ids of what they said. */
  byAgents: readonly string[];
  /** What this person may take back, by its id. */
  own: readonly string[];
  /** Titles of what was propagated from, by project id. */
  projects: Readonly<Record<string, string>>;
  rating: RatingState;
  ranking: { isOn: boolean; semantic: number; effectiveness: number };
}

/** What the extension says to the page of a score. */
export type ScoreMessage =
  | { type: 'state'; state: ScoreState }
  /** Nothing was chosen yet. */
  | { type: 'empty' }
  /** Instead of an answer: what happened and what to do. */
  | { type: 'problem'; message: string };
