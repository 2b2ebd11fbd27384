import { createHash } from 'node:crypto';
import { estimateTokens } from '../core/tokens';
import type { Note, NoteText } from '../notes';
import type { Passage } from '../search';

/** Grows whenever passages are made in another way: what was cached of older ones is then made anew. */
const VERSION = 1;
/** Of a note's own headings; longer ones are texts that happen to be in sections. */
const MOST_HEADINGS = 50;

/** Between a fingerprint's hash and the estimated tokens of the text, which are then known without reading the file. */
const TOKENS = '~';

/** Whether a passage with this fingerprint is still what the file says. */
export function isNotePassage(fingerprint: string | undefined, note: Note): boolean {
  return fingerprint?.startsWith(hashOf(note) + TOKENS) ?? false;
}

/** Estimated tokens of the text that the passage was made of. */
export function tokensIn(fingerprint: string | undefined): number {
  return Number(fingerprint?.split(TOKENS)[1] ?? 0);
}

/** A note as search knows it: its folder and its own headings for headings, its id and tags for keywords. */
export function notePassage({ note, body }: NoteText): Passage {
  const { uri, title, zettel_id, tags, space, category, file, entry_type } = note;
  const own = note.headings.map((heading) => heading.title).filter((heading) => heading !== title);
  return {
    uri,
    title,
    headings: [...foldersOf(note), ...own.slice(0, MOST_HEADINGS)],
    keywords: [...new Set([zettel_id, ...tags])],
    body,
    facets: {
      kind: 'note',
      space: category === '' ? space : `${space}/${category}`,
      type: entry_type ?? 'note',
      path: file,
      ...(tags.length > 0 ? { tags: [...tags] } : {}),
    },
    fingerprint: `${hashOf(note)}${TOKENS}${estimateTokens(body)}`,
  };
}

/** The folders that it lies in, outermost first. */
export function foldersOf({ category }: Note): string[] {
  return category === '' ? [] : category.split('/');
}

/** Of the file's bytes, and of its place and title, which may follow from its name. */
function hashOf({ content_hash, file, title, zettel_id }: Note): string {
  return createHash('sha1').update([VERSION, content_hash, file, title, zettel_id].join('\0')).digest('base64url');
}
