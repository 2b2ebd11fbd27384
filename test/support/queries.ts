import { type Reader, Store } from '../../src/store';

/** A statement that was read with, and how many rows came of it. */
export interface Query {
  sql: string;
  rows: number;
  /** How SQLite goes about it, a line for each step. */
  plan: string[];
}

/** What is asked of all stores while something runs. */
export function queriesDuring(work: () => unknown): Query[] {
  const queries: Query[] = [];
  const { read } = Store.prototype;
  Store.prototype.read = function (this: Store) {
    const reader = read.call(this);
    const all: Reader['all'] = <T>(...[sql, parameters]: Parameters<Reader['all']>) => {
      const rows = reader.all<T>(sql, parameters);
      const plan = reader.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, parameters);
      queries.push({ sql, rows: rows.length, plan: plan.map(({ detail }) => detail) });
      return rows;
    };
    return { ...reader, all, get: <T>(...args: Parameters<Reader['get']>) => all<T>(...args)[0] };
  };
  try {
    work();
  } finally {
    Store.prototype.read = read;
  }
  return queries;
}
