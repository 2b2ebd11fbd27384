import { createHash } from 'node:crypto';
import type { Location } from '../model';

/** Notes that are remembered, of all authors together; the least recently used goes first. */
const MOST = 10_000;

/**
 * Which text of a note each author was last given, by its hash: an agent must not write over one that it has never seen.
 * For the life of the process; whoever has asked for nothing has no claim on anything.
 */
export class HandedOut {
  private readonly hashes = new Map<string, string>();

  remember(author: string, location: Location, zettelId: string, hash: string): void {
    const key = keyOf(author, location, zettelId);
    this.hashes.delete(key);
    this.hashes.set(key, hash);
    if (this.hashes.size > MOST) this.hashes.delete(this.hashes.keys().next().value!);
  }

  /** The author wrote over texts, by their hashes: whoever knew the one of before knows the one of now. */
  wrote(author: string, written: ReadonlyMap<string, string>): void {
    for (const [key, hash] of this.hashes) {
      const after = written.get(hash);
      if (after !== undefined && JSON.parse(key)[0] === author) this.hashes.set(key, after);
    }
  }

  /** Undefined when the author was given none. */
  hashOf(author: string, location: Location, zettelId: string): string | undefined {
    return this.hashes.get(keyOf(author, location, zettelId));
  }
}

/** SHA-256, hex: what a note's `content_hash` is. */
export function hashOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function keyOf(author: string, location: Location, zettelId: string): string {
  return JSON.stringify([author, location, zettelId]);
}
