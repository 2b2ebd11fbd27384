import { ANALYSIS, isStopWord, wordsOf } from '../../search';
import type { WorkflowType } from '../vocabulary';
import { LIMITS } from './constants';
import { topicWords } from './topic-words';

/** What a workflow of each kind needs to know whatever it is about (seed 003, 2.1 and 5.4: what its tools retrieve). */
export const WORKFLOW_TOPICS: Readonly<Record<WorkflowType, readonly string[]>> = {
  rcca: ['root cause analysis', 'failure modes and effects', 'corrective action'],
  trade_study: ['evaluation criteria', 'alternatives and trade-offs', 'risk assessment'],
  exploration: ['concepts and overview', 'known problems and anti-patterns', 'limitations'],
  planning: ['planning and estimation', 'risks and dependencies', 'constraints and milestones'],
  gap_analysis: ['requirements', 'current state and limitations', 'criteria for completeness'],
};

/** Words that descriptions of work are made of: what is to be done, not what it is about. */
const WORK = new Set(
  `about analyse analysis analyze assess build check compare decide define describe design develop determine evaluate
  explore find goal identify investigate need plan planning prepare project review select study task team understand want
  add begin change create do fix get give go improve introduce keep make move put remove replace run set show start
  stop take update write
  week weeks month months year years new current existing within without using one two three four five per via upon`.split(
    /\s+/,
  ),
);
const LONGEST = 4;
/** The weight of a name or a number (`topicWords`): by itself it is a topic, as a plain word is not beside longer ones. */
const NAME = 1.5;

/**
 * Topics that a description names: runs of words between stop words and punctuation, after Rose and others (2010, "Automatic
 * keyword extraction from individual documents"), by how often their words stand together with others. Best first.
 */
export function topicsIn(description: string, most: number = LIMITS.derived): string[] {
  const phrases = phrasesIn(description);
  const degree = new Map<string, number>();
  const often = new Map<string, number>();
  for (const { terms } of phrases) {
    for (const term of terms) {
      degree.set(term, (degree.get(term) ?? 0) + terms.length);
      often.set(term, (often.get(term) ?? 0) + 1);
    }
  }
  const scored = new Map<string, { text: string; score: number }>();
  const isAnyLonger = phrases.some(({ terms }) => terms.length > 1);
  for (const { text, terms } of phrases) {
    const key = terms.join(' ');
    const weights = topicWords(text).reduce((sum, { weight }) => sum + weight, 0);
    if (isAnyLonger && terms.length === 1 && weights < NAME) continue;
    const together = terms.reduce((sum, term) => sum + degree.get(term)! / often.get(term)!, 0);
    if (!scored.has(key)) scored.set(key, { text, score: together * weights });
  }
  const ranked = [...scored.entries()].sort(([, a], [, b]) => b.score - a.score);
  // What a longer one holds whole is no topic of its own.
  return ranked
    .filter(([key], at) => !ranked.slice(0, at).some(([other]) => ` ${other} `.includes(` ${key} `)))
    .slice(0, most)
    .map(([, { text }]) => text);
}

function phrasesIn(description: string): { text: string; terms: string[] }[] {
  const text = description.slice(0, LIMITS.description);
  const phrases: { text: string; terms: string[] }[] = [];
  let from = -1;
  let to = -1;
  let terms: string[] = [];
  const end = () => {
    if (terms.length > 0 && terms.length <= LONGEST) phrases.push({ text: text.slice(from, to), terms });
    terms = [];
  };
  for (const { word, start, end: stop } of wordsOf(text, { ...ANALYSIS, names: false })) {
    const between = to === -1 ? '' : text.slice(to, start);
    if (isStopWord(word) || WORK.has(word) || word.length < 2) {
      end();
      continue;
    }
    if (terms.length > 0 && !/^[ \t/-]*$/.test(between)) end();
    if (terms.length === 0) from = start;
    terms.push(ANALYSIS.stem(word));
    to = stop;
  }
  end();
  return phrases;
}
