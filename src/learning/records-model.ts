import type {
  Complexity,
  DependencyType,
  LearnedKind,
  OutcomeStatus,
  PatternDomain,
  PatternType,
  ProjectStatus,
  Severity,
  TaskStatus,
  Transition,
  Visibility,
} from './vocabulary';

/** What was captured, with the fields of seed 003, 4.3 and 4.4. Times are ISO 8601; ids are safe in a path. */
interface Learned {
  id: string;
  created_at: string;
  updated_at: string;
  /** Who captured it. */
  author: string;
}

/** Seed 003, 4.4.1. */
export interface TaskRecord {
  id: string;
  name: string;
  description: string;
  parent_task_id?: string | undefined;
  sequence_order: number;
  phase?: string | undefined;
  estimated_hours?: number | undefined;
  actual_hours?: number | undefined;
  estimated_complexity?: Complexity | undefined;
  actual_complexity?: Complexity | undefined;
  status: TaskStatus;
  completion_notes?: string | undefined;
  blockers_encountered: readonly string[];
  /** Task ids. */
  depends_on: readonly string[];
  dependency_type?: DependencyType | undefined;
}

/** Something that may go wrong, is depended on, or binds: a name or sentence, and whatever else was said of it. */
export type ProjectItem = { readonly description: string } & Readonly<Record<string, unknown>>;

export interface StatusChange {
  from_status: ProjectStatus;
  to_status: ProjectStatus;
  transition: Transition;
  timestamp: string;
  reason: string;
  author: string;
}

/** Seed 003, 4.4.2. */
export interface ProjectRecord extends Learned {
  name: string;
  description: string;
  project_type: string;
  domain: string;
  tags: readonly string[];
  visibility: Visibility;
  owner?: string | undefined;
  context_factors: Readonly<Record<string, unknown>>;
  tasks: readonly TaskRecord[];
  phases: readonly string[];
  checkpoints: readonly string[];
  identified_risks: readonly ProjectItem[];
  identified_dependencies: readonly ProjectItem[];
  constraints_applied: readonly ProjectItem[];
  estimated_duration_days?: number | undefined;
  estimated_effort_hours?: number | undefined;
  actual_duration_days?: number | undefined;
  actual_effort_hours?: number | undefined;
  start_date?: string | undefined;
  end_date?: string | undefined;
  status: ProjectStatus;
  status_history: readonly StatusChange[];
  /** As its outcome was captured. */
  outcome_status?: OutcomeStatus | undefined;
  outcome_summary?: string | undefined;
  /** 0 to 1. */
  success_rating?: number | undefined;
  lessons_learned: readonly string[];
  what_worked: readonly string[];
  what_didnt_work: readonly string[];
  source_template_id?: string | undefined;
  template_modifications: readonly string[];
  completed_at?: string | undefined;
}

/** A task as a template has it; names stand for ids. */
export interface TemplateTask {
  name: string;
  description: string;
  parent?: string | undefined;
  phase?: string | undefined;
  /** The mean of what the projects took, or of what was estimated where that was not captured. */
  estimated_hours?: number | undefined;
  /** From which to which those numbers go. */
  hours_range?: Range | undefined;
  estimated_complexity?: Complexity | undefined;
  depends_on: readonly string[];
  /** In how many of the projects that it was abstracted from the task was. */
  seen_in: number;
}

/** `from` is at most `to`; both were seen. */
export interface Range {
  from: number;
  to: number;
}

/** Seed 003, 4.4.3. Its score is kept where all scores are. */
export interface ProjectTemplate extends Learned {
  name: string;
  description: string;
  project_type: string;
  domain: string;
  tags: readonly string[];
  visibility: Visibility;
  owner?: string | undefined;
  task_template: readonly TemplateTask[];
  phase_template: readonly string[];
  checkpoint_template: readonly string[];
  risk_template: readonly ProjectItem[];
  /** `2-4 weeks`: `duration_days` in words. */
  typical_duration_range?: string | undefined;
  duration_days?: Range | undefined;
  effort_hours?: Range | undefined;
  typical_task_count?: number | undefined;
  complexity_level?: Complexity | undefined;
  prerequisites: readonly string[];
  applicable_when: readonly string[];
  not_applicable_when: readonly string[];
  abstracted_from_project_ids: readonly string[];
  created_manually: boolean;
  /** What was left out or changed so that it holds for others. */
  generalization_notes?: string | undefined;
}

/** Seed 003, 4.3.1. */
export interface Pattern extends Learned {
  name: string;
  pattern_type: PatternType;
  domain: PatternDomain;
  description: string;
  indicators: readonly string[];
  consequences: readonly string[];
  root_causes: readonly string[];
  mitigations: readonly string[];
  benefits: readonly string[];
  prerequisites: readonly string[];
  keywords: readonly string[];
  /** Knowledge URIs. */
  examples: readonly string[];
  source_standard?: string | undefined;
  source_clause?: string | undefined;
  severity: Severity;
  /** It came with the product; changing it makes it one's own. */
  is_built_in: boolean;
}

/** Seed 003, 8.2 (decisions), which names only its facets: what a precedent needs. */
export interface Decision extends Learned {
  title: string;
  context: string;
  decision: string;
  rationale: string;
  alternatives: readonly { name: string; description: string; why_not?: string | undefined }[];
  criteria: readonly string[];
  consequences: readonly string[];
  domain: string;
  tags: readonly string[];
  decision_date: string;
  project_id?: string | undefined;
  visibility: Visibility;
  owner?: string | undefined;
}

/** Seed 003, 5.4.4 (`lesson`). */
export interface Lesson extends Learned {
  title: string;
  context: string;
  lesson: string;
  recommendation: string;
  project_type?: string | undefined;
  domain?: string | undefined;
  /** Knowledge URIs of where it was learned: a project, an entry, a file of the workspace as a node. */
  sources: readonly string[];
  project_id?: string | undefined;
  visibility: Visibility;
  owner?: string | undefined;
}

export interface LearnedRecords {
  project: ProjectRecord;
  template: ProjectTemplate;
  pattern: Pattern;
  decision: Decision;
  lesson: Lesson;
}

export type LearnedRecord = { [K in LearnedKind]: LearnedRecords[K] }[LearnedKind];
