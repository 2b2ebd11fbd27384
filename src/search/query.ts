import type { QuerySyntax } from './model';

const MAX_QUERY = 4_096;
/** Phrases, exclusions and filters, of each; what is beyond narrows nothing. */
const MAX_PARTS = 16;
const FIELD_NAMES = ['tag', 'type', 'status', 'in'] as const;
export type QueryField = (typeof FIELD_NAMES)[number];

/** What a query says. */
export interface Query {
  /** What is looked for in words, phrases included, as one text. */
  texts: string[];
  /** Texts that must stand in the passage as they are. */
  phrases: string[];
  /** Texts that must not. */
  excluded: string[];
  filters: { field: QueryField; value: string }[];
  /** Whether the last word may be the beginning of one. */
  openEnd: boolean;
}

const PART = /((?:-(?!-))?)(?:(tag|type|status|in):)?(?:"([^"]*)"?|(\S+))/giu;

/** Reads a query. Never throws: what is no syntax is a word. */
export function parseQuery(text: string, syntax: QuerySyntax): Query {
  const query: Query = { texts: [], phrases: [], excluded: [], filters: [], openEnd: false };
  const read = text.slice(0, MAX_QUERY);
  if (syntax === 'words') return { ...query, texts: [read] };
  for (const [whole, minus, field, quoted, plain] of read.matchAll(PART)) {
    const value = quoted ?? plain ?? '';
    query.openEnd = false;
    if (field) {
      if (value !== '') query.filters.push({ field: field.toLowerCase() as QueryField, value });
    } else if (minus) {
      if (value !== '') query.excluded.push(value);
    } else if (quoted !== undefined) {
      if (quoted.trim() !== '') query.phrases.push(quoted);
    } else {
      query.texts.push(whole);
      query.openEnd = true;
    }
  }
  if (/\s$/u.test(read)) query.openEnd = false;
  const phrases = [...new Set(query.phrases)];
  return {
    ...query,
    texts: [...phrases.slice(MAX_PARTS), ...query.texts],
    phrases: phrases.slice(0, MAX_PARTS),
    excluded: [...new Set(query.excluded)].slice(0, MAX_PARTS),
    filters: query.filters.slice(0, MAX_PARTS),
  };
}
