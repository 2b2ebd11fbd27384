import { type Splice, spliceBetween } from '../protocol/text-splices';

/** What `mine` made of `base`, made of `theirs`; where both changed the same place, mine stays. */
export function rebased(base: string, mine: string, theirs: string): string {
  const my = spliceBetween(base, mine);
  const their = spliceBetween(base, theirs);
  if (!my) return theirs;
  if (!their) return mine;
  const shift = my.end < their.start ? 0 : their.text.length - (their.end - their.start);
  if (my.end >= their.start && my.start <= their.end) return mine;
  return theirs.slice(0, my.start + shift) + my.text + theirs.slice(my.end + shift);
}

/** Where a caret belongs after a change of the text around it. */
export function caretAfter({ start, end, text }: Splice, caret: number): number {
  if (caret <= start) return caret;
  return caret >= end ? caret + text.length - (end - start) : start + text.length;
}
