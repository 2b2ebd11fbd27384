import { resolve } from 'node:path';
import type { KaizenOptions } from '../kaizen';
import type { LibraryPlace, WebSettings } from '../library';
import { type Arguments, type Options, UsageError } from './command';
import { chosen } from './discovery-arguments';

/**
 * The options that say which library is meant, and how it asks the web. The key of a search endpoint is never a flag:
 * others can read those.
 */
export const LIBRARY_OPTIONS: Options = {
  library: {
    type: 'string',
    value: 'DIR|URL',
    help: 'the library: a folder, or postgres://…; beside the shared store unless told (KAIZEN_LIBRARY, better for a URL)',
  },
  offline: { type: 'boolean', help: 'never ask the web' },
  'web-rate': {
    type: 'string',
    value: 'N',
    help: 'requests a second and host; 2 unless told (CRAWL4AI_RATE_LIMIT_RPS)',
  },
  'web-domain': {
    type: 'string',
    multiple: true,
    value: 'HOST',
    help: 'only this host and its subdomains; may be repeated (KAIZEN_WEB_DOMAINS)',
  },
  'web-private': { type: 'boolean', help: 'also addresses of this machine and of private networks' },
  'web-search': {
    type: 'string',
    value: 'URL',
    help: 'where searches go (KAIZEN_WEB_SEARCH, its key in KAIZEN_WEB_SEARCH_KEY)',
  },
  'web-search-kind': {
    type: 'string',
    value: 'KIND',
    help: 'searxng or brave; told by the address unless said (KAIZEN_WEB_SEARCH_KIND)',
  },
};

const SEARCH_KINDS = ['searxng', 'brave'] as const;
const BRAVE = 'https://api.search.brave.com';
type SearchKind = (typeof SEARCH_KINDS)[number];

/** Flags win over the environment. A variable that is empty counts as unset; nothing is opened or connected to. */
export function libraryOptionsOf(
  args: Arguments,
  environment: NodeJS.ProcessEnv = process.env,
): Pick<KaizenOptions, 'library' | 'web'> {
  if (!args.knows('library')) return {};
  const place = named(args, 'library', environment.KAIZEN_LIBRARY);
  return {
    library: place === undefined ? undefined : placeOf(place, environment),
    ...(args.knows('offline') ? { web: webOf(args, environment) } : {}),
  };
}

function placeOf(place: string, { KAIZEN_LIBRARY_UNVERIFIED_TLS: word = '' }: NodeJS.ProcessEnv): LibraryPlace {
  if (!/^postgres(ql)?:/i.test(place)) return { directory: resolve(place) };
  // The person's word that the server's certificate need not be looked at.
  return { url: place, allowUnverifiedTls: word === '1' || word.toLowerCase() === 'true' };
}

function webOf(args: Arguments, environment: NodeJS.ProcessEnv): Partial<WebSettings> {
  const { CRAWL4AI_RATE_LIMIT_RPS, WEB_ACQUISITION_MAX_PAGES, WEB_ACQUISITION_RELEVANCE_THRESHOLD } = environment;
  const rate = named(args, 'web-rate', CRAWL4AI_RATE_LIMIT_RPS);
  const domains = args.strings('web-domain');
  const settings: Partial<WebSettings> = {
    enabled: args.flag('offline') ? false : undefined,
    rateLimit: rate === undefined ? undefined : numberOf(rate, '--web-rate (CRAWL4AI_RATE_LIMIT_RPS)', 0.01, 100),
    allowedDomains: domains.length > 0 ? domains : domainsOf(environment.KAIZEN_WEB_DOMAINS),
    allowPrivateAddresses: args.flag('web-private') ? true : undefined,
    proxy: 'environment',
    maxPages: variable(WEB_ACQUISITION_MAX_PAGES, 'WEB_ACQUISITION_MAX_PAGES', 1, 50),
    relevanceThreshold: variable(WEB_ACQUISITION_RELEVANCE_THRESHOLD, 'WEB_ACQUISITION_RELEVANCE_THRESHOLD', 0, 1),
    search: searchOf(args, environment),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function searchOf(args: Arguments, environment: NodeJS.ProcessEnv): WebSettings['search'] {
  const { KAIZEN_WEB_SEARCH, KAIZEN_WEB_SEARCH_KIND, KAIZEN_WEB_SEARCH_KEY } = environment;
  const url = named(args, 'web-search', KAIZEN_WEB_SEARCH);
  const kind = chosen(args, 'web-search-kind', SEARCH_KINDS) ?? kindNamed(KAIZEN_WEB_SEARCH_KIND || undefined);
  const key = KAIZEN_WEB_SEARCH_KEY || undefined;
  if (url !== undefined) return { kind: kind ?? kindOf(url), url, key };
  if (kind === 'brave') return { kind, url: BRAVE, key };
  if (args.string('web-search-kind') === undefined) return undefined;
  throw new UsageError('--web-search-kind needs --web-search, the address of the endpoint.');
}

function kindNamed(word: string | undefined): SearchKind | undefined {
  const kind = SEARCH_KINDS.find((each) => each === word);
  if (word === undefined || kind !== undefined) return kind;
  throw new UsageError(`KAIZEN_WEB_SEARCH_KIND takes ${SEARCH_KINDS.join(' or ')}, not "${word}".`);
}

function kindOf(url: string): SearchKind {
  return /^https?:\/\/([\w-]+\.)*brave\.com([:/?#]|$)/i.test(url) ? 'brave' : 'searxng';
}

function domainsOf(variable: string | undefined): string[] | undefined {
  const domains = (variable ?? '').split(/[\s,]+/).filter(Boolean);
  return domains.length > 0 ? domains : undefined;
}

function named(args: Arguments, option: string, variable: string | undefined): string | undefined {
  const flag = args.string(option);
  if (flag === '') throw new UsageError(`--${option} needs a value that is not empty.`);
  return flag ?? (variable || undefined);
}

function variable(text: string | undefined, name: string, min: number, max: number): number | undefined {
  return text ? numberOf(text, name, min, max) : undefined;
}

function numberOf(text: string, name: string, min: number, max: number): number {
  const number = Number(text);
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text) || number < min || number > max) {
    throw new UsageError(`${name} needs a number from ${min} to ${max}, not "${text}".`);
  }
  return number;
}
