import { launcherPath } from './launcher';
import type { AgentSurroundings } from './model';
import { PACKAGE_NAME } from './own-command';

/** What `kaizen hook` is started for, in its own words (src/guard/model.ts has the same list). */
export const HOOK_NAMES = ['session-start', 'pre-tool-use', 'post-tool-use', 'pre-compact', 'stop'] as const;
export type HookName = (typeof HOOK_NAMES)[number];

/** Seconds; a hook takes a tenth of one. Clients go on without it when they are over. */
export const HOOK_TIMEOUT = 15;

const HOOK_CALL = new RegExp(`\\bhook (?:${HOOK_NAMES.join('|')})(?![\\w-])`);

/** A line for a POSIX shell without its flags: what stands before them, and what behind. */
export interface HookCall {
  before: string;
  behind: string;
}

/** Whether a client's command line is a hook of Kaizen's, from wherever it is installed. */
export function isHookLine(line: string, { kaizen }: AgentSurroundings): boolean {
  if (!HOOK_CALL.test(line)) return false;
  // The script, where there is one: Node starts others as well.
  const program = kaizen.args.at(-1) ?? kaizen.command;
  return /kaizen/i.test(line) || (/[\\/]/.test(program) && line.includes(forSlash(program)));
}

/** Starts a hook on this machine; on Windows by Git's shell, which clients use there. */
export function ownHookCall(event: HookName, { kaizen, platform }: AgentSurroundings): HookCall {
  const { command, args } = kaizen;
  // The launcher's script for such a shell lies beside the one for cmd.
  const program = platform.platform === 'win32' ? forSlash(command).replace(/\/kaizen\.cmd$/i, '/kaizen') : command;
  const words = [
    program,
    ...args.map((word) => (platform.platform === 'win32' ? forSlash(word) : word)),
    'hook',
    event,
  ];
  return { before: words.map(shellQuoted).join(' '), behind: '' };
}

/**
 * The same for a file that a team shares: holds nobody's path where Kaizen is installed in a place that can be found
 * (the editor's launcher, or the PATH), and does nothing where it is not.
 */
export function sharedHookCall(event: HookName, around: AgentSurroundings): HookCall {
  const { command, args, flags, ofProject } = around.kaizen;
  // Found from wherever in the project a client starts it; nothing else of that name is fetched and run.
  if (ofProject) {
    return ownHookCall(event, { ...around, kaizen: { command: 'npx', args: ['--no', PACKAGE_NAME], flags } });
  }
  const isFound = command === launcherPath(around.platform) || args.length === 0;
  if (!isFound) return ownHookCall(event, around);
  return {
    before: `for k in ${PLACES.join(' ')}; do if [ -f "$k" ]; then exec "$k" hook ${event}`,
    behind: '; fi; done; cat >/dev/null',
  };
}

/** Where the launcher is on Linux, macOS and Windows (src/core/locations.ts), then the PATH. */
const PLACES = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell puts it in.
  '"${XDG_DATA_HOME:-$HOME/.local/share}/kaizen/bin/kaizen"',
  '"$HOME/Library/Application Support/Kaizen/bin/kaizen"',
  '"$LOCALAPPDATA/Kaizen/bin/kaizen"',
  '"$(command -v kaizen)"',
];

/** The call with flags. */
export function hookLine({ before, behind }: HookCall, flags: readonly string[]): string {
  return [before, ...flags.map(shellQuoted)].join(' ') + behind;
}

/**
 * The words that stand in the place of a call's flags; undefined where the line is not, to the letter, the one that
 * `hookLine` makes of them: so nothing is in it that a shell would run or put in.
 */
export function wordsOfLine(line: string, call: HookCall): string[] | undefined {
  if (!line.startsWith(call.before) || !line.endsWith(call.behind)) return undefined;
  const text = line.slice(call.before.length, line.length - call.behind.length);
  const words = Array.from(text.matchAll(/ ((?:[\w@%+=:,./-]|'[^']*'|\\')+)/g), ([, word = '']) =>
    word.replace(/'([^']*)'|\\(')/g, (_, inside?: string, quote?: string) => inside ?? quote ?? ''),
  );
  return hookLine(call, words) === line ? words : undefined;
}

/** Of a line that anybody may have written; more of it is nobody's. */
const MOST_CALLS = 10;
const LONGEST_REST = 10_000;

/**
 * The words behind what starts a hook, in a line that need not be one of Kaizen's, as a POSIX shell would part them. What
 * such a shell would put in stands there as it is written.
 */
export function wordsBehindHooks(line: string): string[] {
  const calls = [...line.matchAll(new RegExp(HOOK_CALL, 'g'))].slice(0, MOST_CALLS);
  return calls.flatMap(({ index, 0: { length } }) => {
    const [words = ''] = WORDS.exec(line.slice(index + length, index + length + LONGEST_REST)) ?? [];
    return Array.from(words.matchAll(WORD), ([word]) => withoutQuotes(word));
  });
}

const WORD = /(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\;&|<>()])+/gs;
const WORDS = new RegExp(`^(?:[ \\t]+${WORD.source})*`, 's');

function withoutQuotes(word: string): string {
  return word.replace(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
    (_, plain?: string, inside?: string, sign = '') => plain ?? inside?.replace(/\\(["\\$`])/g, '$1') ?? sign,
  );
}

/** For PowerShell, which hands on what comes on standard input only when it is told to. */
export function powershellHookLine(event: HookName, { kaizen }: AgentSurroundings): string {
  const words = [kaizen.command, ...kaizen.args, 'hook', event, ...kaizen.flags];
  return `$input | & ${words.map(psWord).join(' ')}`;
}

function psWord(word: string): string {
  return /^[\w-]+$/.test(word) ? word : psQuoted(word);
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
