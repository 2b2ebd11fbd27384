import { shellWord } from '../core/shell-words';
import type { KaizenOptions } from '../kaizen';
import type { Arguments } from './command';
import { LOCATION_OPTIONS, type Locations } from './locating';
import type { Terminal } from './terminal';

/** The lock of a store, of which `kaizen doctor` tells who has it and whether that one stirs. */
const STORE_LOCK = 'lock';

/**
 * Says on standard error, once for a command, for which process it waits and what to do about it: nothing else tells a
 * person why a command stands still.
 */
export function sayingWaits(
  args: Arguments,
  { data, shared }: Pick<Locations, 'data' | 'shared'>,
  terminal: Terminal,
): NonNullable<KaizenOptions['onWaiting']> {
  let isSaid = false;
  return ({ directory, name, pid }) => {
    if (isSaid) return;
    isSaid = true;
    const who = pid === undefined ? 'another process' : `process ${pid}`;
    const isLookedAt = name === STORE_LOCK && (directory === data || directory === shared);
    const places = isLookedAt ? placesOf(args) : undefined;
    terminal.say(
      [
        `kaizen: Waiting for ${who}, which holds the lock of ${directory}. Ctrl+C ends the wait.`,
        'Where that process stands still, end it; what was stored stays.',
        ...(places
          ? [`"${['kaizen doctor', ...places].join(' ')}" says so, a minute after it came to a halt at the latest.`]
          : []),
      ].join('\n'),
    );
  };
}

/** The flags by which the same stores are found again; undefined where they cannot be written in a command. */
function placesOf(args: Arguments): string[] | undefined {
  const given = Object.keys(LOCATION_OPTIONS).flatMap((option) => {
    const value = args.string(option);
    return value === undefined ? [] : [[`--${option}`, shellWord(value, process.platform)] as const];
  });
  return given.some(([, word]) => word === undefined) ? undefined : given.map((flag) => flag.join(' '));
}
