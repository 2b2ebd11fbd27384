import { open, stat } from 'node:fs/promises';
import { KaizenError } from '../core/errors';

/** As much of a file's beginning as is looked at, in bytes. */
const HEAD = 1_000;

/**
 * Whether an export may go to `file`: it is not there, is no file (a pipe, a device), is empty, or begins as an earlier
 * export of this form does. Throws `conflict` for what somebody else wrote.
 */
export async function expectReplaceable(file: string, isOwn: (beginning: string) => boolean): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile() || found.size === 0) return;
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    if (isOwn(buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, ''))) return;
  } finally {
    await handle.close();
  }
  throw new KaizenError(
    'conflict',
    `${file} is there already, and no export of this form wrote it.`,
    'Choose another name, or replace it (--overwrite).',
  );
}
