import { isoTime } from '../core/clock';
import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import type { Reader, SqlValue, Transaction } from '../store';
import type { Area, Relation } from './model';
import { RELATIONS_TOPIC } from './model';
import type { Provenance, RelationType } from './vocabulary';

/** Relations as a store has them. Those that have lost an end are `aside`: only what says so here sees them. */

/** What is needed of a relation to follow it. */
export interface Edge {
  id: string;
  source: string;
  target: string;
  type: RelationType;
  confidence: number;
  bidirectional: boolean;
}

interface EdgeRow extends Omit<Edge, 'bidirectional'> {
  bidirectional: number;
  at: number;
}

interface Row extends EdgeRow {
  context: string;
  created_by: Provenance;
  author: string;
  evidence: string;
}

/** In one store, those aside as well: each process has them in memory. */
export const MOST_RELATIONS = 200_000;

/** Rows that are looked at in one piece: a few milliseconds. */
const PAGE = 500;

const EDGE_COLUMNS = 'id, source, target, type, confidence, bidirectional, at';
const COLUMNS = `${EDGE_COLUMNS}, context, created_by, author,
  (SELECT json_group_array(uri) FROM
    (SELECT uri FROM relation_evidence WHERE relation = relation.id ORDER BY place)) AS evidence`;

/** Which of them; all where nothing is said. */
export interface RowQuery {
  /** The end that is asked for, and which one that is. */
  end?: { uri: string; side: 'source' | 'target' } | undefined;
  /** Its other end. */
  other?: string | undefined;
  types?: readonly RelationType[] | undefined;
  min_confidence?: number | undefined;
  created_by?: Provenance | undefined;
  bidirectionalOnly?: boolean | undefined;
}

/** Where a page ended. */
export interface Place {
  at: number;
  id: string;
}

export interface Page<Item> {
  items: Item[];
  /** Undefined after the last one. */
  next: Place | undefined;
}

/**
 * The next of them, newest first, those of one moment by id, last one first. A page is what is found among the next
 * `PAGE` rows that an index gives, so that it takes no longer where little of them is meant.
 */
export function relationsPage(reader: Reader, query: RowQuery, after: Place | undefined): Page<Relation> {
  const { rows, next } = pageOf<Row>(reader, COLUMNS, query, after);
  return { items: rows.map(relationOf), next };
}

/** The same, read more quickly. */
export function edgesPage(reader: Reader, query: RowQuery, after: Place | undefined): Page<Edge> {
  const { rows, next } = pageOf<EdgeRow>(reader, EDGE_COLUMNS, query, after);
  return { items: rows.map(edgeOf), next };
}

function pageOf<R>(reader: Reader, columns: string, query: RowQuery, after: Place | undefined) {
  const indexed = new Conditions();
  const { end, other, types, min_confidence, created_by, bidirectionalOnly } = query;
  if (end) indexed.add(`${end.side} = ?`, end.uri);
  if (after) indexed.add('(at, id) < (?, ?)', after.at, after.id);
  // Between two there is one of each type at most, which the unique index gives.
  const isBetween = end !== undefined && other !== undefined;
  const next = isBetween
    ? undefined
    : reader.get<Place>(
        `SELECT at, id FROM relation ${indexed.where()} ORDER BY at DESC, id DESC LIMIT 1 OFFSET ${PAGE - 1}`,
        indexed.values,
      );
  if (isBetween) indexed.add(`${end.side === 'source' ? 'target' : 'source'} = ?`, other);
  if (next) indexed.add('(at, id) >= (?, ?)', next.at, next.id);
  indexed.add('gone_at IS NULL');
  if (types) indexed.add('type IN (SELECT value FROM json_each(?))', JSON.stringify(types));
  if (min_confidence !== undefined) indexed.add('confidence >= ?', min_confidence);
  if (created_by) indexed.add('created_by = ?', created_by);
  if (bidirectionalOnly) indexed.add('bidirectional = 1');
  const rows = reader.all<R>(
    `SELECT ${columns} FROM relation ${indexed.where()} ORDER BY ${isBetween ? '+at DESC, +id DESC' : 'at DESC, id DESC'}`,
    indexed.values,
  );
  return { rows, next };
}

class Conditions {
  readonly values: SqlValue[] = [];
  private readonly conditions: string[] = [];

  add(condition: string, ...values: SqlValue[]): void {
    this.conditions.push(condition);
    this.values.push(...values);
  }

  where(): string {
    return this.conditions.length === 0 ? '' : `WHERE ${this.conditions.join(' AND ')}`;
  }
}

/** In no order; ids that there are not are left out. */
export function relationsWithIds(reader: Reader, ids: readonly string[]): Relation[] {
  return reader
    .all<Row>(`SELECT ${COLUMNS} FROM relation WHERE id IN (SELECT value FROM json_each(?)) AND gone_at IS NULL`, [
      JSON.stringify(ids),
    ])
    .map(relationOf);
}

export function relationWithId(reader: Reader, id: string): Relation | undefined {
  const row = reader.get<Row>(`SELECT ${COLUMNS} FROM relation WHERE id = ? AND gone_at IS NULL`, [id]);
  return row && relationOf(row);
}

/** What one thing says of another with this type, those aside as well. */
export function relationBetween(
  reader: Reader,
  { source, target, type }: Pick<Edge, 'source' | 'target' | 'type'>,
): { relation: Relation; isAside: boolean } | undefined {
  const row = reader.get<Row & { gone_at: number | null }>(
    `SELECT ${COLUMNS}, gone_at FROM relation WHERE source = ? AND target = ? AND type = ?`,
    [source, target, type],
  );
  return row && { relation: relationOf(row), isAside: row.gone_at !== null };
}

/** Those of which the address is an end, those aside as well. */
export function relationsAt(reader: Reader, uri: string): { relation: Relation; isAside: boolean }[] {
  return reader
    .all<Row & { gone_at: number | null }>(
      `SELECT ${COLUMNS}, gone_at FROM relation WHERE source = ?1
       UNION ALL SELECT ${COLUMNS}, gone_at FROM relation WHERE target = ?1`,
      [uri],
    )
    .map((row) => ({ relation: relationOf(row), isAside: row.gone_at !== null }));
}

/** Whether an address is an end, and what was put aside of it. */
export function standingOf(reader: Reader, uri: string): { isEnd: boolean; aside: { id: string; other: string }[] } {
  const isEnd = reader.get(
    `SELECT 1 FROM relation WHERE source = ?1 AND gone_at IS NULL
     UNION ALL SELECT 1 FROM relation WHERE target = ?1 AND gone_at IS NULL LIMIT 1`,
    [uri],
  );
  const aside = reader.all<{ id: string; other: string }>(
    `SELECT id, target AS other FROM relation WHERE source = ?1 AND gone_at IS NOT NULL
     UNION ALL SELECT id, source AS other FROM relation WHERE target = ?1 AND gone_at IS NOT NULL`,
    [uri],
  );
  return { isEnd: isEnd !== undefined, aside };
}

/** Ends within an area behind `after`, in the order of their addresses; those of relations aside as well. */
export function endsWithin(reader: Reader, { uri, below }: Area, after: string | undefined, limit: number): string[] {
  const [from, to] = rangeOf(uri, below);
  const range = 'BETWEEN ?1 AND ?2 AND';
  return reader
    .all<{ uri: string }>(
      `SELECT uri FROM (
         SELECT * FROM (SELECT DISTINCT source AS uri FROM relation WHERE source ${range} source > ?3 ORDER BY source LIMIT ?4)
         UNION SELECT * FROM (SELECT DISTINCT target AS uri FROM relation WHERE target ${range} target > ?3 ORDER BY target LIMIT ?4)
       ) ORDER BY uri LIMIT ?4`,
      [from, to, after ?? '', limit],
    )
    .map((row) => row.uri);
}

function rangeOf(uri: string, below: boolean | undefined): [string, string] {
  return [uri, below ? `${uri}\u{10FFFF}` : uri];
}

/** Throws `relations_full` where there would be too many with as many more. */
export function refuseTooMany(reader: Reader, more: number): void {
  // Their numbers only grow, so that they need rarely be counted.
  const { last } = reader.get<{ last: number | null }>('SELECT max(rowid) AS last FROM relation')!;
  if ((last ?? 0) + more <= MOST_RELATIONS) return;
  const { count } = reader.get<{ count: number }>('SELECT count(*) AS count FROM relation')!;
  if (count + more <= MOST_RELATIONS) return;
  throw new KaizenError(
    'relations_full',
    sentence('There would be {0} relations; the limit is {1}.', count + more, MOST_RELATIONS),
    sentence('Remove those that nobody needs; kaizen relations tidy deletes those that lead nowhere.'),
  );
}

/** Throws `relations_full`. */
export function insertRelation(transaction: Transaction, relation: Relation): void {
  const { id, source, target, type, confidence, bidirectional, context, created_by, author, created_at } = relation;
  refuseTooMany(transaction, 1);
  transaction.run(
    `INSERT INTO relation (id, source, target, type, confidence, bidirectional, context, created_by, author, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[id, source, target, type, confidence, bidirectional ? 1 : 0],
      ...[context, created_by, author, Date.parse(created_at)],
    ],
  );
  for (const [place, uri] of relation.evidence.entries()) {
    transaction.run('INSERT INTO relation_evidence (relation, place, uri) VALUES (?, ?, ?)', [id, place, uri]);
  }
  transaction.touch(RELATIONS_TOPIC);
}

export function deleteRelations(transaction: Transaction, ids: readonly string[]): void {
  if (ids.length === 0) return;
  transaction.run('DELETE FROM relation WHERE id IN (SELECT value FROM json_each(?))', [JSON.stringify(ids)]);
  transaction.touch(RELATIONS_TOPIC);
}

export function replaceRelation(transaction: Transaction, relation: Relation): void {
  deleteRelations(transaction, [relation.id]);
  insertRelation(transaction, relation);
}

/** Deletes what has an end in one of the areas, and takes them out of the evidence; answers how many were deleted. */
export function deleteWithin(transaction: Transaction, areas: readonly Area[]): number {
  let deleted = 0;
  for (const { uri, below } of areas) {
    const [from, to] = rangeOf(uri, below);
    const ids = transaction
      .all<{ id: string }>(
        `SELECT id FROM relation WHERE source BETWEEN ?1 AND ?2
         UNION SELECT id FROM relation WHERE target BETWEEN ?1 AND ?2`,
        [from, to],
      )
      .map(({ id }) => id);
    deleteRelations(transaction, ids);
    deleted += ids.length;
    const evidence = transaction.get('SELECT 1 FROM relation_evidence WHERE uri BETWEEN ? AND ?', [from, to]);
    if (!evidence) continue;
    transaction.run('DELETE FROM relation_evidence WHERE uri BETWEEN ? AND ?', [from, to]);
    transaction.touch(RELATIONS_TOPIC);
  }
  return deleted;
}

/** Gives a relation the ends that it is to have. */
export function moveEnds(transaction: Transaction, { id, source, target }: Relation): void {
  transaction.run('UPDATE relation SET source = ?, target = ? WHERE id = ?', [source, target, id]);
  transaction.touch(RELATIONS_TOPIC);
}

export function moveEvidence(transaction: Transaction, from: string, to: string): void {
  if (!transaction.get('SELECT 1 FROM relation_evidence WHERE uri = ?', [from])) return;
  transaction.run('UPDATE relation_evidence SET uri = ? WHERE uri = ?', [to, from]);
  transaction.touch(RELATIONS_TOPIC);
}

export function isNamed(reader: Reader, uri: string): boolean {
  return (
    reader.get(
      `SELECT 1 FROM relation WHERE source = ?1 UNION ALL SELECT 1 FROM relation WHERE target = ?1
       UNION ALL SELECT 1 FROM relation_evidence WHERE uri = ?1`,
      [uri],
    ) !== undefined
  );
}

/** Puts aside what has one of these ends; answers how many. */
export function putAside(transaction: Transaction, uris: readonly string[], at: number): number {
  const ids = transaction
    .all<{ id: string }>(
      `SELECT id FROM relation WHERE gone_at IS NULL AND source IN (SELECT value FROM json_each(?1))
       UNION SELECT id FROM relation WHERE gone_at IS NULL AND target IN (SELECT value FROM json_each(?1))`,
      [JSON.stringify(uris)],
    )
    .map(({ id }) => id);
  if (ids.length === 0) return 0;
  transaction.run('UPDATE relation SET gone_at = ? WHERE id IN (SELECT value FROM json_each(?))', [
    at,
    JSON.stringify(ids),
  ]);
  transaction.touch(RELATIONS_TOPIC);
  return ids.length;
}

/** Takes up again what was put aside. */
export function takeUp(transaction: Transaction, ids: readonly string[]): void {
  if (ids.length === 0) return;
  transaction.run('UPDATE relation SET gone_at = NULL WHERE id IN (SELECT value FROM json_each(?))', [
    JSON.stringify(ids),
  ]);
  transaction.touch(RELATIONS_TOPIC);
}

/** Deletes what was put aside before this time, or without an end whose address begins so; answers how many. */
export function deleteAside(transaction: Transaction, which: { before: number } | { except: string }): number {
  const where = 'before' in which ? 'gone_at < ?1' : 'source NOT BETWEEN ?1 AND ?2 AND target NOT BETWEEN ?1 AND ?2';
  const values = 'before' in which ? [which.before] : rangeOf(which.except, true);
  const sql = `FROM relation WHERE gone_at IS NOT NULL AND ${where}`;
  const { count } = transaction.get<{ count: number }>(`SELECT count(*) AS count ${sql}`, values)!;
  if (count > 0) transaction.run(`DELETE ${sql}`, values);
  return count;
}

function edgeOf({ id, source, target, type, confidence, bidirectional }: EdgeRow): Edge {
  return { id, source, target, type, confidence, bidirectional: bidirectional === 1 };
}

function relationOf(row: Row): Relation {
  const { context, created_by, author, at, evidence } = row;
  return {
    ...edgeOf(row),
    context,
    created_by,
    evidence: JSON.parse(evidence) as string[],
    author,
    created_at: isoTime(at),
    origin: 'stored',
  };
}
