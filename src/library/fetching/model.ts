import type { WebSettings } from '../model';

/** What a page's server is told that is there already (RFC 9110, 13.1). */
export interface KnownVersion {
  etag?: string | undefined;
  last_modified?: string | undefined;
}

export interface FetchedPage {
  /** Where it was in the end, after redirects. */
  url: string;
  /** `gone`: 404 or 410. */
  status: 'fetched' | 'not_modified' | 'gone';
  /** Empty unless it was fetched. */
  bytes: Uint8Array;
  mediaType?: string | undefined;
  etag?: string | undefined;
  last_modified?: string | undefined;
  /** ISO 8601. */
  fetched_at: string;
}

export interface FetchLimits {
  signal?: AbortSignal | undefined;
  known?: KnownVersion | undefined;
  /** On top of the settings': hosts and their subdomains. */
  allowedDomains?: readonly string[] | undefined;
}

export interface SearchedPage {
  url: string;
  title: string;
  snippet: string;
}

/**
 * The web, asked politely and with suspicion: robots.txt, a rate limit per host, redirects one by one, every address looked
 * at after its name was resolved, media types, sizes and times limited.
 */
export interface Web {
  readonly settings: WebSettings;
  /** Throws `fetch_refused` (by us or by robots.txt, with the reason) or `fetch_failed` (by the server or the network). */
  fetch(url: string, limits?: FetchLimits): Promise<FetchedPage>;
  /**
   * Addresses of pages on the same site that a page links to, without fragments, in order, each once. In short turns, so
   * that the page's bytes must stay until it has come back.
   */
  links(page: FetchedPage, signal?: AbortSignal): Promise<readonly string[]>;
  /** Throws `fetch_refused` where no endpoint is set up. Best first. */
  search(query: string, limit: number, signal?: AbortSignal): Promise<SearchedPage[]>;
  use(settings: Partial<WebSettings>): void;
  close(): Promise<void>;
}
