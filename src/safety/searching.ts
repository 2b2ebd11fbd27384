import type { Sentence } from '../core/sentence';
import { inTurns, type Turns } from '../core/turns';

/** One of what was found, in the text that it was found in. `end` exclusive. */
export interface Found {
  /** What it is, for a person. Never holds what was found. */
  kind: Sentence;
  /** Stable, for settings and tests. */
  id: string;
  start: number;
  end: number;
}

export interface Located extends Found {
  /** From 1. */
  line: number;
  column: number;
}

/** Finds what it is for in a text. */
export type Search = (text: string) => Found[];

/** Characters that are searched in one go; so many more are seen before and behind, longer than nearly all that is found. */
const PIECE = 32_768;
const BEFORE = 256;
const BEHIND = 8_192;
/** Places that are told before others have their turn. */
const LOCATED_AT_ONCE = 1_000;

/**
 * What searches find in a text, in its order, none within another: those that overlap are one, named by the first search
 * that found it. In short turns, however long the text is.
 * @param searchesOf the searches that a piece needs
 * @param first what was found in the whole text before
 * @param last the same, where a search names what it finds as well
 */
export async function searched(
  text: string,
  searchesOf: (piece: string) => readonly Search[],
  turns: Turns,
  first: readonly Found[] = [],
  last: readonly Found[] = [],
): Promise<Located[]> {
  const found = [...first];
  for (let from = 0; from < text.length; from += PIECE) {
    const begin = Math.max(0, from - BEFORE);
    const piece = text.slice(begin, from + PIECE + BEHIND);
    for (const search of searchesOf(piece)) {
      for (const { start, end, ...name } of search(piece)) {
        // What begins elsewhere is found there, with what stands around it.
        if (begin + start >= from && begin + start < from + PIECE) {
          found.push({ ...name, ...wholePairs(text, begin + start, begin + end) });
        }
      }
      await turns.pause();
    }
  }
  return inTurns(inOrder(text, found.concat(last)), turns);
}

/** Patterns count code units: what is cut out leaves no half of a surrogate pair behind. */
function wholePairs(text: string, start: number, end: number) {
  const cuts = (at: number) => /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(at - 1, at + 1));
  return { start: start > 0 && cuts(start) ? start - 1 : start, end: cuts(end) ? end + 1 : end };
}

/** Those that overlap are one, with the line and the column of each. In steps. */
function* inOrder(text: string, found: readonly Found[]): Generator<void, Located[]> {
  let [line, lineStart] = [1, 0];
  // Looked for once a line: one that is long may hold many.
  let lineEnd = text.indexOf('\n');
  const result: Located[] = [];
  for (const each of [...found].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && each.start < last.end) {
      last.end = Math.max(last.end, each.end);
      continue;
    }
    while (lineEnd !== -1 && lineEnd < each.start) {
      line++;
      lineStart = lineEnd + 1;
      lineEnd = text.indexOf('\n', lineStart);
    }
    result.push({ ...each, line, column: each.start - lineStart + 1 });
    if (result.length % LOCATED_AT_ONCE === 0) yield;
  }
  return result;
}
