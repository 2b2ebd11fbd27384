import type { OverviewInput, ProgressInput, SessionInput } from '../continuity';
import type { Change, EntryInput, EntryKey, ScopeDefinition } from '../knowledge';

/** What an agent would write, if a person agrees: the operation of the part below and its input, as checked then. */
export type ProposedWrite =
  | { operation: 'store'; input: EntryInput }
  | { operation: 'delete'; input: EntryKey }
  | { operation: 'define_scope'; input: ScopeDefinition }
  | { operation: 'store_overview'; input: OverviewInput }
  | { operation: 'store_session'; input: SessionInput }
  | { operation: 'update_progress'; input: ProgressInput };

export type Proposal = ProposedWrite & {
  id: number;
  /** The agent's name. */
  author: string;
  /** ISO 8601. */
  at: string;
  project_context: string;
  reason: string | null;
  /** The entry's last revision when this was proposed, 0 when it had none; null where no entry is concerned. */
  base_revision: number | null;
};

/**
 * What agents want to write and a person has not decided on yet. Lives in the workspace's store, so that every window
 * and server on it sees the same list.
 */
export interface ReviewPart {
  /** Oldest first. */
  proposals(): Proposal[];
  proposal(id: number): Proposal | undefined;
  /** Checks the input as writing it would, and keeps it for review. */
  propose(write: ProposedWrite, change: Change): Promise<Proposal>;
  /**
   * Writes what was proposed, with the agent as its author and the reviewer in the reason. Throws
   * `confirmation_required` when the entry was changed since and `confirmed` is not set.
   */
  accept(id: number, options: { confirmed: boolean }, reviewer: Change): Promise<void>;
  reject(id: number, reviewer: Change): Promise<void>;
}

/** Touched by every change of the list. */
export const REVIEW_TOPIC = 'review';
