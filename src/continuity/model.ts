/** What carries over from one session to the next (seed 000, "Context & Session Operations"). */

/** That an agent wrote it last. Left out for what people wrote, and for what was stored before that was kept. */
export interface AgentOrigin {
  by: 'agent';
  /** The MCP client's name. */
  author: string;
}

export interface ProjectContext {
  project_id: string;
  purpose: string | null;
  tech_stack: string[];
  compliance: string[];
  current_phase: string | null;
  key_constraints: string[];
  origin?: AgentOrigin;
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
  origin?: AgentOrigin;
}

/** A session with who stored its summary, agent or not. */
export interface AuthoredSession extends SessionSummary {
  author: string;
}

/** When a session ended and how long it took. */
export interface SessionEnd {
  /** ISO 8601. */
  at: string;
  duration_minutes: number | null;
}

export interface SessionInput {
  project_id: string;
  summary: string;
  tasks_completed: string[];
  domain?: string | undefined;
  next_planned?: string | undefined;
  /** Known when the summary is stored later than the session ended; it ends now otherwise. */
  ended?: SessionEnd | undefined;
}

/** Who changes something. */
export interface ContinuityChange {
  author: string;
  /** Whether an agent makes it; a person does otherwise. */
  by_agent?: boolean | undefined;
  /** Checks everything as storing it would, but changes nothing. */
  rehearse?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export const TASK_STATES = ['in_progress', 'blocked', 'completed'] as const;
export type TaskState = (typeof TASK_STATES)[number];

export interface TaskInput {
  name: string;
  domain?: string | undefined;
  state: TaskState;
  /** Left out it keeps its value while the state stays; an empty text removes it. The same for `blocker`. */
  status?: string | undefined;
  blocker?: string | undefined;
}

/** Which task is meant, exactly: `domain` is null for one that has none. */
export interface TaskName {
  name: string;
  domain: string | null;
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
  completed_tasks: { name: string; domain: string | null; date: string; origin?: AgentOrigin }[];
  in_progress_tasks: { name: string; domain: string | null; status: string | null; origin?: AgentOrigin }[];
  blocked_tasks: { name: string; domain: string | null; blocker: string | null; origin?: AgentOrigin }[];
  /** Of what was set for the whole and of the sprint; each task has its own. */
  origin?: AgentOrigin;
}

/** Project overview, sessions and progress. Errors as in `KnowledgePart`; `project_id` names a PROJECT scope. */
export interface ContinuityPart {
  /** For who begins to work: also starts the clock for the next session summary's `duration_minutes`. */
  getProjectOverview(projectId: string): ProjectContext;
  /** The same for who only looks, as often as they like: no clock is started. */
  projectOverview(projectId: string): ProjectContext;
  /** Newest first. `limit` is 1 to 100, 10 unless told. */
  getSessionHistory(projectId: string, limit?: number): SessionSummary[];
  /** The same with their authors. */
  authoredSessions(projectId: string, limit?: number): AuthoredSession[];
  getProgressStatus(projectId: string, domain?: string): TaskStatus;
  storeSessionSummary(session: SessionInput, change: ContinuityChange): Promise<void>;
  /** Stops the clock that `getProjectOverview` started, for a summary that is stored later. */
  endSession(projectId: string): SessionEnd;
  /** Fields left out keep their value. */
  storeProjectOverview(overview: OverviewInput, change: ContinuityChange): Promise<void>;
  /** Tasks are told apart by name (and domain, where one name stands in several). */
  updateProgress(progress: ProgressInput, change: ContinuityChange): Promise<void>;
  /** Throws `unknown_entry` when there is no such task. */
  removeTask(projectId: string, task: TaskName, change: ContinuityChange): Promise<void>;
}
