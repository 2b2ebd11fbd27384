import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sentence } from '../core/sentence';
import { guardPlace, readRecords } from '../guard/hooks';
import { Area } from './findings';
import type { DoctorFinding } from './model';
import { mayWrite, rightsMend } from './rights';
import type { DoctorSurroundings } from './surroundings';

const area = new Area('hooks');

const DAY_MS = 24 * 3600 * 1000;
/** Of the log that are looked through. */
const LOOKED_AT = 500;

/** Whether hooks can keep what they remember, and which calls failed. `isAnswered`: the doctor made a call, and it went well. */
export function* checkRemembered(
  { data, shared, project = '', platform }: DoctorSurroundings,
  isAnswered: boolean,
): Generator<DoctorFinding> {
  const place = guardPlace({ data, shared, project });
  if (!place) return;
  const { directory } = place;
  const folders = [directory, join(directory, 'sessions')].filter((folder) => existsSync(folder));
  const obstacle = obstacleIn(directory);
  if (obstacle !== undefined) {
    yield area.problem(
      'guard_obstructed',
      sentence(
        'What hooks remember is not kept: in the place of their folder or of a file in it stands a link, or something else through which nothing is written.',
      ),
      { sentence: sentence('Remove it: hooks make a folder and files of their own.'), folder: obstacle },
    );
  } else if (!folders.every((folder) => mayWrite(folder, /\.jsonl?$/))) {
    yield area.problem(
      'guard_read_only',
      sentence(
        'What hooks remember may not be written: nothing they decide is logged, and what was agreed to is asked again.',
      ),
      rightsMend(directory, platform.platform),
    );
  }
  yield* failures(directory, isAnswered);
}

/** What stands where the guard has its folders and files, and is none that it writes to; undefined where nothing does. */
export function obstacleIn(directory: string): string | undefined {
  const sessions = join(directory, 'sessions');
  for (const folder of [directory, sessions]) {
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) return folder;
  }
  return [directory, sessions].flatMap((folder) => obstaclesAmong(folder))[0];
}

/** The index comes into its place whole, also in that of a link; to the others lines are added. */
function obstaclesAmong(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((each) => (/\.jsonl$/.test(each.name) ? !each.isFile() : /\.json$/.test(each.name) && each.isDirectory()))
      .map(({ name }) => join(folder, name));
  } catch {
    // Not there, or closed to this account, which is told of by itself.
    return [];
  }
}

function* failures(directory: string, isAnswered: boolean): Generator<DoctorFinding> {
  const records = readRecords(directory, LOOKED_AT);
  const since = new Date(Date.now() - 7 * DAY_MS).toISOString();
  const isFailed = ({ outcome, at }: (typeof records)[number]) => outcome === 'failed' && at >= since;
  const failed = records.filter(isFailed);
  const [latest] = failed;
  if (!latest) {
    if (records.length > 0) yield area.ok('hook_log', sentence('No call of a hook failed in the last 7 days.'));
    return;
  }
  const lastGood = records.findIndex(({ outcome }) => outcome !== 'failed');
  const lasting = (lastGood < 0 ? records : records.slice(0, lastGood)).filter(isFailed).length;
  // What was called wrongly once may never be again.
  if (isAnswered || lasting === 0) {
    yield area.note(
      'hook_failures',
      sentence(
        'Calls of hooks that failed in the last 7 days: {0}, the latest ({1}) on {2}; agents went on without an answer.',
        ...[failed.length, latest.event, latest.at.slice(0, 10)],
      ),
      { sentence: sentence('See what the log says of it.'), command: 'kaizen hook log' },
    );
    return;
  }
  yield area.problem(
    'hook_failures',
    sentence(
      'Calls of hooks that failed since the log last shows one that went well: {0}, the latest ({1}) on {2}.',
      ...[lasting, latest.event, latest.at.slice(0, 10)],
    ),
    {
      sentence: sentence(
        'See what the log says of it. Once it is mended, begin a new session of an agent: its first call shows whether it is.',
      ),
      command: 'kaizen hook log',
    },
  );
}
