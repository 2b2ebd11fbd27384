import { type Allowance, lengthOf } from './allowance';
import { programOf } from './programs';
import type { SimpleCommand } from './shell';

/** Longer texts are known as far as this: a format is repeated for every word. */
const MAX_LENGTH = 200_000;
/** Of pipes that hand on what they are given. */
const MAX_DEPTH = 20;

/** What the commands print together, as far as it stands in the line; undefined where nothing does. What goes to another is left out. */
export function printedBy(commands: readonly SimpleCommand[], mayRead: Allowance, depth = 0): string | undefined {
  const texts: string[] = [];
  let length = 0;
  for (const command of commands) {
    const isLeftOut = (command.feeds && depth === 0) || length > MAX_LENGTH;
    const text = isLeftOut ? undefined : printed(command, mayRead, depth);
    if (text === undefined) continue;
    texts.push(text.endsWith('\n') ? text : `${text}\n`);
    length += text.length;
  }
  return texts.length > 0 ? texts.join('') : undefined;
}

/** What the command is given line by line, or by those before it in a pipe. */
export function inputOf(command: SimpleCommand, mayRead: Allowance, depth = 0): string | undefined {
  if (command.documents.length > 0) return command.documents.join('\n');
  return depth < MAX_DEPTH ? printedBy(command.input, mayRead, depth + 1) : undefined;
}

function printed(command: SimpleCommand, mayRead: Allowance, depth: number): string | undefined {
  const program = programOf(command.words);
  if (program === undefined || program.takesNames) return undefined;
  const { name, args } = program;
  const goesElsewhere = command.redirections.some(
    ({ writes, descriptor }) => writes && /^[1*]?$/.test(descriptor ?? ''),
  );
  // `tee` prints what it writes as well.
  if (name === 'tee') return inputOf(command, mayRead, depth);
  if (goesElsewhere) return undefined;
  if (name === 'echo' || name === 'printf') {
    if (!mayRead(lengthOf(args))) return undefined;
    return name === 'echo' ? echoed(args) : formatted(args);
  }
  // Of `cat a.txt` the text is in a file.
  const readsInput = args.every((word) => word.startsWith('-')) && command.redirections.every(({ writes }) => writes);
  return name === 'cat' && readsInput ? inputOf(command, mayRead, depth) : undefined;
}

/** Some shells read `\n` in it on their own, others by `-e`. */
function echoed(args: readonly string[]): string {
  const first = args.findIndex((word) => !/^-[neE]+$/.test(word));
  return first < 0 ? '' : unescaped(joinedWords(args.slice(first), ' '));
}

function formatted(args: readonly string[]): string | undefined {
  const [format = '', ...values] = args[0] === '--' ? args.slice(1) : args;
  if (format === '-v') return undefined;
  const pieces = format.split(/(%%|%[-+ #0-9.]{0,20}[a-zA-Z])/);
  const result: string[] = [];
  let length = 0;
  let at = 0;
  do {
    const before = at;
    for (const piece of pieces) {
      const isValue = /^%.*[a-zA-Z]$/s.test(piece);
      const text = isValue ? (values[at++] ?? '') : piece === '%%' ? '%' : unescaped(piece);
      // `%b` reads it in its values as well.
      result.push(isValue && piece.endsWith('b') ? unescaped(text) : text);
      length += text.length + 1;
      if (length > MAX_LENGTH) break;
    }
    if (at === before) break;
  } while (at < values.length && length <= MAX_LENGTH);
  return result.join('');
}

/** Words that variables made long are left out behind so many characters. */
export function joinedWords(words: readonly string[], between: string): string {
  let length = 0;
  const end = words.findIndex((word) => {
    length += word.length + between.length;
    return length > MAX_LENGTH;
  });
  return (end < 0 ? words : words.slice(0, end + 1)).join(between);
}

const ESCAPED: Record<string, string> = { n: '\n', t: '\t', r: '\r', 0: '\n', '\\': '\\' };

function unescaped(text: string): string {
  return text.replace(/\\([ntr\\]|0(?!\d))/g, (_, sign: string) => ESCAPED[sign]!);
}
