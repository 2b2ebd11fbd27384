/** Where a sentence does not end although a full stop stands there. In lower case, without the last stop. */
const ABBREVIATIONS = new Set(
  (
    'e.g i.e cf vs etc al approx ca resp fig figs no nos nr vol vols eq eqs sec sect ch chap pp p par para app ref refs ed eds rev ' +
    'dr mr mrs ms prof st jr sr inc ltd co corp dept est max min incl excl tab art cl ann std ' +
    'z.b d.h u.a bzw vgl abb tab nr bd hrsg evtl ggf inkl usw s.o s.u a.m p.m u.s u.k jan feb mar apr jun jul aug sep sept oct nov dec'
  ).split(' '),
);
/** These do end one as often as not: what follows tells. */
const ENDS_TOO = new Set(['etc', 'al', 'usw', 'co', 'inc', 'ltd', 'no', 'a.m', 'p.m', 'min', 'max']);
const CLOSING = /["'”’»)\]]/;

/** Where in `text` from `start` to `end` sentences begin, ascending, `start` among them. Blanks belong to the one before. */
export function sentenceStarts(text: string, start: number, end: number): number[] {
  const starts = [start];
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    // 。 ！ ？ need no blank behind them.
    const isWide = code === 0x3002 || code === 0xff01 || code === 0xff1f;
    if (!isWide && code !== 46 && code !== 33 && code !== 63 && code !== 0x2026) continue;
    let next = at + 1;
    while (next < end && (CLOSING.test(text[next]!) || /[.!?。！？]/.test(text[next]!))) next++;
    const afterMark = next;
    while (next < end && /\s/.test(text[next]!)) next++;
    if (next >= end || (!isWide && next === afterMark)) continue;
    if (isWide || endsHere(text, start, at, next, end)) starts.push(next);
    at = next - 1;
  }
  return starts;
}

function endsHere(text: string, start: number, at: number, next: number, end: number): boolean {
  const following = text.slice(next, Math.min(end, next + 3));
  // A word in lower case goes on with the sentence.
  if (/^["'“‘«([]?\p{Ll}/u.test(following)) return false;
  if (text[at] !== '.') return true;
  const word = /[\p{L}\p{N}.]+$/u.exec(text.slice(Math.max(start, at - 20), at))?.[0] ?? '';
  const lower = word.toLowerCase();
  // An initial: J. Doe.
  if (/^\p{Lu}$/u.test(word)) return false;
  if (!ABBREVIATIONS.has(lower)) {
    // The number of an item or of a chapter: "1. Open", "see 3. and 4.".
    return !(/^\d{1,3}$/.test(word) && isFirst(text, start, at - word.length));
  }
  return ENDS_TOO.has(lower) && /^["“(]?\p{Lu}/u.test(following) && !/^\p{Lu}?\d/u.test(following);
}

function isFirst(text: string, start: number, at: number): boolean {
  return /^[\s>*+-]*$/.test(text.slice(start, at));
}
