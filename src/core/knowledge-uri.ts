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
