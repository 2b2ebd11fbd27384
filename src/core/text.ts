import { KaizenError } from './errors';
import { type Sentence, sentence } from './sentence';

export interface TextLimits {
  /** What it is called in the error: a word for people, or the name of a parameter or field (`current_file`) as it is. */
  name: Sentence | string;
  min?: number;
  /** In characters, as JSON Schema counts them: an emoji is one. */
  max: number;
  /** Whether it must stand on one line without control characters. */
  singleLine?: boolean;
}

/**
 * Refuses text that is too short, too long, or that could not be kept exactly as it is: NUL ends a string in SQLite,
 * and a lone surrogate has no UTF-8. Throws `invalid_argument`.
 */
export function checkText(text: string, { name, min = 0, max, singleLine = false }: TextLimits): string {
  if (text.length < min)
    throw invalid(
      min === 1 ? sentence('The {0} is empty.', name) : sentence('The {0} is shorter than {1} characters.', name, min),
    );
  // No text has more characters than code units, so that nearly every one need not be counted.
  const length = text.length > max ? characters(text) : text.length;
  if (length > max) throw invalid(sentence('The {0} has {1} characters; the limit is {2}.', name, length, max));
  if (singleLine && /\p{Cc}/u.test(text)) throw invalid(sentence('The {0} contains a control character.', name));
  if (text.includes('\0')) throw invalid(sentence('The {0} contains a NUL character.', name));
  if (!isWellFormed(text)) throw invalid(sentence('The {0} contains half of a surrogate pair.', name));
  return text;
}

/** As `checkText`, after surrounding white space is trimmed. */
export function checkTrimmed(text: string, limits: TextLimits): string {
  return checkText(text.trim(), limits);
}

function invalid(why: Sentence): KaizenError {
  return new KaizenError('invalid_argument', why);
}

function isWellFormed(text: string): boolean {
  return !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text);
}

/** Each surrogate pair is one. */
function characters(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) {
    if (text.codePointAt(at)! > 0xffff) {
      pairs++;
      at++;
    }
  }
  return text.length - pairs;
}

/** Orders strings by UTF-16 code units: the same everywhere, whatever the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Orders strings by their UTF-8 bytes, as SQLite does: by code points, so that it differs beyond U+FFFF. */
export function compareAsSqlite(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
