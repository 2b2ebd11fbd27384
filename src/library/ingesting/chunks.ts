import type { Turns } from '../../core/turns';
import type { ChunkDraft, DocumentMetadata, KnowledgeChunk } from '../model';
import { chunkId } from './identity';

export interface Chunked {
  chunks: KnowledgeChunk[];
  /** Of those before, by id. */
  kept: number;
  added: number;
  removed: number;
}

/**
 * A document's chunks, made of what its text alone tells and of what is known of the document. What says the same as before
 * keeps its id and its times, unless its place or the document's particulars have changed: then it was updated now.
 */
export async function chunksOfDocument(
  document: DocumentMetadata,
  drafts: readonly ChunkDraft[],
  before: readonly KnowledgeChunk[],
  now: string,
  turns: Turns,
): Promise<Chunked> {
  const known = new Map<string, KnowledgeChunk>();
  for (const chunk of before) {
    known.set(chunk.id, chunk);
    await turns.pause();
  }
  const numbers = new Map<string, number>();
  const ids: string[] = [];
  const chunks: KnowledgeChunk[] = [];
  let kept = 0;
  for (const draft of drafts) {
    const number = numbers.get(draft.content_hash) ?? 0;
    numbers.set(draft.content_hash, number + 1);
    const id = chunkId(document.document_id, draft.content_hash, number);
    ids.push(id);
    const parent = draft.parent === undefined ? undefined : ids[draft.parent];
    const there = known.get(id);
    if (there) kept++;
    const chunk = chunkOf(document, draft, { id, parent, created_at: there?.created_at ?? now, updated_at: now });
    chunks.push(there && isSame(there, chunk) ? there : chunk);
    await turns.pause();
  }
  return { chunks, kept, added: chunks.length - kept, removed: before.length - kept };
}

/** What each chunk says of its document. */
function particularsOf(document: DocumentMetadata) {
  return {
    document_title: document.title,
    document_type: document.document_type,
    source_type: document.source_type,
    authority_score: document.authority_score,
    source_url: document.source_url,
    source_domain: document.source_domain,
    crawled_at: document.crawled_at,
    relevance_score: document.relevance?.score,
  };
}

function chunkOf(
  document: DocumentMetadata,
  { parent: _, ...draft }: ChunkDraft,
  own: { id: string; parent: string | undefined; created_at: string; updated_at: string },
): KnowledgeChunk {
  const { id, parent, created_at, updated_at } = own;
  return withoutUndefined({
    id,
    document_id: document.document_id,
    ...particularsOf(document),
    ...draft,
    parent_chunk_id: parent,
    created_at,
    updated_at,
  });
}

/** So that a chunk compares equal to what a keeper gives back of it. */
function withoutUndefined(chunk: KnowledgeChunk): KnowledgeChunk {
  // What is left out is optional in the type: undefined and absent say the same there.
  return Object.fromEntries(
    Object.entries(chunk).filter(([, value]) => value !== undefined),
  ) as unknown as KnowledgeChunk;
}

/** But for when it was updated. */
function isSame(a: KnowledgeChunk, b: KnowledgeChunk): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof KnowledgeChunk>;
  for (const key of keys) {
    if (key === 'updated_at') continue;
    const [one, other] = [a[key], b[key]];
    if (Array.isArray(one) && Array.isArray(other)) {
      if (one.length !== other.length || one.some((each, at) => each !== other[at])) return false;
    } else if ((one ?? undefined) !== (other ?? undefined)) return false;
  }
  return true;
}
