import { isUtf8 } from 'node:buffer';

/** A file's text: UTF-8, or UTF-16 with a byte order mark, as some editors and shells of Windows write it. Undefined for anything else. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (isUtf8(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const [first, second] = bytes;
  const name =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
  if (name === undefined) return undefined;
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
