import { isoTime } from '../core/clock';
import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { compareText } from '../core/text';
import type { Reader, SqlValue, Transaction } from '../store';
import {
  atLine,
  type ContinuityRecord,
  conflictSide,
  type ImportOptions,
  type ImportResult,
  type OverviewRecord,
  type ParsedRecord,
  type ProgressRecord,
  replaces,
  type SessionRecord,
  type TaskRecord,
} from '../transfer';
import {
  checkAuthor,
  checkCompleted,
  checkCompliance,
  checkConstraints,
  checkSummary,
  checkTask,
  checkTechStack,
  optionalLine,
  optionalText,
} from './checks';
import { continuityTopic } from './schema';

/** Lists stand in the store as JSON, what is true as 1. */
type Stored<R extends ContinuityRecord> = {
  [K in keyof R]: K extends 'at' | 'by_agent' ? number : R[K] extends string[] ? string : R[K];
};

// ── Export ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Everything of these projects, sorted as an export file holds it (docs/import-export.md). */
export function exportContinuity(reader: Reader, projectIds: ReadonlySet<string>): ContinuityRecord[] {
  const wanted = <R extends ContinuityRecord>(records: R[]) =>
    records.filter(({ project }) => projectIds.has(project)).sort((a, b) => compareText(a.project, b.project));
  return [
    ...wanted(readOverviews(reader)),
    ...wanted(readSessions(reader)).sort(
      (a, b) => compareText(a.project, b.project) || compareText(a.at, b.at) || compareText(a.summary, b.summary),
    ),
    ...wanted(readProgress(reader)),
    ...wanted(readTasks(reader)).sort(
      (a, b) =>
        compareText(a.project, b.project) ||
        compareText(a.at, b.at) ||
        compareText(a.name, b.name) ||
        compareText(a.domain ?? '', b.domain ?? ''),
    ),
  ];
}

function readOverviews(reader: Reader): OverviewRecord[] {
  return reader
    .all<Omit<Stored<OverviewRecord>, 'type'>>(
      `SELECT project_id AS project, purpose, tech_stack, compliance, current_phase, key_constraints, author,
         by_agent, at FROM overview`,
    )
    .map((row) => ({
      ...row,
      type: 'overview',
      tech_stack: JSON.parse(row.tech_stack),
      compliance: JSON.parse(row.compliance),
      key_constraints: JSON.parse(row.key_constraints),
      by_agent: row.by_agent === 1,
      at: isoTime(row.at),
    }));
}

function readSessions(reader: Reader): SessionRecord[] {
  return reader
    .all<Omit<Stored<SessionRecord>, 'type'>>(
      `SELECT project_id AS project, at, duration_minutes, summary, tasks_completed, domain, next_planned, author,
         by_agent FROM session ORDER BY id`,
    )
    .map((row) => ({
      ...row,
      type: 'session',
      at: isoTime(row.at),
      tasks_completed: JSON.parse(row.tasks_completed),
      by_agent: row.by_agent === 1,
    }));
}

function readProgress(reader: Reader): ProgressRecord[] {
  return reader
    .all<Omit<Stored<ProgressRecord>, 'type'>>(
      'SELECT project_id AS project, overall_progress, current_sprint, author, by_agent, at FROM progress',
    )
    .map((row) => ({ ...row, type: 'progress', by_agent: row.by_agent === 1, at: isoTime(row.at) }));
}

function readTasks(reader: Reader): TaskRecord[] {
  return reader
    .all<Omit<Stored<TaskRecord>, 'type'>>(
      'SELECT project_id AS project, name, domain, state, status, blocker, author, by_agent, at FROM task',
    )
    .map((row) => ({ ...row, type: 'task', by_agent: row.by_agent === 1, at: isoTime(row.at) }));
}

// ── Checking ───────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * The records of continuity among all, each field as it may stand in the store. Whether their projects exist is not
 * looked at. Throws a KaizenError that names the line.
 */
export function checkContinuityRecords(records: readonly ParsedRecord[]): ParsedRecord<ContinuityRecord>[] {
  const checked: ParsedRecord<ContinuityRecord>[] = [];
  // The parser has looked for what is written twice; two names may still become one once they are trimmed.
  const tasks = new Map<string, number>();
  for (const { line, record } of records) {
    const result = atLine(line, () => checkRecord(record));
    if (!result) continue;
    if (result.type === 'task') {
      const identity = identityOf(result);
      const earlier = tasks.get(identity);
      if (earlier !== undefined) {
        throw new KaizenError(
          'invalid_argument',
          sentence('line {0}: the same task already stands on line {1}.', line, earlier),
        );
      }
      tasks.set(identity, line);
    }
    checked.push({ line, record: result });
  }
  return checked;
}

function checkRecord(record: ParsedRecord['record']): ContinuityRecord | undefined {
  switch (record.type) {
    case 'overview':
      return {
        ...record,
        purpose: optionalText(record.purpose, sentence('purpose')),
        tech_stack: checkTechStack(record.tech_stack),
        compliance: checkCompliance(record.compliance),
        current_phase: optionalText(record.current_phase, sentence('current phase')),
        key_constraints: checkConstraints(record.key_constraints),
        author: checkAuthor(record.author),
      };
    case 'session':
      return {
        ...record,
        summary: checkSummary(record.summary),
        tasks_completed: checkCompleted(record.tasks_completed),
        domain: optionalLine(record.domain, sentence('domain')),
        next_planned: optionalText(record.next_planned, sentence('next planned work')),
        author: checkAuthor(record.author),
      };
    case 'progress':
      return {
        ...record,
        overall_progress: optionalLine(record.overall_progress, sentence('overall progress')),
        current_sprint: optionalLine(record.current_sprint, sentence('current sprint')),
        author: checkAuthor(record.author),
      };
    case 'task': {
      const { name, domain, status, blocker } = checkTask({
        name: record.name,
        domain: record.domain ?? undefined,
        state: record.state,
        status: record.status ?? undefined,
        blocker: record.blocker ?? undefined,
      });
      return {
        ...record,
        name,
        domain: domain ?? null,
        status: status || null,
        blocker: blocker || null,
        author: checkAuthor(record.author),
      };
    }
    default:
      return undefined;
  }
}

// ── Planning and applying ──────────────────────────────────────────────────────────────────────────────────────────

/**
 * Compares the records with what is there and counts the outcome in `result`. Returns what is to be changed, as a part
 * of one transaction; undefined when that is nothing.
 */
export function planImport(
  reader: Reader,
  records: readonly ParsedRecord<ContinuityRecord>[],
  options: ImportOptions,
  result: ImportResult,
): ((transaction: Transaction) => void) | undefined {
  const projects = new Set(records.map(({ record }) => record.project));
  // Several sessions may have one identity: the first in the file is then the first in the store, and so on.
  const held = new Map<string, ContinuityRecord[]>();
  for (const record of exportContinuity(reader, projects)) {
    const identity = identityOf(record);
    held.set(identity, [...(held.get(identity) ?? []), record]);
  }
  const changes: { record: ContinuityRecord; replaced: ContinuityRecord | undefined }[] = [];
  for (const { line, record } of records) {
    const before = held.get(identityOf(record))?.shift();
    const same = before && stateOf(before) === stateOf(record);
    if (before && !same) {
      const [stored, incoming] = [conflictSide(before), conflictSide(record)];
      const place = record.type === 'task' ? [record.project, record.name] : [record.project];
      options.onConflict?.({ line, kind: record.type, place, stored, incoming });
    }
    const outcome = !before ? 'added' : same ? 'identical' : replaces(options, line) ? 'overwritten' : 'kept';
    result[record.type][outcome]++;
    if (outcome === 'added' || outcome === 'overwritten') changes.push({ record, replaced: before });
  }
  if (changes.length === 0) return undefined;
  return (transaction) => {
    for (const { record, replaced } of changes) put(transaction, record, replaced);
    for (const project of new Set(changes.map(({ record }) => record.project))) {
      transaction.touch(continuityTopic(project));
    }
  };
}

/** What tells a record apart from others (docs/import-export.md). */
function identityOf(record: ContinuityRecord): string {
  switch (record.type) {
    case 'overview':
    case 'progress':
      return JSON.stringify([record.type, record.project]);
    case 'session':
      return JSON.stringify([record.type, record.project, record.at, record.summary]);
    case 'task':
      return JSON.stringify([record.type, record.project, record.name, record.domain ?? '']);
  }
}

/** What a person sees of a record: not who wrote it and when. */
function stateOf(record: ContinuityRecord): string {
  switch (record.type) {
    case 'overview':
      return JSON.stringify([
        record.purpose,
        record.tech_stack,
        record.compliance,
        record.current_phase,
        record.key_constraints,
      ]);
    case 'session':
      return JSON.stringify([record.duration_minutes, record.tasks_completed, record.domain, record.next_planned]);
    case 'progress':
      return JSON.stringify([record.overall_progress, record.current_sprint]);
    case 'task':
      return JSON.stringify([record.state, record.status, record.blocker]);
  }
}

function put(transaction: Transaction, record: ContinuityRecord, replaced: ContinuityRecord | undefined): void {
  const at = Date.parse(record.at);
  const byAgent = record.by_agent ? 1 : 0;
  switch (record.type) {
    case 'overview':
      transaction.run(
        `INSERT OR REPLACE INTO overview
         (project_id, purpose, tech_stack, compliance, current_phase, key_constraints, author, by_agent, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [
          record.project,
          record.purpose,
          JSON.stringify(record.tech_stack),
          JSON.stringify(record.compliance),
          record.current_phase,
          JSON.stringify(record.key_constraints),
          record.author,
          byAgent,
          at,
        ],
      );
      return;
    case 'progress':
      transaction.run(
        `INSERT OR REPLACE INTO progress (project_id, overall_progress, current_sprint, author, by_agent, at)
         VALUES (?, ?, ?, ?, ?, ?)`,
        [record.project, record.overall_progress, record.current_sprint, record.author, byAgent, at],
      );
      return;
    case 'session':
      putSession(transaction, record, at, replaced?.type === 'session' ? replaced : undefined);
      return;
    case 'task':
      transaction.run(
        `INSERT INTO task (project_id, name, domain, state, status, blocker, author, by_agent, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (project_id, name, coalesce(domain, '')) DO UPDATE SET
           state = excluded.state, status = excluded.status, blocker = excluded.blocker,
           author = excluded.author, by_agent = excluded.by_agent, at = excluded.at`,
        [
          ...[record.project, record.name, record.domain, record.state],
          ...[record.status, record.blocker, record.author, byAgent, at],
        ],
      );
      return;
  }
}

/** A session has no key of its own: the one to replace is any that looks like it, for those are all the same. */
function putSession(transaction: Transaction, record: SessionRecord, at: number, replaced?: SessionRecord): void {
  const rest: SqlValue[] = [
    record.duration_minutes,
    JSON.stringify(record.tasks_completed),
    record.domain,
    record.next_planned,
    record.author,
    record.by_agent ? 1 : 0,
  ];
  if (!replaced) {
    transaction.run(
      `INSERT INTO session
         (project_id, at, summary, duration_minutes, tasks_completed, domain, next_planned, author, by_agent)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [record.project, at, record.summary, ...rest],
    );
    return;
  }
  transaction.run(
    `UPDATE session SET duration_minutes = ?1, tasks_completed = ?2, domain = ?3, next_planned = ?4, author = ?5,
       by_agent = ?6
     WHERE id = (SELECT min(id) FROM session WHERE project_id = ?7 AND at = ?8 AND summary = ?9
       AND duration_minutes IS ?10 AND tasks_completed = ?11 AND domain IS ?12 AND next_planned IS ?13
       AND author = ?14 AND by_agent = ?15)`,
    [
      ...[...rest, record.project, at, record.summary],
      ...[replaced.duration_minutes, JSON.stringify(replaced.tasks_completed), replaced.domain],
      ...[replaced.next_planned, replaced.author, replaced.by_agent ? 1 : 0],
    ],
  );
}
