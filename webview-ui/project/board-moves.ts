import type { BoardTask } from '../protocol/project';
import { t } from '../shared/l10n';
import type { Page, TaskKey } from './page';

export interface Column {
  state: BoardTask['state'];
  icon: string;
  title: () => string;
  /** What it says when it is empty. */
  none: () => string;
}

export const COLUMNS: readonly Column[] = [
  {
    state: 'in_progress',
    icon: 'play-circle',
    title: () => t('In progress'),
    none: () => t('Nothing is in progress.'),
  },
  { state: 'blocked', icon: 'circle-slash', title: () => t('Blocked'), none: () => t('Nothing is in the way.') },
  { state: 'completed', icon: 'pass', title: () => t('Completed'), none: () => t('Nothing is completed yet.') },
];

/** A column that takes what is dropped on it. */
export interface Mover {
  page: Page;
  column: Column;
}

const DRAGGED = 'application/x-kaizen-task';

/** Tells a task apart from all others: one name may stand in several domains. */
export function keyOf({ name, domain }: Pick<BoardTask, 'name' | 'domain'>): TaskKey {
  return JSON.stringify([name, domain]);
}

export function cardSelector(key: TaskKey): string {
  return `.card[data-key="${CSS.escape(key)}"]`;
}

export function drag(event: DragEvent, task: BoardTask): void {
  event.dataTransfer?.setData(DRAGGED, keyOf(task));
  if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
}

export function dropped({ page, column }: Mover, event: DragEvent): void {
  event.preventDefault();
  const key = event.dataTransfer?.getData(DRAGGED);
  const task = page.project.tasks.find((each) => keyOf(each) === key);
  if (task && task.state !== column.state) void move(page, task, column.state);
}

/** Where the keyboard brings a task, and the focus. */
export function pressed(page: Page, task: BoardTask, event: KeyboardEvent): void {
  if (event.target !== event.currentTarget) return;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by && event.shiftKey && page.state.writable) {
    const column = COLUMNS[COLUMNS.findIndex(({ state }) => state === task.state) + by];
    if (column) void move(page, task, column.state);
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const cards = [...(event.currentTarget as HTMLElement).parentElement!.querySelectorAll<HTMLElement>('.card')];
    cards[cards.indexOf(event.currentTarget as HTMLElement) + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
  } else if (event.key === 'Enter' && page.state.writable && task.state !== 'completed') {
    edit(page, task);
  } else {
    return;
  }
  event.preventDefault();
}

export async function move(page: Page, task: BoardTask, state: BoardTask['state']): Promise<void> {
  const key = keyOf(task);
  const { name, domain } = task;
  if (!(await change(page, { type: 'saveTask', name, domain, state }))) return;
  const column = COLUMNS.find((each) => each.state === state);
  page.announce(t('"{0}" is now in the column {1}', name, column?.title() ?? state));
  // What is in the way is the first thing that others ask.
  if (state === 'blocked') edit(page, { ...task, note: null });
  else await page.focusOn(cardSelector(key));
}

export function edit(page: Page, task: BoardTask): void {
  page.board.editing = { key: keyOf(task), text: task.note ?? '' };
  page.changed();
  void page.focusOn('.card .editing textarea');
}

export function stopEditing(page: Page): void {
  const key = page.board.editing?.key;
  page.board.editing = undefined;
  page.changed();
  if (key) void page.focusOn(cardSelector(key));
}

export async function saveNote(page: Page, { name, domain, state }: BoardTask): Promise<void> {
  const text = page.board.editing?.text ?? '';
  const note = state === 'blocked' ? { blocker: text } : { status: text };
  if (await change(page, { type: 'saveTask', name, domain, state, ...note })) stopEditing(page);
}

export async function add(page: Page): Promise<void> {
  const { adding } = page.board;
  const name = adding?.name.trim();
  if (!adding || !name) return;
  const domain = adding.domain.trim() || null;
  const key = keyOf({ name, domain });
  // A task without a domain and one of the same name with a domain are taken for the same.
  const sameDomain = (other: string | null) => other === domain || other === null || domain === null;
  if (page.project.tasks.some((task) => task.name === name && sameDomain(task.domain))) {
    page.board.error = t('There is a task "{0}" already.', name);
    page.changed();
    return;
  }
  if (!(await change(page, { type: 'saveTask', name, domain, state: 'in_progress' }))) return;
  page.board.adding = undefined;
  page.changed();
  await page.focusOn(cardSelector(key));
}

export async function remove(page: Page, { name, domain }: BoardTask): Promise<void> {
  await change(page, { type: 'removeTask', name, domain });
}

/** Whether it was done; the board says why it was not. */
async function change(page: Page, question: Parameters<Page['ask']>[0]): Promise<boolean> {
  const { error } = await page.ask(question);
  page.board.error = error ?? '';
  page.changed();
  return error === undefined;
}
