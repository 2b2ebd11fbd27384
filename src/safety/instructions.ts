import { sentence } from '../core/sentence';
import { Turns } from '../core/turns';
import { spacedLetters, withLatinLetters } from './disguises';
import { FORMS } from './instruction-forms';
import { isForbidden } from './instruction-negation';
import type { InstructionFinding } from './model';
import { type Found, type Search, searched } from './searching';

/**
 * Text that speaks to an agent in place of telling it something. It is flagged for the person who reviews, and never
 * refused: a rule about such attacks quotes them. What forbids it is a rule that protects, and is not.
 */

const SEARCHES: readonly Search[] = FORMS.map(({ id, kind, pattern, forbidden }) => (text) => {
  return Array.from(text.matchAll(pattern))
    .filter(({ index }) => forbidden === undefined || !isForbidden(text, index, forbidden))
    .map(({ 0: passage, index }) => ({ id, kind, start: index, end: index + passage.length }));
});

/** What is found once letters that look like Latin ones are read as these: each stands where it stood. */
function disguised(text: string): Found[] {
  const latin = withLatinLetters(text);
  return latin === text ? [] : SEARCHES.flatMap((search) => search(latin));
}

const SPACED = sentence('spells out an instruction letter by letter');

function spaced(text: string): Found[] {
  return spacedLetters(withLatinLetters(text)).map((place) => ({ id: 'ignore-instructions', kind: SPACED, ...place }));
}

const ALL: readonly Search[] = [...SEARCHES, disguised, spaced];

/** All passages of a text that try to instruct agents, in their order, none within another. In short turns. */
export function findInstructions(text: string, signal?: AbortSignal): Promise<InstructionFinding[]> {
  return searched(text, () => ALL, new Turns(signal));
}
