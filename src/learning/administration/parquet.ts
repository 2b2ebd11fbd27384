import { KaizenError } from '../../core/errors';
import { LEARNED_KINDS } from '../vocabulary';
import type { LearnedFile } from './learned-file';

/**
 * The same as the JSON file as a table of Apache Parquet: a row for each record, its JSON in a column, for records of a
 * collection have forms of their own. Format and version stand among the file's key values.
 */

const MAGIC = 'PAR1';
const MOST_ROWS = 500_000;
/** Of all columns, as the file says before it is unpacked. */
const MOST_BYTES = 512 * 1024 * 1024;
const COUNTS = ['uses', 'queries', 'days'] as const;

interface Row {
  collection: string;
  id: string;
  record: string;
}

export function isParquet(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, MAGIC.length)).toString('latin1') === MAGIC;
}

/** Of what the JSON file says. */
export async function toParquet(json: string): Promise<Buffer> {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const file = JSON.parse(json) as LearnedFile & { format: string; version: number };
  const rows = rowsOf(file);
  const column = (name: keyof Row) => ({ name, data: rows.map((row) => row[name]), type: 'STRING' as const });
  const bytes = parquetWriteBuffer({
    columnData: [column('collection'), column('id'), column('record')],
    kvMetadata: [
      { key: 'format', value: file.format },
      { key: 'version', value: String(file.version) },
    ],
    createdBy: 'kaizen',
  });
  return Buffer.from(bytes);
}

/** The JSON file of which this is the table. Throws `invalid_argument`. */
export async function fromParquet(bytes: Buffer): Promise<string> {
  const { parquetMetadata, parquetReadObjects } = await import('hyparquet');
  const file = new Uint8Array(bytes).buffer;
  try {
    const metadata = parquetMetadata(file);
    const columns = metadata.row_groups.flatMap((group) => group.columns);
    const size = columns.reduce((sum, { meta_data }) => sum + Number(meta_data?.total_uncompressed_size ?? 0), 0);
    if (Number(metadata.num_rows) > MOST_ROWS || size > MOST_BYTES) throw unreadable('is too large.');
    const said = new Map(metadata.key_value_metadata?.map(({ key, value }) => [key, value]));
    const rows = await parquetReadObjects({ file, metadata, columns: ['collection', 'id', 'record'] });
    const read = fileOf(rows as unknown as Row[]);
    return JSON.stringify({ format: said.get('format'), version: Number(said.get('version')), ...read });
  } catch (error) {
    if (error instanceof KaizenError) throw error;
    throw unreadable('is no Parquet that export wrote.', error);
  }
}

function rowsOf({ records = [], feedback = [], counts, relations = [] }: LearnedFile): Row[] {
  const row = (collection: string, id: string, record: object) => ({ collection, id, record: JSON.stringify(record) });
  return [
    ...records.map(({ kind, record }) => row(`${kind}s`, record.id, record)),
    ...feedback.map((each) => row('feedback', each.id, each)),
    ...(counts?.uses ?? []).map((each) => row('scores.uses', each.artifact, each)),
    ...(counts?.queries ?? []).map((each) => row('scores.queries', each.query, each)),
    ...(counts?.days ?? []).map((each) => row('scores.days', each.day, each)),
    ...relations.map((each) => row('relationships', each.id, each)),
  ];
}

function fileOf(rows: readonly Row[]): object {
  const of = (collection: string) =>
    rows.filter((row) => row.collection === collection).map(({ record }): unknown => JSON.parse(record));
  return {
    records: LEARNED_KINDS.flatMap((kind) => of(`${kind}s`).map((record) => ({ kind, record }))),
    feedback: of('feedback'),
    counts: Object.fromEntries(COUNTS.map((name) => [name, of(`scores.${name}`)])),
    relations: of('relationships'),
  };
}

function unreadable(why: string, cause?: unknown): KaizenError {
  return new KaizenError('invalid_argument', `The file ${why}`, 'Nothing was imported.', { cause });
}
