import type { Transaction } from '../store';
import type { FeedbackInput, ImplicitUse } from './feedback-model';
import type { FoundRecord } from './model';
import type { LearnedRecords } from './records-model';
import type { LearnedKind } from './vocabulary';

export type { FoundRecord } from './model';

/** What feedback asks of captured records. Answers from memory. */
export interface CapturedRecords {
  /** Undefined for what is not there, or is another person's own. */
  get<K extends LearnedKind>(kind: K, id: string): LearnedRecords[K] | undefined;
  /** By its knowledge URI, or by its bare id: of which kind it is, and the record. */
  find(artifact: string): FoundRecord | undefined;
  /** Whether it is there, and another person's own. */
  isHidden(artifact: string): boolean;
}

/** What captured records ask of feedback: an outcome is feedback itself, given and taken back with it. */
export interface OutcomeFeedback {
  /**
   * Within the transaction that captures the outcome. Answers the ids of all that was given, what was propagated to the
   * source template included.
   */
  give(
    transaction: Transaction,
    input: FeedbackInput,
    given: { author: string; at: number; project: LearnedRecords['project'] },
  ): readonly string[];
  /** Those with these ids count no longer, or count again. */
  withdraw(transaction: Transaction, ids: readonly string[], withdrawn: boolean): void;
}

/** What captured records say to who counts uses. */
export interface UseCounting {
  noteUse(use: ImplicitUse, artifacts: Iterable<string>): void;
}
