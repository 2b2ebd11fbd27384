import { createHash } from 'node:crypto';
import { ANALYSIS, embeddedText, isStopWord, namesIn, type Passage, wordsOf } from '../../../search';
import { POSTGRES_LIMITS, SEARCH_LIMITS } from './limits';

/** Grows whenever texts become words in another way: what was stored before is then made anew. */
const VERSION = 1;

/** What a passage is found by. */
export interface PassageWords {
  /** Of title, keywords and headings: a tsvector, as text. */
  head: string;
  /** Of all: title A, keywords and headings B, content D. */
  words: string;
  /** SHA-256 of what is embedded of it. */
  textHash: Buffer;
}

/** By the product's own analysis, so that a library on a server finds what one in a directory finds. */
export function passageWords({ uri, title, keywords, headings, body }: Passage): PassageWords {
  const heading = new Map<string, string>();
  const add = (text: string, weight: string) => {
    for (const stem of stemsOf(text)) {
      const before = heading.get(stem);
      if (before === undefined) heading.set(stem, weight);
    }
  };
  add(title, '1A');
  for (const text of [...keywords, ...headings]) add(text, '2B');
  const counts = new Map<string, number>();
  for (const stem of stemsOf(body.slice(0, POSTGRES_LIMITS.searched))) {
    const count = counts.get(stem);
    if (count !== undefined) counts.set(stem, count + 1);
    else if (counts.size < POSTGRES_LIMITS.words) counts.set(stem, 1);
  }
  const words: string[] = [];
  for (const [stem, count] of counts) {
    const above = heading.get(stem);
    const positions = above === undefined ? [] : [above];
    for (let at = 0; at < Math.min(count, POSTGRES_LIMITS.occurrences); at++) positions.push(`${10 + at}D`);
    words.push(`${quoted(stem)}:${positions.join()}`);
  }
  const head: string[] = [];
  for (const [stem, weight] of heading) {
    head.push(quoted(stem));
    if (!counts.has(stem)) words.push(`${quoted(stem)}:${weight}`);
  }
  return {
    head: head.join(' '),
    words: words.join(' '),
    textHash: createHash('sha256').update(embeddedText({ uri, title, headings, body }).text).digest(),
  };
}

/** Another one whenever a passage's words would be others, without making them. */
export function stampOf({ title, keywords, headings, body, facets }: Passage): string {
  const parts = [title, keywords.join('\0'), headings.join('\0'), facets.status ?? '', body];
  const hash = createHash('sha256').update(String(VERSION));
  for (const part of parts) hash.update(`\0${part.length}\0${part}`);
  return hash.digest('base64url').slice(0, 22);
}

/** Stems of the words that a query asks for, each once; stop words only where there are no others. */
export function queryStems(query: string): string[] {
  const read = query.slice(0, SEARCH_LIMITS.query);
  const isName = namesIn(read);
  const words = wordsOf(read, ANALYSIS);
  const telling = words.filter(({ word, start, end }) => !isStopWord(word) || isName(read.slice(start, end)));
  const stems = new Set((telling.length > 0 ? telling : words).map(({ word }) => ANALYSIS.stem(word)));
  return [...stems].filter((stem) => stem !== '').slice(0, SEARCH_LIMITS.words);
}

/** A lexeme as tsvector and tsquery read it. */
export function quoted(lexeme: string): string {
  return `'${lexeme.replace(/['\\]/g, '$&$&')}'`;
}

function stemsOf(text: string): string[] {
  return wordsOf(text, ANALYSIS)
    .map(({ word }) => ANALYSIS.stem(word))
    .filter((stem) => stem !== '');
}
