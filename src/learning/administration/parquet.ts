import type { Turns } from '../../core/turns';
import { LEARNED_KINDS } from '../vocabulary';
import { FORMAT, inOrder, type LearnedFile, VERSION } from './learned-file';
import { readTable } from './parquet-reading';

/**
 * The same as the JSON file as a table of Apache Parquet: a row for each record, its JSON in a column, for records of a
 * collection have forms of their own. Format and version stand among the file's key values.
 */

const COLUMNS = ['collection', 'id', 'record'] as const;
const COUNTS = ['uses', 'queries', 'days'] as const;
/** A group of rows is written and read at once: some milliseconds. */
const GROUP = { rows: 200, characters: 256 * 1024 } as const;

type Row = Record<(typeof COLUMNS)[number], string>;

/** In short turns. */
export async function toParquet(file: LearnedFile, turns: Turns): Promise<Buffer> {
  const { ByteWriter, parquetWrite } = await import('hyparquet-writer');
  const rows: Row[] = [];
  const groups: number[] = [];
  let characters = 0;
  for (const row of rowsOf(file)) {
    rows.push(row);
    const isNew = groups.length === 0 || groups.at(-1)! >= GROUP.rows || characters > GROUP.characters;
    if (isNew) {
      groups.push(0);
      characters = 0;
    }
    groups[groups.length - 1]!++;
    characters += row.record.length;
    await turns.pause();
  }
  const writer = new ByteWriter();
  const column = (name: keyof Row) => ({
    ...{ name, data: rows.map((row) => row[name]), type: 'STRING' as const, nullable: false },
    // Nothing but texts one after the other: what reads it need not trust more than their lengths.
    ...{ encoding: 'PLAIN' as const, statistics: false, offsetIndex: false },
  });
  await parquetWrite({
    writer: Object.assign(writer, { flush: () => turns.pause() }),
    columnData: COLUMNS.map(column),
    rowGroupSize: groups.length > 0 ? groups : [1],
    kvMetadata: [
      { key: 'format', value: FORMAT },
      { key: 'version', value: String(VERSION) },
    ],
    createdBy: 'kaizen',
  });
  return Buffer.from(writer.getBytes());
}

/** What the JSON file of which this is the table holds. Throws `invalid_argument`. In short turns. */
export async function fromParquet(bytes: Buffer, turns: Turns): Promise<object> {
  const { said, rows } = await readTable(bytes, COLUMNS, turns);
  const read = new Map<string, unknown[]>();
  for (const [collection, , record] of rows) {
    const known = read.get(collection!) ?? [];
    read.set(collection!, known);
    known.push(parsed(record!));
    await turns.pause();
  }
  const of = (collection: string) => read.get(collection) ?? [];
  return {
    format: said.get('format'),
    version: Number(said.get('version')),
    records: LEARNED_KINDS.flatMap((kind) => of(`${kind}s`).map((record) => ({ kind, record }))),
    feedback: of('feedback'),
    counts: Object.fromEntries(COUNTS.map((name) => [name, of(`scores.${name}`)])),
    relations: of('relationships'),
  };
}

/** Undefined for what is no JSON: whoever checks the record says where it stands. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function* rowsOf({ records = [], feedback = [], counts, relations = [] }: LearnedFile): Generator<Row> {
  const row = (collection: string, id: string, record: object): Row => ({ collection, id, record: inOrder(record) });
  for (const { kind, record } of records) yield row(`${kind}s`, record.id, record);
  for (const each of feedback) yield row('feedback', each.id, each);
  for (const each of counts?.uses ?? []) yield row('scores.uses', each.artifact, each);
  for (const each of counts?.queries ?? []) yield row('scores.queries', each.query, each);
  for (const each of counts?.days ?? []) yield row('scores.days', each.day, each);
  for (const each of relations) yield row('relationships', each.id, each);
}
