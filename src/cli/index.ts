import { version } from '../../package.json';
import { isKaizenError } from '../core/errors';
import { type Command, helpOf, readArguments, UsageError } from './command';
import { bases } from './commands/bases';
import { changes } from './commands/changes';
import { check } from './commands/check';
import { deleteEntry } from './commands/delete';
import { dependencies } from './commands/dependencies';
import { discover } from './commands/discover';
import { embeddings } from './commands/embeddings';
import { exportFile } from './commands/export';
import { get } from './commands/get';
import { history } from './commands/history';
import { importFile } from './commands/import';
import { index } from './commands/index';
import { mcp } from './commands/mcp';
import { move } from './commands/move';
import { retrieve } from './commands/retrieve';
import { review } from './commands/review';
import { scopes } from './commands/scopes';
import { search } from './commands/search';
import { store } from './commands/store';
import { undo } from './commands/undo';
import { openTerminal, table } from './terminal';
import { inCommands } from './wording';

const COMMANDS: readonly Command[] = [
  mcp,
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
  embeddings,
  importFile,
  exportFile,
];

/**
 * Runs one call of `kaizen`: finds the command, and tells what went wrong in a sentence. Never throws.
 * Returns the exit code: 0, 1 when it could not be done, 2 when the call was not a call of any command.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const wanted = name === 'help' ? rest[0] : undefined;
    const asked = COMMANDS.find((each) => each.name === wanted);
    if (wanted !== undefined && asked === undefined) return unknownCommand(wanted);
    (name === undefined ? process.stderr : process.stdout).write(asked ? helpOf(asked) : overview());
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === '-v') {
    process.stdout.write(`${version}\n`);
    return 0;
  }
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) return unknownCommand(name);
  try {
    const args = readArguments(command, rest);
    if (args.flag('help')) {
      process.stdout.write(helpOf(command));
      return 0;
    }
    return await command.run(args, openTerminal(args.flag('json')));
  } catch (error) {
    if (error instanceof UsageError) return fail(error.message, `"kaizen ${command.name} --help" says how.`, 2);
    if (isKaizenError(error)) return fail(error.message, error.hint && inCommands(error.hint), 1);
    return failBySystem(error);
  }
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

function unknownCommand(name: string): number {
  const what = name.startsWith('-') ? `The command comes first, before ${name}` : `There is no command ${name}`;
  return fail(`${what}.`, '"kaizen --help" lists the commands.', 2);
}

function fail(message: string, hint: string | undefined, code: number): number {
  process.stderr.write(`kaizen: ${message}\n${hint ? `${hint}\n` : ''}`);
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
    case 'ENOSPC':
      return 'The disk is full.';
    case 'EADDRINUSE':
      return 'The port is taken. Choose another, or 0 for a free one.';
    default:
      return message || String(error);
  }
}
