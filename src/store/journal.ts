import { crc32 } from 'node:zlib';

/**
 * The journal's bytes. A journal is a sequence of frames:
 *
 *     magic "KJRN" (4) · CRC-32 (4) · payload length (4) · sequence number (8) · payload (JSON, UTF-8)
 *
 * all numbers big-endian, the checksum over everything behind it. The first frame, number 0, is the header; each
 * further one is a transaction, numbered without a gap through all generations of a store, or the seal.
 */

/** What a parameter of a statement may be; the same as SQLite's storage classes. */
export type SqlValue = string | number | null | Uint8Array;

export type Statement = readonly [sql: string, parameters?: readonly SqlValue[]];

/** One committed transaction: the statements to run again, and what they touched. */
export interface TransactionRecord {
  statements: readonly Statement[];
  topics: readonly string[];
}

/** The last frame of a journal that a newer generation has taken over from: peers that read there move on. */
export interface Seal {
  sealedBy: number;
}

export interface JournalHeader {
  kind: 'kaizen-journal';
  format: number;
  generation: number;
  /** Changes whenever a generation holds something else than the replay of the one before: a peer then reloads. */
  lineage: string;
  /** The sequence number that the snapshot includes. */
  baseSequence: number;
  /** Set when the snapshot is that of this lineage at `baseSequence` and nothing but migrations was done to it. */
  migratedFrom?: string;
  snapshot: { size: number; crc32: number };
  /** The schema version of each part of the product whose tables the store holds. */
  schema: Record<string, number>;
}

export const JOURNAL_FORMAT = 1;

const MAGIC = 0x4b4a524e;
const PREFIX = 20;

export interface Frame {
  sequence: number;
  payload: Buffer;
  /** Offset of the first byte behind the frame. */
  end: number;
}

export function encodeFrame(sequence: number, value: JournalHeader | TransactionRecord | Seal): Buffer {
  const payload = Buffer.from(JSON.stringify(value, storable));
  const frame = Buffer.allocUnsafe(PREFIX + payload.length);
  frame.writeUInt32BE(MAGIC, 0);
  frame.writeUInt32BE(payload.length, 8);
  frame.writeBigUInt64BE(BigInt(sequence), 12);
  payload.copy(frame, PREFIX);
  frame.writeUInt32BE(crc32(frame.subarray(8)), 4);
  return frame;
}

/** The frame at `offset`, or undefined when the bytes there are not a whole and sound one. */
export function decodeFrame(bytes: Buffer, offset: number): Frame | undefined {
  if (offset + PREFIX > bytes.length || bytes.readUInt32BE(offset) !== MAGIC) return undefined;
  const end = offset + PREFIX + bytes.readUInt32BE(offset + 8);
  if (end > bytes.length || crc32(bytes.subarray(offset + 8, end)) !== bytes.readUInt32BE(offset + 4)) return undefined;
  return {
    sequence: Number(bytes.readBigUInt64BE(offset + 12)),
    payload: bytes.subarray(offset + PREFIX, end),
    end,
  };
}

/**
 * Why the bytes from `offset` on are not a frame. `torn`: a write was cut off, so nothing that was answered is in
 * there. `damaged`: something whole stood there once.
 */
export function judgeTail(bytes: Buffer, offset: number): 'torn' | 'damaged' {
  const tail = bytes.subarray(offset);
  if (tail.length < PREFIX) return isStartOfMagic(tail) ? 'torn' : 'damaged';
  for (let next = tail.indexOf('KJRN', 1, 'latin1'); next >= 0; next = tail.indexOf('KJRN', next + 1, 'latin1')) {
    if (decodeFrame(tail, next)) return 'damaged';
  }
  if (tail.readUInt32BE(0) !== MAGIC || PREFIX + tail.readUInt32BE(8) <= tail.length) return 'damaged';
  // A whole record whose length was damaged looks as if it were cut off.
  const whole = Buffer.from(tail);
  whole.writeUInt32BE(tail.length - PREFIX, 8);
  return decodeFrame(whole, 0) ? 'damaged' : 'torn';
}

function isStartOfMagic(bytes: Buffer): boolean {
  return 'KJRN'.startsWith(bytes.toString('latin1', 0, Math.min(4, bytes.length)));
}

/** Whether the last frame of these last bytes of a journal is the seal. */
export function endsWithSeal(bytes: Buffer): boolean {
  const frame = decodeFrame(bytes, Math.max(0, bytes.lastIndexOf('KJRN', undefined, 'latin1')));
  return frame !== undefined && 'sealedBy' in parseRecord(frame);
}

export function parseHeader(frame: Frame): JournalHeader | undefined {
  if (frame.sequence !== 0) return undefined;
  const value = parse(frame.payload) as Partial<JournalHeader>;
  return value.kind === 'kaizen-journal' ? (value as JournalHeader) : undefined;
}

export function parseRecord(frame: Frame): TransactionRecord | Seal {
  return parse(frame.payload) as TransactionRecord | Seal;
}

/** The checksum kept it whole since we wrote it, so its shape is what we wrote. */
function parse(payload: Buffer): unknown {
  const text = payload.toString('utf8');
  return text.includes('$bytes') ? JSON.parse(text, base64AsBytes) : JSON.parse(text);
}

/** Parameters as JSON gives them back exactly; what it would not give back is refused before it is stored. */
function storable(this: Record<string, unknown>, key: string, value: unknown): unknown {
  // `value` is no longer bytes when they were a Buffer, which has a toJSON of its own.
  const bytes = this[key];
  if (bytes instanceof Uint8Array) return { $bytes: Buffer.from(bytes).toString('base64') };
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} cannot be stored.`);
  return value;
}

function base64AsBytes(_key: string, value: unknown): unknown {
  if (typeof value === 'object' && value !== null && '$bytes' in value && typeof value.$bytes === 'string') {
    return new Uint8Array(Buffer.from(value.$bytes, 'base64'));
  }
  return value;
}
