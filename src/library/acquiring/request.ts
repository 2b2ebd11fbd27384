import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { checkTrimmed } from '../../core/text';
import type { AcquireRequest } from '../model';
import { DEFAULT_PAGES, DEFAULT_RELEVANCE, LIMITS } from './limits';

/** A request as it may be carried out. */
export interface Acquisition {
  topic: string;
  urls: readonly string[];
  queries: readonly string[];
  maxPages: number;
  threshold: number;
  /** Hosts and their subdomains; all of them when there are none. */
  domains: readonly string[];
  preferAuthoritative: boolean;
}

/** Throws `invalid_argument`. Addresses are looked at when it is their turn: one that is wrong does not stop the others. */
export function checkedRequest(request: AcquireRequest): Acquisition {
  const { max_pages: maxPages = DEFAULT_PAGES, relevance_threshold: threshold = DEFAULT_RELEVANCE } = request;
  if (!Number.isInteger(maxPages) || maxPages < 1 || maxPages > LIMITS.pages) {
    throw new KaizenError('invalid_argument', `The max_pages are not a whole number from 1 to ${LIMITS.pages}.`);
  }
  if (!(threshold >= 0 && threshold <= 1)) {
    throw new KaizenError('invalid_argument', 'The relevance_threshold is not between 0 and 1.');
  }
  const domains = list(request.domain_allowlist, 'domain_allowlist', LIMITS.domains, LIMITS.domain).map(hostOf);
  return {
    topic: checkTrimmed(request.topic, { name: sentence('topic'), min: 1, max: LIMITS.topic }),
    urls: list(request.urls, 'urls', LIMITS.urls, LIMITS.address),
    queries: list(request.search_queries, 'search_queries', LIMITS.queries, LIMITS.query),
    maxPages,
    threshold,
    domains,
    preferAuthoritative: request.prefer_authoritative ?? true,
  };
}

function list(given: readonly string[] | undefined, name: string, most: number, longest: number): string[] {
  if ((given?.length ?? 0) > most) {
    throw new KaizenError('invalid_argument', `There are more than ${most} ${name}.`, 'Ask again for the others.');
  }
  const texts = (given ?? []).map((text) => checkTrimmed(text, { name, max: longest, singleLine: true }));
  return [...new Set(texts)].filter((text) => text !== '');
}

/** A host as a person writes it: `*.example.org`, `https://example.org/docs`. */
function hostOf(given: string): string {
  const named = given.replace(/^[a-z]+:\/\//i, '').replace(/^\*?\./, '');
  try {
    const { hostname } = new URL(`http://${named}`);
    if (hostname !== '') return hostname;
  } catch {
    // It is said below.
  }
  throw new KaizenError('invalid_argument', `"${given.slice(0, 80)}" in domain_allowlist is no host.`);
}
