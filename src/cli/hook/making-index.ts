import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeError } from '../../core/errors';
import {
  type GuardIndex,
  type GuardPlace,
  guardPlace,
  indexVersion,
  type OpenGuardIndex,
  openGuardIndex,
} from '../../guard/hooks';
import { type BuildingClaim, claimBuilding } from '../../guard/kept/index-writing';
import { type Caller, type CurrentIndex, holds } from './holding';
import { keep, readStores } from './keeping-index';
import { MAKE_INDEX } from './options';
import { endAfter } from './time-limit';

/** What takes time: loaded by a hook only where it finds no index that holds. */

/** How often a call that waits for another one looks for the index. */
const LOOK_MS = 25;
/** In which the hook that gave up ends. */
const HAND_OVER_MS = 1_000;
/** A store that takes longer is at fault. */
const MAX_MS = 300_000;

/** An index is needed and not there: it is made, or waited for. */
export class Making {
  private version: string;
  private isMaking = false;
  /** Whether another process has left an index since. */
  private isKept = false;

  constructor(
    private readonly place: GuardPlace,
    private readonly caller: Caller,
    /** The newest that was there. */
    private kept: OpenGuardIndex | undefined,
  ) {
    this.version = indexVersion(place);
  }

  async index(): Promise<CurrentIndex> {
    try {
      return { index: await this.inTime(this.made()) };
    } catch (error) {
      if (!this.kept) throw error;
      return { index: this.kept, outdated: describeError(error) };
    }
  }

  /**
   * What was begun when time is up is ended by another process. This one keeps its claim until it ends itself, so that the
   * work is not taken for done.
   */
  private inTime(work: Promise<GuardIndex>): Promise<GuardIndex> {
    const { signal } = this.caller;
    const tooLate = new Promise<never>((_, reject) => {
      const giveUp = () => {
        if (!this.isMaking) reject(signal.reason);
        else void makeElsewhere(this.place).then(() => reject(signal.reason));
      };
      if (signal.aborted) giveUp();
      else signal.addEventListener('abort', giveUp, { once: true });
    });
    return Promise.race([work, tooLate]);
  }

  private async made(): Promise<GuardIndex> {
    for (let hasWaited = false; ; hasWaited = true) {
      this.caller.signal.throwIfAborted();
      const claim = claimBuilding(this.place);
      if (claim === 'impossible') return this.madeWithout();
      if (claim !== 'taken') return this.madeWith(claim, hasWaited);
      await sleep(LOOK_MS);
      const left = await this.left();
      if (left) return left;
    }
  }

  /** Without a claim. What cannot be claimed may be kept all the same, so that the next call need not make it. */
  private async madeWithout(): Promise<GuardIndex> {
    const index = await readStores(this.place);
    await keep(this.place, index);
    return index;
  }

  private async madeWith(claim: BuildingClaim, hasWaited: boolean): Promise<GuardIndex> {
    try {
      const left = await this.left();
      if (left) return left;
      // Who had it before was done and left nothing: no index can be kept, and nobody waits for that one after the other.
      if (hasWaited && !claim.isTakenOver && !this.isKept) claim.release();
      else this.isMaking = true;
      const index = await readStores(this.place);
      await keep(this.place, index);
      return index;
    } finally {
      this.isMaking = false;
      claim.release();
    }
  }

  /** What another process has left since it was looked for last, if it says what the stores say. */
  private async left(): Promise<OpenGuardIndex | undefined> {
    const version = indexVersion(this.place);
    if (version === this.version) return undefined;
    this.version = version;
    this.isKept = true;
    const found = openGuardIndex(this.place);
    if (!found) return undefined;
    this.kept = found;
    return (await holds(found, this.place, this.caller.event)) ? found : undefined;
  }
}

/** Has another process make the index, which nobody waits for: a client may wait for all that this one does. Never throws. */
async function makeElsewhere({ data, shared, project }: GuardPlace): Promise<void> {
  const [program, cli, command] = process.argv;
  // Whoever else started a hook has its own ways.
  if (program === undefined || cli === undefined || command !== 'hook') return;
  const args = [...process.execArgv, cli, 'hook', MAKE_INDEX, data, shared, project];
  try {
    const { spawn } = await import('node:child_process');
    // Not in the folder that is worked in: Windows lets nobody remove one that a process is in.
    const cwd = dirname(process.execPath);
    spawn(process.execPath, args, { cwd, detached: true, stdio: 'ignore', windowsHide: true })
      .on('error', () => {})
      .unref();
  } catch {
    // The next call tries again.
  }
}

/** The other process: makes the index of this place, unless somebody is at it. Says nothing. Never rejects. */
export async function makeIndex([data = '', shared = '', project = '']: readonly string[]): Promise<number> {
  endAfter(MAX_MS);
  try {
    const place = guardPlace({ data, shared, project });
    if (!place) return 0;
    let claim = claimBuilding(place);
    // The hook is about to end, and its claim with it.
    for (const until = Date.now() + HAND_OVER_MS; claim === 'taken' && Date.now() < until; ) {
      await sleep(LOOK_MS);
      claim = claimBuilding(place);
    }
    if (typeof claim === 'string') return 0;
    try {
      await keep(place, await readStores(place));
    } finally {
      claim.release();
    }
  } catch {
    // Hooks say what is wrong with the stores.
  }
  return 0;
}
