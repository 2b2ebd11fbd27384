import { sentenceStarts } from '../../core/sentences';
import { ANALYSIS, isStopWord, wordsOf } from '../../search';

/** Texts beyond it are not looked through sentence by sentence. */
export const LONGEST_TEXT = 100_000;

/** What search takes as a question: the limit of its longest, without what it refuses. */
const LONGEST_QUERY = 2_000;

/** A part of a text, exactly as it stands there. */
export interface Sentence {
  text: string;
  /** UTF-16 code units. */
  start: number;
  end: number;
}

/** What a text says, as a question for search: nothing that a question must not hold, and no more than it may. */
export function asQuery(...texts: readonly (string | undefined)[]): string {
  return texts
    .filter((text) => text !== undefined && text.trim() !== '')
    .join(' ')
    .slice(0, LONGEST_QUERY)
    .replace(/\p{Cc}+|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/gu, ' ')
    .trim();
}

/** The stems of a text's words in order, without those that stand in every text. */
export function stemsOf(text: string): string[] {
  return wordsOf(text.slice(0, LONGEST_TEXT), ANALYSIS)
    .map(({ word }) => word)
    .filter((word) => !isStopWord(word.toLowerCase()))
    .map((word) => ANALYSIS.stem(word.toLowerCase()));
}

/** The stems of all words of a text in order, those that stand in every text as well. */
export function stemSequence(text: string): string[] {
  return wordsOf(text.slice(0, LONGEST_TEXT), ANALYSIS).map(({ word }) => ANALYSIS.stem(word.toLowerCase()));
}

export function stemSet(text: string): Set<string> {
  return new Set(stemsOf(text));
}

/** Of `words`, those that `text` holds as well, in the order of `words`. */
export function shared(words: Iterable<string>, text: ReadonlySet<string>): string[] {
  return [...new Set(words)].filter((word) => text.has(word));
}

/** Words of a text by their stems, as they stand there first. */
export function spelled(text: string): Map<string, string> {
  const words = new Map<string, string>();
  for (const { word } of wordsOf(text.slice(0, LONGEST_TEXT), ANALYSIS)) {
    const stem = ANALYSIS.stem(word.toLowerCase());
    if (!words.has(stem)) words.set(stem, word);
  }
  return words;
}

/** The sentences and list items of a text; marks of Markdown before them are no part of them. Headings and fenced code are left out. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  const whole = text.slice(0, LONGEST_TEXT);
  for (const block of blocksOf(whole)) {
    const starts = sentenceStarts(whole, block.start, block.end);
    for (const [at, start] of starts.entries()) {
      const sentence = trimmed(whole, start, starts[at + 1] ?? block.end);
      if (sentence) sentences.push(sentence);
    }
  }
  return sentences;
}

/** Long texts are looked through in parts of about this length, with turns for others between them. */
const PART = 4_000;

/** A text in parts that end where a paragraph, a line or a sentence does, as far as one of them ends in time. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  const whole = text.slice(0, LONGEST_TEXT);
  let rest = 0;
  while (rest < whole.length) {
    const window = whole.slice(rest, rest + PART);
    const ends = ['\n\n', '\n', '. ', ' '].map((mark) => window.lastIndexOf(mark) + mark.length);
    const isLast = rest + PART >= whole.length;
    const length = isLast ? window.length : (ends.find((end) => end > PART / 2) ?? window.length);
    parts.push(whole.slice(rest, rest + length));
    rest += length;
  }
  return parts;
}

/** Paragraphs, list items and rows: a block ends where a line ends that the next one does not go on with. */
function blocksOf(text: string): { start: number; end: number }[] {
  const blocks: { start: number; end: number }[] = [];
  let at = 0;
  let open: { start: number; end: number } | undefined;
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const start = at;
    at += line.length + 1;
    const marks = /^\s*(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence !== undefined) {
      if (marks && marks[1]!.startsWith(fence) && marks[2]!.trim() === '') fence = undefined;
      continue;
    }
    if (marks) {
      fence = marks[1]!;
      open = undefined;
      continue;
    }
    const isHeading = /^\s{0,3}#{1,6}\s/.test(line);
    const marker = /^\s*(?:[-*+>|]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/.exec(line);
    if (line.trim() === '' || isHeading || /^\s*[-*_|=:\s]+$/.test(line)) {
      open = undefined;
      continue;
    }
    if (marker || !open) {
      open = { start: start + (marker?.[0].length ?? 0), end: start + line.length };
      blocks.push(open);
    } else open.end = start + line.length;
  }
  return blocks;
}

function trimmed(text: string, start: number, end: number): Sentence | undefined {
  let from = start;
  let to = end;
  while (from < to && /[\s|]/.test(text[from]!)) from++;
  while (to > from && /[\s|]/.test(text[to - 1]!)) to--;
  return to - from < 2 ? undefined : { text: text.slice(from, to), start: from, end: to };
}

/** How much of a text is quoted. */
const QUOTED = 600;

/** The part of a text that says most of what is asked, in its own words: whole sentences, as many as fit. */
export function quoteFrom(text: string, asked: ReadonlySet<string>, most = QUOTED): string {
  if (text.length <= most) return text.trim();
  const sentences = sentencesOf(text);
  if (sentences.length === 0) return cut(text.trim(), most);
  const holds = sentences.map(({ text: each }) => shared(stemsOf(each), asked).length);
  let best = { first: 0, last: 0, count: -1 };
  for (let first = 0; first < sentences.length; first++) {
    let count = 0;
    for (let last = first; last < sentences.length; last++) {
      if (last > first && sentences[last]!.end - sentences[first]!.start > most) break;
      count += holds[last]!;
      if (count > best.count) best = { first, last, count };
    }
  }
  return cut(text.slice(sentences[best.first]!.start, sentences[best.last]!.end), most);
}

/** Never half of a surrogate pair. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}

/** `"a", "b" and "c"`; `and 3 more` beyond the fifth. */
export function named(words: readonly string[], most = 5): string {
  const shown = words.slice(0, most).map((word) => `"${cut(word.replace(/\s+/gu, ' '), 60)}"`);
  const more = words.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
