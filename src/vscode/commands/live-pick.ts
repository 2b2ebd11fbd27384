import * as vscode from 'vscode';
import { describeError } from '../../core/errors';
import { withoutIcons } from '../messages';

/** Searching with each key would fall behind who types fast. */
const PAUSE_MS = 60;

/** A line of the list; one that only says something has no hit. */
export interface PickItem<T> extends vscode.QuickPickItem {
  hit?: T;
}

/** Something else that can be done with a hit. */
export interface HitAction<T> {
  icon: string;
  tooltip: string;
  run: (hit: T) => unknown;
}

export interface LivePick<T> {
  title: string;
  placeholder: string;
  /** What is looked for first. */
  value?: string | undefined;
  /** What there is to choose for a text; buttons are added. Whatever it throws is shown as a line. */
  search: (query: string) => PickItem<T>[] | Promise<PickItem<T>[]>;
  actions?: readonly HitAction<T>[] | undefined;
  /** How long it is waited for the next key, in milliseconds: longer where searching costs something. */
  pause?: number | undefined;
  /** Calls back when the same text may find something else by now. */
  onDidChange?: ((again: () => void) => { dispose(): void }) | undefined;
}

/** The editor sorts by where the label matches, unless it is told that the order says something: no public API yet. */
type KeepsOrder = { sortByLabel: boolean };

/** Lets the person search with each key and choose a hit; undefined when the person cancels. */
export async function livePick<T>(options: LivePick<T>): Promise<T | undefined> {
  const { title, placeholder, value = '', actions = [], pause = PAUSE_MS, onDidChange } = options;
  const pick = vscode.window.createQuickPick<PickItem<T>>();
  (pick as unknown as KeepsOrder).sortByLabel = false;
  pick.title = title;
  pick.placeholder = placeholder;
  pick.value = value;
  const buttons = actions.map(({ icon, tooltip }) => ({ iconPath: new vscode.ThemeIcon(icon), tooltip }));
  /** The text that the list is for, or will be for in a moment. */
  let asked: string | undefined;
  let shown: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const search = () => {
    clearTimeout(timer);
    if (asked === pick.value) return shown;
    const query = pick.value;
    asked = query;
    shown = itemsFor(options, query).then((items) => {
      // The next key may have been typed meanwhile.
      if (asked !== query) return;
      pick.items = items.map((item) => (item.hit === undefined ? item : { ...item, buttons }));
    });
    return shown;
  };
  void search();
  const changes = onDidChange?.(() => {
    asked = undefined;
    void search();
  });
  try {
    return await new Promise<T | undefined>((resolve) => {
      pick.onDidChangeValue(() => {
        clearTimeout(timer);
        timer = setTimeout(() => void search(), pause);
      });
      pick.onDidTriggerItemButton(({ button, item }) => {
        const action = actions[buttons.indexOf(button as (typeof buttons)[number])];
        const { hit } = item;
        if (!action || hit === undefined) return;
        // What goes wrong is told as if it was the command's own.
        resolve(Promise.resolve(action.run(hit)).then(() => undefined));
        pick.hide();
      });
      pick.onDidAccept(async () => {
        // Who types fast presses Enter before the hits are there.
        const late = asked !== pick.value;
        await search();
        const item = late ? pick.items.find(({ hit }) => hit !== undefined) : pick.selectedItems[0];
        if (item?.hit === undefined) return;
        resolve(item.hit);
        pick.hide();
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    clearTimeout(timer);
    changes?.dispose();
    pick.dispose();
  }
}

async function itemsFor<T>({ search }: LivePick<T>, query: string): Promise<PickItem<T>[]> {
  try {
    return await search(query);
  } catch (error) {
    // Too long a text, for one: the person goes on typing.
    return [{ label: withoutIcons(describeError(error)), alwaysShow: true }];
  }
}
