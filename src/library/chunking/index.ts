import type { ChunkDraft, NormalisedDocument } from '../model';

/** Cuts a document where its sections and sentences end: 200 to 500 tokens each, tables and code whole where they fit. */
export function chunksOf(document: NormalisedDocument): ChunkDraft[] {
  throw new Error(document.format);
}
