import { type Analysis, eachRun, wordsOfRun } from '../analysis';
import { FIELDS, type Passage } from '../model';
import { atLeast } from './growing';
import { Lexicon } from './lexicon';
import { withOccurrence } from './occurrences';
import { PassageWords } from './passage-words';
import { Passages } from './passages';
import { Postings } from './postings';

/** A field with more of either is indexed as far as these go: reading so much takes some 10 ms. Lengths are kept in 16 bits. */
const MAX_CHARACTERS = 100_000;
const MAX_WORDS = 65_535;
const MAX_KEPT_RUNS = 20_000;
const LONGEST_KEPT_RUN = 64;
/** Numbers are given anew when this many passages are gone, and a quarter as many as there are. */
const MANY_GONE = 1_024;
/** What one call of `tidy` does at most: passages whose words it lets go of, postings that it renumbers. */
const MOST_LEAVING = 2_000;
const MOST_SWEPT = 200_000;

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

  constructor(private readonly analysis: Analysis) {
    this.lexicon = new Lexicon(analysis);
  }

  /** Its number. Whoever adds keeps track of what has the same uri. */
  add(source: string, passage: Passage): number {
    const ends: number[] = [];
    let end = this.read([passage.title], 0);
    ends.push(end);
    end = this.read(passage.keywords, end);
    ends.push(end);
    end = this.read(passage.headings, end);
    ends.push(end);
    ends.push(this.read([passage.body], end));
    return this.addRead(source, passage, this.scratch, ends);
  }

  /** As `add`, of a passage whose words are known already: numbers of the lexicon, field by field up to `ends`. */
  addRead(
    source: string,
    passage: Pick<Passage, 'uri' | 'title' | 'fingerprint' | 'facets'>,
    words: Uint32Array,
    ends: number[],
  ): number {
    this.version++;
    const lengths = ends.map((end, field) => end - (ends[field - 1] ?? 0));
    const doc = this.passages.add(source, passage, lengths);
    this.words.set(doc, words, ends);
    this.counts = atLeast(this.counts, this.lexicon.termCount);
    const { counts, lexicon } = this;
    const { uses, termOf } = lexicon;
    const terms: number[] = [];
    let at = 0;
    for (let field = 0; field < FIELDS.length; field++) {
      for (; at < ends[field]!; at++) {
        const word = words[at]!;
        uses[word]!++;
        const term = termOf[word]!;
        const before = counts[term]!;
        if (before === 0) terms.push(term);
        counts[term] = withOccurrence(before, field);
      }
    }
    for (const term of terms) {
      this.postings.add(term, doc, counts[term]!);
      counts[term] = 0;
    }
    return doc;
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
   * the others get new numbers: it then answers the former ones in the order of the new ones.
   */
  tidy(): readonly number[] | undefined {
    const { passages } = this;
    for (const doc of this.leaving.splice(-MOST_LEAVING)) this.letGo(doc);
    this.words.tidy(passages.alive, passages.end);
    const swept = this.postings.sweep(MOST_SWEPT);
    const gone = passages.end - passages.size;
    if (gone < MANY_GONE || gone < passages.size / 4 || this.leaving.length > 0 || !swept) return undefined;
    const kept: number[] = [];
    const numbers = new Uint32Array(passages.end).fill(0xffffffff);
    for (let doc = 0; doc < passages.end; doc++) {
      if (passages.alive[doc] === 0) continue;
      numbers[doc] = kept.length;
      kept.push(doc);
    }
    this.postings.renumber(numbers);
    this.words.renumber(kept);
    passages.renumber(kept);
    this.version++;
    return kept;
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
