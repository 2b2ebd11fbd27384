import type { LibraryKeeper } from '../keeping/model';
import type { DocumentMetadata, Extracted, IngestResult, Relevance } from '../model';

/** The same content is there under another name: what failed before under this one is forgotten. */
export async function duplicate(
  keeper: LibraryKeeper,
  twin: DocumentMetadata,
  failed: DocumentMetadata | undefined,
): Promise<IngestResult> {
  if (failed) await keeper.remove([failed.document_id]);
  return {
    status: 'duplicate',
    document: twin,
    chunks: { total: twin.chunk_count, added: 0, kept: twin.chunk_count, removed: 0 },
    requests_closed: [],
    message: `The library has the same content already: "${twin.title}" (${twin.source_path}).`,
  };
}

/** Nothing of it is stored. */
export function skipped(relevance: Relevance, { chunks }: Extracted): IngestResult {
  return {
    status: 'skipped',
    chunks: { total: chunks.length, added: 0, kept: 0, removed: 0 },
    relevance,
    requests_closed: [],
    message: `It has too little to do with the topic (${relevance.score.toFixed(2)}): ${relevance.explanation}`,
  };
}
