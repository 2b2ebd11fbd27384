import { lstat, open, rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a file whole or not at all: what was there stays until all of the new text is on the disk. A link, a device, or
 * a file in a folder that nothing may be added to is written as it stands.
 */
export async function writeWhole(file: string, text: string | Uint8Array): Promise<void> {
  const before = await lstat(file).catch(() => undefined);
  if (before && !before.isFile()) return writeFile(file, text);
  const beside = `${file}.${process.pid}.tmp`;
  const handle = await open(beside, 'w', before?.mode).catch((error: NodeJS.ErrnoException) => {
    if (before && (error.code === 'EACCES' || error.code === 'EPERM')) return undefined;
    throw error;
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
    throw error;
  }
}
