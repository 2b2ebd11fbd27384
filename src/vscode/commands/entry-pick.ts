import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import type { FoundEntry, KnowledgePart } from '../../knowledge';
import { withoutIcons } from '../messages';
import { levelsOf, riskIcon } from '../risk-signs';
import { lineAround, wordsOf } from '../views';

/** Searching with each key would fall behind who types fast. */
const PAUSE_MS = 60;
/** More than anybody reads: another word finds it sooner. */
const MOST_HITS = 100;
/** What is offered before anything is typed. */
const RECENT = 30;

/** A hit; a line that only says something has no entry. */
interface EntryItem extends vscode.QuickPickItem {
  entry?: FoundEntry;
}

/** Something else that can be done with a hit. */
export interface HitAction {
  icon: string;
  tooltip: string;
  run: (entry: FoundEntry) => unknown;
}

export interface EntryPickOptions {
  title: string;
  placeholder: string;
  /** What is looked for first. */
  value?: string | undefined;
  actions?: readonly HitAction[] | undefined;
}

/** Lets the person look for an entry, with each key, in all scopes; undefined when the person cancels. */
export async function pickEntry(knowledge: KnowledgePart, options: EntryPickOptions): Promise<FoundEntry | undefined> {
  const { title, placeholder, value = '', actions = [] } = options;
  const pick = vscode.window.createQuickPick<EntryItem>();
  pick.title = title;
  pick.placeholder = placeholder;
  pick.value = value;
  const buttons = actions.map(({ icon, tooltip }) => ({ iconPath: new vscode.ThemeIcon(icon), tooltip }));
  let shown: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const search = () => {
    clearTimeout(timer);
    if (shown === pick.value) return;
    shown = pick.value;
    try {
      pick.items = itemsFor(knowledge, shown, buttons);
    } catch (error) {
      // Too long a text, for one: the person goes on typing.
      pick.items = [{ label: withoutIcons(describeError(error)), alwaysShow: true }];
    }
  };
  search();
  try {
    return await new Promise<FoundEntry | undefined>((resolve) => {
      pick.onDidChangeValue(() => {
        clearTimeout(timer);
        timer = setTimeout(search, PAUSE_MS);
      });
      pick.onDidTriggerItemButton(({ button, item }) => {
        const action = actions[buttons.indexOf(button as (typeof buttons)[number])];
        if (!action || !item.entry) return;
        // What goes wrong is told as if it was the command's own.
        resolve(Promise.resolve(action.run(item.entry)).then(() => undefined));
        pick.hide();
      });
      pick.onDidAccept(() => {
        // Who types fast presses Enter before the hits are there.
        const late = shown !== pick.value;
        search();
        const item = late ? pick.items[0] : pick.selectedItems[0];
        if (!item?.entry) return;
        resolve(item.entry);
        pick.hide();
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    clearTimeout(timer);
    pick.dispose();
  }
}

function itemsFor(knowledge: KnowledgePart, query: string, buttons: readonly vscode.QuickInputButton[]): EntryItem[] {
  const words = wordsOf(query);
  if (words.length > 0) {
    const hits = knowledge.find(query, MOST_HITS);
    return hits.length > 0 ? hits.map((entry) => itemOf(entry, words, buttons)) : [nothingFound(query)];
  }
  const recent = knowledge.find('', RECENT).map((entry) => itemOf(entry, [], buttons));
  if (recent.length === 0) return [];
  return [{ label: vscode.l10n.t('recently changed'), kind: vscode.QuickPickItemKind.Separator }, ...recent];
}

function itemOf(entry: FoundEntry, words: readonly string[], buttons: readonly vscode.QuickInputButton[]): EntryItem {
  const { keyword, scope_id, tier, category, content, risks } = entry;
  const levels = levelsOf(risks).join(', ');
  return {
    label: withoutIcons(keyword),
    description: withoutIcons([levels, `${scope_id} (${tier})`, category].filter(Boolean).join(' · ')),
    detail: withoutIcons(lineAround(content, words)),
    iconPath: riskIcon(risks),
    buttons,
    // It was found by us, in more than what the line shows.
    alwaysShow: true,
    entry,
  };
}

function nothingFound(query: string): EntryItem {
  return { label: withoutIcons(vscode.l10n.t('Nothing holds “{0}”.', query.trim())), alwaysShow: true };
}
