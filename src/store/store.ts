import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { crc32 } from 'node:zlib';
import type { SqlJsStatic } from 'sql.js';
import { type Clock, systemClock } from '../core/clock';
import type { Disposable } from '../core/disposable';
import { describeError, KaizenError } from '../core/errors';
import { type CheckpointResult, makeSnapshotAside } from './checkpoint';
import { Database, loadSqlite } from './database';
import { discard, readEnd, readFrom, StoreFiles, syncDirectory, writeAll, writeDurably } from './files';
import { ioError } from './io-errors';
import {
  encodeFrame,
  endsWithSeal,
  JOURNAL_FORMAT,
  type JournalHeader,
  type SqlValue,
  type Statement,
} from './journal';
import { exportSnapshot, type Loaded, loadHeaderOnly, loadNewest, newDatabase, replay } from './loading';
import { Lock } from './lock';
import { currentVersions, migrate, needsMigration, type Schema } from './schema';

export interface StoreOptions {
  /** The parts whose tables live in this store. */
  schemas: readonly Schema[];
  clock?: Clock;
  /** Told in words for a person when damage was found and what was done about it. */
  onReport?: (message: string) => void;
  /** A checkpoint is made once the journal outgrows this many bytes, and a quarter of the database (2 MB at most). */
  checkpointBytes?: number;
}

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

/** Makes one durable transaction; see `Store.write`. */
export type Commit = <T>(change: (transaction: Transaction) => T) => T;

interface OpenJournal {
  path: string;
  readable: number;
  writable: number | undefined;
  inode: number;
}

/** Opening replays the journal, some 25 ms a megabyte: these two bound how long that takes. */
const CHECKPOINT_BYTES = 1024 * 1024;
const JOURNAL_LIMIT = 2 * 1024 * 1024;
const KEPT_GENERATIONS = 2;
const POLL_MS = 1_000;
const WATCH_DELAY_MS = 15;
/** Bytes that could not be read are looked at again after this long: their writer may have finished meanwhile. */
const UNREADABLE_MS = 20;

/**
 * A directory with a snapshot, a journal and a lock, shared by any number of processes that are peers.
 *
 * A write is on the disk when its promise resolves: one record appended to the journal and synced, under the lock.
 * A read answers from memory, after one stat of the journal and, when that grew, the replay of its tail.
 */
export class Store {
  private readonly files: StoreFiles;
  private readonly lock: Lock;
  private readonly checkpointLock: Lock;
  private readonly clock: Clock;
  private readonly onReport: (message: string) => void;
  private readonly checkpointBytes: number;
  private journal: OpenJournal | undefined;
  private readonly topics = new Map<string, number>();
  private changes = 0;
  /** No topic is older than the last time that the whole database was read anew. */
  private reloadedAt = 0;
  private readonly listeners = new Set<(topics: ReadonlySet<string>) => void>();
  private pendingTopics: Set<string> | undefined;
  private watching: { close(): void } | undefined;
  private queue: Promise<unknown> = Promise.resolve();
  private checkpointing: Promise<void> | undefined;
  /** A checkpoint is due once the journal is longer than this. */
  private checkpointFrom: number;
  /** When and at which size of the journal the bytes behind `offset` were found unreadable, so as not to look at once again. */
  private unreadable: { size: number; at: number } | undefined;
  /** The generation whose older ones are known to have their seals. */
  private sealedBelow = 0;
  private closed = false;

  private constructor(
    readonly directory: string,
    private readonly sqlite: SqlJsStatic,
    private readonly schemas: readonly Schema[],
    private state: Loaded | undefined,
    options: StoreOptions,
  ) {
    this.files = new StoreFiles(directory);
    this.lock = new Lock(directory, 'lock');
    this.checkpointLock = new Lock(directory, 'checkpoint');
    this.clock = options.clock ?? systemClock;
    this.onReport = options.onReport ?? (() => {});
    this.checkpointBytes = options.checkpointBytes ?? CHECKPOINT_BYTES;
    this.checkpointFrom = this.checkpointBytes;
  }

  /**
   * Opens the store, and makes it when the directory holds none.
   * Throws `store_newer` when a newer build wrote it and `store_damaged` when nothing could be read; both leave it as it
   * is. Throws `read_only`, `store_full` or `store_io` when it cannot be made.
   */
  static async open(directory: string, options: StoreOptions): Promise<Store> {
    const sqlite = await loadSqlite();
    try {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
    } catch (error) {
      throw ioError(error, directory);
    }
    const store = new Store(directory, sqlite, options.schemas, undefined, options);
    store.state = store.load();
    if (!store.state || store.needsRepair()) await store.settle();
    return store;
  }

  /** What is stored now, by this process and every other. */
  read(): Reader {
    this.refresh();
    return this.reader;
  }

  /**
   * Runs `change` as one transaction and makes it durable. When it throws, nothing has changed.
   * Waits for other processes as long as they live; `signal` ends the wait (`cancelled`), never a write under way.
   */
  write<T>(change: (transaction: Transaction) => T, signal?: AbortSignal): Promise<T> {
    return this.exclusively(() => this.commit(change), signal);
  }

  /**
   * Runs `action` while no other process can write to this store, with `commit` to write to it. Where several stores
   * must hold still together, everybody takes them in the same order.
   */
  holding<T>(action: (commit: Commit) => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.exclusively(() => action((change) => this.commit(change)), signal);
  }

  /** Calls `listener` after changes by this process or another, with the topics that they touched. */
  onDidChange(listener: (topics: ReadonlySet<string>) => void): Disposable {
    this.listeners.add(listener);
    this.watching ??= this.watch();
    return {
      dispose: () => {
        this.listeners.delete(listener);
        if (this.listeners.size > 0) return;
        this.watching?.close();
        this.watching = undefined;
      },
    };
  }

  /** Makes a checkpoint now, whatever the journal's size; returns when it is on the disk or another process makes one. */
  checkpoint(): Promise<void> {
    this.checkpointing ??= this.makeCheckpoint().finally(() => {
      this.checkpointing = undefined;
    });
    return this.checkpointing;
  }

  /** Waits for writes that are under way, then lets go of every file. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.watching?.close();
    this.listeners.clear();
    await this.queue.catch(() => {});
    await this.checkpointing?.catch(() => {});
    this.lock.dispose();
    this.checkpointLock.dispose();
    this.leaveJournal();
    this.state?.database.close();
    this.state = undefined;
  }

  private readonly reader: Reader = {
    all: (sql, parameters) => this.current.database.all(sql, parameters),
    get: <T>(sql: string, parameters?: readonly SqlValue[]) => this.current.database.all<T>(sql, parameters)[0],
    versionOf: (topic) => Math.max(this.topics.get(topic) ?? 0, this.reloadedAt),
  };

  private get current(): Loaded {
    if (!this.state) throw this.closedError();
    return this.state;
  }

  private closedError(): KaizenError {
    return new KaizenError('store_closed', `The store in ${this.directory} is closed.`);
  }

  // ── Locking ──────────────────────────────────────────────────────────────────────────────────────────────────────

  private async exclusively<T>(action: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.closed) throw this.closedError();
    if (!signal) return this.inTurn(action);
    let begun = false;
    return new Promise((resolve, reject) => {
      // Waiting for one's turn in this process can be given up like waiting for another process.
      const cancel = () => begun || reject(cancelled(signal));
      signal.addEventListener('abort', cancel, { once: true });
      this.inTurn(() => {
        begun = true;
        return action();
      }, signal)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', cancel));
    });
  }

  /** Runs `action` under the lock, with all that is stored in memory, after what was asked for earlier. */
  private inTurn<T>(action: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const turn = this.queue.then(async () => {
      try {
        await this.lock.acquire(signal);
      } catch (error) {
        throw signal?.aborted ? cancelled(signal) : error;
      }
      try {
        if (signal?.aborted) throw cancelled(signal);
        this.catchUp();
        return await action();
      } finally {
        this.lock.release();
      }
    });
    this.queue = turn.catch(() => {});
    return turn;
  }

  // ── Reading ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Replays what others appended. Bytes that are no whole record are somebody's write under way: they can wait. */
  private refresh(): void {
    const state = this.current;
    const size = this.journalSize();
    if (size === state.offset) return;
    const { unreadable } = this;
    const looked = unreadable && unreadable.size === size && performance.now() - unreadable.at < UNREADABLE_MS;
    if (looked && this.newestGeneration() <= state.generation) return;
    if (size === undefined || size < state.offset) this.reload();
    else if (this.replayTail(size)) this.moveOn();
    else if (state.offset < size && this.newestGeneration() > state.generation) this.reload();
    const sizeNow = this.journalSize() ?? 0;
    this.unreadable = sizeNow > this.current.offset ? { size: sizeNow, at: performance.now() } : undefined;
  }

  /** Like `refresh`, under the lock: now the files hold still, so that what is unreadable is settled for good. */
  private catchUp(): void {
    this.unreadable = undefined;
    this.refresh();
    // What looks wrong from where this process stands is judged from the files alone.
    if (this.unreadable || this.needsRepair() || this.newestGeneration() !== this.current.generation) this.reload();
    if (this.needsRepair()) this.repair();
    this.sealOlder();
  }

  /** Whether the seal stands at the end of the tail. */
  private replayTail(size: number): boolean {
    const state = this.current;
    const bytes = readFrom(this.openJournal().readable, state.offset, size - state.offset);
    const topics = new Set<string>();
    const { end, sealed } = replay(state, bytes, 0, (record) => {
      for (const topic of record.topics) topics.add(topic);
    });
    state.offset += end;
    this.noteTopics(topics);
    return sealed;
  }

  /** Follows a checkpoint: the database in memory stays, unless the new generation is not its continuation. */
  private moveOn(): void {
    const state = this.current;
    const next = loadHeaderOnly(this.files, this.schemas);
    const continues =
      next &&
      next.generation > state.generation &&
      next.header.lineage === state.lineage &&
      next.header.baseSequence <= state.sequence;
    if (!continues) {
      this.reload();
      return;
    }
    this.leaveJournal();
    state.generation = next.generation;
    state.schema = next.header.schema;
    state.offset = next.end;
    this.refresh();
  }

  private reload(): void {
    const loaded = this.load();
    if (!loaded) {
      throw new KaizenError(
        'store_damaged',
        `The files of the store in ${this.directory} are gone.`,
        'Restore the folder from a backup, or restart Kaizen to start anew.',
      );
    }
    this.adopt(loaded);
  }

  private load(): Loaded | undefined {
    for (let attempt = 0; ; attempt++) {
      try {
        return loadNewest(this.sqlite, this.files, this.schemas);
      } catch (error) {
        // A checkpoint may have removed the generation between the listing and the reading.
        if (error instanceof KaizenError && error.code !== 'store_damaged') throw error;
        if (attempt >= 2) throw error instanceof KaizenError ? error : ioError(error, this.directory);
      }
    }
  }

  private adopt(loaded: Loaded): void {
    this.leaveJournal();
    this.state?.database.close();
    this.state = loaded;
    this.reloadedAt = ++this.changes;
    this.announce(new Set(['*']));
  }

  // ── Writing ──────────────────────────────────────────────────────────────────────────────────────────────────────

  private commit<T>(change: (transaction: Transaction) => T): T {
    const state = this.current;
    const { database } = state;
    const statements: Statement[] = [];
    const topics = new Set<string>();
    let ended = false;
    const transaction: Transaction = {
      ...this.reader,
      run: (sql, parameters = []) => {
        // Were it run, it would be in this process's memory and nowhere else.
        if (ended) throw new Error('The transaction has ended.');
        database.run(sql, parameters);
        statements.push(parameters.length > 0 ? [sql, [...parameters]] : [sql]);
      },
      touch: (topic) => topics.add(topic),
    };
    database.exec('BEGIN');
    let result: T;
    try {
      result = change(transaction);
      if (statements.length > 0) {
        this.append(encodeFrame(state.sequence + 1, { statements, topics: [...topics] }));
        state.sequence++;
      }
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    } finally {
      ended = true;
    }
    database.exec('COMMIT');
    this.noteTopics(topics);
    const due = state.offset > this.checkpointFrom && state.offset > Math.min(JOURNAL_LIMIT, database.size() / 4);
    if (due && !this.checkpointing) {
      void this.checkpoint().catch((error) => {
        this.checkpointFrom += this.checkpointBytes;
        this.onReport(`A checkpoint of ${this.directory} failed: ${describeError(error)}`);
      });
    }
    return result;
  }

  /** On the disk when it returns; when it throws, the journal is as it was. */
  private append(frame: Buffer): void {
    const state = this.current;
    try {
      const journal = this.openJournal();
      journal.writable ??= openSync(journal.path, 'r+');
      try {
        writeAll(journal.writable, frame, state.offset);
        fdatasyncSync(journal.writable);
      } catch (error) {
        // Half a record must not stay: were it left, the next process would have to cut it off.
        ftruncateSync(journal.writable, state.offset);
        throw error;
      }
    } catch (error) {
      throw ioError(error, this.directory);
    }
    state.offset += frame.length;
  }

  private openJournal(): OpenJournal {
    if (!this.journal) {
      const path = this.files.journal(this.current.generation);
      const readable = openSync(path, 'r');
      this.journal = { path, readable, writable: undefined, inode: fstatSync(readable).ino };
    }
    return this.journal;
  }

  private leaveJournal(): void {
    if (!this.journal) return;
    closeSync(this.journal.readable);
    if (this.journal.writable !== undefined) closeSync(this.journal.writable);
    this.journal = undefined;
  }

  /** Undefined when the journal is gone, or when another file stands in its place (somebody restored a backup). */
  private journalSize(): number | undefined {
    const stat = statSync(this.files.journal(this.current.generation), { throwIfNoEntry: false });
    return this.journal && stat?.ino !== this.journal.inode ? undefined : stat?.size;
  }

  private newestGeneration(): number {
    return this.files.generations()[0] ?? 0;
  }

  // ── Making, migrating, repairing ─────────────────────────────────────────────────────────────────────────────────

  private needsRepair(): boolean {
    const state = this.current;
    return state.torn || state.faults.length > 0 || needsMigration(state.schema, this.schemas, this.directory);
  }

  /** Makes the store when there is none, and mends it when it needs it, under the lock. */
  private async settle(): Promise<void> {
    try {
      await this.lock.acquire();
      try {
        const loaded = this.load();
        this.state?.database.close();
        this.state = loaded;
        this.state ??= this.make();
        if (this.needsRepair()) this.repair();
      } finally {
        this.lock.release();
      }
    } catch (error) {
      // What could be read can be used all the same; every write will say why it cannot be done.
      const unwritable = error instanceof KaizenError && (error.code === 'read_only' || error.code === 'store_full');
      if (!unwritable || !this.state || needsMigration(this.state.schema, this.schemas, this.directory)) {
        this.lock.dispose();
        throw error;
      }
      for (const { message } of this.state.faults) this.onReport(`${message} It was left as it is. ${error.message}`);
    }
  }

  private make(): Loaded {
    const schema = currentVersions(this.schemas);
    const database = newDatabase(this.sqlite, this.schemas, schema);
    const state: Loaded = {
      generation: 0,
      lineage: randomUUID(),
      schema,
      database,
      sequence: 0,
      offset: 0,
      faults: [],
      torn: false,
      sealed: false,
    };
    this.writeGeneration(state);
    return state;
  }

  /** Cuts off unfinished writes, sets damaged files aside and brings old tables forward. Needs the lock. */
  private repair(): void {
    const state = this.current;
    try {
      if (state.torn) {
        const fd = openSync(this.files.journal(state.generation), 'r+');
        ftruncateSync(fd, state.offset);
        closeSync(fd);
        state.torn = false;
      }
      if (!this.needsRepair()) return;
      // On a copy: were it not to be written, this process would be ahead of the files.
      const database = new Database(this.sqlite, state.database.export());
      const lineage = randomUUID();
      const next: Loaded = {
        ...state,
        database,
        lineage,
        schema: currentVersions(this.schemas),
        faults: [],
        sealed: false,
      };
      try {
        migrate(database, this.schemas, state.schema, next.schema);
        this.writeGeneration(next, state.faults.length === 0 ? { migratedFrom: state.lineage } : {});
      } catch (error) {
        database.close();
        throw error;
      }
      const { faults } = state;
      this.adopt(next);
      const folder = this.files.setAside(
        faults.flatMap(({ files }) => files),
        new Date(this.clock.now()),
      );
      const kept = folder ? ` What was damaged was kept in ${folder}.` : '';
      for (const { message } of faults) this.onReport(`${message} The last good state was recovered.${kept}`);
    } catch (error) {
      throw ioError(error, this.directory);
    }
  }

  /** Writes the whole database as the next generation and moves to it. Needs the lock. */
  private writeGeneration(state: Loaded, origin: Pick<JournalHeader, 'migratedFrom'> = {}): void {
    const generation = this.files.highest() + 1;
    const bytes = exportSnapshot(state.database, state);
    const temporary = this.files.temporary('snapshot');
    try {
      writeDurably(temporary, [bytes]);
      const snapshot = { size: bytes.length, crc32: crc32(bytes) };
      const header = {
        ...origin,
        lineage: state.lineage,
        baseSequence: state.sequence,
        snapshot,
        schema: state.schema,
      };
      state.offset = this.switchTo(generation, temporary, header, Buffer.alloc(0));
    } catch (error) {
      throw ioError(error, this.directory);
    } finally {
      discard(temporary);
    }
    state.generation = generation;
  }

  /** Makes the snapshot and a journal with `tail` the new generation, both or none. Returns the journal's size. */
  private switchTo(
    generation: number,
    snapshot: string,
    header: Omit<JournalHeader, 'kind' | 'format' | 'generation'>,
    tail: Buffer,
  ): number {
    const frame = encodeFrame(0, { kind: 'kaizen-journal', format: JOURNAL_FORMAT, generation, ...header });
    const temporary = this.files.temporary('journal');
    try {
      writeDurably(temporary, [frame, tail]);
      renameSync(snapshot, this.files.snapshot(generation));
      // The generation exists once this file does.
      renameSync(temporary, this.files.journal(generation));
    } finally {
      discard(temporary);
    }
    syncDirectory(this.directory);
    return frame.length + tail.length;
  }

  /**
   * Puts the seal on the journals of older generations where it is missing, so that peers which only read there
   * notice: a checkpoint does it last of all and may be cut off before. Needs the lock.
   */
  private sealOlder(): void {
    const { generation } = this.current;
    if (this.sealedBelow === generation) return;
    try {
      for (const older of this.files.generations()) {
        const journal = this.files.journal(older);
        if (older < generation && !endsWithSeal(readEnd(journal, 128)))
          writeFileSync(journal, encodeFrame(0, { sealedBy: generation }), { flag: 'a' });
      }
      this.sealedBelow = generation;
    } catch {
      // Nothing that was stored depends on it, and the next write tries again.
    }
  }

  // ── Checkpoints ──────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Makes the snapshot without holding anybody up: a thread replays the files up to here, and only the switch to the
   * new generation, with what was written meanwhile carried over, happens under the lock.
   */
  private async makeCheckpoint(): Promise<void> {
    if (!this.checkpointLock.tryAcquire()) return;
    const temporary = this.files.temporary('snapshot');
    try {
      this.refresh();
      const { generation, sequence, offset, lineage, schema } = this.current;
      const next = generation + 1;
      if (this.newestGeneration() !== generation) return;
      const journal = this.files.journal(generation);
      const header = loadHeaderOnly(this.files, this.schemas)?.header;
      const task = { snapshot: this.files.snapshot(generation), journal, end: offset, target: temporary };
      const snapshot: CheckpointResult = header
        ? await makeSnapshotAside({ ...task, base: header, state: { lineage, sequence, schema } })
        : { damaged: journal };
      await this.inTurn(() => {
        const state = this.current;
        if (state.generation !== generation || state.lineage !== lineage) return;
        if ('damaged' in snapshot) {
          // What this process has in memory was sound when it was read.
          state.faults = [{ message: `The file ${snapshot.damaged} is damaged.`, files: [snapshot.damaged] }];
          try {
            this.repair();
          } finally {
            state.faults = [];
          }
        } else {
          const tail = readFrom(this.openJournal().readable, offset, state.offset - offset);
          const size = this.switchTo(next, temporary, { lineage, baseSequence: sequence, snapshot, schema }, tail);
          this.leaveJournal();
          state.generation = next;
          state.offset = size;
        }
        this.sealOlder();
        this.files.tidy(KEPT_GENERATIONS);
        this.checkpointFrom = this.checkpointBytes;
      });
    } catch (error) {
      throw ioError(error, this.directory);
    } finally {
      discard(temporary);
      this.checkpointLock.release();
    }
  }

  // ── Listening ────────────────────────────────────────────────────────────────────────────────────────────────────

  private noteTopics(topics: ReadonlySet<string>): void {
    if (topics.size === 0) return;
    const change = ++this.changes;
    for (const topic of topics) this.topics.set(topic, change);
    this.announce(topics);
  }

  /** Listeners hear of changes after the call that made or found them, several at once as one. */
  private announce(topics: ReadonlySet<string>): void {
    if (this.listeners.size === 0) return;
    if (this.pendingTopics) {
      for (const topic of topics) this.pendingTopics.add(topic);
      return;
    }
    const pending = new Set(topics);
    this.pendingTopics = pending;
    setImmediate(() => {
      this.pendingTopics = undefined;
      for (const listener of [...this.listeners]) listener(pending);
    });
  }

  /** Notices what other processes write: by the system's word where it gives it, by a look each second at the latest. */
  private watch(): { close(): void } {
    const look = () => {
      try {
        if (!this.closed) this.refresh();
      } catch (error) {
        this.onReport(`The store in ${this.directory} could not be read again: ${(error as Error).message}`);
      }
    };
    let delay: NodeJS.Timeout | undefined;
    const poll = setInterval(look, POLL_MS);
    poll.unref();
    let watcher: ReturnType<typeof watch> | undefined;
    try {
      watcher = watch(this.directory, { persistent: false }, (_event, name) => {
        if (name && !String(name).startsWith('journal-')) return;
        delay ??= setTimeout(() => {
          delay = undefined;
          look();
        }, WATCH_DELAY_MS);
      });
      watcher.on('error', () => watcher?.close());
    } catch {
      // Out of watches, or a file system without them: the poll has to do.
    }
    return {
      close: () => {
        clearInterval(poll);
        clearTimeout(delay);
        watcher?.close();
      },
    };
  }
}

function cancelled(signal: AbortSignal): KaizenError {
  return new KaizenError('cancelled', 'The change was cancelled before it was made.', undefined, {
    cause: signal.reason,
  });
}
