import type { TextHolder } from './vector-rows';

/** Texts whose vector is not there yet, or is that of an older text. */
export class WaitingTexts {
  /** Not yet looked for in the cache. */
  private readonly fresh = new Set<TextHolder>();
  private readonly missing = new Set<TextHolder>();

  get size(): number {
    return this.fresh.size + this.missing.size;
  }

  add(text: TextHolder): void {
    this.missing.delete(text);
    this.fresh.add(text);
  }

  delete(text: TextHolder): void {
    this.fresh.delete(text);
    this.missing.delete(text);
  }

  has(text: TextHolder): boolean {
    return this.fresh.has(text) || this.missing.has(text);
  }

  /** So many of those to be looked for. */
  *firstFresh(count: number): Generator<TextHolder> {
    for (const text of this.fresh) {
      if (count-- <= 0) return;
      yield text;
    }
  }

  /** It is not in the cache: it has to be embedded. */
  miss(text: TextHolder): void {
    this.fresh.delete(text);
    this.missing.add(text);
  }

  /**
   * Some to be embedded next, together with those of the same hash that stand near them. They are taken from anywhere:
   * processes that embed the same texts at the same time then seldom embed the same ones.
   */
  nextMissing(count: number): Map<string, TextHolder[]> {
    const groups = new Map<string, TextHolder[]>();
    let skip = Math.floor(Math.random() * (this.missing.size - count));
    for (const text of this.missing) {
      if (skip-- > 0) continue;
      const group = groups.get(text.hash!);
      if (group) group.push(text);
      else if (groups.size === count) break;
      else groups.set(text.hash!, [text]);
    }
    return groups;
  }

  clear(): void {
    this.fresh.clear();
    this.missing.clear();
  }
}
