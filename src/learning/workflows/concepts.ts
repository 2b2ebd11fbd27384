import { isStopWord } from '../../search';
import { isCommon } from './common-words';
import { type Group, groupsSaidIn, type Term } from './wording';
import { spelled, stemSequence } from './words';

/** What a word of everyday English weighs beside one that is not. */
const COMMON = 0.6;

/** One thing that a question speaks of: in the words that it uses, and in others that are used for the same. */
export interface Concept {
  said: readonly Term[];
  others: readonly Term[];
  /** How much of the question it is: by how often it is said, less where only common words say it. */
  weight: number;
}

/** Which groups of terms for the same a text touches, given its stems in order. */
export type GroupsSaid = (stems: readonly string[]) => readonly Group[];

/**
 * What a question speaks of. A group of terms for the same is one concept, however many of them the question or a text
 * uses: else what happens to have many names would count many times. Every other word is a concept of its own.
 */
export function conceptsOf(text: string, groupsSaid: GroupsSaid = groupsSaidIn): Concept[] {
  const stems = stemSequence(text);
  const times = new Map<string, number>();
  for (const stem of stems) times.set(stem, (times.get(stem) ?? 0) + 1);
  const weightOf = (stem: string) => (isCommon(stem) ? COMMON : 1) * (times.get(stem) ?? 1);
  const words = spelled(text);
  const grouped = new Set<string>();
  const concepts: Concept[] = [];
  for (const group of groupsSaid(stems)) {
    const said = group.filter((term) => isIn(stems, term.stems));
    for (const term of said) for (const stem of term.stems) grouped.add(stem);
    concepts.push({
      said,
      others: group.filter((term) => !said.includes(term)),
      weight: Math.max(...said.map((term) => (term.stems.length > 1 ? 1 : weightOf(term.stems[0]!)))),
    });
  }
  for (const stem of times.keys()) {
    const word = words.get(stem) ?? stem;
    if (grouped.has(stem) || isStopWord(word.toLowerCase())) continue;
    concepts.push({ said: [{ text: word, stems: [stem] }], others: [], weight: weightOf(stem) });
  }
  return concepts;
}

function isIn(stems: readonly string[], sought: readonly string[]): boolean {
  return stems.some((_, at) => sought.every((stem, offset) => stems[at + offset] === stem));
}
