import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

/**
 * The files of a store. Generation N consists of `snapshot-N.sqlite` and `journal-N`; it is there once its journal is.
 */
export class StoreFiles {
  constructor(readonly directory: string) {}

  /** Numbers of the generations, newest first. */
  generations(): number[] {
    return this.names()
      .map((name) => /^journal-(\d+)$/.exec(name)?.[1])
      .filter((digits) => digits !== undefined)
      .map(Number)
      .sort((a, b) => b - a);
  }

  /** The highest number that any file carries; 0 when there is none. */
  highest(): number {
    return Math.max(0, ...this.numbers());
  }

  journal(generation: number): string {
    return path.join(this.directory, `journal-${padded(generation)}`);
  }

  snapshot(generation: number): string {
    return path.join(this.directory, `snapshot-${padded(generation)}.sqlite`);
  }

  temporary(purpose: string): string {
    return path.join(this.directory, `${purpose}-${process.pid}-${Math.random().toString(36).slice(2, 10)}.tmp`);
  }

  /** Removes generations older than the `kept` newest, and what crashed checkpoints left behind. */
  tidy(kept: number): void {
    const oldest = this.generations()[kept - 1] ?? 0;
    for (const generation of this.numbers()) {
      if (generation >= oldest) continue;
      // The journal goes first: a snapshot without a journal is no generation.
      discard(this.journal(generation));
      discard(this.snapshot(generation));
    }
    for (const name of this.names()) {
      const file = path.join(this.directory, name);
      const stale = /^[a-z]+-holder-/.test(name) || name.endsWith('.tmp');
      if (stale && ageOf(file) > DAY_MS) discard(file);
    }
  }

  /**
   * Moves those of the files that are there into a new folder, whole, where nothing of ours looks at them again.
   * Returns that folder, or undefined when there was nothing to move.
   */
  setAside(files: readonly string[], now: Date): string | undefined {
    const present = [...new Set(files)].filter((file) => statSync(file, { throwIfNoEntry: false }));
    if (present.length === 0) return undefined;
    const folder = mkdtempSync(path.join(this.directory, `damaged-${now.toISOString().replaceAll(/[:.]/g, '-')}-`));
    for (const file of present) renameSync(file, path.join(folder, path.basename(file)));
    return folder;
  }

  /** The number that each journal and each snapshot carries. */
  private numbers(): number[] {
    return this.names()
      .map((name) => /^(?:journal-(\d+)|snapshot-(\d+)\.sqlite)$/.exec(name))
      .filter((match) => match !== null)
      .map((match) => Number(match[1] ?? match[2]));
  }

  /** None where there is no directory. */
  private names(): string[] {
    try {
      return readdirSync(this.directory);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }
}

const DAY_MS = 24 * 3600 * 1000;

function padded(generation: number): string {
  return String(generation).padStart(6, '0');
}

function ageOf(file: string): number {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? Date.now() - stat.mtimeMs : 0;
}

/** Removes what is needed no more; what cannot be removed now (a scanner holds it open on Windows) is left for `tidy`. */
export function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Nothing depends on its being gone.
  }
}

export function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The `length` bytes from `position` on, or as many of them as the file has. */
export function readFrom(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const count = readSync(fd, bytes, done, length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

/** The last `length` bytes of a file. */
export function readEnd(file: string, length: number): Buffer {
  const fd = openSync(file, 'r');
  try {
    return readFrom(fd, Math.max(0, fstatSync(fd).size - length), length);
  } finally {
    closeSync(fd);
  }
}

export function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
  }
}

/** Writes a file whose content is on the disk when this returns. */
export function writeDurably(file: string, parts: readonly Uint8Array[]): void {
  const fd = openSync(file, 'wx', 0o600);
  try {
    let position = 0;
    for (const part of parts) {
      writeAll(fd, part, position);
      position += part.length;
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes a rename in the directory durable, where the system lets a directory be synced (not on Windows). */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(directory, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
