/** What is brought in has at most; what one format may have besides, its reader says. */
export const LIMITS = {
  /** Bytes of one source. */
  source: 100 * 1024 * 1024,
  /** Characters of a path or an address. */
  address: 4_096,
  /** Characters of text that is given directly; larger texts come as files, which are read piece by piece. */
  content: 2 * 1024 * 1024,
  /** Characters. */
  title: 300,
  document_type: 60,
  standard_id: 120,
  version: 120,
  relevanceContext: 4_096,
  /** Documents that say what they said, noted with one write. */
  seenTogether: 100,
  /** Characters of an error that is kept with its source. */
  error: 1_000,
} as const;

/** Unless told (seed 003, 5.2.3). */
export const RELEVANCE_THRESHOLD = 0.5;
