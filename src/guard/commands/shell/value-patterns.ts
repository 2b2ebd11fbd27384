/** A pattern of a shell as `${F%…}` has it, and how it fits what a variable holds, of which a part may not be known. */

/** One sign, or a variable that is not known. */
export type ValueToken = string;

export type PatternPart =
  | { kind: 'sign'; sign: string }
  | { kind: 'any' }
  | { kind: 'star' }
  | { kind: 'set'; has: (sign: string) => boolean }
  /** What a variable holds that is not known. */
  | { kind: 'unknown'; token: ValueToken };

/** Where a match that begins at a place may end: `certain[n]` before the sign of that number, as `possible`. */
export interface Ends {
  certain: boolean[];
  possible: boolean[];
}

/** How much may still be looked at. */
export interface Steps {
  left: number;
}

const TOKENS = /\$\{\w+\}|\$\w+|[\s\S]/gu;
const VARIABLE = /^\$(?:\{(\w+)\}|(\w+))/;
/** What is unknown here may be something else there: what `$(…)` prints, and a star. */
const NEVER_THE_SAME = new Set(['__', '*']);
const CLASSES = new Map([
  ['alpha', /\p{L}/u],
  ['digit', /\d/],
  ['alnum', /[\p{L}\d]/u],
  ['upper', /\p{Lu}/u],
  ['lower', /\p{Ll}/u],
  ['space', /\s/],
  ['xdigit', /[\da-fA-F]/],
]);
const MAX_SET = 100;

export function tokensOf(value: string): ValueToken[] {
  return value.match(TOKENS) ?? [];
}

/** Whether it may be any text: a variable, or a star that stands for names. */
export function isUnknown(token: ValueToken): boolean {
  return token === '*' || (token.length > 1 && token.startsWith('$'));
}

/**
 * The parts of a pattern as it is written, quotes and known variables among them; undefined where it holds what is run, or
 * signs that shells read in different ways.
 */
export function patternOf(written: string, held: (name: string) => string | undefined): PatternPart[] | undefined {
  const parts: PatternPart[] = [];
  let isQuoted = false;
  let at = 0;
  while (at < written.length) {
    const sign = String.fromCodePoint(written.codePointAt(at)!);
    const rest = written.slice(at, at + 200);
    const next = written[at + 1] ?? '';
    at += sign.length;
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === '\\' && next !== '' && (!isQuoted || /[$`"\\]/.test(next))) {
      parts.push({ kind: 'sign', sign: next });
      at++;
    } else if (sign === '$') {
      const [variable, braced, plain] = VARIABLE.exec(rest) ?? [];
      if (variable === undefined) return undefined;
      at += variable.length - 1;
      const value = held(braced ?? plain!) ?? variable;
      // What it holds is a pattern in turn, of which signs and stars are read.
      if (!isQuoted && /[[\\()|]/.test(value)) return undefined;
      parts.push(...partsOfValue(value, isQuoted));
    } else if (sign === '`') return undefined;
    else if (isQuoted) parts.push({ kind: 'sign', sign });
    else if (sign === "'") {
      const end = written.indexOf("'", at);
      if (end < 0) return undefined;
      for (const each of written.slice(at, end)) parts.push({ kind: 'sign', sign: each });
      at = end + 1;
    } else if (/[()|<>]/.test(sign) || (sign === '~' && at === 1)) return undefined;
    else if (sign === '[') {
      const set = setAt(written, at);
      if (set === undefined) return undefined;
      parts.push(set.part);
      at = set.end;
    } else parts.push(sign === '*' ? { kind: 'star' } : sign === '?' ? { kind: 'any' } : { kind: 'sign', sign });
  }
  return parts;
}

/** Where a match may end that begins before the sign `from`. */
export function endsOf(tokens: readonly ValueToken[], from: number, parts: readonly PatternPart[], steps: Steps): Ends {
  return { certain: ends(tokens, from, parts, true, steps), possible: ends(tokens, from, parts, false, steps) };
}

/** How many parts stand for one token each, the same one. */
export function sameAtHead(tokens: readonly ValueToken[], parts: readonly PatternPart[]): number {
  const isSame = (part: PatternPart, at: number) =>
    (part.kind === 'sign' || part.kind === 'unknown') && tokens[at] !== undefined && fits(part, tokens[at]);
  const end = parts.findIndex((part, at) => !isSame(part, at));
  return end < 0 ? parts.length : end;
}

/** `isCertain`: whatever the unknown holds; else it may hold anything. */
function ends(
  tokens: readonly ValueToken[],
  from: number,
  parts: readonly PatternPart[],
  isCertain: boolean,
  steps: Steps,
): boolean[] {
  const found: boolean[] = [];
  const passes = (part: PatternPart | undefined) => part?.kind === 'star' || (part?.kind === 'unknown' && !isCertain);
  let states = closed(new Set([0]), parts, passes);
  for (let at = from; ; at++) {
    found[at] = states.has(parts.length);
    const token = tokens[at];
    steps.left -= states.size;
    if (token === undefined || states.size === 0 || steps.left < 0) return found;
    const next = new Set<number>();
    if (isUnknown(token) && !isCertain) {
      for (let state = Math.min(...states); state <= parts.length; state++) next.add(state);
    } else {
      for (const state of states) {
        const part = parts[state];
        if (passes(part)) next.add(state);
        else if (part !== undefined && fits(part, token)) next.add(state + 1);
      }
    }
    states = closed(next, parts, passes);
  }
}

function closed(
  states: Set<number>,
  parts: readonly PatternPart[],
  passes: (part: PatternPart | undefined) => boolean,
): Set<number> {
  // What is added is looked at in turn.
  for (const state of states) if (passes(parts[state])) states.add(state + 1);
  return states;
}

function fits(part: PatternPart, token: ValueToken): boolean {
  if (part.kind === 'unknown') {
    const name = nameOf(token);
    return isUnknown(token) && name === nameOf(part.token) && !NEVER_THE_SAME.has(name);
  }
  if (isUnknown(token)) return false;
  if (part.kind === 'sign') return part.sign === token;
  return part.kind === 'any' || (part.kind === 'set' && part.has(token));
}

function nameOf(token: ValueToken): string {
  return token.replace(/[${}]/g, '');
}

function partsOfValue(value: string, isQuoted: boolean): PatternPart[] {
  return tokensOf(value).map((token): PatternPart => {
    if (token === '*') return isQuoted ? { kind: 'sign', sign: token } : { kind: 'star' };
    if (token === '?' && !isQuoted) return { kind: 'any' };
    return isUnknown(token) ? { kind: 'unknown', token } : { kind: 'sign', sign: token };
  });
}

/** `[a-z]`, `[!0-9]`, `[[:digit:]]`, whose bracket stands before `start`; where none closes it, it is a sign. */
function setAt(written: string, start: number): { part: PatternPart; end: number } | undefined {
  const text = written.slice(start, start + MAX_SET);
  const [whole, not, inside] = /^([!^]?)(\]?(?:\[:\w+:\]|[^\]])*)\]/.exec(text) ?? [];
  if (whole === undefined) return { part: { kind: 'sign', sign: '[' }, end: start };
  // Quotes and variables among them, and other signs that stand for more.
  if (/["'$`\\]|\[[.=]/.test(inside!)) return undefined;
  const tests: ((sign: string) => boolean)[] = [];
  for (const [range, name, first, last] of inside!.matchAll(/\[:(\w+):\]|([\s\S])-([\s\S])|[\s\S]/gu)) {
    const named = name === undefined ? undefined : CLASSES.get(name);
    if (name !== undefined && named === undefined) return undefined;
    if (named) tests.push((sign) => named.test(sign));
    else if (first !== undefined) tests.push((sign) => sign >= first && sign <= last!);
    else tests.push((sign) => sign === range);
  }
  const isNot = not !== '';
  const has = (sign: string) => tests.some((test) => test(sign)) !== isNot;
  return { part: { kind: 'set', has }, end: start + whole.length };
}
