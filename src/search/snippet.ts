import { ANALYSIS, eachRun, isStopWord, wordsOf, wordsOfRun } from './analysis';
import type { MatchedWord, QuerySyntax, Snippet } from './model';
import { parseQuery } from './query';

const DEFAULT_LENGTH = 240;
/** What is read of a long text: a part that shows why it was found stands hardly further down. */
const MAX_TEXT = 200_000;
/** What a word counts that stands in the part already. */
const AGAIN = 0.05;

export interface SnippetOptions {
  syntax?: QuerySyntax | undefined;
  /** In UTF-16 code units; 240 unless told. */
  length?: number | undefined;
  /** By which words the text was found, and what they weigh (`SearchHit.matched`): known words for unknown ones are marked, too. */
  matched?: readonly MatchedWord[] | undefined;
}

interface Mark {
  start: number;
  end: number;
  term: string;
}

/** What is marked: words with these terms, or that begin so. */
interface Wanted {
  terms: Set<string>;
  beginning: string | undefined;
}

/**
 * A part of `text` around the words of the query, with the words marked. It begins and ends between words where it can,
 * and never within a surrogate pair; a part in the middle has `…` where something was left out.
 */
export function snippetOf(text: string, query: string, options: SnippetOptions = {}): Snippet {
  const length = Math.max(20, options.length ?? DEFAULT_LENGTH);
  const marks = marksIn(text, wantedOf(query, options));
  const start = text.length <= length ? 0 : bestStart(text, marks, length, weightsOf(marks, options.matched ?? []));
  return cut(text, start, length, marks);
}

function wantedOf(query: string, { syntax, matched = [] }: SnippetOptions): Wanted {
  const { texts, phrases, openEnd } = parseQuery(query, syntax ?? 'words');
  const words = [...phrases, ...texts].flatMap(wordsIn);
  const telling = words.filter((word) => !isStopWord(word));
  const corrected = matched.flatMap((each) => wordsIn(each.corrected ?? ''));
  const last = openEnd ? words.at(-1) : undefined;
  return {
    terms: new Set([...(telling.length > 0 ? telling : words), ...corrected].map(ANALYSIS.stem)),
    beginning: last && last.length > 1 ? last : undefined,
  };
}

function wordsIn(text: string): string[] {
  return wordsOf(text, ANALYSIS).map(({ word }) => word);
}

function marksIn(text: string, { terms, beginning }: Wanted): Mark[] {
  const marks: Mark[] = [];
  eachRun(text, (from, to, unspaced) => {
    for (const { word, start, end } of wordsOfRun(text.slice(from, to), unspaced, ANALYSIS)) {
      const term = ANALYSIS.stem(word);
      if (!terms.has(term) && !(beginning !== undefined && word.startsWith(beginning))) continue;
      const last = marks.at(-1);
      // Parts of a name that is marked, and the pairs of a run without spaces, are one mark.
      if (last && from + start <= last.end && last.end > from) last.end = Math.max(last.end, from + end);
      else marks.push({ start: from + start, end: from + end, term });
    }
    return to < MAX_TEXT;
  });
  return marks;
}

/** What the hit says that a word weighs; of those it does not know, the rarer ones of this text weigh more. */
function weightsOf(marks: readonly Mark[], matched: readonly MatchedWord[]): (term: string) => number {
  const often = new Map<string, number>();
  for (const { term } of marks) often.set(term, (often.get(term) ?? 0) + 1);
  const told = new Map<string, number>();
  for (const { word, corrected, weight } of matched) {
    for (const each of wordsIn(corrected ?? word)) told.set(ANALYSIS.stem(each), weight);
  }
  return (term) => told.get(term) ?? 1 / Math.sqrt(often.get(term)!);
}

/** The window whose different words weigh most; of equal ones the first. */
function bestStart(text: string, marks: readonly Mark[], length: number, weight: (term: string) => number): number {
  if (marks.length === 0) return 0;
  const inside = new Map<string, number>();
  let best = { value: -1, first: 0, last: 0 };
  let value = 0;
  let first = 0;
  marks.forEach((mark, last) => {
    const before = inside.get(mark.term) ?? 0;
    inside.set(mark.term, before + 1);
    value += before === 0 ? weight(mark.term) : AGAIN * weight(mark.term);
    for (; mark.end - marks[first]!.start > length - 40 && first < last; first++) {
      const { term } = marks[first]!;
      const left = inside.get(term)! - 1;
      inside.set(term, left);
      value -= left === 0 ? weight(term) : AGAIN * weight(term);
    }
    if (value > best.value + 1e-9) best = { value, first, last };
  });
  const covered = marks[best.last]!.end - marks[best.first]!.start;
  const lead = Math.max(0, Math.min(60, Math.floor((length - covered) / 2)));
  return Math.max(0, Math.min(marks[best.first]!.start - lead, text.length - length));
}

function cut(text: string, from: number, length: number, marks: readonly Mark[]): Snippet {
  const start = from === 0 ? 0 : wordStart(text, from);
  const room = length - (start > 0 ? 1 : 0);
  const end = start + room >= text.length ? text.length : wordEnd(text, start, start + room - 1);
  const head = start > 0 ? '…' : '';
  const shift = head.length - start;
  return {
    text: head + text.slice(start, end) + (end < text.length ? '…' : ''),
    marks: marks
      .filter((mark) => mark.end > start && mark.start < end)
      .map((mark) => ({ start: Math.max(mark.start, start) + shift, end: Math.min(mark.end, end) + shift })),
  };
}

/** The next place behind white space, within a few characters; otherwise here, and not within a pair. */
function wordStart(text: string, from: number): number {
  for (let at = from; at < Math.min(text.length, from + 20); at++) if (/\s/u.test(text[at - 1]!)) return at;
  return isInsidePair(text, from) ? from + 1 : from;
}

function wordEnd(text: string, start: number, to: number): number {
  for (let at = to; at > Math.max(start, to - 20); at--) if (/\s/u.test(text[at]!)) return at;
  return isInsidePair(text, to) ? to - 1 : to;
}

function isInsidePair(text: string, at: number): boolean {
  return at > 0 && text.codePointAt(at - 1)! > 0xffff;
}
