import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { KaizenError } from '../core/errors';
import { renamePatiently } from '../core/rename';
import { openInside, resolveInside } from './confinement';
import { LIMITS } from './limits';
import { editNode, type NodeEdit, type Place } from './markdown';
import type { KnowledgeNode, NodeUpdate } from './model';

const MOST = `${LIMITS.fileSize / 1_048_576} MB`;

/** Where the node of an update stands. */
export interface UpdateTarget extends Place {
  /** The base's root as a real path. */
  realRoot: string;
  /** Tells the node among those that the file has now, under the ids that the file gives them. */
  isNode: (node: KnowledgeNode) => boolean;
}

/**
 * The file now, and with new content of one node. Undefined when the node or the file is gone. Throws `invalid_argument`
 * for content that cannot stand there (see `editNode`), for a file that is not UTF-8 or would get too large,
 * `outside_root`, and the system's error when the file cannot be read.
 */
export async function readEdit(target: UpdateTarget, content: string): Promise<NodeEdit | undefined> {
  const bytes = await bytesOf(target);
  return bytes && editOf(target, bytes, content);
}

/**
 * Writes new content of a node into its file, whole or not at all: what was there stays until all of the new text is on
 * the disk. Answers whether something was written: a file that has the content already is left alone. Throws `conflict`
 * when the node's hash is another one, unless `confirmed`, and in any case when the file changes while it is written;
 * `unknown_node` when it is gone; `read_only` when it may not be written.
 */
export async function writeUpdate(
  target: UpdateTarget,
  { content, content_hash }: Pick<NodeUpdate, 'content' | 'content_hash'>,
  { confirmed }: { confirmed: boolean },
): Promise<boolean> {
  const bytes = await bytesOf(target);
  const edit = bytes && (await editOf(target, bytes, content));
  if (!bytes || !edit) throw gone(target.file);
  const { node, before, after } = edit;
  if (before === after) return false;
  if (node.content_hash !== content_hash && !confirmed) {
    throw new KaizenError(
      'conflict',
      `"${node.title}" in "${target.file}" was changed since.`,
      'Compare the two, and decide again.',
    );
  }
  try {
    await replaceFile(target, bytes, after);
  } catch (error) {
    throw refusalOf(error, target) ?? error;
  }
  return true;
}

async function editOf(target: UpdateTarget, bytes: Buffer, content: string): Promise<NodeEdit | undefined> {
  if (!isUtf8(bytes)) {
    throw new KaizenError(
      'invalid_argument',
      `"${target.file}" is not UTF-8, and writing it could spoil its letters.`,
      'Ask the user to save the file as UTF-8.',
    );
  }
  const edit = await editNode(bytes.toString('utf8'), target, target.isNode, content);
  if (edit && Buffer.byteLength(edit.after) > LIMITS.fileSize) {
    throw new KaizenError(
      'invalid_argument',
      `With this content "${target.file}" would have more than ${MOST}, and not be indexed any more.`,
      'Propose less.',
    );
  }
  return edit;
}

/** Undefined when the file is gone. Throws `invalid_argument` when it has become too large to be indexed. */
async function bytesOf({ realRoot, file }: UpdateTarget): Promise<Buffer | undefined> {
  try {
    const handle = await openInside(realRoot, file);
    try {
      const { size } = await handle.stat();
      if (size <= LIMITS.fileSize) return await handle.readFile();
      throw new KaizenError(
        'invalid_argument',
        `"${file}" has more than ${MOST} and is not indexed any more.`,
        'Ask the user to divide it.',
      );
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

/**
 * Writes beside the file and puts that in its place, if the file is byte for byte what it was. Its mode stays, and so
 * does its owner where the system lets us.
 */
async function replaceFile(target: UpdateTarget, expected: Buffer, text: string): Promise<void> {
  const { realRoot, file } = target;
  const real = await resolveInside(realRoot, file);
  await access(real, constants.W_OK);
  // An administrator may write anything; whoever made the file read-only meant it.
  if (((await stat(real)).mode & 0o222) === 0) throw Object.assign(new Error('It is read-only.'), { code: 'EACCES' });
  // Made without the file's name, which may be as long as names can be.
  const beside = join(dirname(real), `.kaizen-${randomBytes(8).toString('hex')}.tmp`);
  const written = await open(beside, 'wx', 0o600);
  try {
    try {
      await written.writeFile(text);
      await adopt(written, target);
      await written.sync();
    } finally {
      await written.close();
    }
    const now = await bytesOf(target);
    if (!now) throw gone(target.file);
    if (!now.equals(expected) || (await resolveInside(realRoot, file)) !== real) {
      throw new KaizenError(
        'conflict',
        `"${file}" was changed just now by somebody else.`,
        'Look at it and try again.',
      );
    }
    await renamePatiently(beside, real);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  await syncFolder(dirname(real));
}

/** Gives a new file the mode and the owner of the one that it replaces. */
async function adopt(written: FileHandle, { realRoot, file }: UpdateTarget): Promise<void> {
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

/** So that the new name survives a power failure; Windows has no such thing. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

function gone(file: string): KaizenError {
  return new KaizenError(
    'unknown_node',
    `The node is not in "${file}" any more.`,
    'It was deleted, renamed or moved: look for it with search_knowledge.',
  );
}

function refusalOf(error: unknown, { file }: UpdateTarget): KaizenError | undefined {
  if (isSystemError(error, 'EACCES', 'EPERM', 'EROFS')) {
    const hint = 'Allow writing the file and its folder, and try again.';
    return new KaizenError('read_only', `"${file}" may not be written.`, hint, { cause: error });
  }
  if (isSystemError(error, 'ENOSPC', 'EDQUOT')) {
    const hint = 'The file is as it was. Make room and try again.';
    return new KaizenError('store_full', `There is no room to write "${file}".`, hint, { cause: error });
  }
  return isSystemError(error, 'ENOENT', 'ENOTDIR') ? gone(file) : undefined;
}

function isSystemError(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes((error as NodeJS.ErrnoException).code ?? '');
}
