import * as vscode from 'vscode';
import { errorInWords } from '../in-words';
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
  /** The list stays open; its lines are dressed anew once it is done. */
  stays?: boolean | undefined;
}

export interface LivePick<T> {
  title: string;
  placeholder: string;
  /** What is looked for first. */
  value?: string | undefined;
  /** What there is to choose for a text; buttons are added. Whatever it throws is shown as a line. */
  search: (query: string) => PickItem<T>[] | Promise<PickItem<T>[]>;
  /** The same for each line, or those of one. */
  actions?: readonly HitAction<T>[] | ((hit: T) => readonly HitAction<T>[]) | undefined;
  /** What may become another on a line while it is shown, such as how it was rated. */
  dress?: ((item: PickItem<T>, hit: T) => PickItem<T>) | undefined;
  /** How long it is waited for the next key, in milliseconds: longer where searching costs something. */
  pause?: number | undefined;
  /** Calls back when the same text may find something else by now. */
  onDidChange?: ((again: () => void) => { dispose(): void }) | undefined;
}

/** The editor sorts by where the label matches, unless it is told that the order says something: no public API yet. */
type KeepsOrder = { sortByLabel: boolean };

/** Lets the person search with each key and choose a hit; undefined when the person cancels. */
export async function livePick<T>(options: LivePick<T>): Promise<T | undefined> {
  const { title, placeholder, value = '', pause = PAUSE_MS, onDidChange } = options;
  const pick = vscode.window.createQuickPick<PickItem<T>>();
  (pick as unknown as KeepsOrder).sortByLabel = false;
  pick.title = title;
  pick.placeholder = placeholder;
  pick.value = value;
  let items: readonly PickItem<T>[] = [];
  /** The same place in the list as before. */
  const draw = (at: number) => {
    pick.keepScrollPosition = at > 0;
    pick.items = items.map((item) => dressed(item, options));
    const active = pick.items[at];
    if (at > 0 && active) pick.activeItems = [active];
  };
  const place = () => Math.max(0, pick.items.indexOf(pick.activeItems[0]!));
  /** The text that the list is for, or will be for in a moment. */
  let asked: string | undefined;
  let shownFor: string | undefined;
  let shown: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const search = () => {
    clearTimeout(timer);
    if (asked === pick.value) return shown;
    const query = pick.value;
    asked = query;
    shown = itemsFor(options, query).then((found) => {
      // The next key may have been typed meanwhile.
      if (asked !== query) return;
      items = found;
      // Whoever is reading the answer to the same text stays where they are.
      draw(shownFor === query ? place() : 0);
      shownFor = query;
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
        const { action } = button as Partial<ActionButton<T>>;
        const { hit } = item;
        if (!action || hit === undefined) return;
        const done = Promise.resolve(action.run(hit)).then(() => undefined);
        const at = pick.items.indexOf(item);
        // What goes wrong is told as if it was the command's own.
        if (action.stays) {
          done.then(
            () => draw(at),
            () => {
              resolve(done);
              pick.hide();
            },
          );
          return;
        }
        resolve(done);
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

/** A button that does something with the line's hit. */
export interface ActionButton<T> extends vscode.QuickInputButton {
  action: HitAction<T>;
}

/** A line as it is to be seen now, with its buttons. */
export function dressed<T>(
  item: PickItem<T>,
  { actions = [], dress }: Pick<LivePick<T>, 'actions' | 'dress'>,
): PickItem<T> {
  const { hit } = item;
  if (hit === undefined) return item;
  const buttons = (typeof actions === 'function' ? actions(hit) : actions).map(
    (action): ActionButton<T> => ({ iconPath: new vscode.ThemeIcon(action.icon), tooltip: action.tooltip, action }),
  );
  return { ...(dress?.(item, hit) ?? item), buttons };
}

async function itemsFor<T>({ search }: LivePick<T>, query: string): Promise<PickItem<T>[]> {
  try {
    return await search(query);
  } catch (error) {
    // Too long a text, for one: the person goes on typing.
    return [{ label: withoutIcons(errorInWords(error)), alwaysShow: true }];
  }
}
