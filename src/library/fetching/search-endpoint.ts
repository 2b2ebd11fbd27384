import { KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import type { WebSettings } from '../model';
import type { Answer } from './exchange';
import { failed, refused } from './faults';
import type { SearchedPage } from './model';

type Endpoint = NonNullable<WebSettings['search']>;

export interface SearchQuestion {
  url: URL;
  headers: Readonly<Record<string, string>>;
}

/** Brave answers with at most so many (Web Search API, `count`). */
const BRAVE_MOST = 20;
const BRAVE = 'https://api.search.brave.com';
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
/** Characters that are kept of an answer. */
const LONGEST = { url: 4_096, title: 300, snippet: 500 };

/**
 * How an endpoint is asked: SearXNG by `/search?q=…&format=json`, Brave by `/res/v1/web/search?q=…` with its key in
 * `X-Subscription-Token`. Throws `invalid_argument` where the address or the key does not do; the key is in no error.
 */
export function searchQuestion({ kind, url: base, key }: Endpoint, query: string, limit: number): SearchQuestion {
  const given = base.trim() === '' && kind === 'brave' ? BRAVE : base.trim();
  if (!URL.canParse(given) || !/^https?:$/.test(new URL(given).protocol)) {
    throw unusable(
      sentence('The address of the search endpoint is none on the web.'),
      sentence('It begins with https:// or http://.'),
    );
  }
  const url = new URL(given);
  if (url.username !== '' || url.password !== '') {
    throw unusable(
      sentence('The address of the search endpoint holds a name or a password.'),
      sentence('Give the key on its own.'),
    );
  }
  if (key && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw unusable(
      sentence('The key for searching would be readable on its way.'),
      sentence('Use https: for the search endpoint.'),
    );
  }
  if (key && /[^\x21-\x7E]/.test(key))
    throw unusable(sentence('The key for searching holds characters that no key has.'));
  url.hash = '';
  const path = url.pathname.replace(/\/+$/, '');
  const own = kind === 'brave' ? '/res/v1/web/search' : '/search';
  url.pathname = path.endsWith('/search') ? path : `${path}${own}`;
  url.searchParams.set('q', query);
  const headers: Record<string, string> = { accept: 'application/json' };
  if (kind === 'brave') {
    url.searchParams.set('count', String(Math.min(limit, BRAVE_MOST)));
    if (!key)
      throw unusable(
        sentence('Brave is asked with a key, and none is set.'),
        sentence('Set the key of the search endpoint.'),
      );
    headers['x-subscription-token'] = key;
  } else {
    url.searchParams.set('format', 'json');
    if (key) headers.authorization = `Bearer ${key}`;
  }
  return { url, headers };
}

/** Pages of an answer, best first, each once. Throws `fetch_refused` and `fetch_failed`; nothing that the server says is repeated. */
export function searchedPages({ kind }: Endpoint, { status, bytes }: Answer, limit: number): SearchedPage[] {
  if (status === 401 || status === 403 || (kind === 'brave' && status === 422)) {
    const hint =
      kind === 'brave'
        ? sentence('Look at the key.')
        : sentence('Look at the key, and whether the instance allows format=json (search.formats).');
    throw failed(sentence('The search endpoint refuses to answer (status {0}).', status), hint);
  }
  if (status === 429)
    throw failed(sentence('The search endpoint was asked too often (status 429).'), sentence('Try again later.'));
  if (status !== 200)
    throw failed(sentence('The search endpoint cannot answer (status {0}).', status), sentence('Look at its address.'));
  const rows = rowsOf(bytes, kind);
  if (!rows)
    throw failed(
      sentence('The search endpoint answers with something else than results.'),
      sentence('Look at its kind and address.'),
    );
  const pages = new Map<string, SearchedPage>();
  for (const row of rows) {
    const { url, title, content, description } = (row ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof url !== 'string' || url.length > LONGEST.url || !/^https?:\/\//i.test(url) || !URL.canParse(url))
      continue;
    const address = new URL(url);
    address.hash = '';
    if (pages.has(address.href)) continue;
    const snippet = plain(content ?? description, LONGEST.snippet);
    pages.set(address.href, { url: address.href, title: plain(title, LONGEST.title), snippet });
    if (pages.size >= limit) break;
  }
  return [...pages.values()];
}

export function notSetUp(): KaizenError {
  return refused(
    sentence('No search endpoint is set up.'),
    sentence('A person can set one up (SearXNG or Brave), or give the pages by their addresses.'),
  );
}

function rowsOf(bytes: Uint8Array, kind: Endpoint['kind']): unknown[] | undefined {
  try {
    const answer = JSON.parse(new TextDecoder().decode(bytes)) as {
      results?: unknown;
      web?: { results?: unknown };
    } | null;
    const rows = kind === 'brave' ? (answer?.web ? answer.web.results : []) : answer?.results;
    return Array.isArray(rows) ? rows : undefined;
  } catch {
    return undefined;
  }
}

/** Words alone: engines mark what matched. */
function plain(value: unknown, most: number): string {
  if (typeof value !== 'string') return '';
  const text = value.slice(0, 4 * most).replace(/<[^<>]{0,100}>/g, '');
  const line = text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, most);
  return line.replace(LONE_SURROGATE, '');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

function unusable(message: Sentence, hint?: Sentence): KaizenError {
  return new KaizenError('invalid_argument', message, hint);
}
