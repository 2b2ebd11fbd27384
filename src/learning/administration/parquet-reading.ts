import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import type { Turns } from '../../core/turns';

/**
 * Reads tables of Apache Parquet as `parquet.ts` writes them, and no others: text columns that are always there, plainly
 * encoded, packed by Snappy or not at all. A file is somebody else's: each number that it says is compared with what there
 * is before anything is read or made by it, so that it costs no more than its size allows.
 */

const MAGIC = 'PAR1';
const END = 8;
/** Bytes of the part that says where everything is. */
const MOST_FOOTER = 2 * 1024 * 1024;
/** Snappy packs no more tightly than 64 bytes in three. */
const MOST_UNPACKED = 32;
/** Bytes of a number: no valid one is longer, and longer ones take long to add up. */
const MOST_NUMBER = 10;

export interface TableLimits {
  rows: number;
  /** Bytes of all columns, unpacked. */
  unpacked: number;
}

const LIMITS: TableLimits = { rows: 500_000, unpacked: 256 * 1024 * 1024 };

export interface Table {
  /** Of the key values. */
  said: ReadonlyMap<string, string>;
  /** By column, in the order that was asked for. */
  rows: string[][];
}

export function isParquet(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, MAGIC.length)).toString('latin1') === MAGIC;
}

/** A column's part of a group of rows. */
interface Chunk {
  name: string;
  start: number;
  size: number;
  isPacked: boolean;
}

/** Throws `invalid_argument`. In short turns. */
export async function readTable(
  bytes: Buffer,
  columns: readonly string[],
  turns: Turns,
  limits: TableLimits = LIMITS,
): Promise<Table> {
  try {
    return await read(bytes, columns, turns, limits);
  } catch (error) {
    // What the reading of a broken file throws is of no use to a person.
    if (error instanceof RangeError || error instanceof TypeError || isPlainError(error)) throw notOurs(error);
    throw error;
  }
}

async function read(bytes: Buffer, columns: readonly string[], turns: Turns, limits: TableLimits): Promise<Table> {
  const { parquetMetadata } = await import('hyparquet');
  checkFooter(bytes);
  const metadata = parquetMetadata(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    geoparquet: false,
  });
  const { schema, row_groups: groups } = metadata;
  const [root, ...leaves] = schema;
  const isText = ({ type, repetition_type, num_children }: (typeof schema)[number]) =>
    type === 'BYTE_ARRAY' && repetition_type === 'REQUIRED' && num_children === undefined;
  const isKnown = root?.num_children === columns.length && leaves.length === columns.length && leaves.every(isText);
  if (!isKnown || leaves.some(({ name }, at) => name !== columns[at])) throw notOurs();
  let unpacked = 0;
  let total = 0;
  for (const { columns: chunks, num_rows } of groups) {
    total += Number(num_rows);
    for (const { meta_data } of chunks) unpacked += Math.max(0, Number(meta_data?.total_uncompressed_size ?? 0));
  }
  if (!(total <= limits.rows && groups.length <= limits.rows && unpacked <= limits.unpacked)) throw tooLarge();
  if (total !== Number(metadata.num_rows)) throw notOurs();
  const rows: string[][] = [];
  const budget = { left: limits.unpacked };
  for (const { columns: chunks, num_rows } of groups) {
    const count = Number(num_rows);
    if (!(count >= 0 && chunks.length === columns.length)) throw notOurs();
    const values: string[][] = [];
    for (const [at, { meta_data: said, file_path }] of chunks.entries()) {
      if (!said || file_path !== undefined || said.path_in_schema.join('.') !== columns[at]) throw notOurs();
      const isPacked = said.codec === 'SNAPPY';
      if (!isPacked && said.codec !== 'UNCOMPRESSED') throw notOurs();
      const start = Number(said.data_page_offset);
      const size = Number(said.total_compressed_size);
      if (said.dictionary_page_offset !== undefined || Number(said.num_values) !== count) throw notOurs();
      if (!(start >= MAGIC.length && size >= 0 && start + size <= bytes.length - END)) throw notOurs();
      values.push(await valuesOf(bytes, { name: columns[at]!, start, size, isPacked }, count, budget));
      await turns.pause();
    }
    for (let row = 0; row < count; row++) rows.push(values.map((column) => column[row]!));
  }
  const said = new Map(metadata.key_value_metadata?.map(({ key, value }) => [key, value ?? '']));
  return { said, rows };
}

/** Before it is taken apart. */
function checkFooter(bytes: Buffer): void {
  const length = bytes.length >= MAGIC.length + END ? bytes.readUInt32LE(bytes.length - END) : -1;
  const start = bytes.length - END - length;
  if (length < 0 || start < MAGIC.length || bytes.toString('latin1', bytes.length - MAGIC.length) !== MAGIC) {
    throw notOurs();
  }
  if (length > MOST_FOOTER) throw tooLarge();
  checkNumbers(bytes.subarray(start, bytes.length - END));
}

/** A number ends with a byte below 128, and there is no text here with so many others in a row. */
function checkNumbers(bytes: Uint8Array): void {
  let run = 0;
  for (const byte of bytes) {
    run = byte < 0x80 ? 0 : run + 1;
    if (run > MOST_NUMBER) throw notOurs();
  }
}

/** Page after page; all together as many as the group has rows. */
async function valuesOf(bytes: Buffer, chunk: Chunk, count: number, budget: { left: number }): Promise<string[]> {
  const { parquetHeader } = await import('hyparquet/src/column.js');
  const { snappyUncompress } = await import('hyparquet');
  const values: string[] = [];
  const end = chunk.start + chunk.size;
  let at = chunk.start;
  while (values.length < count) {
    if (at >= end) throw notOurs();
    // A header is short; the view is of no more than what there is of the column.
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, Math.min(MOST_HEADER, end - at));
    checkNumbers(new Uint8Array(view.buffer, view.byteOffset, Math.min(view.byteLength, LEAST_HEADER)));
    const reader = { view, offset: 0 };
    const header = parquetHeader(reader);
    at += reader.offset;
    const { compressed_page_size: packed, uncompressed_page_size: size } = header;
    const page = header.data_page_header_v2 ?? header.data_page_header;
    const levels = header.data_page_header_v2;
    const isEmpty =
      !levels ||
      (levels.num_nulls === 0 && levels.definition_levels_byte_length + levels.repetition_levels_byte_length === 0);
    if (page?.encoding !== 'PLAIN' || !isEmpty) throw notOurs();
    if (!(page.num_values > 0 && page.num_values <= count - values.length)) throw notOurs();
    if (!(packed >= 0 && at + packed <= end && size >= 0)) throw notOurs();
    // Each value has its length before it.
    if (page.num_values > size / 4) throw notOurs();
    budget.left -= size;
    if (budget.left < 0) throw tooLarge();
    const isPacked = chunk.isPacked && levels?.is_compressed !== false;
    if (isPacked ? size > Math.max(64, packed * MOST_UNPACKED) : size !== packed) throw notOurs();
    let data: Uint8Array = bytes.subarray(at, at + packed);
    if (isPacked) {
      const whole = new Uint8Array(size);
      snappyUncompress(data, whole);
      data = whole;
    }
    readTexts(data, page.num_values, values);
    at += packed;
  }
  if (values.length !== count) throw notOurs();
  return values;
}

const MOST_HEADER = 4_096;
/** Of a header's own numbers, where texts of statistics may follow. */
const LEAST_HEADER = 64;

function readTexts(data: Uint8Array, count: number, into: string[]): void {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  let at = 0;
  for (let number = 0; number < count; number++) {
    const length = bytes.readUInt32LE(at);
    at += 4;
    if (at + length > bytes.length) throw notOurs();
    into.push(bytes.toString('utf8', at, at + length));
    at += length;
  }
}

function isPlainError(error: unknown): boolean {
  return error instanceof Error && error.constructor === Error;
}

function tooLarge(): KaizenError {
  return new KaizenError('invalid_argument', sentence('The file is too large.'), sentence('Nothing was imported.'));
}

function notOurs(cause?: unknown): KaizenError {
  return new KaizenError(
    'invalid_argument',
    sentence('The file is no Parquet that export wrote.'),
    sentence('Nothing was imported.'),
    { cause },
  );
}
