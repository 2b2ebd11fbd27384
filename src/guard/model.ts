import type { ProjectContext, SessionSummary, TaskStatus } from '../continuity';
import type { RiskLevel, Tier } from '../knowledge';

/** The guard: what an agent's session begins with, and what stands between an agent and a known disaster. */

/** A rule with a risk that names files (APPLIES_TO), or text (MATCHES), as the guard keeps it. */
export interface GuardRule {
  keyword: string;
  category: string;
  scope_id: string;
  tier: Tier;
  /** Of the entry, so that a consent holds for what was consented to. */
  revision: number;
  /** At least one. */
  risks: { level: RiskLevel; text: string }[];
  content: string;
  /** Metaknowledge REASON. */
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

/** What a session begins with, before it is cut to a budget. */
export interface GuardBrief {
  overview: ProjectContext | null;
  /** Newest first, at most 3. */
  sessions: SessionSummary[];
  progress: TaskStatus | null;
  /** The rules of level DANGER, then WARNING, that hold for the whole project (they name no files). */
  open_warnings: GuardRule[];
  /** How many entries hold, and how many of them carry a risk. */
  entries: number;
  entries_with_risk: number;
}

/** Where a store stood when something was read from it. */
export interface StoreStamp {
  /** Number of its newest generation; 0 where there is no store. */
  generation: number;
  /** Bytes of that generation's journal. */
  journal: number;
}

/**
 * What a hook needs, in one file beside the workspace's store: so that a hook answers without opening a database. Derived
 * data; it may be deleted at any time.
 */
export interface GuardIndex {
  format: 1;
  project: string;
  /** The shared store's directory. */
  shared: string;
  stamps: { workspace: StoreStamp; shared: StoreStamp };
  rules: GuardRule[];
  brief: GuardBrief;
}

export const HOOK_EVENTS = ['session-start', 'pre-tool-use', 'post-tool-use', 'pre-compact', 'stop'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

/** Whose format a call has. `other` is answered as Claude Code is, whose format most others took over. */
export const HOOK_CLIENTS = ['claude-code', 'vscode', 'other'] as const;
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
}

/** A rule that speaks to what is about to happen. */
export interface GuardFinding {
  rule: GuardRule;
  /** Relative to the workspace folder, `/` between the parts; undefined where a text matched and no file. */
  path: string | undefined;
}

export interface GuardDecision {
  /** `none`: nothing to say. `tell`: rules go along as context. `ask`: the person has to confirm. */
  outcome: 'none' | 'tell' | 'ask';
  findings: GuardFinding[];
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
  outcome: GuardDecision['outcome'] | 'went through' | 'reminded' | 'briefed' | 'failed';
  rules: { scope_id: string; category: string; keyword: string; revision: number; level: RiskLevel }[];
  paths: string[];
  /** Of a failure, in words. */
  message?: string | undefined;
}
