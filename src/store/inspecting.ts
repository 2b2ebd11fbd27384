import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describeError, isKaizenError } from '../core/errors';
import { loadSqlite } from './database';
import { readIfThere, StoreFiles } from './files';
import { loadNewest } from './loading';
import { parseHolder } from './lock';
import { investigate, type Liveness, livenessOf } from './process-identity';
import { currentVersions, type Schema } from './schema';
import type { Reader } from './transaction';

/** What a store's directory holds, as it is on the disk. Files are named without their folder. */
export interface StoreInspection {
  /**
   * `absent`: there is none yet. `sound`: all of it can be read. `damaged`: not all of it, or nothing (`isLost`).
   * `newer`: a newer build wrote it. `unreadable`: the system refuses.
   */
  state: 'absent' | 'sound' | 'damaged' | 'newer' | 'unreadable';
  /** Nothing can be read: who opens the store is refused. */
  isLost: boolean;
  /** What was found damaged, or why nothing could be read, in sentences. */
  faults: string[];
  /** Number of the newest generation; 0 where there is none. */
  generation: number;
  /** In bytes. */
  snapshot: number;
  journal: number;
  /** Whose tables an opening would bring forward. */
  older: string[];
  /** A write that was cut off stands at the journal's end; nobody was told that it succeeded. */
  isTorn: boolean;
  /** Folders with files that were set aside before. */
  setAside: number;
}

/**
 * Looks at a store as if it were opened, and changes nothing. Never throws. What `look` throws
 * counts as a fault of the store: it is shown what a sound one holds.
 */
export async function inspectStore(
  directory: string,
  schemas: readonly Schema[],
  look?: (stored: Pick<Reader, 'all'>) => void,
): Promise<StoreInspection> {
  const found: StoreInspection = {
    ...{ state: 'absent', isLost: false, faults: [], generation: 0, snapshot: 0, journal: 0, older: [] },
    ...{ isTorn: false, setAside: 0 },
  };
  const without = (text: string) => text.replaceAll(`${directory}${path.sep}`, '').replaceAll(directory, '…');
  try {
    const names = readdirSync(directory);
    found.setAside = names.filter((name) => name.startsWith('damaged-')).length;
    const files = new StoreFiles(directory);
    found.generation = files.highest();
    if (found.generation === 0) return found;
    found.snapshot = sizeOf(files.snapshot(found.generation));
    found.journal = sizeOf(files.journal(found.generation));
    const loaded = loadNewest(await loadSqlite(), files, schemas);
    if (!loaded) return found;
    try {
      found.state = loaded.faults.length > 0 ? 'damaged' : 'sound';
      found.faults = loaded.faults.map(({ message }) => without(message));
      found.isTorn = loaded.torn;
      const known = currentVersions(schemas);
      found.older = Object.keys(known).filter((part) => (loaded.schema[part] ?? 0) < known[part]!);
      if (found.state === 'sound') look?.(loaded.database);
    } finally {
      loaded.database.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && found.generation === 0) return found;
    found.state = isKaizenError(error) ? (error.code === 'store_newer' ? 'newer' : 'damaged') : 'unreadable';
    found.isLost = found.state === 'damaged';
    found.faults = [without(isKaizenError(error) ? error.message : describeError(error))];
  }
  return found;
}

/** Who is in at a store, by one of its locks. */
export interface LockInspection {
  lock: 'lock' | 'checkpoint';
  /** Undefined where the file does not say. */
  pid: number | undefined;
  /** `unknown`: another computer's, or nothing that can be asked. */
  liveness: Exclude<Liveness, 'unasked'>;
  /** Since the holder last stirred, in milliseconds; a living one does every few seconds. */
  idle: number;
  /** Somebody has said that they wait. */
  isWanted: boolean;
}

/** The locks of a directory that are held, by the living or the dead. Takes none and removes nothing. Never throws. */
export async function inspectLocks(directory: string): Promise<LockInspection[]> {
  const found: LockInspection[] = [];
  for (const lock of ['lock', 'checkpoint'] as const) {
    const epochs = namesIn(directory)
      .map((name) => (name.startsWith(`${lock}.`) ? name.slice(lock.length + 1) : ''))
      .filter((suffix) => /^\d+$/.test(suffix));
    const newest = epochs.sort((a, b) => Number(b) - Number(a))[0];
    if (newest === undefined) continue;
    const file = path.join(directory, `${lock}.${newest}`);
    try {
      const holder = parseHolder(readFileSync(file, 'utf8'));
      const idle = Math.max(0, Date.now() - statSync(file).mtimeMs);
      if (holder && livenessOf(holder) === 'unasked') await investigate(holder);
      const liveness = holder ? livenessOf(holder) : 'unknown';
      found.push({
        ...{ lock, pid: holder?.pid, liveness: liveness === 'unasked' ? 'unknown' : liveness, idle },
        isWanted: readIfThere(path.join(directory, `${lock}.wanted`)) !== undefined,
      });
    } catch {
      // Released in between.
    }
  }
  return found;
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
