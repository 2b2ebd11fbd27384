import type { ProjectStatus, Transition } from '../../src/learning/vocabulary';
import type { ProjectCard, ProjectsState } from '../protocol/projects';
import { t } from '../shared/l10n';
import { EMPTY_OUTCOME } from './fields';
import { openForm } from './opening';
import type { Page } from './page';
import { STATUSES, statusName, transitionName } from './words';

/** What of a project a move needs. */
export type Moved = Pick<ProjectCard, 'id' | 'name' | 'status'>;

const DRAGGED = 'application/x-kaizen-captured-project';

export function cardSelector(id: string): string {
  return `.card[data-id="${CSS.escape(id)}"]`;
}

/** The transition that leads from one state to the other; undefined where none does. */
export function wayTo(ways: ProjectsState['ways'], from: ProjectStatus, to: ProjectStatus): Transition | undefined {
  return ways[from].find((way) => way.to === to)?.transition;
}

/** Why a project cannot go there, and where it can. */
export function refusal(ways: ProjectsState['ways'], { name, status }: Moved, to: ProjectStatus): string {
  const allowed = ways[status].map((way) => `${transitionName(way.transition)} (${statusName(way.to)})`);
  const refused = t('"{0}" cannot go from "{1}" to "{2}".', name, statusName(status), statusName(to));
  const hint =
    allowed.length > 0
      ? t('Allowed from there: {0}.', allowed.join(', '))
      : t('Nothing leads on from there. Plan a new project.');
  return `${refused} ${hint}`;
}

export function drag(event: DragEvent, { id }: Moved): void {
  event.dataTransfer?.setData(DRAGGED, id);
  if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
}

export function dropped(page: Page, to: ProjectStatus, event: DragEvent): void {
  event.preventDefault();
  const id = event.dataTransfer?.getData(DRAGGED);
  const card = page.state.columns.flatMap(({ cards }) => cards).find((each) => each.id === id);
  if (card && page.state.writable && card.status !== to) void move(page, card, to);
}

/** What a key does on a card. */
export function pressed(page: Page, card: ProjectCard, event: KeyboardEvent): void {
  if (event.target !== event.currentTarget) return;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by && event.shiftKey && page.state.writable) {
    const to = STATUSES[STATUSES.indexOf(card.status) + by];
    if (to) void move(page, card, to);
  } else if (by && !event.shiftKey) {
    beside(event.currentTarget as HTMLElement, by)?.focus();
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const cards = [...(event.currentTarget as HTMLElement).parentElement!.querySelectorAll<HTMLElement>('.card')];
    cards[cards.indexOf(event.currentTarget as HTMLElement) + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
  } else if (event.key === 'Enter' || event.key === ' ') {
    open(page, card.id);
  } else {
    return;
  }
  event.preventDefault();
}

/** The first card of the next column that has any. */
function beside(card: HTMLElement, by: number): HTMLElement | undefined {
  const lanes = [...document.querySelectorAll<HTMLElement>('.lane')];
  const at = lanes.indexOf(card.closest<HTMLElement>('.lane')!);
  const others = by > 0 ? lanes.slice(at + 1) : lanes.slice(0, at).reverse();
  return others.map((lane) => lane.querySelector<HTMLElement>('.card')).find((first) => first !== null) ?? undefined;
}

export function open(page: Page, id: string): void {
  page.look({ project: id });
  void page.focusOn('.details h2');
}

/** Goes along the ways there are; where one needs more than a click, a form asks for it. */
export async function move(page: Page, project: Moved, to: ProjectStatus): Promise<void> {
  const transition = wayTo(page.state.ways, project.status, to);
  if (transition) await take(page, project, transition);
  else refuse(page, refusal(page.state.ways, project, to));
}

export async function take(page: Page, project: Moved, transition: Transition): Promise<void> {
  const { id: project_id, name } = project;
  page.error = '';
  if (transition === 'complete') {
    openForm(page, { kind: 'end', project_id, name, fields: { ...EMPTY_OUTCOME } }, '.form textarea');
  } else if (transition === 'abandon') {
    openForm(page, { kind: 'abandon', project_id, name, reason: '' }, '.form textarea');
  } else {
    const { error } = await page.ask({ type: 'move', project_id, transition });
    if (error !== undefined) return refuse(page, error);
    const to = page.state.ways[project.status].find((way) => way.transition === transition)?.to ?? project.status;
    page.announce(t('"{0}" is now in the column {1}', name, statusName(to)));
    return page.focusOn(cardSelector(project_id));
  }
}

export function refuse(page: Page, error: string): void {
  page.error = error;
  page.changed();
}
