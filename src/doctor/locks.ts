import { readFileSync } from 'node:fs';
import { type Sentence, sentence } from '../core/sentence';
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
  if (isFree) yield area.ok('locks_free', sentence('No lock is held.'));
}

function findingOf({ lock, pid, liveness, idle, isWanted }: LockInspection, name: Sentence): DoctorFinding {
  const what = lock === 'lock' ? sentence('Lock ({0})', name) : sentence('Lock for checkpoints ({0})', name);
  const who = pid === undefined ? sentence('a process that does not say which') : sentence('process {0}', pid);
  const seconds = Math.round(idle / 1_000);
  const isStill = idle > STILL_MS;
  if (liveness === 'dead') {
    return area.note(
      'lock_abandoned',
      sentence('{0}: left behind by {1}, which has ended. Whoever comes next steps over it.', what, who),
    );
  }
  if (liveness === 'alive' && pid !== undefined && isStopped(pid)) {
    return area.problem(
      'lock_stuck',
      sentence('{0}: held by {1}, which is stopped: whoever comes next waits.', what, who),
      {
        sentence: sentence('Let the process go on, or end it; what was stored stays.'),
        command: `kill -CONT ${pid}`,
      },
    );
  }
  if (liveness === 'alive' && isStill) {
    return area.problem(
      'lock_stuck',
      isWanted
        ? sentence('{0}: held by {1}, which has not stirred for {2} s, and others wait.', what, who, seconds)
        : sentence('{0}: held by {1}, which has not stirred for {2} s.', what, who, seconds),
      {
        sentence: sentence(
          'Close the window or program that it belongs to, or end the process; what was stored stays.',
        ),
      },
    );
  }
  if (liveness === 'alive') return area.ok('lock_held', sentence('{0}: held by {1}, which is at work.', what, who));
  return area.note(
    'lock_foreign',
    isStill
      ? sentence(
          '{0}: held by {1}, which cannot be asked from here and has not stirred for {2} s: it will be stepped over.',
          ...[what, who, seconds],
        )
      : sentence('{0}: held by {1}, which cannot be asked from here.', what, who),
    { sentence: sentence('If it belongs to another computer or container, close Kaizen there.') },
  );
}

/** By its state (proc_pid_stat(5)): by a signal, or by who traces it. Elsewhere than on Linux only its silence tells. */
function isStopped(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return /^[Tt]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
