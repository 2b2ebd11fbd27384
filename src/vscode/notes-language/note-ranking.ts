import type { EntryType, Space } from '../../notes';

/** What of a note a person looks for it by. */
export interface RankedNote {
  zettel_id: string;
  title: string;
  space: Space;
  category: string;
  entry_type?: EntryType | undefined;
}

/** Where the person is: notes near it come first among equals. */
export interface Nearness {
  space: Space;
  category: string;
}

/** Letters that are compared; what follows them is too far behind to be meant. */
const MOST_LETTERS = 120;

/**
 * The notes whose id or title a few typed letters mean, best first: what is the same, then what begins so, then words that
 * do, then what holds the letters one after the other. Nothing typed is meant by all. Takes some milliseconds for
 * thousands.
 */
export function rankNotes<T extends RankedNote>(notes: Iterable<T>, typed: string, near: Nearness, limit: number): T[] {
  const query = folded(typed.trim());
  const found: { note: T; grade: number }[] = [];
  for (const note of notes) {
    const grade = gradeOf(note, query);
    if (grade < NOT_AT_ALL) found.push({ note, grade: grade * 4 + distance(note, near) });
  }
  found.sort((a, b) => a.grade - b.grade || compare(a.note.zettel_id, b.note.zettel_id));
  return found.slice(0, limit).map(({ note }) => note);
}

const NOT_AT_ALL = 10;

function gradeOf({ zettel_id, title }: RankedNote, query: string): number {
  if (query === '') return 0;
  const id = folded(zettel_id);
  const name = folded(title);
  if (id === query) return 0;
  if (name === query) return 1;
  if (id.startsWith(query)) return 2;
  if (name.startsWith(query)) return 3;
  if (beginsAWord(id, query)) return 4;
  if (beginsAWord(name, query)) return 5;
  if (id.includes(query)) return 6;
  if (name.includes(query)) return 7;
  if (holdsInOrder(id, query)) return 8;
  return holdsInOrder(name, query) ? 9 : NOT_AT_ALL;
}

function beginsAWord(text: string, query: string): boolean {
  for (let at = text.indexOf(query, 1); at !== -1; at = text.indexOf(query, at + 1)) {
    if (/[^\p{L}\p{N}]/u.test(text[at - 1]!)) return true;
  }
  return false;
}

function holdsInOrder(text: string, query: string): boolean {
  let at = 0;
  for (const letter of query) {
    if (letter === ' ') continue;
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** 0 in the same folder, 1 in the same space, 2 elsewhere. */
function distance({ space, category }: RankedNote, near: Nearness): number {
  if (space !== near.space) return 2;
  return category === near.category ? 0 : 1;
}

/** Without regard to case and to accents. */
function folded(text: string): string {
  return text.slice(0, MOST_LETTERS).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
