import { closing, closingExpansion } from './brackets';
import { UNKNOWN } from './commands';

/** What a `$` begins, by its signs alone; `length` is how many of them it has. */
export type Expansion =
  /** `$(…)`: behind so many characters its line begins. */
  | { kind: 'substitution'; length: number }
  /** `$'…'` */
  | { kind: 'quotes'; length: number }
  /** `$F`, `${F}` */
  | { kind: 'variable'; length: number; written: string; name: string; isBraced: boolean }
  /** `${files[@]}`, `${files[0]}` */
  | { kind: 'elements'; length: number; name: string; index: string }
  /** `${F:-a}`, `${F=a}`, `${F:+a}`, `${F:?}`; `word` is what stands behind the sign. */
  | { kind: 'default'; length: number; name: string; sign: string; word: string }
  /** `${F%.bak}`, `${F/a/b}`, `${F:0:3}`, `${F^^}`, `${files[@]%.bak}`; `written` is all that stands behind the name. */
  | {
      kind: 'operation';
      length: number;
      name: string;
      index: string | undefined;
      sign: string;
      word: string;
      written: string;
    };

/** `inside` is what stands in the braces of `${files[-1]}`. */
export interface ListPart {
  length: number;
  name: string;
  inside: string;
}

const NAME = /^\$(?:\{(\w+)\}|(\w+))/;
/** `${files[@]}`, `${files[0]}`. */
const LISTED = /^\$\{(\w+)\[([@*]|\d{1,9})\]\}/;
/** How others begin, up to the brace that closes them: `${files[-1]}`, `${files[@]:1}`; of a list alone `${files:1}`. */
const PART = /^\$\{(\w+)([^\w}])/;
/** `${F:-`, `${F?`. */
const DEFAULT = /^\$\{(\w+):?([-=+?])/;
const OPERATION = /^\$\{(\w+)(?:\[([@*]|\d{1,9})\])?(%%?|##?|\/[/#%]?|\^\^?|,,?|[:@])/;
/** A longer one is not read. */
const MAX_NAME = 200;
const MAX_PART = 500;
/** `$files[1]`, of some shells. */
const INDEX = /^\[[^\]\s"']{1,40}\]/;

/**
 * Behind a variable of PowerShell: `= 'a.txt'`, whose value is known; `= Get-Item a.txt`, `+= '.bak'`, `in …`, after which it is
 * not.
 */
const POWERSHELL_SETS = /^\s*(?:=\s*(["'])([^"'$`,\s]+)\1(?=[ \t]*(?:[;}\r\n]|$))|[-+*/%?]*=|in\b)/i;

/** Undefined for what is none of these; PowerShell has neither lists nor defaults of this kind. `isInQuotes`: in double ones. */
export function expansionAt(
  line: string,
  at: number,
  context: { isPosix: boolean; isInQuotes: boolean; isList: (name: string) => boolean },
): Expansion | undefined {
  const next = line[at + 1];
  if (next === '(') return { kind: 'substitution', length: 2 };
  if (next === "'") return { kind: 'quotes', length: 1 };
  const rest = line.slice(at, at + MAX_NAME);
  const [written, braced, plain] = NAME.exec(rest) ?? [];
  if (written !== undefined) {
    return {
      kind: 'variable',
      length: written.length,
      written,
      name: braced ?? plain!,
      isBraced: braced !== undefined,
    };
  }
  if (!context.isPosix) return undefined;
  const [listed, list, index] = LISTED.exec(rest) ?? [];
  if (listed !== undefined) return { kind: 'elements', length: listed.length, name: list!, index: index! };
  const [opening, name, sign] = DEFAULT.exec(rest) ?? [];
  if (opening === undefined) return operationAt(line, at, context);
  const text = line.slice(at, at + MAX_PART);
  const end = closingExpansion(text, opening.length, context.isInQuotes);
  if (end === undefined) return undefined;
  return { kind: 'default', length: end + 1, name: name!, sign: sign!, word: text.slice(opening.length, end) };
}

function operationAt(
  line: string,
  at: number,
  { isInQuotes, isList }: { isInQuotes: boolean; isList: (name: string) => boolean },
): Expansion | undefined {
  const text = line.slice(at, at + MAX_PART);
  const [opening, name, index, sign] = OPERATION.exec(text) ?? [];
  // Of a list it is a part.
  if (opening === undefined || (sign === ':' && (index !== undefined || isList(name!)))) return undefined;
  const start = opening.length;
  const end = closingExpansion(text, start, isInQuotes);
  if (end === undefined) return undefined;
  const word = text.slice(start, end);
  return { kind: 'operation', length: end + 1, name: name!, index, sign: sign!, word, written: `${sign}${word}` };
}

/** Any other part of a list than can be told. */
export function listPartAt(line: string, at: number, isList: (name: string) => boolean): ListPart | undefined {
  const text = line.slice(at, at + MAX_PART);
  const [, name, sign] = PART.exec(text) ?? [];
  if (name === undefined || (sign !== '[' && !isList(name))) return undefined;
  const end = closing(text, 2, '{}');
  return end === text.length ? undefined : { length: end + 1, name, inside: text.slice(2, end) };
}

/** What stands for the output of `$(…)`, whose line is given: nothing is run, but with these two everybody begins a path. */
export function outputOf(line: string): string {
  const [program = ''] = line.trim().split(/\s/, 1);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as a shell has it
  if (line.trim() === 'pwd') return '${PWD}';
  return program === 'mktemp' ? '$TMPDIR/_' : UNKNOWN;
}

/** What stands behind the name of a list as its index: `[1]`, or nothing. */
export function indexAt(line: string, at: number): string {
  return INDEX.exec(line.slice(at, at + 50))?.[0] ?? '';
}

/** How PowerShell sets the variable whose name ends here; `value` where it is plain. */
export function powerShellSetAt(line: string, at: number): { written: string; value: string | undefined } | undefined {
  const set = POWERSHELL_SETS.exec(line.slice(at, at + 300));
  return set ? { written: set[0], value: set[2] } : undefined;
}
