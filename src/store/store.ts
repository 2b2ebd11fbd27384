import { mkdirSync } from 'node:fs';
import type { SqlJsStatic } from 'sql.js';
import { type Clock, systemClock } from '../core/clock';
import type { Disposable } from '../core/disposable';
import { describeError, KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { type ChangeListener, Changes } from './changes';
import { type CheckpointResult, makeSnapshotAside } from './checkpoint';
import { loadSqlite } from './database';
import { discard, StoreFiles } from './files';
import { sealOlder, switchTo } from './generations';
import { ioError } from './io-errors';
import { encodeFrame, type SqlValue } from './journal';
import { JournalFile } from './journal-file';
import { type Loaded, loadHeaderOnly, loadNewest, replay } from './loading';
import { Lock, type LockWait } from './lock';
import { create, cutTornTail, renew } from './renewal';
import { needsMigration, type Schema } from './schema';
import type { StoreStamp } from './stamps';
import { type Reader, type Recorded, record, type Transaction } from './transaction';
import { Turnstile } from './turnstile';

export interface StoreOptions {
  /** The parts whose tables live in this store. */
  schemas: readonly Schema[];
  clock?: Clock;
  /** Told in words for a person when damage was found and what was done about it. */
  onReport?: (message: string) => void;
  /** Told when a write has waited for another process for a second, once for each such wait. */
  onWaiting?: (wait: LockWait) => void;
  /** A checkpoint is made once the journal outgrows this many bytes, and a quarter of the database (2 MB at most). */
  checkpointBytes?: number;
}

/** Makes one durable transaction; see `Store.write`. */
export type Commit = <T>(change: (transaction: Transaction) => T) => T;

/** Opening replays the journal, some 25 ms a megabyte: these two bound how long that takes. */
const CHECKPOINT_BYTES = 1024 * 1024;
const JOURNAL_LIMIT = 2 * 1024 * 1024;
const KEPT_GENERATIONS = 2;
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
  private readonly turns: Turnstile;
  private readonly checkpointLock: Lock;
  private readonly clock: Clock;
  private readonly onReport: (message: string) => void;
  private readonly onWaiting: StoreOptions['onWaiting'];
  private readonly checkpointBytes: number;
  private journalFile: JournalFile | undefined;
  private readonly changes: Changes;
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
    this.onWaiting = options.onWaiting;
    this.turns = this.turnstile('lock');
    this.checkpointLock = new Lock(directory, 'checkpoint');
    this.clock = options.clock ?? systemClock;
    this.onReport = options.onReport ?? (() => {});
    this.changes = new Changes(directory, () => this.refresh(), this.onReport);
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

  /** Lets in one after another for work of this name beside the store; whoever waits for long is told as here. */
  turnstile(name: string): Turnstile {
    return new Turnstile(this.directory, name, this.onWaiting);
  }

  /** Where the store stands now, for who keeps elsewhere what was read from here on; see `storedSince`. */
  stamp(): StoreStamp {
    this.refresh();
    const { generation, offset: journal, sequence, lineage } = this.current;
    return { generation, journal, sequence, lineage };
  }

  /** Calls `listener` after changes by this process or another, with the topics that they touched. */
  onDidChange(listener: ChangeListener): Disposable {
    return this.changes.listen(listener);
  }

  /** Makes a checkpoint now, whatever the journal's size; returns when it is on the disk or another process makes one. */
  checkpoint(): Promise<void> {
    this.checkpointing ??= this.makeCheckpoints().finally(() => {
      this.checkpointing = undefined;
    });
    return this.checkpointing;
  }

  /** Waits for writes that are under way, then lets go of every file. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.changes.close();
    await this.turns.idle();
    await this.checkpointing?.catch(() => {});
    await this.turns.close();
    this.checkpointLock.dispose();
    this.leaveJournal();
    this.state?.database.close();
    this.state = undefined;
  }

  private readonly reader: Reader = {
    all: (sql, parameters) => this.current.database.all(sql, parameters),
    get: <T>(sql: string, parameters?: readonly SqlValue[]) => this.current.database.all<T>(sql, parameters)[0],
    versionOf: (topic) => this.changes.versionOf(topic),
  };

  private get current(): Loaded {
    if (!this.state) throw this.closedError();
    return this.state;
  }

  private closedError(): KaizenError {
    return new KaizenError('store_closed', sentence('The store in {0} is closed.', this.directory));
  }

  // ── Locking ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Runs `action` under the lock, with all that is stored in memory, after what was asked for earlier. */
  private async exclusively<T>(action: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.closed) throw this.closedError();
    return this.inTurn(action, signal);
  }

  private inTurn<T>(action: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.turns.run(() => {
      this.catchUp();
      return action();
    }, signal);
  }

  // ── Reading ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Replays what others appended. Bytes that are no whole record are somebody's write under way: they can wait. */
  private refresh(): void {
    const state = this.current;
    const size = this.journal.size();
    if (size === state.offset) return;
    const { unreadable } = this;
    const looked = unreadable && unreadable.size === size && performance.now() - unreadable.at < UNREADABLE_MS;
    if (looked && this.newestGeneration() <= state.generation) return;
    // Loaded so already: what is gone is found out once.
    if (size === undefined && state.faults.length > 0 && state.offset === 0 && this.newestGeneration() === 0) return;
    this.unreadable = undefined;
    if (size === undefined || size < state.offset) {
      this.reload();
      return;
    }
    const sealed = this.replayTail(size);
    if (state.offset === size) return;
    // As large as it was when it was looked at: what came since may well be readable.
    if (this.newestGeneration() <= state.generation) this.unreadable = { size, at: performance.now() };
    else if (sealed) this.moveOn();
    else this.reload();
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
    const bytes = this.journal.read(state.offset, size - state.offset);
    const topics = new Set<string>();
    const { end, sealed } = replay(state, bytes, 0, (record) => {
      for (const topic of record.topics) topics.add(topic);
    });
    state.offset += end;
    this.changes.note(topics);
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
        sentence('The files of the store in {0} are gone.', this.directory),
        sentence('Restore the folder from a backup, or restart Kaizen to start anew.'),
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
    this.changes.noteEverything();
  }

  // ── Writing ──────────────────────────────────────────────────────────────────────────────────────────────────────

  private commit<T>(change: (transaction: Transaction) => T): T {
    const state = this.current;
    const { database } = state;
    database.exec('BEGIN');
    let recorded: Recorded<T>;
    try {
      recorded = record(database, this.reader, change);
      const { statements, topics } = recorded;
      if (statements.length > 0) {
        this.append(encodeFrame(state.sequence + 1, { statements, topics: [...topics] }));
        state.sequence++;
      }
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
    database.exec('COMMIT');
    this.changes.note(recorded.topics);
    if (this.isCheckpointDue() && !this.checkpointing) {
      void this.checkpoint().catch((error) => {
        this.checkpointFrom += this.checkpointBytes;
        this.onReport(`A checkpoint of ${this.directory} failed: ${describeError(error)}`);
      });
    }
    return recorded.result;
  }

  /** On the disk when it returns; when it throws, the journal is as it was. */
  private append(frame: Buffer): void {
    try {
      this.journal.append(frame, this.current.offset);
    } catch (error) {
      throw ioError(error, this.directory);
    }
    this.current.offset += frame.length;
  }

  /** The current generation's journal. */
  private get journal(): JournalFile {
    const path = this.files.journal(this.current.generation);
    if (this.journalFile?.path !== path) {
      this.leaveJournal();
      this.journalFile = new JournalFile(path);
    }
    return this.journalFile as JournalFile;
  }

  private leaveJournal(): void {
    this.journalFile?.close();
    this.journalFile = undefined;
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
      await this.turns.run(() => {
        const loaded = this.load();
        this.state?.database.close();
        this.state = loaded;
        this.state ??= create(this.sqlite, this.files, this.schemas);
        if (this.needsRepair()) this.repair();
      });
    } catch (error) {
      // What could be read can be used all the same; every write will say why it cannot be done.
      const unwritable = error instanceof KaizenError && (error.code === 'read_only' || error.code === 'store_full');
      if (!unwritable || !this.state || needsMigration(this.state.schema, this.schemas, this.directory)) {
        await this.turns.close();
        throw error;
      }
      for (const { message } of this.state.faults) this.onReport(`${message} It was left as it is. ${error.message}`);
    }
  }

  /** Cuts off unfinished writes, sets damaged files aside and brings old tables forward. Needs the lock. */
  private repair(): void {
    const state = this.current;
    try {
      if (state.torn) cutTornTail(this.files, state);
      if (!this.needsRepair()) return;
      const next = renew(this.sqlite, this.files, this.schemas, state);
      const { faults } = state;
      this.adopt(next);
      const kept = this.setAside(faults.flatMap(({ files }) => files));
      for (const { message } of faults) this.onReport(`${message} The last good state was recovered.${kept}`);
    } catch (error) {
      throw ioError(error, this.directory);
    }
  }

  /** Says where the damaged files are now; what was recovered stands whether or not they can be moved. */
  private setAside(damaged: readonly string[]): string {
    try {
      const folder = this.files.setAside(damaged, new Date(this.clock.now()));
      return folder ? ` What was damaged was kept in ${folder}.` : '';
    } catch (error) {
      return ` What was damaged could not be set aside (${describeError(error)}): copy ${damaged.join(', ')} if you want to keep it.`;
    }
  }

  private sealOlder(): void {
    const { generation } = this.current;
    if (this.sealedBelow !== generation && sealOlder(this.files, generation)) this.sealedBelow = generation;
  }

  // ── Checkpoints ──────────────────────────────────────────────────────────────────────────────────────────────────

  private async makeCheckpoints(): Promise<void> {
    await this.makeCheckpoint();
    // A long piece of work keeps the lock while its journal grows: what was carried over may be most of it.
    if (this.isCheckpointDue()) await this.makeCheckpoint();
  }

  private isCheckpointDue(): boolean {
    const { offset, database } = this.current;
    return offset > this.checkpointFrom && offset > Math.min(JOURNAL_LIMIT, database.size() / 4);
  }

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
          const tail = this.journal.read(offset, state.offset - offset);
          const size = switchTo(
            this.files,
            next,
            temporary,
            { lineage, baseSequence: sequence, snapshot, schema },
            tail,
          );
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
}
