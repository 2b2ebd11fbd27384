import type { SecretFinding } from './model';
import { markOf } from './redaction';

/** What is left of a secret that was cut; what is shorter opens nothing, and could be a word. */
const SHORTEST = 16;
/** At the very edge of a part a line may be cut itself. */
const SHORTEST_AT_EDGE = 8;
/** What keys and tokens consist of: behind anything else, one that was cut may well have ended. */
const OF_KEYS = /[A-Za-z0-9+/=_-]/;

/**
 * Takes what is left of a text's secrets out of its parts: words that hold a line of one, what a line begins with, or half
 * of it, and at the edges of a part what is left of one. What goes on otherwise is another: all public keys of a kind begin
 * with the same signs. Takes time in proportion to a part, however many secrets there are.
 */
export function withoutRests(whole: string, findings: readonly SecretFinding[]): (part: string) => string {
  const beginnings = new Set<string>();
  const lines: Line[] = [];
  for (const finding of findings) {
    const mark = markOf(finding);
    for (const text of whole.slice(finding.start, finding.end).split(/\s+/)) {
      if (text.length < SHORTEST || text.startsWith('-----')) continue;
      beginnings.add(text.slice(0, SHORTEST));
      lines.push({ text, mark });
    }
  }
  if (lines.length === 0) return (part) => part;
  const forward = sorted(lines);
  const backward = sorted(lines.map(({ text, mark }) => ({ text: reversed(text), mark })));
  const shortest = withoutLonger(forward);
  const within = (word: string) => {
    for (let at = 0; at + SHORTEST <= word.length; at++) {
      if (!beginnings.has(word.slice(at, at + SHORTEST))) continue;
      const mark = restOf(shortest, word.slice(at));
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

/** Those that begin with no other one: what begins with a longer one begins with the shorter as well. */
function withoutLonger(lines: readonly Line[]): Line[] {
  const kept: Line[] = [];
  for (const line of lines) {
    if (!line.text.startsWith(kept.at(-1)?.text ?? '\n')) kept.push(line);
  }
  return kept;
}

/** The mark of a line that a text begins with, or with what is left of it. */
function restOf(lines: readonly Line[], text: string): string | undefined {
  const index = indexOf(lines, text);
  // Of all lines, those beside its place have the most in common with it.
  return [lines[index - 1], lines[index]].find((line) => line && isRest(line.text, text))?.mark;
}

function isRest(line: string, text: string): boolean {
  let length = 0;
  while (length < line.length && line[length] === text[length]) length++;
  return length >= SHORTEST && (length * 2 >= line.length || !OF_KEYS.test(text[length] ?? ' '));
}

/** The mark of a line that begins so. */
function beginningWith(lines: readonly Line[], beginning: string): string | undefined {
  const line = lines[indexOf(lines, beginning)];
  return line?.text.startsWith(beginning) ? line.mark : undefined;
}

/** Where the first line is that a text does not come behind: by halving. */
function indexOf(lines: readonly Line[], text: string): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]!.text < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}

function isWord(text: string): boolean {
  return /\S/.test(text);
}
