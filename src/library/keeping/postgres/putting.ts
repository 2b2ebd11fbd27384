import { KaizenError } from '../../../core/errors';
import { sentence } from '../../../core/sentence';
import type { Turns } from '../../../core/turns';
import type { Session } from '../../../postgres';
import type { DocumentMetadata, DocumentRequest } from '../../model';
import { checkedRecord } from '../checks';
import { type ChunkRecord, recordOf } from '../chunk-record';
import { chunkPassage } from '../local/chunk-passages';
import type { DocumentContent } from '../model';
import { POSTGRES_LIMITS } from './limits';
import { readRecord } from './shelf';
import { type PassageWords, passageWords, stampOf } from './words';

/** A chunk as it is to be stored. */
interface Given {
  record: ChunkRecord;
  content: string;
  position: number;
  /** The record as it is stored. */
  json: string;
}

/** One that is stored anew. */
interface Made {
  given: Given;
  stamp: string;
  words: PassageWords;
}

interface Stored {
  key: string;
  id: string;
  position: number;
  record: string;
  stamp: string;
}

/**
 * Puts a document, with what it says or without: then that stays. Passages that are as they were are not touched. Two
 * who put the same document at once come one after the other. Answers the transaction. Throws `conflict`.
 */
export async function putDocument(
  session: Session,
  { document, metadata }: { document: DocumentMetadata; metadata: string },
  content: DocumentContent | undefined,
  expected: string | null | undefined,
  turns: Turns,
): Promise<string> {
  const { document_id } = document;
  await session.query("SELECT pg_advisory_xact_lock(hashtextextended('kaizen_library/' || $1, 0))", [document_id]);
  const [known] = await session.query<{ updated_at: string; title: string; standard_id: string | null }>(
    'SELECT updated_at, title, standard_id FROM kaizen_library.documents WHERE document_id = $1',
    [document_id],
  );
  if (expected !== undefined && (known?.updated_at ?? null) !== expected) {
    throw new KaizenError(
      'conflict',
      sentence('The document "{0}" was changed just now by somebody else.', document_id),
      sentence('Look at it and try again.'),
    );
  }
  await session.change(known ? UPDATE_DOCUMENT : INSERT_DOCUMENT, [
    ...[document_id, document.title, document.document_type, document.source_type, document.standard_id ?? null],
    ...[document.authority_score, document.content_hash ?? null, document.created_at, document.updated_at, metadata],
  ]);
  if (content) {
    await session.change(
      'UPDATE kaizen_library.documents SET content = $2, chunks = $3, tokens = $4 WHERE document_id = $1',
      [
        ...[document_id, content.text, content.chunks.length],
        content.chunks.reduce((sum, { token_count }) => sum + token_count, 0),
      ],
    );
    await replaceChunks(session, document, await givenChunks(content, turns), turns);
  } else if (known && (known.title !== document.title || known.standard_id !== (document.standard_id ?? null))) {
    await replaceChunks(session, document, await storedChunks(session, document_id, turns), turns);
  }
  return noteChanges(session, [document_id]);
}

/** Notes looks at documents that say what they said. Answers those that were still the expected ones, and the transaction. */
export async function putSeen(
  session: Session,
  seen: readonly { document: DocumentMetadata; metadata: string; expected: string }[],
): Promise<{ noted: string[]; transaction: string | undefined }> {
  // Always in one order: two who hold some of them and wait for the others would wait for ever.
  const sorted = [...seen].sort((a, b) => (a.document.document_id < b.document.document_id ? -1 : 1));
  const ids = sorted.map(({ document }) => document.document_id);
  await session.query(
    "SELECT pg_advisory_xact_lock(hashtextextended('kaizen_library/' || id, 0)) FROM unnest($1::text[]) AS ids (id)",
    [ids],
  );
  await lockInOrder(session, ids);
  const rows = await session.query<{ document_id: string }>(
    `UPDATE kaizen_library.documents d SET updated_at = seen.updated_at, metadata = seen.metadata
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS seen (document_id, expected, updated_at, metadata)
     WHERE d.document_id = seen.document_id AND d.updated_at = seen.expected RETURNING d.document_id`,
    [
      ids,
      sorted.map(({ expected }) => expected),
      sorted.map(({ document }) => document.updated_at),
      sorted.map(({ metadata }) => metadata),
    ],
  );
  const noted = rows.map(({ document_id }) => document_id);
  return { noted, transaction: noted.length === 0 ? undefined : await noteChanges(session, noted) };
}

/** Whoever changes several documents at once takes them in one order: two who each wait for the other's would both fail. */
async function lockInOrder(session: Session, documentIds: readonly string[]): Promise<void> {
  await session.query(
    'SELECT 1 FROM kaizen_library.documents WHERE document_id = ANY ($1::text[]) ORDER BY document_id FOR UPDATE',
    [documentIds],
  );
}

/** Answers the transaction; unknown ids are no error. */
export async function removeDocuments(session: Session, documentIds: readonly string[]): Promise<string | undefined> {
  await lockInOrder(session, documentIds);
  const removed = await session.query<{ document_id: string }>(
    'DELETE FROM kaizen_library.documents WHERE document_id = ANY ($1::text[]) RETURNING document_id',
    [documentIds],
  );
  if (removed.length === 0) return undefined;
  return noteChanges(
    session,
    removed.map(({ document_id }) => document_id),
  );
}

/** Answers the transaction. */
export async function putRequest(
  session: Session,
  { id, created_at }: DocumentRequest,
  request: string,
): Promise<string> {
  await session.change(
    `INSERT INTO kaizen_library.requests (id, created_at, request) VALUES ($1, $2, $3)
     ON CONFLICT (id) DO UPDATE SET created_at = $2, request = $3`,
    [id, created_at, request],
  );
  return noteChanges(session, [null]);
}

/** For whoever looks for changes; null stands for requests. What nobody will ask for any more goes. */
async function noteChanges(session: Session, documentIds: readonly (string | null)[]): Promise<string> {
  const [row] = await session.query<{ transaction: string }>(
    `WITH gone AS (
       DELETE FROM kaizen_library.changes WHERE number IN (
         SELECT number FROM kaizen_library.changes WHERE changed_at < now() - $2 * interval '1 millisecond'
         FOR UPDATE SKIP LOCKED)
     ), noted AS (
       INSERT INTO kaizen_library.changes (document_id) SELECT unnest($1::text[]) RETURNING 1
     )
     SELECT pg_current_xact_id()::text AS transaction`,
    [documentIds, POSTGRES_LIMITS.changesKept],
  );
  return row!.transaction;
}

const FIELDS =
  'document_id, title, document_type, source_type, standard_id, authority_score, content_hash, created_at, updated_at, metadata';
const VALUES = '$1, $2, $3, $4, $5, $6, $7, $8, $9, $10';
const INSERT_DOCUMENT = `
  INSERT INTO kaizen_library.documents (${FIELDS}, content, chunks, tokens) VALUES (${VALUES}, NULL, 0, 0)`;
const UPDATE_DOCUMENT = `UPDATE kaizen_library.documents SET (${FIELDS}) = (${VALUES}) WHERE document_id = $1`;

async function givenChunks({ chunks }: DocumentContent, turns: Turns): Promise<Given[]> {
  const given: Given[] = [];
  for (const [position, chunk] of chunks.entries()) {
    given.push({ record: recordOf(chunk), content: chunk.content, position, json: checkedRecord(chunk) });
    await turns.pause();
  }
  return given;
}

async function storedChunks(session: Session, documentId: string, turns: Turns): Promise<Given[]> {
  const rows = await session.query<{ record: string; content: string; position: number }>(
    'SELECT record, content, position FROM kaizen_library.chunks WHERE document_id = $1 ORDER BY position',
    [documentId],
  );
  const given: Given[] = [];
  for (const { record, content, position } of rows) {
    given.push({ record: readRecord(record), content, position, json: record });
    await turns.pause();
  }
  return given;
}

/** What is as it was stays; of what only stands elsewhere the place is changed; the rest is made anew. */
async function replaceChunks(
  session: Session,
  document: DocumentMetadata,
  given: readonly Given[],
  turns: Turns,
): Promise<void> {
  const { document_id } = document;
  const rows = await session.query<Stored>(
    'SELECT key::text AS key, id, position, record, stamp FROM kaizen_library.chunks WHERE document_id = $1',
    [document_id],
  );
  /** What stays there until it is found among what is given. */
  const stored = new Map<string, Stored>();
  for (const row of rows) {
    stored.set(row.id, row);
    await turns.pause();
  }
  const moved: { key: string; given: Given }[] = [];
  const made: Made[] = [];
  const store = async () => {
    // Those that are replaced go first: an id is there once.
    const replaced = made.flatMap(({ given: { record } }) => stored.get(record.id)?.key ?? []);
    if (replaced.length > 0) await session.change(DELETE_CHUNKS, [replaced]);
    for (const each of made) stored.delete(each.given.record.id);
    await insertChunks(session, document_id, made.splice(0));
  };
  for (const each of given) {
    const passage = chunkPassage(each.record, each.content, document, '');
    const stamp = stampOf(passage);
    const before = stored.get(each.record.id);
    if (before?.stamp === stamp) {
      stored.delete(before.id);
      if (before.record !== each.json || before.position !== each.position)
        moved.push({ key: before.key, given: each });
    } else {
      made.push({ given: each, stamp, words: passageWords(passage) });
      if (made.length === POSTGRES_LIMITS.passagesAtOnce) await store();
    }
    if (moved.length === POSTGRES_LIMITS.passagesAtOnce) await moveChunks(session, moved.splice(0));
    await turns.pause();
  }
  await store();
  await moveChunks(session, moved);
  const gone: string[] = [];
  for (const { key } of stored.values()) {
    gone.push(key);
    if (gone.length === POSTGRES_LIMITS.deletedAtOnce) await session.change(DELETE_CHUNKS, [gone.splice(0)]);
    await turns.pause();
  }
  if (gone.length > 0) await session.change(DELETE_CHUNKS, [gone]);
}

const DELETE_CHUNKS = 'DELETE FROM kaizen_library.chunks WHERE key = ANY ($1::bigint[])';

async function moveChunks(session: Session, moved: readonly { key: string; given: Given }[]): Promise<void> {
  if (moved.length === 0) return;
  await session.change(
    `UPDATE kaizen_library.chunks c SET position = given.position, record = given.record
     FROM unnest($1::bigint[], $2::int[], $3::text[]) AS given (key, position, record) WHERE c.key = given.key`,
    [moved.map(({ key }) => key), moved.map(({ given }) => given.position), moved.map(({ given }) => given.json)],
  );
}

async function insertChunks(session: Session, documentId: string, made: readonly Made[]): Promise<void> {
  if (made.length === 0) return;
  await session.change(
    `WITH given AS (
       SELECT * FROM unnest($2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[], $7::bytea[], $8::boolean[], $9::text[], $10::text[])
         AS given (id, position, record, content, stamp, text_hash, normative, head, words)
     ), made AS (
       INSERT INTO kaizen_library.chunks (document_id, id, position, record, content, stamp, text_hash)
       SELECT $1, id, position, record, content, stamp, text_hash FROM given RETURNING key, id
     )
     INSERT INTO kaizen_library.chunk_words (key, document_id, normative, head, words)
     SELECT made.key, $1, given.normative, given.head::tsvector, given.words::tsvector FROM made JOIN given USING (id)`,
    [
      documentId,
      made.map(({ given }) => given.record.id),
      made.map(({ given }) => given.position),
      made.map(({ given }) => given.json),
      made.map(({ given }) => given.content),
      made.map(({ stamp }) => stamp),
      made.map(({ words }) => words.textHash),
      made.map(({ given }) => given.record.normative === true),
      made.map(({ words }) => words.head),
      made.map(({ words }) => words.words),
    ],
  );
}
