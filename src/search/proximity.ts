import { compareText } from '../core/text';
import { isStopWord } from './analysis';
import { atLeast } from './inverted/growing';
import type { InvertedIndex } from './inverted/inverted-index';
import type { QueryTerm } from './query-words';
import type { Ranker } from './ranking';
import type { Retrieved } from './retrieve';

/** So many of the best are weighed more closely: twice as many as are asked for, mostly. More change nothing that was measured. */
export const CLOSELY = 20;

/**
 * Term proximity after Büttcher, Clarke and Lushman, "Term Proximity Scoring for Ad-Hoc Retrieval on Very Large Text
 * Collections" (SIGIR 2006): two different terms that follow each other with none of the query between them give each
 * other what they weigh, by the square of their distance; stop words between them do not count. What a term gathers so
 * is saturated as its occurrences are.
 */
export class Proximity {
  /** By term: its place in the query and one more; 0 for all others. */
  private places = new Uint16Array(1_024);
  /** By word: whether it is a stop word, for the first `known` words. */
  private stops = new Uint8Array(1_024);
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
    const { lexicon } = this.index;
    const { places, stops, gathered } = this;
    gathered.fill(0, 0, terms.length);
    let at = 0;
    for (let field = 0; field < ends.length; field++) {
      const end = ends[field]!;
      let weight = 0;
      let before = 0;
      let distance = 0;
      for (; at < end; at++) {
        const word = words[at]!;
        const place = places[lexicon.term(word)]!;
        if (place === 0) {
          distance += 1 - stops[word]!;
          continue;
        }
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
    terms.forEach(({ numbers }, at) => {
      for (const number of numbers) {
        if (!sought) this.places[number] = 0;
        else if (this.places[number] === 0) this.places[number] = at + 1;
      }
    });
  }

  private learn(): void {
    const { words, termCount } = this.index.lexicon;
    this.places = atLeast(this.places, termCount);
    this.stops = atLeast(this.stops, words.length);
    for (; this.known < words.length; this.known++) this.stops[this.known] = isStopWord(words[this.known]!) ? 1 : 0;
  }
}
