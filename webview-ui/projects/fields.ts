import type { ProjectRecord } from '../../src/learning/records-model';
import type { OutcomeStatus, Visibility } from '../../src/learning/vocabulary';
import type { OutcomeAnswer, PlanInput } from '../protocol/projects';

/** What is in the form of a plan. */
export interface PlanFields {
  name: string;
  type: string;
  domain: string;
  description: string;
  visibility: Visibility;
  days: string;
  hours: string;
  /** One a line: `name (8 h)`. */
  tasks: string;
  /** The id of a template; empty for none. */
  template: string;
}

/** What is in the form of an outcome. */
export interface OutcomeFields {
  status: OutcomeStatus;
  summary: string;
  days: string;
  hours: string;
  /** 1 to 5; empty where nothing is said. */
  rating: string;
  lessons: string;
  worked: string;
  failed: string;
}

export const EMPTY_PLAN: PlanFields = {
  name: '',
  type: '',
  domain: '',
  description: '',
  visibility: 'personal',
  days: '',
  hours: '',
  tasks: '',
  template: '',
};

export const EMPTY_OUTCOME: OutcomeFields = {
  status: 'completed',
  summary: '',
  days: '',
  hours: '',
  rating: '',
  lessons: '',
  worked: '',
  failed: '',
};

/** A number of 0 or more as people write it, with a point or a comma; undefined for nothing, null for anything else. */
export function amountIn(text: string): number | undefined | null {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return /^\d+([.,]\d+)?$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : null;
}

export function linesIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Hours in brackets at the end: `(8 h)`, `(2,5h)`, `(3 hours)`, `(4 Std.)`. */
const HOURS = /\s*\((\d+(?:[.,]\d+)?)\s*(?:h|hrs?|hours?|std\.?|stunden?)\)$/i;

/** Tasks, one a line, with the hours that are estimated in brackets behind it. */
export function tasksIn(text: string): { name: string; estimated_hours?: number }[] {
  return linesIn(text).map((line) => {
    const hours = HOURS.exec(line);
    const name = hours ? line.slice(0, hours.index) : line;
    // Brackets alone are a name.
    if (!hours || name === '') return { name: line };
    return { name, estimated_hours: Number(hours[1]!.replace(',', '.')) };
  });
}

/** As `tasksIn` reads them. */
export function taskLines(tasks: readonly { name: string; estimated_hours?: number | undefined }[]): string {
  return tasks
    .map(({ name, estimated_hours: hours }) => (hours === undefined ? name : `${name} (${hours} h)`))
    .join('\n');
}

export function planFieldsOf(project: ProjectRecord): PlanFields {
  return {
    name: project.name,
    type: project.project_type,
    domain: project.domain,
    description: project.description,
    visibility: project.visibility,
    days: String(project.estimated_duration_days ?? ''),
    hours: String(project.estimated_effort_hours ?? ''),
    tasks: taskLines(project.tasks),
    template: '',
  };
}

/** Which field cannot be read; undefined when all can. */
export function faultyPlan({ name, days, hours }: PlanFields): 'name' | 'days' | 'hours' | undefined {
  if (name.trim() === '') return 'name';
  if (amountIn(days) === null) return 'days';
  return amountIn(hours) === null ? 'hours' : undefined;
}

/**
 * What the fields say. What is empty is not said, so that a template can say it.
 * @param tasksBefore what stood in the field of the tasks at first: as long as it is that, nothing is said of them
 */
export function planOf(fields: PlanFields, tasksBefore = ''): PlanInput {
  const said = (text: string) => (text.trim() === '' ? undefined : text.trim());
  const isNew = tasksBefore === '';
  const description = fields.description.trim();
  return withoutGaps({
    name: fields.name.trim(),
    project_type: said(fields.type),
    domain: said(fields.domain),
    description: isNew ? said(description) : description,
    visibility: fields.visibility,
    estimated_duration_days: amountIn(fields.days) ?? undefined,
    estimated_effort_hours: amountIn(fields.hours) ?? undefined,
    tasks: fields.tasks.trim() === tasksBefore.trim() ? undefined : tasksIn(fields.tasks),
    source_template_id: said(fields.template),
  });
}

/** Which field cannot be read or is needed; undefined when all is there. */
export function faultyOutcome({
  status,
  summary,
  days,
  hours,
}: OutcomeFields): 'summary' | 'days' | 'hours' | undefined {
  if (status === 'abandoned' && summary.trim() === '') return 'summary';
  if (amountIn(days) === null) return 'days';
  return amountIn(hours) === null ? 'hours' : undefined;
}

export function outcomeOf(fields: OutcomeFields): OutcomeAnswer {
  const rating = Number(fields.rating);
  return withoutGaps({
    status: fields.status,
    outcome_summary: fields.summary.trim() || undefined,
    actual_duration_days: amountIn(fields.days) ?? undefined,
    actual_effort_hours: amountIn(fields.hours) ?? undefined,
    // 1 to 5 are the ends and quarters of what a rating can be.
    success_rating: fields.rating === '' ? undefined : (rating - 1) / 4,
    lessons_learned: linesIn(fields.lessons),
    what_worked: linesIn(fields.worked),
    what_didnt_work: linesIn(fields.failed),
  });
}

/** A message may hold no `undefined` where a number or a text is to be. */
function withoutGaps<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;
}
