import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSamePlace, realPath } from '../core/locations';
import { type Sentence, sentence } from '../core/sentence';
import { posixWord } from '../core/shell-words';
import type { StoreInspection } from '../store';
import { Area, bytes } from './findings';
import type { DoctorFinding } from './model';
import { checkProject } from './project';
import { mayWrite, rightsMend } from './rights';
import { checkRules } from './rules';
import type { DoctorSurroundings } from './surroundings';

const area = new Area('stores');

/** Below the first a write may fail, below the second it is time to look. */
const NO_ROOM = 50e6;
const LITTLE_ROOM = 500e6;
/** What says where a store is. */
const NAMED_BY = '--data, --shared; KAIZEN_DATA, KAIZEN_SHARED';
/** A store makes a checkpoint long before. */
const LONG_JOURNAL = 16e6;
/** What is written to in its place; everything else of a store is written anew. */
const CHANGED = /^(?:journal-|lock)/;
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
export function storesOf({ data, shared }: DoctorSurroundings): { directory: string; name: Sentence }[] {
  const workspace = { directory: data, name: sentence("The workspace's store") };
  if (isSamePlace(data, shared)) return [workspace];
  return [workspace, { directory: shared, name: sentence('The shared store') }];
}

/** Whether both stores are there, whole, the person's own and able to grow. Opens none of them. */
export async function* checkStores(around: DoctorSurroundings): AsyncGenerator<DoctorFinding> {
  const { inspectKaizenStore } = await import('../kaizen');
  for (const { directory, name } of storesOf(around)) {
    around.signal?.throwIfAborted();
    const inspection = await inspectKaizenStore(directory);
    yield* stateOf(name, directory, inspection, around);
    if (inspection.state === 'absent' || inspection.state === 'unreadable') continue;
    yield* access(name, directory, around);
    yield* checkRules(name, inspection.unreadable, around.platform.platform);
    if (directory === around.data) yield* checkProject(inspection.projects, around);
    if (inspection.setAside > 0) {
      yield area.note(
        'store_set_aside',
        sentence(
          '{0} had damaged files, which were set aside (times: {1}); it went on without them.',
          ...[name, inspection.setAside],
        ),
        {
          sentence: sentence('Look into the folders damaged-… in it, and delete them when nothing in them is missed.'),
          folder: directory,
        },
      );
    }
  }
  yield* room(around);
}

function* stateOf(
  name: Sentence,
  directory: string,
  { state, isLost, faults, generation, snapshot, journal, older, isTorn }: StoreInspection,
  { platform, versions }: DoctorSurroundings,
): Generator<DoctorFinding> {
  switch (state) {
    case 'absent':
      yield area.note('store_absent', sentence('{0} is not there yet: it is made when something is stored.', name));
      return;
    case 'unreadable': {
      const code = codeIn(faults);
      if (code === 'ENOTDIR') {
        yield area.problem(
          'store_no_folder',
          sentence('{0} cannot be kept: where its folder should be is a file.', name),
          {
            sentence: sentence('Name another folder ({0}), or move the file away.', NAMED_BY),
            folder: directory,
          },
        );
      } else {
        const mend = rightsMend(directory, platform.platform);
        yield area.problem('store_unreadable', sentence('{0} may not be read: {1}.', name, code), mend);
      }
      return;
    }
    case 'newer':
      yield area.problem(
        'store_newer',
        sentence('{0} was written by a newer Kaizen than this one ({1}).', name, versions.kaizen),
        {
          sentence: sentence('Update Kaizen; the store was left as it is.'),
        },
      );
      return;
    case 'damaged':
      yield area.problem(
        'store_damaged',
        isLost
          ? sentence('{0} is damaged, and nothing in it can be read: {1}', name, faults.join(' '))
          : sentence('{0} is damaged: {1}', name, faults.join(' ')),
        isLost
          ? {
              sentence: sentence(
                'Restore its folder from a backup; without one, move the folder away and import an export, if there is one.',
              ),
              folder: directory,
              command: 'kaizen import FILE',
            }
          : {
              sentence: sentence(
                'Copy its folder, then use it: what can be read is recovered, and what is damaged is set aside, not deleted.',
              ),
              folder: directory,
              command: 'kaizen scopes',
            },
      );
      return;
    case 'sound':
  }
  yield area.ok(
    'store_sound',
    sentence(
      '{0} is sound: generation {1}, {2} and a journal of {3}.',
      ...[name, generation, bytes(snapshot), bytes(journal)],
    ),
  );
  if (older.length > 0) {
    yield area.note(
      'store_older',
      sentence(
        '{0} was written by an older Kaizen: opening it brings parts of it forward ({1}), and older versions cannot open it then.',
        ...[name, older.join(', ')],
      ),
    );
  }
  if (isTorn) {
    yield area.note(
      'store_torn',
      sentence(
        '{0} has a write that was cut off before it was answered. Nothing that was stored is lost; the next write cuts it away.',
        name,
      ),
    );
  }
  if (journal > LONG_JOURNAL) {
    yield area.note(
      'journal_long',
      sentence('{0} has a journal of {1}: checkpoints do not get done.', name, bytes(journal)),
      {
        sentence: sentence('See the log for why, and whether the disk is full.'),
      },
    );
  }
}

function* access(name: Sentence, directory: string, { platform }: DoctorSurroundings): Generator<DoctorFinding> {
  if (!mayWrite(directory, CHANGED)) {
    const mend = rightsMend(directory, platform.platform);
    yield area.problem('store_read_only', sentence('{0} may be read, but not written.', name), mend);
  }
  if (platform.platform === 'win32') return;
  const mode = statSync(directory, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) !== 0) {
    yield area.note(
      'store_open_to_others',
      sentence('{0} can be looked into by other accounts of this computer.', name),
      {
        sentence: sentence('Keep its folder to yourself.'),
        command: `chmod 700 ${posixWord(directory)}`,
      },
    );
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
      const message = sentence('{0} is on a disk with {1} left.', name, bytes(free));
      const mend = {
        sentence: sentence('Make room on it: a write that finds none is refused, and nothing is lost then.'),
      };
      yield free < NO_ROOM ? area.problem('disk_full', message, mend) : area.note('disk_low', message, mend);
    }
    const drive = around.platform.platform === 'linux' ? NETWORK_DRIVES[type] : undefined;
    const isShare = around.platform.platform === 'win32' && /^\\\\/.test(realPath(there));
    if (drive !== undefined || isShare) {
      yield area.note(
        'store_network',
        sentence(
          '{0} is on a drive that other computers may share ({1}): its lock asks more slowly there, and file systems that cache may show what others wrote late.',
          ...[name, drive ?? 'SMB'],
        ),
        { sentence: sentence('Keep it on a disk of this computer ({0}).', NAMED_BY) },
      );
    }
  }
  if (isFine) yield area.ok('disk_room', sentence('There is room on the disk.'));
}

function nearest(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    if (existsSync(at) || dirname(at) === at) return at;
  }
}

/** The system's word for what it refuses: the rest of its sentence is a path. */
function codeIn(faults: readonly string[]): string | Sentence {
  return /\bE[A-Z]+\b/.exec(faults.join(' '))?.[0] ?? sentence('the system refuses it');
}
