import type { FileNote } from '../markdown-format';

/** Whose files an import of rules knows. What each of them is called: `recognising.ts`, docs/import-export.md. */
export const RULE_KINDS = [
  'agents',
  'claude',
  'copilot',
  'cursor',
  'cline',
  'windsurf',
  'adr',
  'memory',
  'lines',
] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

/** A file that another tool reads. */
export interface RuleFile {
  /** Relative to what was given, `/` between its parts. */
  path: string;
  kind: RuleKind;
  text: string;
  /** The folder that it holds for, relative like `path`; empty where it holds everywhere. */
  folder: string;
}

/** What an import found, unread. */
export interface RulesSource {
  kind: 'rules';
  name: string;
  /** Sorted by path; a file that another one imports stands behind it. */
  files: RuleFile[];
  /** What was left out, and why. */
  notes: FileNote[];
}

/** Why an entry is a risk, where its file says so in other words than `WARNING:`. */
export interface SuggestedRisk {
  level: 'WARNING' | 'DANGER';
  /** What says so, as it stands in the file. */
  because: string;
}

/** An entry that a file would become. */
export interface RuleDraft {
  category: string;
  keyword: string;
  content: string;
  metaknowledge: Record<string, string>;
  path: string;
  /** Where its text begins, from 1. */
  line: number;
  risk?: SuggestedRisk;
  /** What a person should look at before it is stored. */
  remark?: string;
}

/** Lines of a file that became no entry's text. */
export interface Leftover {
  path: string;
  /** From 1, both inclusive. */
  line: number;
  endLine: number;
  /** A sentence. */
  why: string;
}

/** What became of a file. */
export interface RuleFileOutcome {
  path: string;
  kind: RuleKind;
  entries: number;
  /** A sentence; there exactly when it became no entry. */
  reason?: string;
}

export interface RulesReading {
  drafts: RuleDraft[];
  files: RuleFileOutcome[];
  leftovers: Leftover[];
  notes: FileNote[];
}

/** What one file gave. */
export interface FileReading {
  drafts: RuleDraft[];
  leftovers: Leftover[];
  notes: FileNote[];
  /** Why there are no drafts. */
  reason?: string;
}
