import { type Field, isStopWord, type MatchedWord, type SearchHit } from '../search';

/** A passage that holds much of a task is worth considering, and no more than that (seed 002, "Relevance Thresholds"). */
const MOST = 0.6;
/** What a share of the task's words, by weight, is worth. */
const WORTH = 1.2;
/** And of a rule with a risk: a disaster that was not warned of costs more than a line that need not have been read. */
const RISK_WORTH = 2;
/** A word that names what the passage is about counts more than one in its text. */
const FIELD_WORTH: Record<Field, number> = { title: 1.5, keywords: 1.5, headings: 1.2, body: 1 };
/** One word of many may be there by chance, unless it is part of what the passage, or what it stands under, is called. */
const FEWEST_WORDS = 2;
const NAMES: readonly Field[] = ['title', 'headings'];
/** How much of it the last hit keeps, compared with the best: so of those that hold as much the order stays. */
const LEAST_SHARE = 0.9;

/**
 * Scores for a task: search asks which passage a query is about, and what is behind the best one counts little. A task
 * touches several things, each of which is worth knowing. So a hit is given at least what the share of the task that it
 * holds is worth, as long as it holds two words of it or is called by one. What holds none but stop words is left out.
 * Best first.
 */
export function scoredForTask(hits: readonly SearchHit[]): SearchHit[] {
  return scored(hits, WORTH);
}

/** The same for rules with a risk. */
export function scoredForRisk(hits: readonly SearchHit[]): SearchHit[] {
  return scored(hits, RISK_WORTH);
}

function scored(hits: readonly SearchHit[], worth: number): SearchHit[] {
  const best = hits[0]?.rank ?? 0;
  return hits
    .flatMap((hit) => {
      const telling = hit.matched.filter(({ word }) => !isStopWord(word.toLowerCase()));
      if (telling.length === 0) return [];
      const share = LEAST_SHARE + (1 - LEAST_SHARE) * (best > 0 ? hit.rank / best : 0);
      return { ...hit, score: Math.max(hit.score, Math.min(MOST, shareHeld(telling) * worth) * share) };
    })
    .sort((a, b) => b.score - a.score);
}

/** The share of the task's weight that these words are, more where they name something; 0 for too little to go by. */
function shareHeld(telling: readonly MatchedWord[]): number {
  const isNamed = telling.some(
    ({ corrected, fields }) => corrected === undefined && fields.some((field) => NAMES.includes(field)),
  );
  if (telling.length < FEWEST_WORDS && !isNamed) return 0;
  return telling.reduce((sum, { weight, fields }) => {
    const best = Math.max(...fields.map((field) => FIELD_WORTH[field]));
    return sum + weight * best;
  }, 0);
}
