import type { InvertedIndex } from './inverted/inverted-index';
import type { Passage, Segment } from './model';
import { segmentFromBytes, segmentToBytes } from './snapshot';

/** A source's passages: their numbers in the index, by uri. */
export class MemorySegment implements Segment {
  /** Whoever gives passages new numbers sets them here. */
  readonly numbers = new Map<string, number>();
  private dropped = false;
  /** What was set or removed since a segment is being read: that is newer. */
  private touched: Set<string> | undefined;

  constructor(
    readonly source: string,
    private readonly index: InvertedIndex,
    /** Called after changes, to clean up when it is worth it. */
    private readonly tidy: () => void,
  ) {}

  get size(): number {
    return this.numbers.size;
  }

  set(passages: Iterable<Passage>): void {
    for (const passage of passages) {
      this.touched?.add(passage.uri);
      this.forget(passage.uri);
      this.numbers.set(passage.uri, this.index.add(this.source, passage));
    }
    this.tidy();
  }

  remove(uris: Iterable<string>): void {
    for (const uri of uris) {
      this.touched?.add(uri);
      this.forget(uri);
    }
    this.tidy();
  }

  fingerprint(uri: string): string | undefined {
    const number = this.numbers.get(uri);
    return number === undefined ? undefined : this.index.passages.fingerprints[number];
  }

  uris(): Iterable<string> {
    return this.numbers.keys();
  }

  toBytes(): Promise<Uint8Array> {
    return segmentToBytes(this.index, [...this.numbers.keys()], (uri) => this.numbers.get(uri));
  }

  /** Takes what was read from bytes instead of what there is; what is set or removed meanwhile stays so. */
  async replace(bytes: Uint8Array): Promise<boolean> {
    const touched = new Set<string>();
    this.touched = touched;
    const taken = await segmentFromBytes(
      bytes,
      (word, stem) => this.index.lexicon.add(word, stem),
      () => {
        for (const uri of [...this.numbers.keys()]) if (!touched.has(uri)) this.forget(uri);
        this.tidy();
      },
      (passage) => {
        if (this.dropped) return false;
        if (touched.has(passage.uri)) return true;
        this.forget(passage.uri);
        this.numbers.set(passage.uri, this.index.addRead(this.source, passage, passage.words, passage.ends));
        return true;
      },
    );
    if (this.touched === touched) this.touched = undefined;
    return taken;
  }

  drop(): void {
    this.dropped = true;
    this.remove([...this.numbers.keys()]);
  }

  private forget(uri: string): void {
    const number = this.numbers.get(uri);
    if (number === undefined) return;
    this.index.remove(number);
    this.numbers.delete(uri);
  }
}
