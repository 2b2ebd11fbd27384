import * as vscode from 'vscode';
import { KNOWLEDGE_SCHEME, SCOPES_AUTHORITY } from '../../core/knowledge-uri';
import type { EntryKey } from '../../knowledge';

const EXTENSION = '.md';
/** Read-only documents of what waits for review: `knowledge://proposals/<id>/<keyword>.md`. */
const PROPOSALS_AUTHORITY = 'proposals';
/** The query of a proposal's other side. */
const BEFORE = 'before';
const REVISION = /^revision=(\d{1,9})$/;

/**
 * The entry's address as a document: `knowledge://scopes/<scope>/<category>/<keyword>.md`, readable in titles and paths.
 * A name is changed only where it would not be one segment of a path.
 */
export function documentUri({ scope_id, category, keyword }: EntryKey): vscode.Uri {
  return knowledgeUri(SCOPES_AUTHORITY, [scope_id, category, keyword + EXTENSION]);
}

/** What the entry held after a revision, as a read-only document, for comparing. */
export function revisionUri(key: EntryKey, revision: number): vscode.Uri {
  return documentUri(key).with({ query: `revision=${revision}` });
}

/** What a proposal would make of what is stored, or what is stored now, as a read-only document: the sides of a diff. */
export function proposalUri(id: number, title: string, side: 'before' | 'after' = 'after'): vscode.Uri {
  const uri = knowledgeUri(PROPOSALS_AUTHORITY, [String(id), title + EXTENSION]);
  return side === 'after' ? uri : uri.with({ query: BEFORE });
}

/** The entry that a document shows, in whatever revision. */
export function entryOf(uri: vscode.Uri): EntryKey | undefined {
  if (uri.scheme !== KNOWLEDGE_SCHEME || uri.authority !== SCOPES_AUTHORITY || !uri.path.endsWith(EXTENSION)) {
    return undefined;
  }
  const names = namesIn(uri.path.slice(0, -EXTENSION.length));
  const [scope_id, category, keyword] = names;
  return names.length === 3 && scope_id && category && keyword ? { scope_id, category, keyword } : undefined;
}

/** The revision that a document shows; undefined for the entry as it is. */
export function revisionOf(uri: vscode.Uri): number | undefined {
  const match = REVISION.exec(uri.query);
  return match ? Number(match[1]) : undefined;
}

/** Whether the document shows an entry as it is, which can be typed into and saved. */
export function isWritableEntry(uri: vscode.Uri): boolean {
  return entryOf(uri) !== undefined && revisionOf(uri) === undefined;
}

export function proposalOf(uri: vscode.Uri): number | undefined {
  if (uri.scheme !== KNOWLEDGE_SCHEME || uri.authority !== PROPOSALS_AUTHORITY) return undefined;
  const [id] = namesIn(uri.path);
  return id && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}

/** Whether the document shows what would be, and not what is. */
export function isProposedSide(uri: vscode.Uri): boolean {
  return uri.query !== BEFORE;
}

/** The names that a path is made of, as they are stored. */
export function namesIn(path: string): string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => segment.replace(/%(2F|5C|2E|25)/g, (escaped) => decodeURIComponent(escaped)));
}

function knowledgeUri(authority: string, names: readonly string[]): vscode.Uri {
  return vscode.Uri.from({ scheme: KNOWLEDGE_SCHEME, authority, path: `/${names.map(segmentOf).join('/')}` });
}

/** A name as one segment of a path; `namesIn` gives it back. */
export function segmentOf(name: string): string {
  const safe = name.replaceAll('%', '%25').replaceAll('/', '%2F').replaceAll('\\', '%5C');
  // A path made of dots would lead somewhere else.
  return /^\.+$/.test(safe) ? safe.replaceAll('.', '%2E') : safe;
}
