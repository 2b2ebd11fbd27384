import { compareText } from '../core/text';
import type { Reader } from '../store';
import { parseMetaknowledge } from './entries';
import type { EntryKey, EntryText } from './model';

interface Row {
  category: string;
  keyword: string;
  content: string;
  metaknowledge: string;
}

const TEXTS = `SELECT c.name AS category, e.keyword, e.content, e.metaknowledge
  FROM category c CROSS JOIN entry e ON e.category_id = c.id`;

/** See `KnowledgePart.entryTexts`. */
export function readTexts(
  reader: Reader,
  scopeId: string,
  after: Pick<EntryKey, 'category' | 'keyword'> | undefined,
  limit: number,
): EntryText[] {
  // First what is left of the category, then those behind it: each goes straight to its place in an index.
  const rows = after
    ? reader.all<Row>(`${TEXTS} WHERE c.scope_id = ? AND c.name = ? AND e.keyword > ? ORDER BY e.keyword LIMIT ?`, [
        scopeId,
        after.category,
        after.keyword,
        limit,
      ])
    : [];
  if (rows.length < limit) {
    rows.push(
      ...reader.all<Row>(`${TEXTS} WHERE c.scope_id = ? AND c.name > ? ORDER BY c.name, e.keyword LIMIT ?`, [
        scopeId,
        after?.category ?? '',
        limit - rows.length,
      ]),
    );
  }
  return rows.map(({ metaknowledge, ...row }) => ({
    scope_id: scopeId,
    ...row,
    metaknowledge: parseMetaknowledge(metaknowledge),
  }));
}

/** See `KnowledgePart.keywordsFrom`. */
export function readKeywordsFrom(readers: readonly Reader[], beginning: string, limit: number): EntryKey[] {
  // No text that begins with it sorts behind it and the last code point.
  const end = `${beginning}\u{10FFFF}`;
  return readers
    .flatMap((reader) =>
      reader.all<EntryKey>(
        `SELECT e.scope_id, c.name AS category, e.keyword
         FROM entry e CROSS JOIN category c ON c.id = e.category_id
         WHERE e.keyword >= ? AND e.keyword < ? ORDER BY e.keyword, e.scope_id LIMIT ?`,
        [beginning, end, limit],
      ),
    )
    .sort((a, b) => compareText(a.keyword, b.keyword) || compareText(a.scope_id, b.scope_id))
    .slice(0, limit);
}
