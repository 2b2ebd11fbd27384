import * as vscode from 'vscode';
import type { FoundEntry, KnowledgePart } from '../../knowledge';
import { withoutIcons } from '../messages';
import { levelsOf, riskIcon } from '../risk-signs';
import { lineAround, wordsOf } from '../views';
import { livePick, type PickItem } from './live-pick';

/** More than anybody reads: another word finds it sooner. */
const MOST_HITS = 100;
/** What is offered before anything is typed. */
const RECENT = 30;

export interface EntryPickOptions {
  title: string;
  placeholder: string;
  /** What is looked for first. */
  value?: string | undefined;
}

/** Lets the person look for an entry, with each key, in all scopes; undefined when the person cancels. */
export function pickEntry(knowledge: KnowledgePart, options: EntryPickOptions): Promise<FoundEntry | undefined> {
  return livePick<FoundEntry>({ ...options, search: (query) => entryItems(knowledge, query) });
}

/** The entries that hold every word of a text; those that were changed last when there is none. */
export function entryItems(knowledge: KnowledgePart, query: string): PickItem<FoundEntry>[] {
  const words = wordsOf(query);
  if (words.length > 0) {
    const hits = knowledge.find(query, MOST_HITS);
    return hits.length > 0 ? hits.map((entry) => itemOf(entry, words)) : [nothingFound(query)];
  }
  const recent = knowledge.find('', RECENT).map((entry) => itemOf(entry, []));
  if (recent.length === 0) return [];
  return [{ label: vscode.l10n.t('recently changed'), kind: vscode.QuickPickItemKind.Separator }, ...recent];
}

export function nothingFound(query: string): PickItem<never> {
  return { label: withoutIcons(vscode.l10n.t('Nothing holds “{0}”.', query.trim())), alwaysShow: true };
}

function itemOf(entry: FoundEntry, words: readonly string[]): PickItem<FoundEntry> {
  const { keyword, scope_id, tier, category, content, risks } = entry;
  const levels = levelsOf(risks).join(', ');
  return {
    label: withoutIcons(keyword),
    description: withoutIcons([levels, `${scope_id} (${tier})`, category].filter(Boolean).join(' · ')),
    detail: withoutIcons(lineAround(content, words)),
    iconPath: riskIcon(risks),
    // It was found by us, in more than what the line shows.
    alwaysShow: true,
    hit: entry,
  };
}
