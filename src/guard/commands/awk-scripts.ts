import { longOption } from './long-options';

/** What an awk program does beside printing to its output (POSIX.1-2017, awk). Its cost is bounded by its length. */

export interface AwkScript {
  /** What it writes to. */
  files: string[];
  /** What it gives to a shell. */
  lines: string[];
  /** Whether it writes or runs something else that its text does not show. */
  isOpen: boolean;
}

/** A name, a number, white space, or one sign; a text begins with its sign. */
const TOKEN = /[A-Za-z_]\w*|\d[\w.]*|[ \t\\]+|>>|\|\||\|&|&&|\+\+|--|[\s\S]/y;
/** A longer one is read as two quotients. */
const MAX_EXPRESSION = 1_000;
/** What is looked through in vain for the ends of expressions, beside the script's own length. */
const MAX_IN_VAIN = 10_000;
/** Behind these a slash divides: `x++ / 2`, but not `return /x/`. */
const OPERAND = /^(?!(?:print|printf|return|exit|else|do|in|case)$)(?:\w|"|[)\]$]|\+\+|--)/;
/** Options of awk and gawk whose value is the next word, beside those that give it a program. */
const TAKES_VALUE = /^-[Fvil]$/;
/** What gawk writes of a program: its variables, the program in other lines, how often each of these was run. */
const WRITES_FILE = /^-[dop](.+)$/s;
const LONG_WRITES_FILE = new Set(['dump-variables', 'pretty-print', 'profile']);
/** Options that may be written short, with those that begin alike (GNU awk). */
const LONG_OPTIONS = (
  'assign bignum characters-as-bytes copyright csv debug dump-variables exec field-separator file gen-pot help include lint ' +
  'lint-old load non-decimal-data no-optimize optimize persist posix pretty-print profile re-interval sandbox source ' +
  'traditional use-lc-numeric version'
).split(' ');
const LONG_TAKES_VALUE = new Set(['assign', 'field-separator', 'include', 'load']);
/** Behind these the expression of `print` ends. */
const ENDS = /^[;}\n#]?$/;

export function readAwkScript(script: string): AwkScript {
  const result: AwkScript = { files: [], lines: [], isOpen: false };
  const { tokens, isWhole } = tokensOf(script);
  result.isOpen = !isWhole;
  /** How many parentheses are open since `print`; undefined outside of one. */
  let printing: number | undefined;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]!;
    const next = tokens[at + 1] ?? '';
    if (token === 'print' || token === 'printf') printing = 0;
    else if (/^[;}\n]$/.test(token)) printing = undefined;
    else if (printing !== undefined && (token === '(' || token === ')')) printing += token === '(' ? 1 : -1;
    else if (token === 'system' && next === '(') tell(result, 'lines', tokens.slice(at + 2, at + 4), /^\)$/);
    else if (token === '|' || token === '|&') {
      // `print x | "cmd"`, `"cmd" | getline`
      if (next === 'getline') tell(result, 'lines', [tokens[at - 1] ?? '', ''], ENDS);
      else tell(result, 'lines', tokens.slice(at + 1, at + 3), ENDS);
    } else if (printing === 0 && (token === '>' || token === '>>')) {
      tell(result, 'files', tokens.slice(at + 1, at + 3), ENDS);
    }
  }
  return result;
}

/** `text`: what stands there, and what stands behind it. */
function tell(result: AwkScript, kind: 'files' | 'lines', [text = '', behind = '']: string[], ends: RegExp): void {
  if (!/^".*"$/s.test(text) || !ends.test(behind)) result.isOpen = true;
  else result[kind].push(text.slice(1, -1).replace(/\\(["\\/])/g, '$1'));
}

/** Without white space, comments and expressions. `isWhole`: whether all of these were told from quotients. */
function tokensOf(script: string): { tokens: string[]; isWhole: boolean } {
  const tokens: string[] = [];
  let left = script.length + MAX_IN_VAIN;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(script); match; match = TOKEN.exec(script)) {
    const [token] = match;
    if (/^[ \t\\]/.test(token)) continue;
    if (token === '#') {
      const end = script.indexOf('\n', TOKEN.lastIndex);
      TOKEN.lastIndex = end < 0 ? script.length : end;
    } else if (token === '/' && left > 0 && !OPERAND.test(tokens.at(-1) ?? '')) {
      const from = TOKEN.lastIndex;
      const end = endOfExpression(script, from);
      if (end === undefined) left -= Math.min(MAX_EXPRESSION, script.length - from);
      TOKEN.lastIndex = end ?? from;
      tokens.push('1');
    } else if (token === '"') {
      const start = match.index;
      TOKEN.lastIndex = endOfText(script, start + 1);
      tokens.push(script.slice(start, TOKEN.lastIndex));
    } else tokens.push(token);
  }
  return { tokens, isWhole: left > 0 };
}

/**
 * The programs that stand on awk's line, as one; undefined where all of it is in files. `files`: what its options have
 * written beside that.
 */
export function awkLineOf(args: readonly string[]): { script: string | undefined; files: string[] } {
  const scripts: string[] = [];
  const files: string[] = [];
  let isInFile = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    // `-W source=…` is another way to write `--source=…`.
    const long = longOption(word === '-W' ? `--${args[++at] ?? ''}` : word.replace(/^-W/, '--'), LONG_OPTIONS);
    const script = /^-e(.+)$/s.exec(word)?.[1];
    const file = WRITES_FILE.exec(word)?.[1];
    if (long) {
      const { name, value } = long;
      // Of what gawk finds ambiguous it does nothing; others may know it.
      const isProgram = name === 'file' || name === 'exec';
      if (name === 'source') scripts.push(value ?? args[++at] ?? '');
      else if (isProgram || LONG_TAKES_VALUE.has(name)) {
        isInFile ||= isProgram;
        if (value === undefined) at++;
      } else if (value !== undefined && LONG_WRITES_FILE.has(name)) files.push(value);
    } else if (word === '-e') scripts.push(args[++at] ?? '');
    else if (script !== undefined) scripts.push(script);
    else if (file !== undefined) files.push(file);
    else if (TAKES_VALUE.test(word)) at++;
    else if (/^-[fE]/.test(word)) {
      isInFile = true;
      if (/^-[fE]$/.test(word)) at++;
    } else if (!word.startsWith('-')) {
      if (scripts.length === 0 && !isInFile) scripts.push(word);
      break;
    }
  }
  return { script: scripts.length > 0 ? scripts.join('\n') : undefined, files };
}

/** Behind the sign that ends it; no text goes beyond its line. */
function endOfText(script: string, from: number): number {
  for (let at = from; at < script.length; at++) {
    if (script[at] === '\\') at++;
    else if (script[at] === '"') return at + 1;
    else if (script[at] === '\n') return at;
  }
  return script.length;
}

/** Behind the slash that ends it; where none does, it was no expression. */
function endOfExpression(script: string, from: number): number | undefined {
  let inBrackets = false;
  for (let at = from; at < Math.min(script.length, from + MAX_EXPRESSION); at++) {
    const sign = script[at];
    if (sign === '\\') at++;
    else if (sign === '\n') return undefined;
    else if (sign === '[') inBrackets = true;
    else if (sign === ']') inBrackets = false;
    else if (sign === '/' && !inBrackets) return at + 1;
  }
  return undefined;
}
