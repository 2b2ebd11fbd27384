import { writeFlowList, writeForeignScalar } from '../../frontmatter';
import type { NoteInput } from '../model';
import type { RelationshipType } from '../vocabulary';
import { trimmed } from './edit';

export interface NoteFormat {
  /** Milliseconds since 1970: what `created_at` and `updated_at` say, unless told. */
  now: number;
  lineEnd?: '\n' | '\r\n' | undefined;
  created_at?: string | undefined;
  updated_at?: string | undefined;
  version?: string | undefined;
  relationships?: Partial<Record<RelationshipType, readonly string[]>> | undefined;
  /** Keys of somebody else's, behind all others. */
  others?: Readonly<Record<string, string | readonly string[]>> | undefined;
}

/** A new note's file, as seed 004 shows it. What `parseNote` reads is what went in, and what any YAML library reads. */
export function formatNote(input: Omit<NoteInput, 'category'>, format: NoteFormat): string {
  const now = noteTime(format.now);
  const lines = [
    ...line('zettel_id', input.zettel_id),
    ...line('title', input.title),
    ...line('entry_type', input.entry_type),
    ...line('tags', input.tags),
    ...line('source_type', input.source_type),
    ...line('source_url', input.source_url),
    ...line('created_at', format.created_at ?? now),
    ...line('updated_at', format.updated_at ?? now),
    ...line('version', format.version),
  ];
  const relationships = Object.entries(format.relationships ?? {}).flatMap(([type, list]) => line(`  ${type}`, list));
  if (relationships.length > 0) lines.push('relationships:', ...relationships);
  for (const [key, value] of Object.entries(format.others ?? {})) {
    lines.push(
      ...(typeof value === 'string'
        ? line(writeForeignScalar(key), value, true)
        : line(writeForeignScalar(key), value)),
    );
  }
  const content = trimmed(input.content);
  const text = ['---', ...lines, '---', '', ...(content === '' ? [] : [content, ''])].join('\n');
  const lf = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  return format.lineEnd === '\r\n' ? lf.replaceAll('\n', '\r\n') : lf;
}

/** `2025-01-15T10:00:00Z`, as seed 004 writes times. */
export function noteTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

function line(key: string, value: string | readonly string[] | undefined, isEmptyKept = false): string[] {
  if (value === undefined || (value.length === 0 && !isEmptyKept)) return [];
  return [`${key}: ${typeof value === 'string' ? writeForeignScalar(value) : writeFlowList(value)}`];
}
