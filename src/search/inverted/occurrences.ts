import { FIELDS } from '../model';

/**
 * How often a term occurs in the fields of a passage, packed into 16 bits. Counts end at what their bits hold, which
 * changes no rank: by then more of them weigh nothing more.
 */
export const BODY_BITS = 9;
export const BODY_MOST = (1 << BODY_BITS) - 1;
/** By the field's place in `FIELDS`: title, keywords, headings, body. */
export const SHIFTS = [14, 12, BODY_BITS, 0] as const;
export const MOST = [3, 3, 7, BODY_MOST] as const;

/** `packed` with one occurrence more in the field. */
export function withOccurrence(packed: number, field: number): number {
  const shift = SHIFTS[field]!;
  return ((packed >>> shift) & MOST[field]!) === MOST[field]! ? packed : packed + (1 << shift);
}

/** The occurrences of two terms together. */
export function together(a: number, b: number): number {
  let sum = 0;
  for (let field = 0; field < FIELDS.length; field++) {
    const shift = SHIFTS[field]!;
    const most = MOST[field]!;
    sum |= Math.min(most, ((a >>> shift) & most) + ((b >>> shift) & most)) << shift;
  }
  return sum;
}

export function occurrences(packed: number, field: number): number {
  return (packed >>> SHIFTS[field]!) & MOST[field]!;
}
