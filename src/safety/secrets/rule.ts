import { type Sentence, sentence } from '../../core/sentence';
import type { Found } from '../searching';
import { entropy, isPlaceholder } from './placeholders';

/** A form that secrets of one kind have. */
export interface Rule {
  /** For a person: `GitLab token`. */
  kind: Sentence;
  id: string;
  /** What every text has in which there is one: without it the pattern is not tried. Upper and lower case are one. */
  hint: string;
  /**
   * Global. What is secret is group `secret` where there is one, else all of it; what of it chance writes is group
   * `random` where the rest is the same each time. Repetitions are bounded.
   */
  pattern: RegExp;
  /** Whether what was found is one. Placeholders are told before. */
  isReal?: (secret: string) => boolean;
}

/** What its issuer gives out; told apart by who that is. */
export const tokenOf = (issuer: string) => sentence('{0} token', issuer);
export const keyOf = (issuer: string) => sentence('{0} key', issuer);
export const PASSWORD = sentence('password');

/** Not within a longer word: what stands before a token. */
const START = '(?<![A-Za-z0-9_-])';
const END = '(?![A-Za-z0-9_-])';

/** A token of such a form that stands by itself. */
export function token(form: string): RegExp {
  return new RegExp(`${START}(?:${form})${END}`, 'g');
}

export const hasDigit = (secret: string) => /\d/.test(secret);
/** A password that stands in a command: letters and a digit, as examples seldom have. */
export const isMixed = (secret: string) => hasDigit(secret) && /[A-Za-z]/.test(secret) && entropy(secret) >= 2.5;
/** `user:password` in base64. */
export const isLogIn = (secret: string) => {
  const [, password] = Buffer.from(secret, 'base64').toString('latin1').split(':');
  return password !== undefined && password.length >= 4 && !isPlaceholder(password);
};

/** All that a rule finds in a text. */
export function findByRule({ kind, id, pattern, isReal }: Rule, text: string): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(pattern)) {
    const secret = match.groups?.secret ?? match[0];
    if (isPlaceholder(match.groups?.random ?? secret) || isReal?.(secret) === false) continue;
    const start = match.index + match[0].lastIndexOf(secret);
    found.push({ kind, id, start, end: start + secret.length });
  }
  return found;
}
