import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, statSync } from 'node:fs';
import { readFrom, writeAll } from './files';

/** One journal on the disk, opened for reading when first needed and for writing when first written to. */
export class JournalFile {
  private readable: number | undefined;
  private writable: number | undefined;
  private inode: number | undefined;

  constructor(readonly path: string) {}

  /** Undefined when the journal is gone, or when another file stands in its place (somebody restored a backup). */
  size(): number | undefined {
    const stat = statSync(this.path, { throwIfNoEntry: false });
    return this.inode !== undefined && stat?.ino !== this.inode ? undefined : stat?.size;
  }

  read(offset: number, length: number): Buffer {
    return readFrom(this.open(), offset, length);
  }

  /** On the disk when it returns; when it throws, the journal ends at `offset` as before. */
  append(frame: Buffer, offset: number): void {
    this.open();
    this.writable ??= openSync(this.path, 'r+');
    try {
      writeAll(this.writable, frame, offset);
      fdatasyncSync(this.writable);
    } catch (error) {
      // Half a record must not stay: were it left, the next process would have to cut it off.
      ftruncateSync(this.writable, offset);
      throw error;
    }
  }

  close(): void {
    if (this.readable !== undefined) closeSync(this.readable);
    if (this.writable !== undefined) closeSync(this.writable);
    this.readable = undefined;
    this.writable = undefined;
    this.inode = undefined;
  }

  private open(): number {
    if (this.readable === undefined) {
      this.readable = openSync(this.path, 'r');
      this.inode = fstatSync(this.readable).ino;
    }
    return this.readable;
  }
}
