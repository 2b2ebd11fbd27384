import type { Concept } from './concepts';
import type { Term } from './wording';
import { stemSequence } from './words';

/** The fields of what is ranked, each of several texts: phrases do not go from one text to the next. */
export interface RankedFields {
  title: readonly string[];
  /** What tells most beside the title: symptoms, causes, key words. */
  telling: readonly string[];
  body: readonly string[];
}

export interface ConceptHit {
  uri: string;
  /** Comparable within one question. */
  rank: number;
  /** The share of the question, by weight, that is spoken of, 0 to 1: in other words counts half. */
  covered: number;
  /** Terms that stand in it for others in the question. */
  likeness: readonly string[];
}

export interface ConceptSearch {
  limit: number;
  /** What may be found. */
  accept: (uri: string) => boolean;
}

/** What an occurrence in a field weighs, and how much a long field takes from it: as in search (BM25F). */
const FIELDS = [
  { name: 'title', weight: 5, b: 0.75 },
  { name: 'telling', weight: 3, b: 0 },
  { name: 'body', weight: 1, b: 0.75 },
] as const;
const K1 = 2;
/** What another term for the same counts, beside one that the question uses. */
const OTHER = 0.5;
/** Characters of one text that are looked at. */
const LONGEST = 16_384;
/** Ends a text among the stems of a field: no word has it as its stem. */
const END = '';

/** By field. */
type Counts = number[];

interface Ranked {
  uri: string;
  fields: readonly (readonly string[])[];
  lengths: readonly number[];
}

/**
 * Ranks texts by concepts: all terms of a concept count as occurrences of one, those that the question does not use half
 * as much, and it weighs by how few texts have any of them. The formula is BM25F (Robertson and Zaragoza, "The
 * Probabilistic Relevance Framework: BM25 and Beyond", 2009), the terms of a concept are taken together as synonyms are by
 * Pirkola ("The effects of query structure and dictionary setups", 1998).
 */
export class ConceptRanking {
  /** By number; what was removed leaves its number to the next. */
  private readonly texts: (Ranked | undefined)[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly free: number[] = [];
  /** By stem, in which texts and how often in each field. */
  private readonly postings = new Map<string, Map<number, Counts>>();
  private readonly totals: Counts = FIELDS.map(() => 0);

  set(uri: string, texts: RankedFields): void {
    this.remove(uri);
    const number = this.free.pop() ?? this.texts.length;
    const fields = FIELDS.map(({ name }) =>
      texts[name].flatMap((text) => [...stemSequence(text.slice(0, LONGEST)), END]),
    );
    for (const [field, stems] of fields.entries()) {
      this.totals[field]! += stems.length;
      for (const stem of stems) {
        if (stem === END) continue;
        const postings = this.postings.get(stem) ?? new Map<number, Counts>();
        this.postings.set(stem, postings);
        const counts = postings.get(number) ?? FIELDS.map(() => 0);
        postings.set(number, counts);
        counts[field]!++;
      }
    }
    this.texts[number] = { uri, fields, lengths: fields.map(({ length }) => length) };
    this.numbers.set(uri, number);
  }

  remove(uri: string): void {
    const number = this.numbers.get(uri);
    if (number === undefined) return;
    for (const [field, stems] of this.texts[number]!.fields.entries()) {
      this.totals[field]! -= stems.length;
      for (const stem of stems) {
        const postings = this.postings.get(stem);
        if (postings?.delete(number) && postings.size === 0) this.postings.delete(stem);
      }
    }
    this.texts[number] = undefined;
    this.numbers.delete(uri);
    this.free.push(number);
  }

  /** Those that speak of any of it, best first. */
  rank(concepts: readonly Concept[], { limit, accept }: ConceptSearch): ConceptHit[] {
    const ranks = new Float64Array(this.texts.length);
    const covered = new Float64Array(this.texts.length);
    const sums = new Float64Array(this.texts.length * FIELDS.length);
    const rarest = this.idf(1);
    let asked = 0;
    for (const { said, others, weight } of concepts) {
      const met = new Map<number, number>();
      this.add(said, 1, sums, met);
      this.add(others, OTHER, sums, met);
      const idf = this.idf(met.size);
      asked += weight * (met.size > 0 ? idf : rarest);
      for (const [number, share] of met) {
        ranks[number]! += weight * idf * this.impact(number, sums);
        covered[number]! += weight * idf * share;
        sums.fill(0, number * FIELDS.length, (number + 1) * FIELDS.length);
      }
    }
    const hits: ConceptHit[] = [];
    for (const [uri, number] of this.numbers) {
      if (ranks[number]! === 0 || !accept(uri)) continue;
      hits.push({ uri, rank: ranks[number]!, covered: Math.min(1, covered[number]! / asked), likeness: [] });
    }
    return hits
      .sort((a, b) => b.rank - a.rank || (a.uri < b.uri ? -1 : 1))
      .slice(0, limit)
      .map((hit) => ({ ...hit, likeness: this.likeness(this.numbers.get(hit.uri)!, concepts) }));
  }

  /** Adds the occurrences of terms to `sums`; notes in `met` where they are, and with what share for the first time. */
  private add(terms: readonly Term[], share: number, sums: Float64Array, met: Map<number, number>): void {
    for (const term of terms) {
      for (const [number, counts] of this.occurrences(term)) {
        if (!met.has(number)) met.set(number, share);
        for (let field = 0; field < FIELDS.length; field++) {
          sums[number * FIELDS.length + field]! += share * counts[field]!;
        }
      }
    }
  }

  private *occurrences({ stems }: Term): Iterable<[number, Counts]> {
    const [first, ...rest] = stems.map((stem) => this.postings.get(stem));
    if (!first) return;
    if (rest.length === 0) {
      yield* first;
      return;
    }
    for (const number of first.keys()) {
      if (!rest.every((postings) => postings?.has(number))) continue;
      const counts = this.texts[number]!.fields.map((field) => phrases(field, stems));
      if (counts.some((count) => count > 0)) yield [number, counts];
    }
  }

  /** Terms of concepts that the text has in other words only. */
  private likeness(number: number, concepts: readonly Concept[]): string[] {
    const { fields } = this.texts[number]!;
    const has = ({ stems }: Term) =>
      stems.every((stem) => this.postings.get(stem)?.has(number)) &&
      (stems.length === 1 || fields.some((field) => phrases(field, stems) > 0));
    return concepts.flatMap(({ said, others }) => (said.some(has) ? [] : others.filter(has).map(({ text }) => text)));
  }

  private impact(number: number, sums: Float64Array): number {
    const { lengths } = this.texts[number]!;
    let weight = 0;
    for (const [field, { weight: each, b }] of FIELDS.entries()) {
      const count = sums[number * FIELDS.length + field]!;
      if (count === 0) continue;
      const average = this.totals[field]! / this.numbers.size;
      weight += (each * count) / (1 - b + (b * lengths[field]!) / average);
    }
    return weight / (K1 + weight);
  }

  private idf(frequency: number): number {
    return Math.log(1 + (this.numbers.size - frequency + 0.5) / (frequency + 0.5));
  }
}

function phrases(field: readonly string[], sought: readonly string[]): number {
  let count = 0;
  for (let at = 0; at + sought.length <= field.length; at++) {
    if (sought.every((stem, offset) => field[at + offset] === stem)) count++;
  }
  return count;
}
