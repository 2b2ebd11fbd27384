import type { LockInspection } from '../store';
import { Area } from './findings';
import type { DoctorFinding } from './model';
import { storesOf } from './stores';
import type { DoctorSurroundings } from './surroundings';

const area = new Area('locks');

/** A living holder stirs every 5 seconds: one that did not for so long stands still. */
const STILL_MS = 60_000;

/** Who is in at the stores, and whether somebody waits for a holder that does nothing. */
export async function* checkLocks(around: DoctorSurroundings): AsyncGenerator<DoctorFinding> {
  const { inspectLocks } = await import('../kaizen');
  let isFree = true;
  for (const { directory, name } of storesOf(around)) {
    for (const held of await inspectLocks(directory)) {
      isFree = false;
      yield findingOf(held, name);
    }
  }
  if (isFree) yield area.ok('locks_free', 'No lock is held: nobody has to wait.');
}

function findingOf({ lock, pid, liveness, idle, isWanted }: LockInspection, name: string): DoctorFinding {
  const what = lock === 'lock' ? `The lock of ${name}` : `The checkpoint lock of ${name}`;
  const who = pid === undefined ? 'a process that does not say which' : `process ${pid}`;
  const since = `${Math.round(idle / 1_000)} s`;
  if (liveness === 'dead') {
    return area.note(
      'lock_abandoned',
      `${what} was left behind by ${who}, which has ended. Whoever comes next steps over it.`,
    );
  }
  if (liveness === 'alive' && idle > STILL_MS) {
    return area.problem(
      'lock_stuck',
      `${what} is held by ${who}, which has not stirred for ${since}${isWanted ? ', and others wait' : ''}.`,
      { sentence: 'Close the window or program that it belongs to, or end the process; what was stored stays.' },
    );
  }
  if (liveness === 'alive') return area.ok('lock_held', `${what} is held by ${who}, which is at work.`);
  return area.note(
    'lock_foreign',
    `${what} is held by ${who}, which cannot be asked from here${idle > STILL_MS ? ` and has not stirred for ${since}: it will be stepped over` : ''}.`,
    { sentence: 'If it belongs to another computer or container, close Kaizen there.' },
  );
}
