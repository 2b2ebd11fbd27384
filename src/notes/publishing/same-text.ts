import { createHash } from 'node:crypto';
import { editFrontMatter } from '../format';

/**
 * A note's text without what publishing and saving write into it by themselves, and without regard to how lines end: two
 * with the same say the same. A text whose front matter cannot be edited is taken as it is.
 */
export function comparable(text: string): string {
  const lines = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  try {
    return editFrontMatter(lines, { version: null, updated_at: null });
  } catch {
    return lines;
  }
}

/** SHA-256, hex, of what of the text is compared. */
export function comparableHash(text: string): string {
  return createHash('sha256').update(comparable(text)).digest('hex');
}

/** SHA-256, hex, of the bytes as UTF-8 has them: a file's `content_hash`. */
export function fileHash(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}
