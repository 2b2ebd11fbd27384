import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { KaizenError } from '../../core/errors';
import { checkText } from '../../core/text';
import { checkRelativePath, createFile, isInside, readBytes } from '../../files';

const MOST_BYTES = 128 * 1024 * 1024;

/** A file of the workspace folder, as an agent names it: the folder's real path, and the file's in it. */
interface Place {
  root: string;
  file: string;
}

/** Throws `outside_root`, and `conflict` where there is something of this name. Answers the path in the folder. */
export async function writeInWorkspace(
  workspace: string | undefined,
  path: string,
  content: string | Buffer,
): Promise<string> {
  const { root, file } = await placeOf(workspace, path);
  await createFile(root, file, content);
  return file;
}

/** Looks before anything is gathered. Throws `outside_root`. */
export async function checkInWorkspace(workspace: string | undefined, path: string): Promise<void> {
  await placeOf(workspace, path);
}

/** Throws `outside_root`, `unreadable_source`. */
export async function readInWorkspace(workspace: string | undefined, path: string): Promise<Buffer> {
  const { root, file } = await placeOf(workspace, path);
  const bytes = await readBytes(root, file, MOST_BYTES).catch((error) => {
    if (error instanceof KaizenError) throw error;
    throw unreadable(file, 'cannot be read.', error);
  });
  if (bytes === undefined) throw unreadable(file, 'is not there.');
  if (bytes === 'too_large') throw unreadable(file, 'is larger than 128 MB.');
  return bytes;
}

async function placeOf(workspace: string | undefined, path: string): Promise<Place> {
  const named = checkText(path.trim(), { name: 'path', min: 1, max: 4_096, singleLine: true });
  if (workspace === undefined) throw outside(named);
  const root = await realpath(workspace).catch(() => resolve(workspace));
  const absolute = resolve(workspace, named);
  const inside = relative(isInside(root, absolute) ? root : resolve(workspace), absolute);
  if (inside === '' || isAbsolute(inside) || inside.split(sep)[0] === '..') throw outside(named);
  const file = inside.split(sep).join('/');
  checkRelativePath(file);
  return { root, file };
}

function outside(path: string): KaizenError {
  return new KaizenError(
    'outside_root',
    `"${path.slice(0, 120)}" is not a file in the workspace folder.`,
    'Agents name files of the workspace only; kaizen learn export and import take any.',
  );
}

function unreadable(file: string, why: string, cause?: unknown): KaizenError {
  return new KaizenError('unreadable_source', `"${file.slice(0, 120)}" ${why}`, undefined, { cause });
}
