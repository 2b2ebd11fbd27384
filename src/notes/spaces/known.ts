import { describeError } from '../../core/errors';
import { Turns } from '../../core/turns';
import type { KnownFile, ReadFile } from '../../files';
import type { ParsedCollection } from '../format';
import type { NoteProblem, ParsedNote } from '../model';

export type Format = typeof import('../format');

/** A file of a space as it was read and parsed, on its own. */
export interface KnownNote extends KnownFile {
  note?: ParsedNote;
  /** Instead of a note. */
  collection?: ParsedCollection;
}

/** Bytes: larger ones are not read. */
export const MAX_NOTE = 2 * 1_048_576;
/** What the names of spaces' caches begin with. */
export const CACHE_KIND = 'notes';
/** Raised with every change of what is kept, or of what the parser makes of a file. */
export const CACHE_FORMAT = 1;

/** In turns with others. Never throws: what is wrong is among the problems. */
export async function parseKnown(file: string, read: ReadFile, format: Format): Promise<KnownNote> {
  const { size, stamp, hash, fault, text } = read;
  const head = { file, size, stamp, hash };
  if (fault === 'too_large') {
    const limit = MAX_NOTE / 1_048_576;
    const message = `The file has ${(size / 1_048_576).toFixed(1)} MB; notes of up to ${limit} MB are read.`;
    return { ...head, note: unread(file, { code: 'too_large', message }) };
  }
  const foreign: Problem[] = [];
  if (fault === 'not_utf8') {
    foreign.push({ code: 'not_utf8', message: 'The file is not UTF-8; some letters may be read wrongly.' });
  }
  try {
    if (format.isCollection(text)) {
      const collection = format.parseCollection(text, file);
      return { ...head, collection: { ...collection, problems: [...foreign, ...collection.problems] } };
    }
    const note = await format.parseNoteInTurns(text, file, new Turns());
    return { ...head, note: { ...note, problems: [...foreign, ...note.problems] } };
  } catch (error) {
    const message = `The file could not be parsed: ${describeError(error)}`;
    return { ...head, note: unread(file, { code: 'unreadable', message }) };
  }
}

/** A file that is there and cannot be read. It is tried again whenever the space is looked through. */
export function unreadable(file: string, size: number, error: unknown): KnownNote {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  const isOutside = code === 'outside_root';
  const message = isOutside
    ? 'The file lies outside of the space and is not read.'
    : `The file cannot be read (${code}).`;
  const problem: Problem = { code: isOutside ? 'outside_root' : 'unreadable', message };
  return { file, size, stamp: '', hash: '', note: unread(file, problem) };
}

type Problem = Omit<NoteProblem, 'space' | 'file'>;

/** What is known of a file by its name alone. */
export function unread(file: string, ...problems: Problem[]): ParsedNote {
  const name = nameOf(file);
  const fields = { zettel_id: name, title: name, tags: [] };
  return { fields, isIdDeclared: false, others: {}, bodyStart: 0, links: [], headings: [], problems };
}

/** The file's name without `.md`. */
export function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.md$/i, '');
}

/** The folder that it lies in; empty for the root. */
export function folderOf(file: string): string {
  return file.slice(0, Math.max(0, file.lastIndexOf('/')));
}
