import { atLeast } from './growing';
import type { PostingBlock } from './inversion';

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
/** The new number of a passage that is gone. */
export const GONE = 0xffffffff;
/** What a look at a list takes, in postings that could be written meanwhile. */
const VISIT = 16;
/** A block with fewer postings than the index has terms, by so many times, would take more room and time than they do. */
const SPARSE = 8;
/** Arrays of their own that a list fills less than one part in so many of are exchanged for shorter ones. */
const ROOMY = 4;

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

  /** What came together and is not in all lists yet, with the number of its first passage. */
  private blocks: (PostingBlock & { first: number })[] = [];
  /** By term: how many of the blocks its list has. */
  private taken = new Uint16Array(64);
  /** Terms below have the first so many blocks. */
  private taking = { term: 0, blocks: 0 };

  /** `alive[doc]` is 0 once the passage is gone. */
  constructor(private readonly alive: () => Uint8Array) {}

  /** Says that passages are gone since the last call. */
  noteDeaths(): void {
    this.deaths++;
  }

  /** `doc` must be higher than any before it. */
  add(term: number, doc: number, packed: number): void {
    this.grow(term);
    this.bringUp(term);
    if (this.lengths[term] === this.capacities[term]) this.makeRoom(term, 1);
    const length = this.lengths[term]!;
    const { docs, counts, from } = this.raw(term);
    docs[from + length] = doc;
    counts[from + length] = packed;
    if (length === 0) this.cleanAt[term] = this.deaths;
    this.lengths[term] = length + 1;
  }

  /**
   * Adds passages that came together, numbered from `first` on, higher than any before. It takes hardly any time: each
   * list takes its part when it is next asked for, or in `sweep`. Only a few postings are added at once.
   */
  addBlock(block: PostingBlock, first: number): void {
    const { starts, docs, counts } = block;
    const terms = starts.length - 1;
    if (docs.length * SPARSE >= terms) {
      this.grow(terms - 1);
      this.blocks.push({ ...block, first });
      return;
    }
    for (let term = 0; term < terms; term++) {
      for (let at = starts[term]!; at < starts[term + 1]!; at++) this.add(term, first + docs[at]!, counts[at]!);
    }
  }

  /** Only passages that are there; valid until the next change. */
  list(term: number): PostingList {
    if (!this.has(term)) return EMPTY_LIST;
    const { docs, counts, from } = this.raw(term);
    return { docs, counts, from, to: from + this.lengths[term]! };
  }

  /** In how many passages it occurs. */
  frequency(term: number): number {
    if (!this.has(term)) return 0;
    return this.lengths[term]!;
  }

  /**
   * Gives passages new numbers, which keep their order; those that are gone are told as `GONE`. Lists follow when
   * they are next asked for, or in `sweep`.
   */
  renumber(numbers: Uint32Array): void {
    this.sweep(Number.POSITIVE_INFINITY);
    this.numbers = numbers;
    this.outdated.fill(1);
    this.swept = 0;
  }

  /** Brings lists up to date after `renumber` and `addBlock`, so many postings of them; answers whether none is left. */
  sweep(postings: number): boolean {
    let left = this.takeAll(postings);
    if (this.blocks.length > 0) return false;
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

  /** Whether all lists are up to date. */
  get isSwept(): boolean {
    return this.blocks.length === 0 && this.swept === Number.POSITIVE_INFINITY;
  }

  /** Gives lists their parts of the blocks, so many postings, and lets go of the blocks then; answers how many are left to do. */
  private takeAll(postings: number): number {
    let left = postings;
    const { taking, blocks } = this;
    while (blocks.length > 0 && left > 0) {
      if (taking.term === 0) taking.blocks = blocks.length;
      for (; taking.term < this.places.length && left > 0; taking.term++) {
        const before = this.outdated[taking.term] === 1 ? 0 : this.lengths[taking.term]!;
        this.bringUp(taking.term);
        // Of passages that are gone it may have become shorter.
        left -= VISIT + Math.abs(this.lengths[taking.term]! - before);
      }
      if (taking.term < this.places.length) break;
      taking.term = 0;
      // Others may have come meanwhile, which the first terms do not have.
      if (taking.blocks < blocks.length) continue;
      this.blocks = [];
      this.taken.fill(0);
      break;
    }
    return left;
  }

  /** Whether any passage has the term; its list is in order then. */
  private has(term: number): boolean {
    if (term >= this.places.length) return false;
    this.bringUp(term);
    if (this.lengths[term] === 0) return false;
    this.clean(term);
    return this.lengths[term]! > 0;
  }

  /** Gives the list what it does not have yet. */
  private bringUp(term: number): void {
    if (this.outdated[term] === 1) this.follow(term);
    const { blocks } = this;
    if (blocks.length === 0) return;
    const first = this.taken[term]!;
    if (first === blocks.length) return;
    this.taken[term] = blocks.length;
    let more = 0;
    for (let at = first; at < blocks.length; at++) {
      const { starts } = blocks[at]!;
      if (term + 1 < starts.length) more += starts[term + 1]! - starts[term]!;
    }
    if (more === 0) return;
    if (this.lengths[term]! + more > this.capacities[term]!) this.makeRoom(term, more);
    const alive = this.alive();
    const { docs, counts, from } = this.raw(term);
    let end = from + this.lengths[term]!;
    if (end === from) this.cleanAt[term] = this.deaths;
    for (let at = first; at < blocks.length; at++) {
      const block = blocks[at]!;
      if (term + 1 >= block.starts.length) continue;
      const to = block.starts[term + 1]!;
      for (let place = block.starts[term]!; place < to; place++) {
        const doc = block.first + block.docs[place]!;
        if (alive[doc] === 0) continue;
        docs[end] = doc;
        counts[end++] = block.counts[place]!;
      }
    }
    this.lengths[term] = end - from;
  }

  /** Takes over the new numbers, and lets go of room that is not needed any more. */
  private follow(term: number): void {
    this.outdated[term] = 0;
    if (this.places[term] === NONE) return;
    const length = this.lengths[term]!;
    const { numbers } = this;
    const { docs, counts, from } = this.raw(term);
    let kept = from;
    for (let at = from; at < from + length; at++) {
      const number = numbers[docs[at]!]!;
      if (number === GONE) continue;
      docs[kept] = number;
      counts[kept++] = counts[at]!;
    }
    this.lengths[term] = kept - from;
    const capacity = this.capacities[term]!;
    if (kept === from) this.release(term);
    else if (capacity > LONGEST_SHARED && (kept - from) * ROOMY < capacity) this.move(term, kept - from);
  }

  private clean(term: number): void {
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
    this.taken = atLeast(this.taken, this.places.length);
  }

  /** For so many postings more. */
  private makeRoom(term: number, more: number): void {
    const capacity = this.capacities[term]!;
    if (capacity > 0) this.clean(term);
    const length = this.lengths[term]!;
    // Hardly any room would soon be used up again.
    if (length + more <= capacity * 0.75 + 1 && length + more <= capacity) return;
    const grown = capacity < LONGEST_SHARED ? capacity * 2 : Math.ceil(capacity * 1.5);
    const needed = Math.max(grown, length + more);
    // Some is left for what comes: otherwise the next change would have to move all lists that were made at once.
    this.move(term, needed <= LONGEST_SHARED ? needed : Math.max(grown, needed + (needed >>> 3)));
  }

  /** To where there is room for so many. */
  private move(term: number, room: number): void {
    const length = this.lengths[term]!;
    const wanted = room <= LONGEST_SHARED ? 1 << powerAbove(room) : room;
    const target = room <= LONGEST_SHARED ? this.block(powerOf(wanted)) : this.ownPage(wanted);
    const { docs, counts, from } = this.capacities[term]! > 0 ? this.raw(term) : EMPTY_LIST;
    this.release(term);
    this.places[term] = target;
    this.capacities[term] = wanted;
    this.lengths[term] = length;
    if (length === 0) return;
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

/** The least power of two whose block holds so many. */
function powerAbove(size: number): number {
  return size <= 1 ? 0 : 32 - Math.clz32(size - 1);
}

/** Of two. */
function powerOf(size: number): number {
  return 31 - Math.clz32(size);
}
