import { lstat, open, rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a file whole or not at all: what was there stays until all of the new text is on the disk. A link, a device, or
 * a file in a folder that nothing may be added to is written as it stands.
 */
export async function writeWhole(file: string, text: string | Uint8Array): Promise<void> {
  const before = await lstat(file).catch(() => undefined);
  if (before && !before.isFile()) return writeFile(file, text);
  const beside = `${file}.${process.pid}.tmp`;
  // What is named is what was asked for, and no file of ours beside it.
  const naming = (error: unknown) => {
    const { message } = error as NodeJS.ErrnoException;
    return Object.assign(error as NodeJS.ErrnoException, { path: file, message: message.replaceAll(beside, file) });
  };
  const handle = await open(beside, 'w', before?.mode).catch((error: NodeJS.ErrnoException) => {
    if (before && (error.code === 'EACCES' || error.code === 'EPERM')) return undefined;
    throw naming(error);
  });
  if (!handle) return writeFile(file, text);
  try {
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw naming(error);
  }
}
