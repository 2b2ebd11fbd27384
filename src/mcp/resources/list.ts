import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { BaseFile, BasesPart } from '../../bases';
import { entryUri } from '../../core/knowledge-uri';
import { compareText } from '../../core/text';
import type { KaizenParts } from '../../kaizen';
import type { ResolvedEntry } from '../../knowledge';
import type { SourceListing } from '../../library';
import type { Note, NotesPart } from '../../notes';
import { indexed } from '../first-indexing';
import { fileUri } from './address';
import { documentMetadata } from './documents';
import type { Metadata } from './metadata';
import { MARKDOWN, nodeMetadata, noteMetadata } from './read';
import { type ListedRecord, placeOf, recordMetadata } from './records';

/** As `resources/list` shows it. */
type ListedResource = {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
  size?: number;
  _meta: Metadata;
};

export type ResourcePage = { resources: ListedResource[]; nextCursor?: string };

const PAGE = 100;
const MAX_CURSOR = 4_096;

/** What a page ended with, so that the next one goes on behind it, whatever came or went meanwhile. */
type Position =
  | { file: [base: string, file: string] }
  | { entry: [category: string, keyword: string] }
  | { note: [space: string, file: string] }
  | { document: [title: string, documentId: string] }
  | { record: [kind: string, place: string] };

/** What is listed: the library's documents and captured records as they were asked for, since they are not always. */
type Listed = Pick<KaizenParts, 'bases' | 'knowledge' | 'notes'> & {
  documents?: readonly SourceListing[];
  /** In their order. */
  records?: readonly ListedRecord[];
};

/**
 * One page of the files of the knowledge bases, by base and path, then of the entries that hold for the project, by
 * category and keyword, then of the notes, by space and path, then of the library's documents, by title, and then of
 * captured records, by kind and title. Throws `InvalidParams` for a cursor that none of these pages had.
 */
export async function listResources(
  parts: Listed,
  project: string | undefined,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ResourcePage> {
  const after = cursor === undefined ? undefined : readCursor(cursor);
  // The list is whole or it misleads: who lists it does not ask again by itself, until it hears of a change.
  await Promise.all([indexed(parts.bases, signal), indexed(parts.notes, signal)]);
  const found: { resource: ListedResource; at: Position }[] = [];
  // One more than a page tells whether there is another.
  for (const row of rows(parts, project, after)) {
    found.push(row);
    if (found.length > PAGE) break;
  }
  const shown = found.slice(0, PAGE);
  const last = found.length > PAGE ? shown.at(-1) : undefined;
  return {
    resources: shown.map(({ resource }) => resource),
    ...(last ? { nextCursor: Buffer.from(JSON.stringify(last.at)).toString('base64url') } : {}),
  };
}

function* rows(parts: Listed, project: string | undefined, after: Position | undefined) {
  const { notes, documents = [], records = [] } = parts;
  if (after && 'record' in after) return yield* recordRows(records, after.record);
  if (after && 'document' in after) {
    yield* documentRows(documents, after.document);
    return yield* recordRows(records);
  }
  if (after === undefined || !('note' in after)) yield* filesAndEntries(parts, project, after);
  yield* notesRows(notes, after && 'note' in after ? after.note : undefined);
  yield* documentRows(documents);
  yield* recordRows(records);
}

function* recordRows(records: readonly ListedRecord[], after?: [string, string]) {
  for (const record of records) {
    const at: [string, string] = [record.kind, placeOf(record)];
    if (after && isBehind(at, after)) continue;
    yield { resource: listedRecord(record), at: { record: at } as Position };
  }
}

function* documentRows(documents: readonly SourceListing[], after?: [string, string]) {
  for (const document of documents) {
    const at: [string, string] = [document.title, document.document_id];
    if (after && isBehind(at, after)) continue;
    yield { resource: listedDocument(document), at: { document: at } as Position };
  }
}

function* notesRows(notes: NotesPart, after: [string, string] | undefined) {
  const sorted = [...notes.notes()].sort((a, b) => compareText(a.space, b.space) || compareText(a.file, b.file));
  for (const note of sorted) {
    if (after && isBehind([note.space, note.file], after)) continue;
    yield { resource: listedNote(note), at: { note: [note.space, note.file] } as Position };
  }
}

function* filesAndEntries(
  { bases, knowledge }: Listed,
  project: string | undefined,
  after: Exclude<Position, { note: unknown } | { document: unknown } | { record: unknown }> | undefined,
) {
  if (after === undefined || 'file' in after) {
    const files = bases.files().sort((a, b) => compareText(a.base, b.base) || compareText(a.file, b.file));
    for (const file of files) {
      if (after && isBehind([file.base, file.file], after.file)) continue;
      yield { resource: listedFile(bases, file), at: { file: [file.base, file.file] } as Position };
    }
  }
  if (project === undefined || !knowledge.listScopes().some(({ scope_id }) => scope_id === project)) return;
  const from = after && 'entry' in after ? after.entry : undefined;
  for (const { category } of knowledge.effectiveCategories(project)) {
    if (from && compareText(category, from[0]) < 0) continue;
    for (const entry of knowledge.effectiveEntries(project, category)) {
      if (from && isBehind([category, entry.keyword], from)) continue;
      yield { resource: listedEntry(entry), at: { entry: [category, entry.keyword] } as Position };
    }
  }
}

function listedFile(bases: BasesPart, { base, file, size, nodes: [root] }: BaseFile): ListedResource {
  const title = root?.title ?? file;
  return {
    uri: root?.uri ?? fileUri(base, file),
    name: title,
    title,
    description: `${base}/${file}`,
    mimeType: MARKDOWN,
    size,
    _meta: root ? nodeMetadata(bases, root) : {},
  };
}

function listedEntry(entry: ResolvedEntry): ListedResource {
  const { source_scope: scope_id, source_tier: tier, category, keyword } = entry;
  const uri = entryUri({ scope_id, category, keyword });
  return {
    uri,
    name: keyword,
    title: keyword,
    description: `${category}, from ${scope_id} (${tier})`,
    mimeType: MARKDOWN,
    _meta: { id: uri, type: 'entry', status: 'active', risks: entry.risks.map(({ level }) => level) },
  };
}

function listedNote(note: Note): ListedResource {
  const { uri, title, space, file } = note;
  const description = `${file} of the ${space}'s notes`;
  return { uri, name: title, title, description, mimeType: MARKDOWN, _meta: noteMetadata(note) };
}

function listedDocument(document: SourceListing): ListedResource {
  const { uri, title, document_type, source_path } = document;
  const description = `${document_type} in the library, from ${source_path === 'content:' ? 'given text' : source_path}`;
  return { uri, name: title, title, description, mimeType: MARKDOWN, _meta: documentMetadata(document) };
}

function listedRecord(listed: ListedRecord): ListedResource {
  const { kind, uri, title, record } = listed;
  const isBuiltIn = 'is_built_in' in record && record.is_built_in;
  const description = isBuiltIn ? `${kind} of the product` : `${kind}, captured by ${record.author}`;
  return { uri, name: title, title, description, mimeType: MARKDOWN, _meta: recordMetadata(listed) };
}

/** Whether the first was given already when a page ended with the second. */
function isBehind(a: [string, string], b: [string, string]): boolean {
  return (compareText(a[0], b[0]) || compareText(a[1], b[1])) <= 0;
}

const KINDS: readonly string[] = ['file', 'entry', 'note', 'document', 'record'];

function readCursor(cursor: string): Position {
  try {
    const value: unknown = cursor.length <= MAX_CURSOR && JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (typeof value === 'object' && value !== null) {
      const [[kind, at] = [], ...more] = Object.entries(value);
      const isPair = Array.isArray(at) && at.length === 2 && at.every((part) => typeof part === 'string');
      if (kind !== undefined && KINDS.includes(kind) && isPair && more.length === 0) return value as Position;
    }
  } catch {
    // Not one of ours.
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is none that this server gave.');
}
