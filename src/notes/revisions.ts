import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { isoTime } from '../core/clock';
import { KaizenError } from '../core/errors';
import type { Reader, Transaction } from '../store';
import type { NoteRevision, Space } from './model';
import { NOTES_TOPIC } from './model';

/** So many are kept, of so many bytes of text together; the latest one in any case. */
const KEPT = 1_000;
const KEPT_BYTES = 32 * 1024 * 1024;
const SHOWN = 100;
/** What is longer is kept deflated. */
const LONG = 16 * 1024;

/** A file as it was before a change and after it. */
export interface RevisedFile {
  space: Space;
  file: string;
  before: string | null;
  after: string | null;
  /** Its old name, when it was moved. */
  moved_from?: string | undefined;
}

export interface StoredRevision extends Omit<NoteRevision, 'files'> {
  files: readonly RevisedFile[];
}

/** The files of a change, ready to be kept. */
export interface PackedFiles {
  size: number;
  data: string | Uint8Array;
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
  files: string | Uint8Array;
}

const COLUMNS = 'id, space, zettel_id, action, author, by_agent, reason, at, files';

/** Long texts are made shorter, in another thread: whoever writes to the store holds everybody up. */
export async function packFiles(files: readonly RevisedFile[]): Promise<PackedFiles> {
  const size = files.reduce((sum, { before, after }) => sum + bytes(before) + bytes(after), 0);
  const json = JSON.stringify(files);
  return { size, data: json.length < LONG ? json : new Uint8Array(await promisify(deflateRaw)(json)) };
}

/** Keeps a revision, and lets go of the oldest ones that there is no room for. */
export function addRevision(transaction: Transaction, added: NewRevision): StoredRevision {
  const { space, zettel_id, action, author, by_agent, reason, at, files } = added;
  transaction.run(
    `INSERT INTO note_revision (space, zettel_id, action, author, by_agent, reason, at, size, files)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [space, zettel_id, action, author, by_agent ? 1 : 0, reason ?? null, at, files.size, files.data],
  );
  const { id } = transaction.get<{ id: number }>('SELECT max(id) AS id FROM note_revision')!;
  const held = transaction.get<{ count: number; size: number }>(
    'SELECT count(*) AS count, sum(size) AS size FROM note_revision',
  )!;
  if (held.count > KEPT || held.size > KEPT_BYTES) dropOldest(transaction, id);
  transaction.touch(NOTES_TOPIC);
  return readRevision(transaction, id);
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
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM note_revision WHERE id = ?`, [id]);
  if (row) return storedOf(row);
  throw new KaizenError(
    'unknown_revision',
    `There is no change ${id} of notes.`,
    `The last ${KEPT} changes are kept. Look at the ones that there are.`,
  );
}

/** Latest first; at most 100 unless told. */
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
  return rows.map(storedOf).map(shownRevision);
}

/** As others see it: a file that was moved is one that is gone and one that is new. */
export function shownRevision({ files, ...revision }: StoredRevision): NoteRevision {
  return {
    ...revision,
    files: files.flatMap(({ moved_from, ...file }): NoteRevision['files'][number][] => {
      if (moved_from === undefined) return [file];
      return [
        { space: file.space, file: moved_from, before: file.before, after: null },
        { ...file, before: null },
      ];
    }),
  };
}

function storedOf({ by_agent, reason, at, files, ...row }: Row): StoredRevision {
  return {
    ...row,
    by_agent: by_agent === 1,
    ...(reason === null ? {} : { reason }),
    at: isoTime(at),
    files: JSON.parse(typeof files === 'string' ? files : inflateRawSync(files).toString('utf8')) as RevisedFile[],
  };
}

function bytes(text: string | null): number {
  return text === null ? 0 : Buffer.byteLength(text);
}
