import { crc32 } from 'node:zlib';
import type { Quantised } from './quantised';

/**
 * A vector on the disk:
 *
 *     4 bytes   "KVEC"
 *     2         dimensions
 *     2         0
 *     32        SHA-256 of the text
 *     4         scale, float32
 *     2 × dim.  values, int16
 *     4         CRC-32 of all before, begun with that of the embedder's id
 *
 * Numbers have their lowest byte first. Records stand one after the other; between them there may be what is none.
 */
export const HASH_BYTES = 32;
const MAGIC = Buffer.from('KVEC');
const HASH_AT = 8;
const SCALE_AT = HASH_AT + HASH_BYTES;
const VALUES_AT = SCALE_AT + 4;
export const MOST_DIMENSIONS = 8192;

export function recordLength(dimensions: number): number {
  return VALUES_AT + dimensions * 2 + 4;
}

/** `seed` is the checksum of the embedder's id, so that no record is ever taken for another model's. */
export function encodeRecord(hash: Uint8Array, { values, scale }: Quantised, seed: number): Buffer {
  const record = Buffer.alloc(recordLength(values.length));
  MAGIC.copy(record);
  record.writeUInt16LE(values.length, 4);
  record.set(hash, HASH_AT);
  record.writeFloatLE(scale, SCALE_AT);
  for (let i = 0; i < values.length; i++) record.writeInt16LE(values[i]!, VALUES_AT + i * 2);
  const end = record.length - 4;
  record.writeUInt32LE(crc32(record.subarray(0, end), seed) >>> 0, end);
  return record;
}

/** The vector of a whole, sound record; undefined for anything else. */
export function decodeRecord(record: Buffer, seed: number): { hash: Buffer; vector: Quantised } | undefined {
  if (soundLength(record, 0, seed) !== record.length) return undefined;
  const values = new Int16Array(record.readUInt16LE(4));
  for (let i = 0; i < values.length; i++) values[i] = record.readInt16LE(VALUES_AT + i * 2);
  const scale = record.readFloatLE(SCALE_AT);
  // Nobody here writes that; a file that was copied from elsewhere may hold anything.
  if (!Number.isFinite(scale) || scale <= 0) return undefined;
  const hash = Buffer.from(record.subarray(HASH_AT, HASH_AT + HASH_BYTES));
  return { hash, vector: { values, scale } };
}

export interface FoundRecord {
  start: number;
  dimensions: number;
  hash: Buffer;
}

/**
 * The sound records among the bytes, and where the first one begins that may go on beyond them: from there the next
 * bytes are to be read. Its length may be what is damaged, so records behind it are given as well. Gives undefined for
 * what only begins like a record, so that whoever reads can pause: a file full of these takes long.
 */
export function* findRecords(bytes: Buffer, seed: number): Generator<FoundRecord | undefined, number> {
  let at = 0;
  let resume: number | undefined;
  for (;;) {
    const start = bytes.indexOf(MAGIC, at);
    // The first bytes of one may be the last ones here.
    if (start < 0) return resume ?? Math.max(at, bytes.length - MAGIC.length + 1);
    const length = soundLength(bytes, start, seed);
    at = start + (typeof length === 'number' ? length : 1);
    if (length === 'cut off') resume ??= start;
    if (typeof length === 'number') {
      const hash = bytes.subarray(start + HASH_AT, start + HASH_AT + HASH_BYTES);
      yield { start, dimensions: bytes.readUInt16LE(start + 4), hash };
    } else yield undefined;
  }
}

function soundLength(bytes: Buffer, start: number, seed: number): number | 'cut off' | 'unsound' {
  if (start + HASH_AT > bytes.length) return 'cut off';
  const dimensions = bytes.readUInt16LE(start + 4);
  if (dimensions < 1 || dimensions > MOST_DIMENSIONS) return 'unsound';
  const end = start + recordLength(dimensions);
  if (end > bytes.length) return 'cut off';
  if (bytes.compare(MAGIC, 0, MAGIC.length, start, start + MAGIC.length) !== 0) return 'unsound';
  const sum = crc32(bytes.subarray(start, end - 4), seed) >>> 0;
  return sum === bytes.readUInt32LE(end - 4) ? end - start : 'unsound';
}
