import { createHash } from 'node:crypto';
import type { DocumentMetadata, DocumentRequest, KnowledgeChunk } from '../../src/library';
import type { DocumentContent } from '../../src/library/keeping/model';

export interface MadeDocument {
  document: DocumentMetadata;
  content: DocumentContent;
}

export interface MadeSection extends Partial<KnowledgeChunk> {
  content: string;
}

const CREATED = '2026-01-01T00:00:00.000Z';

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A UUID that the name alone decides. */
export function uuidOf(name: string): string {
  const hex = sha256(name);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A document of these sections: what is not said of them is made up, the same each time. */
export function madeDocument(
  documentId: string,
  sections: readonly (string | MadeSection)[],
  particulars: Partial<DocumentMetadata> = {},
): MadeDocument {
  const chunks: KnowledgeChunk[] = [];
  const seen = new Map<string, number>();
  let text = '';
  const document: DocumentMetadata = {
    document_id: documentId,
    title: `Title of ${documentId}`,
    document_type: 'guide',
    source_path: `/sources/${documentId}.md`,
    format: 'markdown',
    source_type: 'document',
    authority_level: 'informative',
    authority_score: 0.5,
    size: 0,
    chunk_count: sections.length,
    token_count: 0,
    processing_status: 'complete',
    remarks: [],
    overrides: {},
    added_by: 'tester',
    created_at: CREATED,
    updated_at: CREATED,
    ...particulars,
  };
  for (const each of sections) {
    const { content, ...said } = typeof each === 'string' ? { content: each } : each;
    const number = seen.get(content) ?? 0;
    seen.set(content, number + 1);
    text += text === '' ? '' : '\n\n';
    const char_start = text.length;
    text += content;
    chunks.push({
      id: uuidOf(`${documentId} ${content} ${number}`),
      document_id: documentId,
      document_title: document.title,
      document_type: document.document_type,
      content,
      content_hash: sha256(content),
      token_count: Math.ceil(content.length / 4),
      section_hierarchy: [],
      section_title: '',
      chunk_type: 'content',
      page_numbers: [],
      char_start,
      char_end: text.length,
      source_type: document.source_type,
      ...(document.source_url === undefined ? {} : { source_url: document.source_url }),
      ...(document.source_domain === undefined ? {} : { source_domain: document.source_domain }),
      ...(document.crawled_at === undefined ? {} : { crawled_at: document.crawled_at }),
      authority_score: document.authority_score,
      references: [],
      created_at: CREATED,
      updated_at: CREATED,
      ...said,
    });
  }
  document.content_hash = particulars.content_hash ?? sha256(text);
  document.size = Buffer.byteLength(text);
  document.token_count = chunks.reduce((sum, { token_count }) => sum + token_count, 0);
  return { document, content: { text, chunks } };
}

export function madeRequest(id: string, particulars: Partial<DocumentRequest> = {}): DocumentRequest {
  return {
    id,
    topic: `What ${id} is about`,
    rationale: 'It is needed.',
    document_type: 'standard',
    example_documents: [],
    urgency: 'important',
    can_proceed_without: true,
    status: 'open',
    requested_by: 'agent',
    created_at: CREATED,
    updated_at: CREATED,
    ...particulars,
  };
}
