/** What a library takes, wherever it is kept. */
export const KEEPING_LIMITS = {
  /** UTF-16 code units of a document's stored text: what reading a source gives at most. */
  text: 20_000_000,
  /** Of one document. */
  chunks: 200_000,
  /** UTF-16 code units of what is known of a document, as JSON. */
  metadata: 500_000,
  /** The same of a chunk, without its content. */
  chunkMetadata: 100_000,
  /** The same of a document request. */
  request: 100_000,
  /** Characters of a document's id, which is a file's name as well. */
  documentId: 120,
  /** Hits that a search gives. */
  hits: 1_000,
} as const;
