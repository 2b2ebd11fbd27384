import { FIELDS } from '../model';
import { atLeast } from './growing';

const PAGE = 1 << 18;
/** Of a number. */
const MOST_BYTES = 5;

interface Page {
  bytes: Uint8Array;
  end: number;
  /** Bytes of passages that are there. */
  live: number;
}

/** The words of passages that come together, as they are kept: made before they are there. */
export class WordPage {
  bytes = new Uint8Array(1_024);
  end = 0;
  /** Where each passage begins. */
  readonly starts: number[] = [];

  /** The words of a passage, from `from` on; the ends of its fields in `words` are those in `ends` from `firstEnd` on. */
  add(words: Uint32Array, from: number, ends: readonly number[], firstEnd = 0): void {
    this.starts.push(this.end);
    const last = ends[firstEnd + FIELDS.length - 1]!;
    this.bytes = atLeast(this.bytes, this.end + (last - from + FIELDS.length) * MOST_BYTES);
    this.end = writePassage(this.bytes, this.end, words, from, ends, firstEnd);
  }
}

/**
 * The words of each passage in order, field by field, as numbers of 7 bits a byte. Of them phrases are verified, hits
 * weighed more closely, and segments written to the disk.
 */
export class PassageWords {
  private pages: Page[] = [];
  private pageOf = new Uint32Array(64);
  private starts = new Uint32Array(64);
  private sizes = new Uint32Array(64);
  private decoded = new Uint32Array(256);
  /** Pages that are mostly empty, but for the last. */
  private readonly sparse = new Set<number>();

  /** Field by field; `ends[f]` is where the words of field f end in `words`. */
  set(doc: number, words: Uint32Array, ends: readonly number[]): void {
    let size = 0;
    let start = 0;
    for (let field = 0; field < FIELDS.length; field++) {
      size += bytesFor(ends[field]! - start);
      start = ends[field]!;
    }
    for (let at = 0; at < start; at++) size += bytesFor(words[at]!);
    const number = this.pageFor(size);
    const page = this.pages[number]!;
    this.pageOf = atLeast(this.pageOf, doc + 1);
    this.starts = atLeast(this.starts, doc + 1);
    this.sizes = atLeast(this.sizes, doc + 1);
    this.pageOf[doc] = number;
    this.starts[doc] = page.end;
    this.sizes[doc] = size;
    page.end = writePassage(page.bytes, page.end, words, 0, ends, 0);
    page.live += size;
  }

  /** Takes over the words of passages that are numbered from `first` on. */
  take({ bytes, end, starts }: WordPage, first: number): void {
    const number = this.begin({ bytes: bytes.slice(0, end), end, live: end });
    this.pageOf = atLeast(this.pageOf, first + starts.length);
    this.starts = atLeast(this.starts, first + starts.length);
    this.sizes = atLeast(this.sizes, first + starts.length);
    starts.forEach((start, at) => {
      this.pageOf[first + at] = number;
      this.starts[first + at] = start;
      this.sizes[first + at] = (starts[at + 1] ?? end) - start;
    });
  }

  /** Where the words of each field end in the array that follows; both are valid until the next call. */
  get(doc: number): { words: Uint32Array; ends: number[] } {
    const { bytes } = this.pages[this.pageOf[doc]!]!;
    this.decoded = atLeast(this.decoded, this.sizes[doc]!);
    const words = this.decoded;
    const ends: number[] = [];
    let at = this.starts[doc]!;
    let to = 0;
    for (let field = 0; field < FIELDS.length; field++) {
      let left = -1;
      do {
        let value = bytes[at++]!;
        if (value > 0x7f) {
          let shift = 7;
          let byte: number;
          value &= 0x7f;
          do {
            byte = bytes[at++]!;
            value |= (byte & 0x7f) << shift;
            shift += 7;
          } while (byte > 0x7f);
        }
        if (left === -1) left = value;
        else {
          words[to++] = value;
          left--;
        }
      } while (left > 0);
      ends.push(to);
    }
    return { words, ends };
  }

  /**
   * Tells of passages whether the words stand in one of their fields one after another; ask in the order of their
   * numbers, and before the next change. Most pages are searched for the words' bytes without looking at passages.
   */
  finder(words: readonly number[]): (doc: number) => boolean {
    const phrase = bytesOfWords(words);
    /** From where on which page was searched, and where the bytes stand first. */
    let searched = { page: -1, from: 0, at: 0 };
    return (doc) => {
      const page = this.pageOf[doc]!;
      const from = this.starts[doc]!;
      if (searched.page !== page || from < searched.from || from > searched.at) {
        const { buffer, byteOffset, byteLength } = this.pages[page]!.bytes;
        const at = Buffer.from(buffer, byteOffset, byteLength).indexOf(phrase, from);
        searched = { page, from, at: at < 0 ? Number.POSITIVE_INFINITY : at };
      }
      // The bytes may be parts of other numbers.
      return searched.at < from + this.sizes[doc]! && this.holds(doc, phrase, words.length);
    };
  }

  private holds(doc: number, phrase: Uint8Array, words: number): boolean {
    const { bytes } = this.pages[this.pageOf[doc]!]!;
    const first = phrase[0]!;
    const { length } = phrase;
    let at = this.starts[doc]!;
    for (let field = 0; field < FIELDS.length; field++) {
      let left = 0;
      for (let factor = 1; ; factor *= 0x80) {
        const byte = bytes[at++]!;
        left += (byte & 0x7f) * factor;
        if (byte < 0x80) break;
      }
      for (; left > 0; left--) {
        if (bytes[at] === first && left >= words) {
          let next = 1;
          while (next < length && bytes[at + next] === phrase[next]) next++;
          if (next === length) return true;
        }
        while (bytes[at++]! > 0x7f);
      }
    }
    return false;
  }

  /** The passage is gone. A page without passages is let go of. */
  remove(doc: number): void {
    const number = this.pageOf[doc]!;
    const page = this.pages[number]!;
    page.live -= this.sizes[doc]!;
    // To the last others are added.
    if (number < this.pages.length - 1) this.review(number);
  }

  /** Whether no page is mostly empty. */
  get isTidy(): boolean {
    return this.sparse.size === 0;
  }

  /**
   * Moves what is left of one page that is mostly empty: some 100 kB. `alive[doc]` is 1 where there is a passage; all
   * others must have been removed.
   */
  tidy(alive: Uint8Array, end: number): void {
    const [number] = this.sparse;
    if (number === undefined) return;
    const { bytes } = this.pages[number]!;
    for (let doc = 0; doc < end; doc++) {
      if (this.pageOf[doc] === number && alive[doc] === 1) this.move(doc, bytes);
    }
    this.empty(number);
  }

  /** A page without passages is let go of, one with few is noted. */
  private review(number: number): void {
    const { live, end } = this.pages[number]!;
    if (live === 0) this.empty(number);
    else if (live < end / 2) this.sparse.add(number);
  }

  private empty(number: number): void {
    this.sparse.delete(number);
    this.pages[number] = { bytes: new Uint8Array(0), end: 0, live: 0 };
  }

  /** Makes a page the last; its number. */
  private begin(page: Page): number {
    const number = this.pages.length;
    this.pages.push(page);
    if (number > 0) this.review(number - 1);
    return number;
  }

  /** Gives passages new, lower numbers, in their order. */
  renumber(kept: Uint32Array): void {
    for (let number = 0; number < kept.length; number++) {
      const doc = kept[number]!;
      this.pageOf[number] = this.pageOf[doc]!;
      this.starts[number] = this.starts[doc]!;
      this.sizes[number] = this.sizes[doc]!;
    }
  }

  private move(doc: number, bytes: Uint8Array): void {
    const size = this.sizes[doc]!;
    const start = this.starts[doc]!;
    const number = this.pageFor(size);
    const page = this.pages[number]!;
    page.bytes.set(bytes.subarray(start, start + size), page.end);
    this.pageOf[doc] = number;
    this.starts[doc] = page.end;
    page.end += size;
    page.live += size;
  }

  private pageFor(size: number): number {
    const last = this.pages.at(-1);
    if (!last || last.end + size > last.bytes.length) {
      this.begin({ bytes: new Uint8Array(Math.max(PAGE, size)), end: 0, live: 0 });
    }
    return this.pages.length - 1;
  }
}

/** The words' numbers as they stand in a passage. */
function bytesOfWords(words: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(words.reduce((sum, word) => sum + bytesFor(word), 0));
  let at = 0;
  for (const word of words) at = write(bytes, at, word);
  return bytes;
}

function bytesFor(value: number): number {
  return value < 1 << 7 ? 1 : value < 1 << 14 ? 2 : value < 1 << 21 ? 3 : value < 1 << 28 ? 4 : 5;
}

/** Field by field: how many words it has, and these. Answers where it ends. */
function writePassage(
  bytes: Uint8Array,
  start: number,
  words: Uint32Array,
  from: number,
  ends: readonly number[],
  firstEnd: number,
): number {
  let to = start;
  let at = from;
  for (let field = firstEnd; field < firstEnd + FIELDS.length; field++) {
    const end = ends[field]!;
    to = write(bytes, to, end - at);
    for (; at < end; at++) to = write(bytes, to, words[at]!);
  }
  return to;
}

function write(bytes: Uint8Array, at: number, value: number): number {
  let to = at;
  let rest = value;
  while (rest > 0x7f) {
    bytes[to++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes[to++] = rest;
  return to;
}
