import { isKaizenError, KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import { partsOfLineSaid } from '../parse';
import type { EntryRecord, ParsedRecord, ScopeRecord } from '../records';
import type { RuleDraft } from './model';
import { storable } from './storable';

export interface StoringOptions {
  /** Where the entries go. */
  scope: string;
  author: string;
  /** As `isoTime` writes it. */
  at: string;
  /** What was worked on when they were imported. */
  project: string;
  /** Whether the scope is a project that comes to be with them. */
  isNew: boolean;
}

/**
 * Drafts as records for `Kaizen.importRecords`; the line of each is its place in the list, from 1, and behind them stands
 * the scope where it is new: either all of it is stored, or nothing.
 */
export function recordsOf(
  drafts: readonly RuleDraft[],
  { scope, author, at, project, isNew }: StoringOptions,
): ParsedRecord[] {
  const place = { scope, author, at, project };
  const entries = drafts.map(
    (draft, index): ParsedRecord => ({ line: index + 1, record: entryRecordOf(draft, place) }),
  );
  const defined: ScopeRecord = {
    type: 'scope',
    id: scope,
    tier: 'PROJECT',
    name: scope,
    description: null,
    parents: [],
  };
  return isNew ? [...entries, { line: drafts.length + 1, record: defined }] : entries;
}

export function entryRecordOf(
  { category, keyword, content, metaknowledge, path }: RuleDraft,
  { scope, author, at, project }: Omit<StoringOptions, 'isNew'>,
): EntryRecord {
  const change = { action: 'create', author, by_agent: false, at, project_context: project } as const;
  const reason = `Imported from ${storable(path)}`;
  return { type: 'entry', scope, category, keyword, content, metaknowledge, ...change, reason, revisions: [] };
}

/** Where the text of `recordsOf`'s record on a line begins; undefined for what no text says. */
export function draftPlaces(drafts: readonly RuleDraft[]): (line: number) => string | undefined {
  return (line) => {
    const draft = drafts[line - 1];
    return draft && `${draft.path}, line ${draft.line}`;
  };
}

/** An error of `recordsOf`'s records with the drafts' places in the place of their lines. */
export function tellDraftPlaces(error: unknown, drafts: readonly RuleDraft[]): unknown {
  if (!isKaizenError(error)) return error;
  const [said, hint] = error.said;
  return new KaizenError(error.code, placed(said ?? error.message, drafts), hint, { cause: error });
}

function placed(said: Sentence | string, drafts: readonly RuleDraft[]): Sentence | string {
  const parts = partsOfLineSaid(said);
  if (parts) {
    const draft = drafts[parts.line - 1];
    return draft ? sentence('{0}, line {1}: {2}', draft.path, draft.line, parts.what) : said;
  }
  const placeOf = draftPlaces(drafts);
  const named = (all: string, line: string) => placeOf(Number(line)) ?? all;
  const text = String(said);
  const told = text.replace(/^line (\d+)(?=: )/, named).replace(/(?<=\bon )line (\d+)(?=\.$)/, named);
  return told === text ? said : told;
}
