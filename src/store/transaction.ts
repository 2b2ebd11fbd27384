import type { Database } from './database';
import type { SqlValue, Statement } from './journal';

/** Reads from memory what every process has stored up to now. */
export interface Reader {
  all<T>(sql: string, parameters?: readonly SqlValue[]): T[];
  get<T>(sql: string, parameters?: readonly SqlValue[]): T | undefined;
  /** Grows whenever a transaction touched the topic; for caches. */
  versionOf(topic: string): number;
}

/** A transaction. Its SQL must be deterministic: no `random()`, no `now`; ids and times are parameters. */
export interface Transaction extends Reader {
  run(sql: string, parameters?: readonly SqlValue[]): void;
  /** Names what the transaction changes, for caches and listeners of every process. */
  touch(topic: string): void;
}

/** What a change did, so that other processes can do the same. */
export interface Recorded<T> {
  result: T;
  statements: readonly Statement[];
  topics: ReadonlySet<string>;
}

/** Runs `change` on the database, within a transaction that is open, and writes down its statements and topics. */
export function record<T>(database: Database, reader: Reader, change: (transaction: Transaction) => T): Recorded<T> {
  const statements: Statement[] = [];
  const topics = new Set<string>();
  let ended = false;
  const transaction: Transaction = {
    ...reader,
    run: (sql, parameters = []) => {
      // Were it run, it would be in this process's memory and nowhere else.
      if (ended) throw new Error('The transaction has ended.');
      database.run(sql, parameters);
      statements.push(parameters.length > 0 ? [sql, [...parameters]] : [sql]);
    },
    touch: (topic) => topics.add(topic),
  };
  try {
    return { result: change(transaction), statements, topics };
  } finally {
    ended = true;
  }
}
