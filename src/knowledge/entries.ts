import { isoTime } from '../core/clock';
import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { compareText } from '../core/text';
import type { Reader, Transaction } from '../store';
import type { Change, EntryKey, Metaknowledge, Page, RevisionAction, StoredEntry } from './model';
import { checkAuthor, checkProjectContext, checkReason, nearest } from './names';
import { parseRisks } from './risk';
import { entriesTopic, entryTopic, manyEntriesTopic, namesTopic } from './schema';

/** The state of an entry: what a change leads to. Null stands for "no entry". */
export type EntryState = { content: string; metaknowledge: Metaknowledge } | null;

/** Who makes a change and why, as a revision keeps it. */
export type Authorship = Pick<Change, 'author' | 'project_context' | 'reason' | 'by_agent'>;

interface EntryRow {
  keyword: string;
  content: string;
  metaknowledge: string;
  at: number;
  author: string;
}

/** Entries of one category in one scope, with who changed them last and when. */
const ENTRIES = `
  SELECT e.keyword, e.content, e.metaknowledge, r.at, r.author
  FROM category c
  JOIN entry e ON e.category_id = c.id
  JOIN revision r ON r.scope_id = c.scope_id AND r.category = c.name AND r.keyword = e.keyword
    AND r.number = (SELECT max(number) FROM revision l
                    WHERE l.scope_id = c.scope_id AND l.category = c.name AND l.keyword = e.keyword)
  WHERE c.scope_id = ? AND c.name = ?`;

/** The entry at `key`, or undefined. */
export function readEntry(reader: Reader, key: EntryKey): StoredEntry | undefined {
  const row = reader.get<EntryRow>(`${ENTRIES} AND e.keyword = ?`, [key.scope_id, key.category, key.keyword]);
  return row && storedEntry(key, row);
}

/** The entries at `keys`, in their order; those that do not exist are left out. One statement, however many there are. */
export function readEntries(reader: Reader, keys: readonly EntryKey[]): StoredEntry[] {
  return reader
    .all<EntryRow & { position: number }>(
      `SELECT j.key AS position, e.keyword, e.content, e.metaknowledge, r.at, r.author
       FROM json_each(?) j
       CROSS JOIN category c ON c.scope_id = j.value ->> 0 AND c.name = j.value ->> 1
       CROSS JOIN entry e ON e.category_id = c.id AND e.keyword = j.value ->> 2
       CROSS JOIN revision r ON r.scope_id = c.scope_id AND r.category = c.name AND r.keyword = e.keyword
         AND r.number = (SELECT max(number) FROM revision l
                         WHERE l.scope_id = c.scope_id AND l.category = c.name AND l.keyword = e.keyword)
       ORDER BY j.key`,
      [JSON.stringify(keys.map(({ scope_id, category, keyword }) => [scope_id, category, keyword]))],
    )
    .map((row) => {
      const { scope_id, category, keyword } = keys[row.position]!;
      return storedEntry({ scope_id, category, keyword }, row);
    });
}

/** The entries of one category in one scope, sorted by keyword. */
export function readCategory(reader: Reader, scopeId: string, category: string, page?: Page): StoredEntry[] {
  // Pages follow the index: beyond the basic plane its order (UTF-8) is not that of `compareText` (UTF-16).
  const rows = page
    ? reader.all<EntryRow>(`${ENTRIES} ORDER BY e.keyword LIMIT ? OFFSET ?`, [
        scopeId,
        category,
        page.limit,
        page.offset,
      ])
    : reader.all<EntryRow>(ENTRIES, [scopeId, category]).sort((a, b) => compareText(a.keyword, b.keyword));
  return rows.map((row) => storedEntry({ scope_id: scopeId, category, keyword: row.keyword }, row));
}

function storedEntry(key: EntryKey, row: EntryRow): StoredEntry {
  return {
    ...key,
    content: row.content,
    metaknowledge: parseMetaknowledge(row.metaknowledge),
    risks: parseRisks(row.content),
    updated_at: isoTime(row.at),
    author: row.author,
  };
}

/**
 * Brings the entry at `key` to `state` and records the change as a revision, all within the transaction.
 * The revision takes over the previous content from the entry, so no content is kept twice.
 */
export function writeEntry(
  transaction: Transaction,
  key: EntryKey,
  state: EntryState,
  action: RevisionAction,
  change: Authorship,
  at: number,
): void {
  const { scope_id, category, keyword } = key;
  const author = checkAuthor(change.author);
  const context = checkProjectContext(change.project_context ?? '');
  const reason = checkReason(change.reason);
  if (!transaction.get('SELECT 1 FROM scope WHERE id = ?', [scope_id])) {
    throw new KaizenError('unknown_scope', sentence('The scope "{0}" was deleted meanwhile.', scope_id));
  }
  transaction.run(
    `INSERT INTO revision
       (scope_id, category, keyword, number, action, at, author, by_agent, project_context, reason, previous_content, previous_metaknowledge)
     SELECT ?1, ?2, ?3,
       (SELECT coalesce(max(number), 0) + 1 FROM revision WHERE scope_id = ?1 AND category = ?2 AND keyword = ?3),
       ?4, ?5, ?6, ?7, ?8, ?9, e.content, e.metaknowledge
     FROM (SELECT 1) LEFT JOIN entry e
       ON e.category_id = (SELECT id FROM category WHERE scope_id = ?1 AND name = ?2) AND e.keyword = ?3`,
    [scope_id, category, keyword, action, at, author, change.by_agent ? 1 : 0, context, reason],
  );
  if (state === null) {
    transaction.run(
      'DELETE FROM entry WHERE category_id = (SELECT id FROM category WHERE scope_id = ? AND name = ?) AND keyword = ?',
      [scope_id, category, keyword],
    );
  } else {
    transaction.run('INSERT INTO category (scope_id, name) VALUES (?, ?) ON CONFLICT DO NOTHING', [scope_id, category]);
    transaction.run(
      `INSERT INTO entry (scope_id, category_id, keyword, content, metaknowledge, risks)
       SELECT ?1, id, ?3, ?4, ?5, ?6 FROM category WHERE scope_id = ?1 AND name = ?2
       ON CONFLICT (category_id, keyword) DO UPDATE SET
         content = excluded.content, metaknowledge = excluded.metaknowledge, risks = excluded.risks`,
      [
        scope_id,
        category,
        keyword,
        state.content,
        JSON.stringify(state.metaknowledge),
        parseRisks(state.content).length,
      ],
    );
  }
  transaction.touch(entriesTopic(scope_id));
  transaction.touch(entryTopic(key));
  if (action !== 'update') transaction.touch(namesTopic(scope_id));
}

/** Deletes all entries of a scope, each deletion a revision: two statements, however many entries there are. */
export function deleteEntries(transaction: Transaction, scopeId: string, change: Authorship, at: number): void {
  transaction.run(
    `INSERT INTO revision
       (scope_id, category, keyword, number, action, at, author, by_agent, project_context, reason, previous_content, previous_metaknowledge)
     SELECT c.scope_id, c.name, e.keyword,
       (SELECT coalesce(max(number), 0) + 1 FROM revision r
        WHERE r.scope_id = c.scope_id AND r.category = c.name AND r.keyword = e.keyword),
       'delete', ?2, ?3, ?4, ?5, ?6, e.content, e.metaknowledge
     FROM category c JOIN entry e ON e.category_id = c.id WHERE c.scope_id = ?1`,
    [
      scopeId,
      at,
      checkAuthor(change.author),
      change.by_agent ? 1 : 0,
      checkProjectContext(change.project_context ?? ''),
      checkReason(change.reason),
    ],
  );
  transaction.run('DELETE FROM entry WHERE category_id IN (SELECT id FROM category WHERE scope_id = ?)', [scopeId]);
  transaction.touch(entriesTopic(scopeId));
  transaction.touch(manyEntriesTopic(scopeId));
  transaction.touch(namesTopic(scopeId));
}

/** A text for each entry that no other has: names hold no control characters. */
export function identityOf({ scope_id, category, keyword }: EntryKey): string {
  return `${scope_id}\0${category}\0${keyword}`;
}

export function parseMetaknowledge(json: string): Metaknowledge {
  return JSON.parse(json) as Metaknowledge;
}

/** Says that there is no such entry, and which keywords of the category, or places of the keyword, come close. */
export function unknownEntry(reader: Reader, key: EntryKey): KaizenError {
  const elsewhere = reader
    .all<{ name: string }>(
      `SELECT c.name FROM entry e JOIN category c ON c.id = e.category_id WHERE e.keyword = ? AND e.scope_id = ?`,
      [key.keyword, key.scope_id],
    )
    .map(({ name }) => name)
    .sort(compareText);
  const keywords = reader
    .all<{ keyword: string }>(
      'SELECT e.keyword FROM category c JOIN entry e ON e.category_id = c.id WHERE c.scope_id = ? AND c.name = ?',
      [key.scope_id, key.category],
    )
    .map(({ keyword }) => keyword);
  const near = nearest(key.keyword, keywords);
  const hint =
    elsewhere.length > 0
      ? sentence('That keyword stands in {0}.', elsewhere.map((name) => `"${name}"`).join(', '))
      : near.length > 0
        ? sentence('Near it: {0}.', near.map((name) => `"${name}"`).join(', '))
        : undefined;
  return new KaizenError(
    'unknown_entry',
    sentence('The scope "{0}" has no entry "{1}" in the category "{2}".', key.scope_id, key.keyword, key.category),
    hint,
  );
}
