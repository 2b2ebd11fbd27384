import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { version } from '../../../package.json';
import { type Clock, isoTime } from '../../core/clock';
import { sentence } from '../../core/sentence';
import { checkTrimmed } from '../../core/text';
import type { WebSettings } from '../model';
import { type AddressRules, checkedAddress, checkNetwork, checkProxied } from './address-rules';
import { untilEither } from './deadline';
import { type Answer, type BodyPlan, exchange, type Head, type Lookup } from './exchange';
import { failed, Passing, refused, shown } from './faults';
import { FETCHING_LIMITS, type FetchingLimits } from './limits';
import { linksOf } from './links';
import { ACCEPTED, planFor } from './media-types';
import type { FetchedPage, FetchLimits, KnownVersion, SearchedPage, Web } from './model';
import { Paces } from './pace';
import { proxyOf } from './proxies';
import { notSetUp, searchedPages, searchQuestion } from './search-endpoint';
import { SiteRules } from './site-rules';

export interface WebOptions {
  clock: Clock;
  lookup: Lookup;
  networkOf: AddressRules['networkOf'];
  environment: NodeJS.ProcessEnv;
  limits: FetchingLimits;
}

/** By this name sites may forbid something to us alone. */
const AGENT = 'Kaizen';
const USER_AGENT = `${AGENT}/${version}`;
const DEFAULTS: WebSettings = { enabled: true, rateLimit: 2, allowedDomains: [], allowPrivateAddresses: false };
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const PASSING = new Set([429, 502, 503, 504]);
const LONGEST_QUERY = 400;
const LONGEST_VALIDATOR = 500;

/** See `Web`. */
export class PoliteWeb implements Web {
  private current: WebSettings;
  private readonly closing = new AbortController();
  private readonly paces: Paces;
  private readonly sites: SiteRules;

  constructor(
    settings: Partial<WebSettings>,
    private readonly options: WebOptions,
  ) {
    this.current = withDefaults(settings);
    this.paces = new Paces(options.limits.sites);
    this.sites = new SiteRules({
      agent: AGENT,
      clock: options.clock,
      limits: options.limits,
      fetch: (url, signal) => this.fetchRobots(url, signal),
      closing: this.closing.signal,
    });
  }

  get settings(): WebSettings {
    return this.current;
  }

  async fetch(url: string, limits: FetchLimits = {}): Promise<FetchedPage> {
    this.checkEnabled();
    return untilEither(limits.signal, this.closing.signal, (ending) => this.fetched(url, limits, ending));
  }

  async links(page: FetchedPage, signal?: AbortSignal): Promise<readonly string[]> {
    return page.status === 'fetched' ? linksOf(page, signal) : [];
  }

  async search(query: string, limit: number, signal?: AbortSignal): Promise<SearchedPage[]> {
    this.checkEnabled();
    const { search } = this.current;
    if (!search) throw notSetUp();
    const { limits } = this.options;
    const text = checkTrimmed(query, { name: sentence('query'), min: 1, max: LONGEST_QUERY, singleLine: true });
    const most = Math.max(1, Math.min(limit, limits.searched));
    const { url, headers } = searchQuestion(search, text, most);
    // Whoever set it up said where it is: it may be on this machine, and no robots.txt is asked.
    const rules = { allowPrivateAddresses: true, networkOf: this.options.networkOf };
    const plan: BodyPlan = { most: limits.searchAnswer, time: limits.pageTime };
    const answer = await untilEither(signal, this.closing.signal, (ending) =>
      this.ask(url, rules, headers, ending, ({ status }) => (status === 200 ? plan : undefined)),
    );
    return searchedPages(search, answer, most);
  }

  use(settings: Partial<WebSettings>): void {
    this.current = withDefaults({ ...this.current, ...settings });
  }

  async close(): Promise<void> {
    this.closing.abort(refused(sentence('The library was closed.'), sentence('Ask again.')));
  }

  /** Each address on the way is looked at as the first one is. */
  private async fetched(
    url: string,
    { known, allowedDomains = [] }: FetchLimits,
    ending: AbortSignal,
  ): Promise<FetchedPage> {
    const { limits, networkOf } = this.options;
    const rules = { ...this.current, domains: allowedDomains, networkOf };
    const visited = new Set<string>();
    for (let target = checkedAddress(url, rules); ; ) {
      ending.throwIfAborted();
      if (visited.has(target.href))
        throw failed(
          sentence('{0} leads back to itself.', shown(target)),
          sentence('Give the address that it should lead to.'),
        );
      visited.add(target.href);
      await this.sites.check(target, ending);
      const answer = await this.ask(target, rules, validators(known), ending, ({ status, headers }) =>
        isContent(status) ? planFor(target, headers, limits) : undefined,
      );
      const next = redirectOf(answer, target);
      if (!next) return this.page(target, answer, known);
      if (visited.size > limits.redirects) {
        throw failed(
          sentence('{0} leads on more than {1} times.', shown(new URL(url)), limits.redirects),
          sentence('Give the address that it should lead to.'),
        );
      }
      target = followed(target, next, rules);
    }
  }

  /** One request at the host's pace; what may pass is tried once more. */
  private async ask(
    url: URL,
    rules: Pick<AddressRules, 'allowPrivateAddresses' | 'networkOf'>,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    plan: (head: Head) => BodyPlan | undefined,
  ): Promise<Answer> {
    const { limits, lookup, environment } = this.options;
    const proxy = this.current.proxy === 'environment' ? proxyOf(url, environment) : undefined;
    if (proxy) checkProxied(url, this.current.allowedDomains, rules);
    for (let round = 0; ; round++) {
      await this.paces.wait(url.host, Math.max(1_000 / this.current.rateLimit, this.sites.pauseOf(url)), signal);
      try {
        const answer = await exchange(
          {
            url,
            headers: { 'user-agent': USER_AGENT, accept: ACCEPTED, 'accept-encoding': 'gzip, br', ...headers },
            ...{ lookup, proxy },
            checkAddresses: (addresses) => checkNetwork(url, addresses, rules),
            signal,
            limits,
          },
          plan,
        );
        if (round > 0 || !PASSING.has(answer.status)) return answer;
        const pause = pauseAfter(answer.headers, this.options.clock.now()) ?? limits.retryPause;
        if (pause > limits.longestRetryPause) return answer;
        await sleep(pause, undefined, { signal });
      } catch (error) {
        signal.throwIfAborted();
        if (round > 0 || !(error instanceof Passing)) throw error;
        await sleep(limits.retryPause, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  }

  /** Redirects lead anywhere, each looked at as the page's own are. */
  private async fetchRobots(url: URL, signal: AbortSignal): Promise<Answer | 'too_many'> {
    const { limits, networkOf } = this.options;
    const rules = { ...this.current, allowedDomains: [], domains: [], networkOf };
    const plan: BodyPlan = { most: limits.robots, time: limits.pageTime, cut: true };
    let target = url;
    for (let hop = 0; hop <= limits.redirects; hop++) {
      const answer = await this.ask(target, rules, {}, signal, ({ status }) => (isContent(status) ? plan : undefined));
      const next = redirectOf(answer, target);
      if (!next) return answer;
      target = followed(target, next, rules);
    }
    return 'too_many';
  }

  private page(url: URL, { status, headers, bytes }: Answer, known: KnownVersion | undefined): FetchedPage {
    const fetched_at = isoTime(this.options.clock.now());
    const told = {
      url: url.href,
      ...optional('mediaType', headers['content-type']?.slice(0, 200)),
      ...optional('etag', short(headers.etag)),
      ...optional('last_modified', short(headers['last-modified'])),
      fetched_at,
    };
    if (isContent(status)) return { ...told, status: 'fetched', bytes };
    if (status === 304 && known) return { ...told, status: 'not_modified', bytes };
    if (status === 404 || status === 410) return { ...told, status: 'gone', bytes };
    const address = shown(url);
    if (status === 401 || status === 402 || status === 403 || status === 451) {
      const hint = sentence('A person who may see it can save it and add the file.');
      throw failed(sentence('{0} is not for everybody: its server refuses it (status {1}).', address, status), hint);
    }
    if (status === 429)
      throw failed(
        sentence('{0} cannot be fetched: it was asked too often (status 429).', address),
        sentence('Try again later.'),
      );
    throw failed(
      sentence('{0} cannot be fetched: its server says {1}.', address, status),
      sentence('Try again later.'),
    );
  }

  private checkEnabled(): void {
    if (this.current.enabled) return;
    throw refused(
      sentence('Fetching from the web is switched off.'),
      sentence('A person can switch it on in the settings.'),
    );
  }
}

function withDefaults(settings: Partial<WebSettings>): WebSettings {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  const all: WebSettings = { ...DEFAULTS, ...given };
  // A pace that is none would be no pace at all, or no request ever.
  return all.rateLimit > 0 && Number.isFinite(all.rateLimit) ? all : { ...all, rateLimit: DEFAULTS.rateLimit };
}

/** 200, and 203 of a proxy that changed something. */
function isContent(status: number): boolean {
  return status === 200 || status === 203;
}

function redirectOf({ status, headers }: Answer, from: URL): URL | undefined {
  if (!REDIRECTS.has(status)) return undefined;
  const { location } = headers;
  if (location !== undefined && location.length <= FETCHING_LIMITS.address && URL.canParse(location, from.href)) {
    return new URL(location, from);
  }
  throw failed(
    sentence('{0} leads on, and does not say where in a way that can be followed.', shown(from)),
    sentence('Look at it in a browser.'),
  );
}

function followed(from: URL, to: URL, rules: AddressRules): URL {
  const target = checkedAddress(to.href, rules);
  if (from.protocol === 'https:' && target.protocol === 'http:') {
    throw refused(
      sentence('{0} leads from https: to http:, where anybody on the way could change it.', shown(from)),
      sentence('If that does not matter, give {0} itself.', shown(target)),
    );
  }
  return target;
}

/** Only what can stand in a header. Those of files are times of another form. */
function validators(known: KnownVersion | undefined): Record<string, string> {
  const isSafe = (value: string | undefined): value is string =>
    value !== undefined && /^[\x20-\x7E]+$/.test(value) && value.length <= LONGEST_VALIDATOR;
  const { etag, last_modified } = known ?? {};
  return {
    ...(isSafe(etag) ? { 'if-none-match': etag } : {}),
    ...(isSafe(last_modified) && / GMT$/.test(last_modified) ? { 'if-modified-since': last_modified } : {}),
  };
}

/** `Retry-After` (RFC 9110, 10.2.3) in milliseconds. */
function pauseAfter(headers: IncomingHttpHeaders, now: number): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  const pause = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(pause) ? undefined : Math.max(0, pause);
}

/** What is longer would be sent back cut. */
function short(value: string | undefined): string | undefined {
  return value !== undefined && value.length <= LONGEST_VALIDATOR ? value : undefined;
}

function optional<Key extends string>(key: Key, value: string | undefined): { [name in Key]?: string } {
  return (value === undefined ? {} : { [key]: value }) as { [name in Key]?: string };
}
