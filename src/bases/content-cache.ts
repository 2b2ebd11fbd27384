/** Characters of all texts together. */
const CAPACITY = 16_000_000;

interface Held {
  /** Of the file that the texts were read from. */
  hash: string;
  texts: readonly string[];
  length: number;
}

/**
 * Contents of the nodes of files that were parsed just now, the longest unused given up first: whoever indexes them next
 * need not have them parsed again.
 */
export class ContentCache {
  private readonly held = new Map<string, Held>();
  private length = 0;

  put(base: string, file: string, hash: string, texts: readonly string[]): void {
    const key = keyOf(base, file);
    this.drop(key);
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (length > CAPACITY) return;
    this.held.set(key, { hash, texts, length });
    this.length += length;
    for (const oldest of this.held.keys()) {
      if (this.length <= CAPACITY) break;
      this.drop(oldest);
    }
  }

  get(base: string, file: string, hash: string): readonly string[] | undefined {
    const key = keyOf(base, file);
    const found = this.held.get(key);
    if (found?.hash !== hash) return undefined;
    this.held.delete(key);
    this.held.set(key, found);
    return found.texts;
  }

  private drop(key: string): void {
    this.length -= this.held.get(key)?.length ?? 0;
    this.held.delete(key);
  }
}

function keyOf(base: string, file: string): string {
  return `${base}/${file}`;
}
