import type { EntryState, OverviewRecord, ScopeRecord } from './records';

/**
 * What holds in a scope, as AGENTS.md and the report tell it: of each keyword what the most specific scope says, with
 * who wrote it. Unlike an export file it holds no history and cannot be imported again.
 */
export interface Holding {
  /** The scope and all that it inherits from, nearest first; at least one. */
  chain: readonly Pick<ScopeRecord, 'id' | 'tier' | 'name' | 'description'>[];
  overview: OverviewRecord | undefined;
  /** By category, then keyword. */
  entries: readonly HoldingEntry[];
}

/** Its last change as an export has it: `at`, `author`, `by_agent`. */
export interface HoldingEntry extends Pick<EntryState, 'at' | 'author' | 'by_agent'> {
  scope: string;
  tier: ScopeRecord['tier'];
  category: string;
  keyword: string;
  content: string;
  metaknowledge: Record<string, string>;
  risks: readonly HoldingRisk[];
  /** Ids of the scopes whose entries of this keyword it overrides, nearest first. */
  overrides: readonly string[];
}

export interface HoldingRisk {
  level: 'DANGER' | 'WARNING' | 'LAST TIME';
  text: string;
}

/** Gravest first. */
export const GRAVITY: readonly HoldingRisk['level'][] = ['DANGER', 'WARNING', 'LAST TIME'];

/** The gravest risk of an entry, as its place in `GRAVITY`; behind all of them for an entry without one. */
export function gravityOf({ risks }: Pick<HoldingEntry, 'risks'>): number {
  return Math.min(GRAVITY.length, ...risks.map(({ level }) => GRAVITY.indexOf(level)));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const UNSEEN = /[\0-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu;

/**
 * Without characters that nobody sees and that change what is read: controls other than tabs and line breaks, marks that
 * turn the direction of writing, tags. Line breaks are `\n`.
 */
export function visibleText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(UNSEEN, '\uFFFD');
}
