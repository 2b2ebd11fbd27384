import type { Field, MatchedWord, SearchHit } from '../search';

/** A passage that holds much of a task is worth considering, and no more than that (seed 002, "Relevance Thresholds"). */
const MOST = 0.6;
/** What a share of the task's words, by weight, is worth. */
const WORTH = 1.2;
/** A word that names what the passage is about counts more than one in its text. */
const FIELD_WORTH: Record<Field, number> = { title: 1.5, keywords: 1.5, headings: 1.2, body: 1 };
/** One word of many may be there by chance. */
const FEWEST_WORDS = 2;
/** How much of it the last hit keeps, compared with the best: so the order of the hits stays. */
const LEAST_SHARE = 0.9;

/**
 * Scores for a task: search asks which passage a query is about, and what is behind the best one counts little. A task
 * touches several things, each of which is worth knowing. So a hit is given at least what the share of the task that it
 * holds is worth, as long as it holds two words of it; what holds but one keeps the score of the search. Best first.
 */
export function scoredForTask(hits: readonly SearchHit[]): SearchHit[] {
  const best = hits[0]?.rank ?? 0;
  return hits
    .map((hit) => {
      const share = LEAST_SHARE + (1 - LEAST_SHARE) * (best > 0 ? hit.rank / best : 0);
      return { ...hit, score: Math.max(hit.score, worthOf(hit.matched) * share) };
    })
    .sort((a, b) => b.score - a.score);
}

function worthOf(matched: readonly MatchedWord[]): number {
  if (matched.length < FEWEST_WORDS) return 0;
  const held = matched.reduce((sum, { weight, fields }) => {
    const best = Math.max(...fields.map((field) => FIELD_WORTH[field]));
    return sum + weight * best;
  }, 0);
  return Math.min(MOST, held * WORTH);
}
