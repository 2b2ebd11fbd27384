import type { NotesPart } from '../../notes';

/** While files are being indexed links only seem to lead nowhere. */
export function areLinksKnown(notes: Pick<NotesPart, 'spaces'>): boolean {
  return notes.spaces().every(({ state }) => state !== 'indexing');
}
