/** The words of a filter as they are looked for: each has to occur, whatever its case. */
export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Whether every word occurs in one of the texts. */
export function matchesAll(words: readonly string[], texts: readonly (string | null | undefined)[]): boolean {
  const lower = texts.flatMap((text) => (text ? [text.toLowerCase()] : []));
  return words.every((word) => lower.some((text) => text.includes(word)));
}

/**
 * Where the words occur in a label: ranges of UTF-16 offsets, sorted, none touching another. A label whose lower case
 * has another length has none: its offsets would be wrong.
 */
export function highlightsIn(label: string, words: readonly string[]): [number, number][] {
  const lower = label.toLowerCase();
  if (lower.length !== label.length) return [];
  const found: [number, number][] = [];
  for (const word of words) {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length)) {
      found.push([at, at + word.length]);
    }
  }
  found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const merged: [number, number][] = [];
  for (const range of found) {
    const last = merged.at(-1);
    if (last && range[0] <= last[1]) last[1] = Math.max(last[1], range[1]);
    else merged.push(range);
  }
  return merged;
}

/** The line of a text in which the first word occurs, or its first line with text; cut to `length` around the word. */
export function lineAround(content: string, words: readonly string[], length = 120): string {
  const lines = content.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  const holds = (line: string) => words.some((word) => line.toLowerCase().includes(word));
  const line = lines.find(holds) ?? lines.find(Boolean) ?? '';
  if (line.length <= length) return line;
  const [first = 0] = words.map((word) => line.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const start = Math.max(0, Math.min(first - Math.floor(length / 3), line.length - length));
  const cut = line.slice(start, start + length).trim();
  return `${start > 0 ? '…' : ''}${cut}${start + length < line.length ? '…' : ''}`;
}
