import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Schema, Store, type StoreOptions } from '../../src/store';

/** A part with one table, enough to see whether a write is there. */
export const itemSchema: Schema = {
  part: 'items',
  migrations: ['CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, value ANY) STRICT;'],
};

/** Directories and stores of one test, which `cleanUp` closes and removes. */
export class Bench {
  private readonly directories: string[] = [];
  private readonly stores: Store[] = [];
  /** What the stores told the person. */
  readonly reports: string[] = [];

  directory(): string {
    const directory = mkdtempSync(path.join(tmpdir(), 'kaizen-store-'));
    this.directories.push(directory);
    return directory;
  }

  copyOf(directory: string): string {
    const copy = this.directory();
    cpSync(directory, copy, { recursive: true });
    return copy;
  }

  async open(directory: string, options: Partial<StoreOptions> = {}): Promise<Store> {
    const onReport = (message: string) => void this.reports.push(message);
    const store = await Store.open(directory, { schemas: [itemSchema], onReport, ...options });
    this.stores.push(store);
    return store;
  }

  async close(): Promise<void> {
    await Promise.all(this.stores.splice(0).map((store) => store.close()));
  }

  async cleanUp(): Promise<void> {
    await this.close();
    for (const directory of this.directories.splice(0)) rmSync(directory, { recursive: true, force: true });
    this.reports.length = 0;
  }
}

export function add(store: Store, ...names: string[]): Promise<void> {
  return store.write((transaction) => {
    for (const name of names) transaction.run('INSERT INTO item (name) VALUES (?)', [name]);
    transaction.touch('items');
  });
}

/** The names in the order in which they were added. */
export function names(store: Store): string[] {
  return store
    .read()
    .all<{ name: string }>('SELECT name FROM item ORDER BY id')
    .map(({ name }) => name);
}

/** What a directory holds, folders included: relative path → a hash of the content. Locks come and go and are left out. */
export function fingerprint(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/(^|[\\/])(lock|checkpoint)[.-]/.test(name))
    .filter((name) => statSync(path.join(directory, name)).isFile())
    .sort();
  return Object.fromEntries(files.map((name) => [name, hashOf(readFileSync(path.join(directory, name)))]));
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Whether a file with exactly these bytes stands anywhere in the directory. */
export function survives(directory: string, bytes: Uint8Array): boolean {
  return Object.values(fingerprint(directory)).includes(hashOf(bytes));
}

/** Where each frame of a journal begins; the last number is the journal's length. */
export function frameOffsets(journal: Buffer): number[] {
  const offsets = [0];
  for (let at = 0; at < journal.length; ) {
    at += 20 + journal.readUInt32BE(at + 8);
    offsets.push(at);
  }
  return offsets;
}
