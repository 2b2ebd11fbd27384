import {
  flagsBehind,
  flagsIn,
  type HookFlags,
  type LineFlag,
  type LineShell,
  NO_FLAGS,
  withWanted,
  wordsOf,
} from './hook-flags';
import { launcherPath } from './launcher';
import type { AgentSurroundings } from './model';
import { PACKAGE_NAME } from './own-command';

/** What `kaizen hook` is started for, in its own words (src/guard/model.ts has the same list). */
export const HOOK_NAMES = ['session-start', 'pre-tool-use', 'post-tool-use', 'pre-compact', 'stop'] as const;
export type HookName = (typeof HOOK_NAMES)[number];

/** Seconds; a hook takes a tenth of one. Clients go on without it when they are over. */
export const HOOK_TIMEOUT = 15;

const HOOK_CALL = new RegExp(`\\bhook (?:${HOOK_NAMES.join('|')})(?![\\w-])`);

/** Whether a client's command line is a hook of Kaizen's, from wherever it is installed. */
export function isHookLine(line: string, { kaizen }: AgentSurroundings): boolean {
  if (!HOOK_CALL.test(line)) return false;
  // The script, where there is one: Node starts others as well.
  const program = kaizen.args.at(-1) ?? kaizen.command;
  return /kaizen/i.test(line) || (/[\\/]/.test(program) && line.includes(forSlash(program)));
}

/** The flags of a hook's line, whoever wrote them there. */
export function flagsOfLine(line: string, shell: LineShell): LineFlag[] {
  const call = HOOK_CALL.exec(line);
  return call ? flagsBehind(line.slice(call.index + call[0].length), shell) : [];
}

/**
 * A line for a POSIX shell (on Windows Git's, which clients use there) that starts a hook on this machine. Flags that it
 * had before stay, but for those that are wanted now: without them it would speak for other stores.
 */
export function hookLine(event: HookName, { kaizen, platform }: AgentSurroundings, former = NO_FLAGS): string {
  const { command, args, flags } = kaizen;
  // The launcher's script for such a shell lies beside the one for cmd.
  const program = platform.platform === 'win32' ? forSlash(command).replace(/\/kaizen\.cmd$/i, '/kaizen') : command;
  const words = [
    program,
    ...args.map((word) => (platform.platform === 'win32' ? forSlash(word) : word)),
    'hook',
    event,
  ];
  return [...words.map(shellQuoted), ...posixFlags(flags, former)].join(' ');
}

/**
 * The same for a file that a team shares: holds nobody's path where Kaizen is installed in a place that can be found
 * (the editor's launcher, or the PATH), and does nothing where it is not.
 */
export function sharedHookLine(event: HookName, around: AgentSurroundings, former = NO_FLAGS): string {
  const { command, args, flags, ofProject } = around.kaizen;
  // Found from wherever in the project a client starts it; nothing else of that name is fetched and run.
  if (ofProject) {
    const byName = { command: 'npx', args: ['--no', PACKAGE_NAME], flags };
    return hookLine(event, { ...around, kaizen: byName }, former);
  }
  const isFound = command === launcherPath(around.platform) || args.length === 0;
  if (!isFound) return hookLine(event, around, former);
  const call = ['"$k"', 'hook', event, ...posixFlags(flags, former)].join(' ');
  return `for k in ${PLACES.join(' ')}; do if [ -f "$k" ]; then exec ${call}; fi; done; cat >/dev/null`;
}

/** Where the launcher is on Linux, macOS and Windows (src/core/locations.ts), then the PATH. */
const PLACES = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell puts it in.
  '"${XDG_DATA_HOME:-$HOME/.local/share}/kaizen/bin/kaizen"',
  '"$HOME/Library/Application Support/Kaizen/bin/kaizen"',
  '"$LOCALAPPDATA/Kaizen/bin/kaizen"',
  '"$(command -v kaizen)"',
];

/** For PowerShell, which hands on what comes on standard input only when it is told to. */
export function powershellHookLine(event: HookName, { kaizen }: AgentSurroundings, former = NO_FLAGS): string {
  const words = [kaizen.command, ...kaizen.args, 'hook', event].map(psWord);
  const flags = withWanted(former.powershell, flagsIn(kaizen.flags.map(psWord)));
  return `$input | & ${[...words, ...wordsOf(flags)].join(' ')}`;
}

function psWord(word: string): string {
  return /^[\w-]+$/.test(word) ? word : psQuoted(word);
}

/** PowerShell takes typographic quotation marks for the plain one. */
function psQuoted(word: string): string {
  return `'${word.replace(/['\u2018-\u201B]/g, '$&$&')}'`;
}

function posixFlags(wanted: readonly string[], { posix }: HookFlags): string[] {
  return wordsOf(withWanted(posix, flagsIn(wanted.map(shellQuoted))));
}

function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Git's shell takes a path with slashes as well as Windows does. */
function forSlash(path: string): string {
  return path.replaceAll('\\', '/');
}
