/** Sizes of chunks, in tokens as src/core/tokens.ts estimates them. */
export const CHUNKING_LIMITS = {
  /** What is shorter is joined with its neighbours where citations stay right. */
  least: 200,
  /** The same for clauses with a number of their own, which is what they are cited by. */
  leastNumbered: 80,
  /** None is longer. */
  most: 500,
  /** Where a section of more than `most` is cut, unless sentences say otherwise. */
  aim: 420,
  /** Of a chunk. */
  references: 50,
  /** Of a title in a chunk, in code units. */
  title: 300,
  hierarchy: 10,
} as const;
