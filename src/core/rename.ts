import { rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const RENAMES = 6;
const HELD = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Renames; on Windows a scanner or an editor may hold a file for a moment, so it is tried again for most of a second. */
export async function renamePatiently(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const isHeld = process.platform === 'win32' && HELD.has((error as NodeJS.ErrnoException).code ?? '');
      if (!isHeld || attempt === RENAMES) throw error;
      await sleep(attempt * 50);
    }
  }
}
