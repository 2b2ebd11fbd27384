import { isoTime } from '../core/clock';
import { KaizenError } from '../core/errors';
import { compareText } from '../core/text';
import type { Reader, Transaction } from '../store';
import type { Change, EntryKey, Metaknowledge, Revision, RevisionAction, StoredEntry } from './model';
import { checkAuthor, checkProjectContext, checkReason, nearest } from './names';
import { parseRisks } from './risk';
import { entriesTopic, namesTopic } from './schema';

/** The state of an entry: what a change leads to. Null stands for "no entry". */
export type EntryState = { content: string; metaknowledge: Metaknowledge } | null;

interface RevisionRow {
  number: number;
  action: RevisionAction;
  at: number;
  author: string;
  project_context: string;
  reason: string | null;
  previous_content: string | null;
  previous_metaknowledge: string | null;
}

interface EntryRow {
  keyword: string;
  content: string;
  metaknowledge: string;
  at: number;
  author: string;
}

const KEY = 'scope_id = ? AND category = ? AND keyword = ?';

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

/** The entries of one category in one scope, sorted by keyword. */
export function readCategory(reader: Reader, scopeId: string, category: string): StoredEntry[] {
  return reader
    .all<EntryRow>(ENTRIES, [scopeId, category])
    .map((row) => storedEntry({ scope_id: scopeId, category, keyword: row.keyword }, row))
    .sort((a, b) => compareText(a.keyword, b.keyword));
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

/** Oldest first. What an entry held after a change is what the next change found, or what it holds now. */
export function readHistory(reader: Reader, key: EntryKey): Revision[] {
  const rows = reader.all<RevisionRow>(
    `SELECT number, action, at, author, project_context, reason, previous_content, previous_metaknowledge
     FROM revision WHERE ${KEY} ORDER BY number`,
    [key.scope_id, key.category, key.keyword],
  );
  const current = readEntry(reader, key);
  return rows.map((row, index) => {
    const next = rows[index + 1];
    const previous = row.previous_metaknowledge;
    return {
      number: row.number,
      action: row.action,
      at: isoTime(row.at),
      author: row.author,
      project_context: row.project_context,
      reason: row.reason,
      content: next ? next.previous_content : (current?.content ?? null),
      metaknowledge: next
        ? next.previous_metaknowledge === null
          ? null
          : parseMetaknowledge(next.previous_metaknowledge)
        : (current?.metaknowledge ?? null),
      previous_content: row.previous_content,
      previous_metaknowledge: previous === null ? null : parseMetaknowledge(previous),
    };
  });
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
  change: Pick<Change, 'author' | 'project_context' | 'reason'>,
  at: number,
): void {
  const { scope_id, category, keyword } = key;
  const author = checkAuthor(change.author);
  const context = checkProjectContext(change.project_context ?? '');
  const reason = checkReason(change.reason);
  if (!transaction.get('SELECT 1 FROM scope WHERE id = ?', [scope_id])) {
    throw new KaizenError('unknown_scope', `The scope "${scope_id}" was deleted meanwhile.`);
  }
  transaction.run(
    `INSERT INTO revision
       (scope_id, category, keyword, number, action, at, author, project_context, reason, previous_content, previous_metaknowledge)
     SELECT ?1, ?2, ?3,
       (SELECT coalesce(max(number), 0) + 1 FROM revision WHERE scope_id = ?1 AND category = ?2 AND keyword = ?3),
       ?4, ?5, ?6, ?7, ?8, e.content, e.metaknowledge
     FROM (SELECT 1) LEFT JOIN entry e
       ON e.category_id = (SELECT id FROM category WHERE scope_id = ?1 AND name = ?2) AND e.keyword = ?3`,
    [scope_id, category, keyword, action, at, author, context, reason],
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
  if (action !== 'update') transaction.touch(namesTopic(scope_id));
}

/** Deletes all entries of a scope, each deletion a revision: two statements, however many entries there are. */
export function deleteEntries(
  transaction: Transaction,
  scopeId: string,
  change: Pick<Change, 'author' | 'project_context' | 'reason'>,
  at: number,
): void {
  transaction.run(
    `INSERT INTO revision
       (scope_id, category, keyword, number, action, at, author, project_context, reason, previous_content, previous_metaknowledge)
     SELECT c.scope_id, c.name, e.keyword,
       (SELECT coalesce(max(number), 0) + 1 FROM revision r
        WHERE r.scope_id = c.scope_id AND r.category = c.name AND r.keyword = e.keyword),
       'delete', ?2, ?3, ?4, ?5, e.content, e.metaknowledge
     FROM category c JOIN entry e ON e.category_id = c.id WHERE c.scope_id = ?1`,
    [
      scopeId,
      at,
      checkAuthor(change.author),
      checkProjectContext(change.project_context ?? ''),
      checkReason(change.reason),
    ],
  );
  transaction.run('DELETE FROM entry WHERE category_id IN (SELECT id FROM category WHERE scope_id = ?)', [scopeId]);
  transaction.touch(entriesTopic(scopeId));
  transaction.touch(namesTopic(scopeId));
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
      ? `That keyword stands in ${elsewhere.map((name) => `"${name}"`).join(', ')}.`
      : near.length > 0
        ? `Near it: ${near.map((name) => `"${name}"`).join(', ')}.`
        : undefined;
  return new KaizenError(
    'unknown_entry',
    `The scope "${key.scope_id}" has no entry "${key.keyword}" in the category "${key.category}".`,
    hint,
  );
}
