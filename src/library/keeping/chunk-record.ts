import type { DocumentMetadata, KnowledgeChunk } from '../model';

type OfDocument =
  | 'document_id'
  | 'document_title'
  | 'document_type'
  | 'source_type'
  | 'source_url'
  | 'source_domain'
  | 'crawled_at'
  | 'authority_score';

/** What a chunk says by itself. What it says of its document is the document's, so that it never is another one's. */
export type ChunkRecord = Omit<KnowledgeChunk, OfDocument | 'content'>;

export function recordOf(chunk: KnowledgeChunk): ChunkRecord {
  const record: ChunkRecord = {
    id: chunk.id,
    content_hash: chunk.content_hash,
    token_count: chunk.token_count,
    section_hierarchy: chunk.section_hierarchy,
    section_title: chunk.section_title,
    chunk_type: chunk.chunk_type,
    page_numbers: chunk.page_numbers,
    char_start: chunk.char_start,
    char_end: chunk.char_end,
    references: chunk.references,
    created_at: chunk.created_at,
    updated_at: chunk.updated_at,
  };
  takeOptional(record, chunk);
  return record;
}

/** Made of its parts one by one: searches make many. */
export function chunkOf(record: ChunkRecord, content: string, document: DocumentMetadata): KnowledgeChunk {
  const chunk: KnowledgeChunk = {
    id: record.id,
    document_id: document.document_id,
    document_title: document.title,
    document_type: document.document_type,
    content,
    content_hash: record.content_hash,
    token_count: record.token_count,
    section_hierarchy: record.section_hierarchy,
    section_title: record.section_title,
    chunk_type: record.chunk_type,
    page_numbers: record.page_numbers,
    char_start: record.char_start,
    char_end: record.char_end,
    source_type: document.source_type,
    authority_score: document.authority_score,
    references: record.references,
    created_at: record.created_at,
    updated_at: record.updated_at,
  };
  takeOptional(chunk, record);
  if (document.source_url !== undefined) chunk.source_url = document.source_url;
  if (document.source_domain !== undefined) chunk.source_domain = document.source_domain;
  if (document.crawled_at !== undefined) chunk.crawled_at = document.crawled_at;
  return chunk;
}

type Optional = Pick<KnowledgeChunk, 'parent_chunk_id' | 'normative' | 'clause_number' | 'relevance_score'>;

/** What is not known is not there, rather than undefined. */
function takeOptional(to: Optional, from: Optional): void {
  if (from.parent_chunk_id !== undefined) to.parent_chunk_id = from.parent_chunk_id;
  if (from.normative !== undefined) to.normative = from.normative;
  if (from.clause_number !== undefined) to.clause_number = from.clause_number;
  if (from.relevance_score !== undefined) to.relevance_score = from.relevance_score;
}
