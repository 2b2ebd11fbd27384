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
/** Lists shorter than this, or than this share of the passages met, are weighed whole: asking what could be left out would cost more. */
const WORTH_SKIPPING = 2_048;
const SHARE_WORTH_SKIPPING = 0.25;
/** Postings that one query weighs, some 20 ms; beyond, words in the most passages, which weigh least, are left out. */
const MOST_WEIGHED = 1_000_000;
/** A passage that was counted, and that cannot be among the best. */
const BEATEN = -1;

/**
 * Ranks passages word by word, the rarest first. As soon as `limit` passages have more than all words to come could
 * give, passages that were not met yet are only counted, and of the others only those are weighed on that can still get
 * among the best: most occurrences of frequent words cost one comparison.
 */
export class Retrieval {
  private sums = new Float64Array(0);
  private met = new Uint32Array(0);

  /** `gate[doc]` is 0 for passages that may not be found; `end` is above every passage's number. */
  best(
    terms: readonly QueryTerm[],
    options: { end: number; limit: number; gate: Uint8Array | undefined; ranker: Ranker; uris: readonly string[] },
  ): Retrieved {
    const { end, limit, gate, ranker, uris } = options;
    if (this.sums.length < end) {
      this.sums = new Float64Array(Math.ceil(end * 1.25));
      this.met = new Uint32Array(this.sums.length);
    } else this.sums.fill(0, 0, end);
    const rarestFirst = [...terms].sort((a, b) => b.weight - a.weight || length(a.list) - length(b.list));
    let toCome = rarestFirst.reduce((sum, { weight }) => sum + weight * ranker.most, 0);
    let met = 0;
    let total = 0;
    let least = 0;
    let left = MOST_WEIGHED;
    for (const { list, weight } of rarestFirst) {
      if (left <= 0) break;
      left -= length(list);
      const isLong = length(list) >= Math.max(WORTH_SKIPPING, met * SHARE_WORTH_SKIPPING);
      if (isLong && met >= limit) least = this.least(met, limit) * (1 - ROUNDING);
      if (toCome < least) {
        total += this.weighOn(list, weight, toCome, least, gate, ranker);
      } else {
        const before = met;
        met = this.weigh(list, weight, met, gate, ranker);
        total += met - before;
      }
      toCome -= weight * ranker.most;
    }
    const best = this.top(met, limit, uris);
    return { docs: best, ranks: best.map((doc) => this.sums[doc]!), total };
  }

  private weigh(
    { docs, counts, from, to }: PostingList,
    weight: number,
    before: number,
    gate: Uint8Array | undefined,
    ranker: Ranker,
  ): number {
    const { sums, met } = this;
    let end = before;
    for (let at = from; at < to; at++) {
      const doc = docs[at]!;
      if (gate !== undefined && gate[doc] === 0) continue;
      const sum = sums[doc]!;
      if (sum === 0) met[end++] = doc;
      sums[doc] = sum + weight * ranker.impact(doc, counts[at]!);
    }
    return end;
  }

  /** Weighs only passages that `least` does not beat with all that is to come; answers how many were met anew. */
  private weighOn(
    { docs, counts, from, to }: PostingList,
    weight: number,
    toCome: number,
    least: number,
    gate: Uint8Array | undefined,
    ranker: Ranker,
  ): number {
    const { sums } = this;
    const needed = least - toCome;
    let anew = 0;
    for (let at = from; at < to; at++) {
      const doc = docs[at]!;
      const sum = sums[doc]!;
      if (sum === 0) {
        if (gate !== undefined && gate[doc] === 0) continue;
        sums[doc] = BEATEN;
        anew++;
      } else if (sum >= needed) sums[doc] = sum + weight * ranker.impact(doc, counts[at]!);
    }
    return anew;
  }

  /** The sum of the passage at place `limit`, of those met so far. */
  private least(met: number, limit: number): number {
    const heap = new Float64Array(limit);
    let size = 0;
    for (let at = 0; at < met; at++) {
      const sum = this.sums[this.met[at]!]!;
      if (size < limit) {
        heap[size++] = sum;
        if (size === limit) heap.sort();
      } else if (sum > heap[0]!) sinkIn(heap, sum);
    }
    return size < limit ? 0 : heap[0]!;
  }

  private top(met: number, limit: number, uris: readonly string[]): number[] {
    const { sums } = this;
    const least = met > limit ? this.least(met, limit) : 0;
    const best: number[] = [];
    for (let at = 0; at < met; at++) {
      const doc = this.met[at]!;
      if (sums[doc]! > least) best.push(doc);
    }
    best.sort((a, b) => sums[b]! - sums[a]! || compareText(uris[a]!, uris[b]!));
    const equal: number[] = [];
    for (let at = 0; at < met && best.length < limit; at++)
      if (sums[this.met[at]!] === least) equal.push(this.met[at]!);
    return best.concat(firstByUri(equal, limit - best.length, uris));
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

/** Replaces the least of a heap. */
function sinkIn(heap: Float64Array, value: number): void {
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
