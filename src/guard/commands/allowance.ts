/** Whether texts of so many characters may still be read: variables make a short line a long one. */
export type Allowance = (length: number) => boolean;

/** Of all words, in characters. */
export function lengthOf(words: readonly string[]): number {
  return words.reduce((length, word) => length + word.length, 0);
}
