import { inflateRawSync } from 'node:zlib';
import { sentence } from '../../core/sentence';
import { READING_LIMITS } from './limits';
import { unreadable } from './unreadable';

/** A file in a zip archive (APPNOTE.TXT, 4.3.12). */
export interface ZipEntry {
  name: string;
  method: number;
  isEncrypted: boolean;
  /** Bytes, as the archive says. */
  packed: number;
  unpacked: number;
  /** Of its local header. */
  offset: number;
}

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const END_SIZE = 22;
const LONGEST_COMMENT = 65_535;
const HINT = sentence('Get it again, or open and save it with Word or LibreOffice.');

export function looksLikeZip(bytes: Uint8Array): boolean {
  return bytes.length > 4 && viewOf(bytes).getUint32(0, true) === LOCAL;
}

/** What the archive says that it has. Throws `unreadable_source`: damaged, or more than a document has. */
export function listEntries(bytes: Uint8Array, name: string): ZipEntry[] {
  const view = viewOf(bytes);
  const end = findEnd(view);
  if (end === undefined) throw unreadable(name, sentence('is damaged: its end is missing'), HINT);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count === 0xffff || count > READING_LIMITS.zip.entries) {
    throw unreadable(
      name,
      sentence('has more than {0} parts', READING_LIMITS.zip.entries.toLocaleString('en')),
      sentence('No document has; it is not read.'),
    );
  }
  const entries: ZipEntry[] = [];
  for (let number = 0; number < count; number++) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== CENTRAL) throw damaged(name);
    const nameLength = view.getUint16(at + 28, true);
    const next = at + 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    entries.push({
      name: Buffer.from(
        bytes.buffer,
        bytes.byteOffset + at + 46,
        Math.min(nameLength, bytes.length - at - 46),
      ).toString('utf8'),
      method: view.getUint16(at + 10, true),
      isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
      packed: view.getUint32(at + 20, true),
      unpacked: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    });
    at = next;
  }
  return entries;
}

/**
 * Looks whether the parts can be unpacked within the limits, by unpacking each with its limit: what an archive says of its
 * sizes need not be so. Of pictures only what is said is looked at; nobody unpacks them. Throws `unreadable_source`.
 */
export function checkEntries(bytes: Uint8Array, entries: readonly ZipEntry[], name: string): void {
  const { zip } = READING_LIMITS;
  let total = 0;
  for (const entry of entries) {
    if (entry.isEncrypted)
      throw unreadable(name, sentence('is protected with a password'), sentence('Save it without one, and add that.'));
    if (!/\.(xml|rels)$/i.test(entry.name)) continue;
    const most = Math.min(
      /(^|\/)document\d*\.xml$/i.test(entry.name) ? zip.document : zip.unpacked,
      zip.unpacked - total,
    );
    if (entry.unpacked > most || isPackedTooWell(entry)) throw bomb(name);
    total += readEntry(bytes, entry, most, name).length;
  }
}

/** Unpacks one part. Throws `unreadable_source` where it is damaged, or larger than `most` bytes. */
export function readEntry(bytes: Uint8Array, entry: ZipEntry, most: number, name: string): Buffer {
  const view = viewOf(bytes);
  const { offset, packed } = entry;
  if (offset + 30 > bytes.length || view.getUint32(offset, true) !== LOCAL) throw damaged(name);
  const start = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + packed > bytes.length) throw damaged(name);
  const content = Buffer.from(bytes.buffer, bytes.byteOffset + start, packed);
  if (entry.method === 0) return content;
  if (entry.method !== 8) throw unreadable(name, sentence('is packed in a way that is not read'), HINT);
  try {
    return inflateRawSync(content, { maxOutputLength: Math.max(1, Math.min(most, entry.unpacked)) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw bomb(name);
    throw damaged(name, error);
  }
}

function isPackedTooWell({ packed, unpacked }: ZipEntry): boolean {
  const { ratio, ratioFrom } = READING_LIMITS.zip;
  return unpacked > ratioFrom && unpacked > packed * ratio;
}

function bomb(name: string): Error {
  return unreadable(
    name,
    sentence('unpacks to more than a document has (a “zip bomb”)'),
    sentence('It is not read. If it is a real document, save it as PDF and add that.'),
  );
}

function damaged(name: string, cause?: unknown): Error {
  return unreadable(name, sentence('is damaged: its parts cannot be unpacked'), HINT, cause);
}

function findEnd(view: DataView): number | undefined {
  const first = Math.max(0, view.byteLength - END_SIZE - LONGEST_COMMENT);
  for (let at = view.byteLength - END_SIZE; at >= first; at--) {
    if (view.getUint32(at, true) === END) return at;
  }
  return undefined;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
