import { KaizenError } from './errors';

export interface TextLimits {
  /** What it is called in the error: `content`, `keyword`. */
  name: string;
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
  if (text.length < min) throw invalid(name, min === 1 ? 'is empty' : `is shorter than ${min} characters`);
  // No text has more characters than code units, so that nearly every one need not be counted.
  const length = text.length > max ? characters(text) : text.length;
  if (length > max) throw invalid(name, `has ${length} characters; the limit is ${max}`);
  if (singleLine && /\p{Cc}/u.test(text)) throw invalid(name, 'contains a control character');
  if (text.includes('\0')) throw invalid(name, 'contains a NUL character');
  if (!isWellFormed(text)) throw invalid(name, 'contains half of a surrogate pair');
  return text;
}

/** As `checkText`, after surrounding white space is trimmed. */
export function checkTrimmed(text: string, limits: TextLimits): string {
  return checkText(text.trim(), limits);
}

function invalid(name: string, why: string): KaizenError {
  return new KaizenError('invalid_argument', `The ${name} ${why}.`);
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
