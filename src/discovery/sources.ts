import { KNOWLEDGE_SCHEME, parseEntryUri, parseNoteUri } from '../core/knowledge-uri';

/** The source of a scope's entries in the index. */
export function entriesSource(scopeId: string): string {
  return `entries:${scopeId}`;
}

/** The source of a base's nodes. */
export function nodesSource(base: string): string {
  return `base:${base}`;
}

/** The source of a space's notes. */
export function notesSource(space: string): string {
  return `notes:${space}`;
}

/** The source that an address is indexed in. */
export function sourceOf(uri: string): string {
  const entry = parseEntryUri(uri);
  if (entry) return entriesSource(entry.scope_id);
  const note = parseNoteUri(uri);
  if (note) return notesSource(note.space);
  const start = `${KNOWLEDGE_SCHEME}://`.length;
  const end = uri.indexOf('/', start);
  return nodesSource(uri.slice(start, end < 0 ? uri.length : end));
}
