import { compareText } from '../core/text';
import type { PostingList } from './inverted/postings';
import type { QueryTerm } from './query-words';
import type { Ranker } from './ranking';

export interface Retrieved {
  /** Best first; equals by uri. */
  docs: number[];
  ranks: number[];
  /** How many passages hold any of the terms and may be found. */
  total: number;
}

/** Sums of fractions in another order differ by less. */
const ROUNDING = 1e-9;
/** Postings that one query weighs; beyond, words in the most passages, which weigh least, are left out. */
const MOST_WEIGHED = 1_000_000;
/** Passages that are looked at together: what is noted of them stays in the processor's nearest cache. */
const WINDOW = 4_096;
/** Lists up to this length are looked at beforehand, for what the best weigh at least. */
const LOOKED_AT_FIRST = 2_048;
const MOST_LOOKED_AT = 2;

/** A term's list and where it was left, so that nothing is made anew for each window. */
interface Cursor {
  docs: Uint32Array;
  counts: Uint16Array;
  /** Where the list begins: in the same arrays others may stand before and behind it. */
  from: number;
  at: number;
  to: number;
  weight: number;
}

export interface RetrievalOptions {
  /** Above every passage's number. */
  end: number;
  limit: number;
  /** `gate[doc]` is 0 for passages that may not be found. */
  gate: Uint8Array | undefined;
  ranker: Ranker;
  uris: readonly string[];
}

/**
 * Finds the best passages without weighing all: MaxScore after Turtle and Flood, "Query Evaluation: Strategies and
 * Optimizations" (1995), over windows of passages. Within a window the rarest words come first. Once all words to come
 * could not lift a passage among the best, passages that were not met yet are only counted, and of the others only those
 * are weighed on that can still get there. Each sum is made in the same order as if all were weighed, so that it is the
 * same to the last bit.
 */
export class Retrieval {
  private readonly sums = new Float64Array(WINDOW);
  /** Whether a passage of the window was counted, or may not be found. */
  private readonly counted = new Uint8Array(WINDOW);
  /**
   * Where the list that is looked at has a passage of the window. What was noted of other lists and windows is told by
   * what stands there, or by being none of the list's places.
   */
  private readonly placed = new Uint32Array(WINDOW);
  private readonly met = new Uint16Array(WINDOW);
  private readonly hopeful = new Uint16Array(WINDOW);

  best(terms: readonly QueryTerm[], options: RetrievalOptions): Retrieved {
    const { end, limit, gate, ranker, uris } = options;
    const cursors = cursorsOf(terms);
    /** What this word and all after it add at most. */
    const toCome = new Float64Array(cursors.length + 1);
    for (let at = cursors.length - 1; at >= 0; at--) toCome[at] = toCome[at + 1]! + cursors[at]!.weight * ranker.most;
    const best = new Best(limit, uris);
    best.least = leastOf(cursors, options);
    let total = 0;
    for (let start = 0; start < end; start += WINDOW) {
      total += this.window(start, cursors, toCome, best, gate, ranker);
    }
    return { ...best.inOrder(), total };
  }

  /** Weighs the passages from `start` on; answers how many hold any of the words. */
  private window(
    start: number,
    cursors: readonly Cursor[],
    toCome: Float64Array,
    best: Best,
    gate: Uint8Array | undefined,
    ranker: Ranker,
  ): number {
    const { sums, met, hopeful } = this;
    this.open(start, gate);
    let found = 0;
    let at = 0;
    for (; at < cursors.length && toCome[at]! >= best.least; at++) {
      found = this.weigh(cursors[at]!, start, found, gate, ranker);
    }
    let total = found;
    let hopes = found;
    for (let place = 0; place < found; place++) hopeful[place] = met[place]!;
    for (; at < cursors.length; at++) {
      hopes = this.stillHopeful(hopes, best.least - toCome[at]!);
      total += this.count(cursors[at]!, start, hopes > 0);
      if (hopes > 0) this.weighOn(cursors[at]!, start, hopes, ranker);
    }
    for (let place = 0; place < hopes; place++) {
      const doc = hopeful[place]!;
      if (sums[doc]! >= best.least) best.offer(start + doc, sums[doc]!);
    }
    for (let place = 0; place < found; place++) sums[met[place]!] = 0;
    return total;
  }

  private open(start: number, gate: Uint8Array | undefined): void {
    this.counted.fill(0);
    if (gate === undefined) return;
    const to = Math.min(WINDOW, gate.length - start);
    for (let doc = 0; doc < to; doc++) this.counted[doc] = 1 - gate[start + doc]!;
  }

  /** Adds what the word weighs in each of its passages of the window; answers how many were met by now. */
  private weigh(cursor: Cursor, start: number, before: number, gate: Uint8Array | undefined, ranker: Ranker): number {
    const { sums, met, counted } = this;
    const { docs, counts, to, weight } = cursor;
    let found = before;
    let at = cursor.at;
    for (; at < to; at++) {
      const doc = docs[at]!;
      const place = doc - start;
      if (place >= WINDOW) break;
      if (gate !== undefined && gate[doc] === 0) continue;
      const sum = sums[place]!;
      if (sum === 0) {
        met[found++] = place;
        counted[place] = 1;
      }
      sums[place] = sum + weight * ranker.impact(doc, counts[at]!);
    }
    cursor.at = at;
    return found;
  }

  /** Notes where the list has which passage of the window; answers how many of them no word had before. */
  private count(cursor: Cursor, start: number, isPlaced: boolean): number {
    const { counted, placed } = this;
    const { docs, to } = cursor;
    let anew = 0;
    let at = cursor.at;
    for (; at < to; at++) {
      const place = docs[at]! - start;
      if (place >= WINDOW) break;
      anew += 1 - counted[place]!;
      counted[place] = 1;
      if (isPlaced) placed[place] = at;
    }
    cursor.at = at;
    return anew;
  }

  private stillHopeful(before: number, needed: number): number {
    const { sums, hopeful } = this;
    let left = 0;
    for (let place = 0; place < before; place++) {
      const doc = hopeful[place]!;
      if (sums[doc]! >= needed) hopeful[left++] = doc;
    }
    return left;
  }

  /** Weighs the word in the passages that can still get among the best. */
  private weighOn(cursor: Cursor, start: number, hopes: number, ranker: Ranker): void {
    const { docs, counts, from, at: end, weight } = cursor;
    const { sums, hopeful, placed } = this;
    for (let each = 0; each < hopes; each++) {
      const place = hopeful[each]!;
      const at = placed[place]!;
      if (at >= from && at < end && docs[at] === start + place) {
        sums[place] = sums[place]! + weight * ranker.impact(start + place, counts[at]!);
      }
    }
  }
}

/** The rarest first. */
function cursorsOf(terms: readonly QueryTerm[]): Cursor[] {
  const cursors: Cursor[] = [];
  let left = MOST_WEIGHED;
  const rarestFirst = [...terms].sort((a, b) => b.weight - a.weight || length(a.list) - length(b.list));
  for (const { list, weight } of rarestFirst) {
    if (left <= 0) break;
    left -= length(list);
    cursors.push({ ...list, at: list.from, weight });
  }
  return cursors;
}

/** What the passage at place `limit` has at least, from a rare word that so many passages have. */
function leastOf(cursors: readonly Cursor[], { limit, gate, ranker }: RetrievalOptions): number {
  let least = 0;
  let looked = 0;
  for (const { docs, counts, from, to, weight } of cursors) {
    if (to - from < limit || to - from > LOOKED_AT_FIRST) continue;
    const heap = new Float64Array(limit);
    let size = 0;
    for (let place = from; place < to; place++) {
      const doc = docs[place]!;
      if (gate !== undefined && gate[doc] === 0) continue;
      const part = weight * ranker.impact(doc, counts[place]!);
      if (size < limit) {
        heap[size++] = part;
        if (size === limit) heap.sort();
      } else if (part > heap[0]!) {
        heap[0] = part;
        sink(heap);
      }
    }
    if (size === limit) least = Math.max(least, heap[0]! * (1 - ROUNDING));
    if (++looked === MOST_LOOKED_AT) break;
  }
  return least;
}

/** The best so far, the worst of them on top of a heap; of equal ones the first by uri. */
class Best {
  /** Whoever has less is not among the best. */
  least = 0;
  private readonly docs: number[] = [];
  private readonly ranks: number[] = [];

  constructor(
    private readonly limit: number,
    private readonly uris: readonly string[],
  ) {}

  offer(doc: number, rank: number): void {
    const { docs, ranks } = this;
    if (docs.length < this.limit) {
      docs.push(doc);
      ranks.push(rank);
      this.rise(docs.length - 1);
    } else {
      if (!this.isWorse(docs[0]!, ranks[0]!, doc, rank)) return;
      docs[0] = doc;
      ranks[0] = rank;
      this.sink();
    }
    if (docs.length === this.limit) this.least = Math.max(this.least, ranks[0]! * (1 - ROUNDING));
  }

  inOrder(): { docs: number[]; ranks: number[] } {
    const places = this.docs.map((_, at) => at);
    const { docs, ranks } = this;
    places.sort((a, b) => ranks[b]! - ranks[a]! || compareText(this.uris[docs[a]!]!, this.uris[docs[b]!]!));
    return { docs: places.map((at) => docs[at]!), ranks: places.map((at) => ranks[at]!) };
  }

  private isWorse(doc: number, rank: number, other: number, otherRank: number): boolean {
    return rank < otherRank || (rank === otherRank && compareText(this.uris[doc]!, this.uris[other]!) > 0);
  }

  private isWorseAt(a: number, b: number): boolean {
    const { docs, ranks } = this;
    return this.isWorse(docs[a]!, ranks[a]!, docs[b]!, ranks[b]!);
  }

  private rise(from: number): void {
    let at = from;
    while (at > 0) {
      const above = (at - 1) >>> 1;
      if (!this.isWorseAt(at, above)) break;
      this.swap(at, above);
      at = above;
    }
  }

  private sink(): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.docs.length) break;
      if (child + 1 < this.docs.length && this.isWorseAt(child + 1, child)) child++;
      if (!this.isWorseAt(child, at)) break;
      this.swap(at, child);
      at = child;
    }
  }

  private swap(a: number, b: number): void {
    const { docs, ranks } = this;
    [docs[a], docs[b]] = [docs[b]!, docs[a]!];
    [ranks[a], ranks[b]] = [ranks[b]!, ranks[a]!];
  }
}

/** So many of the passages, the first by uri, in order: there may be thousands, of which few are wanted. */
export function firstByUri(docs: readonly number[], wanted: number, uris: readonly string[]): number[] {
  const first: number[] = [];
  for (const doc of docs) {
    const uri = uris[doc]!;
    if (first.length === wanted && (wanted === 0 || compareText(uris[first[wanted - 1]!]!, uri) <= 0)) continue;
    let low = 0;
    let high = first.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareText(uris[first[middle]!]!, uri) < 0) low = middle + 1;
      else high = middle;
    }
    first.splice(low, 0, doc);
    if (first.length > wanted) first.pop();
  }
  return first;
}

function length(list: PostingList): number {
  return list.to - list.from;
}

/** Brings the value on top of a heap to its place. */
function sink(heap: Float64Array): void {
  const value = heap[0]!;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= value) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = value;
}
