import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { isoTime } from '../core/clock';
import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { Turns } from '../core/turns';
import { inParallel } from '../files';
import type { Reader, Store, Transaction } from '../store';
import type { NoteRevision, Space } from './model';
import { NOTES_TOPIC } from './model';

/**
 * So many are kept, of so many bytes together as they are stored; the latest one in any case. Each process has them in
 * memory, and each checkpoint writes them.
 */
const KEPT = 1_000;
const KEPT_BYTES = 8 * 1024 * 1024;
/** Of one change: the texts before and after, and what is stored of them. */
const MAX_TEXT = 64 * 1024 * 1024;
const MAX_STORED = 16 * 1024 * 1024;
const SHOWN = 100;
/** Characters; longer texts of a file are kept deflated. */
const LONG = 512;
/** Texts that are deflated at once. */
const AT_ONCE = 4;
/** Characters that are stored in one transaction: it holds everybody up. */
const PIECE = 128 * 1024;

/** A file as it was before a change and after it. */
export interface RevisedFile {
  space: Space;
  file: string;
  before: string | null;
  after: string | null;
  /** Its old name, when it was moved. */
  moved_from?: string | undefined;
}

/** A file's texts as they are, or as one text, deflated, in base64. */
type StoredFile = RevisedFile | (Omit<RevisedFile, 'before' | 'after'> & { deflated: string });

export interface StoredRevision extends Omit<NoteRevision, 'files'> {
  readonly files: readonly RevisedFile[];
}

/** The files of a change, ready to be kept: JSON, and its size in bytes. */
export interface PackedFiles {
  size: number;
  data: string;
}

export type NewRevision = Omit<StoredRevision, 'id' | 'at' | 'files'> & { at: number; files: PackedFiles };

interface Row {
  id: number;
  space: Space;
  zettel_id: string;
  action: NoteRevision['action'];
  author: string;
  by_agent: number;
  reason: string | null;
  at: number;
  size: number;
  files: string;
}

const COLUMNS = `id, space, zettel_id, action, author, by_agent, reason, at, size, files || ifnull(
  (SELECT group_concat(data, '') FROM
    (SELECT data FROM note_revision_part WHERE revision = note_revision.id ORDER BY place)), '') AS files`;

/** Long texts are made shorter, in other threads. Throws `invalid_argument` when they are more than can be kept. */
export async function packFiles(files: readonly RevisedFile[], turns = new Turns()): Promise<PackedFiles> {
  const size = files.reduce((sum, { before, after }) => sum + lengthOf(before) + lengthOf(after), 0);
  if (size > MAX_TEXT) throw tooMuch(files.length);
  const packed = await inParallel(files, AT_ONCE, async (file) => {
    await turns.pause();
    return JSON.stringify(await packFile(file));
  });
  const data = `[${packed.join(',')}]`;
  if (data.length > MAX_STORED) throw tooMuch(files.length);
  return { size: Buffer.byteLength(data), data };
}

async function packFile(file: RevisedFile): Promise<StoredFile> {
  const { before, after, ...rest } = file;
  if (lengthOf(before) + lengthOf(after) <= LONG) return file;
  const deflated = await promisify(deflateRaw)(JSON.stringify([before, after]));
  return { ...rest, deflated: deflated.toString('base64') };
}

/**
 * Keeps a revision, and lets go of the oldest ones that there is no room for. Nothing is kept when it throws; where it is
 * cut off, the revision is there without its files, and none of them has changed yet.
 */
export async function keepRevision(store: Store, added: NewRevision, signal?: AbortSignal): Promise<NoteRevision> {
  const { data } = added.files;
  // Where nobody else writes, one transaction follows the other without a turn of the event loop between them.
  const turns = new Turns();
  const id = await store.write((transaction) => addRevision(transaction, added, data.slice(0, PIECE)), signal);
  try {
    for (let at = PIECE; at < data.length; at += PIECE) {
      await turns.pause();
      await store.write((transaction) => extendRevision(transaction, id, at, data.slice(at, at + PIECE)), signal);
    }
  } catch (error) {
    await store.write((transaction) => dropRevision(transaction, id)).catch(() => {});
    throw error;
  }
  return shownOf(rowOf(store.read(), id));
}

function addRevision(transaction: Transaction, added: NewRevision, data: string): number {
  const { space, zettel_id, action, author, by_agent, reason, at, files } = added;
  transaction.run(
    `INSERT INTO note_revision (space, zettel_id, action, author, by_agent, reason, at, size, files)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [space, zettel_id, action, author, by_agent ? 1 : 0, reason ?? null, at, files.size, data],
  );
  const { id } = transaction.get<{ id: number }>('SELECT max(id) AS id FROM note_revision')!;
  const held = transaction.get<{ count: number; size: number }>(
    'SELECT count(*) AS count, sum(size) AS size FROM note_revision',
  )!;
  if (held.count > KEPT || held.size > KEPT_BYTES) dropOldest(transaction, id);
  transaction.touch(NOTES_TOPIC);
  return id;
}

function extendRevision(transaction: Transaction, id: number, place: number, data: string): void {
  transaction.run('INSERT INTO note_revision_part (revision, place, data) VALUES (?, ?, ?)', [id, place, data]);
  transaction.touch(NOTES_TOPIC);
}

function dropOldest(transaction: Transaction, latest: number): void {
  transaction.run(
    `DELETE FROM note_revision WHERE id <= ? AND id <= (
       SELECT max(id) FROM (
         SELECT id, sum(size) OVER newest AS held, row_number() OVER newest AS place
         FROM note_revision WINDOW newest AS (ORDER BY id DESC)
       ) WHERE place > 1 AND (held > ? OR place > ?)
     )`,
    [latest - 1, KEPT_BYTES, KEPT],
  );
}

/** Takes a revision away whose files were not written after all. */
export function dropRevision(transaction: Transaction, id: number): void {
  transaction.run('DELETE FROM note_revision WHERE id = ?', [id]);
  transaction.touch(NOTES_TOPIC);
}

/** Throws `unknown_revision`. */
export function readRevision(reader: Reader, id: number): StoredRevision {
  const row = rowOf(reader, id);
  return withLazy(metaOf(row), { files: () => filesOf(row) });
}

/** Latest first; at most 100 unless told. Their texts are read when somebody looks at them. */
export function listRevisions(
  reader: Reader,
  { zettel_id, limit = SHOWN }: { zettel_id?: string | undefined; limit?: number | undefined } = {},
): NoteRevision[] {
  const count = Math.max(0, Math.min(KEPT, Math.trunc(limit)));
  const rows =
    zettel_id === undefined
      ? reader.all<Row>(`SELECT ${COLUMNS} FROM note_revision ORDER BY id DESC LIMIT ?`, [count])
      : reader.all<Row>(`SELECT ${COLUMNS} FROM note_revision WHERE zettel_id = ? ORDER BY id DESC LIMIT ?`, [
          zettel_id,
          count,
        ]);
  return rows.map(shownOf);
}

function rowOf(reader: Reader, id: number): Row {
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM note_revision WHERE id = ?`, [id]);
  if (row) return row;
  throw new KaizenError(
    'unknown_revision',
    sentence('There is no change {0} of notes.', id),
    sentence('The last {0} changes are kept. Look at the ones that there are.', KEPT),
  );
}

/** As others see it: a file that was moved is one that is gone and one that is new. */
function shownOf(row: Row): NoteRevision {
  return withLazy(metaOf(row), { files: () => filesOf(row).flatMap(shownFiles) });
}

function shownFiles(revised: RevisedFile): NoteRevision['files'] {
  const { space, file, moved_from } = revised;
  if (moved_from === undefined) return [revised];
  return [
    withLazy({ space, file: moved_from, after: null }, { before: () => revised.before }),
    withLazy({ space, file, before: null }, { after: () => revised.after }),
  ];
}

function metaOf({ id, space, zettel_id, action, author, by_agent, reason, at }: Row): Omit<NoteRevision, 'files'> {
  const said = reason === null ? {} : { reason };
  return { id, space, zettel_id, action, author, by_agent: by_agent === 1, ...said, at: isoTime(at) };
}

/** None where keeping them was cut off. */
function filesOf({ size, files }: Row): RevisedFile[] {
  if (Buffer.byteLength(files) !== size) return [];
  return (JSON.parse(files) as StoredFile[]).map((stored) => {
    if (!('deflated' in stored)) return stored;
    const { deflated, ...file } = stored;
    let texts: [before: string | null, after: string | null] | undefined;
    const inflated = () => {
      texts ??= JSON.parse(inflateRawSync(Buffer.from(deflated, 'base64')).toString('utf8')) as NonNullable<
        typeof texts
      >;
      return texts;
    };
    return withLazy(file, { before: () => inflated()[0], after: () => inflated()[1] });
  });
}

/** An object that has also what is worked out when somebody first asks for it. */
function withLazy<Base extends object, Lazy extends Record<string, () => unknown>>(
  base: Base,
  lazy: Lazy,
): Base & { readonly [Key in keyof Lazy]: ReturnType<Lazy[Key]> } {
  const object = { ...base };
  for (const [key, work] of Object.entries(lazy)) {
    let result: { value: unknown } | undefined;
    const get = () => {
      result ??= { value: work() };
      return result.value;
    };
    Object.defineProperty(object, key, { enumerable: true, get });
  }
  return object as Base & { readonly [Key in keyof Lazy]: ReturnType<Lazy[Key]> };
}

function lengthOf(text: string | null): number {
  return text?.length ?? 0;
}

function tooMuch(files: number): KaizenError {
  return new KaizenError(
    'invalid_argument',
    sentence('This would change {0} files with more text than can be kept for undoing it.', files),
    sentence('Nothing was changed. Do it in smaller steps, or divide large files first.'),
  );
}
