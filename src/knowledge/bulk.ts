import type { SqlValue, Transaction } from '../store';

/** A row that goes into SQL as one element of a JSON array. */
export type Row = readonly (string | number | null)[];

/** Long enough that a statement's own text does not count, short enough to be copied into SQLite's memory at once. */
const CHUNK_CHARACTERS = 256 * 1024;

/**
 * Rows as JSON arrays of arrays, each a parameter for `json_each(?)`. A thousand rows are then one statement in the
 * store's journal: with a statement for each, the journal would hold the same SQL text a thousand times.
 */
export function* inChunks(rows: Iterable<Row>): Generator<string> {
  let chunk: string[] = [];
  let characters = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    chunk.push(text);
    characters += text.length;
    if (characters < CHUNK_CHARACTERS) continue;
    yield `[${chunk.join(',')}]`;
    chunk = [];
    characters = 0;
  }
  if (chunk.length > 0) yield `[${chunk.join(',')}]`;
}

/** Runs `sql`, whose first parameter is `json_each(?1)`'s, for all rows. */
export function runForAll(
  transaction: Transaction,
  sql: string,
  rows: Iterable<Row>,
  ...further: readonly SqlValue[]
): void {
  for (const chunk of inChunks(rows)) transaction.run(sql, [chunk, ...further]);
}
