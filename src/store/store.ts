import { mkdirSync } from 'node:fs';
import type { SqlJsStatic } from 'sql.js';
import { type Clock, systemClock } from '../core/clock';
import type { Disposable } from '../core/disposable';
import { KaizenError } from '../core/errors';
import type { ChangeListener } from './changes';
import { Checkpoints } from './checkpoints';
import { loadSqlite } from './database';
import { StoreFiles } from './files';
import { ioError } from './io-errors';
import { encodeFrame } from './journal';
import type { LockWait } from './lock';
import { Mending } from './mending';
import { Replica, storeClosed } from './replica';
import type { Schema } from './schema';
import type { StoreStamp } from './stamps';
import { type Reader, type Recorded, record, type Transaction } from './transaction';
import { Turnstile } from './turnstile';

export interface StoreOptions {
  /** The parts whose tables live in this store. */
  schemas: readonly Schema[];
  /** A store that is missing is made by the first write; otherwise when it is opened. */
  createsOnWrite?: boolean;
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

/**
 * A directory with a snapshot, a journal and a lock, shared by any number of processes that are peers.
 *
 * A write is on the disk when its promise resolves: one record appended to the journal and synced, under the lock.
 * A read answers from memory, after one stat of the journal and, when that grew, the replay of its tail.
 */
export class Store {
  private readonly replica: Replica;
  private readonly mending: Mending;
  private readonly checkpoints: Checkpoints;
  private readonly turns: Turnstile;
  private readonly onReport: (message: string) => void;
  private readonly onWaiting: StoreOptions['onWaiting'];
  private closed = false;

  private constructor(
    readonly directory: string,
    sqlite: SqlJsStatic,
    { schemas, clock = systemClock, onReport = () => {}, onWaiting, checkpointBytes: bytes }: StoreOptions,
  ) {
    this.onReport = onReport;
    this.onWaiting = onWaiting;
    this.turns = this.turnstile('lock');
    const replica = new Replica(sqlite, new StoreFiles(directory), schemas, onReport);
    const mending = new Mending(replica, clock, onReport);
    const inTurn = <T>(action: () => T) => this.inTurn(action);
    this.replica = replica;
    this.mending = mending;
    this.checkpoints = new Checkpoints({ replica, mending, inTurn, onReport, bytes });
  }

  /**
   * Opens the store. Where the directory holds none, or is none, it is made; or, with `createsOnWrite`, it is empty until
   * this process or another stores something in it.
   * Throws `store_newer` when a newer build wrote it and `store_damaged` when nothing could be read; both leave it as it
   * is. Throws `read_only`, `store_full` or `store_io` when it cannot be made.
   */
  static async open(directory: string, options: StoreOptions): Promise<Store> {
    const sqlite = await loadSqlite();
    const { createsOnWrite = false } = options;
    if (!createsOnWrite) makeDirectory(directory);
    const store = new Store(directory, sqlite, options);
    if (!store.replica.open(createsOnWrite)) await store.settle();
    return store;
  }

  /** What is stored now, by this process and every other. */
  read(): Reader {
    this.replica.refresh();
    return this.replica.reader;
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
    return new Turnstile(this.directory, name, this.onWaiting, () => {
      this.makeDirectory();
    });
  }

  /**
   * Makes the directory of a store that is not there yet, for this person alone, for who keeps files beside it.
   * Throws `read_only`, `store_full` or `store_io` where it cannot be made.
   */
  makeDirectory(): void {
    if (this.replica.isUnmade) makeDirectory(this.directory);
  }

  /** Where the store stands now, for who keeps elsewhere what was read from here on; see `storedSince`. */
  stamp(): StoreStamp {
    this.replica.refresh();
    const { generation, offset: journal, sequence, lineage } = this.replica.current;
    return { generation, journal, sequence, lineage };
  }

  /** Calls `listener` after changes by this process or another, with the topics that they touched. */
  onDidChange(listener: ChangeListener): Disposable {
    return this.replica.changes.listen(listener);
  }

  /** Makes a checkpoint now, whatever the journal's size; returns when it is on the disk or another process makes one. */
  checkpoint(): Promise<void> {
    return this.checkpoints.make();
  }

  /** Waits for writes that are under way, then lets go of every file. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.replica.changes.close();
    await this.turns.idle();
    await this.checkpoints.idle();
    await this.turns.close();
    this.checkpoints.close();
    this.replica.close();
  }

  /** Makes the store when there is none, and mends it when it needs it, under the lock. */
  private async settle(): Promise<void> {
    try {
      await this.turns.run(() => {
        this.replica.openOrCreate();
        if (this.replica.needsRepair()) this.mending.repair();
      });
    } catch (error) {
      // What could be read can be used all the same; every write will say why it cannot be done.
      const unwritable = error instanceof KaizenError && (error.code === 'read_only' || error.code === 'store_full');
      const readable = unwritable ? this.replica.readable : undefined;
      if (!unwritable || !readable) {
        await this.turns.close();
        throw error;
      }
      for (const { message } of readable.faults) this.onReport(`${message} It was left as it is. ${error.message}`);
    }
  }

  /** Runs `action` under the lock, with all that is stored in memory, after what was asked for earlier. */
  private async exclusively<T>(action: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.closed) throw storeClosed(this.directory);
    return this.inTurn(action, signal);
  }

  private inTurn<T>(action: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.turns.run(() => {
      this.replica.catchUp();
      if (this.replica.needsRepair()) this.mending.repair();
      this.mending.sealOlder();
      return action();
    }, signal);
  }

  private commit<T>(change: (transaction: Transaction) => T): T {
    const { replica } = this;
    const state = replica.current;
    const { database } = state;
    database.exec('BEGIN');
    let recorded: Recorded<T>;
    try {
      recorded = record(database, replica.reader, change);
      const { statements, topics } = recorded;
      if (statements.length > 0) {
        replica.makeUnlessMade();
        replica.append(encodeFrame(state.sequence + 1, { statements, topics: [...topics] }));
        state.sequence++;
      }
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
    database.exec('COMMIT');
    replica.changes.note(recorded.topics);
    this.checkpoints.makeWhenDue();
    return recorded.result;
  }
}

function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw ioError(error, directory);
  }
}
