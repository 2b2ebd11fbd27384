import { closing, closingExpansion } from './brackets';
import {
  type Ends,
  endsOf,
  isUnknown,
  type PatternPart,
  patternOf,
  type Steps,
  sameAtHead,
  tokensOf,
  type ValueToken,
} from './value-patterns';

/** What is done with a variable's value where it stands: `${F%.bak}`, `${F/a/b}`, `${F:0:3}`, `${F^^}`. */
export type ValueOperation =
  | { kind: 'cut'; isEnd: boolean; isLongest: boolean; pattern: PatternPart[] }
  | { kind: 'replace'; where: '' | '/' | '#' | '%'; pattern: PatternPart[]; text: string; isSure: boolean }
  | { kind: 'part'; offset: number; length: number | undefined }
  | { kind: 'letters'; change: 'upper' | 'lower' | 'none'; isAll: boolean; pattern: PatternPart[] }
  /** It cannot be told. */
  | { kind: 'unknown' };

/** What becomes of a value. Where that is not sure, the text says as much as is: `${F}` in it is unknown. */
export interface Changed {
  text: string;
  isSure: boolean;
}

/** What a shell's line has around the operation. */
export interface Surroundings {
  held: (name: string) => string | undefined;
  /** A part of it as one word, quotes removed and variables filled in. */
  oneWord: (text: string) => string;
}

const INTEGER = /^\s*(?:(-?\d{1,9})|\((-?\d{1,9})\))\s*$/;
/** What becomes of a longer value is not told. */
const MAX_LENGTH = 1_000;
/** What a letter counts for that a pattern chooses. */
const LETTER_STEPS = 10;
const UNKNOWN_OPERATION: ValueOperation = { kind: 'unknown' };

/** `sign` is one of those behind the name, `word` what stands from there to the brace. */
export function operationOf(sign: string, word: string, around: Surroundings): ValueOperation {
  const first = sign[0]!;
  if (first === ':') return partOf(word);
  if (first === '@') {
    const change = new Map([
      ['U', 'upper'],
      ['u', 'upper'],
      ['L', 'lower'],
      ['Q', 'none'],
    ] as const).get(word as 'U');
    return change ? { kind: 'letters', change, isAll: word !== 'u', pattern: [] } : UNKNOWN_OPERATION;
  }
  if (first === '/') return replacementOf(sign, word, around);
  const pattern = patternOf(word, around.held);
  if (!pattern) return UNKNOWN_OPERATION;
  const isDouble = sign.length > 1;
  if (first === '%' || first === '#') return { kind: 'cut', isEnd: first === '%', isLongest: isDouble, pattern };
  return { kind: 'letters', change: first === '^' ? 'upper' : 'lower', isAll: isDouble, pattern };
}

/** Whether it is known what it does, whatever the value is. */
export function isTold(operation: ValueOperation): boolean {
  if (operation.kind === 'unknown') return false;
  return operation.kind === 'part' || operation.pattern.every(({ kind }) => kind !== 'unknown');
}

/** What the operation makes of a value; `unknown` stands for what is not known of it. */
export function changed(value: string, operation: ValueOperation, unknown: string, steps: Steps): Changed {
  if (value.length > MAX_LENGTH || steps.left < 0) return { text: unknown, isSure: false };
  const tokens = tokensOf(value);
  const { kind } = operation;
  steps.left -= tokens.length;
  const result =
    kind === 'cut'
      ? cut(tokens, operation, unknown, steps)
      : kind === 'replace'
        ? replaced(tokens, operation, steps)
        : kind === 'part'
          ? part(tokens, operation)
          : kind === 'letters'
            ? letters(tokens, operation, steps)
            : undefined;
  return result && steps.left >= 0 ? result : { text: unknown, isSure: false };
}

function partOf(word: string): ValueOperation {
  const [offset, length, ...others] = word.split(':').map((each) => {
    const [, plain, inParentheses] = INTEGER.exec(each) ?? [];
    return Number(plain ?? inParentheses ?? Number.NaN);
  });
  if (offset === undefined || Number.isNaN(offset) || Number.isNaN(length ?? 0) || others.length > 0)
    return UNKNOWN_OPERATION;
  return { kind: 'part', offset, length };
}

function replacementOf(sign: string, word: string, { held, oneWord }: Surroundings): ValueOperation {
  const where = sign.slice(1) as '' | '/' | '#' | '%';
  const isAnchored = where === '#' || where === '%';
  const end = isAnchored && word.startsWith('/') ? 0 : endOfPattern(word);
  const written = word.slice(end + 1);
  const pattern = patternOf(word.slice(0, end), held);
  // Some shells put what was found in the place of such a sign.
  const isSure = !written.includes('&');
  return pattern ? { kind: 'replace', where, pattern, text: oneWord(written), isSure } : UNKNOWN_OPERATION;
}

/** Where the slash stands behind a pattern; one at its beginning belongs to it. */
function endOfPattern(word: string): number {
  for (let at = 0; at < word.length; at++) {
    const sign = word[at]!;
    if (sign === '\\') at++;
    else if (sign === '/' && at > 0) return at;
    else if (sign === '$' && word[at + 1] === '{') at = closingExpansion(word, at + 2, false) ?? word.length;
    else if (sign === '$' && word[at + 1] === '(') at = closing(word, at + 2);
    else if (/["'`]/.test(sign)) {
      const end = word.indexOf(sign, at + 1);
      at = end < 0 ? word.length : end;
    }
  }
  return word.length;
}

function cut(
  tokens: ValueToken[],
  { isEnd, isLongest, pattern }: Extract<ValueOperation, { kind: 'cut' }>,
  unknown: string,
  steps: Steps,
): Changed {
  const whole = isEnd ? tokens.toReversed() : tokens;
  const parts = isEnd ? pattern.toReversed() : pattern;
  // Up to there each fits one of the others alone.
  const same = sameAtHead(whole, parts);
  const turned = whole.slice(same);
  const ends = endsOf(turned, 0, parts.slice(same), steps);
  const found = isLongest ? longest(turned, 0, ends) : shortest(turned, ends);
  if (found !== undefined) {
    const isNone = found === 0 && !ends.certain[0];
    const left = isNone ? whole : turned.slice(found);
    return { text: (isEnd ? left.toReversed() : left).join(''), isSure: true };
  }
  // What stands behind all that may be cut off stays.
  const left = turned.slice(ends.possible.lastIndexOf(true));
  return { text: isEnd ? `${left.toReversed().join('')}${unknown}` : `${unknown}${left.join('')}`, isSure: false };
}

/** Where the longest match ends, the place where it begins for none; undefined where that is not sure. */
function longest(tokens: readonly ValueToken[], from: number, { certain, possible }: Ends): number | undefined {
  for (let at = possible.length - 1; at > from; at--) {
    if (certain[at]) return at;
    if (possible[at] || isUnknown(tokens[at - 1]!)) return undefined;
  }
  return from;
}

function shortest(tokens: readonly ValueToken[], { certain, possible }: Ends): number | undefined {
  for (let at = 0; at < possible.length; at++) {
    if (certain[at]) return at;
    if (possible[at] || (at + 1 < possible.length && isUnknown(tokens[at]!))) return undefined;
  }
  return 0;
}

function replaced(
  tokens: ValueToken[],
  { where, pattern, text, isSure: isPlain }: Extract<ValueOperation, { kind: 'replace' }>,
  steps: Steps,
): Changed {
  const whole = tokens.join('');
  const isAnchored = where === '#' || where === '%';
  if (pattern.length === 0 && !isAnchored) return { text: whole, isSure: true };
  if (isAnchored) {
    const isEnd = where === '%';
    const turned = isEnd ? tokens.toReversed() : tokens;
    const ends = endsOf(turned, 0, isEnd ? pattern.toReversed() : pattern, steps);
    const found = longest(turned, 0, ends);
    if (found === undefined) return { text: whole, isSure: false };
    if (found === 0 && !ends.certain[0]) return { text: whole, isSure: true };
    const left = turned.slice(found);
    return { text: isEnd ? `${left.toReversed().join('')}${text}` : `${text}${left.join('')}`, isSure: isPlain };
  }
  let result = '';
  let isSure = isPlain;
  let at = 0;
  while (at < tokens.length) {
    const found = longest(tokens, at, endsOf(tokens, at, pattern, steps));
    // What begins in what is not known is not found.
    if (found === undefined || isUnknown(tokens[at]!)) isSure = false;
    if (steps.left < 0) return { text: whole, isSure: false };
    if (found === undefined || found === at) result += tokens[at++]!;
    else {
      result += text;
      at = found;
      if (where === '') break;
    }
  }
  return { text: result + tokens.slice(at).join(''), isSure };
}

function part(
  tokens: ValueToken[],
  { offset, length }: Extract<ValueOperation, { kind: 'part' }>,
): Changed | undefined {
  const unknownAt = tokens.findIndex(isUnknown);
  const unknownEnd = tokens.findLastIndex(isUnknown) + 1;
  const start = offset < 0 ? tokens.length + offset : offset;
  const end = length === undefined ? tokens.length : length < 0 ? tokens.length + length : start + length;
  if (unknownAt >= 0) {
    const isAtHead = start <= unknownAt && offset >= 0;
    const isSure =
      // Up to what is not known, from it to the end, or all around it.
      (isAtHead && length !== undefined && length >= 0 && end <= unknownAt) ||
      (offset < 0 && start >= unknownEnd && (length === undefined || length >= 0 || end >= unknownEnd)) ||
      (isAtHead && (length === undefined || (length < 0 && end >= unknownEnd)));
    if (!isSure) return undefined;
  }
  return { text: start < 0 ? '' : tokens.slice(start, Math.max(start, end)).join(''), isSure: true };
}

function letters(
  tokens: ValueToken[],
  { change, isAll, pattern }: Extract<ValueOperation, { kind: 'letters' }>,
  steps: Steps,
): Changed | undefined {
  if (change === 'none') return { text: tokens.join(''), isSure: true };
  if (tokens.some(isUnknown)) return undefined;
  // Each letter is looked at by itself.
  if (pattern.length > 0) steps.left -= tokens.length * LETTER_STEPS;
  if (steps.left < 0) return undefined;
  const becomes = tokens.map((token, at) => {
    const isMeant = (isAll || at === 0) && (pattern.length === 0 || endsOf([token], 0, pattern, steps).certain[1]);
    if (!isMeant) return token;
    return change === 'upper' ? token.toUpperCase() : token.toLowerCase();
  });
  return { text: becomes.join(''), isSure: true };
}
