import { NOTES_AUTHORITY } from '../core/knowledge-uri';
import { type NotesPart, SPACES } from '../notes';
import { notesSource } from './sources';

/** Notes that a `scope` of a search names. */
export interface NotesNarrowing {
  sources: string[];
  /** Whether all of the sources is meant. */
  isWhole: boolean;
  accept(uri: string): boolean;
}

/**
 * `notes`, `notes/<space>`, `notes/<category>`, `notes/<space>/<category>` (with the folders below it), or the address of
 * one note. Undefined for anything else, and for a category or a note that there is not.
 */
export function notesNarrowing(id: string, notes: NotesPart): NotesNarrowing | undefined {
  const single = notes.noteByUri(id);
  if (single) return { sources: [notesSource(single.space)], isWhole: false, accept: (uri) => uri === single.uri };
  const [authority, ...rest] = id.split('/');
  if (authority !== NOTES_AUTHORITY || notes.spaces().length === 0) return undefined;
  const named = SPACES.find((space) => space === rest[0]);
  const category = rest.slice(named ? 1 : 0).join('/');
  const sources = (named ? [named] : SPACES).map(notesSource);
  if (category === '') return { sources, isWhole: true, accept: () => true };
  const isThere = notes.categories(named).some((each) => isInCategory(each, category));
  if (!isThere) return undefined;
  return {
    sources,
    isWhole: false,
    accept: (uri) => {
      const note = notes.noteByUri(uri);
      return (
        note !== undefined && (named === undefined || note.space === named) && isInCategory(note.category, category)
      );
    },
  };
}

/** Whether the folder is the other one, or lies in it. */
export function isInCategory(category: string, wanted: string): boolean {
  return category === wanted || category.startsWith(`${wanted}/`);
}
