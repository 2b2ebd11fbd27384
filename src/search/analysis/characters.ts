/** What a character is to a reader of words. */
export const OTHER = 1;
/** A letter or number of a script that separates words. */
export const LOWER = 2;
export const UPPER = 3;
export const DIGIT = 4;
/** A character of a script that writes words without spaces between them. */
export const UNSPACED = 5;
/** Belongs to the character before it: a combining mark, a joiner, a soft hyphen. */
export const MARK = 6;
/** Joins the words on both sides into a name: `read-only`, `server_core`, `turns.ts`, `don't`. */
export const JOINT = 7;

const JOINTS = "-_.'\u2019\u2010\u2011";
const WORD = /[\p{L}\p{N}\p{M}]/u;
const NUMBER = /\p{Nd}/u;
const CAPITAL = /[\p{Lu}\p{Lt}]/u;
const ATTACHED = /[\p{M}\u00AD\u200C\u200D]/u;
const WITHOUT_SPACES =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

/** By code point of the basic plane; 0 where nobody has asked yet. */
const known = new Uint8Array(0x10000);

/** One of the classes above. */
export function classOf(codePoint: number): number {
  if (codePoint > 0xffff) return classify(codePoint);
  const found = known[codePoint]!;
  if (found !== 0) return found;
  const kind = classify(codePoint);
  known[codePoint] = kind;
  return kind;
}

function classify(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  if (JOINTS.includes(character)) return JOINT;
  // Spacing marks of scripts without spaces are letters to them, as Thai vowels are.
  if (WORD.test(character) && WITHOUT_SPACES.test(character)) return UNSPACED;
  if (ATTACHED.test(character)) return MARK;
  if (!WORD.test(character)) return OTHER;
  if (NUMBER.test(character)) return DIGIT;
  return CAPITAL.test(character) ? UPPER : LOWER;
}

/** Letters that Unicode does not take apart, as they are written where a keyboard lacks them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' };
const ACCENTS = /[\u0300-\u036f\u00AD\u200C\u200D]/g;

/** The form in which words are compared: compatibility characters as plain ones, no case, no accents. */
export function fold(word: string): string {
  const lower = word.toLowerCase();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has them, and asking is much cheaper than normalising.
  if (/^[\x00-\x7f]*$/.test(lower)) return lower;
  const plain = lower.replace(/[ßæœøłđı]/g, (letter) => PLAIN_LETTERS[letter]!);
  return plain.normalize('NFKD').replace(ACCENTS, '').normalize('NFKC').toLowerCase();
}
