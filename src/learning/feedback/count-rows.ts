import { isoTime } from '../../core/clock';
import type { Reader, Transaction } from '../../store';
import type { AskedDay, AskedQuery, UseCount } from '../feedback-model';

/** Beyond so many rows those go that were retrieved longest ago; what was used stays, for scores are made of it. */
const MAX_ROWS = 20_000;
const MAX_QUERIES = 5_000;
/** Two years of five tools. */
const MAX_DAYS = 3_650;

/** What was counted of one artifact and is not written down. */
export interface CountedUses {
  retrieved: number;
  used: number;
  /** Milliseconds since the epoch; 0 for never. */
  lastRetrieved: number;
  lastUsed: number;
}

/** What was counted of one question and is not written down. */
export interface CountedQuery {
  tool: string;
  query: string;
  times: number;
  unanswered: number;
  results: number;
  best: number;
  firstAt: number;
  lastAt: number;
}

interface UseRow {
  artifact: string;
  retrieved: number;
  used: number;
  last_retrieved: number | null;
  last_used: number | null;
  changed_at: number;
}

export function readUses(reader: Reader, rest: string, parameters: readonly (string | number)[]): UseRow[] {
  return reader.all<UseRow>(
    `SELECT artifact, retrieved, used, last_retrieved, last_used, changed_at FROM learning_use ${rest}`,
    parameters,
  );
}

export function useOf({ artifact, retrieved, used, last_retrieved, last_used }: UseRow): UseCount {
  return {
    ...{ artifact, retrieved, used },
    ...(last_retrieved === null ? {} : { last_retrieved: isoTime(last_retrieved) }),
    ...(last_used === null ? {} : { last_used: isoTime(last_used) }),
  };
}

/** What remained unanswered most often first, then what was asked most often; all for a limit of -1. */
export function readQueries(reader: Reader, limit: number, { unanswered = false } = {}): AskedQuery[] {
  return reader
    .all<Omit<AskedQuery, 'first_asked' | 'last_asked'> & { first_at: number; last_at: number }>(
      `SELECT tool, query, times, unanswered, last_results, last_best, first_at, last_at FROM learning_query
       ${unanswered ? 'WHERE unanswered > 0' : ''}
       ORDER BY ${unanswered ? 'unanswered DESC,' : ''} times DESC, last_at DESC, tool, asked LIMIT ?`,
      [limit],
    )
    .map(({ first_at, last_at, ...rest }) => ({
      ...rest,
      first_asked: isoTime(first_at),
      last_asked: isoTime(last_at),
    }));
}

/** How often each tool was asked on each day (UTC), the last days first; all for a limit of -1. */
export function readDays(reader: Reader, limit: number): AskedDay[] {
  const sql = 'SELECT day, tool, times, unanswered FROM learning_day ORDER BY day DESC, tool LIMIT ?';
  return reader.all<AskedDay>(sql, [limit]);
}

export function writeUses(transaction: Transaction, uses: ReadonlyMap<string, CountedUses>, now: number): void {
  if (uses.size === 0) return;
  // A clock that was set back must hide no row from those who read what is new.
  const latest = transaction.get<{ at: number | null }>('SELECT max(changed_at) AS at FROM learning_use')?.at ?? 0;
  const rows = [...uses].map(([artifact, { retrieved, used, lastRetrieved, lastUsed }]) => [
    ...[artifact, retrieved, used, lastRetrieved || null, lastUsed || null],
  ]);
  transaction.run(
    `INSERT INTO learning_use (artifact, retrieved, used, last_retrieved, last_used, changed_at)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, ?2 FROM json_each(?1) WHERE true
     ON CONFLICT DO UPDATE SET retrieved = retrieved + excluded.retrieved, used = used + excluded.used,
       last_retrieved = coalesce(max(last_retrieved, excluded.last_retrieved), last_retrieved, excluded.last_retrieved),
       last_used = coalesce(max(last_used, excluded.last_used), last_used, excluded.last_used),
       changed_at = excluded.changed_at`,
    [JSON.stringify(rows), Math.max(now, latest)],
  );
  transaction.run(
    `DELETE FROM learning_use WHERE used = 0 AND artifact IN
       (SELECT artifact FROM learning_use WHERE used = 0 ORDER BY changed_at DESC, artifact LIMIT -1 OFFSET ${MAX_ROWS})`,
  );
}

export function writeQueries(transaction: Transaction, queries: readonly (readonly [string, CountedQuery])[]): void {
  if (queries.length === 0) return;
  const rows = queries.map(([key, { tool, query, times, unanswered, results, best, firstAt, lastAt }]) => [
    ...[tool, key.slice(tool.length + 1), query, times, unanswered, results, best, firstAt, lastAt],
  ]);
  transaction.run(
    `INSERT INTO learning_query (tool, asked, query, times, unanswered, last_results, last_best, first_at, last_at)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
       value ->> 8 FROM json_each(?1) WHERE true
     ON CONFLICT DO UPDATE SET query = excluded.query, times = times + excluded.times,
       unanswered = unanswered + excluded.unanswered, last_results = excluded.last_results,
       last_best = excluded.last_best, last_at = max(last_at, excluded.last_at)`,
    [JSON.stringify(rows)],
  );
  transaction.run(
    `DELETE FROM learning_query WHERE (tool, asked) IN
       (SELECT tool, asked FROM learning_query ORDER BY last_at DESC, tool, asked LIMIT -1 OFFSET ${MAX_QUERIES})`,
  );
}

export function writeDays(transaction: Transaction, days: readonly AskedDay[]): void {
  if (days.length === 0) return;
  transaction.run(
    `INSERT INTO learning_day (day, tool, times, unanswered)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?1) WHERE true
     ON CONFLICT DO UPDATE SET times = times + excluded.times, unanswered = unanswered + excluded.unanswered`,
    [JSON.stringify(days.map(({ day, tool, times, unanswered }) => [day, tool, times, unanswered]))],
  );
  transaction.run(
    `DELETE FROM learning_day WHERE (day, tool) IN
       (SELECT day, tool FROM learning_day ORDER BY day DESC, tool LIMIT -1 OFFSET ${MAX_DAYS})`,
  );
}
