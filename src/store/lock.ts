import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ioError } from './io-errors';
import { investigate, livenessOf, ownIdentity, type ProcessIdentity } from './process-identity';

/** Where neither pid nor start time decides, a holder that has not stirred for this long counts as dead. */
const HEARTBEAT_TIMEOUT_MS = 30_000;
const HEARTBEAT_INTERVAL_MS = 5_000;
/** How often a waiter asks whether the holder still lives: a lock outlives its dead holder by no more than this. */
const LIVENESS_INTERVAL_MS = 100;
/** On systems where asking for a start time takes a command, only a wait longer than this is worth it. */
const INVESTIGATE_AFTER_MS = 500;
const MAX_POLL_MS = 8;
/** Who waits for longer than a write takes is told for whom. */
const TOLD_AFTER_MS = 1_000;

/** Somebody else is in, and has been for a while. */
export interface LockWait {
  /** What the lock is of, and its name there. */
  directory: string;
  name: string;
  /** Of the process that is in, where it is one of this system. */
  pid?: number;
  /** Resolves once nobody waits here any more, whether the lock was got or given up. */
  ended: Promise<void>;
}

/**
 * A lock between processes, in files of one directory.
 *
 * Each time the lock is taken has a number of its own, the epoch: the holder of epoch N has a file `<name>.N`, made
 * whole and exclusively by link(2). `<name>.epoch` holds the highest number that was taken. The rules that keep two
 * from being in at once:
 *
 * 1. Epoch N+1 may be taken only when the holder of N is gone: it removed its file, or is proven dead.
 *    Both stay true once they are true, so however late a slow process acts on it, it acts on the truth.
 * 2. A holder writes its number into `<name>.epoch` before it does anything else, and `<name>.N` is removed only after
 *    the epoch reads N or more. So whoever takes a number and then reads another epoch than before knows that the
 *    number may have been used in between, gives it back and starts over.
 *
 * Nobody ever removes the file of a living holder: time alone steals nothing while the holder's host can be asked.
 */
export class Lock {
  private readonly holderFile: string;
  private readonly nonce = randomUUID();
  private readonly epochFile: string;
  private readonly wantedFile: string;
  private holderWritten = false;
  private releasedAt = Number.NEGATIVE_INFINITY;
  private lastHolder: ProcessIdentity | undefined;
  private held: { epoch: number; heartbeat: NodeJS.Timeout } | undefined;

  constructor(
    private readonly directory: string,
    private readonly name: string,
    private readonly onLongWait?: (wait: LockWait) => void,
  ) {
    this.holderFile = path.join(directory, `${name}-holder-${process.pid}-${this.nonce.slice(0, 8)}`);
    this.epochFile = path.join(directory, `${name}.epoch`);
    this.wantedFile = path.join(directory, `${name}.wanted`);
  }

  /** Waits until the lock is free; there is no time limit but the signal's. A long wait is told of once. */
  async acquire(signal?: AbortSignal): Promise<void> {
    await this.giveWay();
    const since = Date.now();
    let wait = 0.5;
    let lastAsked = 0;
    let waited = false;
    let end: (() => void) | undefined;
    try {
      for (;;) {
        signal?.throwIfAborted();
        const askLiveness = Date.now() - lastAsked >= LIVENESS_INTERVAL_MS;
        if (askLiveness) lastAsked = Date.now();
        if (this.attempt(askLiveness)) {
          if (waited) remove(this.wantedFile);
          return;
        }
        waited = true;
        this.sayWanted();
        if (askLiveness && this.lastHolder && Date.now() - since > INVESTIGATE_AFTER_MS)
          void investigate(this.lastHolder);
        if (!end && Date.now() - since >= TOLD_AFTER_MS) end = this.tellOfWait();
        await sleep(wait);
        wait = Math.min(wait * 1.5, MAX_POLL_MS) * (0.75 + Math.random() / 2);
      }
    } finally {
      end?.();
    }
  }

  /**
   * Lets those in who wait, before this process takes the lock anew straight after it gave it back: who looks every few
   * milliseconds would hardly ever find it free between the writes of somebody who does nothing else.
   */
  private async giveWay(): Promise<void> {
    if (performance.now() - this.releasedAt > MAX_POLL_MS) return;
    if (!statSync(this.wantedFile, { throwIfNoEntry: false })) return;
    remove(this.wantedFile);
    await sleep(2 * MAX_POLL_MS);
  }

  /** Returns what tells that the wait is over. A pid means nothing where another host, or a container, is in. */
  private tellOfWait(): () => void {
    const { directory, name, lastHolder: holder } = this;
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const isHere = holder?.host === ownIdentity().host;
    try {
      this.onLongWait?.({ directory, name, ...(isHere ? { pid: holder.pid } : {}), ended });
    } catch (error) {
      // Whoever broke may wait for it all the same.
      end();
      throw error;
    }
    return end;
  }

  private sayWanted(): void {
    try {
      writeFileSync(this.wantedFile, '');
    } catch {
      // It only helps to be let in sooner.
    }
  }

  /** Takes the lock if it is free or its holder is proven dead; never waits. */
  tryAcquire(): boolean {
    return this.attempt(true);
  }

  release(): void {
    if (!this.held) return;
    clearInterval(this.held.heartbeat);
    const file = this.fileOf(this.held.epoch);
    this.held = undefined;
    this.releasedAt = performance.now();
    remove(file);
  }

  /** Releases, and removes what this process left in the directory. */
  dispose(): void {
    this.release();
    // Whoever still waits says so again.
    remove(this.wantedFile);
    if (this.holderWritten) remove(this.holderFile);
    this.holderWritten = false;
  }

  private attempt(askLiveness: boolean): boolean {
    if (this.held) throw new Error(`The lock ${this.name} is held by this object already.`);
    const seen = this.readEpoch();
    const start = seen ?? this.highestTaken();
    const abandoned: number[] = [];
    let epoch = start;
    // Epoch `start` may still be held; above it stand only those who died before they could write their number.
    if (epoch > 0) {
      const state = this.stateOf(epoch, askLiveness);
      if (state === 'held') return false;
      if (state === 'abandoned') abandoned.push(epoch);
    }
    for (; ; epoch++) {
      const state = this.stateOf(epoch + 1, askLiveness);
      if (state === 'held') return false;
      if (state === 'free') break;
      abandoned.push(epoch + 1);
    }
    const mine = epoch + 1;
    if (!this.create(mine)) return false;
    // Another number, or none that can be read any more: whether this one had been used before cannot be told.
    if (this.readEpoch() !== seen) {
      remove(this.fileOf(mine));
      return false;
    }
    try {
      this.writeEpoch(mine);
    } catch (error) {
      // Nothing was done under this number, so giving it back unwritten leaves it as if it had never been taken.
      remove(this.fileOf(mine));
      throw ioError(error, this.directory);
    }
    for (const old of abandoned) remove(this.fileOf(old));
    const file = this.fileOf(mine);
    const heartbeat = setInterval(() => touch(file), HEARTBEAT_INTERVAL_MS);
    heartbeat.unref();
    this.held = { epoch: mine, heartbeat };
    return true;
  }

  private stateOf(epoch: number, askLiveness: boolean): 'free' | 'held' | 'abandoned' {
    const file = this.fileOf(epoch);
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'free';
      return 'held';
    }
    if (!askLiveness) return 'held';
    const holder = parseHolder(text);
    this.lastHolder = holder;
    // A file of our own that could not be removed at release (a scanner held it open) keeps nobody out.
    if (holder?.nonce === this.nonce) return 'abandoned';
    const liveness = holder ? livenessOf(holder) : 'unknown';
    if (liveness === 'dead') return 'abandoned';
    if (liveness === 'alive') return 'held';
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) return 'free';
    if (Date.now() - stat.mtimeMs <= HEARTBEAT_TIMEOUT_MS) return 'held';
    if (!holder || liveness !== 'unasked') return 'abandoned';
    // Its heart may have stood still because the whole computer slept: the system is asked before it counts as dead.
    void investigate(holder);
    return 'held';
  }

  /** Makes the file whole and only if it is not there. */
  private create(epoch: number): boolean {
    const content = JSON.stringify({ ...ownIdentity(), nonce: this.nonce });
    try {
      if (!this.holderWritten) {
        writeFileSync(this.holderFile, content);
        this.holderWritten = true;
      }
      try {
        linkSync(this.holderFile, this.fileOf(epoch));
        return true;
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code;
        if (code === 'EEXIST') return false;
        if (code === 'ENOENT') {
          // Somebody tidied up our holder file: make it anew next time.
          this.holderWritten = false;
          return false;
        }
        if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS' && code !== 'EMLINK') throw error;
      }
      // No hard links here (FAT, some network drives). A reader may see the file empty for an instant; an unreadable
      // holder counts as unknown, hence alive until the heartbeat says otherwise.
      const fd = openSync(this.fileOf(epoch), 'wx');
      writeSync(fd, content);
      closeSync(fd);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw ioError(error, this.directory);
    }
  }

  private fileOf(epoch: number): string {
    return path.join(this.directory, `${this.name}.${epoch}`);
  }

  /**
   * Undefined when nobody ever took the lock or the file is damaged: every process finds it so, and the next holder
   * mends it. The number stands twice, so that a read in the midst of a write is noticed.
   */
  private readEpoch(): number | undefined {
    for (let attempt = 0; attempt < 100; attempt++) {
      let text: string;
      try {
        const fd = openSync(this.epochFile, 'r');
        const buffer = Buffer.alloc(32);
        const length = readSync(fd, buffer, 0, 32, 0);
        closeSync(fd);
        text = buffer.toString('latin1', 0, length);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        continue;
      }
      const match = /^(\d{15}) (\d{15})\n$/.exec(text);
      if (match && match[1] === match[2]) return Number(match[1]);
    }
    return undefined;
  }

  /** The highest number that has a file, 0 when there is none: whoever lost the epoch must not overlook its holder. */
  private highestTaken(): number {
    const prefix = `${this.name}.`;
    try {
      const suffixes = readdirSync(this.directory).map((name) =>
        name.startsWith(prefix) ? name.slice(prefix.length) : '',
      );
      return Math.max(0, ...suffixes.filter((suffix) => /^\d+$/.test(suffix)).map(Number));
    } catch {
      // Making the file will say what is wrong with the directory.
      return 0;
    }
  }

  private writeEpoch(epoch: number): void {
    const digits = String(epoch).padStart(15, '0');
    const fd = openSync(this.epochFile, constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      writeSync(fd, `${digits} ${digits}\n`, 0, 'latin1');
    } finally {
      closeSync(fd);
    }
  }
}

/** Who a holder's file says that it is; undefined when it says nothing that makes sense. */
export function parseHolder(text: string): (ProcessIdentity & { nonce: string }) | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return undefined;
    const { host, pid, start, nonce } = value as Record<string, unknown>;
    return typeof host === 'string' && typeof pid === 'number' && typeof start === 'number' && typeof nonce === 'string'
      ? { host, pid, start, nonce }
      : undefined;
  } catch {
    return undefined;
  }
}

function touch(file: string): void {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    // Gone already: nothing to keep alive.
  }
}

function remove(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Already gone, or held open by a scanner on Windows: a dead holder's file is stepped over.
  }
}
