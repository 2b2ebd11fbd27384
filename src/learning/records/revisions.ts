import { isoTime } from '../../core/clock';
import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import type { Reader, Store, Transaction } from '../../store';
import type { LearningRevision } from '../model';
import type { LearnedKind } from '../vocabulary';
import { type BuiltIn, jsonOf, recordIn } from './stored';

/** So many are kept, of so many characters together; the latest one in any case. */
const KEPT = 2_000;
const KEPT_CHARACTERS = 8 * 1024 * 1024;
const SHOWN = 100;

/** Who did what. */
export interface RevisionNote {
  operation: LearningRevision['operation'];
  author: string;
  by_agent: boolean;
  /** Milliseconds since the epoch. */
  at: number;
  /** Ids of the feedback that the change gave or took back, and whether that counts since. */
  feedback: readonly string[];
  feedback_counts: boolean;
}

/** What a row says, as `learning_revision` has it. */
export interface RevisionRow {
  revision: number;
  made_with: number;
  kind: LearnedKind;
  id: string;
  title: string;
  operation: LearningRevision['operation'];
  author: string;
  by_agent: number;
  at: number;
  before: string | null;
  feedback: string;
  feedback_counts: number;
}

/** What was changed when, and how it was before. */
export class Revisions {
  constructor(
    private readonly store: Store,
    private readonly builtIn: BuiltIn,
  ) {}

  /** Latest first; 100 unless told. */
  list({ kind, id, limit = SHOWN }: { kind?: LearnedKind; id?: string; limit?: number }) {
    const reader = this.store.read();
    const rows = reader.all<RevisionRow>(
      `SELECT * FROM learning_revision WHERE (?1 IS NULL OR kind = ?1) AND (?2 IS NULL OR id = ?2)
       ORDER BY revision DESC LIMIT ?3`,
      [kind ?? null, id ?? null, Math.max(0, Math.min(Math.trunc(limit), KEPT))],
    );
    return rows.map((row) => this.shown(reader, row));
  }

  /** A revision with its records. */
  shown(reader: Reader, row: RevisionRow): LearningRevision {
    const { revision, kind, id, title, operation, author, by_agent, at, before } = row;
    const after = stateAfter(reader, row);
    return {
      revision,
      kind,
      id,
      title,
      operation,
      author,
      by_agent: by_agent === 1,
      at: isoTime(at),
      before: recordIn(this.builtIn, kind, id, before) ?? null,
      after: recordIn(this.builtIn, kind, id, after) ?? null,
    };
  }
}

/** 0 for none. */
export function lastRevision(reader: Reader): number {
  const { latest } = reader.get<{ latest: number | null }>('SELECT max(revision) AS latest FROM learning_revision')!;
  return latest ?? 0;
}

export function nextRevision(reader: Reader): number {
  return lastRevision(reader) + 1;
}

/** Which records were changed since a revision, in order; undefined where that is not known any more. */
export function changedAfter(
  reader: Reader,
  revision: number,
): { kind: LearnedKind; id: string; revision: number }[] | undefined {
  const changes = reader.all<{ kind: LearnedKind; id: string; revision: number }>(
    'SELECT kind, id, revision FROM learning_revision WHERE revision > ? ORDER BY revision',
    [revision],
  );
  // The latest is kept in any case. What was made together goes together, which may leave a gap behind others.
  const latest = changes.at(-1);
  if (!latest || latest.revision - revision !== changes.length) return undefined;
  return changes;
}

/** Keeps how a record was before a change. */
export function addRevision(
  transaction: Transaction,
  { operation, author, by_agent, at, feedback, feedback_counts }: RevisionNote,
  {
    revision,
    made_with,
    kind,
    id,
    title,
    before,
  }: Pick<RevisionRow, 'revision' | 'made_with' | 'kind' | 'id' | 'title' | 'before'>,
): void {
  transaction.run(
    `INSERT INTO learning_revision
       (revision, made_with, kind, id, title, operation, author, by_agent, at, size, before, feedback, feedback_counts)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[revision, made_with, kind, id, title, operation, author, by_agent ? 1 : 0, at],
      ...[before?.length ?? 0, before, JSON.stringify(feedback), feedback_counts ? 1 : 0],
    ],
  );
}

/** Those that were made together go together; those just made stay. */
export function dropOldRevisions(transaction: Transaction, justMade: number): void {
  const held = transaction.get<{ count: number; size: number }>(
    'SELECT count(*) AS count, sum(size) AS size FROM learning_revision',
  )!;
  if (held.count <= KEPT && held.size <= KEPT_CHARACTERS) return;
  transaction.run(
    `DELETE FROM learning_revision WHERE made_with < ?1 AND made_with <= (
       SELECT max(made_with) FROM (
         SELECT made_with, sum(size) OVER newest AS held, row_number() OVER newest AS place
         FROM learning_revision WINDOW newest AS (ORDER BY revision DESC)
       ) WHERE held > ?2 OR place > ?3
     )`,
    [justMade, KEPT_CHARACTERS, KEPT],
  );
}

/** All rows of the revisions that were made with this one, in order. Throws `unknown_revision`. */
export function madeWith(reader: Reader, revision: number): RevisionRow[] {
  const rows = reader.all<RevisionRow>(
    `SELECT * FROM learning_revision
     WHERE made_with = (SELECT made_with FROM learning_revision WHERE revision = ?) ORDER BY revision`,
    [revision],
  );
  if (rows.length > 0) return rows;
  throw unknownRevision(revision);
}

/** The JSON of the record's row after a revision; null for none. */
export function stateAfter(reader: Reader, { kind, id, revision }: RevisionRow): string | null {
  const next = reader.get<Pick<RevisionRow, 'before'>>(
    'SELECT before FROM learning_revision WHERE kind = ? AND id = ? AND revision > ? ORDER BY revision LIMIT 1',
    [kind, id, revision],
  );
  return next ? next.before : (jsonOf(reader, kind, id) ?? null);
}

export function unknownRevision(revision: number): KaizenError {
  return new KaizenError(
    'unknown_revision',
    sentence('There is no change {0} of captured records.', revision),
    sentence('The last {0} changes are kept. Look at the ones that there are.', KEPT),
  );
}
