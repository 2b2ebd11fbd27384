import { type Sentence, sentence } from './sentence';

/**
 * Globs from whoever writes an entry or a setting, so they are matched by a walk of our own whose cost is bounded by the
 * product of two lengths, and never by a regular expression that could backtrack.
 */

/** One step of a wildcard's way through a name: a text, one character of a set, any one, or any number of them. */
type Token = string | CharacterSet | typeof ONE | typeof MANY;

interface CharacterSet {
  negated: boolean;
  /** First and last character of each range. */
  ranges: readonly (readonly [from: string, to: string])[];
}

/** A name between two slashes. */
export type Segment =
  | typeof FOLDERS
  /** Exactly this name. */
  | string
  /** What it begins and ends with, and the whole of it where there is more than one star in between. */
  | { head: string; tail: string; tokens: readonly Token[] };

export interface Glob {
  segments: readonly Segment[];
  /** Whether it stands for everything below what it names as well. */
  orBelow: boolean;
}

/** What a value of APPLIES_TO says. Faulty globs are in `faults` only: they apply to nothing. */
export interface AppliesTo {
  /** The globs as written, those that exclude too. */
  written: string[];
  included: Glob[];
  excluded: Glob[];
  faults: Sentence[];
}

/** `**`: any number of folders. */
export const FOLDERS = Symbol('**');
const ONE = Symbol('?');
const MANY = Symbol('*');

const MAX_GLOBS = 100;
const MAX_GLOB_LENGTH = 500;
/** What the braces of one glob, and those of all globs of an entry together, may stand for. */
const MAX_ALTERNATIVES = 100;
const MAX_ALTERNATIVES_IN_ALL = 500;
/** Longer paths match nothing. */
const MAX_PATH_LENGTH = 4_096;

class GlobFault extends Error {
  constructor(readonly said: Sentence) {
    super(String(said));
  }
}

/**
 * Reads globs that are separated by commas or line breaks; a comma inside braces does not separate. `!glob` excludes.
 * `*` and `?` stay within a name, `**` crosses folders, `{a,b}` and `[a-z]` choose; case counts, dot files are matched.
 * As in .gitignore, a glob without a slash is a name in any folder, a leading slash (or `./`) ties it to the workspace
 * folder, and a folder stands for everything below it. Never throws.
 */
export function parseAppliesTo(text: string): AppliesTo {
  const written = splitGlobs(text);
  const result: AppliesTo = { written, included: [], excluded: [], faults: [] };
  if (written.length > MAX_GLOBS) {
    result.faults.push(sentence('There are {0} globs; the limit is {1}.', written.length, MAX_GLOBS));
    return result;
  }
  for (const each of written) {
    const isExcluded = each.startsWith('!');
    try {
      (isExcluded ? result.excluded : result.included).push(...parseGlob(isExcluded ? each.slice(1) : each));
    } catch (error) {
      if (!(error instanceof GlobFault)) throw error;
      result.faults.push(error.said);
    }
    if (result.included.length + result.excluded.length > MAX_ALTERNATIVES_IN_ALL) {
      const fault = sentence('The braces of the globs stand for more than {0} globs.', MAX_ALTERNATIVES_IN_ALL);
      return { written, included: [], excluded: [], faults: [fault] };
    }
  }
  if (result.faults.length === 0 && result.included.length === 0) {
    result.faults.push(
      written.length === 0
        ? sentence('There is no glob.')
        : sentence('All globs exclude, so there is nothing to exclude from.'),
    );
  }
  return result;
}

/** Whether the entry applies to the file at `path`, relative to the workspace folder, `/` between its parts. */
export function appliesTo({ included, excluded }: AppliesTo, path: FilePath): boolean {
  return included.some((glob) => matches(glob, path)) && !excluded.some((glob) => matches(glob, path));
}

/** A path's names; none when it is too long or leads out of the folder. */
export type FilePath = readonly string[];

export function filePath(path: string): FilePath {
  if (path.length > MAX_PATH_LENGTH) return [];
  const names = path.split(/[/\\]/).filter((name) => name !== '' && name !== '.');
  return names.includes('..') ? [] : names;
}

/**
 * Walks both from the left. Where they part, the last `**` takes one folder more: going back further is never needed,
 * so the cost is at most the product of both numbers of names.
 */
export function matches({ segments, orBelow }: Glob, path: FilePath): boolean {
  if (path.length === 0) return false;
  let at = 0;
  let retryGlob = -1;
  let retryPath = 0;
  for (let name = 0; name < path.length; ) {
    const segment = segments[at];
    if (segment === FOLDERS) {
      retryGlob = ++at;
      retryPath = name;
    } else if (segment !== undefined && matchesName(segment, path[name]!)) {
      at++;
      name++;
    } else if (segment === undefined && orBelow) {
      return true;
    } else if (retryGlob >= 0) {
      at = retryGlob;
      name = ++retryPath;
    } else {
      return false;
    }
    // A glob that ends in `**` takes whatever is left, but not nothing: `src/**` is not `src`.
    if (at === segments.length && segments[at - 1] === FOLDERS) return name < path.length;
  }
  return at === segments.length;
}

function matchesName(segment: Exclude<Segment, typeof FOLDERS>, name: string): boolean {
  if (typeof segment === 'string') return segment === name;
  const { head, tail, tokens } = segment;
  if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
  return tokens.length === 0 || matchesTokens(tokens, name.slice(head.length, name.length - tail.length));
}

/** The same walk over the characters of a name, with `*` for `**`. */
function matchesTokens(tokens: readonly Token[], name: string): boolean {
  let at = 0;
  let retryToken = -1;
  let retryName = 0;
  for (let character = 0; character < name.length || at < tokens.length; ) {
    const token = tokens[at];
    const length = token === undefined || token === MANY ? 0 : matchedLength(token, name, character);
    if (token === MANY) {
      retryToken = ++at;
      retryName = character;
    } else if (length > 0) {
      at++;
      character += length;
    } else if (retryToken >= 0 && retryName < name.length) {
      at = retryToken;
      character = ++retryName;
    } else {
      return false;
    }
  }
  return true;
}

function matchedLength(token: Exclude<Token, typeof MANY>, name: string, at: number): number {
  if (typeof token === 'string') return name.startsWith(token, at) ? token.length : 0;
  const character = name[at];
  if (character === undefined) return 0;
  if (token === ONE) return 1;
  return token.ranges.some(([from, to]) => character >= from && character <= to) === token.negated ? 0 : 1;
}

function splitGlobs(text: string): string[] {
  const globs: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const character = text[at] ?? '\n';
    if (character === '{') depth++;
    else if (character === '}') depth = Math.max(0, depth - 1);
    else if (character === '\n' || (character === ',' && depth === 0)) {
      globs.push(text.slice(from, at).trim());
      from = at + 1;
      depth = 0;
    }
  }
  return globs.filter((glob) => glob !== '');
}

/** Throws GlobFault. */
function parseGlob(written: string): Glob[] {
  const shown = written.length > 60 ? `${written.slice(0, 60)}…` : written;
  if (written.length > MAX_GLOB_LENGTH) {
    throw new GlobFault(
      sentence('The glob "{0}" has {1} characters; the limit is {2}.', shown, written.length, MAX_GLOB_LENGTH),
    );
  }
  const alternatives = expandBraces(written.trim().replaceAll('\\', '/'), shown);
  return alternatives.map((alternative) => parseAlternative(alternative, shown));
}

function parseAlternative(alternative: string, shown: string): Glob {
  const isTied = /^\.?\//.test(alternative);
  const isFolder = alternative.endsWith('/');
  const names = alternative.split('/').filter((name) => name !== '' && name !== '.');
  if (names.length === 0) throw new GlobFault(sentence('The glob "{0}" names no file.', shown));
  if (names.includes('..')) throw new GlobFault(sentence('The glob "{0}" leads out of the workspace folder.', shown));
  const segments: Segment[] = names.length === 1 && !isTied ? [FOLDERS] : [];
  for (const name of names) {
    const segment = name === '**' ? FOLDERS : parseName(name, shown);
    // Several in a row say no more than one.
    if (segment !== FOLDERS || segments.at(-1) !== FOLDERS) segments.push(segment);
  }
  if (isFolder && segments.at(-1) !== FOLDERS) segments.push(FOLDERS);
  const namesOneThing = typeof segments.at(-1) === 'string' && (names.length > 1 || isTied);
  return { segments, orBelow: namesOneThing };
}

function parseName(name: string, shown: string): Exclude<Segment, typeof FOLDERS> {
  const tokens: Token[] = [];
  for (let at = 0; at < name.length; at++) {
    const character = name[at]!;
    const last = tokens.at(-1);
    if (character === '*') {
      if (last !== MANY) tokens.push(MANY);
    } else if (character === '?') {
      tokens.push(ONE);
    } else if (character === '[') {
      const { set, end } = parseSet(name, at, shown);
      tokens.push(set);
      at = end;
    } else if (typeof last === 'string') {
      tokens[tokens.length - 1] = last + character;
    } else {
      tokens.push(character);
    }
  }
  const [first] = tokens;
  if (tokens.length === 1 && typeof first === 'string') return first;
  const head = typeof first === 'string' ? (tokens.shift() as string) : '';
  const tail = typeof tokens.at(-1) === 'string' ? (tokens.pop() as string) : '';
  // One star between head and tail takes whatever is there.
  return { head, tail, tokens: tokens.length === 1 && tokens[0] === MANY ? [] : tokens };
}

function parseSet(name: string, start: number, shown: string): { set: CharacterSet; end: number } {
  const negated = name[start + 1] === '!' || name[start + 1] === '^';
  const from = start + (negated ? 2 : 1);
  // A bracket that stands first is one of the characters.
  const end = name.indexOf(']', from + 1);
  if (end < 0) throw new GlobFault(sentence('The glob "{0}" has a "[" that is not closed.', shown));
  const ranges: [string, string][] = [];
  for (let at = from; at < end; at++) {
    const isRange = name[at + 1] === '-' && at + 2 < end;
    ranges.push([name[at]!, isRange ? name[at + 2]! : name[at]!]);
    if (isRange) at += 2;
  }
  return { set: { negated, ranges }, end };
}

/** The texts that braces stand for: `a{b,c}` is `ab` and `ac`. */
function expandBraces(glob: string, shown: string): string[] {
  const open = glob.indexOf('{');
  if (open < 0) {
    if (glob.includes('}')) throw new GlobFault(sentence('The glob "{0}" has a "}" that was not opened.', shown));
    return [glob];
  }
  const parts: string[] = [];
  let depth = 0;
  let from = open + 1;
  let close = -1;
  for (let at = open; at < glob.length && close < 0; at++) {
    const character = glob[at];
    if (character === '{') depth++;
    else if (character === '}') depth--;
    if (depth === 0) close = at;
    if (depth === 0 || (depth === 1 && character === ',')) {
      parts.push(glob.slice(from, at));
      from = at + 1;
    }
  }
  if (close < 0) throw new GlobFault(sentence('The glob "{0}" has a "{" that is not closed.', shown));
  const rests = expandBraces(glob.slice(close + 1), shown);
  const before = glob.slice(0, open);
  const inside = parts.flatMap((part) => expandBraces(part, shown));
  if (inside.length * rests.length > MAX_ALTERNATIVES) {
    throw new GlobFault(
      sentence('The braces of the glob "{0}" stand for more than {1} globs.', shown, MAX_ALTERNATIVES),
    );
  }
  return inside.flatMap((each) => rests.map((rest) => before + each + rest));
}
