import { isKaizenError, KaizenError } from '../../core/errors';
import type { EntryRecord, ParsedRecord } from '../records';
import type { RuleDraft } from './model';

export interface StoringOptions {
  /** Where the entries go. */
  scope: string;
  author: string;
  /** As `isoTime` writes it. */
  at: string;
  /** What was worked on when they were imported. */
  project: string;
}

/** Drafts as records for `Kaizen.importRecords`; the line of each is its place in the list, from 1. */
export function recordsOf(
  drafts: readonly RuleDraft[],
  { scope, author, at, project }: StoringOptions,
): ParsedRecord[] {
  return drafts.map(({ category, keyword, content, metaknowledge, path }, index) => {
    const change = { action: 'create', author, by_agent: false, at, project_context: project } as const;
    const reason = `Imported from ${path}`;
    const record: EntryRecord = {
      type: 'entry',
      scope,
      category,
      keyword,
      content,
      metaknowledge,
      ...change,
      reason,
      revisions: [],
    };
    return { line: index + 1, record };
  });
}

/** An error of `recordsOf`'s records with the drafts' places in the place of their lines. */
export function tellDraftPlaces(error: unknown, drafts: readonly RuleDraft[]): unknown {
  if (!isKaizenError(error)) return error;
  const placed = (all: string, line: string) => {
    const draft = drafts[Number(line) - 1];
    return draft ? `${draft.path}, line ${draft.line}` : all;
  };
  const message = error.message
    .replace(/^line (\d+)(?=: )/, placed)
    .replace(/\brecord at line (\d+)/g, placed)
    .replace(/(?<=\bon )line (\d+)(?=\.$)/, placed);
  return new KaizenError(error.code, message, error.hint, { cause: error });
}
