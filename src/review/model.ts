import type { NodeUpdate } from '../bases';
import type { OverviewInput, ProgressInput, SessionInput } from '../continuity';
import type { Sentence } from '../core/sentence';
import type { Change, EntryInput, EntryKey, ScopeDefinition } from '../knowledge';
import type { FeedbackInput, LearnedKind, LearningWrite } from '../learning';
import type { AcquireRequest, DocumentRequestInput, IngestRequest, LibraryProgress } from '../library';
import type { NoteWrite } from '../notes';
import type { Relation, RelationInput } from '../relations';

/** What an agent would write, if a person agrees: the operation of the part below and its input, as checked then. */
export type ProposedWrite =
  | { operation: 'store'; input: EntryInput }
  | { operation: 'delete'; input: EntryKey }
  | { operation: 'define_scope'; input: ScopeDefinition }
  | { operation: 'store_overview'; input: OverviewInput }
  | { operation: 'store_session'; input: SessionInput }
  | { operation: 'update_progress'; input: ProgressInput }
  | { operation: 'update_node'; input: NodeUpdate }
  | { operation: 'write_note'; input: NoteProposal }
  | { operation: 'write_library'; input: LibraryWrite }
  | { operation: 'write_relation'; input: RelationWrite }
  | { operation: 'write_learning'; input: LearningProposal }
  | { operation: 'give_feedback'; input: FeedbackProposal };

/** A write of notes as it waits. */
export type NoteProposal = NoteWrite & {
  /** Of the files that it would change, as they were when it was proposed; set by `propose`. */
  files_hash?: string | undefined;
};

/** What would be brought into the library, or asked for. Nothing is read or fetched before a person agrees. */
export type LibraryWrite =
  | { action: 'ingest'; request: IngestRequest }
  | { action: 'acquire'; request: AcquireRequest }
  | { action: 'request_document'; request: DocumentRequestInput }
  | { action: 'refresh'; request: RefreshRequest };

/** Which web sources would be looked at again. */
export interface RefreshRequest {
  /** Document ids. */
  sources: readonly string[];
  /** Of each, as it is called. */
  titles: readonly string[];
}

/** A relation to be added, or to be removed: `propose` keeps with it what it was. */
export type RelationWrite = (
  | { action: 'add'; input: RelationInput }
  | { action: 'remove'; id: string; relation?: Relation | undefined }
) & {
  /** What the ends are called; set by `propose`. */
  ends?: { source: string; target: string } | undefined;
};

/** What would be captured, changed or deleted, as it waits. */
export type LearningProposal = LearningWrite & { kept?: KeptLearning | undefined };

/** What a write would come to, as it was when it was proposed; set by `propose`. */
export interface KeptLearning {
  kind: LearnedKind;
  title: string;
  /** The record that it would leave, as Markdown; empty for a deletion. */
  after: string;
  /** Of one that is there already, and when that was changed last. */
  id?: string | undefined;
  updated_at?: string | undefined;
}

/** Feedback as it waits: `artifact_id` is an address. */
export type FeedbackProposal = FeedbackInput & {
  /** What it is on is called; set by `propose`. */
  kept?: { title: string } | undefined;
};

/** The entry that a write is about; undefined where it is about none. */
export function entryKeyOf(write: ProposedWrite): EntryKey | undefined {
  switch (write.operation) {
    case 'store': {
      const { target_scope_id: scope_id, category, keyword } = write.input;
      return { scope_id, category, keyword };
    }
    case 'delete':
      return write.input;
    default:
      return undefined;
  }
}

/** What a person decided on a proposal. */
export interface Decision {
  action: 'accepted' | 'rejected';
  by: string;
  /** ISO 8601. */
  at: string;
}

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
  /** Absent as long as it waits. */
  decision?: Decision;
};

/** A proposal as two texts to compare. */
export interface ProposalPreview {
  /** What it is about, on one line: a keyword, a scope's id, a project's id, a node's or note's id, a source, a topic, two ends, a captured record's title. */
  title: string;
  /** What is stored now, as Markdown; empty when there is nothing. Of a node or note, the whole of its file. */
  before: string;
  /** What would be stored, as Markdown; empty for a deletion. */
  after: string;
  /** Passages of what is new that try to instruct agents, each as a line with its place in `after`; absent without any. */
  warnings?: Sentence[];
}

export interface AcceptOptions {
  /** Write it although what it is about was changed since. */
  confirmed: boolean;
  /** Called while a source is read or pages are fetched, often. */
  onProgress?: ((progress: LibraryProgress) => void) | undefined;
}

/**
 * What agents want to write and a person has not decided on yet. Lives in the workspace's store, so that every window
 * and server on it sees the same list. Nothing of it is exported. Throws `unknown_proposal` for an id that is not there.
 */
export interface ReviewPart {
  /** Those that wait, oldest first. */
  proposals(): Proposal[];
  /** Also one that was decided in the last 30 days. */
  proposal(id: number): Proposal | undefined;
  /** What it would change, rendered for a person; undefined when there is no such proposal. */
  preview(id: number): Promise<ProposalPreview | undefined>;
  /**
   * Checks the input as writing it would, and keeps it for review. What the same agent proposed already in the same
   * words is not kept twice. Of a node's update the content is checked, and its hash taken, as its file is now; of notes
   * that of all files that would change. Throws `review_full` when too many wait, `unknown_base` for a knowledge base that
   * is not configured here.
   */
  propose(write: ProposedWrite, change: Change): Promise<Proposal>;
  /**
   * Writes what was proposed, with the agent as its author and the reviewer in the reason. Throws
   * `confirmation_required` when the entry, node or note was changed since and `confirmed` is not set, `unknown_proposal` when
   * it was decided already, and `conflict` while another window decides it. Of a node its file is written; what belongs
   * to a knowledge base that is not configured here throws `unknown_base` and goes on waiting. So does what was stopped by
   * the reviewer's signal; the claim holds as long as it takes.
   */
  accept(id: number, options: AcceptOptions, reviewer: Change): Promise<void>;
  reject(id: number, reviewer: Change): Promise<void>;
  /** Has a rejected proposal wait again, as it was. Throws `unknown_proposal` when it was accepted. */
  reconsider(id: number, reviewer: Change): Promise<void>;
}

/** Touched by every change of the list. */
export const REVIEW_TOPIC = 'review';
