import { closeSync, fstatSync, openSync } from 'node:fs';
import { readFrom, StoreFiles } from './files';

/**
 * Where a store stood when something was read from it: what is kept beside a store, and what asks in a hurry whether that
 * still holds, needs no database.
 */
export interface StoreStamp {
  /** Number of its newest generation; 0 where there is no store. */
  generation: number;
  /** Bytes of that generation's journal, whole records only. */
  journal: number;
  /** Number of its last transaction. */
  sequence: number;
  /** Which store it is: another one has another. Empty where there is none. */
  lineage: string;
}

/** A header has some 500 bytes. */
const HEADER_BYTES = 16 * 1024;

/** Whether the directory holds a store. Throws what the system says where it may not be looked at. */
export function isStore(directory: string): boolean {
  return generationsOf(directory).length > 0;
}

/**
 * Whether nothing at all was stored since `stamp` was taken. By one look at the newest journal's size and at whose it is:
 * `storedSince` says more where it is false. Throws what the system says where files may not be read.
 */
export function isUnchanged(directory: string, stamp: StoreStamp): boolean {
  const [newest = 0] = generationsOf(directory);
  if (newest !== stamp.generation) return false;
  if (newest === 0) return true;
  let file: number;
  try {
    file = openSync(new StoreFiles(directory).journal(newest), 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  try {
    const { size } = fstatSync(file);
    // The lineage is random: no other store's header names it.
    return size === stamp.journal && readFrom(file, 0, Math.min(size, HEADER_BYTES)).includes(`"${stamp.lineage}"`);
  } finally {
    closeSync(file);
  }
}

/** Numbers of the generations, newest first; none where there is no such directory. */
export function generationsOf(directory: string): number[] {
  try {
    return new StoreFiles(directory).generations();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
