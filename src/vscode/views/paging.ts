/** How many entries of a category are shown at first: more are a click away, and a filter finds them sooner. */
export const FIRST_PAGE = 250;
/** What one more click adds at most. */
const LARGEST_STEP = 1_000;

/** How many are shown after *Show more*: twice as many, until that would be too much at once. */
export function shownAfterMore(shown: number): number {
  return shown + Math.min(shown, LARGEST_STEP);
}

/** How many have to be shown for the one at `index` to be among them. */
export function shownFor(index: number): number {
  let shown = FIRST_PAGE;
  while (shown <= index) shown = shownAfterMore(shown);
  return shown;
}
