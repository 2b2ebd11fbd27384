/** Whether texts of so many characters may still be read: variables make a short line a long one. */
export type Allowance = (length: number) => boolean;

/**
 * Of all lines, scripts and texts that stand in a line, and of the scripts alone, in characters: a variable may hold one
 * that is used again and again. What is written in the line itself stays below it.
 */
const WITHIN = { least: 100_000, times: 5 };
const SCRIPTS_WITHIN = { least: 50_000, times: 1 };
/** What a line counts for, however short it is. */
export const LEAST_OF_LINE = 100;
/** What a value counts for that is changed. */
export const LEAST_OF_VALUE = 20;

/** What may still be read for one line, with all that stands inside of it. */
export class Allowances {
  private left: number;
  private scriptsLeft: number;

  /** `length` is that of the line. */
  constructor(length: number) {
    this.left = WITHIN.least + WITHIN.times * length;
    this.scriptsLeft = SCRIPTS_WITHIN.least + SCRIPTS_WITHIN.times * length;
  }

  get isUsedUp(): boolean {
    return this.left < 0;
  }

  /** Takes it off, whatever the text holds. */
  readonly mayRead: Allowance = (length) => {
    this.left -= length;
    return this.left >= 0;
  };

  readonly mayReadScript: Allowance = (length) => {
    this.scriptsLeft -= length;
    return this.scriptsLeft >= 0;
  };
}

/** Of all words, in characters. */
export function lengthOf(words: readonly string[]): number {
  return words.reduce((length, word) => length + word.length, 0);
}
