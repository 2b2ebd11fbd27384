import type { Disposable } from '../core/disposable';
import { describeError } from '../core/errors';
import {
  freshness,
  type GuardPlace,
  guardPlace,
  holdsGuardIndex,
  openGuardIndex,
  type Standing,
  stampsGrew,
} from './kept';
import { writeGuardIndex } from './kept/index-writing';
import type { GuardIndex } from './model';

/** What keeps the stores open: `Kaizen`. */
export interface GuardedHall {
  guardIndex(place: GuardPlace): Promise<GuardIndex>;
  onDidChange(listener: (topics: ReadonlySet<string>) => void): Promise<Disposable>;
}

export interface KeepingOptions {
  /** Directories of the stores. */
  data: string;
  shared: string;
  /** The current project's scope. */
  project: string;
  /** Make an index where there is none. Otherwise one is kept from when a hook has made it. */
  wanted?: boolean;
  /** Milliseconds without a change after which the index is made anew. */
  delay?: number;
  /** Told in words what could not be kept; hooks then look into the stores themselves. */
  log(message: string): void;
}

const DELAY_MS = 500;
/** Somebody who writes all the time does not put it off for ever. */
const MAX_DELAYS = 10;

/** The index is kept fresh until it is disposed of. */
export interface KeptGuardIndex extends Disposable {
  /** Resolves when nothing is under way or waits any more. */
  settled(): Promise<void>;
}

/** Keeps the index that hooks read as the stores are, as long as this process has them open. Never rejects. */
export async function keepGuardIndex(hall: GuardedHall, options: KeepingOptions): Promise<KeptGuardIndex> {
  const keeper = new GuardKeeper(hall, options);
  await keeper.start();
  return keeper;
}

/**
 * The same once, for a process that writes and ends: where hooks are used, the next one finds what was written without
 * opening the stores. Throws what the stores say.
 */
export async function refreshGuardIndex(
  hall: Pick<GuardedHall, 'guardIndex'>,
  where: Omit<GuardPlace, 'directory'>,
): Promise<void> {
  const place = guardPlace(where);
  if (!place || !holdsGuardIndex(place)) return;
  const kept = openGuardIndex(place);
  if (kept && (await stillHolds(kept, place))) return;
  await writeGuardIndex(place, await hall.guardIndex(place));
}

async function stillHolds(known: Standing, { data }: GuardPlace): Promise<boolean> {
  const { holds, stamps } = await freshness(known, data);
  return holds === 'all' && stamps !== undefined && !stampsGrew(known.stamps, stamps);
}

class GuardKeeper implements KeptGuardIndex {
  private listening: Disposable | undefined;
  private timer: NodeJS.Timeout | undefined;
  private putOff = 0;
  private working: Promise<void> = Promise.resolve();
  private isWaiting = false;
  private disposed = false;
  private complaint: string | undefined;
  /**
   * Of the last one that was written, as far as it tells whether it still holds. The first is always made: another build
   * may have made what is there.
   */
  private written: Standing | undefined;

  constructor(
    private readonly hall: GuardedHall,
    private readonly options: KeepingOptions,
  ) {}

  async start(): Promise<void> {
    try {
      this.listening = await this.hall.onDidChange(() => this.later());
      if (this.disposed) this.listening.dispose();
      this.later();
    } catch (error) {
      this.complain(error);
    }
  }

  dispose(): void {
    this.disposed = true;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.listening?.dispose();
  }

  async settled(): Promise<void> {
    if (this.timer !== undefined) this.begin();
    await this.working;
    if (this.timer !== undefined) await this.settled();
  }

  private later(): void {
    if (this.disposed || this.putOff >= MAX_DELAYS) return;
    if (this.timer !== undefined) this.putOff++;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.begin(), this.options.delay ?? DELAY_MS);
    this.timer.unref();
  }

  /** One after the other: what changes while one is made is in the next. */
  private begin(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.putOff = 0;
    if (this.isWaiting) return;
    this.isWaiting = true;
    this.working = this.working.then(async () => {
      this.isWaiting = false;
      try {
        await this.refresh();
        this.complaint = undefined;
      } catch (error) {
        this.complain(error);
      }
    });
  }

  private async refresh(): Promise<void> {
    const place = guardPlace(this.options);
    if (this.disposed || !place || !(this.options.wanted || holdsGuardIndex(place))) return;
    if (this.written && holdsGuardIndex(place) && (await stillHolds(this.written, place))) return;
    const index = await this.hall.guardIndex(place);
    if (this.disposed) return;
    await writeGuardIndex(place, index);
    const { stamps, topics, shared } = index;
    this.written = { stamps, topics, shared };
  }

  /** Not the same each time that something is written. */
  private complain(error: unknown): void {
    const complaint = `The index for hooks could not be kept: ${describeError(error)}`;
    if (complaint !== this.complaint && !this.disposed) this.options.log(complaint);
    this.complaint = complaint;
  }
}
