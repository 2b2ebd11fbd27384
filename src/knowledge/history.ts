import { isoTime } from '../core/clock';
import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import type { Reader } from '../store';
import { parseMetaknowledge, readEntry } from './entries';
import type { EntryKey, LatestRevision, Metaknowledge, Revision, RevisionAction } from './model';

/** A revision as its row says it; what the entry held after it stands elsewhere. */
export interface RevisionRow {
  number: number;
  action: RevisionAction;
  at: number;
  author: string;
  by_agent: number;
  project_context: string;
  reason: string | null;
  previous_content: string | null;
  previous_metaknowledge: string | null;
}

/** The columns of `RevisionRow`, of a table or subquery called `r`. */
export const REVISION_COLUMNS =
  'r.number, r.action, r.at, r.author, r.by_agent, r.project_context, r.reason, r.previous_content, r.previous_metaknowledge';

const OF_ENTRY = 'FROM revision r WHERE r.scope_id = ? AND r.category = ? AND r.keyword = ?';

/** Oldest first. What an entry held after a change is what the next change found, or what it holds now. */
export function readHistory(reader: Reader, key: EntryKey): Revision[] {
  const rows = reader.all<RevisionRow>(`SELECT ${REVISION_COLUMNS} ${OF_ENTRY} ORDER BY r.number`, values(key));
  const current = readEntry(reader, key);
  return rows.map((row, index) => {
    const next = rows[index + 1];
    return revision(
      row,
      next
        ? { content: next.previous_content, metaknowledge: labels(next.previous_metaknowledge) }
        : { content: current?.content ?? null, metaknowledge: current?.metaknowledge ?? null },
    );
  });
}

/** The entry's last change, what it led to left aside; undefined when the entry never existed. */
export function readLastChange(reader: Reader, key: EntryKey): RevisionRow | undefined {
  return reader.get<RevisionRow>(`SELECT ${REVISION_COLUMNS} ${OF_ENTRY} ORDER BY r.number DESC LIMIT 1`, values(key));
}

/** See `KnowledgePart.latestRevisions`; of one store. */
export function readLatestRevisions(reader: Reader, keys: readonly EntryKey[]): LatestRevision[] {
  return reader
    .all<{ position: number; number: number; author: string; by_agent: number }>(
      `SELECT j.key AS position, r.number, r.author, r.by_agent
       FROM json_each(?) j
       CROSS JOIN revision r ON r.scope_id = j.value ->> 0 AND r.category = j.value ->> 1 AND r.keyword = j.value ->> 2
         AND r.number = (SELECT max(number) FROM revision l
                         WHERE l.scope_id = r.scope_id AND l.category = r.category AND l.keyword = r.keyword)`,
      [JSON.stringify(keys.map(({ scope_id, category, keyword }) => [scope_id, category, keyword]))],
    )
    .map(({ position, by_agent, ...row }) => {
      const { scope_id, category, keyword } = keys[position]!;
      return { scope_id, category, keyword, ...row, by_agent: by_agent === 1 };
    });
}

/** The revision of a row; `after` is what the entry held after it. */
export function revision(row: RevisionRow, after: Pick<Revision, 'content' | 'metaknowledge'>): Revision {
  return {
    number: row.number,
    action: row.action,
    at: isoTime(row.at),
    author: row.author,
    by_agent: row.by_agent === 1,
    project_context: row.project_context,
    reason: row.reason,
    ...after,
    previous_content: row.previous_content,
    previous_metaknowledge: labels(row.previous_metaknowledge),
  };
}

export function labels(json: string | null): Metaknowledge | null {
  return json === null ? null : parseMetaknowledge(json);
}

/** Says that the entry has no such revision, and which ones it has. */
export function unknownRevision({ keyword }: EntryKey, number: number, last: number): KaizenError {
  return new KaizenError(
    'invalid_argument',
    sentence('The entry "{0}" has no revision {1}.', keyword, number),
    last > 0 ? sentence('It has revisions 1 to {0}.', last) : sentence('It was never stored.'),
  );
}

function values({ scope_id, category, keyword }: EntryKey): string[] {
  return [scope_id, category, keyword];
}
