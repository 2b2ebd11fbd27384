import { KaizenError } from '../../../core/errors';
import { sentence } from '../../../core/sentence';
import type { Turns } from '../../../core/turns';
import type { Session } from '../../../postgres';
import type { DocumentMetadata, DocumentRequest, KnowledgeChunk } from '../../model';
import { type ChunkRecord, chunkOf } from '../chunk-record';
import type { DocumentContent, KeeperCounts } from '../model';
import { POSTGRES_LIMITS } from './limits';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Names that PostgreSQL cannot store are nobody's. */
export function isStorable(name: string): boolean {
  return !name.includes('\0');
}

export async function count(session: Session): Promise<KeeperCounts> {
  const [row] = await session.query<{ documents: number; chunks: number; tokens: number; size: number }>(
    `SELECT count(*)::float8 AS documents, coalesce(sum(chunks), 0)::float8 AS chunks,
       coalesce(sum(tokens), 0)::float8 AS tokens,
       (SELECT coalesce(sum(pg_total_relation_size(t.oid)), 0) FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace
        WHERE n.nspname = 'kaizen_library' AND t.relkind = 'r')::float8 AS size
     FROM kaizen_library.documents`,
  );
  return row!;
}

/** A page of all, sorted by id. */
export async function documentsAfter(session: Session, after: string): Promise<string[]> {
  const rows = await session.query<{ metadata: string }>(
    `SELECT metadata FROM kaizen_library.documents WHERE document_id > $1
     ORDER BY document_id LIMIT ${POSTGRES_LIMITS.documentsAtOnce}`,
    [after],
  );
  return rows.map(({ metadata }) => metadata);
}

export async function findDocument(session: Session, documentId: string): Promise<DocumentMetadata | undefined> {
  const [row] = await session.query<{ metadata: string }>(
    'SELECT metadata FROM kaizen_library.documents WHERE document_id = $1',
    [documentId],
  );
  return row && readMetadata(row.metadata);
}

export async function findByHash(session: Session, contentHash: string): Promise<DocumentMetadata | undefined> {
  const [row] = await session.query<{ metadata: string }>(
    `SELECT metadata FROM kaizen_library.documents WHERE content_hash = $1 AND content IS NOT NULL
     ORDER BY created_at, document_id LIMIT 1`,
    [contentHash],
  );
  return row && readMetadata(row.metadata);
}

export async function findText(session: Session, documentId: string): Promise<string | undefined> {
  const [row] = await session.query<{ content: string | null }>(
    'SELECT content FROM kaizen_library.documents WHERE document_id = $1',
    [documentId],
  );
  return row?.content ?? undefined;
}

/** One statement, so that document and passages are of one revision. */
export async function findContent(
  session: Session,
  documentId: string,
  turns: Turns,
): Promise<DocumentContent | undefined> {
  type Row = { metadata: string | null; text: string | null; record: string | null; content: string | null };
  const rows = await session.query<Row>(
    `SELECT d.metadata, d.content AS text, NULL AS record, NULL AS content, -1 AS position
     FROM kaizen_library.documents d WHERE d.document_id = $1
     UNION ALL
     SELECT NULL, NULL, c.record, c.content, c.position FROM kaizen_library.chunks c WHERE c.document_id = $1
     ORDER BY position`,
    [documentId],
  );
  const [first, ...others] = rows;
  if (first?.metadata == null || first.text === null) return undefined;
  const document = readMetadata(first.metadata);
  const chunks: KnowledgeChunk[] = [];
  for (const { record, content } of others) {
    chunks.push(chunkOf(readRecord(record!), content!, document));
    await turns.pause();
  }
  return { text: first.text, chunks };
}

export async function findChunk(
  session: Session,
  documentId: string,
  chunkId: string,
): Promise<KnowledgeChunk | undefined> {
  if (!UUID.test(chunkId)) return undefined;
  const [row] = await session.query<{ metadata: string; record: string; content: string }>(
    `SELECT d.metadata, c.record, c.content FROM kaizen_library.chunks c
     JOIN kaizen_library.documents d USING (document_id) WHERE c.document_id = $1 AND c.id = $2`,
    [documentId, chunkId],
  );
  return row && chunkOf(readRecord(row.record), row.content, readMetadata(row.metadata));
}

/** Goes through all chunks, as no index has their ids alone: some ten milliseconds for 100,000. */
export async function findDocumentOf(session: Session, chunkId: string): Promise<string | undefined> {
  if (!UUID.test(chunkId)) return undefined;
  const [row] = await session.query<{ document_id: string }>(
    'SELECT document_id FROM kaizen_library.chunks WHERE id = $1 ORDER BY document_id LIMIT 1',
    [chunkId],
  );
  return row?.document_id;
}

/** Oldest first. */
export async function allRequests(session: Session): Promise<DocumentRequest[]> {
  const rows = await session.query<{ request: string }>(
    'SELECT request FROM kaizen_library.requests ORDER BY created_at, id',
  );
  return rows.map(({ request }) => read<DocumentRequest>(request));
}

export function readMetadata(json: string): DocumentMetadata {
  return read<DocumentMetadata>(json);
}

export function readRecord(json: string): ChunkRecord {
  return read<ChunkRecord>(json);
}

/** Whoever may write to the database may have written anything. */
function read<T>(json: string): T {
  try {
    return JSON.parse(json) as T;
  } catch {
    throw new KaizenError(
      'registry_failed',
      sentence('The library answered with something that Kaizen has not written.'),
      sentence('Ask who runs the library.'),
    );
  }
}
