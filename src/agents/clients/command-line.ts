import { type Sentence, sentence } from '../../core/sentence';
import type { AgentSurroundings, KaizenCommand } from '../model';

/** How a client's configuration has it: a program and its arguments, started without a shell. */
export interface ServerCommand {
  command: string;
  args: string[];
}

/** What a client puts in the place of a path's beginning, so that a file that a team shares holds nobody's own path. */
export interface PathVariables {
  /** `variable('userHome')`; undefined where the client knows none. */
  home?: string | undefined;
  /** The same for the folder that is open. */
  workspace?: string | undefined;
}

/** How most clients write a variable: a dollar sign and braces. */
export function variable(name: string): string {
  return `\${${name}}`;
}

/** Flags that say which knowledge is meant; each takes a value. */
export const LOCATION_FLAGS = ['--data', '--shared', '--workspace', '--project'];

/**
 * The command that starts `kaizen mcp`. With `workspace` it says which folder is meant, for a client that does not start
 * its servers there, or is not known to.
 */
export function serverCommand(
  around: AgentSurroundings,
  variables: PathVariables,
  options: { namesWorkspace: boolean },
): ServerCommand {
  const { kaizen, workspace, platform } = around;
  const folder = options.namesWorkspace && !namesFlag(kaizen.flags, '--workspace') ? ['--workspace', workspace] : [];
  // Everybody in a team has Node in another place.
  const program = kaizen.ofProject && variables.workspace !== undefined ? 'node' : kaizen.command;
  const words = [program, ...kaizen.args, 'mcp', ...folder, ...kaizen.flags].map((word) =>
    withVariables(word, around, variables),
  );
  return platform.platform === 'win32' && needsShell(kaizen) ? throughCmd(words) : asCommand(words);
}

/**
 * The command with what a person added to the former one: every argument but ours stays. Undefined where the former one
 * starts something else.
 */
export function mergedCommand(former: ServerCommand, wanted: ServerCommand): ServerCommand | undefined {
  const [old, own] = [splitCommand(former), splitCommand(wanted)];
  if (old === undefined || own === undefined) return undefined;
  const named = new Set(own.flags.map(([name]) => name));
  const flags = [...own.flags, ...old.flags.filter(([name]) => !named.has(name))];
  const words = [...own.program, 'mcp', ...flags.flat(), ...own.others];
  return asCommand([...words, ...old.others.filter((word) => !own.others.includes(word))]);
}

/** Flags and switches that `mergedCommand` keeps of the former command, without their values: these may be secrets. */
export function ownArguments(former: ServerCommand, wanted: ServerCommand): string[] {
  const [old, own] = [splitCommand(former), splitCommand(wanted)];
  if (old === undefined || own === undefined) return [];
  const written = [...own.flags.map(([name]) => name), ...own.others];
  const words = [...old.flags.map(([name]) => name), ...old.others.filter((word) => word.startsWith('-'))];
  return words.map((word) => word.split('=')[0]!).filter((word) => !written.includes(word));
}

/** Whether both start the same with the same flags, in whatever order and way these are written. */
export function isSameCommand(one: ServerCommand, other: ServerCommand): boolean {
  const [a, b] = [one, other].map((command) => {
    const split = splitCommand(command);
    const flags = split && [...split.flags].sort(([x], [y]) => (x < y ? -1 : 1));
    return JSON.stringify(split ? { ...split, flags } : command);
  });
  return a === b;
}

/** Whether this starts Kaizen's server, from wherever it was installed. */
export function startsKaizen(command: ServerCommand): boolean {
  return splitCommand(command) !== undefined;
}

/** The folder that a server is told to work in; undefined where it is told none, or it is not Kaizen's. */
export function folderOf(command: ServerCommand): string | undefined {
  return splitCommand(command)?.flags.findLast(([name]) => name === '--workspace')?.[1];
}

/** The last word of what may stand before `mcp`: the launcher, a global install's command, its script, the package. */
const KAIZEN_PROGRAM = /(?:^|[\\/])(?:kaizen(?:\.cmd)?|cli\.js)$|^kaizen-knowledge(?:@\S+)?$/;

interface SplitCommand {
  program: string[];
  /** Name and value. */
  flags: [string, string][];
  others: string[];
}

function splitCommand({ command, args }: ServerCommand): SplitCommand | undefined {
  const words = [command, ...args];
  const at = words.findIndex((word, index) => word === 'mcp' && KAIZEN_PROGRAM.test(words[index - 1] ?? ''));
  if (at < 0) return undefined;
  const split: SplitCommand = { program: words.slice(0, at), flags: [], others: [] };
  for (let index = at + 1; index < words.length; index++) {
    const word = words[index]!;
    const [, name = word, given] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? [];
    if (!LOCATION_FLAGS.includes(name)) split.others.push(word);
    else split.flags.push([name, given ?? words[++index] ?? '']);
  }
  return split;
}

function namesFlag(flags: readonly string[], name: string): boolean {
  return flags.some((flag) => flag === name || flag.startsWith(`${name}=`));
}

function asCommand([command = '', ...args]: readonly string[]): ServerCommand {
  return { command, args };
}

/** Windows starts scripts only by its shell, and refuses them elsewhere since a fault of quoting (CVE-2024-27980). */
function needsShell({ command }: KaizenCommand): boolean {
  return /\.(?:cmd|bat)$/i.test(command) || command === 'npx';
}

/** `call`, because cmd takes the first and the last quote away from a line that begins with one. */
function throughCmd(words: readonly string[]): ServerCommand {
  return { command: 'cmd', args: ['/d', '/c', 'call', ...words] };
}

/**
 * Why cmd would take a part of a word for a command of its own, in words; undefined where it would not. Programs put
 * quotation marks only around what has a space in it, and nothing keeps cmd from `%` and `^`. Quotes words of `own` alone,
 * which Kaizen would write by itself: what a person added may be a secret, and is named by its flag.
 */
export function shellProblem(
  { command, args }: ServerCommand,
  own: ServerCommand,
  { workspace, platform }: AgentSurroundings,
): Sentence | undefined {
  if (command !== 'cmd') return undefined;
  const meant = (word: string): string => {
    const name = /^\$\{(\w+)/.exec(word)?.[1];
    return name === undefined ? '' : name === 'workspaceFolder' ? workspace : platform.home;
  };
  const at = args.findIndex((word) => isTakenByShell(word) || isTakenByShell(meant(word)));
  const bad = args[at];
  if (bad === undefined) return undefined;
  if (own.args.includes(bad)) {
    return sentence(
      "Windows' shell, which would start it, takes a character in {0} for a command of its own. Give it another name first.",
      JSON.stringify(isTakenByShell(bad) ? bad : meant(bad)),
    );
  }
  const flag = flagOf(bad) ?? flagOf(args[at - 1] ?? '');
  return sentence(
    "Windows' shell, which would start it, takes a character in {0} for a command of its own. Take it out of the entry first.",
    flag === undefined ? sentence('an argument that somebody added') : sentence('what is said with {0}', flag),
  );
}

function isTakenByShell(word: string): boolean {
  return /[%^]/.test(word) || (/[&|<>]/.test(word) && !/\s/.test(word));
}

/** The flag's name, without a value; undefined where it is none. */
function flagOf(word: string): string | undefined {
  return /^(--[A-Za-z][\w-]*)(?:=|$)/.exec(word)?.[1];
}

function withVariables(word: string, { workspace, platform }: AgentSurroundings, variables: PathVariables): string {
  // The workspace lies in the home most of the time, so that it comes first.
  const places = [
    [workspace, variables.workspace],
    [platform.home, variables.home],
  ] as const;
  for (const [folder, variable] of places) {
    if (variable === undefined || folder.length < 2 || !word.startsWith(folder)) continue;
    const rest = word.slice(folder.length);
    if (rest === '' || rest.startsWith('/') || (platform.platform === 'win32' && rest.startsWith('\\'))) {
      return variable + rest;
    }
  }
  return word;
}
