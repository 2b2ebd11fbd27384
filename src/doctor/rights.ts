import { accessSync, constants, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { realPath } from '../core/locations';
import { sentence } from '../core/sentence';
import { posixWord } from '../core/shell-words';
import type { DoctorFinding } from './model';

/** Whether this account may change a directory and the files in it that are named like `changed`. */
export function mayWrite(directory: string, changed: RegExp): boolean {
  try {
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    const files = readdirSync(directory).filter((name) => changed.test(name));
    return files.every((name) => mayChange(join(directory, name)));
  } catch {
    return false;
  }
}

/** Locks and journals come and go at every moment: what is gone by now stands in nobody's way. */
function mayChange(file: string): boolean {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** What gives this account the right to read and write a directory: the mode does where it is its own already. */
export function rightsMend(directory: string, platform: NodeJS.Platform): NonNullable<DoctorFinding['mend']> {
  if (platform === 'win32')
    return { sentence: sentence('Give yourself the right to read and write its folder.'), folder: directory };
  const place = posixWord(directory);
  return isAnothers(directory)
    ? {
        sentence: sentence('It belongs to another account, as after a call with sudo. Make yourself its owner.'),
        command: `sudo chown -R "$(id -u)" ${place}`,
      }
    : {
        sentence: sentence('Give yourself the right to read and write its folder.'),
        command: `chmod -R u+rwX ${place}`,
      };
}

/** A link counts as itself: where it leads is nothing of the store's, and `chown -R` leaves it alone. */
function isAnothers(directory: string): boolean {
  const own = process.getuid?.();
  const isForeign = (path: string): boolean => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats !== undefined && stats.uid !== own;
  };
  try {
    // Its own name may be a link to where a person keeps it.
    const root = realPath(directory);
    if (isForeign(root)) return true;
    const entries = readdirSync(root, { recursive: true, withFileTypes: true });
    return entries.some(({ parentPath, name }) => isForeign(join(parentPath, name)));
  } catch {
    return false;
  }
}
