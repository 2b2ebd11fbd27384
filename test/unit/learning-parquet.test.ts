import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { FileMetaData } from 'hyparquet';
import { ByteWriter, parquetWriteBuffer } from 'hyparquet-writer';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { serializeTCompactProtocol } from 'hyparquet-writer/src/thrift.js';
import { Turns } from '../../src/core/turns';
import { fromParquet } from '../../src/learning/administration/parquet';
import { readTable } from '../../src/learning/administration/parquet-reading';
import { BY_TESTER, error, useHalls } from '../support/hall';

const COLUMNS = ['collection', 'id', 'record'] as const;
const HUGE = 2 ** 31 - 1;

/** A page of plain texts, with its header. */
interface Page {
  values: string[];
  /** Numbers of the header that are to be others than they should be. */
  header?: { unpacked?: number; packed?: number; values?: number; encoding?: number };
}

interface Made {
  page?: Page;
  codec?: 'UNCOMPRESSED' | 'SNAPPY' | 'GZIP';
  /** Changes what the footer says. */
  footer?(metadata: FileMetaData): void;
}

/** A table of one group, page for page, so that any of its numbers can be another. */
function made({ page = { values: ['lessons'] }, codec = 'UNCOMPRESSED', footer = () => {} }: Made = {}): Buffer {
  const writer = new ByteWriter();
  writer.appendUint32(0x31524150);
  const rows = page.values.length;
  const columns = COLUMNS.map((name) => {
    const start = writer.offset;
    const texts = Buffer.concat(
      page.values.flatMap((value) => {
        const length = Buffer.alloc(4);
        length.writeUInt32LE(Buffer.byteLength(value));
        return [length, Buffer.from(value)];
      }),
    );
    const { unpacked = texts.length, packed = texts.length, values = rows, encoding = 0 } = page.header ?? {};
    serializeTCompactProtocol(writer, {
      ...{ field_1: 0, field_2: unpacked, field_3: packed },
      field_5: { field_1: values, field_2: encoding, field_3: 3, field_4: 3 },
    });
    writer.appendBytes(texts);
    const size = BigInt(writer.offset - start);
    const meta_data = {
      ...{ type: 'BYTE_ARRAY' as const, encodings: ['PLAIN' as const], path_in_schema: [name], codec },
      ...{ num_values: BigInt(rows), total_uncompressed_size: size, total_compressed_size: size },
      data_page_offset: BigInt(start),
    };
    return { file_offset: BigInt(start), meta_data };
  });
  const metadata: FileMetaData = {
    version: 2,
    schema: [
      { name: 'root', num_children: COLUMNS.length },
      ...COLUMNS.map((name) => ({ name, type: 'BYTE_ARRAY' as const, repetition_type: 'REQUIRED' as const })),
    ],
    num_rows: BigInt(rows),
    row_groups: [{ columns, total_byte_size: 0n, num_rows: BigInt(rows) }],
    key_value_metadata: [
      { key: 'format', value: 'kaizen-learning' },
      { key: 'version', value: '1' },
    ],
    metadata_length: 0,
  };
  footer(metadata);
  const { metadata_length: _, ...written } = metadata;
  writeMetadata(writer, written as FileMetaData);
  writer.appendUint32(0x31524150);
  return Buffer.from(writer.getBytes());
}

const read = (bytes: Buffer) => fromParquet(bytes, new Turns());
const refused = (bytes: Buffer) => assert.rejects(read(bytes), error('invalid_argument', /Parquet|too large/));

describe('a table of Parquet from elsewhere', () => {
  it('is read where it is as export writes it', async () => {
    const file = (await read(made({ page: { values: ['{"id":"a"}'] } }))) as Record<string, unknown>;
    assert.deepEqual([file.format, file.version, file.records], ['kaizen-learning', 1, []]);
  });

  it('is refused where it is cut off, or is none', async () => {
    const whole = made();
    for (const length of [0, 4, 8, 11, 12, 40, whole.length - 1, whole.length - 4]) {
      await refused(whole.subarray(0, length));
    }
    await refused(Buffer.from('PAR1 and no more than that, which is no table at all'));
    await refused(Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(100, 0xff), Buffer.from('PAR1')]));
    const beyond = Buffer.from(whole);
    beyond.writeUInt32LE(HUGE, beyond.length - 8);
    await refused(beyond);
  });

  it('is refused before anything is made by numbers that cannot be', async () => {
    const group = (metadata: FileMetaData) => metadata.row_groups[0]!;
    const column = (metadata: FileMetaData) => group(metadata).columns[0]!.meta_data!;
    const footers: [string, (metadata: FileMetaData) => void][] = [
      ['rows', (metadata) => (metadata.num_rows = 1n << 62n)],
      ['rows of a group', (metadata) => (group(metadata).num_rows = 1n << 40n)],
      ['less than no rows', (metadata) => (group(metadata).num_rows = -1n)],
      ['values', (metadata) => (column(metadata).num_values = BigInt(HUGE))],
      ['an offset', (metadata) => (column(metadata).data_page_offset = 1n << 50n)],
      ['an offset before the beginning', (metadata) => (column(metadata).data_page_offset = -8n)],
      ['a size', (metadata) => (column(metadata).total_compressed_size = 1n << 50n)],
      ['what it is unpacked', (metadata) => (column(metadata).total_uncompressed_size = 1n << 50n)],
      ['a dictionary', (metadata) => (column(metadata).dictionary_page_offset = 4n)],
      ['another file', (metadata) => (group(metadata).columns[0]!.file_path = '/etc/passwd')],
      ['no columns', (metadata) => (group(metadata).columns = [])],
      ['another column', (metadata) => (metadata.schema[1]!.name = 'else')],
      ['more columns', ({ schema }) => (schema[0]!.num_children = schema.push({ ...schema[1]!, name: 'more' }) - 1)],
      ['a column that may be missing', (metadata) => (metadata.schema[1]!.repetition_type = 'OPTIONAL')],
      ['a list', (metadata) => (metadata.schema[1]!.repetition_type = 'REPEATED')],
      [
        'a column of columns',
        (metadata) => {
          metadata.schema.splice(1, 0, { name: 'collection', num_children: 1, repetition_type: 'REQUIRED' });
          column(metadata).path_in_schema = ['collection', 'collection'];
        },
      ],
      ['numbers', (metadata) => (metadata.schema[1]!.type = 'INT64')],
    ];
    for (const [, footer] of footers) await refused(made({ footer }));
    const rowsAlone = made({ footer: (metadata) => (metadata.num_rows = 500_001n) });
    await refused(rowsAlone);
  });

  it('is refused where a page says what cannot be', async () => {
    const values = ['lessons'];
    const headers: Required<Page>['header'][] = [
      { values: HUGE },
      { values: -1 },
      { values: 0 },
      { unpacked: HUGE },
      { packed: HUGE },
      { packed: -10 },
      { unpacked: 3, packed: 3 },
      { encoding: 8 },
      { encoding: 5 },
    ];
    for (const header of headers) {
      await refused(made({ page: { values, header } }));
      await refused(made({ page: { values, header }, codec: 'SNAPPY' }));
    }
    await refused(made({ codec: 'GZIP' }));
  });

  it('is not unpacked beyond what so few bytes can hold', async () => {
    // Said to be 200 MB, of some bytes.
    const header = { unpacked: 200 * 1024 * 1024 };
    await refused(made({ page: { values: ['lessons'], header }, codec: 'SNAPPY' }));
    // The footer says less than the pages.
    const small = { codec: 'UNCOMPRESSED' as const };
    const footer = (metadata: FileMetaData) => {
      for (const { meta_data } of metadata.row_groups[0]!.columns) meta_data!.total_uncompressed_size = 1n;
    };
    const limits = { rows: 10, unpacked: 20 };
    await assert.rejects(
      readTable(made({ ...small, footer }), COLUMNS, new Turns(), limits),
      error('invalid_argument', /too large/),
    );
    assert.equal((await readTable(made(small), COLUMNS, new Turns(), { rows: 1, unpacked: 200 })).rows.length, 1);
  });

  it('does not spend its time on numbers without an end, or on what lies in each other', async () => {
    const footer = (bytes: Buffer) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return Buffer.concat([Buffer.from('PAR1'), bytes, length, Buffer.from('PAR1')]);
    };
    await refused(footer(Buffer.concat([Buffer.from([0x16]), Buffer.alloc(1_000_000, 0xff)])));
    await refused(footer(Buffer.alloc(1_000_000, 0x1c)));
    await refused(footer(Buffer.from([0x19, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07])));
  });

  it('is refused where another program has written it in its own way', async () => {
    const columnData = COLUMNS.map((name) => ({ name, data: ['a', 'a', 'a'], type: 'STRING' as const }));
    await refused(Buffer.from(parquetWriteBuffer({ columnData })));
    const nested = [{ name: 'collection', data: [{ a: { b: 1 } }], type: 'JSON' as const }];
    await refused(Buffer.from(parquetWriteBuffer({ columnData: nested })));
  });

  describe('changed anywhere', () => {
    const open = useHalls();

    it('is refused or taken, whichever byte is another one', async () => {
      const { learning, administration } = await open({ person: 'ada' });
      for (const title of ['Mocks', 'Banks — „Umlaute“ 😀']) {
        const lesson = { title, lesson: 'Mock the bank.', visibility: 'team' } as const;
        await learning.write({ operation: 'capture_lesson', lesson }, BY_TESTER);
      }
      const { content } = await administration.export({ format: 'parquet' });
      const whole = content as Buffer;
      const changes = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(changes, async (changed) => {
          const bytes = Buffer.from(whole);
          for (const [at, byte] of changed) bytes[at] = byte;
          try {
            await read(bytes);
          } catch (thrown) {
            assert.equal((thrown as { code?: string }).code, 'invalid_argument', String(thrown));
          }
        }),
        { numRuns: 400 },
      );
    });
  });
});
