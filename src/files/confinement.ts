import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';

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

/** How often a file is opened anew that somebody replaces just then. */
const ATTEMPTS = 3;

/**
 * Opens a file below the root for reading. A link that takes the file's place in the meantime is not followed, what was
 * opened is looked at once more, and a pipe does not keep anybody waiting. Throws as `resolveInside`.
 */
export async function openInside(realRoot: string, path: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const handle = await open(await resolveInside(realRoot, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      if (await isOpenInside(handle, realRoot, path)) return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
  }
  throw outside(path);
}

/**
 * Whether what was opened, or made, stands below the root: a folder on the way may have become a link since its path was resolved.
 * Linux says where an open file is; elsewhere it must be the one that the path leads to before and after.
 */
export async function isOpenInside(handle: FileHandle, realRoot: string, path: string): Promise<boolean> {
  const place = process.platform === 'linux' && (await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined));
  if (place) return isInside(realRoot, place);
  const real = await resolveInside(realRoot, path);
  const [opened, standing] = await Promise.all([handle.stat({ bigint: true }), lstat(real, { bigint: true })]);
  const isSame = opened.ino === standing.ino && opened.dev === standing.dev;
  return isSame && (await resolveInside(realRoot, path)) === real;
}

/** Says that a path is none of the folder's. */
export function outside(path: string): KaizenError {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is hidden
  const shown = path.slice(0, 120).replace(/[\0-\u001F\u007F]/g, '\uFFFD');
  return new KaizenError(
    'outside_root',
    sentence('"{0}" is not a path inside of the folder.', shown),
    sentence('Use a path as the list of its files gives it.'),
  );
}
