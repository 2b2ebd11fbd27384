const SECOND = 1_000;
const MEGABYTE = 1024 * 1024;

/** What is asked of the web, and what of its answers is read; what is more is refused. */
export const FETCHING_LIMITS = {
  /** Characters of an address. */
  address: 4_096,
  redirects: 5,
  /** Bytes, unpacked. */
  page: 10 * MEGABYTE,
  document: 100 * MEGABYTE,
  /** As much as RFC 9309, 2.5, wants to be read at least; the rest is left. */
  robots: 500 * 1024,
  searchAnswer: 2 * MEGABYTE,
  headers: 32 * 1024,
  /** Milliseconds for the name and the connection, for the headers, between two pieces of the body, and for all of it. */
  connectTime: 10 * SECOND,
  headersTime: 20 * SECOND,
  idleTime: 15 * SECOND,
  pageTime: 60 * SECOND,
  documentTime: 300 * SECOND,
  /** Longer pauses than this are not kept, however long a site would like them to be. */
  crawlDelay: 10 * SECOND,
  /** Before what may pass is tried once more; `Retry-After` counts as long as it is no longer than the second. */
  retryPause: SECOND,
  longestRetryPause: 10 * SECOND,
  /** Of a page. */
  links: 1_000,
  /** Tags and bytes of a page that they are looked for in. */
  linkTags: 20_000,
  linksWithin: 2 * MEGABYTE,
  /** Milliseconds that robots rules hold (RFC 9309, 2.4), and that they are not asked for again when nobody answered. */
  robotsAge: 24 * 3600 * SECOND,
  robotsPatience: 5 * 60 * SECOND,
  /** Sites whose rules and hosts whose pace are remembered. */
  sites: 500,
  /** Answers to one search. */
  searched: 50,
} as const;

export type FetchingLimits = { readonly [Name in keyof typeof FETCHING_LIMITS]: number };
