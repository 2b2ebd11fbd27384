import { type Sentence, sentence } from '../../core/sentence';
import {
  checkDays,
  checkFree,
  checkHours,
  checkItems,
  checkLine,
  checkLong,
  checkName,
  checkTags,
  checkTexts,
  checkVisibility,
} from '../records/checks';
import { given, type Plan, putting, type Writing } from '../records/writing';
import type { ProjectRecord, ProjectTemplate, TaskRecord } from '../records-model';
import type { ProjectInput } from '../workflows-model';
import { modificationsOf, taskInputsOf } from './from-template';
import { tasksFrom } from './tasks';

const NO_KIND = 'general';

/**
 * A new project, in planning. What is not said of one that follows a template is taken from that; how its tasks differ
 * from the template's is told where nobody tells it. Throws `unknown_template`, `invalid_project`.
 */
export function planProject(input: ProjectInput, writing: Writing): Plan {
  const name = checkName(input.name, sentence('name'));
  const template = templateOf(input, writing);
  const tasks = tasksFrom(input.tasks ?? (template ? taskInputsOf(template) : []));
  const project: ProjectRecord = {
    ...writing.begun('project', name),
    name,
    description: '',
    project_type: template?.project_type ?? NO_KIND,
    domain: template?.domain ?? NO_KIND,
    tags: [],
    visibility: 'personal',
    owner: writing.person,
    context_factors: {},
    phases: phasesOf(template?.phase_template ?? [], tasks),
    checkpoints: template?.checkpoint_template ?? [],
    identified_risks: template?.risk_template ?? [],
    identified_dependencies: [],
    constraints_applied: [],
    status: 'planning',
    status_history: [],
    lessons_learned: [],
    what_worked: [],
    what_didnt_work: [],
    source_template_id: template?.id,
    template_modifications: template ? modificationsOf(template, tasks) : [],
    ...saidOf(input),
    tasks,
  };
  return { ...putting('project', project), used: template ? [template.id] : [] };
}

/** What is given takes the place of what was there. Throws `unknown_project` and what `planProject` throws. */
export function planUpdate(projectId: string, input: Partial<ProjectInput>, writing: Writing): Plan {
  const before = writing.require('project', projectId);
  const template = templateOf(input, writing);
  const tasks = input.tasks ? tasksFrom(input.tasks, before.tasks) : before.tasks;
  const follows = template ?? templateOfProject(before, writing);
  const differs = (input.tasks || template) && follows && modificationsOf(follows, tasks);
  const project: ProjectRecord = {
    ...before,
    phases: phasesOf(before.phases, tasks),
    ...(differs ? { template_modifications: differs } : {}),
    ...saidOf(input),
    ...given({ name: input.name === undefined ? undefined : checkName(input.name, sentence('name')) }),
    ...given({ source_template_id: template?.id }),
    tasks,
    updated_at: writing.at,
  };
  const isNew = template && template.id !== before.source_template_id;
  return { ...putting('project', project), used: isNew ? [template.id] : [] };
}

/** Everything that is said of a project but its name, its tasks and its template. */
function saidOf(input: Partial<ProjectInput>): Partial<ProjectRecord> {
  const texts = (items: readonly string[] | undefined, what: Sentence) => items && checkTexts(items, what, 500);
  const items = (given: readonly unknown[] | undefined, what: Sentence) => given && checkItems(given, what);
  return given({
    description: input.description === undefined ? undefined : checkLong(input.description, sentence('description')),
    project_type: checkLine(input.project_type, sentence('project type')),
    domain: checkLine(input.domain, sentence('domain')),
    tags: input.tags && checkTags(input.tags),
    visibility: input.visibility && checkVisibility(input.visibility),
    context_factors: input.context_factors && checkFree(input.context_factors, sentence('context factors')),
    phases: texts(input.phases, sentence('phases')),
    checkpoints: texts(input.checkpoints, sentence('checkpoints')),
    identified_risks: items(input.identified_risks, sentence('identified risks')),
    identified_dependencies: items(input.identified_dependencies, sentence('identified dependencies')),
    constraints_applied: items(input.constraints_applied, sentence('constraints')),
    estimated_duration_days: checkDays(input.estimated_duration_days, sentence('estimated duration')),
    estimated_effort_hours: checkHours(input.estimated_effort_hours, sentence('estimated effort')),
    template_modifications: texts(input.template_modifications, sentence('template modifications')),
  });
}

/** Those that tasks are in are phases, too. */
function phasesOf(phases: readonly string[], tasks: readonly TaskRecord[]): string[] {
  return [...new Set([...phases, ...tasks.flatMap(({ phase }) => phase ?? [])])];
}

/** Throws `unknown_template`. */
function templateOf({ source_template_id }: Partial<ProjectInput>, writing: Writing): ProjectTemplate | undefined {
  return source_template_id === undefined ? undefined : writing.require('template', source_template_id);
}

/** Undefined when it was deleted since. */
function templateOfProject({ source_template_id }: ProjectRecord, writing: Writing): ProjectTemplate | undefined {
  return source_template_id === undefined ? undefined : writing.find('template', source_template_id);
}
