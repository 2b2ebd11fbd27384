import { isUtf8 } from 'node:buffer';
import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { Turns } from '../../core/turns';
import { parseNoteInTurns } from '../format';
import type { Note, NoteReference, ParsedNote, Relationship } from '../model';
import type { SpaceFiles } from '../spaces';

/** What is known of both spaces. */
export interface LocalSpaces extends SpaceFiles {
  relationships(note: Note): Relationship[];
}

/** A note's file as it is on the disk, and all that is known of it. */
export interface LocalNote {
  note: Note;
  bytes: Buffer;
  text: string;
  parsed: ParsedNote;
}

/** Nobody waits longer for the first look at the spaces' files. */
const PATIENCE_MS = 30_000;
/** How often a note is looked for anew that changes while it is being looked at. */
const TRIES = 3;

/** The note as it is now; project before user. Throws `unknown_note`, and `unreadable_note` for what is not UTF-8. */
export async function readLocal(
  spaces: LocalSpaces,
  reference: NoteReference,
  signal?: AbortSignal,
): Promise<LocalNote> {
  // What is not known yet must not be taken for missing, and looked for in the registry.
  if (!(await spaces.ready(PATIENCE_MS, signal))) {
    throw new KaizenError(
      'store_io',
      sentence('The notes are still being looked through.'),
      sentence('Try again in a moment.'),
    );
  }
  for (let tries = TRIES; tries > 0; tries--) {
    const known = spaces.resolve(reference);
    await spaces.reindex(known.space, [known.file]);
    const note = spaces.note(known.space, known.zettel_id);
    const bytes = note && (await spaces.bytes(note.space, note.file));
    if (note && bytes) return { note, bytes, ...(await read(note, bytes)) };
  }
  throw new KaizenError(
    'conflict',
    sentence('"{0}" is being changed all the time.', reference.zettel_id),
    sentence('Try again in a moment.'),
  );
}

async function read(note: Note, bytes: Buffer): Promise<{ text: string; parsed: ParsedNote }> {
  if (!isUtf8(bytes)) {
    throw new KaizenError(
      'unreadable_note',
      sentence('The file of "{0}" is not UTF-8: {1}.', note.zettel_id, note.file),
      sentence('Save it as UTF-8.'),
    );
  }
  const text = bytes.toString('utf8');
  return { text, parsed: await parseNoteInTurns(text, note.file, new Turns()) };
}
