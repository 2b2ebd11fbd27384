import { type Clock, isoDate, isoTime } from '../core/clock';
import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { type Reader, rehearse, type Store, type Transaction } from '../store';
import type { ContinuityRecord, ImportOptions, ImportResult, ParsedRecord } from '../transfer';
import {
  checkAuthor,
  checkCompleted,
  checkCompliance,
  checkConstraints,
  checkSummary,
  checkTask,
  checkTechStack,
  MAX_LIST,
  optionalLine,
  optionalText,
} from './checks';
import type {
  AgentOrigin,
  AuthoredSession,
  ContinuityChange,
  ContinuityPart,
  OverviewInput,
  ProgressInput,
  ProjectContext,
  SessionEnd,
  SessionInput,
  SessionSummary,
  TaskInput,
  TaskName,
  TaskState,
  TaskStatus,
} from './model';
import { computedProgress } from './progress';
import { exportContinuity, planImport } from './records';
import { continuityTopic } from './schema';

/** What continuity needs to know of the scopes: throws unless `projectId` names a PROJECT scope. */
export type RequireProject = (projectId: string) => void;

interface TaskRow extends Writer {
  id: number;
  name: string;
  domain: string | null;
  state: TaskState;
  status: string | null;
  blocker: string | null;
  at: number;
}

interface ProgressRow extends Writer {
  overall_progress: string | null;
  current_sprint: string | null;
}

/** Who wrote a row last, as it stands in the store. */
interface Writer {
  author: string;
  by_agent: number;
}

const DEFAULT_HISTORY = 10;
const MAX_HISTORY = 100;

/** See `ContinuityPart`. */
export class Continuity implements ContinuityPart {
  /** When each project's overview was last asked for, until a summary closes the session. */
  private readonly sessionStarts = new Map<string, number>();

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly requireProject: RequireProject,
  ) {}

  getProjectOverview(projectId: string): ProjectContext {
    const overview = this.projectOverview(projectId);
    this.sessionStarts.set(projectId, this.clock.now());
    return overview;
  }

  projectOverview(projectId: string): ProjectContext {
    this.requireProject(projectId);
    const row = readOverview(this.store.read(), projectId);
    return {
      project_id: projectId,
      purpose: row?.purpose ?? null,
      tech_stack: parseList(row?.tech_stack),
      compliance: parseList(row?.compliance),
      current_phase: row?.current_phase ?? null,
      key_constraints: parseList(row?.key_constraints),
      ...originOf(row),
    };
  }

  getSessionHistory(projectId: string, limit?: number): SessionSummary[] {
    return this.authoredSessions(projectId, limit).map(({ author: _, ...session }) => session);
  }

  authoredSessions(projectId: string, limit = DEFAULT_HISTORY): AuthoredSession[] {
    this.requireProject(projectId);
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_HISTORY) {
      throw new KaizenError('invalid_argument', `The limit is ${limit}; it can be 1 to ${MAX_HISTORY}.`);
    }
    return this.store
      .read()
      .all<
        Writer & {
          at: number;
          duration_minutes: number | null;
          summary: string;
          tasks_completed: string;
          domain: string | null;
          next_planned: string | null;
        }
      >(
        `SELECT at, duration_minutes, summary, tasks_completed, domain, next_planned, author, by_agent FROM session
         WHERE project_id = ? ORDER BY at DESC, id DESC LIMIT ?`,
        [projectId, limit],
      )
      .map((row) => ({
        date: isoDate(row.at),
        duration_minutes: row.duration_minutes,
        summary: row.summary,
        tasks_completed: parseList(row.tasks_completed),
        domain: row.domain,
        next_planned: row.next_planned,
        ...originOf(row),
        author: row.author,
      }));
  }

  getProgressStatus(projectId: string, domain?: string): TaskStatus {
    this.requireProject(projectId);
    const reader = this.store.read();
    const all = readTasks(reader, projectId);
    const progress = readProgress(reader, projectId);
    const isStated = progress && (progress.overall_progress !== null || progress.current_sprint !== null);
    const wantedDomain = domain?.trim();
    const wanted = wantedDomain ? all.filter((task) => task.domain === wantedDomain) : all;
    const inState = (state: TaskState) => wanted.filter((task) => task.state === state);
    const done = all.filter(({ state }) => state === 'completed').length;
    return {
      overall_progress: progress?.overall_progress ?? computedProgress(done, all.length),
      current_sprint: progress?.current_sprint ?? null,
      completed_tasks: inState('completed').map((task) => ({
        name: task.name,
        domain: task.domain,
        date: isoDate(task.at),
        ...originOf(task),
      })),
      in_progress_tasks: inState('in_progress').map((task) => ({
        name: task.name,
        domain: task.domain,
        status: task.status,
        ...originOf(task),
      })),
      blocked_tasks: inState('blocked').map((task) => ({
        name: task.name,
        domain: task.domain,
        blocker: task.blocker,
        ...originOf(task),
      })),
      ...originOf(isStated ? progress : undefined),
    };
  }

  async storeSessionSummary(session: SessionInput, change: ContinuityChange): Promise<void> {
    const projectId = session.project_id;
    this.requireProject(projectId);
    const summary = checkSummary(session.summary);
    const tasks = checkCompleted(session.tasks_completed);
    const domain = optionalLine(session.domain, sentence('domain'));
    const next = optionalText(session.next_planned, sentence('next planned work'));
    const writer = writerOf(change);
    const started = this.sessionStarts.get(projectId);
    const { at: now, minutes } = session.ended ? ended(session.ended) : this.endingNow(projectId);
    await this.write(change, (transaction) => {
      transaction.run(
        `INSERT INTO session
           (project_id, at, duration_minutes, summary, tasks_completed, domain, next_planned, author, by_agent)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [projectId, now, minutes, summary, JSON.stringify(tasks), domain, next, writer.author, writer.by_agent],
      );
      for (const name of tasks) {
        putTask(transaction, projectId, { name, domain: domain ?? undefined, state: 'completed' }, writer, now);
      }
      transaction.touch(continuityTopic(projectId));
    });
    if (!change.rehearse && !session.ended && this.sessionStarts.get(projectId) === started) {
      this.sessionStarts.delete(projectId);
    }
  }

  endSession(projectId: string): SessionEnd {
    this.requireProject(projectId);
    const { at, minutes } = this.endingNow(projectId);
    this.sessionStarts.delete(projectId);
    return { at: isoTime(at), duration_minutes: minutes };
  }

  async storeProjectOverview(overview: OverviewInput, change: ContinuityChange): Promise<void> {
    const projectId = overview.project_id;
    this.requireProject(projectId);
    const given = {
      purpose: optionalText(overview.purpose, sentence('purpose')),
      tech_stack: overview.tech_stack && JSON.stringify(checkTechStack(overview.tech_stack)),
      compliance: overview.compliance && JSON.stringify(checkCompliance(overview.compliance)),
      current_phase: optionalText(overview.current_phase, sentence('current phase')),
      key_constraints: overview.key_constraints && JSON.stringify(checkConstraints(overview.key_constraints)),
    };
    const writer = writerOf(change);
    await this.write(change, (transaction) => {
      const existing = readOverview(transaction, projectId);
      const keeps = (Object.keys(given) as (keyof typeof given)[]).some(
        (field) => overview[field] === undefined && ![null, undefined, '[]'].includes(existing?.[field]),
      );
      const { author, by_agent } = writerAfter(existing, writer, keeps);
      transaction.run(
        `INSERT OR REPLACE INTO overview
           (project_id, purpose, tech_stack, compliance, current_phase, key_constraints, author, by_agent, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [
          projectId,
          overview.purpose === undefined ? (existing?.purpose ?? null) : given.purpose,
          given.tech_stack ?? existing?.tech_stack ?? '[]',
          given.compliance ?? existing?.compliance ?? '[]',
          overview.current_phase === undefined ? (existing?.current_phase ?? null) : given.current_phase,
          given.key_constraints ?? existing?.key_constraints ?? '[]',
          author,
          by_agent,
          this.clock.now(),
        ],
      );
      transaction.touch(continuityTopic(projectId));
    });
  }

  async updateProgress(progress: ProgressInput, change: ContinuityChange): Promise<void> {
    const projectId = progress.project_id;
    this.requireProject(projectId);
    const overall = optionalLine(progress.overall_progress, sentence('overall progress'));
    const sprint = optionalLine(progress.current_sprint, sentence('current sprint'));
    const tasks = (progress.tasks ?? []).map(checkTask);
    const writer = writerOf(change);
    if (tasks.length > MAX_LIST) {
      throw new KaizenError(
        'invalid_argument',
        sentence('There are {0} tasks; the limit is {1} in one call.', tasks.length, MAX_LIST),
      );
    }
    const now = this.clock.now();
    await this.write(change, (transaction) => {
      if (progress.overall_progress !== undefined || progress.current_sprint !== undefined) {
        const existing = readProgress(transaction, projectId);
        const keeps =
          (progress.overall_progress === undefined && Boolean(existing?.overall_progress)) ||
          (progress.current_sprint === undefined && Boolean(existing?.current_sprint));
        const { author, by_agent } = writerAfter(existing, writer, keeps);
        transaction.run(
          `INSERT OR REPLACE INTO progress (project_id, overall_progress, current_sprint, author, by_agent, at)
           VALUES (?, ?, ?, ?, ?, ?)`,
          [
            projectId,
            progress.overall_progress === undefined ? (existing?.overall_progress ?? null) : overall,
            progress.current_sprint === undefined ? (existing?.current_sprint ?? null) : sprint,
            author,
            by_agent,
            now,
          ],
        );
      }
      for (const task of tasks) putTask(transaction, projectId, task, writer, now);
      transaction.touch(continuityTopic(projectId));
    });
  }

  async removeTask(projectId: string, { name, domain }: TaskName, change: ContinuityChange): Promise<void> {
    this.requireProject(projectId);
    await this.write(change, (transaction) => {
      const [task] = transaction.all<{ id: number }>(
        'SELECT id FROM task WHERE project_id = ? AND name = ? AND domain IS ?',
        [projectId, name, domain],
      );
      if (!task) {
        throw new KaizenError(
          'unknown_entry',
          domain === null
            ? sentence('There is no task "{0}" without a domain.', name)
            : sentence('There is no task "{0}" in the domain "{1}".', name, domain),
          sentence('It may have been removed or given another domain meanwhile.'),
        );
      }
      transaction.run('DELETE FROM task WHERE id = ?', [task.id]);
      transaction.touch(continuityTopic(projectId));
    });
  }

  /** What the store holds for these projects, sorted as a file holds it. */
  exportRecords(projectIds: ReadonlySet<string>): ContinuityRecord[] {
    return exportContinuity(this.store.read(), projectIds);
  }

  /** See `planImport`. The store must be held until what it returns is done. */
  planImport(
    records: readonly ParsedRecord<ContinuityRecord>[],
    options: ImportOptions,
    result: ImportResult,
  ): ((transaction: Transaction) => void) | undefined {
    return planImport(this.store.read(), records, options, result);
  }

  private write(change: ContinuityChange, action: (transaction: Transaction) => void): Promise<void> {
    return change.rehearse ? rehearse(this.store, action, change.signal) : this.store.write(action, change.signal);
  }

  private endingNow(projectId: string): { at: number; minutes: number | null } {
    const at = this.clock.now();
    const started = this.sessionStarts.get(projectId);
    return { at, minutes: started === undefined ? null : Math.max(0, Math.round((at - started) / 60_000)) };
  }
}

function ended({ at, duration_minutes }: SessionEnd): { at: number; minutes: number | null } {
  return { at: Date.parse(at), minutes: duration_minutes };
}

/** Throws `invalid_argument` for what can be nobody's name. */
function writerOf({ author, by_agent }: ContinuityChange): Writer {
  return { author: checkAuthor(author), by_agent: by_agent ? 1 : 0 };
}

/**
 * Whose a row is once `writer` has changed it: theirs, but an agent's as long as something stays in it that an agent may
 * have written. Else a click would make an agent's words a person's, which other agents follow.
 */
function writerAfter(existing: Writer | undefined, writer: Writer, keepsText: boolean): Writer {
  return existing?.by_agent && !writer.by_agent && keepsText
    ? { author: existing.author, by_agent: existing.by_agent }
    : writer;
}

function originOf(row: Writer | undefined): { origin?: AgentOrigin } {
  return row?.by_agent ? { origin: { by: 'agent', author: row.author } } : {};
}

function readOverview(reader: Reader, projectId: string) {
  return reader.get<
    Writer & {
      purpose: string | null;
      tech_stack: string;
      compliance: string;
      current_phase: string | null;
      key_constraints: string;
    }
  >(
    `SELECT purpose, tech_stack, compliance, current_phase, key_constraints, author, by_agent FROM overview
     WHERE project_id = ?`,
    [projectId],
  );
}

function readProgress(reader: Reader, projectId: string): ProgressRow | undefined {
  return reader.get<ProgressRow>(
    'SELECT overall_progress, current_sprint, author, by_agent FROM progress WHERE project_id = ?',
    [projectId],
  );
}

/** In the order in which they came into their state. */
function readTasks(reader: Reader, projectId: string): TaskRow[] {
  return reader.all<TaskRow>(
    'SELECT id, name, domain, state, status, blocker, at, author, by_agent FROM task WHERE project_id = ? ORDER BY at, id',
    [projectId],
  );
}

/**
 * A task that is named without a domain is the one task of that name, whatever its domain; named with a domain it is
 * the one there, or the one that has no domain yet. A status or blocker goes with the state that it belongs to.
 */
function putTask(transaction: Transaction, projectId: string, task: TaskInput, writer: Writer, now: number): void {
  const named = transaction.all<TaskRow>(
    'SELECT id, name, domain, state, status, blocker, at, author, by_agent FROM task WHERE project_id = ? AND name = ? ORDER BY id',
    [projectId, task.name],
  );
  const existing =
    task.domain === undefined
      ? (named.find(({ domain }) => domain === null) ?? (named.length === 1 ? named[0] : undefined))
      : (named.find(({ domain }) => domain === task.domain) ?? named.find(({ domain }) => domain === null));
  const status = (task.status ?? (task.state === 'in_progress' ? existing?.status : null)) || null;
  const blocker = task.state === 'blocked' ? (task.blocker ?? existing?.blocker) || null : null;
  if (existing) {
    const at = existing.state === task.state ? existing.at : now;
    // The name is kept, whoever gave it.
    const { author, by_agent } = writerAfter(existing, writer, true);
    transaction.run(
      'UPDATE task SET domain = ?, state = ?, status = ?, blocker = ?, author = ?, by_agent = ?, at = ? WHERE id = ?',
      [...[task.domain ?? existing.domain, task.state, status, blocker], ...[author, by_agent, at, existing.id]],
    );
  } else {
    transaction.run(
      `INSERT INTO task (project_id, name, domain, state, status, blocker, author, by_agent, at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        ...[projectId, task.name, task.domain ?? null, task.state, status, blocker],
        ...[writer.author, writer.by_agent, now],
      ],
    );
  }
}

function parseList(json: string | undefined): string[] {
  return json === undefined ? [] : (JSON.parse(json) as string[]);
}
