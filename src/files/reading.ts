import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { openInside } from './confinement';
import { stampOfRead } from './stamp';

/** A file as it is now. */
export interface ReadFile {
  /** Empty when it is too large. */
  text: string;
  /** Bytes. */
  size: number;
  stamp: string;
  /** SHA-256 of the bytes, hex; of nothing when it is too large. */
  hash: string;
  /** Why `text` is not simply what the file says. */
  fault?: 'too_large' | 'not_utf8';
}

/**
 * Reads a file of at most `most` bytes. What is not UTF-8 is read as UTF-16 where a byte order mark says so, else as Windows-1252:
 * letters may be wrong, but words are found. Throws `outside_root`, or the system's error when it cannot be read.
 */
export async function readInside(realRoot: string, file: string, most: number): Promise<ReadFile> {
  const handle = await openInside(realRoot, file);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw Object.assign(new Error('It is not a file.'), { code: 'EISDIR' });
    const stamp = stampOfRead(stats, Date.now());
    if (stats.size > most) return { text: '', size: stats.size, stamp, hash: '', fault: 'too_large' };
    const bytes = await handle.readFile();
    if (bytes.length > most) return { text: '', size: bytes.length, stamp, hash: '', fault: 'too_large' };
    const read = { size: bytes.length, stamp, hash: createHash('sha256').update(bytes).digest('hex') };
    if (isUtf8(bytes)) return { ...read, text: bytes.toString('utf8') };
    return { ...read, text: decodeForeign(bytes), fault: 'not_utf8' };
  } finally {
    await handle.close();
  }
}

/**
 * The bytes of a file as they are: what `replaceFile` and the others compare with. Undefined when it is gone. Throws
 * `outside_root`, or the system's error when it cannot be read.
 */
export async function readBytes(
  realRoot: string,
  file: string,
  most: number,
): Promise<Buffer | 'too_large' | undefined> {
  try {
    const handle = await openInside(realRoot, file);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw Object.assign(new Error('It is not a file.'), { code: 'EISDIR' });
      if (stats.size > most) return 'too_large';
      const bytes = await handle.readFile();
      return bytes.length > most ? 'too_large' : bytes;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

export function isSystemError(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

function decodeForeign(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder('windows-1252').decode(bytes);
}
