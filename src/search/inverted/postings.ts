import { atLeast } from './growing';

/** Where a term occurs: `docs[from..to)`, rising, with what `occurrences.ts` packs at the same places of `counts`. */
export interface PostingList {
  docs: Uint32Array;
  counts: Uint16Array;
  from: number;
  to: number;
}

export const EMPTY_LIST: PostingList = { docs: new Uint32Array(0), counts: new Uint16Array(0), from: 0, to: 0 };

interface Page {
  docs: Uint32Array;
  counts: Uint16Array;
}

const PAGE = 1 << 15;
/** Longer lists have arrays of their own. */
const LONGEST_SHARED = 256;
const NONE = -1;

/**
 * The posting lists of all terms. Most terms occur once or twice, so short lists share pages in blocks of 1, 2, 4 … 256
 * places; a list that is full moves to a block of twice the size, and its old block is used again. Postings of passages
 * that are gone stay until their list is asked for or is full: nobody waits for a clean-up of everything.
 */
export class Postings {
  private pages: Page[] = [];
  private pageEnd = PAGE;
  /** Free blocks by the power of two of their size. */
  private free: number[][] = Array.from({ length: 9 }, () => []);
  private own: (Page | undefined)[] = [];
  private freeOwn: number[] = [];

  /** By term: the block's address, or -2 - index for a list with arrays of its own. */
  private places = new Int32Array(64).fill(NONE);
  private lengths = new Uint32Array(64);
  private capacities = new Uint32Array(64);
  /** By term: up to which death the list is clean. */
  private cleanAt = new Uint32Array(64);
  private deaths = 0;
  /** By term: whether its passages have the numbers of the last `renumber` but one, 1, or of the last, 0. */
  private outdated = new Uint8Array(64);
  private numbers: Uint32Array = new Uint32Array(0);
  /** Terms below are up to date. */
  private swept = Number.POSITIVE_INFINITY;

  /** `alive[doc]` is 0 once the passage is gone. */
  constructor(private readonly alive: () => Uint8Array) {}

  /** Says that passages are gone since the last call. */
  noteDeaths(): void {
    this.deaths++;
  }

  /** `doc` must be higher than any before it. */
  add(term: number, doc: number, packed: number): void {
    this.grow(term);
    if (this.outdated[term] === 1) this.follow(term);
    if (this.lengths[term] === this.capacities[term]) this.makeRoom(term);
    const length = this.lengths[term]!;
    const { docs, counts, from } = this.raw(term);
    docs[from + length] = doc;
    counts[from + length] = packed;
    if (length === 0) this.cleanAt[term] = this.deaths;
    this.lengths[term] = length + 1;
  }

  /** Only passages that are there; valid until the next change. */
  list(term: number): PostingList {
    if (term >= this.places.length || this.lengths[term] === 0) return EMPTY_LIST;
    this.clean(term);
    const { docs, counts, from } = this.raw(term);
    return { docs, counts, from, to: from + this.lengths[term]! };
  }

  /** In how many passages it occurs. */
  frequency(term: number): number {
    if (term >= this.places.length || this.lengths[term] === 0) return 0;
    this.clean(term);
    return this.lengths[term]!;
  }

  /**
   * Gives passages new numbers, which keep their order; those that are gone are told as 0xffffffff. Lists follow when
   * they are next asked for, or in `sweep`.
   */
  renumber(numbers: Uint32Array): void {
    this.sweep(Number.POSITIVE_INFINITY);
    this.numbers = numbers;
    this.outdated.fill(1);
    this.swept = 0;
  }

  /** Brings lists up to date after `renumber`, so many postings of them; answers whether none is left. */
  sweep(postings: number): boolean {
    let left = postings;
    for (; this.swept < this.places.length; this.swept++) {
      if (left <= 0) return false;
      if (this.outdated[this.swept] === 0) continue;
      left -= 1 + this.lengths[this.swept]!;
      this.follow(this.swept);
    }
    this.swept = Number.POSITIVE_INFINITY;
    this.numbers = new Uint32Array(0);
    return true;
  }

  /** Takes over the new numbers. */
  private follow(term: number): void {
    this.outdated[term] = 0;
    const length = this.lengths[term]!;
    if (length === 0) return;
    const { numbers } = this;
    const { docs, counts, from } = this.raw(term);
    let kept = from;
    for (let at = from; at < from + length; at++) {
      const number = numbers[docs[at]!]!;
      if (number === 0xffffffff) continue;
      docs[kept] = number;
      counts[kept++] = counts[at]!;
    }
    this.lengths[term] = kept - from;
    if (kept === from) this.release(term);
  }

  private clean(term: number): void {
    if (this.outdated[term] === 1) this.follow(term);
    if (this.cleanAt[term] === this.deaths) return;
    this.cleanAt[term] = this.deaths;
    const alive = this.alive();
    const { docs, counts, from } = this.raw(term);
    const to = from + this.lengths[term]!;
    let at = from;
    while (at < to && alive[docs[at]!] === 1) at++;
    let kept = at;
    for (; at < to; at++) {
      const doc = docs[at]!;
      if (alive[doc] === 0) continue;
      docs[kept] = doc;
      counts[kept++] = counts[at]!;
    }
    this.lengths[term] = kept - from;
  }

  private raw(term: number): { docs: Uint32Array; counts: Uint16Array; from: number } {
    const place = this.places[term]!;
    if (place >= 0) {
      const page = this.pages[Math.floor(place / PAGE)]!;
      return { docs: page.docs, counts: page.counts, from: place % PAGE };
    }
    const page = this.own[-2 - place]!;
    return { docs: page.docs, counts: page.counts, from: 0 };
  }

  private grow(term: number): void {
    if (term < this.places.length) return;
    const before = this.places.length;
    this.places = atLeast(this.places, term + 1);
    this.places.fill(NONE, before);
    this.lengths = atLeast(this.lengths, this.places.length);
    this.capacities = atLeast(this.capacities, this.places.length);
    this.cleanAt = atLeast(this.cleanAt, this.places.length);
    this.outdated = atLeast(this.outdated, this.places.length);
  }

  private makeRoom(term: number): void {
    const capacity = this.capacities[term]!;
    if (capacity === 0) {
      this.places[term] = this.block(0);
      this.capacities[term] = 1;
      return;
    }
    this.clean(term);
    const length = this.lengths[term]!;
    if (length <= capacity * 0.75) return;
    const { docs, counts, from } = this.raw(term);
    const wanted = capacity < LONGEST_SHARED ? capacity * 2 : Math.ceil(capacity * 1.5);
    const target = wanted <= LONGEST_SHARED ? this.block(powerOf(wanted)) : this.ownPage(wanted);
    this.release(term);
    this.places[term] = target;
    this.capacities[term] = wanted;
    this.lengths[term] = length;
    const to = this.raw(term);
    if (length > 64) {
      to.docs.set(docs.subarray(from, from + length), to.from);
      to.counts.set(counts.subarray(from, from + length), to.from);
      return;
    }
    // Most lists are short: views of them would cost more than what they show.
    for (let at = 0; at < length; at++) {
      to.docs[to.from + at] = docs[from + at]!;
      to.counts[to.from + at] = counts[from + at]!;
    }
  }

  /** A block of `2 ** power` places. */
  private block(power: number): number {
    const freed = this.free[power]!.pop();
    if (freed !== undefined) return freed;
    const size = 1 << power;
    if (this.pageEnd + size > PAGE) {
      // What is left of the page serves shorter lists.
      for (let smaller = power - 1; smaller >= 0 && this.pages.length > 0; smaller--) {
        while (this.pageEnd + (1 << smaller) <= PAGE) {
          this.free[smaller]!.push((this.pages.length - 1) * PAGE + this.pageEnd);
          this.pageEnd += 1 << smaller;
        }
      }
      this.pages.push({ docs: new Uint32Array(PAGE), counts: new Uint16Array(PAGE) });
      this.pageEnd = 0;
    }
    const place = (this.pages.length - 1) * PAGE + this.pageEnd;
    this.pageEnd += size;
    return place;
  }

  private ownPage(size: number): number {
    const index = this.freeOwn.pop() ?? this.own.length;
    this.own[index] = { docs: new Uint32Array(size), counts: new Uint16Array(size) };
    return -2 - index;
  }

  private release(term: number): void {
    const place = this.places[term]!;
    if (place >= 0) this.free[powerOf(this.capacities[term]!)]!.push(place);
    else if (place !== NONE) {
      this.own[-2 - place] = undefined;
      this.freeOwn.push(-2 - place);
    }
    this.places[term] = NONE;
    this.capacities[term] = 0;
    this.lengths[term] = 0;
  }
}

/** Of two. */
function powerOf(size: number): number {
  return 31 - Math.clz32(size);
}
