import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RepositoryPlace } from '../core/locations';

/** A store that holds a repository's knowledge, and where that repository was last open. */
export interface KnownStore extends RepositoryPlace {
  /** Directory of the store. */
  store: string;
  /** The folder that was open. */
  folder: string;
  /** Scope id of its project. */
  project: string;
  /** ISO 8601: when it was first remembered. */
  since: string;
}

const RECORD = /^[0-9a-f]{16}\.json$/;

/**
 * Remembers which store holds which repository's knowledge: one small file a store, so that windows never write the same
 * one. What it says is a hint: records that cannot be read, and those of stores that are gone, are passed over.
 */
export class KnownRepositories {
  constructor(private readonly directory: string) {}

  /** Stores of the same repository: those that share its git directory first, then those of the same origin, oldest first. */
  find({ keys }: RepositoryPlace): KnownStore[] {
    const rank = (known: KnownStore) => keys.findIndex((key) => known.keys.includes(key));
    return this.all()
      .filter((known) => rank(known) >= 0 && existsSync(known.store))
      .sort((a, b) => rank(a) - rank(b) || (a.since < b.since ? -1 : 1));
  }

  /** Keeps the time when the store was first remembered. */
  remember(known: Omit<KnownStore, 'since'>, now: Date): void {
    const file = path.join(this.directory, `${hash(known.store)}.json`);
    const before = readRecord(file);
    const record: KnownStore = { ...known, since: before?.since ?? now.toISOString() };
    if (before && JSON.stringify(before) === JSON.stringify(record)) return;
    mkdirSync(this.directory, { recursive: true });
    const written = `${file}.${process.pid}`;
    writeFileSync(written, JSON.stringify(record));
    renameSync(written, file);
  }

  /** Where the store of a repository goes that has none yet. */
  newStore({ keys }: RepositoryPlace): string {
    return path.join(this.directory, hash(keys.at(-1) ?? ''), 'store');
  }

  private all(): KnownStore[] {
    if (!existsSync(this.directory)) return [];
    return readdirSync(this.directory)
      .filter((name) => RECORD.test(name))
      .flatMap((name) => readRecord(path.join(this.directory, name)) ?? []);
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function readRecord(file: string): KnownStore | undefined {
  try {
    const { store, folder, project, since, keys, inside } = JSON.parse(readFileSync(file, 'utf8')) as KnownStore;
    const texts: unknown[] = [store, folder, project, since, inside, ...keys];
    return texts.every((text) => typeof text === 'string')
      ? { keys, inside, store, folder, project, since }
      : undefined;
  } catch {
    return undefined;
  }
}
