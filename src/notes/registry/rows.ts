import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { ENTRY_TYPES, type NoteFields, SOURCE_TYPES } from '../vocabulary';
import type { RegistryEntry } from './model';

/**
 * What the tables hold, as notes. Whoever may write to the database may have written anything: words that are none of
 * the vocabulary's are left out.
 */

/** Times as milliseconds, so that no setting of the server decides how they are written. */
export const milliseconds = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

export interface FieldsRow {
  zettel_id: string;
  title: string;
  category: string;
  entry_type: string;
  tags: string[];
  source_type: string | null;
  source_url: string | null;
  version: string;
  created_ms: number | null;
  updated_ms: number | null;
}

/** The columns of a `FieldsRow`, of the table that is called so. */
export const fieldColumns = (table: string) =>
  [
    ...['zettel_id', 'title', 'category', 'entry_type', 'tags', 'source_type', 'source_url', 'version'].map(
      (column) => `${table}.${column}`,
    ),
    `${milliseconds(`${table}.created_at`)} AS created_ms`,
    `${milliseconds(`${table}.updated_at`)} AS updated_ms`,
  ].join(', ');

export interface VersionRow extends FieldsRow {
  document: string;
  content_length: number;
  content_hash: string;
  published_by: string;
  published_ms: number;
}

/** 4 MB of UTF-16 code units; of what is longer nobody is the reader. */
export const MAX_DOCUMENT = 4_000_000;

/** The columns of a `VersionRow`; of a document that is too long, enough to show it. */
export const versionColumns = (table: string) =>
  [
    fieldColumns(table),
    `left(${table}.document, ${MAX_DOCUMENT + 1}) AS document, ${table}.content_length, ${table}.content_hash, ${table}.published_by`,
    `${milliseconds(`${table}.published_at`)} AS published_ms`,
  ].join(', ');

export function fieldsOf(row: FieldsRow): NoteFields & { version: string; category: string } {
  return {
    zettel_id: row.zettel_id,
    title: row.title,
    category: row.category,
    entry_type: ENTRY_TYPES.find((type) => type === row.entry_type),
    tags: row.tags,
    source_type: SOURCE_TYPES.find((type) => type === row.source_type),
    source_url: row.source_url ?? undefined,
    created_at: timeOf(row.created_ms),
    updated_at: timeOf(row.updated_ms),
    version: row.version,
  };
}

/** Throws `registry_failed` for an entry that no publish has written. */
export function entryOf(row: VersionRow): RegistryEntry {
  if (row.document.length > MAX_DOCUMENT) {
    throw new KaizenError(
      'registry_failed',
      sentence('The note "{0}" in the registry has more than {1} characters.', row.zettel_id, MAX_DOCUMENT),
      sentence('Kaizen did not publish it. Ask who runs the registry.'),
    );
  }
  return {
    ...fieldsOf(row),
    version: row.version,
    content: row.document.slice(row.document.length - row.content_length),
    document: row.document,
    content_hash: row.content_hash,
    published_by: row.published_by,
    published_at: timeOf(row.published_ms) ?? '',
  };
}

/** ISO 8601; undefined where there is none, or one that no calendar has (`infinity`). */
export function timeOf(milliseconds: number | null): string | undefined {
  if (milliseconds === null || !(Math.abs(milliseconds) <= 8.64e15)) return undefined;
  return new Date(milliseconds).toISOString();
}
