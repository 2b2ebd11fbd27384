import { parseTime } from '../core/clock';
import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { compareAsSqlite } from '../core/text';
import type { Reader, SqlValue } from '../store';
import type { ScopeMap } from './chains';
import { labels, REVISION_COLUMNS, type RevisionRow, revision } from './history';
import type { ChangeQuery, EntryChange, EntryKey } from './model';
import { checkLimit } from './names';
import { type Stores, scopesOf } from './stores';

const MAX_CHANGES = 1_000;
const DEFAULT_CHANGES = 100;

interface ChangeRow extends RevisionRow, EntryKey {
  /** Null when this is the entry's last revision. */
  next: number | null;
  /** What the next change found, or what the entry holds now. */
  content: string | null;
  metaknowledge: string | null;
}

/**
 * Changes of entries in both stores, newest first; those of the same millisecond by place, backwards, as the index
 * `revision_by_time` has them, which is read from its end as far as the limit. What is left of the entries of a
 * deleted scope is passed over, as it is in an export: neither history nor undo reach it.
 *
 * Throws `invalid_argument` for a time or a limit that is none.
 */
export function readChanges(stores: Stores, scopes: ScopeMap, query: ChangeQuery): EntryChange[] {
  const limit = checkLimit(query.limit ?? DEFAULT_CHANGES, MAX_CHANGES);
  const since = query.since === undefined ? Number.MIN_SAFE_INTEGER : checkTime(query.since);
  return newest(stores, scopes, limit, (reader, ids, byAgent) =>
    query.by_agent !== undefined && query.by_agent !== byAgent
      ? []
      : reader.all<ChangeRow>(CHANGES, [byAgent ? 1 : 0, since, ids, limit]),
  ).map(entryChange);
}

/** The entries that were changed last, the newest change first. */
export function lastChanged(stores: Stores, scopes: ScopeMap, limit: number): EntryKey[] {
  return newest(stores, scopes, limit, (reader, ids, byAgent) =>
    reader.all<EntryKey & { at: number }>(LAST_CHANGED, [byAgent ? 1 : 0, ids, limit]),
  ).map(({ scope_id, category, keyword }) => ({ scope_id, category, keyword }));
}

/** Newer rows first. The index holds the changes of agents apart from those of people, and each store has its own. */
const NEWEST_FIRST = 'ORDER BY r.at DESC, r.scope_id DESC, r.category DESC, r.keyword DESC, r.number DESC LIMIT ?';

const CHANGES = `
  SELECT r.scope_id, r.category, r.keyword, ${REVISION_COLUMNS}, n.number AS next,
    CASE WHEN n.number IS NULL THEN e.content ELSE n.previous_content END AS content,
    CASE WHEN n.number IS NULL THEN e.metaknowledge ELSE n.previous_metaknowledge END AS metaknowledge
  FROM (
    SELECT scope_id, category, keyword, number FROM revision r
    WHERE by_agent = ? AND at >= ? AND scope_id IN (SELECT value FROM json_each(?))
    ${NEWEST_FIRST}
  ) AS found
  JOIN revision r USING (scope_id, category, keyword, number)
  LEFT JOIN revision n ON n.scope_id = r.scope_id AND n.category = r.category AND n.keyword = r.keyword
    AND n.number = r.number + 1
  LEFT JOIN category c ON c.scope_id = r.scope_id AND c.name = r.category
  LEFT JOIN entry e ON e.category_id = c.id AND e.keyword = r.keyword`;

const LAST_CHANGED = `
  SELECT r.scope_id, r.category, r.keyword, r.at FROM revision r INDEXED BY revision_by_time
  WHERE r.by_agent = ? AND r.scope_id IN (SELECT value FROM json_each(?))
    AND NOT EXISTS (SELECT 1 FROM revision n WHERE n.scope_id = r.scope_id AND n.category = r.category
                    AND n.keyword = r.keyword AND n.number = r.number + 1)
    AND EXISTS (SELECT 1 FROM category c JOIN entry e ON e.category_id = c.id
                WHERE c.scope_id = r.scope_id AND c.name = r.category AND e.keyword = r.keyword)
  ${NEWEST_FIRST}`;

/** What `read` finds in each store, made by people and by agents, put together. */
function newest<T extends EntryKey & { at: number; number?: number }>(
  stores: Stores,
  scopes: ScopeMap,
  limit: number,
  read: (reader: Reader, scopeIds: SqlValue, byAgent: boolean) => T[],
): T[] {
  return scopesOf(stores, scopes)
    .flatMap(({ store, ids }) => {
      const reader = store.read();
      const json = JSON.stringify(ids);
      return [...read(reader, json, false), ...read(reader, json, true)];
    })
    .sort(
      (a, b) =>
        b.at - a.at ||
        compareAsSqlite(b.scope_id, a.scope_id) ||
        compareAsSqlite(b.category, a.category) ||
        compareAsSqlite(b.keyword, a.keyword) ||
        (b.number ?? 0) - (a.number ?? 0),
    )
    .slice(0, limit);
}

function entryChange(row: ChangeRow): EntryChange {
  const { scope_id, category, keyword, content, metaknowledge } = row;
  const after = { content, metaknowledge: labels(metaknowledge) };
  return { scope_id, category, keyword, ...revision(row, after), is_latest: row.next === null };
}

function checkTime(text: string): number {
  const time = parseTime(text);
  if (time !== undefined) return time;
  throw new KaizenError(
    'invalid_argument',
    sentence('"{0}" is no time.', text.slice(0, 100)),
    sentence('Write a date (2026-01-31) or a time (2026-01-31T09:30:00Z).'),
  );
}
