import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import initSqlJs, { type Database as SqlJsDatabase, type Statement as SqlJsStatement, type SqlJsStatic } from 'sql.js';
import type { SqlValue } from './journal';

/** Marks a SQLite file as a snapshot of ours ("KAIZ"). */
export const APPLICATION_ID = 0x4b41495a;

/** Not in the published types yet; the default changes with sql.js's next major version. */
const LEGACY_FREE: object = { useOldExtensionFunctions: false };

let engine: Promise<SqlJsStatic> | undefined;

/** Loads SQLite once for the process. */
export function loadSqlite(): Promise<SqlJsStatic> {
  engine ??= initSqlJs({ wasmBinary: readWasm().buffer as ArrayBuffer, ...LEGACY_FREE });
  return engine;
}

/** Beside the bundle when it is bundled, in the package when it runs from source. */
function readWasm(): Uint8Array {
  const beside = path.join(__dirname, 'sql-wasm.wasm');
  return new Uint8Array(readFileSync(existsSync(beside) ? beside : require.resolve('sql.js/dist/sql-wasm.wasm')));
}

/** A SQLite database in memory, with each statement prepared once. */
export class Database {
  private readonly database: SqlJsDatabase;
  private readonly prepared = new Map<string, SqlJsStatement>();

  /** `bytes` is a SQLite file; without it the database is new and empty. */
  constructor(sqlite: SqlJsStatic, bytes?: Uint8Array) {
    this.database = new sqlite.Database(bytes);
    this.setUp();
  }

  all<T>(sql: string, parameters: readonly SqlValue[] = []): T[] {
    const statement = this.prepare(sql);
    try {
      statement.bind(parameters as SqlValue[]);
      const rows: T[] = [];
      const columns = statement.getColumnNames();
      while (statement.step()) {
        const values = statement.get();
        const row: Record<string, unknown> = {};
        for (let i = 0; i < columns.length; i++) row[columns[i]!] = values[i];
        rows.push(row as T);
      }
      return rows;
    } finally {
      release(statement);
    }
  }

  run(sql: string, parameters: readonly SqlValue[] = []): void {
    const statement = this.prepare(sql);
    try {
      statement.bind(parameters as SqlValue[]);
      while (statement.step());
    } finally {
      release(statement);
    }
  }

  /** Several statements without parameters, not kept prepared: for schema changes and transaction control. */
  exec(sql: string): void {
    this.database.exec(sql);
  }

  /** The database as a SQLite file. */
  export(): Uint8Array {
    this.forget();
    this.database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    const bytes = this.database.export();
    this.setUp();
    return bytes;
  }

  /** Size of the database in bytes. */
  size(): number {
    const [pages] = this.all<{ page_count: number }>('PRAGMA page_count');
    const [page] = this.all<{ page_size: number }>('PRAGMA page_size');
    return pages!.page_count * page!.page_size;
  }

  close(): void {
    this.forget();
    this.database.close();
  }

  /** What the file does not carry and each connection must set. */
  private setUp(): void {
    // The journal of the store is what makes writes durable; SQLite's own only has to serve ROLLBACK.
    this.database.exec(
      'PRAGMA foreign_keys = ON; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY',
    );
  }

  private prepare(sql: string): SqlJsStatement {
    let statement = this.prepared.get(sql);
    if (!statement) {
      statement = this.database.prepare(sql);
      this.prepared.set(sql, statement);
    }
    return statement;
  }

  private forget(): void {
    for (const statement of this.prepared.values()) statement.free();
    this.prepared.clear();
  }
}

/** Ends the statement and gives back what its parameters took. */
function release(statement: SqlJsStatement): void {
  statement.reset();
  statement.freemem();
}
