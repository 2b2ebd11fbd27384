import { inTurns, type Turns } from '../../core/turns';
import { LIMITS } from './limits';

/** Characters that are looked through in one go: less than a millisecond. */
const WINDOW = 1024 * 1024;
/** Of a line, so many can matter. */
const BEGINNING = '###### '.length + 2 * LIMITS.title;

/** The first heading of a text, without its signs; of the given depths. In short turns. */
export function headingOf(text: string, turns: Turns, most = 6): Promise<string | undefined> {
  return inTurns(found(text, most), turns);
}

function* found(text: string, most: number): Generator<void, string | undefined> {
  for (const at of lineBeginnings(text)) {
    yield;
    if (at === undefined) continue;
    const [, signs, line] = /^(#{1,6})[ \t](.*)/.exec(text.slice(at, at + BEGINNING)) ?? [];
    if (signs === undefined || signs.length > most) continue;
    const heading = line!
      .slice(0, LIMITS.title * 2)
      .trim()
      .replace(/(?<!#)#{1,9}$/, '')
      .trim();
    if (heading !== '') return heading;
  }
  return undefined;
}

/** Where lines begin with `#`; undefined now and then, for a pause. */
function* lineBeginnings(text: string): Generator<number | undefined> {
  if (text.startsWith('#')) yield 0;
  for (let from = 0; from < text.length; from += WINDOW) {
    // With the first character of the next one.
    const window = text.slice(from, from + WINDOW + 1);
    for (let at = window.indexOf('\n#'); at >= 0; at = window.indexOf('\n#', at + 1)) yield from + at + 1;
    yield undefined;
  }
}
