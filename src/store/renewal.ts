import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, openSync } from 'node:fs';
import type { SqlJsStatic } from 'sql.js';
import { Database } from './database';
import type { StoreFiles } from './files';
import { writeGeneration } from './generations';
import { type Loaded, newDatabase } from './loading';
import { currentVersions, migrate, type Schema } from './schema';

/** Makes a store where there is none: empty tables, generation 1. Needs the lock. */
export function create(sqlite: SqlJsStatic, files: StoreFiles, schemas: readonly Schema[]): Loaded {
  const state = { ...unmade(sqlite, schemas), lineage: randomUUID() };
  try {
    writeGeneration(files, state);
  } catch (error) {
    state.database.close();
    throw error;
  }
  return state;
}

/** What a store holds that is not there: empty tables, in generation 0, of no lineage. */
export function unmade(sqlite: SqlJsStatic, schemas: readonly Schema[]): Loaded {
  const schema = currentVersions(schemas);
  return {
    generation: 0,
    lineage: '',
    schema,
    database: newDatabase(sqlite, schemas, schema),
    sequence: 0,
    offset: 0,
    faults: [],
    torn: false,
    sealed: false,
  };
}

/** Cuts off a write that was never finished, hence never answered. Needs the lock. */
export function cutTornTail(files: StoreFiles, state: Loaded): void {
  const fd = openSync(files.journal(state.generation), 'r+');
  ftruncateSync(fd, state.offset);
  closeSync(fd);
  state.torn = false;
}

/**
 * Writes what is in memory as a new generation with today's tables: after damage, or when an older build wrote it.
 * Works on a copy: were it not to be written, this process would be ahead of the files. Needs the lock.
 */
export function renew(sqlite: SqlJsStatic, files: StoreFiles, schemas: readonly Schema[], state: Loaded): Loaded {
  const schema = currentVersions(schemas);
  const database = new Database(sqlite, state.database.export());
  const next: Loaded = { ...state, database, lineage: randomUUID(), schema, faults: [], sealed: false };
  try {
    migrate(database, schemas, state.schema, schema);
    writeGeneration(files, next, state.faults.length === 0 ? { migratedFrom: state.lineage } : {});
  } catch (error) {
    database.close();
    throw error;
  }
  return next;
}
