import { longOption } from './long-options';

/** What a script of sed does beside printing (POSIX.1-2017, sed; GNU sed's `W`, `e` and flags). Its cost is bounded by its length. */

export interface SedScript {
  /** What it writes to. */
  files: string[];
  /** Whether it has something run. */
  runs: boolean;
}

/** Commands that nothing follows but a number, and what follows the address. */
const PLAIN = /^[={}dDgGhHnNpPxzFqQlL!\s;,\d~+I]$/;
/** Those that may be written short, with those that begin alike (GNU sed). */
const LONG_OPTIONS = (
  'binary debug expression file follow-symlinks help in-place line-length null-data posix quiet regexp-extended sandbox ' +
  'separate silent unbuffered version zero-terminated'
).split(' ');
/** To the end of the line: a name, a text or a label. */
const TO_LINE_END = /^[aicrRbtTv:#]$/;

/** Undefined for what cannot be read as such a script. */
export function readSedScript(script: string): SedScript | undefined {
  const files: string[] = [];
  let runs = false;
  let at = 0;
  const lastBracket = script.lastIndexOf(']');
  const lineEnd = () => {
    const found = script.indexOf('\n', at);
    return found < 0 ? script.length : found;
  };
  while (at < script.length) {
    const sign = script[at]!;
    at++;
    if (sign === '$') {
      // What a variable of the shell holds is not known; behind the address of the last line one letter stands.
      at += /^(?:\{\w+\}|\w{2,40})/.exec(script.slice(at, at + 50))?.[0].length ?? 0;
      continue;
    }
    if (PLAIN.test(sign)) continue;
    if (sign === '/' || sign === '\\') {
      // An address: `/a/`, `\,a,`.
      const mark = sign === '/' ? sign : script[at++];
      const end = mark === undefined ? -1 : endOfPart(script, at, mark, lastBracket);
      if (end < 0) return undefined;
      at = end + 1;
      while (/[IM]/.test(script[at] ?? '')) at++;
    } else if (sign === 's' || sign === 'y') {
      const mark = script[at++];
      const middle = mark === undefined ? -1 : endOfPart(script, at, mark, sign === 's' ? lastBracket : -1);
      const end = middle < 0 ? -1 : endOfPart(script, middle + 1, mark!, -1);
      if (end < 0) return undefined;
      at = end + 1;
      while (/[gpIiMm\de]/.test(script[at] ?? '')) {
        runs ||= script[at] === 'e';
        at++;
      }
      if (script[at] === 'w') {
        files.push(script.slice(at + 1, lineEnd()).trim());
        at = lineEnd();
      }
    } else if (sign === 'w' || sign === 'W') {
      files.push(script.slice(at, lineEnd()).trim());
      at = lineEnd();
    } else if (sign === 'e') {
      runs = true;
      at = lineEnd();
    } else if (/[btT]/.test(sign)) {
      // A label ends with the command, too.
      while (/[ \t]/.test(script[at] ?? '')) at++;
      while (at < script.length && !/[;\s}]/.test(script[at]!)) at++;
    } else if (TO_LINE_END.test(sign)) {
      at = lineEnd();
      // A text goes on behind a backslash.
      while (/[aic]/.test(sign) && script[at - 1] === '\\' && at < script.length) {
        at++;
        at = lineEnd();
      }
    } else return undefined;
  }
  return { files: files.filter((file) => file !== ''), runs };
}

/** The scripts that stand on sed's line, as one; undefined where there is none, or one is in a file. */
export function sedScriptOf(args: readonly string[]): string | undefined {
  const scripts: string[] = [];
  let first: string | undefined;
  for (let at = 0; at < args.length; at++) {
    const word = args[at]!;
    const long = longOption(word, LONG_OPTIONS);
    const short = /^-[nrsuzE]*e(.*)$/s.exec(word)?.[1];
    const isFile = long?.name === 'file' || /^-[nrsuzE]*f$/.test(word);
    if (long?.name === 'expression') scripts.push(long.value ?? args[++at] ?? '');
    else if (short !== undefined) scripts.push(short === '' ? (args[++at] ?? '') : short);
    else if (isFile || long?.name === 'line-length' || /^-[nrsuzE]*l$/.test(word)) {
      // A script in a file is not seen.
      if (isFile) first ??= '';
      if (long?.value === undefined) at++;
    } else if (!word.startsWith('-')) first ??= word;
  }
  return scripts.length > 0 ? scripts.join('\n') : first;
}

/** Where the part ends that the mark closes; in brackets it closes nothing. `lastBracket`: behind it none closes any. */
function endOfPart(script: string, from: number, mark: string, lastBracket: number): number {
  for (let at = from; at < script.length; at++) {
    const sign = script[at];
    if (sign === '\\') at++;
    else if (sign === mark) return at;
    else if (sign === '[') {
      const first = script[at + 1] === '^' ? at + 2 : at + 1;
      // Where none closes them, they are no brackets.
      if (first < lastBracket) at = script.indexOf(']', first + 1);
    }
  }
  return -1;
}
