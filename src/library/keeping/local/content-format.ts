import { crc32 } from 'node:zlib';
import { joinInTurns } from '../../../core/joining';
import type { Turns } from '../../../core/turns';
import { checkedRecord, UUID } from '../checks';
import type { ChunkRecord } from '../chunk-record';
import type { DocumentContent } from '../model';
import { piecesOf } from '../pieces';

/**
 * What a document says, in one file that is written once: the text in UTF-8, the chunks' own particulars as JSON one
 * after another, a table that says where each chunk stands in both, and an end of fixed length. All numbers are 32 bits,
 * little-endian.
 *
 * An entry of the table: the 16 bytes of the chunk's UUID; offset, length and CRC-32 of its JSON; the same of its
 * content. The end: magic with the format's version, bytes of the text and its CRC-32, chunks, CRC-32 of the table.
 */
const MAGIC = Buffer.from('kzlib\0\0\x01', 'latin1');
const ID_BYTES = 16;
export const ENTRY_BYTES = ID_BYTES + 6 * 4;
export const END_BYTES = MAGIC.length + 4 * 4;

/** Says that a file is not what was written. */
export class DamagedContent extends Error {}

/** Where one chunk stands in its file. Bytes. */
export interface ChunkPlace {
  recordAt: number;
  recordLength: number;
  recordSum: number;
  contentAt: number;
  contentLength: number;
  contentSum: number;
}

export async function encodeContent({ text, chunks }: DocumentContent, turns: Turns): Promise<Buffer> {
  const parts: Buffer[] = [];
  let textBytes = 0;
  let textSum = 0;
  for (const piece of piecesOf(text)) {
    const bytes = Buffer.from(piece);
    textSum = crc32(bytes, textSum);
    textBytes += bytes.length;
    parts.push(bytes);
    await turns.pause();
  }
  const table = Buffer.alloc(chunks.length * ENTRY_BYTES);
  let recordAt = textBytes;
  let [at, byte] = [0, 0];
  for (const [number, chunk] of chunks.entries()) {
    const record = Buffer.from(checkedRecord(chunk));
    byte += Buffer.byteLength(text.slice(at, chunk.char_start));
    at = chunk.char_start;
    const entry = number * ENTRY_BYTES;
    table.set(idBytes(chunk.id), entry);
    const content = Buffer.from(chunk.content);
    const numbers = [recordAt, record.length, crc32(record), byte, content.length, crc32(content)];
    for (const [index, value] of numbers.entries()) table.writeUInt32LE(value, entry + ID_BYTES + index * 4);
    recordAt += record.length;
    parts.push(record);
    await turns.pause();
  }
  const end = Buffer.alloc(END_BYTES);
  MAGIC.copy(end);
  const numbers = [textBytes, textSum, chunks.length, crc32(table)];
  for (const [index, value] of numbers.entries()) end.writeUInt32LE(value, MAGIC.length + index * 4);
  const size = recordAt + table.length + end.length;
  return Buffer.from((await joinInTurns([...parts, table, end], size, turns)).buffer);
}

/** The table of a file and its end, as they stand at the end of it. */
export class ContentTable {
  private readonly textBytes: number;
  private readonly textSum: number;

  /** Throws `DamagedContent`. */
  constructor(
    private readonly bytes: Buffer,
    readonly chunks: number,
  ) {
    const end = bytes.length - END_BYTES;
    const at = end + MAGIC.length;
    const isWhole =
      bytes.length === lengthOfTable(chunks) &&
      bytes.subarray(end, at).equals(MAGIC) &&
      bytes.readUInt32LE(at + 8) === chunks &&
      bytes.readUInt32LE(at + 12) === crc32(bytes.subarray(0, end));
    if (!isWhole) throw new DamagedContent();
    this.textBytes = bytes.readUInt32LE(at);
    this.textSum = bytes.readUInt32LE(at + 4);
  }

  get size(): number {
    return this.bytes.length;
  }

  /** Undefined where there is no such chunk. */
  find(id: string): ChunkPlace | undefined {
    if (!UUID.test(id)) return undefined;
    const wanted = idBytes(id);
    const end = this.chunks * ENTRY_BYTES;
    for (let at = this.bytes.indexOf(wanted); at >= 0 && at < end; at = this.bytes.indexOf(wanted, at + 1)) {
      if (at % ENTRY_BYTES === 0) return this.place(at / ENTRY_BYTES);
    }
    return undefined;
  }

  place(number: number): ChunkPlace {
    const { bytes } = this;
    const at = number * ENTRY_BYTES + ID_BYTES;
    return {
      recordAt: bytes.readUInt32LE(at),
      recordLength: bytes.readUInt32LE(at + 4),
      recordSum: bytes.readUInt32LE(at + 8),
      contentAt: bytes.readUInt32LE(at + 12),
      contentLength: bytes.readUInt32LE(at + 16),
      contentSum: bytes.readUInt32LE(at + 20),
    };
  }

  /** The text of a whole file, in short turns. Throws `DamagedContent`. */
  async text(file: Buffer, turns: Turns): Promise<string> {
    const bytes = file.subarray(0, this.textBytes);
    let sum = 0;
    for (let at = 0; at < bytes.length; at += SLICE) {
      sum = crc32(bytes.subarray(at, at + SLICE), sum);
      await turns.pause();
    }
    if (sum !== this.textSum) throw new DamagedContent();
    const pieces: string[] = [];
    for (let at = 0; at < bytes.length; ) {
      const end = characterEnd(bytes, at + SLICE);
      // A decoder of streams would take two bytes for each character of any text.
      pieces.push(bytes.toString('utf8', at, end));
      at = end;
      await turns.pause();
    }
    return pieces.join('');
  }
}

/** The last place up to this one at which a character ends. */
function characterEnd(bytes: Buffer, most: number): number {
  if (most >= bytes.length) return bytes.length;
  let end = most;
  while ((bytes[end]! & 0xc0) === 0x80) end--;
  return end;
}

const SLICE = 1024 * 1024;

export function lengthOfTable(chunks: number): number {
  return chunks * ENTRY_BYTES + END_BYTES;
}

/** Throws `DamagedContent`. */
export function decodeRecord(bytes: Buffer, { recordSum }: ChunkPlace): ChunkRecord {
  if (crc32(bytes) !== recordSum) throw new DamagedContent();
  return JSON.parse(bytes.toString()) as ChunkRecord;
}

/** Throws `DamagedContent`. */
export function decodeChunkText(bytes: Buffer, { contentSum }: ChunkPlace): string {
  if (crc32(bytes) !== contentSum) throw new DamagedContent();
  return bytes.toString();
}

function idBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}
