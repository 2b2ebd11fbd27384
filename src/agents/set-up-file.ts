import { isUtf8 } from 'node:buffer';
import { lstat, readdir, realpath, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { KaizenError } from '../core/errors';
import { type Sentence, sentence } from '../core/sentence';
import { createFile, isBeside, isInside, makeRoot, readBytes, removeFile, removeLeftover, replaceFile } from '../files';
import type { AgentSurroundings } from './model';

/** Far beyond any file that a person writes for an agent. */
const MOST_BYTES = 5_000_000;
/** Nobody takes so long to write one. */
const LEFT_MS = 60_000;

/** A file as it is now, under the name that it is changed by. */
export interface SetUpFile {
  /** Absolute: where a link leads to, within the workspace. */
  file: string;
  /** Undefined where there is none. */
  text: string | undefined;
}

/**
 * Reads a file that a piece may go into; of the workspace only where no link on the way to it leads out. Answers a
 * sentence for what is not a plain file of UTF-8 text of at most 5 MB, or cannot be read.
 */
export async function readSetUpFile(
  file: string,
  around: AgentSurroundings,
): Promise<SetUpFile | { unreadable: Sentence }> {
  try {
    const { root, path } = await placeOf(file, around);
    const bytes = await readBytes(root, path, MOST_BYTES);
    if (bytes === 'too_large') return { unreadable: sentence('It is larger than 5 MB. Make it smaller first.') };
    const real = bytes === undefined ? file : await shownPath(root, path, around);
    if (bytes === undefined) {
      const problem = await problemOfPlace(root, path);
      return problem === undefined ? { file: real, text: undefined } : { unreadable: problem };
    }
    if (!isUtf8(bytes)) return { unreadable: sentence('It is not UTF-8 text. Save it in UTF-8 first.') };
    return { file: real, text: bytes.toString('utf8') };
  } catch (error) {
    return { unreadable: sentenceOf(error) };
  }
}

/**
 * Brings a file from one text to another; undefined where there is none. Whole or not at all, with its mode; folders are
 * made, and those that are empty without a deleted file of the workspace go with it. Throws `conflict` where the file is
 * another one than `before`, and what `src/files/writing.ts` throws.
 */
export async function changeSetUpFile(
  file: string,
  before: string | undefined,
  after: string | undefined,
  around: AgentSurroundings,
): Promise<void> {
  const { root, path } = await placeOf(file, around, { make: after !== undefined });
  await removeLeftovers(root, path);
  if (before === undefined && after !== undefined) return createFile(root, path, after);
  if (before === undefined) return;
  if (after !== undefined) return replaceFile(root, path, Buffer.from(before), after);
  await removeFile(root, path, Buffer.from(before));
  await removeEmptyFolders(root, path);
}

/** What a process left beside the file that ended while it wrote; what is young may be in use. */
async function removeLeftovers(root: string, path: string): Promise<void> {
  const folder = path.split('/').slice(0, -1);
  const names = await readdir(join(root, ...folder)).catch(() => []);
  for (const name of names.filter(isBeside)) {
    await removeLeftover(root, [...folder, name].join('/'), Date.now() - LEFT_MS);
  }
}

interface Place {
  /** The real path of the folder that nothing leads out of. */
  root: string;
  /** `/` between the parts. */
  path: string;
}

/**
 * A workspace's file counts from the workspace's folder. A person's own file counts from the folder that it really lies
 * in: their configuration may well be links into a folder that they keep elsewhere.
 */
async function placeOf(file: string, around: AgentSurroundings, { make = false } = {}): Promise<Place> {
  const inside = relative(around.workspace, file);
  if (isBelow(inside)) return { root: await realpath(around.workspace), path: inside.split(sep).join('/') };
  const real = await realpath(file).catch(() => file);
  const folder = dirname(real);
  const root = make ? await makeRoot(folder) : await realpath(folder).catch(() => undefined);
  if (root !== undefined) return { root, path: basename(real) };
  // Its folder is not there yet: counted from the nearest that is.
  const [nearest, path] = await nearestFolder(folder);
  return { root: nearest, path: [...path, basename(real)].join('/') };
}

function isBelow(path: string): boolean {
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

async function nearestFolder(folder: string): Promise<[real: string, missing: string[]]> {
  const missing: string[] = [];
  for (let current = folder; ; current = dirname(current)) {
    const real = await realpath(current).catch(() => undefined);
    if (real !== undefined) return [real, missing];
    if (dirname(current) === current) return [current, missing];
    missing.unshift(basename(current));
  }
}

/** What the file is called when links within the workspace were followed. */
async function shownPath(root: string, path: string, { workspace }: AgentSurroundings): Promise<string> {
  const real = await realpath(join(root, ...path.split('/')));
  const inside = relative(root, real);
  return root === (await realpath(workspace)) && isBelow(inside) ? join(workspace, inside) : real;
}

/** Why a file that is not there could not be made; undefined where it could. */
async function problemOfPlace(root: string, path: string): Promise<Sentence | undefined> {
  const names = path.split('/');
  const whole = join(root, ...names);
  if (await lstat(whole).catch(() => undefined)) return sentence('It is a link that leads nowhere. Remove it first.');
  for (let depth = 1; depth < names.length; depth++) {
    const folder = join(root, ...names.slice(0, depth));
    const name = names.slice(0, depth).join('/');
    const stats = await stat(folder).catch(() => undefined);
    if (stats === undefined) {
      const isLink = await lstat(folder).catch(() => undefined);
      return isLink ? sentence('{0} is a link that leads nowhere. Remove it first.', name) : undefined;
    }
    if (!stats.isDirectory()) return sentence('{0} is a file, not a folder. Move it away first.', name);
    if (!isInside(root, await realpath(folder))) return OUTSIDE;
  }
  return undefined;
}

const OUTSIDE = sentence("A link leads out of the workspace to it: it is not the workspace's own, and is left alone.");

function sentenceOf(error: unknown): Sentence {
  if (error instanceof KaizenError && error.code === 'outside_root') return OUTSIDE;
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EISDIR':
      return sentence('It is a folder or a device, not a file. Move it away first.');
    case 'ENOTDIR':
      return sentence('What should be its folder is a file. Move it away first.');
    case 'EACCES':
    case 'EPERM':
      return sentence('It may not be read. Allow it first.');
    case 'ELOOP':
      return sentence('It is a link that leads in a circle. Remove it first.');
    default:
      return sentence('It could not be read ({0}).', code);
  }
}

/** Of the workspace's, from the innermost on; a person's own folders stay. */
async function removeEmptyFolders(root: string, path: string): Promise<void> {
  const names = path.split('/').slice(0, -1);
  for (let depth = names.length; depth > 0; depth--) {
    const isRemoved = await rmdir(join(root, ...names.slice(0, depth))).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}
