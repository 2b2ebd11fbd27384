import { describeError } from '../core/errors';
import { type CheckpointResult, makeSnapshotAside } from './checkpoint';
import { discard } from './files';
import { switchTo } from './generations';
import { ioError } from './io-errors';
import { Lock } from './lock';
import type { Mending } from './mending';
import type { Replica } from './replica';

/** Opening replays the journal, some 25 ms a megabyte: these two bound how long that takes. */
const CHECKPOINT_BYTES = 1024 * 1024;
const JOURNAL_LIMIT = 2 * 1024 * 1024;
const KEPT_GENERATIONS = 2;

export interface CheckpointsOptions {
  replica: Replica;
  mending: Mending;
  /** Runs an action under the store's lock, with all that is stored in memory. */
  inTurn: <T>(action: () => T) => Promise<T>;
  onReport: (message: string) => void;
  /** 1 MB unless told. */
  bytes?: number | undefined;
}

/** When a new snapshot is due, and how it takes the place of the journal. One process at a time makes one. */
export class Checkpoints {
  private readonly lock: Lock;
  private readonly bytes: number;
  /** A checkpoint is due once the journal is longer than this. */
  private from: number;
  private making: Promise<void> | undefined;

  constructor(private readonly options: CheckpointsOptions) {
    this.lock = new Lock(options.replica.files.directory, 'checkpoint');
    this.bytes = options.bytes ?? CHECKPOINT_BYTES;
    this.from = this.bytes;
  }

  /** Makes a checkpoint now, whatever the journal's size; returns when it is on the disk or another process makes one. */
  make(): Promise<void> {
    this.making ??= this.makeAll().finally(() => {
      this.making = undefined;
    });
    return this.making;
  }

  /** To be asked after a write, which does not wait for it. */
  makeWhenDue(): void {
    if (!this.isDue() || this.making) return;
    void this.make().catch((error) => {
      this.from += this.bytes;
      const { replica, onReport } = this.options;
      onReport(`A checkpoint of ${replica.files.directory} failed: ${describeError(error)}`);
    });
  }

  /** Waits for one that is being made, whether or not it succeeds. */
  async idle(): Promise<void> {
    await this.making?.catch(() => {});
  }

  close(): void {
    this.lock.dispose();
  }

  private async makeAll(): Promise<void> {
    await this.makeOne();
    // A long piece of work keeps the lock while its journal grows: what was carried over may be most of it.
    if (this.isDue()) await this.makeOne();
  }

  private isDue(): boolean {
    const { offset, database } = this.options.replica.current;
    return offset > this.from && offset > Math.min(JOURNAL_LIMIT, database.size() / 4);
  }

  /**
   * Makes the snapshot without holding anybody up: a thread replays the files up to here, and only the switch to the
   * new generation, with what was written meanwhile carried over, happens under the lock.
   */
  private async makeOne(): Promise<void> {
    if (this.options.replica.isUnmade || !this.lock.tryAcquire()) return;
    const { replica, mending, inTurn } = this.options;
    const { files } = replica;
    const temporary = files.temporary('snapshot');
    try {
      replica.refresh();
      const { generation, sequence, offset, lineage, schema } = replica.current;
      const next = generation + 1;
      if (replica.newestGeneration() !== generation) return;
      const journal = files.journal(generation);
      const header = replica.header();
      const task = { snapshot: files.snapshot(generation), journal, end: offset, target: temporary };
      const snapshot: CheckpointResult = header
        ? await makeSnapshotAside({ ...task, base: header, state: { lineage, sequence, schema } })
        : { damaged: journal };
      await inTurn(() => {
        const state = replica.current;
        if (state.generation !== generation || state.lineage !== lineage) return;
        if ('damaged' in snapshot) {
          // What this process has in memory was sound when it was read.
          state.faults = [{ message: `The file ${snapshot.damaged} is damaged.`, files: [snapshot.damaged] }];
          try {
            mending.repair();
          } finally {
            state.faults = [];
          }
        } else {
          const tail = replica.journalFrom(offset);
          const size = switchTo(files, next, temporary, { lineage, baseSequence: sequence, snapshot, schema }, tail);
          replica.goOnIn(next, size);
        }
        mending.sealOlder();
        files.tidy(KEPT_GENERATIONS);
        this.from = this.bytes;
      });
    } catch (error) {
      throw ioError(error, files.directory);
    } finally {
      discard(temporary);
      this.lock.release();
    }
  }
}
