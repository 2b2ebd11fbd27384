import type { Sentence } from '../../core/sentence';
import type { FileNote } from '../markdown-format';

/** Whose files an import of rules knows; `markdown`: notes, whatever they are called. What each of them is called: `recognising.ts`, docs/import-export.md. */
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
  'markdown',
] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

/** A file that another tool reads. */
export interface RuleFile {
  /** Relative to what was given, `/` between its parts. */
  path: string;
  kind: RuleKind;
  text: string;
  /** The folders that it holds for, relative like `path`, none within another; one that is empty where it holds everywhere. */
  folders: readonly string[];
}

/** What an import found, unread. */
export interface RulesSource {
  kind: 'rules';
  name: string;
  /** Sorted by path; a file that another one imports stands behind it. */
  files: RuleFile[];
  /** Where notes go that stand in no folder; `notes` unless told. */
  category?: string | undefined;
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
  /** Of a text that was cut, because it is too long for an entry or to be read as one: which. Its parts follow each other. */
  partOf?: string;
  risk?: SuggestedRisk;
  /** What a person should look at before it is stored. */
  remark?: Sentence;
}

/** Lines of a file that became no entry's text. */
export interface Leftover {
  path: string;
  /** From 1, both inclusive. */
  line: number;
  endLine: number;
  why: Sentence | string;
}

/** What became of a file. */
export interface RuleFileOutcome {
  path: string;
  kind: RuleKind;
  entries: number;
  /** There exactly when it became no entry. */
  reason?: Sentence | string;
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
  reason?: Sentence | string;
}
