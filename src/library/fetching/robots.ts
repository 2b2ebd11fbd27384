import { inTurns, Turns } from '../../core/turns';

/** What a site's robots.txt says to us (RFC 9309). */
export interface RobotsRules {
  /** Longest first, at the same length what allows first: the first that matches holds (2.2.2). */
  rules: readonly RobotsRule[];
  /** Seconds between two requests; no part of the RFC, and widely written. */
  crawlDelay?: number | undefined;
}

interface RobotsRule {
  allows: boolean;
  /** Texts between the pattern's `*`. */
  parts: readonly string[];
  /** The pattern ends with `$`: nothing may follow. */
  isWhole: boolean;
  length: number;
}

interface Group {
  agents: string[];
  rules: RobotsRule[];
  crawlDelay?: number;
}

export const ALLOWING: RobotsRules = { rules: [] };

const LONGEST_PATTERN = 2_048;

/** Reads what concerns us: the groups that name `agent`, else those for all (RFC 9309, 2.2.1). Never throws. */
export function parseRobots(text: string, agent: string, signal?: AbortSignal): Promise<RobotsRules> {
  return inTurns(parsed(text, agent.toLowerCase()), new Turns(signal));
}

/** Whether an address may be fetched: by its longest rule, and where there is none (2.2.2). */
export function isAllowed({ rules }: RobotsRules, url: URL, signal?: AbortSignal): Promise<boolean> {
  return inTurns(decided(rules, url), new Turns(signal));
}

function* parsed(text: string, agent: string): Generator<void, RobotsRules> {
  const groups: Group[] = [];
  let group: Group | undefined;
  let isNaming = false;
  // Empty lines say nothing.
  for (const [line] of text.replace(/^\uFEFF/, '').matchAll(/[^\r\n]+/g)) {
    yield;
    const [, name, said] = /^[ \t]*([a-z-]+)[ \t]*:[ \t]*([^#]*)/i.exec(line) ?? [];
    if (name === undefined) continue;
    const value = said!.trim();
    const key = name.toLowerCase();
    if (key === 'user-agent') {
      // Names that stand one below the other share what follows.
      if (!group || !isNaming) {
        group = { agents: [], rules: [] };
        groups.push(group);
      }
      isNaming = true;
      group.agents.push((/^[a-z_-]+/i.exec(value)?.[0] ?? value).toLowerCase());
    } else if (group && (key === 'allow' || key === 'disallow')) {
      isNaming = false;
      const rule = ruleOf(value, key === 'allow');
      if (rule) group.rules.push(rule);
    } else if (group && key === 'crawl-delay') {
      isNaming = false;
      const seconds = Number.parseFloat(value);
      if (seconds >= 0) group.crawlDelay = Math.max(seconds, group.crawlDelay ?? 0);
    }
  }
  const ours = groups.filter(({ agents }) => agents.includes(agent));
  const held = ours.length > 0 ? ours : groups.filter(({ agents }) => agents.includes('*'));
  const rules = held.flatMap((each) => each.rules);
  rules.sort((a, b) => b.length - a.length || Number(b.allows) - Number(a.allows));
  const delays = held.flatMap(({ crawlDelay }) => (crawlDelay === undefined ? [] : [crawlDelay]));
  return { rules, ...(delays.length === 0 ? {} : { crawlDelay: Math.max(...delays) }) };
}

function* decided(rules: readonly RobotsRule[], url: URL): Generator<void, boolean> {
  // Always, and implicitly (2.2.2).
  if (url.pathname === '/robots.txt') return true;
  const path = inOneForm(`${url.pathname}${url.search}`).replaceAll('*', '%2A').replaceAll('$', '%24');
  for (const rule of rules) {
    if (matches(rule, path)) return rule.allows;
    yield;
  }
  return true;
}

/** An empty pattern says nothing. One that is too long forbids what begins as it does, and allows nothing. */
function ruleOf(value: string, allows: boolean): RobotsRule | undefined {
  if (value === '' || (allows && value.length > LONGEST_PATTERN)) return undefined;
  const whole = value.slice(0, LONGEST_PATTERN);
  const isWhole = whole.endsWith('$');
  const pattern = isWhole ? whole.slice(0, -1) : whole;
  const rooted = /^[/*]/.test(pattern) ? pattern : `/${pattern}`;
  const parts = rooted.split('*').map((part) => inOneForm(part).replaceAll('$', '%24'));
  const length = parts.reduce((sum, part) => sum + part.length, parts.length - 1) + Number(isWhole);
  return { allows, parts, isWhole, length };
}

/** Each part at its first place behind the one before: no pattern takes longer than its length times the path's. */
function matches({ parts, isWhole }: RobotsRule, path: string): boolean {
  const [first, ...others] = parts as [string, ...string[]];
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = isWhole ? others.pop() : undefined;
  if (isWhole && last === undefined) return at === path.length;
  for (const part of others) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return last === undefined || (path.length - last.length >= at && path.endsWith(last));
}

/** Characters beyond US-ASCII are escaped, those that need no escape are not (RFC 9309, 2.2.2; RFC 3986, 2.3). */
function inOneForm(path: string): string {
  const escaped = path.replace(/[^\x21-\x7E]+/gu, (text) => {
    try {
      return encodeURIComponent(text);
    } catch {
      // Half of a surrogate pair: nothing that could stand in an address.
      return '%EF%BF%BD';
    }
  });
  return escaped.replace(/%([0-9a-f]{2})/gi, (code, hex: string) => {
    const letter = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9._~-]/.test(letter) ? letter : code.toUpperCase();
  });
}
