/** A stretch of a text and what takes its place. Offsets are UTF-16 code units of the old text, `end` exclusive. */
export interface Splice {
  start: number;
  end: number;
  text: string;
}

/** What lies between the beginning and the end that two texts share; undefined when they are the same. */
export function spliceBetween(before: string, after: string): Splice | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let shared = 0;
  while (shared < shorter - start && before.at(-1 - shared) === after.at(-1 - shared)) shared++;
  // No half of a character or of a line break is left behind.
  if (start > 0 && isInside(before, after, start)) start--;
  if (shared > 0 && isInside(before, after, before.length - shared, after.length - shared)) shared--;
  return { start, end: before.length - shared, text: after.slice(start, after.length - shared) };
}

/** @param splices in order, not overlapping */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = '';
  let from = 0;
  for (const splice of splices) {
    result += text.slice(from, splice.start) + splice.text;
    from = splice.end;
  }
  return result + text.slice(from);
}

export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** The line break that a text uses; its first, where it uses several. */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  const first = text.indexOf('\n');
  return first > 0 && text[first - 1] === '\r' ? '\r\n' : '\n';
}

/** Where an offset of `withLineFeeds(text)` lies in the text itself. */
export function offsetIn(text: string, offset: number): number {
  if (!text.includes('\r\n')) return offset;
  let at = 0;
  for (let passed = 0; passed < offset; passed++) at += text.startsWith('\r\n', at) ? 2 : 1;
  return at;
}

/** Whether a place in either text divides a surrogate pair or a carriage return from its line feed. */
function isInside(before: string, after: string, at: number, atAfter = at): boolean {
  return divides(before, at) || divides(after, atAfter);
}

function divides(text: string, at: number): boolean {
  return /^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)$/.test(text.slice(at - 1, at + 1)) && at > 0;
}
