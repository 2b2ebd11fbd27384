import type { Transaction } from '../../store';
import type { LearningCounts } from '../feedback-model';

/**
 * Takes counts of another store, or of an earlier time of this one: of each number the greater one, of each time the
 * later one. So it makes no difference how often, and in which order, files are taken. Answers how many rows changed.
 */
export function mergeCounts(transaction: Transaction, counts: LearningCounts, now: number): number {
  return (
    mergeUses(transaction, counts.uses, now) +
    mergeQueries(transaction, counts.queries) +
    mergeDays(transaction, counts.days)
  );
}

function mergeUses(transaction: Transaction, uses: LearningCounts['uses'], now: number): number {
  if (uses.length === 0) return 0;
  // A clock that was set back must hide no row from those who read what is new.
  const latest = transaction.get<{ at: number | null }>('SELECT max(changed_at) AS at FROM learning_use')?.at ?? 0;
  const rows = uses.map(({ artifact, retrieved, used, last_retrieved, last_used }) => [
    ...[artifact, retrieved, used, timeOf(last_retrieved), timeOf(last_used)],
  ]);
  return inserted(
    transaction,
    `INSERT INTO learning_use (artifact, retrieved, used, last_retrieved, last_used, changed_at)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, ?2
       FROM json_each(?1) WHERE true
     ON CONFLICT DO UPDATE SET retrieved = max(retrieved, excluded.retrieved), used = max(used, excluded.used),
       last_retrieved = coalesce(max(last_retrieved, excluded.last_retrieved), last_retrieved, excluded.last_retrieved),
       last_used = coalesce(max(last_used, excluded.last_used), last_used, excluded.last_used),
       changed_at = excluded.changed_at
     WHERE retrieved < excluded.retrieved OR used < excluded.used
       OR coalesce(last_retrieved, 0) < excluded.last_retrieved OR coalesce(last_used, 0) < excluded.last_used`,
    rows,
    Math.max(now, latest),
  );
}

function mergeQueries(transaction: Transaction, queries: LearningCounts['queries']): number {
  const rows = queries.map((each) => [
    ...[
      each.tool,
      each.query.toLowerCase(),
      each.query,
      each.times,
      each.unanswered,
      each.last_results,
      each.last_best,
    ],
    ...[timeOf(each.first_asked), timeOf(each.last_asked)],
  ]);
  return inserted(
    transaction,
    `INSERT INTO learning_query (tool, asked, query, times, unanswered, last_results, last_best, first_at, last_at)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
       value ->> 8 FROM json_each(?1) WHERE true
     ON CONFLICT DO UPDATE SET times = max(times, excluded.times), unanswered = max(unanswered, excluded.unanswered),
       last_results = CASE WHEN excluded.last_at > last_at THEN excluded.last_results ELSE last_results END,
       last_best = CASE WHEN excluded.last_at > last_at THEN excluded.last_best ELSE last_best END,
       first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)
     WHERE times < excluded.times OR unanswered < excluded.unanswered OR first_at > excluded.first_at
       OR last_at < excluded.last_at`,
    rows,
  );
}

function mergeDays(transaction: Transaction, days: LearningCounts['days']): number {
  return inserted(
    transaction,
    `INSERT INTO learning_day (day, tool, times, unanswered)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?1) WHERE true
     ON CONFLICT DO UPDATE SET times = max(times, excluded.times), unanswered = max(unanswered, excluded.unanswered)
     WHERE times < excluded.times OR unanswered < excluded.unanswered`,
    days.map(({ day, tool, times, unanswered }) => [day, tool, times, unanswered]),
  );
}

function inserted(transaction: Transaction, sql: string, rows: readonly unknown[], ...more: number[]): number {
  if (rows.length === 0) return 0;
  transaction.run(sql, [JSON.stringify(rows), ...more]);
  return transaction.get<{ count: number }>('SELECT changes() AS count')!.count;
}

function timeOf(time: string | undefined): number | null {
  return time === undefined ? null : Date.parse(time);
}
