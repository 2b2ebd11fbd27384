import type { ProjectTemplate, TaskRecord } from '../records-model';
import type { TaskInput } from '../workflows-model';
import { taskKey } from './tasks';

/** The template's tasks, to begin a project with. */
export function taskInputsOf({ task_template }: ProjectTemplate): TaskInput[] {
  return task_template.map(
    ({ name, description, parent, phase, estimated_hours, estimated_complexity, depends_on }) => ({
      name,
      description,
      parent_task: parent,
      phase,
      estimated_hours,
      estimated_complexity,
      depends_on,
    }),
  );
}

/** In what the project's tasks differ from the template's: a sentence for each that was added or left out. */
export function modificationsOf(template: ProjectTemplate, tasks: readonly TaskRecord[]): string[] {
  const known = new Set(template.task_template.map(({ name }) => taskKey(name)));
  const there = new Set(tasks.map(({ name }) => taskKey(name)));
  return [
    ...tasks.filter(({ name }) => !known.has(taskKey(name))).map(({ name }) => `Added the task "${name}".`),
    ...template.task_template
      .filter(({ name }) => !there.has(taskKey(name)))
      .map(({ name }) => `Left out the task "${name}".`),
  ];
}
