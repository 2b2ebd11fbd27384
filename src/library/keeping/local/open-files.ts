import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { ContentTable, DamagedContent, lengthOfTable } from './content-format';
import { LOCAL_LIMITS } from './limits';

export interface OpenFile {
  table: ContentTable;
  /** Throws `DamagedContent` where the file has not so much, or the system's error. */
  read(at: number, length: number): Buffer;
}

interface Kept extends OpenFile {
  handle: number;
}

/** Content files that chunks were read of lately: opened once, their tables in memory. Files never change. */
export class OpenFiles {
  /** Those that were asked for last stand last. */
  private readonly kept = new Map<string, Kept>();
  private tableBytes = 0;

  /** Throws `DamagedContent`, or the system's error. */
  open(path: string, chunks: number): OpenFile {
    const known = this.kept.get(path);
    if (known) {
      this.kept.delete(path);
      this.kept.set(path, known);
      return known;
    }
    const opened = openFile(path, chunks);
    this.kept.set(path, opened);
    this.tableBytes += opened.table.size;
    for (const oldest of this.kept.keys()) {
      const isEnough = this.kept.size <= LOCAL_LIMITS.openFiles && this.tableBytes <= LOCAL_LIMITS.tables;
      if (isEnough || oldest === path) break;
      this.forget(oldest);
    }
    return opened;
  }

  forget(path: string): void {
    const known = this.kept.get(path);
    if (!known) return;
    this.kept.delete(path);
    this.tableBytes -= known.table.size;
    closeSync(known.handle);
  }

  close(): void {
    for (const path of [...this.kept.keys()]) this.forget(path);
  }
}

function openFile(path: string, chunks: number): Kept {
  const handle = openSync(path, 'r');
  try {
    const read = (at: number, length: number) => readAt(handle, at, length);
    const length = lengthOfTable(chunks);
    const at = fstatSync(handle).size - length;
    if (at < 0) throw new DamagedContent();
    return { handle, table: new ContentTable(read(at, length), chunks), read };
  } catch (error) {
    closeSync(handle);
    throw error;
  }
}

function readAt(handle: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  if (length > 0 && readSync(handle, bytes, 0, length, at) !== length) throw new DamagedContent();
  return bytes;
}
