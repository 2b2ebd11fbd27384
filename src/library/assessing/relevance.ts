import { inTurns, Turns } from '../../core/turns';
import type { Relevance } from '../model';
import { termsOf, topicWords } from './topic-words';

/** Words of a text that are looked at together: about a page. What stands further apart is about different things. */
const WINDOW = 400;
/** What all words anywhere in the text count beside those of the best page. */
const ANYWHERE = 0.2;
/** Words that the explanation names at most. */
const NAMED = 6;

/**
 * How far a text has to do with a topic: the share of the topic's words, by weight, that stand together on one page of it
 * (80 %), and anywhere in it (20 %); those of its title stand on all of them. Words are compared as search does, by their
 * stems; stop words do not count, general ones count less. Works in short turns; throws the signal's reason.
 */
export async function relevanceOf(
  text: string,
  topic: string,
  { title = '', signal }: { title?: string | undefined; signal?: AbortSignal | undefined } = {},
): Promise<Relevance> {
  return inTurns(assessed(text, topic, title), new Turns(signal));
}

function* assessed(text: string, topic: string, title: string): Generator<void, Relevance> {
  const words = topicWords(topic);
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0)
    return { score: 0, topic, matched: [], missing: [], explanation: 'The topic has no words to look for.' };
  const weights = new Map(words.map(({ term, weight }) => [term, weight]));
  /** When each word was last seen, in words of the text. */
  const seen = new Map<string, number>();
  for (const terms of termsOf(title)) {
    for (const term of terms) if (weights.has(term)) seen.set(term, Number.POSITIVE_INFINITY);
  }
  let best = [...seen.keys()].reduce((sum, term) => sum + weights.get(term)!, 0);
  let at = 0;
  for (const terms of termsOf(text)) {
    for (const term of terms) {
      at++;
      if (!weights.has(term)) continue;
      if (seen.get(term) !== Number.POSITIVE_INFINITY) seen.set(term, at);
      let together = 0;
      for (const [other, last] of seen) if (at - last < WINDOW) together += weights.get(other)!;
      best = Math.max(best, together);
    }
    // Nothing that comes can change it.
    if (best >= all * 0.999) break;
    yield;
  }
  const anywhere = [...seen.keys()].reduce((sum, term) => sum + weights.get(term)!, 0);
  const score = Math.round((1_000 * ((1 - ANYWHERE) * best + ANYWHERE * anywhere)) / all) / 1_000;
  const heaviest = [...words].sort((a, b) => b.weight - a.weight);
  const matched = heaviest.filter(({ term }) => seen.has(term)).map(({ word }) => word);
  const missing = heaviest.filter(({ term }) => !seen.has(term)).map(({ word }) => word);
  return { score, topic, matched, missing, explanation: explained(matched, missing, best, anywhere) };
}

function explained(matched: readonly string[], missing: readonly string[], best: number, anywhere: number): string {
  if (matched.length === 0) return `None of its words occurs: ${listed(missing)}.`;
  const together = best >= anywhere * 0.999 ? 'together on one page' : 'in different places';
  const found = `${listed(matched)} ${matched.length === 1 ? 'occurs' : `occur ${together}`}`;
  return missing.length === 0
    ? `${found}.`
    : `${found}; ${listed(missing)} ${missing.length === 1 ? 'does' : 'do'} not.`;
}

function listed(words: readonly string[]): string {
  const more = words.length - NAMED;
  return more > 0 ? `${words.slice(0, NAMED).join(', ')} and ${more} more` : words.join(', ');
}
