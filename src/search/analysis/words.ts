import { classOf, DIGIT, fold, JOINT, LOWER, MARK, OTHER, UNSPACED, UPPER } from './characters';

/** A word as it is compared, and where it stands: UTF-16 code units of what it was read from, `end` exclusive. */
export interface Word {
  word: string;
  start: number;
  end: number;
}

export interface WordOptions {
  /** Whether parts of names are words too: `getUserName` is `getusername`, `get`, `user` and `name`. */
  names: boolean;
}

/** Longer runs of letters are no words anybody looks for; their beginning is kept. */
const MAX_WORD = 64;
/** A longer run is read as several: data in one line of text must not cost more than text. */
const MAX_RUN = 256;
const CONTRACTED = new Set(['t', 're', 've', 'll', 'd', 'm']);

/**
 * Finds the runs of a text that hold words, until `visit` answers false. `unspaced`: one of a script without spaces.
 */
export function eachRun(text: string, visit: (start: number, end: number, unspaced: boolean) => unknown): void {
  const { length } = text;
  let at = 0;
  while (at < length) {
    const code = text.codePointAt(at)!;
    const size = code > 0xffff ? 2 : 1;
    const kind = classOf(code);
    if (kind === OTHER || kind === JOINT || kind === MARK) {
      at += size;
      continue;
    }
    const end = kind === UNSPACED ? endOfUnspaced(text, at + size) : endOfName(text, at + size);
    if (visit(at, end, kind === UNSPACED) === false) return;
    at = end;
  }
}

function endOfUnspaced(text: string, from: number): number {
  let at = from;
  const furthest = Math.min(text.length, from + MAX_RUN);
  while (at < furthest) {
    const code = text.codePointAt(at)!;
    const kind = classOf(code);
    if (kind !== UNSPACED && kind !== MARK) break;
    at += code > 0xffff ? 2 : 1;
  }
  return at;
}

function endOfName(text: string, from: number): number {
  let at = from;
  const furthest = Math.min(text.length, from + MAX_RUN);
  while (at < furthest) {
    const code = text.codePointAt(at)!;
    const kind = classOf(code);
    if (kind === JOINT) {
      const next = text.codePointAt(at + 1);
      const after = next === undefined ? OTHER : classOf(next);
      if (after !== LOWER && after !== UPPER && after !== DIGIT) break;
    } else if (kind === OTHER || kind === UNSPACED) break;
    at += code > 0xffff ? 2 : 1;
  }
  // C++ and C#, F# and their like.
  if (at - from < 2 && text.charCodeAt(at) === 0x23 && isEnd(text, at + 1)) return at + 1;
  if (at - from < 2 && text.startsWith('++', at) && isEnd(text, at + 2)) return at + 2;
  return at;
}

function isEnd(text: string, at: number): boolean {
  return at >= text.length || classOf(text.charCodeAt(at)) === OTHER || classOf(text.charCodeAt(at)) === JOINT;
}

/** The words of a run of a script without spaces: its pairs of characters, and its last one. */
export function pairsOf(run: string): Word[] {
  const folded = fold(run);
  const characters = [...folded];
  const exact = folded.length === run.length;
  const words: Word[] = [];
  let at = 0;
  for (let index = 0; index < characters.length; index++) {
    const first = characters[index]!;
    const second = characters[index + 1] ?? '';
    const end = at + first.length + second.length;
    words.push({ word: first + second, start: exact ? at : 0, end: exact ? end : run.length });
    at += first.length;
  }
  return words;
}

/** The words of a name: itself, and its parts where it has any. */
export function wordsOfName(name: string, options: WordOptions): Word[] {
  if (/^[A-Z]?[a-z]+$/.test(name) && name.length <= MAX_WORD) {
    return [{ word: name.toLowerCase(), start: 0, end: name.length }];
  }
  const words: Word[] = [];
  const pieces = piecesOf(name);
  if (!options.names) {
    for (const piece of pieces) push(words, asWord(name, piece.start, piece.end));
    return words;
  }
  if (pieces.length > 1) push(words, joined(name, pieces));
  for (const [index, piece] of pieces.entries()) {
    if (index === 0 || name[piece.start - 1] === '.') {
      const section = sectionFrom(name, pieces, index);
      if (section.length > 1 && section.length < pieces.length) push(words, joined(name, section));
    }
    push(words, asWord(name, piece.start, piece.end));
    for (const part of partsOf(name, piece)) push(words, asWord(name, part.start, part.end));
  }
  return words;
}

interface Span {
  start: number;
  end: number;
}

/** What stands between joints. `user's` is `user`; `don't` and `1.5` are one piece. */
function piecesOf(name: string): Span[] {
  const pieces: Span[] = [];
  let start = 0;
  for (let at = 0; at <= name.length; at++) {
    const joint = at < name.length && classOf(name.charCodeAt(at)) === JOINT;
    if (at < name.length && !joint) continue;
    const last = pieces.at(-1);
    const before = name[start - 1];
    if (last && before && isApostrophe(before)) {
      const tail = name.slice(start, at).toLowerCase();
      if (CONTRACTED.has(tail)) last.end = at;
      else if (tail !== 's') pieces.push({ start, end: at });
    } else if (last && before === '.' && isDigit(name, start - 2) && isDigit(name, start)) last.end = at;
    else if (at > start) pieces.push({ start, end: at });
    start = at + 1;
  }
  return pieces;
}

function isApostrophe(character: string): boolean {
  return character === "'" || character === '\u2019';
}

function isDigit(text: string, at: number): boolean {
  return classOf(text.charCodeAt(at)) === DIGIT;
}

/** The words inside `camelCase`, `HTTPServer` and `sha256`; none when there is but one. */
function partsOf(name: string, { start, end }: Span): Span[] {
  const cuts: number[] = [];
  let before = 0;
  for (let at = start; at < end; ) {
    const code = name.codePointAt(at)!;
    const size = code > 0xffff ? 2 : 1;
    const kind = classOf(code);
    const inside = kind === MARK || kind === JOINT;
    if (!inside && at > start && before !== 0) {
      const next = at + size < end ? classOf(name.codePointAt(at + size)!) : 0;
      // `URLs` and `IDs` are one word.
      const plural = next === LOWER && name[at + size] === 's' && at + size + 1 === end;
      const newWord = kind === UPPER && (before === LOWER || (before === UPPER && next === LOWER && !plural));
      if (newWord || (kind === DIGIT) !== (before === DIGIT)) cuts.push(at);
    }
    if (!inside) before = kind;
    at += size;
  }
  if (cuts.length === 0) return [];
  const edges = [start, ...cuts, end];
  return edges
    .slice(1)
    .map((edge, index) => ({ start: edges[index]!, end: edge }))
    .filter((part) => part.end - part.start > 1);
}

/** The pieces from `first` up to the next dot: `meta_mcp` of `meta_mcp.server`. */
function sectionFrom(name: string, pieces: readonly Span[], first: number): readonly Span[] {
  let next = first + 1;
  while (next < pieces.length && name[pieces[next]!.start - 1] !== '.') next++;
  return pieces.slice(first, next);
}

/** `read-only` is found as `readonly` too. */
function joined(name: string, pieces: readonly Span[]): Word {
  const start = pieces[0]!.start;
  const end = pieces.at(-1)!.end;
  const word = fold(pieces.map((piece) => name.slice(piece.start, piece.end)).join(''));
  return { word: word.length > MAX_WORD ? '' : word, start, end };
}

function asWord(name: string, start: number, end: number): Word {
  const word = fold(name.slice(start, end)).replace(/['\u2019]/g, '');
  return { word: word.length > MAX_WORD ? word.slice(0, wholeCharacters(word, MAX_WORD)) : word, start, end };
}

function push(words: Word[], word: Word): void {
  if (word.word !== '') words.push(word);
}

/** At most `length`, and not within a surrogate pair. */
function wholeCharacters(text: string, length: number): number {
  return text.codePointAt(length - 1)! > 0xffff ? length - 1 : length;
}
