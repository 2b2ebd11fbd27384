import type { Stats } from 'node:fs';

/** Time stamps of file systems are as coarse as this, in milliseconds (FAT). */
const COARSEST = 2_000;

/**
 * By what a change is noticed without reading: size, modification and status change times. The latter changes also where
 * a tool puts the modification time back.
 */
export function stampOf({ size, mtimeMs, ctimeMs }: Stats): string {
  return `${size} ${mtimeMs} ${ctimeMs}`;
}

/**
 * The stamp to keep for what was read just now. A file that was changed a moment ago could be changed once more without
 * getting another stamp, so that it gets one that nothing equals and is read again.
 */
export function stampOfRead(stats: Stats, now: number): string {
  const isFresh = Math.abs(now - stats.mtimeMs) < COARSEST || Math.abs(now - stats.ctimeMs) < COARSEST;
  return isFresh ? `${stampOf(stats)} fresh` : stampOf(stats);
}

/** Which folder it is that has a name now: another one after it was moved away and its place was taken. */
export function identityOf({ dev, ino }: Stats): string {
  return `${dev} ${ino}`;
}
