import type { Backlink, SurroundingsMessage } from '../../../webview-ui/protocol/note';
import { ENTRY_TYPES, type Note, type NotesPart, RELATIONSHIP_TYPES, SOURCE_TYPES, type Space } from '../../notes';
import { knownTags } from '../notes-language';
import { areLinksKnown } from '../notes-language/known-links';

const SHOWN_BACKLINKS = 200;
const SHOWN_TAGS = 200;

interface Place {
  space: Space;
  file: string;
}

/** What stands around a note: where it lies, what links to it, which collections hold it. */
export function surroundingsOf(
  notes: NotesPart,
  place: Place,
  { readOnly }: { readOnly: boolean },
): SurroundingsMessage {
  const note = notes.notes(place.space).find(({ file }) => file === place.file);
  return {
    ...unknownSurroundings(place, { readOnly }),
    isKnown: areLinksKnown(notes),
    hasRegistry: notes.hasRegistry,
    backlinks: note ? backlinksOf(notes, note) : [],
    collections: note ? collectionsOf(notes, note) : [],
    tags: knownTags(notes).slice(0, SHOWN_TAGS),
  };
}

/** What is said as long as the notes cannot be read, and where they cannot. */
export function unknownSurroundings(
  { space, file }: Place,
  { readOnly, problem }: { readOnly: boolean; problem?: string },
): SurroundingsMessage {
  return {
    type: 'surroundings',
    ...{ space, file, readOnly },
    category: file.split('/').slice(0, -1).join('/'),
    ...(problem !== undefined && { problem }),
    isKnown: false,
    hasRegistry: false,
    backlinks: [],
    collections: [],
    tags: [],
    entryTypes: ENTRY_TYPES,
    sourceTypes: SOURCE_TYPES,
    relationshipTypes: RELATIONSHIP_TYPES,
  };
}

/** Each note that links to this one once, with all the ways it does. */
function backlinksOf(notes: NotesPart, note: Note): Backlink[] {
  const found = new Map<string, Backlink>();
  for (const { direction, zettel_id, relationship_type, source_location, title } of notes.relationships(note)) {
    if (direction !== 'incoming' || source_location === undefined || source_location === 'registry') continue;
    const from = notes.note(source_location, zettel_id);
    if (!from) continue;
    const known = found.get(from.uri);
    if (known) known.types.push(relationship_type);
    else {
      const { space, file } = from;
      found.set(from.uri, { space, file, zettel_id, title: title ?? from.title, types: [relationship_type] });
    }
  }
  return [...found.values()].slice(0, SHOWN_BACKLINKS);
}

function collectionsOf(notes: NotesPart, note: Note): SurroundingsMessage['collections'] {
  return notes
    .collectionsOf(note)
    .flatMap(({ location, file, name }) =>
      location === 'registry' || file === undefined ? [] : [{ space: location, file, name }],
    );
}
