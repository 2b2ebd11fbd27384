import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { KaizenError } from '../core/errors';

export type Colour = 'bold' | 'dim' | 'red' | 'yellow' | 'magenta' | 'green';

const CODES: Record<Colour, [open: number, close: number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  green: [32, 39],
};

/** What a command reads and writes. Results go to `out`, everything said beside them to `say`. */
export interface Terminal {
  /** Whether the person asked for `--json`. */
  readonly isJson: boolean;
  /** To standard output, for people, a line break after it. */
  out(text: string): void;
  /** To standard output as it is, for programs and files. */
  raw(text: string): void;
  /** The one result of a `--json` call. */
  json(value: unknown): void;
  /** To standard error, for people, whatever standard output is connected to. */
  say(text: string): void;
  paint(colour: Colour, text: string): string;
  /** Everything that comes in on standard input; undefined when that is a person at a keyboard. */
  readInput(): Promise<string | undefined>;
  /** Asks a person for consent; undefined when there is nobody at a keyboard. Anything but `y` and `yes` is a no. */
  confirm(question: string): Promise<boolean | undefined>;
}

export function openTerminal(isJson: boolean): Terminal {
  const colours = Boolean(process.stdout.isTTY) && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
  return {
    isJson,
    out: (text) => void process.stdout.write(`${harmless(text, colours)}\n`),
    raw: (text) => void process.stdout.write(text),
    json: (value) => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`),
    say: (text) => void process.stderr.write(`${harmless(text, false)}\n`),
    paint: (colour, text) => {
      const [open, close] = CODES[colour];
      return colours ? `\u001B[${open}m${text}\u001B[${close}m` : text;
    },
    readInput: async () => (process.stdin.isTTY ? undefined : readAll()),
    confirm: async (question) => (process.stdin.isTTY && process.stderr.isTTY ? ask(question) : undefined),
  };
}

/**
 * Control characters other than tabs and line breaks; a carriage return counts unless a line feed follows. Marks that
 * turn the direction of writing have a text look like another one; letters that are written from right to left do not.
 */
const CONTROLS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  /\u001B\[\d+m|\r(?!\n)|[\0-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** What `paint` writes. Others hide text, from a person who is to agree to it. */
const PAINTS: ReadonlySet<string> = new Set(
  Object.values(CODES)
    .flat()
    .map((code) => `\u001B[${code}m`),
);

/**
 * What stands in an entry must not clear the screen or rename the window of the person who reads it, nor show its words
 * in another order than they are in.
 */
export function harmless(text: string, colours: boolean): string {
  return text.replace(CONTROLS, (found) => (colours && PAINTS.has(found) ? found : '\uFFFD'));
}

/** On standard error, as the answer is no result. The end of the input and Ctrl+C are a no. */
async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise((resolve) => {
      lines.once('close', () => resolve(false));
      lines.once('SIGINT', () => {
        process.stderr.write('\n');
        resolve(false);
      });
      lines.question(`${harmless(question, false)} [y/N] `, (answer) => resolve(/^y(es)?$/i.test(answer.trim())));
    });
  } finally {
    lines.close();
  }
}

async function readAll(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return decode(Buffer.concat(chunks), 'Standard input');
}

/** Refuses what is not UTF-8, which would be stored with its letters replaced by question marks. */
function decode(bytes: Buffer, what: string): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new KaizenError('invalid_argument', `${what} is not UTF-8 text.`, 'Save it in UTF-8 and try again.');
}

/** A file's text, or standard input's for `-`. */
export async function readFileOrInput(file: string, terminal: Terminal): Promise<string> {
  if (file !== '-') return decode(await readFile(file), file);
  return (await terminal.readInput()) ?? readAll();
}

/** Rows under one another in columns; the last column is not padded. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, width(cell));
  }
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === row.length - 1 ? cell : cell + ' '.repeat((widths[at] ?? 0) - width(cell))))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Columns that a cell takes: colours take none. */
function width(text: string): number {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what begins a colour
  return [...text.replace(/\u001B\[\d+m/g, '')].length;
}

export function indent(text: string, by = '  '): string {
  return text.replace(/^(?=.)/gm, by);
}

/** `1 entry`, `2 entries` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
