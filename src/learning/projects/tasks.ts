import { KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import { checkCount, checkHours, checkLine, checkLong, checkName, checkOneOf, checkTexts } from '../records/checks';
import { given } from '../records/writing';
import type { TaskRecord } from '../records-model';
import { COMPLEXITIES, DEPENDENCY_TYPES, TASK_STATUSES } from '../vocabulary';
import type { TaskInput } from '../workflows-model';
import { groupedBy } from './groups';

const MOST_TASKS = 500;
const ID = /^task-(\d+)$/;
const NAMED_IN_A_HINT = 10;

/** By what tasks are told apart: case and white space do not count. */
export function taskKey(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase();
}

/**
 * The tasks of a project from what is said of them: names become ids, in the order given. A task that was there before,
 * by its name, keeps its id and whatever is not said anew. Throws `invalid_project`, naming the task, where one is meant
 * that is not there, several have the name that is meant, or tasks wait for or contain each other in a circle.
 */
export function tasksFrom(inputs: readonly TaskInput[], before: readonly TaskRecord[] = []): TaskRecord[] {
  checkCount(inputs, sentence('tasks'), MOST_TASKS);
  const known = groupedBy(before, ({ name }) => taskKey(name));
  let last = Math.max(0, ...before.map(({ id }) => Number(ID.exec(id)?.[1] ?? 0)));
  const drafts = inputs.map((input, at) => {
    const name = checkName(input.name, sentence('name of a task'));
    const task = known.get(taskKey(name))?.shift() ?? emptyTask(`task-${++last}`);
    return { ...task, ...saidOf(input), name, sequence_order: at };
  });
  const resolve = resolver(drafts);
  const tasks = drafts.map((task, at) => {
    const { parent_task, depends_on } = inputs[at]!;
    const parent = parent_task === undefined ? task.parent_task_id : parentOf(task, parent_task, resolve);
    const waitsFor = depends_on?.filter((name) => name.trim() !== '').map((name) => resolve(name, task, 'depends on'));
    return { ...task, parent_task_id: parent, depends_on: [...new Set(waitsFor ?? task.depends_on)] };
  });
  return withoutStrangers(tasks);
}

function parentOf(task: TaskRecord, name: string, resolve: Resolver): string | undefined {
  return name.trim() === '' ? undefined : resolve(name, task, 'is a part of');
}

/** What was kept of earlier tasks may name one that is gone now. */
function withoutStrangers(tasks: TaskRecord[]): TaskRecord[] {
  const ids = new Set(tasks.map(({ id }) => id));
  const kept = tasks.map((task) => ({
    ...task,
    parent_task_id: task.parent_task_id && ids.has(task.parent_task_id) ? task.parent_task_id : undefined,
    depends_on: task.depends_on.filter((id) => ids.has(id)),
  }));
  refuseCircles(kept);
  return kept;
}

function emptyTask(id: string): TaskRecord {
  return {
    id,
    name: '',
    description: '',
    sequence_order: 0,
    status: 'planned',
    blockers_encountered: [],
    depends_on: [],
  };
}

function saidOf(input: TaskInput): Partial<TaskRecord> {
  const { estimated_complexity, actual_complexity, status, dependency_type } = input;
  return given({
    description:
      input.description === undefined ? undefined : checkLong(input.description, sentence('description of a task')),
    phase: checkLine(input.phase, sentence('phase')),
    estimated_hours: checkHours(input.estimated_hours, sentence('estimated hours')),
    actual_hours: checkHours(input.actual_hours, sentence('actual hours')),
    estimated_complexity:
      estimated_complexity && checkOneOf(estimated_complexity, COMPLEXITIES, sentence('complexity')),
    actual_complexity: actual_complexity && checkOneOf(actual_complexity, COMPLEXITIES, sentence('complexity')),
    status: status && checkOneOf(status, TASK_STATUSES, sentence('status of a task')),
    completion_notes: checkLong(input.completion_notes, sentence('completion notes')) || undefined,
    blockers_encountered: input.blockers_encountered && checkTexts(input.blockers_encountered, sentence('blockers')),
    dependency_type: dependency_type && checkOneOf(dependency_type, DEPENDENCY_TYPES, sentence('type of dependency')),
  });
}

/** How a task stands to another. */
type Says = 'depends on' | 'is a part of';

type Resolver = (name: string, task: TaskRecord, says: Says) => string;

/** Finds the id of the task that is meant by a name, or by an id. */
function resolver(tasks: readonly TaskRecord[]): Resolver {
  const byKey = groupedBy(tasks, ({ name }) => taskKey(name));
  const ids = new Set(tasks.map(({ id }) => id));
  return (name, task, says) => {
    const meant = byKey.get(taskKey(name)) ?? [];
    if (meant.length === 1) return meant[0]!.id;
    const id = name.trim();
    if (meant.length === 0 && ids.has(id)) return id;
    if (meant.length > 1) {
      throw new KaizenError(
        'invalid_project',
        says === 'depends on'
          ? sentence('The task "{0}" depends on "{1}", and {2} tasks have that name.', task.name, id, meant.length)
          : sentence('The task "{0}" is a part of "{1}", and {2} tasks have that name.', task.name, id, meant.length),
        sentence('Give them different names.'),
      );
    }
    const names = tasks.slice(0, NAMED_IN_A_HINT).map(({ name }) => `"${name}"`);
    throw new KaizenError(
      'invalid_project',
      says === 'depends on'
        ? sentence('The task "{0}" depends on "{1}", which is no task of the project.', task.name, id)
        : sentence('The task "{0}" is a part of "{1}", which is no task of the project.', task.name, id),
      sentence('Its tasks are {0}{1}.', names.join(', '), tasks.length > names.length ? ', …' : ''),
    );
  };
}

/** Throws `invalid_project` with the tasks of the first circle in which tasks wait for or contain each other. */
export function refuseCircles(tasks: readonly TaskRecord[]): void {
  refuseCircle(
    tasks,
    ({ depends_on }) => depends_on,
    (circle) => sentence('Tasks wait for each other in a circle: {0}.', circle),
  );
  refuseCircle(
    tasks,
    ({ parent_task_id }) => (parent_task_id ? [parent_task_id] : []),
    (circle) => sentence('Tasks are parts of each other in a circle: {0}.', circle),
  );
}

function refuseCircle(
  tasks: readonly TaskRecord[],
  next: (task: TaskRecord) => readonly string[],
  saying: (circle: string) => Sentence,
): void {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const done = new Set<string>();
  const visit = (task: TaskRecord, trail: readonly TaskRecord[]): void => {
    if (done.has(task.id)) return;
    const began = trail.indexOf(task);
    if (began >= 0) {
      const circle = [...trail.slice(began), task].map(({ name }) => `"${name}"`).join(' → ');
      throw new KaizenError('invalid_project', saying(circle), sentence('Break it up.'));
    }
    for (const id of next(task)) visit(byId.get(id)!, [...trail, task]);
    done.add(task.id);
  };
  for (const task of tasks) visit(task, []);
}
