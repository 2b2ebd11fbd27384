import type { Clock } from '../../core/clock';
import { isKaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import { unlessAborted } from '../../files';
import type { Answer } from './exchange';
import { isUnreachable, refused, shown } from './faults';
import type { FetchingLimits } from './limits';
import { ALLOWING, isAllowed, parseRobots, type RobotsRules } from './robots';

/** Fetches `/robots.txt`, following redirects; `too_many` of them. Throws `fetch_*`. */
export type FetchRobots = (url: URL, signal: AbortSignal) => Promise<Answer | 'too_many'>;

interface Known {
  rules: RobotsRules;
  until: number;
}

/** What the sites that are fetched from say about it in their robots.txt (RFC 9309), each asked once a day. */
export class SiteRules {
  private readonly known = new Map<string, Known>();
  /** Why a site's rules cannot be read. */
  private readonly unread = new Map<string, { reason: Sentence; until: number }>();
  private readonly asking = new Map<string, Promise<RobotsRules>>();

  constructor(
    private readonly options: {
      agent: string;
      clock: Clock;
      limits: FetchingLimits;
      fetch: FetchRobots;
      /** Ends all that is under way. */
      closing: AbortSignal;
    },
  ) {}

  /** Throws `fetch_refused` where the site forbids the address, or its rules cannot be read. */
  async check(url: URL, signal: AbortSignal): Promise<void> {
    const rules = await unlessAborted(this.rulesOf(url), signal);
    if (await isAllowed(rules, url, signal)) return;
    throw refused(
      sentence('{0} is not fetched: the robots.txt of {1} forbids it to programs.', shown(url), url.host),
      sentence('A person can save the page and add the file.'),
    );
  }

  /** Milliseconds between two requests that the site wants, as far as it was asked already. */
  pauseOf(url: URL): number {
    const seconds = this.known.get(url.origin)?.rules.crawlDelay ?? 0;
    return Math.min(seconds * 1_000, this.options.limits.crawlDelay);
  }

  private rulesOf(url: URL): Promise<RobotsRules> {
    const now = this.options.clock.now();
    const known = this.known.get(url.origin);
    if (known && known.until > now) return Promise.resolve(known.rules);
    const unread = this.unread.get(url.origin);
    if (unread && unread.until > now) return Promise.reject(refused(unread.reason, AGAIN));
    // Who asks at the same time waits for the same answer.
    let asking = this.asking.get(url.origin);
    if (!asking) {
      asking = this.ask(url).finally(() => this.asking.delete(url.origin));
      asking.catch(() => undefined);
      this.asking.set(url.origin, asking);
    }
    return asking;
  }

  private async ask(url: URL): Promise<RobotsRules> {
    const { agent, clock, limits, closing, fetch } = this.options;
    let because: Sentence | string;
    try {
      const answer = await fetch(new URL('/robots.txt', url), closing);
      // What is not there forbids nothing (2.3.1.3); redirects without an end are as good as that (2.3.1.2).
      const isThere = answer !== 'too_many' && answer.status < 400;
      // 429 says nothing about what there is.
      if (answer === 'too_many' || (answer.status < 500 && answer.status !== 429)) {
        const text = isThere ? new TextDecoder().decode(answer.bytes) : '';
        const rules = isThere ? await parseRobots(text, agent, closing) : ALLOWING;
        remember(this.known, url.origin, { rules, until: clock.now() + limits.robotsAge }, limits.sites);
        this.unread.delete(url.origin);
        return rules;
      }
      because = sentence('status {0}', answer.status);
    } catch (error) {
      closing.throwIfAborted();
      // The page would not be had either: that says more.
      if (isUnreachable(error) || (isKaizenError(error) && error.code !== 'fetch_failed')) throw error;
      because = isKaizenError(error) ? error.said[0]! : error instanceof Error ? error.message : String(error);
    }
    // What was known goes on as long as nobody answers (2.4); else all is forbidden (2.3.1.4).
    const stale = this.known.get(url.origin);
    if (stale) return stale.rules;
    const reason = sentence(
      '{0} is not fetched: the robots.txt of {1} cannot be read ({2}).',
      shown(url),
      url.host,
      because,
    );
    remember(this.unread, url.origin, { reason, until: clock.now() + limits.robotsPatience }, limits.sites);
    throw refused(reason, AGAIN);
  }
}

const AGAIN = sentence('It is asked for again in some minutes.');

/** The oldest goes when there are too many. */
function remember<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}
