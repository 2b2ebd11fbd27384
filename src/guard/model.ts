import type { ProjectContext, SessionSummary, TaskStatus } from '../continuity';
import type { RiskLevel, Tier } from '../knowledge';
import type { StoreStamp } from '../store';

export type { StoreStamp } from '../store';

/** The guard: what an agent's session begins with, and what stands between an agent and a known disaster. */

/** A rule with a risk that names files (APPLIES_TO), or text (MATCHES), as the guard keeps it. */
export interface GuardRule {
  keyword: string;
  category: string;
  scope_id: string;
  tier: Tier;
  /** Of the entry, so that a consent holds for what was consented to. */
  revision: number;
  /** At least one; at most 5, gravest first, each text of at most 600 characters. */
  risks: { level: RiskLevel; text: string }[];
  /** At most 1,000 characters of it. */
  content: string;
  /** Metaknowledge REASON, at most 600 characters of it. */
  reason: string | null;
  /** Globs as they are written (`parseAppliesTo`); null where the rule names no files. */
  applies_to: string | null;
  /** Metaknowledge MATCHES. */
  matches: string | null;
  /** Text without which MATCHES cannot occur, in lower case; null where none is known. Saves compiling expressions. */
  needs: string | null;
  /** Who wrote its last revision, and whether that was an agent: it is quoted with its origin. */
  author: string;
  by_agent: boolean;
}

const LEVELS: readonly RiskLevel[] = ['DANGER', 'WARNING', 'LAST TIME'];

/** Of its gravest risk: 0 for DANGER, more for less. */
export function gravity({ risks }: GuardRule): number {
  return LEVELS.indexOf(risks[0]!.level);
}

/** A session with who stored its summary; an index that an older build made does not say. */
export interface GuardSession extends SessionSummary {
  author?: string | undefined;
}

/** What a session begins with, before it is cut to a budget. */
export interface GuardBrief {
  overview: ProjectContext | null;
  /** Newest first, at most 3. */
  sessions: GuardSession[];
  progress: TaskStatus | null;
  /**
   * Rules that hold for the whole project (they name no files), gravest first: DANGER, WARNING, LAST TIME; of one level
   * the most specific tier first. At most 100.
   */
  open_warnings: GuardRule[];
  /** How many of these there are in all. */
  open_warnings_count: number;
  /** How many entries hold, and how many of them carry a risk. */
  entries: number;
  entries_with_risk: number;
}

/**
 * Raised whenever an index that another build made would have a hook answer otherwise than one of this build, be it for what
 * stands in it or for how it is made: it is then made anew.
 */
export const INDEX_FORMAT = 2;

/**
 * What a hook needs, in one file beside the workspace's store: so that a hook answers without opening a database. Derived
 * data; it may be deleted at any time.
 */
export interface GuardIndex {
  format: typeof INDEX_FORMAT;
  project: string;
  /** The shared store's directory. */
  shared: string;
  stamps: { workspace: StoreStamp; shared: StoreStamp };
  /**
   * What a transaction must touch to make this outdated (`Transaction.touch`): the rules, or the brief as well. Others
   * may come and go.
   */
  topics: { rules: string[]; brief: string[] };
  /** Those with a risk that hold for the project and name files or text (APPLIES_TO, MATCHES). */
  rules: GuardRule[];
  brief: GuardBrief;
}

/**
 * What tells that a rule cannot speak before it is read as a whole: texts of which one is in the name of every file under
 * its globs, or, of a rule that names no files, the text that every match needs, in lower case. Null where neither is known.
 */
export type RuleOutline = readonly string[] | string | null;

/** Those of the rules whose outlines are accepted. */
export type RulesWhere = (isPossible: (outline: RuleOutline) => boolean) => readonly GuardRule[];

/** An index that is read as far as it is needed: most calls need none of the rules. Each part throws `DamagedIndex` where it is none. */
export interface OpenGuardIndex extends GuardIndex {
  rulesWhere: RulesWhere;
}

export const HOOK_EVENTS = ['session-start', 'pre-tool-use', 'post-tool-use', 'pre-compact', 'stop'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Whose format a call has. `other` is answered as Claude Code is, whose format most others took over. */
export const HOOK_CLIENTS = ['claude-code', 'vscode', 'cursor', 'copilot-cli', 'other'] as const;
export type HookClient = (typeof HOOK_CLIENTS)[number];

/** What a client tells a hook on its standard input, read and checked. */
export interface HookCall {
  event: HookEvent;
  client: HookClient;
  session_id: string;
  /** Absolute; the folder that the agent works in. */
  cwd: string;
  /** Of session-start: startup, resume, clear, compact. */
  source?: string | undefined;
  /** Of pre-tool-use and post-tool-use. */
  tool?: { name: string; input: Readonly<Record<string, unknown>>; use_id: string | undefined } | undefined;
  /** Of post-tool-use: whether the tool did what it was asked for; undefined where that cannot be told. */
  succeeded?: boolean | undefined;
  /** Of stop: the agent goes on already because a hook asked it to. */
  stop_hook_active?: boolean | undefined;
}

/** What a tool is about to do, as far as its name and arguments tell. */
export interface ToolIntent {
  kind: 'read' | 'edit' | 'command' | 'other';
  /** Files that it names, as it names them; of a command also its words that may be paths. */
  paths: string[];
  /** The texts that it writes or replaces; of a command its line. */
  texts: string[];
  /** Those of the paths whose stored content counts as well: what is taken away or replaced there is not in `texts`. */
  replaced: string[];
  /** Those that it names only if a variable of its line holds what it may hold. */
  guessed?: readonly string[];
}

/** A rule that speaks to what is about to happen. */
export interface GuardFinding {
  rule: GuardRule;
  /** Relative to the workspace folder, `/` between the parts; undefined where the text of a command matched. */
  path: string | undefined;
  /** Only a pattern or an unknown value named it, so that nobody consents to this file. */
  guessed?: boolean | undefined;
  /**
   * Why it is not known whether MATCHES occurs: it cannot be read, or there was more than is searched. A rule that names
   * files then speaks as if it had no MATCHES; one that names none tells.
   */
  unsure?: 'unreadable' | 'unsearched' | undefined;
}

/** The gravest first; neither of them where there is nothing to say. */
export interface GuardDecision {
  /** The person has to confirm. */
  asked: GuardFinding[];
  /** Goes along as context. */
  told: GuardFinding[];
}

/** A line of the guard's log: what was said to whom about what, never a file's text. */
export interface GuardRecord {
  /** ISO 8601. */
  at: string;
  event: HookEvent;
  client: HookClient;
  session_id: string;
  tool: string | null;
  use_id: string | null;
  outcome: 'ask' | 'tell' | 'went through' | 'reminded' | 'briefed' | 'failed';
  rules: { scope_id: string; category: string; keyword: string; revision: number; level: RiskLevel }[];
  paths: string[];
  /** Of a failure, in words. */
  message?: string | undefined;
}
