import { createHash } from 'node:crypto';
import { KaizenError } from '../../../core/errors';
import { sentence } from '../../../core/sentence';
import type { Turns } from '../../../core/turns';
import type { Reader, SqlValue, Transaction } from '../../../store';
import type { DocumentMetadata, DocumentRequest } from '../../model';
import type { ChunkFilter } from '../model';
import type { ContentPlace } from './content-files';
import { LOCAL_LIMITS } from './limits';

/** A document as the store has it. */
export interface Shelved {
  document: DocumentMetadata;
  /** Undefined where nothing was read of it. */
  content: ContentPlace | undefined;
}

/** What the index compares itself with. */
export interface Shelfmark {
  document_id: string;
  /** Another one whenever something is another that the index knows of. */
  stamp: string;
  /** 0 where nothing was read of it. */
  chunks: number;
}

/** A new content file. */
export interface NewContent extends ContentPlace {
  size: number;
  tokens: number;
}

export const DOCUMENTS_TOPIC = 'library:documents';
export const REQUESTS_TOPIC = 'library:requests';
const DOCUMENT_TOPIC = 'library:document:';

export function documentTopic(documentId: string): string {
  return `${DOCUMENT_TOPIC}${documentId}`;
}

/** Undefined for other topics. */
export function documentOfTopic(topic: string): string | undefined {
  return topic.startsWith(DOCUMENT_TOPIC) ? topic.slice(DOCUMENT_TOPIC.length) : undefined;
}

interface Row {
  metadata: string;
  content: string | null;
  chunks: number;
}

export function shelved(reader: Reader, documentId: string): Shelved | undefined {
  const row = reader.get<Row>('SELECT metadata, content, chunks FROM library_document WHERE document_id = ?', [
    documentId,
  ]);
  return row && { document: JSON.parse(row.metadata) as DocumentMetadata, content: placeOf(row) };
}

export function shelfmark(reader: Reader, documentId: string): Shelfmark | undefined {
  return reader.get('SELECT document_id, stamp, chunks FROM library_document WHERE document_id = ?', [documentId]);
}

export function documentWithHash(reader: Reader, contentHash: string): DocumentMetadata | undefined {
  const row = reader.get<{ metadata: string }>(
    `SELECT metadata FROM library_document WHERE content_hash = ? AND content IS NOT NULL
     ORDER BY created_at, document_id LIMIT 1`,
    [contentHash],
  );
  return row && (JSON.parse(row.metadata) as DocumentMetadata);
}

/** Sorted by id. */
export async function allDocuments(read: () => Reader, turns: Turns): Promise<DocumentMetadata[]> {
  const documents: DocumentMetadata[] = [];
  for await (const { metadata } of rows<{ document_id: string; metadata: string }>(read, 'metadata', '', [], turns)) {
    documents.push(JSON.parse(metadata) as DocumentMetadata);
  }
  return documents;
}

/** Sorted by id. */
export async function allShelfmarks(read: () => Reader, turns: Turns): Promise<Shelfmark[]> {
  const marks: Shelfmark[] = [];
  for await (const mark of rows<Shelfmark>(read, 'stamp, chunks', '', [], turns)) marks.push(mark);
  return marks;
}

/** Whether the document is what this file says. */
export function isNamed(reader: Reader, documentId: string, file: string): boolean {
  const row = reader.get<{ content: string | null }>('SELECT content FROM library_document WHERE document_id = ?', [
    documentId,
  ]);
  return row?.content === file;
}

/** Ids of the documents that a filter lets through, but for what it says of chunks; undefined where it lets all through. */
export async function chosenDocuments(
  read: () => Reader,
  { documents, document_type, source_type, min_authority }: ChunkFilter,
  turns: Turns,
): Promise<Set<string> | undefined> {
  const conditions: string[] = [];
  const parameters: SqlValue[] = [];
  const among = (column: string, values: readonly string[]) => {
    conditions.push(`${column} IN (SELECT value FROM json_each(?))`);
    parameters.push(JSON.stringify(values));
  };
  if (document_type) among('document_type', document_type);
  if (source_type !== undefined) among('source_type', [source_type]);
  if (min_authority !== undefined && min_authority > 0) {
    conditions.push('authority_score >= ?');
    parameters.push(min_authority);
  }
  if (conditions.length === 0) return documents && new Set(documents);
  if (documents) among('document_id', documents);
  const chosen = new Set<string>();
  const found = rows<{ document_id: string }>(read, '1', conditions.join(' AND '), parameters, turns);
  for await (const { document_id } of found) chosen.add(document_id);
  return chosen;
}

export function count(reader: Reader): { documents: number; chunks: number; tokens: number; size: number } {
  return reader.get(
    `SELECT count(*) AS documents, coalesce(sum(chunks), 0) AS chunks, coalesce(sum(tokens), 0) AS tokens,
       coalesce(sum(content_size), 0) AS size FROM library_document`,
  )!;
}

/** Answers the file that nobody names any more. Throws `conflict`. */
export function shelve(
  transaction: Transaction,
  { document, metadata }: { document: DocumentMetadata; metadata: string },
  content: NewContent | undefined,
  expected: string | null | undefined,
): string | undefined {
  const { document_id, title, document_type, source_type, authority_score } = document;
  type Known = { updated_at: string; content: string | null; content_size: number; chunks: number; tokens: number };
  const known = transaction.get<Known>(
    'SELECT updated_at, content, content_size, chunks, tokens FROM library_document WHERE document_id = ?',
    [document_id],
  );
  if (expected !== undefined && (known?.updated_at ?? null) !== expected) {
    const hint = sentence('Look at it and try again.');
    throw new KaizenError(
      'conflict',
      sentence('The document "{0}" was changed just now by somebody else.', document_id),
      hint,
    );
  }
  const file = content ? content.file : (known?.content ?? null);
  transaction.run('INSERT OR REPLACE INTO library_document VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', [
    ...[document_id, title, document_type, source_type, authority_score, document.content_hash ?? null],
    ...[document.created_at, document.updated_at, metadata, file],
    content ? content.size : (known?.content_size ?? 0),
    content ? content.chunks : (known?.chunks ?? 0),
    content ? content.tokens : (known?.tokens ?? 0),
    stampOf(file, document),
  ]);
  touch(transaction, document_id);
  return content ? (known?.content ?? undefined) : undefined;
}

/** Notes a look at a document that says what it said. False where it is another by now. */
export function seeAgain(
  transaction: Transaction,
  { document, metadata, expected }: { document: DocumentMetadata; metadata: string; expected: string },
): boolean {
  const { document_id, updated_at } = document;
  const known = transaction.get<{ updated_at: string }>(
    'SELECT updated_at FROM library_document WHERE document_id = ?',
    [document_id],
  );
  if (known?.updated_at !== expected) return false;
  transaction.run('UPDATE library_document SET updated_at = ?, metadata = ? WHERE document_id = ?', [
    updated_at,
    metadata,
    document_id,
  ]);
  touch(transaction, document_id);
  return true;
}

/** Answers the files that nobody names any more. */
export function unshelve(transaction: Transaction, documentIds: readonly string[]): string[] {
  // All with one statement: each one by itself would hold whoever waits for a thousand.
  const among = 'document_id IN (SELECT value FROM json_each(?))';
  const ids = JSON.stringify(documentIds);
  const known = transaction.all<{ document_id: string; content: string | null }>(
    `SELECT document_id, content FROM library_document WHERE ${among}`,
    [ids],
  );
  if (known.length > 0) transaction.run(`DELETE FROM library_document WHERE ${among}`, [ids]);
  for (const { document_id } of known) touch(transaction, document_id);
  return known.flatMap(({ content }) => content ?? []);
}

/** Oldest first. */
export function allRequests(reader: Reader): DocumentRequest[] {
  const found = reader.all<{ request: string }>('SELECT request FROM library_request ORDER BY created_at, id');
  return found.map(({ request }) => JSON.parse(request) as DocumentRequest);
}

export function putRequest(transaction: Transaction, { id, created_at }: DocumentRequest, json: string): void {
  transaction.run('INSERT OR REPLACE INTO library_request VALUES (?, ?, ?)', [id, created_at, json]);
  transaction.touch(REQUESTS_TOPIC);
}

function touch(transaction: Transaction, documentId: string): void {
  transaction.touch(DOCUMENTS_TOPIC);
  transaction.touch(documentTopic(documentId));
}

function placeOf({ content, chunks }: Row): ContentPlace | undefined {
  return content === null ? undefined : { file: content, chunks };
}

/** Of the file, and of what is searched with each of its chunks. */
function stampOf(file: string | null, { title, standard_id = '' }: DocumentMetadata): string {
  return createHash('sha256')
    .update(`${file ?? ''}\0${title}\0${standard_id}`)
    .digest('base64url')
    .slice(0, 16);
}

/** Page by page, in short turns: what is changed meanwhile may be as before, or as after. */
async function* rows<T extends { document_id: string }>(
  read: () => Reader,
  columns: string,
  condition: string,
  parameters: readonly SqlValue[],
  turns: Turns,
): AsyncGenerator<T> {
  const most = LOCAL_LIMITS.rowsAtOnce;
  const where = condition === '' ? '' : `AND ${condition}`;
  const sql = `SELECT document_id, ${columns} FROM library_document WHERE document_id > ? ${where} ORDER BY document_id LIMIT ${most}`;
  for (let after = ''; ; ) {
    const page = read().all<T>(sql, [after, ...parameters]);
    yield* page;
    if (page.length < most) return;
    after = page.at(-1)!.document_id;
    await turns.pause();
  }
}
