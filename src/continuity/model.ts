/** What carries over from one session to the next (seed 000, "Context & Session Operations"). */

export interface ProjectContext {
  project_id: string;
  purpose: string | null;
  tech_stack: string[];
  compliance: string[];
  current_phase: string | null;
  key_constraints: string[];
}

export interface OverviewInput {
  project_id: string;
  purpose?: string | undefined;
  tech_stack?: string[] | undefined;
  compliance?: string[] | undefined;
  current_phase?: string | undefined;
  key_constraints?: string[] | undefined;
}

export interface SessionSummary {
  /** `YYYY-MM-DD`, UTC. */
  date: string;
  /** Whole minutes since the project's last `get_project_overview`; null when that is unknown. */
  duration_minutes: number | null;
  summary: string;
  tasks_completed: string[];
  domain: string | null;
  next_planned: string | null;
}

export interface SessionInput {
  project_id: string;
  summary: string;
  tasks_completed: string[];
  domain?: string | undefined;
  next_planned?: string | undefined;
}

export const TASK_STATES = ['in_progress', 'blocked', 'completed'] as const;
export type TaskState = (typeof TASK_STATES)[number];

export interface TaskInput {
  name: string;
  domain?: string | undefined;
  state: TaskState;
  status?: string | undefined;
  blocker?: string | undefined;
}

export interface ProgressInput {
  project_id: string;
  overall_progress?: string | undefined;
  current_sprint?: string | undefined;
  tasks?: TaskInput[] | undefined;
}

export interface TaskStatus {
  /** What was set, or computed from the tasks: `40% complete`. */
  overall_progress: string;
  current_sprint: string | null;
  completed_tasks: { name: string; domain: string | null; date: string }[];
  in_progress_tasks: { name: string; domain: string | null; status: string | null }[];
  blocked_tasks: { name: string; domain: string | null; blocker: string | null }[];
}

/** Project overview, sessions and progress. Errors as in `KnowledgePart`; `project_id` names a PROJECT scope. */
export interface ContinuityPart {
  /** Also starts the clock for the next session summary's `duration_minutes`. */
  getProjectOverview(projectId: string): ProjectContext;
  /** Newest first. `limit` is 1 to 100, 10 unless told. */
  getSessionHistory(projectId: string, limit?: number): SessionSummary[];
  getProgressStatus(projectId: string, domain?: string): TaskStatus;
  storeSessionSummary(
    session: SessionInput,
    change: { author: string; signal?: AbortSignal | undefined },
  ): Promise<void>;
  /** Fields left out keep their value. */
  storeProjectOverview(
    overview: OverviewInput,
    change: { author: string; signal?: AbortSignal | undefined },
  ): Promise<void>;
  /** Tasks are told apart by name (and domain, where one name stands in several). */
  updateProgress(progress: ProgressInput, change: { author: string; signal?: AbortSignal | undefined }): Promise<void>;
}
