import { crc32 } from 'node:zlib';
import type { SqlJsStatic } from 'sql.js';
import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { APPLICATION_ID, Database } from './database';
import { readIfThere, type StoreFiles } from './files';
import {
  decodeFrame,
  JOURNAL_FORMAT,
  type JournalHeader,
  judgeTail,
  parseHeader,
  parseRecord,
  type TransactionRecord,
} from './journal';
import { migrate, needsMigration, newerStore, type Schema, type SchemaVersions } from './schema';

/** A damage that was found, in words for a person, and the files to set aside because of it. */
export interface Fault {
  message: string;
  files: string[];
}

/** A database in memory and where in the journal it stands. */
export interface Loaded {
  generation: number;
  lineage: string;
  schema: SchemaVersions;
  database: Database;
  /** Number of the last transaction that the database includes. */
  sequence: number;
  /** End of the last sound frame of the generation's journal. */
  offset: number;
  faults: Fault[];
  /** Bytes of an unfinished write stand behind `offset`; nobody was told that it succeeded. */
  torn: boolean;
  /** The seal stands behind `offset`: a newer generation took over. */
  sealed: boolean;
}

/** What a snapshot says of itself, so that it stands without its journal. */
export interface SnapshotState {
  lineage: string;
  sequence: number;
  schema: SchemaVersions;
}

export const STATE_TABLE = 'CREATE TABLE store_state (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID';

/** The SQLite file to write as a snapshot. */
export function exportSnapshot(database: Database, { lineage, sequence, schema }: SnapshotState): Uint8Array {
  const state: SnapshotState = { lineage, sequence, schema };
  database.run('INSERT OR REPLACE INTO store_state VALUES (?, ?)', ['snapshot', JSON.stringify(state)]);
  return database.export();
}

/**
 * Reads the newest state that the files hold; undefined when there is no store yet.
 * Changes nothing on the disk: what was found damaged stands in `faults`.
 * Throws `store_newer` or, when nothing can be made of the files, `store_damaged`.
 */
export function loadNewest(sqlite: SqlJsStatic, files: StoreFiles, schemas: readonly Schema[]): Loaded | undefined {
  for (;;) {
    // Without a journal there is no store, unless somebody lost it and left the snapshots.
    const newest = files.generations()[0] ?? files.highest();
    if (newest === 0) return undefined;
    const loaded = loadGeneration(sqlite, files, schemas, newest);
    if (!loaded.sealed) return loaded;
    if ((files.generations()[0] ?? 0) <= newest) {
      const lost = files.highest();
      loaded.faults.push({
        message: `The journal that followed ${files.journal(newest)} is missing; what was stored after transaction ${loaded.sequence} is lost.`,
        files: lost > newest ? [files.snapshot(lost)] : [],
      });
      return loaded;
    }
    // A checkpoint came between the listing and the reading.
    loaded.database.close();
  }
}

function loadGeneration(
  sqlite: SqlJsStatic,
  files: StoreFiles,
  schemas: readonly Schema[],
  generation: number,
): Loaded {
  const found = readIfThere(files.journal(generation));
  const journal = found ?? Buffer.alloc(0);
  const frame = decodeFrame(journal, 0);
  const header = frame && parseHeader(frame);
  if (header) refuseNewer(header, schemas, files.directory);

  const faults: Fault[] = [];
  const snapshot = readIfThere(files.snapshot(generation));
  let base = header ? verified(sqlite, snapshot, header) : selfDescribed(sqlite, snapshot);
  if (!header) {
    faults.push({
      message: `The journal ${files.journal(generation)} ${found ? 'has no readable header' : 'is missing'}.`,
      files: [files.journal(generation)],
    });
  }
  if (!base) {
    const what = snapshot ? (snapshot.length === 0 ? 'is empty' : 'is damaged') : 'is missing';
    faults.push({
      message: `The snapshot ${files.snapshot(generation)} ${what}.`,
      files: [files.snapshot(generation)],
    });
    base =
      header?.baseSequence === 0
        ? rebuilt(sqlite, schemas, header)
        : older(sqlite, files, schemas, generation, header, faults);
  }
  needsMigration(base.schema, schemas, files.directory);

  const { lineage, schema, database, sequence } = base;
  const offset = header ? frame.end : firstFrame(journal);
  const loaded: Loaded = {
    generation,
    lineage,
    schema,
    database,
    sequence,
    offset,
    faults,
    torn: false,
    sealed: false,
  };
  const { end, sealed } = replay(loaded, journal, loaded.offset);
  loaded.offset = end;
  loaded.sealed = sealed;
  if (end < journal.length && header && !sealed) {
    if (judgeTail(journal, end) === 'torn') loaded.torn = true;
    else {
      faults.push({
        message: `The journal ${files.journal(generation)} is damaged at byte ${end} of ${journal.length}; what was stored after transaction ${loaded.sequence} could not be read.`,
        files: [files.journal(generation)],
      });
    }
  }
  return loaded;
}

type Base = { lineage: string; schema: SchemaVersions; database: Database; sequence: number };

function verified(sqlite: SqlJsStatic, snapshot: Buffer | undefined, header: JournalHeader): Base | undefined {
  if (!snapshot || !isSound(snapshot, header.snapshot)) return undefined;
  return {
    lineage: header.lineage,
    schema: header.schema,
    sequence: header.baseSequence,
    database: new Database(sqlite, snapshot),
  };
}

/** Whether the bytes are those that the journal's header was written for. */
export function isSound(snapshot: Buffer, expected: JournalHeader['snapshot']): boolean {
  return snapshot.length === expected.size && crc32(snapshot) === expected.crc32;
}

/** A snapshot whose journal cannot vouch for it: SQLite's own check and what it says of itself have to do. */
function selfDescribed(sqlite: SqlJsStatic, snapshot: Buffer | undefined): Base | undefined {
  if (!snapshot || snapshot.length === 0) return undefined;
  let database: Database | undefined;
  try {
    database = new Database(sqlite, snapshot);
    const [id] = database.all<{ application_id: number }>('PRAGMA application_id');
    const [check] = database.all<{ quick_check: string }>('PRAGMA quick_check');
    const [state] = database.all<{ value: string }>("SELECT value FROM store_state WHERE key = 'snapshot'");
    if (id?.application_id === APPLICATION_ID && check?.quick_check === 'ok' && state) {
      return { ...(JSON.parse(state.value) as SnapshotState), database };
    }
  } catch {
    // Not a database, or not one of ours.
  }
  database?.close();
  return undefined;
}

/** A store's first snapshot holds nothing but its empty tables, so it can be made again. */
function rebuilt(sqlite: SqlJsStatic, schemas: readonly Schema[], header: JournalHeader): Base {
  const database = newDatabase(sqlite, schemas, header.schema);
  return { lineage: header.lineage, schema: header.schema, sequence: 0, database };
}

export function newDatabase(sqlite: SqlJsStatic, schemas: readonly Schema[], versions: SchemaVersions): Database {
  const database = new Database(sqlite);
  database.exec(STATE_TABLE);
  migrate(database, schemas, {}, versions);
  return database;
}

/** The generation before, with its whole journal, is where the damaged one began. */
function older(
  sqlite: SqlJsStatic,
  files: StoreFiles,
  schemas: readonly Schema[],
  generation: number,
  header: JournalHeader | undefined,
  faults: Fault[],
): Base {
  const previous = files.generations().find((candidate) => candidate < generation);
  if (previous !== undefined) {
    const loaded = loadGeneration(sqlite, files, schemas, previous);
    faults.push(...loaded.faults);
    if (!header || (loaded.lineage === header.lineage && loaded.sequence >= header.baseSequence)) return loaded;
    if (loaded.lineage === header.migratedFrom && loaded.sequence === header.baseSequence) {
      migrate(loaded.database, schemas, loaded.schema, header.schema);
      return { ...loaded, lineage: header.lineage, schema: header.schema };
    }
    loaded.database.close();
  }
  throw new KaizenError(
    'store_damaged',
    sentence('The store in {0} is damaged: {1}', files.directory, faults.map((fault) => fault.message).join(' ')),
    sentence('Nothing was changed. Restore the folder from a backup, or move it away to start anew.'),
  );
}

/**
 * Runs the transactions that stand in `bytes` from `offset` on and are new to the database.
 * Returns where the sound ones end, and whether the seal stands there.
 * Throws `store_damaged`, with the database as it was, when a sound one does not run.
 */
export function replay(
  state: { database: Database; sequence: number },
  bytes: Buffer,
  offset: number,
  onRecord?: (record: TransactionRecord) => void,
): { end: number; sealed: boolean } {
  const before = state.sequence;
  let begun = false;
  let sealed = false;
  try {
    for (;;) {
      const frame = decodeFrame(bytes, offset);
      if (!frame) break;
      const record = parseRecord(frame);
      if ('sealedBy' in record) {
        sealed = true;
        break;
      }
      if (frame.sequence > state.sequence) {
        // A gap means that something between is lost: nothing behind it may be applied.
        if (frame.sequence !== state.sequence + 1) break;
        if (!begun) state.database.exec('BEGIN');
        begun = true;
        for (const [sql, parameters] of record.statements) state.database.run(sql, parameters);
        state.sequence = frame.sequence;
        onRecord?.(record);
      }
      offset = frame.end;
    }
  } catch (error) {
    const number = state.sequence + 1;
    if (begun) state.database.exec('ROLLBACK');
    state.sequence = before;
    throw new KaizenError(
      'store_damaged',
      sentence(
        'The stored transaction {0} cannot be run again: {1}.',
        number,
        error instanceof Error ? error.message : String(error),
      ),
      sentence('Nothing was changed. Please report this: it is a fault of Kaizen.'),
      { cause: error },
    );
  }
  if (begun) state.database.exec('COMMIT');
  return { end: offset, sealed };
}

function firstFrame(journal: Buffer): number {
  for (let at = journal.indexOf('KJRN', 0, 'latin1'); at >= 0; at = journal.indexOf('KJRN', at + 1, 'latin1')) {
    const frame = decodeFrame(journal, at);
    if (frame && frame.sequence > 0) return at;
  }
  return journal.length;
}

function refuseNewer(header: JournalHeader, schemas: readonly Schema[], directory: string): void {
  if (header.format > JOURNAL_FORMAT) throw newerStore(directory, `journal format ${header.format}`);
  needsMigration(header.schema, schemas, directory);
}

/** The newest generation's header, and where in the journal it ends, without reading its snapshot. */
export function loadHeaderOnly(
  files: StoreFiles,
  schemas: readonly Schema[],
): { generation: number; header: JournalHeader; end: number } | undefined {
  const [generation] = files.generations();
  if (generation === undefined) return undefined;
  const frame = decodeFrame(readIfThere(files.journal(generation)) ?? Buffer.alloc(0), 0);
  const header = frame && parseHeader(frame);
  if (!header) return undefined;
  refuseNewer(header, schemas, files.directory);
  return { generation, header, end: frame.end };
}
