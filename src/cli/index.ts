import { version } from '../../package.json';
import { isKaizenError } from '../core/errors';
import { type Command, type CommandGroup, helpOf, helpOfGroup, readArguments, UsageError } from './command';
import { bases } from './commands/bases';
import { changes } from './commands/changes';
import { check } from './commands/check';
import { deleteEntry } from './commands/delete';
import { dependencies } from './commands/dependencies';
import { discover } from './commands/discover';
import { doctor } from './commands/doctor';
import { embeddings } from './commands/embeddings';
import { exportFile } from './commands/export';
import { get } from './commands/get';
import { history } from './commands/history';
import { hook } from './commands/hook';
import { importFile } from './commands/import';
import { index } from './commands/index';
import { learn } from './commands/learn';
import { library } from './commands/library';
import { mcp } from './commands/mcp';
import { move } from './commands/move';
import { notes } from './commands/notes';
import { registry } from './commands/registry';
import { relations } from './commands/relations';
import { retrieve } from './commands/retrieve';
import { review } from './commands/review';
import { safety } from './commands/safety';
import { scopes } from './commands/scopes';
import { search } from './commands/search';
import { setup } from './commands/setup';
import { store } from './commands/store';
import { undo } from './commands/undo';
import { harmless, openTerminal, table } from './terminal';
import { inCommands } from './wording';

const COMMANDS: readonly (Command | CommandGroup)[] = [
  mcp,
  setup,
  hook,
  scopes,
  get,
  search,
  discover,
  retrieve,
  dependencies,
  check,
  store,
  move,
  deleteEntry,
  history,
  changes,
  undo,
  review,
  bases,
  index,
  notes,
  registry,
  library,
  relations,
  learn,
  embeddings,
  importFile,
  exportFile,
  safety,
  doctor,
];

/**
 * Runs one call of `kaizen`: finds the command, and tells what went wrong in a sentence. Never throws.
 * Returns the exit code: 0, 1 when it could not be done, 2 when the call was not a call of any command.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined) return print(process.stderr, overview(), 2);
  if (name === '--help' || name === '-h' || name === 'help') return help(name === 'help' ? rest : []);
  if (name === '--version' || name === '-v') return print(process.stdout, `${version}\n`);
  const named = COMMANDS.find((each) => each.name === name);
  if (named === undefined) return unknownCommand(name);
  if (!('commands' in named)) return run(named, rest);
  const [word, ...words] = rest;
  if (word === undefined) return print(process.stderr, helpOfGroup(named), 2);
  if (word === '--help' || word === '-h') return print(process.stdout, helpOfGroup(named));
  const command = memberOf(named, word);
  return command ? run(command, words) : unknownCommand(word, named);
}

async function run(command: Command, words: readonly string[]): Promise<number> {
  try {
    const args = readArguments(command, words);
    if (args.flag('help')) return print(process.stdout, helpOf(command));
    return await command.run(args, openTerminal(args.flag('json')));
  } catch (error) {
    if (error instanceof UsageError) return fail(error.message, `"kaizen ${command.name} --help" says how.`, 2);
    if (isKaizenError(error)) return fail(error.message, error.hint && inCommands(error.hint), 1);
    return failBySystem(error);
  }
}

/** `kaizen help`, `kaizen help get`, `kaizen help notes get` */
function help([name, word]: readonly string[]): number {
  if (name === undefined) return print(process.stdout, overview());
  const named = COMMANDS.find((each) => each.name === name);
  if (named === undefined) return unknownCommand(name);
  if (!('commands' in named)) return print(process.stdout, helpOf(named));
  if (word === undefined) return print(process.stdout, helpOfGroup(named));
  const command = memberOf(named, word);
  return command ? print(process.stdout, helpOf(command)) : unknownCommand(word, named);
}

function memberOf({ name, commands }: CommandGroup, word: string): Command | undefined {
  return commands.find((each) => each.name === `${name} ${word}`);
}

function print(stream: NodeJS.WriteStream, text: string, code = 0): number {
  stream.write(text);
  return code;
}

function overview(): string {
  return [
    "Kaizen keeps a team's knowledge in tiers and hands out the rules that hold for the task in hand.",
    '',
    'Usage: kaizen COMMAND [options]',
    '',
    'Commands:',
    table(COMMANDS.map(({ name, summary }) => [`  ${name}`, summary])),
    '',
    '"kaizen COMMAND --help" says more. Knowledge is kept for each repository, and shared between them, in the',
    "platform's data directory; --data and --shared name other places.",
    '',
  ].join('\n');
}

function unknownCommand(name: string, group?: CommandGroup): number {
  const whole = group ? `${group.name} ${name}` : name;
  const what = name.startsWith('-') ? `The command comes first, before ${name}` : `There is no command ${whole}`;
  return fail(`${what}.`, `"kaizen ${group ? `${group.name} ` : ''}--help" lists the commands.`, 2);
}

function fail(message: string, hint: string | undefined, code: number): number {
  process.stderr.write(harmless(`kaizen: ${message}\n${hint ? `${hint}\n` : ''}`, false));
  return code;
}

/** Tells of an error that is none of Kaizen's own; returns the exit code. */
export function failBySystem(error: unknown): number {
  return fail(describeSystemError(error), undefined, 1);
}

/** Words for what the system refuses; anything else is a fault of ours, told without its stack. */
function describeSystemError(error: unknown): string {
  const { code, path, message } = error as NodeJS.ErrnoException;
  const what = path ?? 'it';
  switch (code) {
    case 'ENOENT':
      return `There is no ${path ?? 'such file'}.`;
    case 'EISDIR':
      return `${what} is a folder, not a file.`;
    case 'EACCES':
    case 'EPERM':
      return `There is no permission to use ${what}.`;
    case 'ELOOP':
      return `${path ?? 'A file'} is a link that leads back to itself.`;
    case 'ENOTDIR':
      return `${path ?? 'A path'} leads through a file as if it were a folder.`;
    case 'ENOSPC':
      return 'The disk is full.';
    case 'EADDRINUSE':
      return 'The port is taken. Choose another, or 0 for a free one.';
    default:
      return message || String(error);
  }
}
