import type { Turns } from '../core/turns';
import type { ReadFile } from './reading';

/** What is known of a file that was read; a reader of a format adds what the file says. Kept as JSON between runs. */
export interface KnownFile {
  /** Relative to the root, `/` between its parts. */
  file: string;
  /** Bytes. */
  size: number;
  /** Another one after the file was changed; empty to have it read again. */
  stamp: string;
  /** SHA-256 of the bytes, hex; empty where they were not read. */
  hash: string;
}

/** Keeps what is known of the files of one folder. Between two `settle` everybody sees what there was before. */
export interface FileKeeper<Known extends KnownFile> {
  read(file: string): Known | undefined;
  /** All that was set and not removed, in any order. */
  reads(): Iterable<Known>;
  readonly fileCount: number;
  /** Adds a file or replaces what was known of it. */
  set(known: Known): void;
  /** The same content was read again. */
  restamp(file: string, stamp: string): void;
  remove(file: string): void;
  /** Shows what was set and removed. Answers with the files that are others now, those that are gone included. */
  settle(turns: Turns): Promise<string[]>;
  /** Another number after any file's problems may be others. */
  readonly problemRevision: number;
}

/** What becomes of the files of a folder. */
export interface FileReader<Known extends KnownFile> {
  /** Never throws: what is wrong with the file is part of what is known. */
  parse(file: string, read: ReadFile): Promise<Known>;
  /** A file that is there and cannot be read. Its stamp is empty, so that it is tried again with each look. */
  unreadable(file: string, size: number, error: unknown): Known;
  /** How much of it there is to show, where a file is more than one thing. */
  weightOf?(known: Known): number;
}
