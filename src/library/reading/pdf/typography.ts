import type { PageLine } from './layout';
import type { Page } from './running';

/** What most of a document's text looks like: what looks otherwise says something by it. */
export interface Typography {
  size: number;
  font: string;
  /** From baseline to baseline, in sizes. */
  leading: number;
  /** Typewritten throughout, so that code does not stand out by its font. */
  isMono: boolean;
  /** Words as they stand within lines, in lower case, to tell a hyphen of a word from one that parts it. */
  words: ReadonlySet<string>;
}

const MOST_WORDS = 300_000;
const USUAL_LEADING = 1.2;

export function readTypography(pages: readonly Page[]): Typography {
  const sizes = new Map<number, number>();
  const fonts = new Map<string, number>();
  const leadings: number[] = [];
  const words = new Set<string>();
  let mono = 0;
  let all = 0;
  for (const { lines } of pages) {
    for (const [index, line] of lines.entries()) {
      const { length } = line.text;
      all += length;
      if (line.isMono) mono += length;
      count(sizes, halfPoints(line.size), length);
      count(fonts, line.font, length);
      const leading = leadingOf(lines[index - 1], line);
      if (leading !== undefined) leadings.push(leading);
      if (words.size < MOST_WORDS) collectWords(line.text, words);
    }
  }
  leadings.sort((a, b) => a - b);
  return {
    size: most(sizes) ?? 10,
    font: most(fonts) ?? '',
    leading: leadings[Math.floor((leadings.length - 1) / 2)] ?? USUAL_LEADING,
    isMono: mono > 0.6 * all,
    words,
  };
}

export function halfPoints(size: number): number {
  return Math.round(size * 2) / 2;
}

function leadingOf(above: PageLine | undefined, line: PageLine): number | undefined {
  if (!above || halfPoints(above.size) !== halfPoints(line.size)) return undefined;
  const leading = (line.y - above.y) / line.size;
  return leading > 0.8 && leading < 2.6 ? leading : undefined;
}

function collectWords(text: string, words: Set<string>): void {
  const found = text.toLowerCase().match(/\p{L}+(?:-\p{L}+)*(?![-\p{L}])/gu) ?? [];
  for (const word of found) words.add(word);
}

function count<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function most<Key>(counts: Map<Key, number>): Key | undefined {
  let best: [Key, number] | undefined;
  for (const each of counts) if (!best || each[1] > best[1]) best = each;
  return best?.[0];
}
