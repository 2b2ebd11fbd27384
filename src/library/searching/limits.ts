/** What a search asks for at most. */
export const LIMITS = {
  /** Characters; a longer query says no more to a search. */
  query: 4_096,
  results: 100,
  /** Hits that are looked at where what was learned may bring a lower one among the best: so many for each result. */
  candidatesEach: 2,
  candidates: 100,
  /** Of a list of all; an agent's has the seed's limit in its schema. */
  sources: 100_000,
  /** Documents that a filter names. */
  documents: 1_000,
} as const;

/** Unless told (seed 003, 5.2.1 and 5.2.4). */
export const DEFAULTS = { results: 10, sources: 50 } as const;
