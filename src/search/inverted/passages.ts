import { type Facets, FIELDS, type Passage } from '../model';
import { atLeast } from './growing';

/** Facets of which a passage has one value; tags are apart. */
export const SINGLE_FACETS = ['kind', 'scope', 'space', 'type', 'status', 'language', 'path'] as const;
export type SingleFacet = (typeof SINGLE_FACETS)[number];

/** Values that many passages share, each kept once; 0 is no value. */
class Shared<T> {
  readonly values: (T | undefined)[] = [undefined];
  private readonly numbers = new Map<string, number>();

  number(key: string | undefined, value: () => T): number {
    if (key === undefined) return 0;
    let number = this.numbers.get(key);
    if (number === undefined) {
      number = this.values.length;
      this.numbers.set(key, number);
      this.values.push(value());
    }
    return number;
  }
}

/** What is known of each passage but its words, by its number. */
export class Passages {
  /** Numbers given so far, those of passages that are gone included. */
  end = 0;
  /** Passages that are there. */
  size = 0;
  /** Words in each field, of all passages that are there. */
  readonly totals = FIELDS.map(() => 0);
  readonly uris: string[] = [];
  readonly titles: string[] = [];
  readonly fingerprints: string[] = [];
  readonly sources: string[] = [];
  alive = new Uint8Array(64);
  /** By what a passage is known for as long as it is there, its number, and the other way round. */
  private numbers = new Uint32Array(64);
  private keys = new Uint32Array(64);
  private readonly freeKeys: number[] = [];
  private keysGiven = 0;
  /** Words in each field, at most 65,535: `lengths[field][doc]`. */
  readonly lengths = FIELDS.map(() => new Uint16Array(64));

  private readonly singles = new Map(SINGLE_FACETS.map((facet) => [facet, new Shared<string>()]));
  private readonly tagSets = new Shared<readonly string[]>();
  private facetNumbers = new Uint32Array(64 * SINGLE_FACETS.length);
  private tagNumbers = new Uint32Array(64);

  add(source: string, passage: Pick<Passage, 'uri' | 'title' | 'fingerprint' | 'facets'>, lengths: number[]): number {
    const doc = this.end++;
    this.size++;
    this.uris[doc] = passage.uri;
    this.titles[doc] = passage.title;
    this.fingerprints[doc] = passage.fingerprint;
    this.sources[doc] = source;
    this.alive = atLeast(this.alive, this.end);
    this.facetNumbers = atLeast(this.facetNumbers, this.end * SINGLE_FACETS.length);
    this.tagNumbers = atLeast(this.tagNumbers, this.end);
    this.keys = atLeast(this.keys, this.end);
    this.alive[doc] = 1;
    // There are as many keys as there were passages at once, so never more than numbers.
    const key = this.freeKeys.pop() ?? this.keysGiven++;
    this.numbers = atLeast(this.numbers, key + 1);
    this.numbers[key] = doc;
    this.keys[doc] = key;
    lengths.forEach((length, field) => {
      this.lengths[field] = atLeast(this.lengths[field]!, this.end);
      this.lengths[field]![doc] = length;
      this.totals[field]! += length;
    });
    SINGLE_FACETS.forEach((facet, index) => {
      const value = passage.facets[facet];
      const number = this.singles.get(facet)!.number(value, () => value!);
      this.facetNumbers[doc * SINGLE_FACETS.length + index] = number;
    });
    const { tags } = passage.facets;
    this.tagNumbers[doc] = this.tagSets.number(tags && JSON.stringify(tags), () => [...tags!]);
    return doc;
  }

  remove(doc: number): void {
    this.alive[doc] = 0;
    this.freeKeys.push(this.keys[doc]!);
    this.size--;
    this.lengths.forEach((lengths, field) => {
      this.totals[field]! -= lengths[doc]!;
    });
    this.uris[doc] = '';
    this.titles[doc] = '';
    this.fingerprints[doc] = '';
  }

  /** What stays the same for a passage when it gets another number; another one may have it later. */
  key(doc: number): number {
    return this.keys[doc]!;
  }

  /** The number, at the moment, of a passage that is there. */
  number(key: number): number {
    return this.numbers[key]!;
  }

  facets(doc: number): Facets {
    const facets: Facets = { kind: '' };
    SINGLE_FACETS.forEach((facet, index) => {
      const value = this.singles.get(facet)!.values[this.facetNumbers[doc * SINGLE_FACETS.length + index]!];
      if (value !== undefined) facets[facet] = value;
    });
    const tags = this.tagSets.values[this.tagNumbers[doc]!];
    if (tags) facets.tags = tags;
    return facets;
  }

  /** Which passages have a value of the facet that is wanted; asked once a value. */
  withFacet(facet: SingleFacet, wanted: (value: string) => boolean): (doc: number) => boolean {
    const chosen = this.singles.get(facet)!.values.map((value) => value !== undefined && wanted(value));
    const index = SINGLE_FACETS.indexOf(facet);
    return (doc) => chosen[this.facetNumbers[doc * SINGLE_FACETS.length + index]!]!;
  }

  withTag(wanted: (tag: string) => boolean): (doc: number) => boolean {
    const chosen = this.tagSets.values.map((tags) => tags?.some(wanted) ?? false);
    return (doc) => chosen[this.tagNumbers[doc]!]!;
  }

  /** Takes the numbers of `kept`, in their order, to 0, 1, 2 … */
  renumber(kept: Uint32Array): void {
    const facets = SINGLE_FACETS.length;
    let number = 0;
    while (kept[number] === number) number++;
    for (; number < kept.length; number++) {
      const doc = kept[number]!;
      const key = this.keys[doc]!;
      this.keys[number] = key;
      this.numbers[key] = number;
      this.uris[number] = this.uris[doc]!;
      this.titles[number] = this.titles[doc]!;
      this.fingerprints[number] = this.fingerprints[doc]!;
      this.sources[number] = this.sources[doc]!;
      for (const lengths of this.lengths) lengths[number] = lengths[doc]!;
      for (let at = 0; at < facets; at++) {
        this.facetNumbers[number * facets + at] = this.facetNumbers[doc * facets + at]!;
      }
      this.tagNumbers[number] = this.tagNumbers[doc]!;
    }
    for (const column of [this.uris, this.titles, this.fingerprints, this.sources]) column.length = kept.length;
    this.alive.fill(1, 0, kept.length);
    this.alive.fill(0, kept.length);
    this.end = kept.length;
  }
}
