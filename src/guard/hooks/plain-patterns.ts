// Loading and compiling RE2 takes a hook longer than everything else that it does. Most expressions that people write
// for MATCHES need nothing of it: they say the same in JavaScript's own engine, in a time that is bounded.

/** Characters. What an expression may cost grows with the square of a line. */
const MAX_TEXT = 4_000;
/** Alternatives and `.*`, each of which can be taken in several ways: the ways of one multiply those of the others. */
const MAX_CHOICES = 2;
/** Each may be tried from every place of a line on. */
const MAX_REPETITIONS = 6;

const LITERAL = String.raw`[\w "'#%&,:;<=>@!~/-]|\\[.*+?()[\]{}|^$\\/"'-]`;
const WORDS = String.raw`\((?:\?:)?\w+(?:\|\w+)*\)`;
const ONE = String.raw`(?:${LITERAL}|\\[bdw]|\\s|${WORDS})`;
/** No blank can follow the blanks that are taken, so that there is one way to take them. */
const BLANKS = String.raw`(?:\\s| )[+*](?=$|\||(?:\\b)?(?:\w|\\[dw]|\((?:\?:)?\w)|["'=<>,;:/#-]|\\[.*()])`;
/** Behind `.*` nothing is repeated, and there is not much to be compared at each place. */
const SEQUENCE = String.raw`(?:${ONE}(?![+*?{])|${BLANKS})*(?:\.[+*](?:${ONE}(?![+*?{])){0,50})?`;
const PLAIN = new RegExp(String.raw`^(\(\?i\))?(${SEQUENCE}(?:\|${SEQUENCE})*)$`);

/** Letters that are one with ASCII's `s` and `k` when case does not count; not so in JavaScript. */
const KIN_OF_ASCII = /[\u017F\u212A]/;

/**
 * Whether an expression (RE2) occurs within a line of the text, where JavaScript's engine says the same about it in a
 * bounded time; undefined where that is not certain.
 */
export function occursPlainly(pattern: string, text: string): boolean | undefined {
  if (text.length > MAX_TEXT) return undefined;
  const [, ignoresCase, plain] = PLAIN.exec(pattern) ?? [];
  if (plain === undefined || (ignoresCase && KIN_OF_ASCII.test(text))) return undefined;
  const signs = plain.replace(/\\./g, '');
  if (count(signs, /[(.]/g) > MAX_CHOICES || count(signs, /[+*]/g) > MAX_REPETITIONS) return undefined;
  // JavaScript's `\s` and `.` mean other characters.
  const source = plain.replace(/\\.|\./g, (sign) => ({ '\\s': '[\\t\\n\\f\\r ]', '.': '[^\\n]' })[sign] ?? sign);
  const expression = new RegExp(source, ignoresCase ? 'i' : '');
  return text.split('\n').some((line) => expression.test(line));
}

function count(text: string, sign: RegExp): number {
  return text.match(sign)?.length ?? 0;
}
