import type {
  ArtifactType,
  Complexity,
  DependencyType,
  LearnedKind,
  OutcomeStatus,
  PatternDomain,
  PatternType,
  Severity,
  TaskStatus,
  Transition,
  Visibility,
} from './vocabulary';

/** One result of a finding operation (seed 003, 5.4 and 5.8). */
export interface Finding {
  id: string;
  /** Knowledge URI. */
  uri: string;
  title: string;
  kind: string;
  artifact_type: ArtifactType;
  /** What of it says so; a passage is quoted, never reworded. */
  content: string;
  /** 0 to 1. */
  semantic_score: number;
  effectiveness_score: number;
  combined_score: number;
  score_confidence: number;
  /** Where it comes from, to be cited. */
  source: FindingSource;
  /** Why it is answered, in a sentence. */
  why: string;
  /** What only some operations answer: a criterion, the kind of action, estimates, the relations followed. */
  details?: Readonly<Record<string, unknown>> | undefined;
}

export interface FindingSource {
  /** `library`, `knowledge` (entries), `notes`, `bases`, `learning`; `request` for a focus area that nothing is known of. */
  where: string;
  title: string;
  document_id?: string | undefined;
  section_title?: string | undefined;
  clause_number?: string | undefined;
  page_numbers?: readonly number[] | undefined;
  authority_score?: number | undefined;
  url?: string | undefined;
}

/** What a finding operation answers. */
export interface Findings {
  operation: string;
  results: readonly Finding[];
  /** 0 to 1: how far the results can be relied on, and why not further. */
  confidence: number;
  confidence_rationale: string;
  /** What an operation has beside results: chains, gaps, ranges, a synthesis. */
  extra: Readonly<Record<string, unknown>>;
  /** Where nothing was found: what that means, and what to do. */
  message?: string | undefined;
}

interface Asked {
  domain?: string | undefined;
  /** 1 to 100; 10 unless told. */
  n_results?: number | undefined;
}

/** 5.4.1 */
export type RccaRequest = Asked & { standards_filter?: readonly string[] | undefined } & (
    | { operation: 'find_similar'; problem_description: string; symptom_keywords?: readonly string[] | undefined }
    | {
        operation: 'trace_cause';
        effect_description: string;
        known_factors?: readonly string[] | undefined;
        /** 1 to 10; 5 unless told. */
        max_chain_depth?: number | undefined;
      }
    | {
        operation: 'find_corrective';
        root_cause: string;
        ca_type?: 'any' | 'corrective' | 'preventive' | 'detective' | undefined;
      }
    | { operation: 'check_compliance'; situation_description: string }
  );

/** 5.4.2 */
export type TradeRequest = Asked & { standards_filter?: readonly string[] | undefined } & (
    | { operation: 'extract_criteria'; decision_context: string }
    | { operation: 'find_alternatives'; need_statement: string; current_approach?: string | undefined }
    | { operation: 'find_precedents'; decision_description: string; key_factors?: readonly string[] | undefined }
    | { operation: 'assess_risks'; alternative_description: string; context?: string | undefined }
  );

export const SEARCH_MODES = ['contradicts', 'qualifies', 'alternatives', 'all'] as const;
export const SYNTHESIS_FORMATS = ['narrative', 'bullet_points', 'structured'] as const;

/** 5.4.3 */
export type ExploreRequest = { n_results?: number | undefined } & (
  | {
      operation: 'match_antipatterns';
      content: string;
      domains?: readonly PatternDomain[] | undefined;
      /** `medium` unless told. */
      severity_threshold?: Severity | undefined;
    }
  | {
      operation: 'gap_analysis';
      content: string;
      reference_standards?: readonly string[] | undefined;
      focus_areas?: readonly string[] | undefined;
    }
  | { operation: 'counterarguments'; claim: string; search_mode?: (typeof SEARCH_MODES)[number] | undefined }
  | {
      operation: 'synthesize';
      question: string;
      sub_queries?: readonly string[] | undefined;
      synthesis_format?: (typeof SYNTHESIS_FORMATS)[number] | undefined;
    }
);

export const TEMPLATE_TYPES = ['wbs', 'checklist', 'task_list', 'phase_structure', 'any'] as const;

/** The finding operations of 5.4.4. What a project is like stands in `project_type`, `project_description`, or both. */
export type PlanningRequest = Asked & {
  project_type?: string | undefined;
  project_description?: string | undefined;
} & (
    | { operation: 'find_templates'; template_type?: (typeof TEMPLATE_TYPES)[number] | undefined }
    | {
        operation: 'find_precedents';
        similarity_factors?: readonly string[] | undefined;
        include_outcomes?: boolean | undefined;
      }
    | { operation: 'identify_risks'; risk_categories?: readonly string[] | undefined }
    | { operation: 'identify_dependencies'; dependency_types?: readonly string[] | undefined }
    | { operation: 'find_constraints'; constraint_sources?: readonly string[] | undefined }
    | { operation: 'find_checkpoints'; lifecycle_model?: string | undefined }
    | { operation: 'estimate_scope'; scope_factors?: readonly string[] | undefined }
  );

/** What an agent or a person captures; everything checked, nothing kept where one thing is wrong. */
export type LearningWrite =
  | { operation: 'capture_project'; project: ProjectInput }
  | { operation: 'update_project'; project_id: string; project: Partial<ProjectInput> }
  | {
      operation: 'transition_project';
      project_id: string;
      transition: Exclude<Transition, 'complete'>;
      reason?: string | undefined;
    }
  | { operation: 'capture_outcome'; project_id: string; outcome: OutcomeInput }
  | {
      operation: 'capture_template';
      project_id: string;
      template_name: string;
      generalization_notes?: string | undefined;
    }
  | { operation: 'update_template'; template_id: string; template: TemplateChanges }
  | { operation: 'capture_lesson'; lesson: LessonInput }
  | { operation: 'capture_decision'; decision: DecisionInput }
  | { operation: 'capture_pattern'; pattern: PatternInput }
  | { operation: 'delete'; kind: LearnedKind; id: string };

export interface TaskInput {
  name: string;
  description?: string | undefined;
  /** The name or id of another task of the project. */
  parent_task?: string | undefined;
  estimated_hours?: number | undefined;
  /** Names or ids of other tasks of the project. */
  depends_on?: readonly string[] | undefined;
  dependency_type?: DependencyType | undefined;
  phase?: string | undefined;
  estimated_complexity?: Complexity | undefined;
  /** What the seed keeps of a task as it is done, without an operation to say it: with `update_project`. */
  status?: TaskStatus | undefined;
  actual_hours?: number | undefined;
  actual_complexity?: Complexity | undefined;
  completion_notes?: string | undefined;
  blockers_encountered?: readonly string[] | undefined;
}

export interface ProjectInput {
  name: string;
  description?: string | undefined;
  project_type?: string | undefined;
  domain?: string | undefined;
  tags?: readonly string[] | undefined;
  tasks?: readonly TaskInput[] | undefined;
  phases?: readonly string[] | undefined;
  checkpoints?: readonly string[] | undefined;
  context_factors?: Readonly<Record<string, unknown>> | undefined;
  /** A sentence, or an object with `description`. */
  identified_risks?: readonly unknown[] | undefined;
  identified_dependencies?: readonly unknown[] | undefined;
  constraints_applied?: readonly unknown[] | undefined;
  estimated_duration_days?: number | undefined;
  estimated_effort_hours?: number | undefined;
  source_template_id?: string | undefined;
  template_modifications?: readonly string[] | undefined;
  /** `personal` unless told. */
  visibility?: Visibility | undefined;
}

/** What is left out stays; the rest of a template is abstracted from its projects. */
export interface TemplateChanges {
  name?: string | undefined;
  description?: string | undefined;
}

export interface OutcomeInput {
  /** `completed` unless told. */
  status?: OutcomeStatus | undefined;
  actual_duration_days?: number | undefined;
  actual_effort_hours?: number | undefined;
  success_rating?: number | undefined;
  outcome_summary?: string | undefined;
  lessons_learned?: readonly string[] | undefined;
  what_worked?: readonly string[] | undefined;
  what_didnt_work?: readonly string[] | undefined;
}

export interface LessonInput {
  /** Of one that is to be changed: what is left out stays as it is. */
  id?: string | undefined;
  title: string;
  context?: string | undefined;
  lesson: string;
  recommendation?: string | undefined;
  project_type?: string | undefined;
  domain?: string | undefined;
  sources?: readonly string[] | undefined;
  project_id?: string | undefined;
  visibility?: Visibility | undefined;
}

export interface DecisionInput {
  /** Of one that is to be changed: what is left out stays as it is. */
  id?: string | undefined;
  title: string;
  context?: string | undefined;
  decision: string;
  rationale?: string | undefined;
  alternatives?:
    | readonly { name: string; description?: string | undefined; why_not?: string | undefined }[]
    | undefined;
  criteria?: readonly string[] | undefined;
  consequences?: readonly string[] | undefined;
  domain?: string | undefined;
  tags?: readonly string[] | undefined;
  /** ISO date; today unless told. */
  decision_date?: string | undefined;
  project_id?: string | undefined;
  visibility?: Visibility | undefined;
}

export interface PatternInput {
  /** Of one that is to be changed: what is left out stays as it is. */
  id?: string | undefined;
  name: string;
  pattern_type: PatternType;
  domain: PatternDomain;
  description: string;
  indicators: readonly string[];
  consequences?: readonly string[] | undefined;
  root_causes?: readonly string[] | undefined;
  mitigations?: readonly string[] | undefined;
  benefits?: readonly string[] | undefined;
  prerequisites?: readonly string[] | undefined;
  keywords?: readonly string[] | undefined;
  examples?: readonly string[] | undefined;
  source_standard?: string | undefined;
  source_clause?: string | undefined;
  severity?: Severity | undefined;
}
