import type { EntryAddress } from '../../core/knowledge-uri';
import {
  KNOWLEDGE_SCHEME,
  LEARNING_AUTHORITY,
  LIBRARY_AUTHORITY,
  NOTES_AUTHORITY,
  parseEntryPath,
  parseLearningUri,
  parseLibraryUri,
  parseNoteUri,
  SCOPES_AUTHORITY,
} from '../../core/knowledge-uri';

/** What a resource's URI names: an entry, a note, a document of the library or a passage of it, a captured record, or a file of a knowledge base and a node in it. */
export type ResourceAddress =
  | ({ kind: 'entry' } & EntryAddress)
  | { kind: 'note'; space: string; zettel_id: string }
  | { kind: 'document'; document_id: string; chunk?: string }
  | { kind: 'record'; record_kind: string; id: string }
  | {
      kind: 'file';
      base: string;
      /** Relative to the base, `/` between its parts, decoded. */
      file: string;
      /** Anchor or id of a node, decoded; undefined for the whole file. */
      node: string | undefined;
    };

export const MAX_URI = 8_192;
const URI = /^([^:/?#]+):\/\/([^/?#]+)\/([^?#]+)(?:#(.*))?$/s;

/**
 * Reads a URI as it was written: nothing is resolved or normalised, so `..` cannot lead anywhere. Undefined for what
 * names no entry, no note, no document, no record and no file inside a base: parts that are empty, `.` or `..`, that hold
 * a separator, a control character or a drive once they are decoded, queries, and bad percent-encoding.
 */
export function parseAddress(uri: string): ResourceAddress | undefined {
  const [, scheme, authority, path, fragment] = (uri.length <= MAX_URI && URI.exec(uri)) || [];
  if (scheme?.toLowerCase() !== KNOWLEDGE_SCHEME || authority === undefined || path === undefined) return undefined;
  if (authority.toLowerCase() === SCOPES_AUTHORITY) {
    const entry = fragment === undefined ? parseEntryPath(path) : undefined;
    return entry && { kind: 'entry', ...entry };
  }
  if (authority.toLowerCase() === NOTES_AUTHORITY) {
    const note = fragment === undefined ? parseNoteUri(`${KNOWLEDGE_SCHEME}://${NOTES_AUTHORITY}/${path}`) : undefined;
    return note && isName(note.space) && isName(note.zettel_id) ? { kind: 'note', ...note } : undefined;
  }
  if (authority.toLowerCase() === LIBRARY_AUTHORITY) {
    const place = fragment ? `${path}#${fragment}` : path;
    const document = parseLibraryUri(`${KNOWLEDGE_SCHEME}://${LIBRARY_AUTHORITY}/${place}`);
    return document && isName(document.document_id) ? { kind: 'document', ...document } : undefined;
  }
  if (authority.toLowerCase() === LEARNING_AUTHORITY) {
    const uri = `${KNOWLEDGE_SCHEME}://${LEARNING_AUTHORITY}/${path}`;
    const record = fragment === undefined ? parseLearningUri(uri) : undefined;
    if (!record || !isName(record.kind) || !isName(record.id)) return undefined;
    return { kind: 'record', record_kind: record.kind, id: record.id };
  }
  const base = decode(authority);
  const parts = path.split('/').map(decode);
  const node = fragment ? decode(fragment) : undefined;
  if (base === undefined || !parts.every(isName) || (fragment && node === undefined)) return undefined;
  return { kind: 'file', base, file: parts.join('/'), node };
}

/** The same for all spellings of an address; hosts of URIs have no case. */
export function addressKey(address: ResourceAddress): string {
  if (address.kind === 'entry') return JSON.stringify([address.scope_id, address.category, address.keyword]);
  if (address.kind === 'note') return noteKey(address.space, address.zettel_id);
  if (address.kind === 'document') return documentKey(address.document_id);
  if (address.kind === 'record') return recordKey(address.record_kind, address.id);
  return nodeKey(address.base, address.file, address.node);
}

export function nodeKey(base: string, file: string, node?: string): string {
  return `${base.toLowerCase()}/${file}${node === undefined ? '' : `#${node}`}`;
}

export function noteKey(space: string, zettelId: string): string {
  return JSON.stringify([NOTES_AUTHORITY, space, zettelId]);
}

/** Also of its passages: who follows one of them is told when the document changes. */
export function documentKey(documentId: string): string {
  return JSON.stringify([LIBRARY_AUTHORITY, documentId]);
}

export function recordKey(kind: string, id: string): string {
  return JSON.stringify([LEARNING_AUTHORITY, kind, id]);
}

export function fileUri(base: string, file: string): string {
  return `${KNOWLEDGE_SCHEME}://${base}/${file.split('/').map(encodeURIComponent).join('/')}`;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function isName(part: string | undefined): part is string {
  if (part === undefined || part === '' || part === '.' || part === '..') return false;
  return !/[\\/]|\p{Cc}|^[A-Za-z]:/u.test(part);
}
