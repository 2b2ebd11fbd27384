import { ANALYSIS, isStopWord, wordsOf } from './analysis';
import { occurrences } from './inverted/occurrences';
import type { QueryTerm, QueryWord } from './query-words';
import type { Ranker } from './ranking';

/** Fitted on questions about documentation: docs/search.md, "Calibration". */
const CALIBRATION = {
  /** Evidence that is worth a score of 0.5, and how steeply scores rise around it. */
  half: 0.8,
  steepness: 2.5,
  /** What evidence grows by when the title holds the whole query. */
  title: 1.5,
  /** The more words a query has, the fewer of them a passage about it holds: evidence grows with this power of their number. */
  words: 0.2,
  /** A best hit that stands out more than so from the second does not count for more. */
  mostMargin: 2,
};

/** The best passages of all that may be found, whether or not they are among those asked for. */
export interface BestPassages {
  /** Best first. */
  ranks: readonly number[];
  /** How often a term occurs in the first of them, packed. */
  occurrences: (term: QueryTerm) => number;
}

/**
 * What the ranks of one query are worth, 0 to 1, so that scores of different queries can be compared. Evidence comes
 * from the best passage: how much of the query it holds, by weight, and its title; how many words that are; how far it
 * stands out from the second. What a rank falls behind the best one counts squared. Equal or lower ranks get equal or
 * lower scores.
 */
export function calibration(words: readonly QueryWord[], best: BestPassages, ranker: Ranker): (rank: number) => number {
  const [first = 0, second = 0] = best.ranks;
  if (first <= 0) return () => 0;
  const { whole, title } = covered(words, best, ranker);
  const margin = Math.min(CALIBRATION.mostMargin, first / Math.max(second, Number.EPSILON));
  const evidence =
    whole *
    (1 + CALIBRATION.title * title ** 2) *
    words.length ** CALIBRATION.words *
    // One word is found or not; that others hold it too says nothing about the first.
    margin ** (1 - 1 / words.length);
  return (rank) => {
    const power = ((evidence / CALIBRATION.half) * (rank / first) ** 2) ** CALIBRATION.steepness;
    return power / (1 + power);
  };
}

/**
 * The shares, by weight, of the query's words that the passage holds, and that its title or keywords hold. A word that no
 * passage holds, and one that another was taken for, counts like the rarest there is; so do stop words, where a query
 * has no others.
 */
function covered(words: readonly QueryWord[], best: BestPassages, ranker: Ranker): { whole: number; title: number } {
  const rarest = ranker.idf(1);
  const telling = words.some(({ word }) => wordsOf(word, ANALYSIS).some((part) => !isStopWord(part.word)));
  let all = 0;
  let whole = 0;
  let title = 0;
  for (const { terms, idf, corrected } of words) {
    const known = telling && terms.length > 0 && !corrected;
    all += known ? idf : rarest;
    for (const term of terms) {
      const packed = best.occurrences(term);
      if (packed === 0) continue;
      whole += term.idf;
      if (occurrences(packed, 0) > 0 || occurrences(packed, 1) > 0) title += term.idf;
    }
  }
  return { whole: whole / all, title: title / all };
}
