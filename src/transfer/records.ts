/**
 * What a line of an export file says (docs/import-export.md): one record a line, JSON Lines.
 *
 * These are complete records, as the stores give and take them. A file may leave fields out: `parseLines` fills them
 * in, so that whoever applies a record never meets a missing one; `serialise` leaves them out again, orders the keys
 * and the lines, so that the same state always gives the same bytes. This room stands below `src/knowledge` and
 * `src/continuity` and imports neither: the unions here are the model's, and a unit test holds the two together.
 *
 * Times (`at`) are ISO 8601 in UTC with milliseconds, as `isoTime` writes them.
 */

import type { Sentence } from '../core/sentence';
import type { SecretPlace } from '../safety';

/** The only version of the file format so far. */
export const FORMAT = 1;

/** Every kind of record, in the order in which a file holds them. */
export const RECORD_KINDS = ['scope', 'category', 'entry', 'overview', 'session', 'progress', 'task'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

export interface ScopeRecord {
  type: 'scope';
  id: string;
  tier: 'GENERAL' | 'PRODUCT' | 'GROUP' | 'PROJECT';
  name: string;
  description: string | null;
  /** Ids, sorted. */
  parents: string[];
}

/** A category's description. Categories without one need no record: their entries make them. */
export interface CategoryRecord {
  type: 'category';
  scope: string;
  category: string;
  description: string;
}

/** One change of an entry and what the entry held after it. */
export interface EntryState {
  /** Null exactly when `action` is `delete`. */
  content: string | null;
  /** Null exactly when `content` is. */
  metaknowledge: Record<string, string> | null;
  action: 'create' | 'update' | 'delete' | 'restore';
  author: string;
  /** Whether an agent made it, and not a person. */
  by_agent: boolean;
  at: string;
  /** Empty when none was given. */
  project_context: string;
  reason: string | null;
}

/** An entry: its latest state inline, the states before it in `revisions`. */
export interface EntryRecord extends EntryState {
  type: 'entry';
  scope: string;
  category: string;
  keyword: string;
  /** Oldest first, the latest state not among them; empty when the entry was changed once only. */
  revisions: EntryState[];
}

/** A project has at most one. */
export interface OverviewRecord {
  type: 'overview';
  project: string;
  purpose: string | null;
  tech_stack: string[];
  compliance: string[];
  current_phase: string | null;
  key_constraints: string[];
  author: string;
  /** Whether an agent is known to have made its last change. */
  by_agent: boolean;
  at: string;
}

/** Told apart by project, `at` and summary. */
export interface SessionRecord {
  type: 'session';
  project: string;
  /** When the summary was stored; its UTC day is the session's `date`. */
  at: string;
  duration_minutes: number | null;
  summary: string;
  tasks_completed: string[];
  domain: string | null;
  next_planned: string | null;
  author: string;
  by_agent: boolean;
}

/** A project has at most one; its tasks are records of their own. */
export interface ProgressRecord {
  type: 'progress';
  project: string;
  /** Null when it is computed from the tasks. */
  overall_progress: string | null;
  current_sprint: string | null;
  author: string;
  by_agent: boolean;
  at: string;
}

/** Told apart by project, name and domain. */
export interface TaskRecord {
  type: 'task';
  project: string;
  name: string;
  domain: string | null;
  state: 'in_progress' | 'blocked' | 'completed';
  status: string | null;
  blocker: string | null;
  author: string;
  by_agent: boolean;
  /** When it came into this state; for a completed task its UTC day is the `date` that people see. */
  at: string;
}

export type KnowledgeRecord = ScopeRecord | CategoryRecord | EntryRecord;
export type ContinuityRecord = OverviewRecord | SessionRecord | ProgressRecord | TaskRecord;
export type TransferRecord = KnowledgeRecord | ContinuityRecord;

/** A record and the line of the file it stands on (1 is the first), for messages. */
export interface ParsedRecord<R extends TransferRecord = TransferRecord> {
  line: number;
  record: R;
}

export interface ImportOptions {
  /**
   * Existing scopes, entries and so on that differ are replaced (entries by a new revision) and not kept; all of them,
   * or those for which the records on these lines stand.
   */
  overwrite?: boolean | ReadonlySet<number>;
  /** Author of the revisions that overwriting makes. */
  author: string;
  /** Told of each record that differs from what is there, whatever is decided on it. */
  onConflict?: (conflict: ImportConflict) => void;
  /** Told of the line of each entry of which nothing would be stored: it is there already, or what is there is kept. */
  onKept?: (line: number) => void;
  /** What the record on a line is called where a secret in it is told of; `record at line 12` unless told. */
  placeOf?: ((line: number) => string | undefined) | undefined;
  /**
   * Asked once, before anything is stored, what becomes of the records that look as if they held a secret, where a person
   * imports and such texts are refused; undefined gives the import up. Without it `onFound` is asked, as for any write.
   */
  onSecrets?: ((found: readonly ImportedSecret[]) => Promise<SecretDecision | undefined>) | undefined;
  signal?: AbortSignal | undefined;
}

/** `leave out` stores the other records; of a scope it leaves out what holds the secret. */
export type SecretDecision = 'leave out' | 'redact' | 'store';

/** A record that looks as if it held a secret. Never holds the secret. */
export interface ImportedSecret {
  line: number;
  /** `entry shop/git/push`, for a person; undefined where the name holds the secret itself. */
  where: Sentence | undefined;
  places: readonly SecretPlace[];
}

/** What a record would replace. Both sides are texts for a person to compare; null stands for a deleted entry. */
export interface ImportConflict {
  /** Line of the record. */
  line: number;
  kind: RecordKind;
  /** What it is about, from the widest: scope, category and keyword, or project and task. */
  place: readonly string[];
  stored: ConflictSide;
  incoming: ConflictSide;
}

export interface ConflictSide {
  content: string | null;
  /** Empty for everything but entries. */
  metaknowledge: Record<string, string>;
}

/** Whether the record on a line replaces what differs from it. */
export function replaces({ overwrite = false }: ImportOptions, line: number): boolean {
  return typeof overwrite === 'boolean' ? overwrite : overwrite.has(line);
}

/** Anything but an entry as a side of a conflict. */
export function conflictSide(state: object): ConflictSide {
  return { content: `${JSON.stringify(state, null, 2)}\n`, metaknowledge: {} };
}

export interface ImportCounts {
  added: number;
  /** Stood there with the same state, so nothing was done. */
  identical: number;
  /** Stood there with another state, which was kept. */
  kept: number;
  /** Stood there with another state and was replaced. */
  overwritten: number;
}

export type ImportResult = Record<RecordKind, ImportCounts>;

/** All zero: what an import starts from. */
export function emptyImportResult(): ImportResult {
  const zero = (): ImportCounts => ({ added: 0, identical: 0, kept: 0, overwritten: 0 });
  return {
    scope: zero(),
    category: zero(),
    entry: zero(),
    overview: zero(),
    session: zero(),
    progress: zero(),
    task: zero(),
  };
}
