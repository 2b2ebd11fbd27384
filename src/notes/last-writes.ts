import type { Reader } from '../store';
import type { LastWrite, Note } from './model';

/** So often is a name followed back; nobody renames a note more often. */
const MOST_NAMES = 10;
/** In which the JSON of a renaming says what the note's file is called since. */
const BEGINNING = 2_000;

type Key = Pick<Note, 'space' | 'zettel_id'>;
type Row = Pick<LastWrite, 'action' | 'author'> & { id: number; by_agent: number };

/** See `NotesPart.lastWrites`. Links, renaming and publishing leave the text to whoever wrote it. */
export function readLastWrites(reader: Reader, notes: readonly Key[]): LastWrite[] {
  return notes.flatMap(({ space, zettel_id }) => {
    const row = lastWrite(reader, { space, zettel_id });
    if (!row) return [];
    const { action, author, by_agent } = row;
    return [{ space, zettel_id, action, author, by_agent: by_agent === 1 }];
  });
}

function lastWrite(reader: Reader, { space, zettel_id }: Key): Row | undefined {
  let name = zettel_id;
  let before = Number.MAX_SAFE_INTEGER;
  for (let names = 0; names < MOST_NAMES; names++) {
    const row = reader.get<Row>(
      `SELECT id, action, author, by_agent FROM note_revision
       WHERE zettel_id = ? AND space = ? AND id < ? AND action IN ('create', 'update', 'download')
       ORDER BY id DESC LIMIT 1`,
      [name, space, before],
    );
    if (row) return row;
    const renamed = renamedTo(reader, { space, zettel_id: name }, before);
    if (!renamed) return undefined;
    name = renamed.zettel_id;
    before = renamed.id;
  }
  return undefined;
}

/** The renaming by which a note got its name, with the name that it had. */
function renamedTo(reader: Reader, { space, zettel_id }: Key, before: number) {
  const file = `${zettel_id}.md`;
  return reader
    .all<{ id: number; zettel_id: string; beginning: string }>(
      `SELECT id, zettel_id, substr(files, 1, ${BEGINNING}) AS beginning FROM note_revision
       WHERE action = 'rename' AND space = ? AND id < ? AND instr(substr(files, 1, ${BEGINNING}), ?) > 0
       ORDER BY id DESC`,
      [space, before, file],
    )
    .find(({ beginning }) => {
      // The note's own file comes first.
      const own = /^\[\{"space":"\w+","file":"([^"\\]*)"/.exec(beginning)?.[1];
      return own === file || own?.endsWith(`/${file}`);
    });
}
