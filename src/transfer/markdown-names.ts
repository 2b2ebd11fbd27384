import { createHash } from 'node:crypto';
import { compareText } from '../core/text';

/** What no file system that people use takes in a name, and `%`, which marks what was changed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const FORBIDDEN = /[\u0000-\u001F\u007F<>:"/\\|?*%]/gu;
/** Names that Windows keeps for devices, with whatever ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
/** Leaves room for an ending in the 255 bytes that a name may have. */
const MAX_BYTES = 200;

/**
 * File names for the names that stand in one folder. A name stays as it is where every file system takes it; otherwise
 * characters become `%` and two digits for each of their bytes. Names that a file system would take for one
 * (`Commit` and `commit`) are told apart in the same way. Only a name that is too long cannot be read back: it is cut,
 * and `isWhole` says so. The same names always give the same file names.
 */
export function fileNames(names: Iterable<string>): Map<string, { file: string; isWhole: boolean }> {
  const result = new Map<string, { file: string; isWhole: boolean }>();
  const taken = new Set<string>();
  // Those first that have one spelling only: they have to stay as they are.
  const isPlain = (name: string) => Number(spelledOut(name) === escaped(name));
  for (const name of [...new Set(names)].sort((a, b) => isPlain(b) - isPlain(a) || compareText(a, b))) {
    let file = escaped(name);
    if (taken.has(folded(file))) file = spelledOut(name);
    const isWhole = Buffer.byteLength(file) <= MAX_BYTES;
    if (!isWhole) file = `${cut(file)}~${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
    taken.add(folded(file));
    result.set(name, { file, isWhole });
  }
  return result;
}

/** The name behind a file name that `fileNames` made; what was not made so stays as it is. */
export function nameOfFile(file: string): string {
  try {
    return decodeURIComponent(file.replace(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch {
    return file;
  }
}

function escaped(name: string): string {
  return withSafeEnds(name.replace(FORBIDDEN, bytes));
}

/** Nothing stays that has two cases or two spellings. */
function spelledOut(name: string): string {
  return withSafeEnds([...name].map((letter) => (/[a-z0-9 ._-]/.test(letter) ? letter : bytes(letter))).join(''));
}

function withSafeEnds(file: string): string {
  return file
    .replace(/^\./, bytes)
    .replace(/[. ]$/, bytes)
    .replace(DEVICE, (device) => bytes(device[0]!) + device.slice(1));
}

function bytes(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/** What file systems that do not tell cases or spellings apart make of a name. */
function folded(file: string): string {
  return file.normalize('NFC').toUpperCase().toLowerCase();
}

function cut(file: string): string {
  let kept = '';
  for (const letter of file) {
    if (Buffer.byteLength(kept) + Buffer.byteLength(letter) > MAX_BYTES - 40) break;
    kept += letter;
  }
  // No half of a character that was written as bytes.
  return kept.replace(/(?:%[0-9A-F]{0,2})+$/i, '').replace(/[. ]+$/, '');
}
