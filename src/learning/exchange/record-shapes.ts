import type {
  Decision,
  LearnedRecords,
  Lesson,
  Pattern,
  ProjectItem,
  ProjectRecord,
  ProjectTemplate,
  Range,
  StatusChange,
  TaskRecord,
  TemplateTask,
} from '../records-model';
import {
  COMPLEXITIES,
  DEPENDENCY_TYPES,
  type LearnedKind,
  OUTCOME_STATUSES,
  PATTERN_DOMAINS,
  PATTERN_TYPES,
  PROJECT_STATUSES,
  SEVERITIES,
  TASK_STATUSES,
  TRANSITIONS,
  VISIBILITIES,
} from '../vocabulary';
import { type Fields, flag, free, id, list, maybe, number, object, oneOf, type Shape, text, time } from './shapes';

const name = text(200, { min: 1, singleLine: true });
const line = text(500, { singleLine: true });
const long = text(16_384);
const given = text(16_384, { min: 1 });
const texts = list(text(4_000), 500);
const tags = list(text(100, { min: 1, singleLine: true }), 50);
const days = maybe(number(36_500));
const hours = maybe(number(1_000_000));

const item: Shape<ProjectItem> = (value, where) => {
  const read = free(8_192)(value, where);
  return { ...read, description: text(4_000, { min: 1 })(read.description, `${where}.description`) };
};
const items = list(item, 200);

const range: Shape<Range> = object<Range>({ from: number(1_000_000), to: number(1_000_000) });

const begun: Fields<Pick<Lesson, 'id' | 'created_at' | 'updated_at' | 'author'>> = {
  id,
  created_at: time,
  updated_at: time,
  author: text(200, { singleLine: true }),
};

const owned: Fields<Pick<Lesson, 'visibility' | 'owner'>> = { visibility: oneOf(VISIBILITIES), owner: maybe(line) };

const task: Shape<TaskRecord> = object<TaskRecord>({
  id,
  name,
  description: long,
  parent_task_id: maybe(id),
  sequence_order: number(10_000),
  phase: maybe(line),
  estimated_hours: hours,
  actual_hours: hours,
  estimated_complexity: maybe(oneOf(COMPLEXITIES)),
  actual_complexity: maybe(oneOf(COMPLEXITIES)),
  status: oneOf(TASK_STATUSES),
  completion_notes: maybe(long),
  blockers_encountered: texts,
  depends_on: list(id, 500),
  dependency_type: maybe(oneOf(DEPENDENCY_TYPES)),
});

const statusChange: Shape<StatusChange> = object<StatusChange>({
  from_status: oneOf(PROJECT_STATUSES),
  to_status: oneOf(PROJECT_STATUSES),
  transition: oneOf(TRANSITIONS),
  timestamp: time,
  reason: long,
  author: text(200, { singleLine: true }),
});

const project: Shape<ProjectRecord> = object<ProjectRecord>({
  ...begun,
  ...owned,
  name,
  description: long,
  project_type: line,
  domain: line,
  tags,
  context_factors: free(8_192),
  tasks: list(task, 500),
  phases: texts,
  checkpoints: texts,
  identified_risks: items,
  identified_dependencies: items,
  constraints_applied: items,
  estimated_duration_days: days,
  estimated_effort_hours: hours,
  actual_duration_days: days,
  actual_effort_hours: hours,
  start_date: maybe(time),
  end_date: maybe(time),
  status: oneOf(PROJECT_STATUSES),
  status_history: list(statusChange, 10_000),
  outcome_status: maybe(oneOf(OUTCOME_STATUSES)),
  outcome_summary: maybe(long),
  success_rating: maybe(number(1)),
  lessons_learned: texts,
  what_worked: texts,
  what_didnt_work: texts,
  source_template_id: maybe(id),
  template_modifications: texts,
  completed_at: maybe(time),
});

const templateTask: Shape<TemplateTask> = object<TemplateTask>({
  name,
  description: long,
  parent: maybe(name),
  phase: maybe(line),
  estimated_hours: hours,
  hours_range: maybe(range),
  estimated_complexity: maybe(oneOf(COMPLEXITIES)),
  depends_on: list(name, 500),
  seen_in: number(10_000),
});

const template: Shape<ProjectTemplate> = object<ProjectTemplate>({
  ...begun,
  ...owned,
  name,
  description: long,
  project_type: line,
  domain: line,
  tags: list(text(100, { min: 1, singleLine: true }), 500),
  task_template: list(templateTask, 500),
  phase_template: list(text(4_000), 5_000),
  checkpoint_template: list(text(4_000), 5_000),
  risk_template: items,
  typical_duration_range: maybe(line),
  duration_days: maybe(range),
  effort_hours: maybe(range),
  typical_task_count: maybe(number(10_000)),
  complexity_level: maybe(oneOf(COMPLEXITIES)),
  prerequisites: list(text(4_000), 5_000),
  applicable_when: list(text(8_192), 1_000),
  not_applicable_when: texts,
  abstracted_from_project_ids: list(id, 10_000),
  created_manually: flag,
  generalization_notes: maybe(long),
});

const pattern: Shape<Pattern> = object<Pattern>({
  ...begun,
  name,
  pattern_type: oneOf(PATTERN_TYPES),
  domain: oneOf(PATTERN_DOMAINS),
  description: given,
  indicators: texts,
  consequences: texts,
  root_causes: texts,
  mitigations: texts,
  benefits: texts,
  prerequisites: texts,
  keywords: tags,
  examples: texts,
  source_standard: maybe(line),
  source_clause: maybe(line),
  severity: oneOf(SEVERITIES),
  // What is in a file is somebody's own.
  is_built_in: () => false,
});

const decision: Shape<Decision> = object<Decision>({
  ...begun,
  ...owned,
  title: name,
  context: long,
  decision: given,
  rationale: long,
  alternatives: list(object<Decision['alternatives'][number]>({ name, description: long, why_not: maybe(long) }), 50),
  criteria: texts,
  consequences: texts,
  domain: line,
  tags,
  decision_date: time,
  project_id: maybe(id),
});

const lesson: Shape<Lesson> = object<Lesson>({
  ...begun,
  ...owned,
  title: name,
  context: long,
  lesson: given,
  recommendation: long,
  project_type: maybe(line),
  domain: maybe(line),
  sources: texts,
  project_id: maybe(id),
});

/** What a file has to say of a record of each kind. */
export const RECORD_SHAPES: { readonly [K in LearnedKind]: Shape<LearnedRecords[K]> } = {
  project,
  template,
  pattern,
  decision,
  lesson,
};
