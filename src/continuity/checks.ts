import { KaizenError } from '../core/errors';
import { type Sentence, sentence } from '../core/sentence';
import { checkText, checkTrimmed } from '../core/text';
import { TASK_STATES, type TaskInput } from './model';

/** How many items a list may have. */
export const MAX_LIST = 200;

export function checkSummary(summary: string): string {
  return checkTrimmed(summary, { name: sentence('summary'), min: 1, max: 16_384 });
}

export function checkCompleted(tasks: readonly string[]): string[] {
  return checkList(tasks, sentence('completed task'), 500);
}

export function checkTechStack(items: readonly string[]): string[] {
  return checkList(items, sentence('tech stack'), 500);
}

export function checkCompliance(items: readonly string[]): string[] {
  return checkList(items, sentence('compliance'), 500);
}

export function checkConstraints(items: readonly string[]): string[] {
  return checkList(items, sentence('key constraint'), 1_000);
}

export function checkAuthor(author: string): string {
  return checkText(author, { name: sentence('author'), max: 200, singleLine: true });
}

export function checkTask(task: TaskInput): TaskInput {
  if (!TASK_STATES.includes(task.state)) {
    throw new KaizenError(
      'invalid_argument',
      sentence('"{0}" is not a state of a task.', task.state),
      sentence('Use one of {0}.', TASK_STATES.join(', ')),
    );
  }
  return {
    name: checkTrimmed(task.name, { name: sentence('task name'), min: 1, max: 500, singleLine: true }),
    domain: optionalLine(task.domain, sentence('domain')) ?? undefined,
    state: task.state,
    status: given(task.status, sentence('status')),
    blocker: given(task.blocker, sentence('blocker')),
  };
}

function checkList(items: readonly string[], name: Sentence, max: number): string[] {
  if (items.length > MAX_LIST) {
    throw new KaizenError(
      'invalid_argument',
      sentence('There are {0} items in {1}; the limit is {2}.', items.length, name, MAX_LIST),
    );
  }
  return items.map((item) => checkTrimmed(item, { name, min: 1, max, singleLine: true }));
}

/** An empty text says something else than none: it removes what is there. */
function given(text: string | undefined, name: Sentence): string | undefined {
  return text === undefined ? undefined : (optionalText(text, name) ?? '');
}

/** Null stands for "none was given", and so does white space. */
export function optionalLine(text: string | null | undefined, name: Sentence): string | null {
  return text === undefined || text === null ? null : checkTrimmed(text, { name, max: 500, singleLine: true }) || null;
}

/** As `optionalLine`, with line breaks and longer. */
export function optionalText(text: string | null | undefined, name: Sentence): string | null {
  return text === undefined || text === null ? null : checkText(text.trim(), { name, max: 8_192 }) || null;
}
