import { isoTime } from '../../core/clock';
import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { compareText } from '../../core/text';
import type { Reader, SqlValue, Transaction } from '../../store';
import type { FeedbackRecord } from '../feedback-model';

/** Touched by feedback that is new. */
export const FEEDBACK_TOPIC = 'learning:feedback';
/** Touched where feedback counts no longer, or again, or is of another artifact now. */
export const FEEDBACK_CHANGED_TOPIC = 'learning:feedback-changed';

/** What scores are made of. */
export type FeedbackRow = Pick<
  FeedbackRecord,
  | 'id'
  | 'artifact'
  | 'artifact_type'
  | 'feedback_type'
  | 'feedback_tier'
  | 'rating'
  | 'specific_data'
  | 'propagated_from'
  | 'propagation_weight'
> & {
  /** Milliseconds since the epoch. */
  at: number;
};

interface StoredRow {
  seq: number;
  id: string;
  artifact: string;
  artifact_type: FeedbackRecord['artifact_type'];
  feedback_type: FeedbackRecord['feedback_type'];
  feedback_tier: FeedbackRecord['feedback_tier'];
  rating: number | null;
  specific_data: string;
  propagated_from: string | null;
  propagation_weight: number | null;
  at: number;
}

interface WholeRow extends StoredRow {
  author: string;
  project_id: string | null;
  said: string;
}

/** Those that count no longer as well, for they stay: each process has all of them in memory. */
export const MOST_FEEDBACK = 200_000;

/** Whoever missed more of them reads everything anew. */
const KEPT_CHANGES = 1_000;

/** In one statement. */
const INSERTED_AT_ONCE = 200;

const SCORED = `seq, id, artifact, artifact_type, feedback_type, feedback_tier, rating, specific_data, propagated_from,
  propagation_weight, at`;

/** Nothing specific, as most have it: one object for all. */
const NOTHING: FeedbackRecord['specific_data'] = Object.freeze({});

/** The next of them behind `after`, in the order in which they were given; those that count. */
export function rowsAfter(reader: Reader, after: number, most: number): { seq: number; row: FeedbackRow }[] {
  const sql = `SELECT ${SCORED} FROM learning_feedback WHERE seq > ? AND withdrawn = 0 ORDER BY seq LIMIT ?`;
  return reader.all<StoredRow>(sql, [after, most]).map((row) => ({ seq: row.seq, row: scored(row) }));
}

/** The next of them on one artifact, in the order in which they were given; all unless told. */
export function rowsOf(
  reader: Reader,
  artifact: string,
  { after = 0, until = Number.MAX_SAFE_INTEGER, most = -1 }: { after?: number; until?: number; most?: number } = {},
): { seq: number; row: FeedbackRow }[] {
  const sql = `SELECT ${SCORED} FROM learning_feedback
    WHERE artifact = ? AND seq > ? AND seq <= ? AND withdrawn = 0 ORDER BY seq LIMIT ?`;
  const rows = reader.all<StoredRow>(sql, [artifact, after, until, most]);
  return rows.map((row) => ({ seq: row.seq, row: scored(row) }));
}

/** Artifacts with feedback that counts, whose addresses begin so and go on. */
export function artifactsBelow(reader: Reader, beginning: string): string[] {
  return reader
    .all<{ artifact: string }>(
      `SELECT DISTINCT artifact FROM learning_feedback WHERE artifact > ? AND artifact < ? AND withdrawn = 0`,
      [beginning, `${beginning}\u{10FFFF}`],
    )
    .map(({ artifact }) => artifact);
}

/** The number of the last change of feedback that there was before. */
export function lastChange(reader: Reader): number {
  const { last } = reader.get<{ last: number | null }>('SELECT max(seq) AS last FROM learning_feedback_change')!;
  return last ?? 0;
}

/** Whose feedback changed, in order; undefined where that is not known any more. */
export function changesAfter(reader: Reader, after: number): { seq: number; artifact: string }[] | undefined {
  const sql = 'SELECT seq, artifact FROM learning_feedback_change WHERE seq > ? ORDER BY seq';
  const changes = reader.all<{ seq: number; artifact: string }>(sql, [after]);
  return changes.length === 0 || changes[0]!.seq === after + 1 ? changes : undefined;
}

/** Notes whose feedback changed. */
function noteChanged(transaction: Transaction, artifacts: readonly string[]): void {
  transaction.run('INSERT INTO learning_feedback_change (artifact) SELECT value FROM json_each(?)', [
    JSON.stringify(artifacts),
  ]);
  transaction.run(
    `DELETE FROM learning_feedback_change
     WHERE seq <= (SELECT max(seq) FROM learning_feedback_change) - ${KEPT_CHANGES}`,
  );
  transaction.touch(FEEDBACK_CHANGED_TOPIC);
}

/** All on an artifact that count, oldest first; of a document those on its passages as well, whose addresses go on with #. */
export function feedbackOn(
  reader: Reader,
  artifact: string,
  { withPassages }: { withPassages: boolean },
): FeedbackRecord[] {
  const own = all(reader, 'AND artifact = ?', [artifact]);
  if (!withPassages) return own;
  // `$` comes after `#`.
  const below = all(reader, 'AND artifact > ? AND artifact < ?', [`${artifact}#`, `${artifact}$`]);
  return [...own, ...below].sort((a, b) => compareText(a.created_at, b.created_at));
}

/** How many count. */
export function countFeedback(reader: Reader): number {
  const sql = 'SELECT COUNT(*) AS count FROM learning_feedback WHERE withdrawn = 0';
  return reader.get<{ count: number }>(sql, [])?.count ?? 0;
}

/** The next of those that count, in the order in which they were given; `last` is where to go on, undefined at the end. */
export function feedbackAfter(
  reader: Reader,
  after: number,
  most: number,
): { records: FeedbackRecord[]; last: number | undefined } {
  const rows = reader.all<WholeRow>(
    `SELECT ${SCORED}, author, project_id, said FROM learning_feedback WHERE seq > ? AND withdrawn = 0
     ORDER BY seq LIMIT ?`,
    [after, most],
  );
  return { records: rows.map(whole), last: rows.length === most ? rows.at(-1)!.seq : undefined };
}

function all(reader: Reader, where: string, parameters: readonly SqlValue[]): FeedbackRecord[] {
  const sql = `SELECT ${SCORED}, author, project_id, said FROM learning_feedback WHERE withdrawn = 0 ${where}
    ORDER BY at, seq`;
  return reader.all<WholeRow>(sql, parameters).map(whole);
}

/** Which of these ids are there already, counting or not. */
export function knownIds(reader: Reader, ids: readonly string[]): Set<string> {
  const sql = 'SELECT id FROM learning_feedback WHERE id IN (SELECT value FROM json_each(?))';
  return new Set(reader.all<{ id: string }>(sql, [JSON.stringify(ids)]).map(({ id }) => id));
}

/** Throws `learning_full` where there would be too many with as many more. */
export function refuseTooMuchFeedback(reader: Reader, more: number): void {
  // Rows are only added: the last one's number is how many there are.
  const { last } = reader.get<{ last: number | null }>('SELECT max(seq) AS last FROM learning_feedback')!;
  const count = (last ?? 0) + more;
  if (count <= MOST_FEEDBACK) return;
  throw new KaizenError(
    'learning_full',
    sentence('There would be {0} pieces of feedback; the limit is {1}.', count, MOST_FEEDBACK),
    sentence('It was not stored. Find out who gives so much: a program gives it again and again, as a rule.'),
  );
}

/** Throws `learning_full`. */
export function insertFeedback(transaction: Transaction, records: readonly FeedbackRecord[]): void {
  if (records.length > 0) refuseTooMuchFeedback(transaction, records.length);
  for (let from = 0; from < records.length; from += INSERTED_AT_ONCE) {
    const some = records.slice(from, from + INSERTED_AT_ONCE);
    transaction.run(
      `INSERT INTO learning_feedback (id, artifact, artifact_type, feedback_type, feedback_tier, rating, specific_data,
         propagated_from, propagation_weight, project_id, author, at, said)
       VALUES ${some.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
      some.flatMap(stored),
    );
  }
  if (records.length > 0) transaction.touch(FEEDBACK_TOPIC);
}

function stored(record: FeedbackRecord): (string | number | null)[] {
  const { usage_context, comment, corrections, suggested_improvements, feedback_source } = record;
  return [
    record.id,
    record.artifact,
    record.artifact_type,
    record.feedback_type,
    record.feedback_tier,
    record.rating ?? null,
    JSON.stringify(record.specific_data),
    record.propagated_from ?? null,
    record.propagation_weight ?? null,
    record.project_id ?? null,
    record.author,
    Date.parse(record.created_at),
    JSON.stringify({ usage_context, comment, corrections, suggested_improvements, feedback_source }),
  ];
}

/** Answers how many changed. Ids that nobody knows are no error. */
export function setWithdrawn(transaction: Transaction, ids: readonly string[], withdrawn: boolean): number {
  const named = JSON.stringify(ids);
  const where = 'id IN (SELECT value FROM json_each(?1)) AND withdrawn <> ?2';
  const flag = withdrawn ? 1 : 0;
  const changed = transaction.all<{ artifact: string; count: number }>(
    `SELECT artifact, count(*) AS count FROM learning_feedback WHERE ${where} GROUP BY artifact`,
    [named, flag],
  );
  if (changed.length === 0) return 0;
  transaction.run(`UPDATE learning_feedback SET withdrawn = ?2 WHERE ${where}`, [named, flag]);
  noteChanged(
    transaction,
    changed.map(({ artifact }) => artifact),
  );
  return changed.reduce((sum, { count }) => sum + count, 0);
}

/** Whether anything was said of it, counting or not. */
export function hasFeedback(reader: Reader, artifact: string): boolean {
  return reader.get('SELECT 1 AS one FROM learning_feedback WHERE artifact = ? LIMIT 1', [artifact]) !== undefined;
}

/** The same feedback, of what has another address now. */
export function moveFeedback(transaction: Transaction, from: string, to: string): void {
  if (!hasFeedback(transaction, from)) return;
  transaction.run('UPDATE learning_feedback SET artifact = ?2 WHERE artifact = ?1', [from, to]);
  noteChanged(transaction, [from, to]);
}

function scored(row: StoredRow): FeedbackRow {
  return {
    id: row.id,
    artifact: row.artifact,
    artifact_type: row.artifact_type,
    feedback_type: row.feedback_type,
    feedback_tier: row.feedback_tier,
    at: row.at,
    rating: row.rating ?? undefined,
    specific_data: row.specific_data === '{}' ? NOTHING : JSON.parse(row.specific_data),
    propagated_from: row.propagated_from ?? undefined,
    propagation_weight: row.propagation_weight ?? undefined,
  };
}

function whole(row: WholeRow): FeedbackRecord {
  const { at, ...rest } = scored(row);
  const said = JSON.parse(row.said);
  return { ...rest, ...said, project_id: row.project_id ?? undefined, author: row.author, created_at: isoTime(at) };
}
