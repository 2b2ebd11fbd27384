import { closing } from './brackets';

/** A list, or one that grows: `files=(`. */
const LIST = /^(\w+)(\+?)=$/;
const MAX_QUALIFIER = 100;

/** One that is being read. */
export interface PendingList {
  name: string;
  elements: string[];
  /** Whether it is known what it holds, as far as its elements are. */
  isSure: boolean;
}

/** Of what stands before its parenthesis; undefined where that begins no list. */
export function listAt(word: string): PendingList | undefined {
  const [, name, grows] = LIST.exec(word) ?? [];
  return name === undefined ? undefined : { name, elements: [], isSure: grows === '' };
}

/**
 * `*.sql(N)`, `(a|b).sql`: what stands between the parentheses, behind the first; undefined where they do not close. At the
 * end of a name it only says which files are meant (`isName`).
 */
export function qualifierAt(line: string, at: number): { text: string; isName: boolean } | undefined {
  const text = line.slice(at, at + MAX_QUALIFIER);
  const end = closing(text, 0);
  if (end === text.length) return undefined;
  return { text: text.slice(0, end), isName: /[\s)]/.test(line[at + end + 1] ?? ' ') };
}
