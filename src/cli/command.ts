import { parseArgs } from 'node:util';
import { type Terminal, table } from './terminal';

/** One option of a command, as `--help` shows it and `parseArgs` reads it. */
export interface Option {
  type: 'string' | 'boolean';
  /** One letter that may stand for it. */
  short?: string;
  multiple?: boolean;
  /** What stands for the value in the help: `DIR`. */
  value?: string;
  help: string;
}

export type Options = Readonly<Record<string, Option>>;

/** What was typed after the command's name. */
export interface Arguments {
  positionals: string[];
  string(name: string): string | undefined;
  strings(name: string): string[];
  flag(name: string): boolean;
  /** Whether the command has such an option at all. */
  knows(name: string): boolean;
}

export interface Command {
  /** With that of its group before it: `notes get`. */
  name: string;
  /** What follows `kaizen` in a call, one line for each form. */
  usage: readonly string[];
  /** One line for the list of commands. */
  summary: string;
  /** More for the command's own help, where the line does not say it all. */
  details?: string;
  options: Options;
  /** Returns the process's exit code. */
  run(args: Arguments, terminal: Terminal): Promise<number>;
}

/** Commands that share their first word: `kaizen notes get`, `kaizen notes publish`. */
export interface CommandGroup {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  details?: string;
  commands: readonly Command[];
}

/** What was typed is not a call of this command: exit code 2, and the help is named. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Texts may begin with a dash. Throws UsageError for unknown options, missing values and values where none belong. */
export function readArguments(command: Pick<Command, 'options'>, argv: readonly string[]): Arguments {
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({
      args: argv.map(asText),
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(command.options).map(([name, { type, short, multiple = false }]) => [
          name,
          { type, multiple, ...(short === undefined ? {} : { short }) },
        ]),
      ),
    });
  } catch (error) {
    throw new UsageError(firstSentence(error, argv));
  }
  const { values } = parsed;
  return {
    positionals: parsed.positionals.map(asTyped),
    string: (name) => (values[name] === undefined ? undefined : asTyped(values[name] as string)),
    strings: (name) => ((values[name] as string[] | undefined) ?? []).map(asTyped),
    flag: (name) => values[name] === true,
    knows: (name) => Object.hasOwn(command.options, name),
  };
}

/** No system hands a word with it to a process. */
const TEXT_MARK = '\0';

/** What begins with a dash and has a blank before any equals sign is no option but text: `- an item of a list`. */
function asText(word: string): string {
  return /^-[^=]*?\s/.test(word) ? TEXT_MARK + word : word;
}

function asTyped(word: string): string {
  return word.startsWith(TEXT_MARK) ? word.slice(TEXT_MARK.length) : word;
}

/** Node adds advice about `--` that only fits when a positional argument begins with a hyphen. */
function firstSentence(error: unknown, argv: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, option] = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument is ambiguous/.exec(message) ?? [];
  if (option !== undefined) return `A value that begins with a hyphen is given with an equals sign: ${option}=-….`;
  const said = `${message.split(/\.\s|\n/)[0]!.replace(/\.$/, '')}.`;
  const [, name = ''] = /^(?:Unknown option|Option) '(?:-\w, )?(-[^'\s]*)/.exec(said) ?? [];
  // With a blank behind an equals sign it may be either.
  const isText = argv.some((word) => word.startsWith(`${name}=`) && /\s/.test(word));
  return /^Unknown option '-[^-]/.test(said) || (name !== '' && isText)
    ? `${said} A text that begins with a dash stands at the end, behind --.`
    : said;
}

/** Throws UsageError unless there are at least `min` and at most `max` words. */
export function expectWords(words: readonly string[], names: readonly string[], max = names.length): void {
  const missing = names[words.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing.`);
  const extra = words[max];
  if (extra !== undefined)
    throw new UsageError(`"${extra}" is one word too many. Put text of several words in quotes.`);
}

/** The command's own `--help`. */
export function helpOf(command: Command): string {
  const rows = Object.entries(command.options).map(([name, { value, help }]) => [
    `  --${name}${value ? ` ${value}` : ''}`,
    help,
  ]);
  const width = Math.max(...rows.map(([left]) => left!.length)) + 2;
  return [
    `${command.summary}.`,
    '',
    ...command.usage.map((usage, index) => `${index === 0 ? 'Usage: ' : '       '}kaizen ${usage}`),
    ...(command.details ? ['', command.details] : []),
    '',
    'Options:',
    ...rows.map(([left, help]) => `${left!.padEnd(width)}${help}`),
    '',
  ].join('\n');
}

/** What the group's commands are. */
export function helpOfGroup({ name, summary, details, commands }: CommandGroup): string {
  return [
    `${summary}.`,
    '',
    `Usage: kaizen ${name} COMMAND [options]`,
    ...(details ? ['', details] : []),
    '',
    'Commands:',
    table(commands.map((command) => [`  ${command.name.slice(name.length + 1)}`, command.summary])),
    '',
    `"kaizen ${name} COMMAND --help" says more.`,
    '',
  ].join('\n');
}
