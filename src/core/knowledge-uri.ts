/** The address of an entry: `knowledge://scopes/<scope_id>/<category>/<keyword>`, each part percent-encoded. */
export interface EntryAddress {
  scope_id: string;
  category: string;
  keyword: string;
}

export const KNOWLEDGE_SCHEME = 'knowledge';

/** The authority of entries' addresses; other kinds of knowledge have others. */
export const SCOPES_AUTHORITY = 'scopes';

export function entryUri(address: EntryAddress): string {
  return `${KNOWLEDGE_SCHEME}://${SCOPES_AUTHORITY}${entryPath(address)}`;
}

/** The path alone, starting with a slash. */
export function entryPath({ scope_id, category, keyword }: EntryAddress): string {
  return `/${[scope_id, category, keyword].map(encodeURIComponent).join('/')}`;
}

const ENTRY_URI = `${KNOWLEDGE_SCHEME}://${SCOPES_AUTHORITY}/`;

/** Undefined when the text is not the address of an entry. */
export function parseEntryUri(uri: string): EntryAddress | undefined {
  return uri.startsWith(ENTRY_URI) ? parseEntryPath(uri.slice(ENTRY_URI.length)) : undefined;
}

/** Undefined when the path does not name an entry. */
export function parseEntryPath(path: string): EntryAddress | undefined {
  const parts = path.replace(/^\//, '').split('/');
  if (parts.length !== 3 || parts.some((part) => part === '')) return undefined;
  try {
    const [scope_id, category, keyword] = parts.map(decodeURIComponent) as [string, string, string];
    return { scope_id, category, keyword };
  } catch {
    return undefined;
  }
}

/** The authority of notes' addresses: `knowledge://notes/<space>/<zettel_id>`. */
export const NOTES_AUTHORITY = 'notes';

const NOTE_URI = `${KNOWLEDGE_SCHEME}://${NOTES_AUTHORITY}/`;

export function noteUri(space: string, zettelId: string): string {
  return `${NOTE_URI}${[space, zettelId].map(encodeURIComponent).join('/')}`;
}

/** Undefined when the text is not the address of a note. */
export function parseNoteUri(uri: string): { space: string; zettel_id: string } | undefined {
  if (!uri.startsWith(NOTE_URI)) return undefined;
  const parts = uri.slice(NOTE_URI.length).split('/');
  if (parts.length !== 2 || parts.some((part) => part === '')) return undefined;
  try {
    const [space, zettel_id] = parts.map(decodeURIComponent) as [string, string];
    return { space, zettel_id };
  } catch {
    return undefined;
  }
}

/** The authority of the library's addresses: `knowledge://library/<document_id>#<chunk>`, without the chunk the document. */
export const LIBRARY_AUTHORITY = 'library';

const LIBRARY_URI = `${KNOWLEDGE_SCHEME}://${LIBRARY_AUTHORITY}/`;

export function libraryUri(documentId: string, chunk?: string): string {
  const document = `${LIBRARY_URI}${encodeURIComponent(documentId)}`;
  return chunk === undefined ? document : `${document}#${encodeURIComponent(chunk)}`;
}

/** Undefined when the text is not the address of a document or one of its chunks. */
export function parseLibraryUri(uri: string): { document_id: string; chunk?: string } | undefined {
  if (!uri.startsWith(LIBRARY_URI)) return undefined;
  const match = /^([^/#]+)(?:#([^#]+))?$/.exec(uri.slice(LIBRARY_URI.length));
  if (!match) return undefined;
  try {
    const document_id = decodeURIComponent(match[1]!);
    return match[2] === undefined ? { document_id } : { document_id, chunk: decodeURIComponent(match[2]) };
  } catch {
    return undefined;
  }
}

/** The authority of what was captured: `knowledge://learning/<kind>/<id>`; src/learning names the kinds. */
export const LEARNING_AUTHORITY = 'learning';

const LEARNING_URI = `${KNOWLEDGE_SCHEME}://${LEARNING_AUTHORITY}/`;

export function learningUri(kind: string, id: string): string {
  return `${LEARNING_URI}${[kind, id].map(encodeURIComponent).join('/')}`;
}

/** Undefined when the text is not the address of a captured record. */
export function parseLearningUri(uri: string): { kind: string; id: string } | undefined {
  if (!uri.startsWith(LEARNING_URI)) return undefined;
  const parts = uri.slice(LEARNING_URI.length).split('/');
  if (parts.length !== 2 || parts.some((part) => part === '')) return undefined;
  try {
    const [kind, id] = parts.map(decodeURIComponent) as [string, string];
    return { kind, id };
  } catch {
    return undefined;
  }
}
