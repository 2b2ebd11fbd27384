import { stemOf } from './stems';
import { eachRun, pairsOf, type Word, wordsOfName } from './words';

export { fold } from './characters';
export { isStopWord, namesIn } from './stop-words';
export type { Word } from './words';

/** How texts become words. The product has one way; tests take others to compare with other engines. */
export interface Analysis {
  /** Whether parts of names are words too. */
  names: boolean;
  /** What inflected words have in common; the word itself where nothing is stemmed. */
  stem: (word: string) => string;
}

export const ANALYSIS: Analysis = { names: true, stem: stemOf };

/** The words of a run that `eachRun` found, where it stands; offsets count from the run's start. */
export function wordsOfRun(run: string, unspaced: boolean, analysis: Analysis): Word[] {
  return unspaced ? pairsOf(run) : wordsOfName(run, analysis);
}

/** All words of a text in order: each name before its parts. */
export function wordsOf(text: string, analysis: Analysis): Word[] {
  const words: Word[] = [];
  eachRun(text, (start, end, unspaced) => {
    for (const word of wordsOfRun(text.slice(start, end), unspaced, analysis)) {
      words.push({ word: word.word, start: start + word.start, end: start + word.end });
    }
  });
  return words;
}

export { eachRun };
