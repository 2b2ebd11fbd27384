import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { checkLong, checkName } from '../records/checks';
import { given, type Plan, putting, type Writing } from '../records/writing';
import type { ProjectItem, ProjectRecord, ProjectTemplate, TaskRecord, TemplateTask } from '../records-model';
import { type Complexity, VISIBILITIES } from '../vocabulary';
import type { TemplateChanges } from '../workflows-model';
import { groupedBy } from './groups';
import { daysInWords, meanOf, rangeOf, spanning } from './ranges';
import { taskKey } from './tasks';

const MOST_TASKS = 500;
const MOST_RISKS = 200;

/** What a project says of itself, and no other project needs. */
const OWN =
  /^(owner|assignee|assigned_to|author|status|state|due|due_date|date|deadline|start|end|.*_(at|on|date)|comments?|notes?)$/i;

/**
 * What generalises of a project, as a template: names, structure, phases, checkpoints, risks, and hours and days (those
 * that it took, where they were captured). Dates, people, states and comments stay behind, and so do tasks that were
 * skipped. Under the name of a template that was abstracted from other projects of the same type, and that no more people
 * see than the project, it becomes one of them: tasks and risks are brought together, ranges hold all. Throws `unknown_project`, and `invalid_project` for one that was
 * abandoned.
 */
export function planTemplate(
  input: { project_id: string; template_name: string; generalization_notes?: string | undefined },
  writing: Writing,
): Plan {
  const project = writing.require('project', input.project_id);
  if (project.status === 'abandoned') {
    throw new KaizenError(
      'invalid_project',
      sentence('The project "{0}" was abandoned: it shows no way that works.', project.name),
      sentence('Capture a lesson of what went wrong with capture_lesson.'),
    );
  }
  const name = checkName(input.template_name, sentence('template name'));
  const existing = writing
    .all('template', { field: 'project_type', value: project.project_type })
    .find((template) => isSame(template, name) && isSeenByNoMore(template, project));
  const ids = [...new Set([...(existing?.abstracted_from_project_ids ?? []), project.id])];
  const projects = ids.flatMap((id) => (id === project.id ? project : (writing.find('project', id) ?? [])));
  const notes =
    checkLong(input.generalization_notes, sentence('generalization notes')) || existing?.generalization_notes;
  const template: ProjectTemplate = {
    ...(existing ?? begunTemplate(name, project, writing)),
    ...abstracted(projects, projects.length < ids.length ? existing : undefined),
    generalization_notes: notes,
    abstracted_from_project_ids: ids,
    updated_at: writing.at,
  };
  const hint =
    project.status === 'planning'
      ? `The project "${project.name}" is still in planning: nothing has shown yet that this works. Capture the template again when it is done.`
      : undefined;
  return { ...putting('template', template), hint };
}

/** Its name and description in a person's words. Throws `unknown_template`. */
export function planTemplateChange(template_id: string, changes: TemplateChanges, writing: Writing): Plan {
  const existing = writing.require('template', template_id);
  const said = given({
    name: changes.name === undefined ? undefined : checkName(changes.name, sentence('template name')),
    description:
      changes.description === undefined ? undefined : checkLong(changes.description, sentence('description')),
  });
  return putting('template', { ...existing, ...said, updated_at: writing.at });
}

/** One that a person wrote is left as it is. */
function isSame(template: ProjectTemplate, name: string): boolean {
  return !template.created_manually && taskKey(template.name) === taskKey(name);
}

/** What is personal to a project is not told by a template that others see. */
function isSeenByNoMore(template: ProjectTemplate, project: ProjectRecord): boolean {
  return VISIBILITIES.indexOf(template.visibility) <= VISIBILITIES.indexOf(project.visibility);
}

function begunTemplate(name: string, project: ProjectRecord, writing: Writing) {
  const { description, project_type, domain, visibility } = project;
  return {
    ...writing.begun('template', name),
    name,
    description,
    project_type,
    domain,
    visibility,
    owner: writing.person,
    created_manually: false,
    not_applicable_when: [],
  };
}

type Abstracted = Pick<
  ProjectTemplate,
  | 'tags'
  | 'task_template'
  | 'phase_template'
  | 'checkpoint_template'
  | 'risk_template'
  | 'typical_duration_range'
  | 'duration_days'
  | 'effort_hours'
  | 'typical_task_count'
  | 'complexity_level'
  | 'prerequisites'
  | 'applicable_when'
>;

/** `earlier`: the template as it was, where projects that it was abstracted from are gone. */
function abstracted(projects: readonly ProjectRecord[], earlier: ProjectTemplate | undefined): Abstracted {
  const tasks = projects.map(({ tasks }) => tasks.filter(({ status }) => status !== 'skipped'));
  const duration = spanning(rangeOf(projects.map(daysOf)), earlier?.duration_days);
  const union = (pick: (project: ProjectRecord) => readonly string[], before: readonly string[] = []) => [
    ...new Set([...before, ...projects.flatMap(pick)]),
  ];
  return {
    tags: union(({ tags }) => tags, earlier?.tags),
    task_template: merged(tasks.map(templateTasks), earlier?.task_template ?? []),
    phase_template: union(({ phases }) => phases, earlier?.phase_template),
    checkpoint_template: union(({ checkpoints }) => checkpoints, earlier?.checkpoint_template),
    risk_template: itemsOf(projects, earlier?.risk_template ?? []),
    duration_days: duration,
    typical_duration_range: duration && daysInWords(duration),
    effort_hours: spanning(
      rangeOf(projects.map((project) => project.actual_effort_hours ?? project.estimated_effort_hours)),
      earlier?.effort_hours,
    ),
    typical_task_count: Math.round(meanOf(tasks.map(({ length }) => length)) ?? 0),
    complexity_level: mostOften(tasks.flat().map((task) => task.actual_complexity ?? task.estimated_complexity)),
    prerequisites: union(
      ({ identified_dependencies }) => identified_dependencies.map(({ description }) => description),
      earlier?.prerequisites,
    ),
    applicable_when: inCommon(projects, earlier?.applicable_when),
  };
}

function daysOf({ actual_duration_days, estimated_duration_days }: ProjectRecord): number | undefined {
  return actual_duration_days ?? estimated_duration_days;
}

/** A task with names for ids, and hours as they were; what it waited for that was skipped is left out. */
function templateTasks(tasks: readonly TaskRecord[]): TemplateTask[] {
  const names = new Map(tasks.map(({ id, name }) => [id, name]));
  return tasks.map((task) => {
    const hours = task.actual_hours ?? task.estimated_hours;
    return {
      name: task.name,
      description: task.description,
      parent: task.parent_task_id && names.get(task.parent_task_id),
      phase: task.phase,
      estimated_hours: hours,
      hours_range: rangeOf([hours]),
      estimated_complexity: task.actual_complexity ?? task.estimated_complexity,
      depends_on: task.depends_on.flatMap((id) => names.get(id) ?? []),
      seen_in: 1,
    };
  });
}

/** Tasks of one name are one task; the order is that of the first project, with what others add after it. */
function merged(lists: readonly (readonly TemplateTask[])[], earlier: readonly TemplateTask[]): TemplateTask[] {
  const found = lists.flatMap((tasks, project) => tasks.map((task) => ({ task, project })));
  const groups = groupedBy([...earlier.map((task) => ({ task, project: -1 })), ...found], ({ task }) =>
    taskKey(task.name),
  );
  const tasks = [...groups.values()].map((group) => {
    const all = group.map(({ task }) => task);
    const now = group.filter(({ project }) => project >= 0);
    // What is known of projects that are gone counts where no other project had the task.
    const counted = now.length > 0 ? now.map(({ task }) => task) : all;
    return {
      name: all[0]!.name,
      description: all.map(({ description }) => description).find(Boolean) ?? '',
      parent: all.map(({ parent }) => parent).find(Boolean),
      phase: all.map(({ phase }) => phase).find(Boolean),
      estimated_hours: meanOf(counted.map(({ estimated_hours }) => estimated_hours)),
      hours_range: spanning(...all.map(({ hours_range }) => hours_range)),
      estimated_complexity: mostOften(counted.map(({ estimated_complexity }) => estimated_complexity)),
      depends_on: [...new Set(all.flatMap(({ depends_on }) => depends_on))],
      seen_in: Math.max(new Set(now.map(({ project }) => project)).size, ...earlierCount(group)),
    };
  });
  return withoutCircles(tasks.slice(0, MOST_TASKS));
}

function earlierCount(group: readonly { task: TemplateTask; project: number }[]): number[] {
  return group.filter(({ project }) => project < 0).map(({ task }) => task.seen_in);
}

/**
 * Each project's tasks have an order, but those of several may contradict each other: what comes later is left out where
 * it would close a circle. So is what names no task.
 */
function withoutCircles(tasks: readonly TemplateTask[]): TemplateTask[] {
  const names = new Map(tasks.map(({ name }) => [taskKey(name), name]));
  const waits = new Map<string, Set<string>>();
  const parents = new Map<string, Set<string>>();
  return tasks.map((task) => {
    const key = taskKey(task.name);
    const kept = task.depends_on.filter((name) => names.has(taskKey(name)) && joined(waits, key, taskKey(name)));
    const parent = task.parent;
    return {
      ...task,
      depends_on: [...new Set(kept.map((name) => names.get(taskKey(name))!))],
      parent: parent && names.has(taskKey(parent)) && joined(parents, key, taskKey(parent)) ? parent : undefined,
    };
  });
}

/** Adds a way from one to the other, unless that leads back already. */
function joined(ways: Map<string, Set<string>>, from: string, to: string): boolean {
  const seen = new Set<string>();
  const open = [to];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === from) return false;
    if (seen.has(at)) continue;
    seen.add(at);
    open.push(...(ways.get(at) ?? []));
  }
  const known = ways.get(from) ?? new Set();
  ways.set(from, known.add(to));
  return true;
}

/** Risks that are described alike are one; of whom they are and how they stand stays with the project. */
function itemsOf(projects: readonly ProjectRecord[], earlier: readonly ProjectItem[]): ProjectItem[] {
  const items = [...earlier, ...projects.flatMap(({ identified_risks }) => identified_risks)];
  return [...groupedBy(items, ({ description }) => taskKey(description)).values()]
    .map(([first]) => {
      const kept = Object.entries(first!).filter(([key]) => !OWN.test(key));
      return { ...Object.fromEntries(kept), description: first!.description };
    })
    .slice(0, MOST_RISKS);
}

/** What was given of all of them, and the same: `team_size: 2`. */
function inCommon(projects: readonly ProjectRecord[], earlier: readonly string[] | undefined): string[] {
  const said = projects.map(({ context_factors }) =>
    Object.entries(context_factors)
      .filter(([key]) => !OWN.test(key))
      .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`),
  );
  const lists = earlier ? [earlier, ...said] : said;
  return [...new Set(lists[0])].filter((each) => lists.every((list) => list.includes(each)));
}

function mostOften(values: readonly (Complexity | undefined)[]): Complexity | undefined {
  const groups = [
    ...groupedBy(
      values.filter((value) => value !== undefined),
      (value) => value,
    ).values(),
  ];
  return groups.sort((a, b) => b.length - a.length)[0]?.[0];
}
