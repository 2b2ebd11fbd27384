import { sentence } from '../../core/sentence';
import type { Leftover } from './model';

const BEGIN = /^[ \t]*<!--\s*kaizen:(?:[\w-]+:)?begin\b[^>]*-->[ \t]*$/;
/** Why it is left out. */
export const WRITTEN = sentence('Kaizen wrote it.');
const END = /^[ \t]*<!--\s*kaizen:(?:[\w-]+:)?end\b[^>]*-->[ \t]*$/;

/**
 * The text with blank lines where Kaizen itself wrote between its marks: what comes from the stores must not come back
 * into them. A mark that is not closed marks nothing.
 */
export function withoutMarked(text: string, path: string): { text: string; leftovers: Leftover[] } {
  if (!text.includes('kaizen:')) return { text, leftovers: [] };
  const parts = text.split(/(\r\n|\r|\n)/);
  const leftovers: Leftover[] = [];
  let begin: number | undefined;
  // Lines stand at even places, their breaks at odd ones.
  for (let at = 0; at < parts.length; at += 2) {
    const line = parts[at]!;
    if (begin === undefined) {
      if (BEGIN.test(line)) begin = at;
    } else if (END.test(line)) {
      for (let inside = begin; inside <= at; inside += 2) parts[inside] = '';
      leftovers.push({ path, line: begin / 2 + 1, endLine: at / 2 + 1, why: WRITTEN });
      begin = undefined;
    }
  }
  return { text: parts.join(''), leftovers };
}
