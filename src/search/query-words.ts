import { type Analysis, eachRun, isStopWord, namesIn, type Word, wordsOfRun } from './analysis';
import { correctionOf } from './corrections';
import type { InvertedIndex } from './inverted/inverted-index';
import { together } from './inverted/occurrences';
import { EMPTY_LIST, type PostingList } from './inverted/postings';
import type { Query } from './query';
import type { Ranker } from './ranking';

/** A term that passages are ranked by. */
export interface QueryTerm {
  /** Numbers of the lexicon: one, but for the beginning of words. */
  numbers: readonly number[];
  list: PostingList;
  idf: number;
  /** Its idf, as often as the query asks for it. */
  weight: number;
}

/** A word of the query with the terms it is found by: several for a name or for the beginning of words, none when unknown. */
export interface QueryWord {
  /** As it stands in the query. */
  word: string;
  corrected?: string;
  terms: QueryTerm[];
  /** How often the query says it. */
  times: number;
  /** What its terms weigh together, once; that of a word that no passage holds is the highest there is. */
  idf: number;
}

/** What a beginning stands for: so many words at most, those that most passages hold. */
const MAX_COMPLETIONS = 64;
/** Words of one query that are corrected, and beginnings that are completed: a query of noise costs no more than one of words. */
const MAX_CORRECTED = 8;
const MAX_COMPLETED = 8;
/** What a word weighs that another was taken for, of what it weighs where the query says it. */
const CORRECTED = 0.7;
/** Distinct words of one query. */
const MAX_WORDS = 256;

/** What may follow the beginning of a name: `get_user_`. */
const SIGNS = /^[-_.'\u2019]*$/;

interface Read {
  raw: string;
  /** Folded, the whole name first. */
  words: string[];
  open: boolean;
  /** Whether it is a stop word that stands for a name. */
  name: boolean;
}

/** The words of a query as the passages know them, in the query's order; stop words only when there are no others. */
export function queryWords(query: Query, index: InvertedIndex, ranker: Ranker, analysis: Analysis): QueryWord[] {
  const read = readWords(query, analysis);
  const telling = read.filter(({ words, open, name }) => open || name || words.some((word) => !isStopWord(word)));
  return new Resolver(index, ranker).resolve(telling.length > 0 ? telling : read);
}

function readWords(query: Query, analysis: Analysis): Read[] {
  const read: Read[] = [];
  const texts = [...query.phrases, ...query.texts];
  const isName = namesIn(texts.join(' '));
  for (const [number, text] of texts.entries()) {
    eachRun(text, (start, end, unspaced) => {
      const run = text.slice(start, end);
      const words = wordsOfRun(run, unspaced, analysis);
      const open = query.openEnd && number === texts.length - 1 && SIGNS.test(text.slice(end));
      if (unspaced) read.push(...pairs(run, words));
      else if (words.length > 0)
        read.push({
          raw: run,
          words: words.map(({ word }) => word),
          open: open && end - start > 1,
          name: isName(run),
        });
    });
  }
  return read;
}

/** Each pair is a word of its own. The last character alone is there for texts that end with it; alone it begins pairs. */
function pairs(run: string, words: readonly Word[]): Read[] {
  const asked = words.length > 1 ? words.slice(0, -1) : words;
  const open = words.length === 1;
  return asked.map(({ word, start, end }) => ({ raw: run.slice(start, end), words: [word], open, name: false }));
}

class Resolver {
  private readonly asked = new Map<number, QueryTerm>();
  private readonly words = new Map<string, QueryWord>();
  private corrected = 0;
  private completed = 0;

  constructor(
    private readonly index: InvertedIndex,
    private readonly ranker: Ranker,
  ) {}

  resolve(read: readonly Read[]): QueryWord[] {
    for (const each of read) {
      const key = each.words.join(' ');
      const known = this.words.get(key);
      if (known && !each.open) this.again(known);
      else if (this.words.size < MAX_WORDS) this.words.set(each.open ? `${key}*` : key, this.word(each));
    }
    return [...this.words.values()];
  }

  private again(word: QueryWord): void {
    word.times++;
    for (const term of word.terms) term.weight += term.idf;
  }

  private word({ raw, words, open }: Read): QueryWord {
    const word: QueryWord = { word: raw, terms: [], times: 1, idf: 0 };
    const whole = words[0]!;
    const telling = words.filter((each) => !isStopWord(each));
    for (const each of telling.length > 0 ? telling : words) this.add(word, this.index.lexicon.termOfText(each));
    if (open && this.completed++ < MAX_COMPLETED) this.addCompletions(word, whole);
    if (word.terms.length === 0) this.correct(word, whole);
    word.idf = word.terms.reduce((sum, { idf }) => sum + idf, 0) || this.ranker.idf(0);
    return word;
  }

  private add(word: QueryWord, term: number | undefined, trust = 1): void {
    if (term === undefined) return;
    const known = this.asked.get(term);
    if (known) {
      if (word.terms.includes(known)) return;
      known.weight += known.idf;
      word.terms.push(known);
      return;
    }
    const list = this.index.postings.list(term);
    if (list.from === list.to) return;
    const frequency = this.ranker.frequencyOf(this.index.lexicon.stem(term)) ?? list.to - list.from;
    const idf = trust * this.ranker.idf(frequency);
    const found = { numbers: [term], list, idf, weight: idf };
    this.asked.set(term, found);
    word.terms.push(found);
  }

  /** All words that begin so, as one term. */
  private addCompletions(word: QueryWord, prefix: string): void {
    const { lexicon, postings } = this.index;
    const terms = new Set<number>();
    for (const number of lexicon.beginningWith(prefix)) {
      const term = lexicon.term(number);
      if (!this.asked.has(term) && postings.frequency(term) > 0) terms.add(term);
    }
    const most = [...terms]
      .sort((a, b) => postings.frequency(b) - postings.frequency(a) || (lexicon.stem(a) < lexicon.stem(b) ? -1 : 1))
      .slice(0, MAX_COMPLETIONS);
    const list = union(
      most.map((term) => postings.list(term)),
      this.index.passages.end,
    );
    if (list.from === list.to) return;
    // The word itself, where it occurs, is what was meant more probably.
    const share = word.terms.length > 0 ? 0.5 : 1;
    const idf = share * this.ranker.idf(list.to - list.from);
    word.terms.push({ numbers: most, list, idf, weight: idf });
  }

  private correct(word: QueryWord, whole: string): void {
    if (this.corrected++ >= MAX_CORRECTED) return;
    const { lexicon, postings } = this.index;
    const number = correctionOf(whole, lexicon, (term) => postings.frequency(term));
    if (number === undefined) return;
    word.corrected = lexicon.words[number]!;
    this.add(word, lexicon.term(number), CORRECTED);
  }
}

/** The passages of all lists, with their occurrences together; `end` is above every passage's number. */
function union(lists: readonly PostingList[], end: number): PostingList {
  if (lists.length <= 1) return lists[0] ?? EMPTY_LIST;
  const all = new Uint16Array(end);
  let size = 0;
  for (const list of lists) {
    for (let at = list.from; at < list.to; at++) {
      const doc = list.docs[at]!;
      if (all[doc] === 0) size++;
      all[doc] = all[doc] === 0 ? list.counts[at]! : together(all[doc]!, list.counts[at]!);
    }
  }
  const docs = new Uint32Array(size);
  const counts = new Uint16Array(size);
  let to = 0;
  for (let doc = 0; doc < end; doc++) {
    if (all[doc] === 0) continue;
    docs[to] = doc;
    counts[to++] = all[doc]!;
  }
  return { docs, counts, from: 0, to };
}
