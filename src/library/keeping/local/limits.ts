/** What one library in a directory takes of memory and time. */
export const LOCAL_LIMITS = {
  /** Parts that the index is kept in: what one change has written anew on the disk is one of them. */
  shards: 16,
  /** Content files that are kept open for reading chunks. */
  openFiles: 200,
  /** Bytes of their tables, which say where chunks stand in them. */
  tables: 8 * 1024 * 1024,
  /** Documents whose rows are kept in memory. */
  documents: 256,
  /** Filters of searches whose documents are kept in memory. */
  filters: 8,
  /** Rows of documents that are read in one go. */
  rowsAtOnce: 200,
  /** Passages that are made, or forgotten, in one go. */
  passagesAtOnce: 50,
  /** What changed is put on the disk this long after the first change, in milliseconds. */
  saveAfter: 30_000,
  /** A document that could not be indexed is tried again after so long, in milliseconds. */
  retryAfter: 60_000,
  /** Progress is told so often while there is much to do, in milliseconds. */
  progressEvery: 250,
  /** A search waits so long, in milliseconds, for what is still to be indexed. */
  patience: 2_000,
  /** A content file that no document names is deleted at this age, in milliseconds: a younger one may be about to be named. */
  orphanAge: 60 * 60 * 1000,
  /** Content files that are deleted at once. */
  deletions: 8,
  /** How often a document is looked up anew whose content another process replaced just then. */
  attempts: 4,
} as const;
