import * as vscode from 'vscode';
import { type ContinuityPart, TASK_STATES, type TaskName, type TaskState } from '../../continuity';
import { stateText } from '../task-state';
import { keep, pick, type Step } from './multi-step';

/** A task with all that is known of it. */
export interface Task extends TaskName {
  state: TaskState;
  /** The status, or what blocks it. */
  note: string | null;
}

/** The tasks of a project: in progress, blocked, completed ones. */
export function tasksOf(continuity: ContinuityPart, projectId: string): Task[] {
  const { in_progress_tasks, blocked_tasks, completed_tasks } = continuity.getProgressStatus(projectId);
  return [
    ...in_progress_tasks.map(
      ({ name, domain, status }): Task => ({ name, domain, state: 'in_progress', note: status }),
    ),
    ...blocked_tasks.map(({ name, domain, blocker }): Task => ({ name, domain, state: 'blocked', note: blocker })),
    ...completed_tasks.map(({ name, domain }): Task => ({ name, domain, state: 'completed', note: null })),
  ];
}

/** The task that a line of a tree stands for: it says so itself or in one of its parts. */
export function taskNamed(node: unknown): TaskName | undefined {
  const candidates = [node, ...(isRecord(node) ? Object.values(node) : [])].filter(isRecord);
  for (const { name, domain } of candidates) {
    if (typeof name !== 'string') continue;
    if (typeof domain === 'string' || domain === null || domain === undefined) return { name, domain: domain ?? null };
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export function isTask(task: Task, { name, domain }: TaskName): boolean {
  return task.name === name && task.domain === domain;
}

/** The text of a task in the field that belongs to its state. */
export function noteOf(state: TaskState, text: string): { status?: string; blocker?: string } {
  if (state === 'completed') return {};
  return state === 'blocked' ? { blocker: text } : { status: text };
}

/** Lines of a quick pick, under the states that the tasks are in. */
export function taskItems(tasks: readonly Task[]): (vscode.QuickPickItem & { value: Task })[] {
  return TASK_STATES.flatMap((state) =>
    tasks
      .filter((task) => task.state === state)
      .map((task) => ({
        label: task.name,
        description: [stateText(state), task.domain].filter(Boolean).join(' · '),
        ...(task.note ? { detail: task.note } : {}),
        value: task,
      })),
  );
}

/**
 * Asks for the domain of tasks or of a session: one that is known, a new one or none.
 * @param proposed the one that the other answers suggest
 */
export function askDomain<State extends { domain: string }>(
  continuity: ContinuityPart,
  projectId: string,
  proposed: (state: Partial<State>) => string | undefined = () => undefined,
): Step<State> {
  return async (state, place) => {
    const named = [...tasksOf(continuity, projectId), ...continuity.getSessionHistory(projectId, 100)];
    const domains = [...new Set(named.flatMap(({ domain }) => domain ?? []))].sort((a, b) => a.localeCompare(b));
    const answer = await pick({
      ...place,
      placeholder: vscode.l10n.t('Domain, for example backend-api: pick one or type a new one'),
      items: [
        { label: vscode.l10n.t('No domain'), value: '' },
        ...domains.map((domain) => ({ label: domain, value: domain })),
      ],
      active: (domain) => domain === (state.domain ?? proposed(state)),
      fromText: { label: (text) => vscode.l10n.t('New domain "{0}"', text), value: (text) => text },
    });
    return keep(answer, (domain) => Object.assign(state, { domain }));
  };
}
