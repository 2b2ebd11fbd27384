import type { SecretFinding } from './model';
import { markOf } from './redaction';

/** What is left of a secret that was cut; what is shorter opens nothing, and could be a word. */
const SHORTEST = 16;
/** At the very edge of a part a line may be cut itself. */
const SHORTEST_AT_EDGE = 8;

/**
 * Takes what is left of a text's secrets out of its parts: words that hold a line of one, or what a line begins with, and
 * at the edges of a part what is left of one. Takes time in proportion to a part, however many secrets there are.
 */
export function withoutRests(whole: string, findings: readonly SecretFinding[]): (part: string) => string {
  const beginnings = new Map<string, string>();
  const lines: Line[] = [];
  for (const finding of findings) {
    const mark = markOf(finding);
    for (const text of whole.slice(finding.start, finding.end).split(/\s+/)) {
      if (text.length < SHORTEST || text.startsWith('-----')) continue;
      beginnings.set(text.slice(0, SHORTEST), mark);
      lines.push({ text, mark });
    }
  }
  if (lines.length === 0) return (part) => part;
  const forward = sorted(lines);
  const backward = sorted(lines.map(({ text, mark }) => ({ text: reversed(text), mark })));
  const within = (word: string) => {
    for (let at = 0; at + SHORTEST <= word.length; at++) {
      const mark = beginnings.get(word.slice(at, at + SHORTEST));
      if (mark !== undefined) return mark;
    }
    return undefined;
  };
  return (part) => {
    const words = part.split(/(\s+)/);
    const [first, last] = [words.findIndex(isWord), words.findLastIndex(isWord)];
    let isChanged = false;
    for (const [index, word] of words.entries()) {
      if (word.length < SHORTEST_AT_EDGE || !isWord(word)) continue;
      const mark =
        within(word) ??
        (index === last ? beginningWith(forward, word) : undefined) ??
        (index === first ? beginningWith(backward, reversed(word)) : undefined);
      if (mark === undefined) continue;
      words[index] = mark;
      isChanged = true;
    }
    return isChanged ? words.join('').replace(/(\[redacted: [^\]]{1,60}\])(?:\s+\1)+/g, '$1') : part;
  };
}

/** Of a secret, without spaces. */
interface Line {
  text: string;
  mark: string;
}

function sorted(lines: readonly Line[]): Line[] {
  return [...lines].sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
}

/** The mark of a line that begins so: by halving. */
function beginningWith(lines: readonly Line[], beginning: string): string | undefined {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]!.text < beginning) low = middle + 1;
    else high = middle;
  }
  const line = lines[low];
  return line?.text.startsWith(beginning) ? line.mark : undefined;
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}

function isWord(text: string): boolean {
  return /\S/.test(text);
}
