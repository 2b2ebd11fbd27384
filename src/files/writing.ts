import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, link, lstat, mkdir, open, realpath, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { KaizenError } from '../core/errors';
import { renamePatiently } from '../core/rename';
import { sentence } from '../core/sentence';
import { checkRelativePath, isInside, isOpenInside, openInside, outside, resolveInside } from './confinement';
import { isSystemError, readBytes } from './reading';

/**
 * Writes files of a folder whole or not at all: what was there stays until all of the new text is on the disk, and a
 * file that is another one than its reader saw is left alone. Paths are relative to the folder, `/` between their parts,
 * and never lead out of it (`outside_root`). Besides, all of these throw `read_only` where the system does not let us,
 * `store_full` where there is no room, and `store_io` for anything else; nothing has changed then.
 */

/** Has a folder's new names survive a power failure, now or later. */
type SyncFolder = (folder: string) => Promise<void>;

/** Of many files that are written: each of their folders is synced once, at the end. */
export class UnsyncedFolders {
  private readonly folders = new Set<string>();

  /** In the place of syncing a folder at once. */
  readonly later: SyncFolder = async (folder) => {
    this.folders.add(folder);
  };

  async sync(): Promise<void> {
    for (const folder of this.folders) await syncFolder(folder);
    this.folders.clear();
  }
}

/** What is nobody else's: modes of folders and files of a person's own data. */
export const OWN_FOLDER = 0o700;
export const OWN_FILE = 0o600;
/** Less what the system takes away from new ones. */
const ANY_FOLDER = 0o777;
const ANY_FILE = 0o666;

/**
 * Makes the folder unless it is there, and answers its real path: what the functions below take. Others may look into it
 * as the system has it for new folders, unless `mode` says otherwise; so for folders above it that are made.
 */
export async function makeRoot(root: string, mode = ANY_FOLDER): Promise<string> {
  try {
    await mkdir(root, { recursive: true, mode });
    return await realpath(root);
  } catch (error) {
    throw refusalOf(error, root);
  }
}

/**
 * Puts `bytes` in the place of a file that is byte for byte `expected`. Its mode stays, and so does its owner where the
 * system lets us; a link to it stays one. Throws `conflict` when it is another one, or gone.
 */
export async function replaceFile(
  realRoot: string,
  file: string,
  expected: Buffer,
  bytes: Buffer | string,
  sync: SyncFolder = syncFolder,
): Promise<void> {
  await told(file, async () => {
    const real = await resolveInside(realRoot, file);
    await requireWritable(real);
    const beside = await writeBeside(realRoot, real, bytes, {
      mode: OWN_FILE,
      adorn: (written) => adopt(written, realRoot, file),
    });
    try {
      await requireSame(realRoot, file, expected);
      if ((await resolveInside(realRoot, file)) !== real) throw changed(file);
      await renamePatiently(beside, real);
    } catch (error) {
      await rm(beside, { force: true });
      throw error;
    }
    await sync(dirname(real));
  });
}

/** Makes a file, and the folders that it lies in. Throws `conflict` when there is something of this name. */
export async function createFile(
  realRoot: string,
  file: string,
  bytes: Buffer | string,
  sync: SyncFolder = syncFolder,
  mode: number = ANY_FILE,
): Promise<void> {
  await told(file, async () => {
    const real = await placeFor(realRoot, file);
    const beside = await writeBeside(realRoot, real, bytes, { mode });
    try {
      await takePlace(beside, real, file);
    } finally {
      await rm(beside, { force: true });
    }
    await sync(dirname(real));
  });
}

/** Deletes a file that is byte for byte `expected`; of a link the link. Throws `conflict` when it is another one, or gone. */
export async function removeFile(
  realRoot: string,
  file: string,
  expected: Buffer,
  sync: SyncFolder = syncFolder,
): Promise<void> {
  await told(file, async () => {
    const folder = await folderOf(realRoot, file);
    await requireSame(realRoot, file, expected);
    const real = join(folder, nameOf(file));
    await requireWritable(real);
    await requireStanding(folder, file);
    await unlink(real);
    await sync(folder);
  });
}

/**
 * Moves a file that is byte for byte `expected`, and makes the folders that it is to lie in. A name that differs in case
 * alone, or in how its letters are composed, is another name, whatever the system thinks. Throws `conflict` when the file is another one or gone, and when
 * something else has the name.
 */
export async function moveFile(
  realRoot: string,
  from: string,
  to: string,
  expected: Buffer,
  sync: SyncFolder = syncFolder,
): Promise<void> {
  if (from === to) return;
  await told(from, async () => {
    const folder = await folderOf(realRoot, from);
    const old = join(folder, nameOf(from));
    await requireSame(realRoot, from, expected);
    await requireWritable(old);
    const real = await placeFor(realRoot, to);
    const isSame = await isSameFile(old, real);
    await requireStanding(folder, from);
    await requireStanding(dirname(real), to);
    if (isSame) {
      if (dirname(real) === folder && isSameName(nameOf(from), nameOf(to))) {
        await renamePatiently(old, real);
      } else {
        throw taken(to);
      }
    } else if (await linkIfPossible(old, real, to)) {
      await unlink(old);
    } else {
      await renamePatiently(old, real);
    }
    await sync(dirname(real));
    if (dirname(real) !== folder) await sync(folder);
  });
}

/** Of files that are being written: whoever looks through a folder passes them over, since they are hidden. */
const BESIDE = /^\.kaizen-[0-9a-f]{16}\.tmp$/;

/** Whether a file of this name was left behind by a process that ended while it wrote; or is just being written. */
export function isBeside(name: string): boolean {
  return BESIDE.test(name);
}

/** Removes what a process left behind that ended while it wrote, before the time `until`; what is younger may be in use. */
export async function removeLeftover(realRoot: string, file: string, until: number): Promise<void> {
  if (!isBeside(nameOf(file))) return;
  const folder = await folderOf(realRoot, file).catch(() => undefined);
  if (folder === undefined) return;
  const real = join(folder, nameOf(file));
  const stats = await lstat(real).catch(() => undefined);
  if (stats?.isFile() && stats.mtimeMs < until) await rm(real, { force: true }).catch(() => {});
}

/** Writes a file that nobody takes for one yet into the folder of `real`, down to the disk. Answers its path. */
async function writeBeside(
  realRoot: string,
  real: string,
  bytes: Buffer | string,
  { mode, adorn }: { mode: number; adorn?: (written: FileHandle) => Promise<void> },
): Promise<string> {
  // Made without the file's name, which may be as long as names can be.
  const beside = join(dirname(real), `.kaizen-${randomBytes(8).toString('hex')}.tmp`);
  const written = await open(beside, 'wx', mode);
  try {
    try {
      // Nothing of the text is written where it does not belong.
      const [made, wanted] = [beside, real].map((path) => relative(realRoot, path).split(sep).join('/'));
      if (!(await isOpenInside(written, realRoot, made!))) throw outside(wanted!);
      await written.writeFile(bytes);
      await adorn?.(written);
      await written.sync();
    } finally {
      await written.close();
    }
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  return beside;
}

/** Gives a new file the mode and the owner of the one that it replaces. */
async function adopt(written: FileHandle, realRoot: string, file: string): Promise<void> {
  const handle = await openInside(realRoot, file);
  try {
    const { mode, uid, gid } = await handle.stat();
    const own = await written.stat();
    // Only an administrator may give files away; a file of one's own is as good.
    if (own.uid !== uid || own.gid !== gid) await written.chown(uid, gid).catch(() => {});
    await written.chmod(mode & 0o7777);
  } finally {
    await handle.close();
  }
}

/** Gives what was written its name, unless something has it. */
async function takePlace(beside: string, real: string, file: string): Promise<void> {
  if (await linkIfPossible(beside, real, file)) return;
  // A file system without links (FAT): nothing keeps others from taking the name in between.
  if (await lstat(real).catch(() => undefined)) throw taken(file);
  await renamePatiently(beside, real);
}

/** How systems say that a file can have no second name here; EISDIR is FAT's answer on Windows, EACCES that of some shares. */
const LINKLESS = ['EPERM', 'EACCES', 'EISDIR', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'];

/** A second name for a file, never one that something has. False where the file system has no such thing. */
async function linkIfPossible(from: string, to: string, file: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) throw taken(file);
    if (isSystemError(error, ...LINKLESS)) {
      if (await lstat(to).catch(() => undefined)) throw taken(file);
      return false;
    }
    throw error;
  }
}

/** Where a file of this path is to lie, its folders made step by step, so that no link leads out. */
async function placeFor(realRoot: string, file: string): Promise<string> {
  checkRelativePath(file);
  if ((await realpath(realRoot)) !== realRoot) throw outside(file);
  let folder = realRoot;
  for (const name of file.split('/').slice(0, -1)) {
    const below = join(folder, name);
    const isNew = await mkdir(below).then(
      () => true,
      (error) => {
        if (!isSystemError(error, 'EEXIST')) throw error;
        return false;
      },
    );
    if (isNew) await syncFolder(folder);
    folder = await realpath(below);
    if (!isInside(realRoot, folder)) throw outside(file);
    if (!(await stat(folder)).isDirectory()) throw taken(file);
  }
  return join(folder, nameOf(file));
}

/** The real folder of a file that is there. */
async function folderOf(realRoot: string, file: string): Promise<string> {
  checkRelativePath(file);
  const at = file.lastIndexOf('/');
  if (at >= 0) return resolveInside(realRoot, file.slice(0, at));
  if ((await realpath(realRoot)) !== realRoot) throw outside(file);
  return realRoot;
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

/** An administrator may write anything; whoever made the file read-only meant it. */
async function requireWritable(real: string): Promise<void> {
  await access(real, constants.W_OK);
  if (((await stat(real)).mode & 0o222) === 0) throw Object.assign(new Error('It is read-only.'), { code: 'EACCES' });
}

async function requireSame(realRoot: string, file: string, expected: Buffer): Promise<void> {
  const now = await readBytes(realRoot, file, expected.length);
  if (now === 'too_large' || !now?.equals(expected)) throw changed(file);
}

/** Whether a folder is still itself: it may have become a link, since its real path was asked for, that leads elsewhere. */
async function requireStanding(folder: string, file: string): Promise<void> {
  if ((await realpath(folder)) !== folder) throw outside(file);
}

function isSameName(one: string, other: string): boolean {
  const [a, b] = [one, other].map((name) => name.normalize('NFC').toLowerCase());
  return a === b;
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => lstat(path, { bigint: true }).catch(() => undefined)));
  return a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;
}

/** So that the new name survives a power failure; Windows has no such thing. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

function changed(file: string): KaizenError {
  return new KaizenError(
    'conflict',
    sentence('"{0}" was changed just now by somebody else.', file),
    sentence('Look at it and try again.'),
  );
}

function taken(file: string): KaizenError {
  return new KaizenError(
    'conflict',
    sentence('There is something called "{0}" already.', file),
    sentence('Choose another name.'),
  );
}

async function told(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw refusalOf(error, file);
  }
}

/** The system's errors as words for a person. */
function refusalOf(error: unknown, file: string): unknown {
  if (error instanceof KaizenError) return error;
  const cause = { cause: error };
  if (isSystemError(error, 'EACCES', 'EPERM', 'EROFS')) {
    const hint = sentence('Allow writing the file and its folder, and try again.');
    return new KaizenError('read_only', sentence('"{0}" may not be written.', file), hint, cause);
  }
  if (isSystemError(error, 'ENOSPC', 'EDQUOT')) {
    const hint = sentence('Everything is as it was. Make room and try again.');
    return new KaizenError('store_full', sentence('There is no room to write "{0}".', file), hint, cause);
  }
  if (isSystemError(error, 'ENOENT')) return changed(file);
  if (isSystemError(error, 'ENOTDIR', 'EISDIR', 'EEXIST')) return taken(file);
  if (isSystemError(error, 'ENAMETOOLONG')) {
    return new KaizenError(
      'invalid_argument',
      sentence('"{0}" is too long for a path here.', file),
      sentence('Use a shorter name.'),
      cause,
    );
  }
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return new KaizenError(
    'store_io',
    sentence('"{0}" could not be written ({1}).', file, code),
    sentence('Try again.'),
    cause,
  );
}
