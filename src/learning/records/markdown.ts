import { daysInWords } from '../projects/ranges';
import type {
  Decision,
  LearnedRecords,
  Lesson,
  Pattern,
  ProjectItem,
  ProjectRecord,
  ProjectTemplate,
  Range,
  TaskRecord,
  TemplateTask,
} from '../records-model';
import type { LearnedKind } from '../vocabulary';
import { titleOf } from './kinds';

type Part = string | undefined;

/**
 * A captured record as Markdown, for resources, the editor and search. What has no value is left out. What the record
 * says itself stands as it is.
 */
export function recordMarkdown<K extends LearnedKind>(kind: K, record: LearnedRecords[K]): string {
  const parts = [`# ${titleOf(record)}`, ...PARTS[kind](record)];
  return `${parts.filter((part) => part !== undefined && part.trim() !== '').join('\n\n')}\n`;
}

/**
 * What the record says, as search reads it: without its facts, which are facets or headings there. Whoever asks for low
 * tide does not ask for low severity.
 */
export function recordProse<K extends LearnedKind>(kind: K, record: LearnedRecords[K]): string {
  const [, ...said] = PARTS[kind](record);
  return said.filter((part) => part !== undefined && part.trim() !== '').join('\n\n');
}

/** The facts come first. */
const PARTS: { readonly [K in LearnedKind]: (record: LearnedRecords[K]) => Part[] } = {
  project: projectParts,
  template: templateParts,
  pattern: patternParts,
  decision: decisionParts,
  lesson: lessonParts,
};

function projectParts(project: ProjectRecord): Part[] {
  return [
    fields({
      State: project.status,
      Outcome: project.outcome_status,
      Type: project.project_type,
      Domain: project.domain,
      Tags: project.tags.join(', '),
      Started: day(project.start_date),
      Ended: day(project.end_date),
      Duration: estimated(project.estimated_duration_days, project.actual_duration_days, 'days'),
      Effort: estimated(project.estimated_effort_hours, project.actual_effort_hours, 'hours'),
      'Success rating': project.success_rating,
      'From the template': project.source_template_id,
    }),
    project.description,
    section('Outcome', project.outcome_summary),
    list('Tasks', taskLines(project.tasks)),
    list('Phases', project.phases),
    list('Checkpoints', project.checkpoints),
    list('Risks', project.identified_risks.map(itemLine)),
    list('Dependencies', project.identified_dependencies.map(itemLine)),
    list('Constraints', project.constraints_applied.map(itemLine)),
    list('Lessons learned', project.lessons_learned),
    list('What worked', project.what_worked),
    list("What didn't work", project.what_didnt_work),
    list('Changes to the template', project.template_modifications),
    list('Context', factorLines(project.context_factors)),
    list(
      'History',
      project.status_history.map(({ from_status, to_status, timestamp, author, reason }) =>
        `${day(timestamp)}: ${from_status} → ${to_status}, by ${author}${reason ? `: ${reason}` : ''}`.trim(),
      ),
    ),
  ];
}

function templateParts(template: ProjectTemplate): Part[] {
  const { duration_days, effort_hours } = template;
  return [
    fields({
      Type: template.project_type,
      Domain: template.domain,
      Tags: template.tags.join(', '),
      Duration: template.typical_duration_range ?? (duration_days && daysInWords(duration_days)),
      Effort: effort_hours && rangeWords(effort_hours, 'hours'),
      'Tasks as a rule': template.typical_task_count || undefined,
      Complexity: template.complexity_level,
      'Abstracted from': template.abstracted_from_project_ids.join(', '),
    }),
    template.description,
    list('Tasks', templateLines(template)),
    list('Phases', template.phase_template),
    list('Checkpoints', template.checkpoint_template),
    list('Risks', template.risk_template.map(itemLine)),
    list('Prerequisites', template.prerequisites),
    list('Applies when', template.applicable_when),
    list('Does not apply when', template.not_applicable_when),
    section('How it was generalised', template.generalization_notes),
  ];
}

function patternParts(pattern: Pattern): Part[] {
  return [
    fields({
      Type: pattern.pattern_type.replaceAll('_', ' '),
      Domain: pattern.domain,
      Severity: pattern.severity,
      Standard: [pattern.source_standard, pattern.source_clause].filter(Boolean).join(', '),
    }),
    pattern.description,
    list('Indicators', pattern.indicators),
    list('Consequences', pattern.consequences),
    list('Root causes', pattern.root_causes),
    list('Mitigations', pattern.mitigations),
    list('Benefits', pattern.benefits),
    list('Prerequisites', pattern.prerequisites),
    list('Examples', pattern.examples),
  ];
}

function decisionParts(decision: Decision): Part[] {
  return [
    fields({
      Date: day(decision.decision_date),
      Domain: decision.domain,
      Tags: decision.tags.join(', '),
      Project: decision.project_id,
    }),
    decision.decision,
    section('Context', decision.context),
    section('Rationale', decision.rationale),
    list('Criteria', decision.criteria),
    list(
      'Alternatives',
      decision.alternatives.map(({ name, description, why_not }) =>
        [description ? `${name}: ${description}` : name, why_not && `Not chosen: ${why_not}`]
          .filter(Boolean)
          .join(' — '),
      ),
    ),
    list('Consequences', decision.consequences),
  ];
}

function lessonParts(lesson: Lesson): Part[] {
  return [
    fields({ Type: lesson.project_type, Domain: lesson.domain, Project: lesson.project_id }),
    lesson.lesson,
    section('Context', lesson.context),
    section('Recommendation', lesson.recommendation),
    list('Sources', lesson.sources),
  ];
}

function fields(values: Readonly<Record<string, string | number | undefined>>): Part {
  const lines = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return lines.map(([name, value]) => `- ${name}: ${value}`).join('\n');
}

function section(name: string, text: string | undefined): Part {
  return text ? `## ${name}\n\n${text}` : undefined;
}

/** Lines that begin with white space stand below the one before them. */
function list(name: string, items: readonly string[]): Part {
  if (items.length === 0) return undefined;
  const lines = items.map((item) => {
    const indent = /^ */.exec(item)![0];
    const text = item.slice(indent.length).replace(/\s*\n\s*/g, `\n${indent}  `);
    return `${indent}- ${text}`;
  });
  return `## ${name}\n\n${lines.join('\n')}`;
}

function itemLine({ description, ...more }: ProjectItem): string {
  const rest = Object.entries(more).filter(([, value]) => value !== description && value !== null && value !== '');
  return [description, ...rest.map(([key, value]) => `${key}: ${plain(value)}`)].join('; ');
}

function factorLines(factors: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(factors).map(([key, value]) => `${key}: ${plain(value)}`);
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Tasks below those that they are parts of. */
function taskLines(tasks: readonly TaskRecord[]): string[] {
  const names = new Map(tasks.map(({ id, name }) => [id, name]));
  return outline(tasks, {
    keyOf: ({ id }) => id,
    parentOf: ({ parent_task_id }) => parent_task_id,
    lineOf: (task) =>
      line(task.name, [
        task.status === 'planned' ? '' : task.status.replace('_', ' '),
        task.phase && `phase ${task.phase}`,
        estimated(task.estimated_hours, task.actual_hours, 'h'),
        waitsFor(task.depends_on.map((id) => names.get(id) ?? id)),
        task.description,
        task.completion_notes,
        task.blockers_encountered.length > 0 ? `blocked by: ${task.blockers_encountered.join('; ')}` : '',
      ]),
  });
}

function templateLines({ task_template, abstracted_from_project_ids }: ProjectTemplate): string[] {
  const projects = abstracted_from_project_ids.length;
  return outline(task_template, {
    keyOf: ({ name }) => name,
    parentOf: ({ parent }) => parent,
    lineOf: (task: TemplateTask) =>
      line(task.name, [
        task.phase && `phase ${task.phase}`,
        hoursOf(task),
        projects > 1 ? `in ${task.seen_in} of ${projects} projects` : '',
        waitsFor(task.depends_on),
        task.description,
      ]),
  });
}

function hoursOf({ estimated_hours, hours_range }: TemplateTask): Part {
  if (hours_range && hours_range.from < hours_range.to) return rangeWords(hours_range, 'h');
  return estimated_hours === undefined ? undefined : `${estimated_hours} h`;
}

function line(name: string, more: readonly Part[]): string {
  const said = more.filter(Boolean);
  return said.length > 0 ? `${name} (${said.join('; ')})` : name;
}

function waitsFor(names: readonly string[]): Part {
  return names.length > 0 ? `after ${names.join(', ')}` : undefined;
}

interface Outline<T> {
  keyOf(item: T): string;
  parentOf(item: T): string | undefined;
  lineOf(item: T): string;
}

function outline<T>(items: readonly T[], { keyOf, parentOf, lineOf }: Outline<T>): string[] {
  const keys = new Set(items.map(keyOf));
  const children = new Map<string | undefined, T[]>();
  for (const item of items) {
    const parent = parentOf(item);
    const above = parent !== undefined && keys.has(parent) ? parent : undefined;
    children.set(above, [...(children.get(above) ?? []), item]);
  }
  const lines: string[] = [];
  const visit = (parent: string | undefined, depth: number): void => {
    for (const item of children.get(parent) ?? []) {
      lines.push(`${'  '.repeat(depth)}${lineOf(item)}`);
      visit(keyOf(item), depth + 1);
    }
  };
  visit(undefined, 0);
  return lines;
}

function estimated(estimate: number | undefined, actual: number | undefined, unit: string): Part {
  if (actual === undefined) return estimate === undefined ? undefined : `${estimate} ${unit} estimated`;
  return estimate === undefined ? `${actual} ${unit}` : `${actual} ${unit}, ${estimate} estimated`;
}

function rangeWords({ from, to }: Range, unit: string): string {
  return from === to ? `${to} ${unit}` : `${from}-${to} ${unit}`;
}

function day(time: string | undefined): Part {
  return time?.slice(0, 10);
}
