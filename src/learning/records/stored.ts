import type { Reader } from '../../store';
import type { LearnedRecord, LearnedRecords } from '../records-model';
import type { LearnedKind } from '../vocabulary';

/** Records that are there without being stored. */
export type BuiltIn = ReadonlyMap<string, LearnedRecords['pattern']>;

/** JSON of a pattern of the product that is hidden. */
export const HIDDEN = 'null';

/** The JSON of a record's row; undefined for none. */
export function jsonOf(reader: Reader, kind: LearnedKind, id: string): string | undefined {
  return reader.get<{ json: string }>('SELECT json FROM learning_record WHERE kind = ? AND id = ?', [kind, id])?.json;
}

/** Null for one that is hidden. */
export function parse(json: string): LearnedRecord | null {
  return JSON.parse(json) as LearnedRecord | null;
}

/** What the JSON of a row stands for; undefined for nothing. Without a row there is what came with the product. */
export function recordIn(
  builtIn: BuiltIn,
  kind: LearnedKind,
  id: string,
  json: string | null | undefined,
): LearnedRecord | undefined {
  if (json !== undefined && json !== null) return parse(json) ?? undefined;
  return kind === 'pattern' ? builtIn.get(id) : undefined;
}
