import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { realPath } from '../core/locations';
import type { StoreInspection } from '../store';
import { Area, bytes, counted, quoted } from './findings';
import type { DoctorFinding } from './model';
import type { DoctorSurroundings } from './surroundings';

const area = new Area('stores');

/** Below the first a write may fail, below the second it is time to look. */
const NO_ROOM = 50e6;
const LITTLE_ROOM = 500e6;
/** A store makes a checkpoint long before. */
const LONG_JOURNAL = 16e6;
/** Of statfs(2), as Linux names file systems that another computer may have changed meanwhile. */
const NETWORK_DRIVES: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4266872130: 'SMB',
  4283649346: 'CIFS',
  16914839: '9P',
  1702057286: 'FUSE',
};

/** The directories of both stores with what a person calls them; one where they are the same. */
export function storesOf({ data, shared }: DoctorSurroundings): { directory: string; name: string }[] {
  const workspace = { directory: data, name: "the workspace's store" };
  if (realPath(data) === realPath(shared)) return [workspace];
  return [workspace, { directory: shared, name: 'the shared store' }];
}

/** Whether both stores are there, whole, the person's own and able to grow. Opens none of them. */
export async function* checkStores(around: DoctorSurroundings): AsyncGenerator<DoctorFinding> {
  const { inspectKaizenStore } = await import('../kaizen');
  for (const { directory, name } of storesOf(around)) {
    around.signal?.throwIfAborted();
    const inspection = await inspectKaizenStore(directory);
    yield* stateOf(name, directory, inspection, around);
    if (inspection.state === 'absent') continue;
    yield* access(name, directory, around);
    if (inspection.setAside > 0) {
      yield area.note(
        'store_set_aside',
        `In ${name}, damaged files were set aside ${inspection.setAside === 1 ? 'once' : `${inspection.setAside} times`} before; the store went on without them.`,
        { sentence: 'Look into the folders damaged-…, and delete them when nothing in them is missed.' },
      );
    }
  }
  yield* room(around);
}

function* stateOf(
  name: string,
  directory: string,
  { state, isLost, faults, generation, snapshot, journal, older, isTorn }: StoreInspection,
  { platform, versions }: DoctorSurroundings,
): Generator<DoctorFinding> {
  const Name = capital(name);
  switch (state) {
    case 'absent':
      yield area.note('store_absent', `${Name} is not there yet: it is made when something is stored.`);
      return;
    case 'unreadable':
      yield area.problem('store_unreadable', `${Name} may not be read: ${codeIn(faults)}.`, {
        sentence: 'Make yourself the owner of its folder, with the right to read and write.',
        command: platform.platform === 'win32' ? undefined : `chmod -R u+rwX ${quoted(directory, platform.platform)}`,
      });
      return;
    case 'newer':
      yield area.problem('store_newer', `${Name} was written by a newer Kaizen than this one (${versions.kaizen}).`, {
        sentence: 'Update Kaizen; the store was left as it is.',
      });
      return;
    case 'damaged':
      yield area.problem(
        'store_damaged',
        `${Name} is damaged${isLost ? ', and nothing in it can be read' : ''}: ${faults.join(' ')}`,
        isLost
          ? {
              sentence:
                'Restore its folder from a backup; without one, move the folder away and import an export, if there is one.',
              command: 'kaizen import FILE',
            }
          : {
              sentence:
                'Copy its folder, then use it: what can be read is recovered, and what is damaged is set aside, not deleted.',
              command: 'kaizen scopes',
            },
      );
      return;
    case 'sound':
  }
  yield area.ok(
    'store_sound',
    `${Name} is sound: generation ${generation}, ${bytes(snapshot)} and a journal of ${bytes(journal)}.`,
  );
  if (older.length > 0) {
    yield area.note(
      'store_older',
      `${Name} was written by an older Kaizen: opening it brings ${counted(older.length, 'part')} of it forward (${older.join(', ')}), and older versions cannot open it then.`,
    );
  }
  if (isTorn) {
    yield area.note(
      'store_torn',
      `A write to ${name} was cut off before it was answered. Nothing that was stored is lost; the next write cuts it away.`,
    );
  }
  if (journal > LONG_JOURNAL) {
    yield area.note('journal_long', `The journal of ${name} has ${bytes(journal)}: checkpoints do not get done.`, {
      sentence: 'See the log for why, and whether the disk is full.',
    });
  }
}

function* access(name: string, directory: string, { platform }: DoctorSurroundings): Generator<DoctorFinding> {
  try {
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    yield area.problem('store_read_only', `${capital(name)} may be read, but not written.`, {
      sentence: 'Give yourself the right to write to its folder.',
      command: platform.platform === 'win32' ? undefined : `chmod -R u+rwX ${quoted(directory, platform.platform)}`,
    });
  }
  if (platform.platform === 'win32') return;
  const mode = statSync(directory, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) !== 0) {
    yield area.note('store_open_to_others', `Other accounts of this computer may look into ${name}.`, {
      sentence: 'Keep its folder to yourself.',
      command: `chmod 700 ${quoted(directory, platform.platform)}`,
    });
  }
}

/** Of the disks that the stores are on, or would be on. */
async function* room(around: DoctorSurroundings): AsyncGenerator<DoctorFinding> {
  const seen = new Set<number | bigint>();
  let isFine = true;
  for (const { directory, name } of storesOf(around)) {
    const there = nearest(directory);
    const disk = statSync(there).dev;
    if (seen.has(disk)) continue;
    seen.add(disk);
    const { bavail, bsize, type } = await statfs(there);
    const free = bavail * bsize;
    if (free < LITTLE_ROOM) {
      isFine = false;
      const message = `The disk of ${name} has ${bytes(free)} left.`;
      const mend = { sentence: 'Make room on it: a write that finds none is refused, and nothing is lost then.' };
      yield free < NO_ROOM ? area.problem('disk_full', message, mend) : area.note('disk_low', message, mend);
    }
    const drive = around.platform.platform === 'linux' ? NETWORK_DRIVES[type] : undefined;
    const isShare = around.platform.platform === 'win32' && /^\\\\/.test(realPath(there));
    if (drive !== undefined || isShare) {
      yield area.note(
        'store_network',
        `${capital(name)} is on a drive that other computers may share${drive ? ` (${drive})` : ''}: its lock asks more slowly there, and file systems that cache may show what others wrote late.`,
        { sentence: 'Keep it on a disk of this computer (--data, --shared; KAIZEN_DATA, KAIZEN_SHARED).' },
      );
    }
  }
  if (isFine) yield area.ok('disk_room', 'There is room on the disk.');
}

function nearest(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (existsSync(at) || dirname(at) === at) return at;
  }
}

/** The system's word for what it refuses: the rest of its sentence is a path. */
function codeIn(faults: readonly string[]): string {
  return /\bE[A-Z]+\b/.exec(faults.join(' '))?.[0] ?? 'the system refuses it';
}

export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
