/** What is asked for has at most. */
export const LIMITS = {
  /** Characters. */
  topic: 2_000,
  rationale: 4_000,
  example: 300,
  context: 300,
  domain: 300,
  workaround: 2_000,
  query: 400,
  address: 4_096,
  /** How many. */
  examples: 20,
  urls: 50,
  queries: 10,
  domains: 100,
  /** Seed 003, 5.3.3. */
  pages: 50,
  /** Requests that are open at once: what nobody looks at any more is no request. */
  openRequests: 500,
  /** Addresses that are remembered while a site is looked through. */
  candidates: 5_000,
  /** Pages that are told of, with those that were not even asked for. */
  toldPages: 200,
  /** Of a page's title, in code units. */
  told: 300,
} as const;

/** Unless told (seed 003, 5.3.3 and 9.1). */
export const DEFAULT_PAGES = 10;
export const DEFAULT_RELEVANCE = 0.6;
