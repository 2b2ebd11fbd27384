import { randomBytes } from 'node:crypto';
import { linkSync, lstatSync, readFileSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { livenessOf, ownIdentity, type ProcessIdentity } from '../../store/process-identity';
import { isFields } from '../hooks/fields';
import { type GuardPlace, guardIndexFile } from './index-file';
import { makeOwnFolder } from './own-files';

/**
 * Which process makes the index of a place, so that a dozen hooks that begin at once do not all do it: a file beside the
 * index that names the process. It only saves work. Two builders at once take nothing from each other, because an index
 * comes into its place whole; so a claim that may be stale is taken over rather than waited for.
 */
export interface BuildingClaim {
  /** Whether it was taken from a process that ended, or stood still, while it had it. */
  isTakenOver: boolean;
  release(): void;
}

const BEAT_MS = 500;
/** Who has not stirred for so long is stopped, asleep, or on a host that cannot be asked: nobody waits for it. */
const SILENCE_MS = 3_000;

interface Claimant extends ProcessIdentity {
  nonce: string;
}

/**
 * `taken` while another process is at it. `impossible` where no claim can be made: the folder cannot be written, or what
 * stands in the claim's place is nobody's and cannot be removed. Nobody is to be waited for then. Never waits, never throws.
 */
export function claimBuilding(place: GuardPlace): BuildingClaim | 'taken' | 'impossible' {
  const file = claimFile(place);
  const nonce = randomBytes(8).toString('hex');
  let isTakenOver: boolean;
  try {
    makeOwnFolder(place.directory);
    const state = stateOf(file);
    if (state === 'taken') return 'taken';
    if (state === 'in the way') return 'impossible';
    isTakenOver = state === 'left behind';
    if (!create(file, { ...ownIdentity(), nonce })) return 'taken';
  } catch {
    return 'impossible';
  }
  const beating = setInterval(() => beat(file, nonce), BEAT_MS);
  beating.unref();
  return {
    isTakenOver,
    release() {
      clearInterval(beating);
      // It may have been taken over meanwhile.
      if (claimantIn(file)?.nonce === nonce) remove(file);
    },
  };
}

function claimFile(place: GuardPlace): string {
  return `${guardIndexFile(place)}.building`;
}

/** What a process left behind is taken away; what cannot be (a folder, a file of another account) is in the way for good. */
function stateOf(file: string): 'free' | 'taken' | 'left behind' | 'in the way' {
  // A link counts as itself: one that leads nowhere is there all the same.
  const since = lstatSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (since === undefined) return 'free';
  const claimant = claimantIn(file);
  const isDead = claimant !== undefined && livenessOf(claimant) === 'dead';
  if (!isDead && Math.abs(Date.now() - since) <= SILENCE_MS) return 'taken';
  // Unless somebody else has just done so.
  if (claimantIn(file)?.nonce === claimant?.nonce && !remove(file)) return 'in the way';
  return 'left behind';
}

/** Whole, and only if it is not there: a process that is killed leaves no claim that names nobody. */
function create(file: string, claimant: Claimant): boolean {
  const content = JSON.stringify(claimant);
  // Named as what is left behind of writing an index, and tidied away with that.
  const beside = `${file}.${claimant.nonce}.tmp`;
  writeFileSync(beside, content, { flag: 'wx', mode: 0o600 });
  try {
    linkSync(beside, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS' && code !== 'EMLINK') throw error;
  } finally {
    remove(beside);
  }
  // No hard links here: for an instant it names nobody, and is waited for as long as a silent one.
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function claimantIn(file: string): Claimant | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isFields(value)) return undefined;
    const { host, pid, start, nonce } = value;
    return typeof host === 'string' && typeof pid === 'number' && typeof start === 'number' && typeof nonce === 'string'
      ? { host, pid, start, nonce }
      : undefined;
  } catch {
    return undefined;
  }
}

function beat(file: string, nonce: string): void {
  // Of a process that was stopped for a while it may be another's by now.
  if (claimantIn(file)?.nonce !== nonce) return;
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    // Taken over just now.
  }
}

/** Whether it is gone. On Windows a scanner may hold it for a while. */
function remove(file: string): boolean {
  try {
    unlinkSync(file);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
