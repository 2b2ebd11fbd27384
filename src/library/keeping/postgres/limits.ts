/** What one library on a server takes of time and traffic. */
export const POSTGRES_LIMITS = {
  /** Milliseconds that putting or removing documents may take: one of 200,000 passages needs some minutes. */
  writing: 10 * 60_000,
  /** The same of reading a whole document, or of the list of all. */
  reading: 60_000,
  /** Passages that are stored with one statement. */
  passagesAtOnce: 100,
  /** Passages that are deleted with one statement. */
  deletedAtOnce: 5_000,
  /** Documents whose metadata is read with one statement. */
  documentsAtOnce: 500,
  /** UTF-16 code units of a passage's content that are searched. */
  searched: 100_000,
  /** Different words of one passage that are searched; PostgreSQL takes 1 MB of them. */
  words: 20_000,
  /** Occurrences of a word in a passage's content that count when passages are chosen to be ranked. */
  occurrences: 6,
  /** Milliseconds between two looks at what others have changed. */
  lookEvery: 2_000,
  /** The same while the server cannot be reached. */
  lookEveryWithout: 15_000,
  /** Milliseconds for which it is kept who changed what; who looks more seldom is told that all may be another. */
  changesKept: 60 * 60_000,
} as const;

/** What a search looks at. */
export const SEARCH_LIMITS = {
  /** UTF-16 code units of a query. */
  query: 4_096,
  /** Words of a query that are weighed. */
  words: 64,
  /** The rarest of them, by which passages are chosen to be ranked. */
  choosing: 10,
  /** The rarest of these, of which any two together choose passages. */
  pairing: 5,
  /** Passages that one word, two words or all words choose. */
  ofWord: 300,
  ofPair: 100,
  ofAll: 300,
  /** Passages of one word in title, headings or keywords. */
  ofHead: 100,
  /** Of all that were chosen, so many are weighed on the server. */
  weighed: 250,
  /** Of these, so many are ranked as everywhere; twice as many as are asked for where that is more. */
  ranked: 40,
  /** Passages up to which it is counted in how many a word occurs; beyond, it is estimated from about so many. */
  counted: 2_000,
  sampled: 1_000,
  /** Words whose number of passages is kept, and for how many milliseconds. */
  frequenciesKept: 5_000,
  frequencyAge: 60_000,
} as const;

/** Search by meaning. */
export const MEANING_LIMITS = {
  /** Texts that are embedded at once. */
  textsAtOnce: 32,
  /** Passages that are asked for at least. */
  nearest: 64,
  /** Vectors by which it is told how near a question lies to what has nothing to do with it. */
  background: 500,
  /** Dimensions up to which pgvector has an index; more are compared one by one. */
  indexed: 2_000,
  /** What pgvector takes at most. */
  dimensions: 16_000,
  /** Milliseconds after a failure, the last for all further ones. */
  pauses: [5_000, 30_000, 120_000, 600_000],
  /** Milliseconds between two looks for passages of others that have no vector yet. */
  lookEvery: 5_000,
  /** For so many milliseconds after a failed question the next ones are answered by words. */
  spared: 30_000,
} as const;
