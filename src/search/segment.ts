import type { InvertedIndex } from './inverted/inverted-index';
import type { Passage, Segment } from './model';
import { segmentFromBytes, segmentToBytes } from './snapshot';

/** A source's passages. */
export class MemorySegment implements Segment {
  /** By uri. */
  private readonly keys = new Map<string, number>();
  private dropped = false;
  /** For each segment that is being read, what was set or removed since: that is newer. */
  private readonly touched = new Set<Set<string>>();

  constructor(
    readonly source: string,
    private readonly index: InvertedIndex,
  ) {}

  get size(): number {
    return this.keys.size;
  }

  set(passages: Iterable<Passage>): void {
    // Nobody could remove them any more.
    if (this.dropped) return;
    for (const passage of passages) {
      this.touch(passage.uri);
      this.forget(passage.uri);
      this.keep(passage.uri, this.index.add(this.source, passage));
    }
    this.index.tidy();
  }

  remove(uris: Iterable<string>): void {
    for (const uri of uris) {
      this.touch(uri);
      this.forget(uri);
    }
    this.index.tidy();
  }

  fingerprint(uri: string): string | undefined {
    const number = this.numberOf(uri);
    return number === undefined ? undefined : this.index.passages.fingerprints[number];
  }

  uris(): Iterable<string> {
    return this.keys.keys();
  }

  toBytes(): Promise<Uint8Array> {
    return segmentToBytes(this.index, [...this.keys.keys()], (uri) => this.numberOf(uri));
  }

  /** Takes what was read from bytes instead of what there is; what is set or removed meanwhile stays so. */
  async replace(bytes: Uint8Array): Promise<boolean> {
    const touched = new Set<string>();
    this.touched.add(touched);
    const taken = await segmentFromBytes(
      bytes,
      this.index.lexicon,
      () => {
        for (const uri of [...this.keys.keys()]) if (!touched.has(uri)) this.forget(uri);
        this.index.tidy();
      },
      async (read, turns) => {
        const inverted = await this.index.invert(read, turns);
        if (this.dropped) return false;
        const own = new Set<string>();
        const numbers = this.index.addInverted(this.source, read, inverted, (uri) => {
          if (touched.has(uri) || own.has(uri)) return false;
          own.add(uri);
          this.forget(uri);
          return true;
        });
        numbers.forEach((number, at) => {
          if (number !== undefined) this.keep(read.passages[at]!.uri, number);
        });
        return true;
      },
    );
    this.touched.delete(touched);
    return taken;
  }

  drop(): void {
    this.dropped = true;
    this.remove([...this.keys.keys()]);
  }

  private touch(uri: string): void {
    for (const touched of this.touched) touched.add(uri);
  }

  private forget(uri: string): void {
    const number = this.numberOf(uri);
    if (number === undefined) return;
    this.index.remove(number);
    this.keys.delete(uri);
  }

  private keep(uri: string, number: number): void {
    this.keys.set(uri, this.index.passages.key(number));
  }

  private numberOf(uri: string): number | undefined {
    const key = this.keys.get(uri);
    return key === undefined ? undefined : this.index.passages.number(key);
  }
}
