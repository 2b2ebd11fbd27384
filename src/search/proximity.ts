import { compareText } from '../core/text';
import { isStopWord } from './analysis';
import { atLeast } from './inverted/growing';
import type { InvertedIndex } from './inverted/inverted-index';
import type { QueryTerm } from './query-words';
import type { Ranker } from './ranking';
import type { Retrieved } from './retrieve';

/** So many of the best are weighed more closely: twice as many as are asked for, mostly. More change nothing that was measured. */
export const CLOSELY = 20;

/** Beyond any place in a query. */
const STOP = 0xffff;

/**
 * Term proximity after Büttcher, Clarke and Lushman, "Term Proximity Scoring for Ad-Hoc Retrieval on Very Large Text
 * Collections" (SIGIR 2006): two different terms that follow each other with none of the query between them give each
 * other what they weigh, by the square of their distance; stop words between them do not count. What a term gathers so
 * is saturated as its occurrences are.
 */
export class Proximity {
  /** By word: its place in the query and one more; `STOP` for stop words that are not asked for, 0 for all others. */
  private places = new Uint16Array(1_024);
  /** So many words were looked at whether they are stop words. */
  private known = 0;
  private gathered = new Float64Array(16);

  constructor(private readonly index: InvertedIndex) {}

  /**
   * What was found with the best of it ranked by how close together the terms stand, too: at most `CLOSELY` passages are
   * read word by word. Ranks only grow, so what is left out stays behind.
   */
  weigh(found: Retrieved, terms: readonly QueryTerm[], ranker: Ranker): Retrieved {
    if (terms.length < 2 || ranker.proximity === 0) return found;
    const { uris } = this.index.passages;
    this.learn();
    this.gathered = atLeast(this.gathered, terms.length);
    this.mark(terms, true);
    const closely = found.docs.slice(0, CLOSELY).map((doc, at) => ({
      doc,
      rank: found.ranks[at]! + ranker.proximity * this.within(doc, terms, ranker),
    }));
    this.mark(terms, false);
    closely.sort((a, b) => b.rank - a.rank || compareText(uris[a.doc]!, uris[b.doc]!));
    return {
      docs: [...closely.map(({ doc }) => doc), ...found.docs.slice(CLOSELY)],
      ranks: [...closely.map(({ rank }) => rank), ...found.ranks.slice(CLOSELY)],
      total: found.total,
    };
  }

  private within(doc: number, terms: readonly QueryTerm[], ranker: Ranker): number {
    const { words, ends } = this.index.words.get(doc);
    const { places, gathered } = this;
    gathered.fill(0, 0, terms.length);
    let at = 0;
    for (let field = 0; field < ends.length; field++) {
      const end = ends[field]!;
      let weight = 0;
      let before = 0;
      let distance = 0;
      for (; at < end; at++) {
        const place = places[words[at]!]!;
        if (place === 0) {
          distance++;
          continue;
        }
        if (place === STOP) continue;
        if (before !== 0 && before !== place) {
          if (weight === 0) weight = ranker.fieldWeight(doc, field);
          const share = weight / (distance * distance);
          gathered[before - 1]! += terms[place - 1]!.idf * share;
          gathered[place - 1]! += terms[before - 1]!.idf * share;
        }
        before = place;
        distance = 1;
      }
    }
    return terms.reduce((sum, { idf }, term) => sum + Math.min(1, idf) * ranker.saturated(gathered[term]!), 0);
  }

  /** A term that several parts of the query are found by stands for the first of them. */
  private mark(terms: readonly QueryTerm[], sought: boolean): void {
    const { lexicon } = this.index;
    terms.forEach(({ numbers }, at) => {
      for (const number of numbers) {
        for (const word of lexicon.wordsOf(number)) {
          const place = this.places[word]!;
          if (!sought) this.places[word] = stopOf(lexicon.words[word]!);
          else if (place === 0 || place === STOP) this.places[word] = at + 1;
        }
      }
    });
  }

  private learn(): void {
    const { words } = this.index.lexicon;
    this.places = atLeast(this.places, words.length);
    for (; this.known < words.length; this.known++) this.places[this.known] = stopOf(words[this.known]!);
  }
}

function stopOf(word: string): number {
  return isStopWord(word) ? STOP : 0;
}
