/** Where terms occur in passages that came together. */
export interface PostingBlock {
  /** Of term t, `docs[starts[t]..starts[t + 1])`; terms beyond have none. */
  starts: Uint32Array;
  /** Passages by their place in the block, rising within a term. */
  docs: Uint16Array;
  /** What `occurrences.ts` packs. */
  counts: Uint16Array;
}

/** A block has fewer passages. */
export const BLOCK_PASSAGES = 1 << 16;

/** Takes occurrences passage by passage and sorts them by term. */
export class Inversion {
  private readonly terms: Uint32Array;
  private readonly docs: Uint16Array;
  private readonly counts: Uint16Array;
  /** Of term t at t + 1: how many passages have it. */
  private readonly starts: Uint32Array;
  private end = 0;

  /** For so many occurrences at most of terms below `termCount`. */
  constructor(most: number, termCount: number) {
    this.terms = new Uint32Array(most);
    this.docs = new Uint16Array(most);
    this.counts = new Uint16Array(most);
    this.starts = new Uint32Array(termCount + 1);
  }

  /** `doc` is the passage's place in the block; it never falls. */
  note(term: number, doc: number, packed: number): void {
    const { end } = this;
    this.terms[end] = term;
    this.docs[end] = doc;
    this.counts[end] = packed;
    this.end = end + 1;
    this.starts[term + 1]!++;
  }

  block(): PostingBlock {
    const { starts, end } = this;
    for (let term = 1; term < starts.length; term++) starts[term]! += starts[term - 1]!;
    const places = starts.slice();
    const docs = new Uint16Array(end);
    const counts = new Uint16Array(end);
    for (let at = 0; at < end; at++) {
      const place = places[this.terms[at]!]!++;
      docs[place] = this.docs[at]!;
      counts[place] = this.counts[at]!;
    }
    return { starts, docs, counts };
  }
}
