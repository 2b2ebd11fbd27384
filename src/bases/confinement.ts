import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { KaizenError } from '../core/errors';

/** Characters that end a path, hide in it, or separate its parts on another system. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
const NEVER = /[\0-\u001F\u007F\\]/;
/** `.`, `/`, `\` and NUL in their percent-encoded forms, also encoded more than once. */
const ENCODED = /%(25)*(2e|2f|5c|00)/i;
/** What Windows takes for a device whatever folder and ending it has. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;

/**
 * Refuses a path that could lead out of a root, whatever the system makes of it: throws `outside_root` and nothing is
 * read. On Windows also names that mean something else there: drives, streams, devices, names that end in a dot or space.
 */
export function checkRelativePath(path: string, platform: NodeJS.Platform = process.platform): void {
  const names = path.split('/');
  const isBad =
    path.length > 4_096 ||
    NEVER.test(path) ||
    ENCODED.test(path) ||
    /^[A-Za-z]:/.test(path) ||
    names.some((name) => name === '' || name === '.' || name === '..') ||
    (platform === 'win32' && names.some((name) => DEVICE.test(name) || /[. ]$/.test(name) || /[<>:"|?*]/.test(name)));
  if (isBad) throw outside(path);
}

/** Whether the path is the root or below it. Both are real paths, so that comparing texts is enough. */
export function isInside(realRoot: string, realPath: string): boolean {
  if (realPath === realRoot) return true;
  return realPath.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep);
}

/** The real path of a file below the root, in the letters that the disk has. Throws `outside_root`, or the system's error when there is none. */
export async function resolveInside(realRoot: string, path: string): Promise<string> {
  checkRelativePath(path);
  // The root itself may have been replaced by a link since.
  const [root, file] = await Promise.all([realpath(realRoot), realpath(join(realRoot, ...path.split('/')))]);
  if (root !== realRoot || !isInside(realRoot, file)) throw outside(path);
  return file;
}

/**
 * Opens a file below the root for reading. A link that takes the file's place in the meantime is not followed, and a
 * pipe does not keep anybody waiting. Throws as `resolveInside`.
 */
export async function openInside(realRoot: string, path: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  return open(await resolveInside(realRoot, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
}

function outside(path: string): KaizenError {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is hidden
  const shown = path.slice(0, 120).replace(/[\0-\u001F\u007F]/g, '\uFFFD');
  return new KaizenError(
    'outside_root',
    `"${shown}" is not a path inside of the knowledge base.`,
    'Use a path as list_knowledge_bases gives it.',
  );
}
