import { launcherPath } from './launcher';
import type { AgentSurroundings } from './model';

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

/**
 * A line for a POSIX shell (on Windows Git's, which clients use there) that starts a hook on this machine.
 */
export function hookLine(event: HookName, { kaizen, platform }: AgentSurroundings): string {
  const { command, args, flags } = kaizen;
  // The launcher's script for such a shell lies beside the one for cmd.
  const program = platform.platform === 'win32' ? forSlash(command).replace(/\/kaizen\.cmd$/i, '/kaizen') : command;
  return [
    program,
    ...args.map((word) => (platform.platform === 'win32' ? forSlash(word) : word)),
    'hook',
    event,
    ...flags,
  ]
    .map(shellQuoted)
    .join(' ');
}

/**
 * The same for a file that a team shares: holds nobody's path where Kaizen is installed in a place that can be found
 * (the editor's launcher, or the PATH), and does nothing where it is not.
 */
export function sharedHookLine(event: HookName, around: AgentSurroundings): string {
  const { command, args, flags } = around.kaizen;
  const isFound = command === launcherPath(around.platform) || args.length === 0;
  if (!isFound) return hookLine(event, around);
  const call = ['"$k"', 'hook', event, ...flags.map(shellQuoted)].join(' ');
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
export function powershellHookLine(event: HookName, { kaizen }: AgentSurroundings): string {
  const words = [kaizen.command, ...kaizen.args, 'hook', event, ...kaizen.flags];
  return `$input | & ${words.map((word) => (/^[\w-]+$/.test(word) ? word : psQuoted(word))).join(' ')}`;
}

/** PowerShell takes typographic quotation marks for the plain one. */
function psQuoted(word: string): string {
  return `'${word.replace(/['\u2018-\u201B]/g, '$&$&')}'`;
}

function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Git's shell takes a path with slashes as well as Windows does. */
function forSlash(path: string): string {
  return path.replaceAll('\\', '/');
}
