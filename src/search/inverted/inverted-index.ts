import type { Turns } from '../../core/turns';
import { type Analysis, eachRun, wordsOfRun } from '../analysis';
import { FIELDS, type Passage } from '../model';
import { atLeast } from './growing';
import { Inversion, type PostingBlock } from './inversion';
import { Lexicon } from './lexicon';
import { withOccurrence } from './occurrences';
import { PassageWords, WordPage } from './passage-words';
import { Passages } from './passages';
import { GONE, Postings } from './postings';

/** A field with more of either is indexed as far as these go: reading so much takes some 10 ms. Lengths are kept in 16 bits. */
const MAX_CHARACTERS = 100_000;
export const MAX_WORDS = 65_535;
const MAX_KEPT_RUNS = 20_000;
const LONGEST_KEPT_RUN = 64;
/** Numbers are given anew when this many passages are gone, and a quarter as many as there are. */
const MANY_GONE = 1_024;
/** What one call of `tidy` does at most: passages whose words it lets go of, postings that it renumbers. */
const MOST_LEAVING = 2_000;
const MOST_SWEPT = 50_000;
/** What `settle` does between two looks at the clock. */
const SWEPT_AT_ONCE = 20_000;

/** What is told of a passage beside its words. */
export type Described = Pick<Passage, 'uri' | 'title' | 'fingerprint' | 'facets'>;

/** Passages with the numbers of their words in the lexicon, one after the other, field by field: `ends` has four of each. */
export interface ReadPassages {
  passages: Described[];
  words: Uint32Array;
  ends: number[];
}

/** What `invert` has made of them. */
interface InvertedPassages {
  postings: PostingBlock;
  page: WordPage;
}

/** Passages are inverted this many at once: adding them then takes some 10 ms. */
export const INVERTED_AT_ONCE = { passages: 1_000, words: 250_000 };
const PASSAGES_A_LOOK = 16;

/** Words, passages and where which occurs in which. Passages have numbers that change only in `tidy`. */
export class InvertedIndex {
  readonly lexicon: Lexicon;
  readonly passages = new Passages();
  readonly words = new PassageWords();
  readonly postings = new Postings(() => this.passages.alive);
  /** Goes up with each change of passages. */
  version = 0;

  /** Passages that are gone and whose words are still counted. */
  private readonly leaving: number[] = [];
  private runs = new Map<string, Uint32Array>();
  private scratch = new Uint32Array(1_024);
  /** Occurrences in the passage that is being added, by term. */
  private counts = new Uint16Array(1_024);
  /** The terms of that passage. */
  private readonly met: number[] = [];

  constructor(private readonly analysis: Analysis) {
    this.lexicon = new Lexicon(analysis);
  }

  /** Its number, which may change in `tidy`. Whoever adds keeps track of what has the same uri. */
  add(source: string, passage: Passage): number {
    const ends: number[] = [];
    let end = this.read([passage.title], 0);
    ends.push(end);
    end = this.read(passage.keywords, end);
    ends.push(end);
    end = this.read(passage.headings, end);
    ends.push(end);
    end = this.read([passage.body], end);
    ends.push(end);
    this.version++;
    const lengths = ends.map((end, field) => end - (ends[field - 1] ?? 0));
    const doc = this.passages.add(source, passage, lengths);
    this.words.set(doc, this.scratch, ends);
    this.tally(this.scratch, 0, ends, 0);
    const { uses } = this.lexicon;
    for (let at = 0; at < end; at++) uses[this.scratch[at]!]!++;
    for (const term of this.met) {
      this.postings.add(term, doc, this.counts[term]!);
      this.counts[term] = 0;
    }
    return doc;
  }

  /** Where terms occur in passages that are to be added, in short turns: the most of the work, and nothing has changed by it. */
  async invert({ passages, words, ends }: ReadPassages, turns: Turns): Promise<InvertedPassages> {
    const inversion = new Inversion(words.length, this.lexicon.termCount);
    const page = new WordPage();
    let from = 0;
    for (let at = 0; at < passages.length; at++) {
      if (at % PASSAGES_A_LOOK === 0) await turns.pause();
      const end = ends[at * FIELDS.length + FIELDS.length - 1]!;
      page.add(words, from, ends, at * FIELDS.length);
      this.tally(words, from, ends, at * FIELDS.length);
      for (const term of this.met) {
        inversion.note(term, at, this.counts[term]!);
        this.counts[term] = 0;
      }
      from = end;
    }
    await turns.pause();
    return { postings: inversion.block(), page };
  }

  /** Adds what was inverted, all at once. Answers the numbers of passages that are `wanted`; the others are left out. */
  addInverted(
    source: string,
    { passages, words, ends }: ReadPassages,
    { postings, page }: InvertedPassages,
    wanted: (uri: string) => boolean,
  ): (number | undefined)[] {
    this.version++;
    const { uses } = this.lexicon;
    const first = this.passages.end;
    let from = 0;
    for (let at = 0; at < passages.length; at++) {
      const lengths = FIELDS.map((_, field) => {
        const start = from;
        from = ends[at * FIELDS.length + field]!;
        return from - start;
      });
      this.passages.add(source, passages[at]!, lengths);
    }
    for (let at = 0; at < from; at++) uses[words[at]!]!++;
    this.words.take(page, first);
    this.postings.addBlock(postings, first);
    return passages.map(({ uri }, at) => {
      if (wanted(uri)) return first + at;
      this.remove(first + at);
      return undefined;
    });
  }

  /** Counts the terms of a passage: how often each that `met` names occurs is in `counts`, which the caller has to empty. */
  private tally(words: Uint32Array, from: number, ends: readonly number[], firstEnd: number): void {
    const { termOf, termCount } = this.lexicon;
    this.counts = atLeast(this.counts, termCount);
    const { counts, met } = this;
    met.length = 0;
    let at = from;
    for (let field = 0; field < FIELDS.length; field++) {
      for (const end = ends[firstEnd + field]!; at < end; at++) {
        const term = termOf[words[at]!]!;
        const before = counts[term]!;
        if (before === 0) met.push(term);
        counts[term] = withOccurrence(before, field);
      }
    }
  }

  /** It is found no more at once; its words are let go of in `tidy`. */
  remove(doc: number): void {
    this.version++;
    this.passages.remove(doc);
    this.postings.noteDeaths();
    this.leaving.push(doc);
  }

  /**
   * Cleans up after removals, a few milliseconds at a time: whoever changes or asks calls it. When many passages are gone
   * the others get new numbers. So many postings are brought up to date: who only asks needs none but those of the query.
   */
  tidy(postings = MOST_SWEPT): void {
    const { passages } = this;
    for (const doc of this.leaving.splice(-MOST_LEAVING)) this.letGo(doc);
    if (this.leaving.length === 0) this.words.tidy(passages.alive, passages.end);
    const swept = this.postings.sweep(postings);
    const gone = passages.end - passages.size;
    if (gone < MANY_GONE || gone < passages.size / 4 || this.leaving.length > 0 || !swept) return;
    const kept = new Uint32Array(passages.size);
    const numbers = new Uint32Array(passages.end).fill(GONE);
    let number = 0;
    for (let doc = 0; doc < passages.end; doc++) {
      if (passages.alive[doc] === 0) continue;
      numbers[doc] = number;
      kept[number++] = doc;
    }
    this.postings.renumber(numbers);
    this.words.renumber(kept);
    passages.renumber(kept);
    this.version++;
  }

  /** Whether nothing is postponed that would make a change or a query longer, or holds memory. */
  get isSettled(): boolean {
    return this.leaving.length === 0 && this.words.isTidy && this.postings.isSwept;
  }

  /** Does some of what is postponed, a millisecond or two. */
  settleSome(): void {
    this.tidy(SWEPT_AT_ONCE);
  }

  private letGo(doc: number): void {
    const { words, ends } = this.words.get(doc);
    const end = ends.at(-1)!;
    for (let at = 0; at < end; at++) this.lexicon.uses[words[at]!]!--;
    this.words.remove(doc);
  }

  /** Reads the words of texts into `scratch` from `start`; answers where they end. */
  private read(texts: readonly string[], start: number): number {
    let end = start;
    let left = MAX_CHARACTERS;
    for (const whole of texts) {
      const text = whole.slice(0, left);
      left -= text.length;
      eachRun(text, (from, to, unspaced) => {
        const run = text.slice(from, to);
        if (isPlain(run)) {
          this.scratch = atLeast(this.scratch, end + 1);
          this.scratch[end++] = this.lexicon.add(run);
        } else {
          const words = this.wordsOfRun(run, unspaced);
          this.scratch = atLeast(this.scratch, end + words.length);
          for (const word of words) this.scratch[end++] = word;
        }
        return end - start < MAX_WORDS;
      });
      if (end - start >= MAX_WORDS) return start + MAX_WORDS;
      if (left === 0) break;
    }
    return end;
  }

  private wordsOfRun(run: string, unspaced: boolean): Uint32Array {
    const known = this.runs.get(run);
    if (known) return known;
    const words = Uint32Array.from(wordsOfRun(run, unspaced, this.analysis), ({ word }) => this.lexicon.add(word));
    if (this.runs.size >= MAX_KEPT_RUNS) this.runs = new Map();
    // Long runs hardly come again.
    if (run.length <= LONGEST_KEPT_RUN) this.runs.set(run, words);
    return words;
  }
}

/** Whether it is a word as it stands, as most are. */
function isPlain(run: string): boolean {
  if (run.length > LONGEST_KEPT_RUN) return false;
  for (let at = 0; at < run.length; at++) {
    const code = run.charCodeAt(at);
    if (code < 0x61 || code > 0x7a) return false;
  }
  return true;
}
