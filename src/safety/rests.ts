import type { SecretFinding } from './model';

/** What is left of a secret that was cut; what is shorter opens nothing, and could be a word. */
const SHORTEST = 16;
/** At the very edge of a part a line may be cut itself. */
const SHORTEST_AT_EDGE = 8;

/** Takes what is left of a text's secrets out of its parts: their lines, and at the edges of a part what is left of one. */
export function withoutRests(whole: string, findings: readonly SecretFinding[]): (part: string) => string {
  const rests = findings.flatMap(({ start, end, kind }) =>
    whole
      .slice(start, end)
      .split(/\s+/)
      .filter((line) => line.length >= SHORTEST && !line.startsWith('-----'))
      .map((line) => ({ line, mark: `[redacted: ${kind}]` })),
  );
  if (rests.length === 0) return (part) => part;
  const lines = new Map(rests.map(({ line, mark }) => [line, mark]));
  return (part) => {
    const words = part.split(/(\s+)/);
    const [first, last] = [words.findIndex(isWord), words.findLastIndex(isWord)];
    let isChanged = false;
    for (const [index, word] of words.entries()) {
      if (word.length < SHORTEST_AT_EDGE || !isWord(word)) continue;
      const isEdge = index === first || index === last;
      const cut = (line: string) =>
        (index === first && line.endsWith(word)) || (index === last && line.startsWith(word));
      const mark = lines.get(word) ?? rests.find(({ line }) => word.includes(line) || (isEdge && cut(line)))?.mark;
      if (mark === undefined) continue;
      words[index] = mark;
      isChanged = true;
    }
    return isChanged ? words.join('').replace(/(\[redacted: [^\]]{1,60}\])(?:\s+\1)+/g, '$1') : part;
  };
}

function isWord(text: string): boolean {
  return /\S/.test(text);
}
