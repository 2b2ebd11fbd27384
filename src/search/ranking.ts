import { BODY_MOST, occurrences } from './inverted/occurrences';
import { FIELDS, type Field } from './model';

/** BM25F: how a passage is weighed against a word. */
export interface Ranking {
  /** How soon more occurrences weigh nothing more. */
  k1: number;
  /** What a field's occurrences weigh, and how much a long field takes from it (0 nothing, 1 all). */
  fields: Record<Field, { weight: number; b: number }>;
  /** What a word weighs that occurs in `frequency` of `passages`; above 0. */
  idf: (frequency: number, passages: number) => number;
  /** What terms that stand close together add, beside what they weigh by themselves: see `proximity.ts`. 0 leaves it out. */
  proximity: number;
}

export const RANKING: Ranking = {
  k1: 2,
  fields: {
    title: { weight: 5, b: 0.75 },
    // Where few passages have any, the few would all be far longer than the average.
    keywords: { weight: 3, b: 0 },
    headings: { weight: 2, b: 0 },
    body: { weight: 1, b: 0.75 },
  },
  idf: (frequency, passages) => Math.log(1 + (passages - frequency + 0.5) / (frequency + 0.5)),
  proximity: 1.5,
};

/** What weights depend on beside the passage: those of all sources together. */
export interface Statistics {
  passages: number;
  /** Words in all passages, by the field's place in `FIELDS`. */
  totals: readonly number[];
  /** In how many passages a stem occurs, where the index holds only some of them. */
  frequency?: ((stem: string) => number | undefined) | undefined;
}

const BODY = FIELDS.indexOf('body');
/** Packed occurrences up to here are of the body alone. A constant of its own: this is read for every posting. */
const MOST_IN_BODY = BODY_MOST;

/** Body lengths whose share is computed once for all passages. */
const COMMON_LENGTHS = 4_096;

/** Weighs passages as the statistics are now. */
export class Ranker {
  readonly proximity: number;
  private readonly k1: number;
  private readonly weights: number[];
  /** `weight / (1 - b + b * length / average)` is `weight / (fixed + share * length)`. */
  private readonly fixed: number[];
  private readonly share: number[];
  private readonly lengths: readonly Uint16Array[];
  private readonly bodies = new Float64Array(COMMON_LENGTHS);
  private readonly bodyLengths: Uint16Array;

  constructor(
    private readonly ranking: Ranking,
    private readonly statistics: Statistics,
    /** Words in each field: `lengths[field][doc]`. */
    lengths: readonly Uint16Array[],
  ) {
    this.lengths = [...lengths];
    this.bodyLengths = this.lengths[BODY]!;
    this.proximity = ranking.proximity;
    this.k1 = ranking.k1;
    this.weights = FIELDS.map((field) => ranking.fields[field].weight);
    this.fixed = FIELDS.map((field) => 1 - ranking.fields[field].b);
    this.share = FIELDS.map((field, index) => {
      const total = statistics.totals[index]!;
      return total === 0 ? 0 : (ranking.fields[field].b * statistics.passages) / total;
    });
    for (let length = 0; length < COMMON_LENGTHS; length++) this.bodies[length] = this.body(length);
  }

  idf(frequency: number): number {
    // What is told of a whole may have been counted at two times; weights have to be above 0.
    const { passages } = this.statistics;
    return this.ranking.idf(Math.min(frequency, passages), passages);
  }

  /** In how many of all passages a stem occurs, where that is known beyond the index. */
  frequencyOf(stem: string): number | undefined {
    return this.statistics.frequency?.(stem);
  }

  /** What occurrences (packed) in a passage weigh: 0 to `most`; times the word's idf it is its part of the rank. */
  impact(doc: number, packed: number): number {
    const bodyLength = this.bodyLengths[doc]!;
    const body = bodyLength < COMMON_LENGTHS ? this.bodies[bodyLength]! : this.body(bodyLength);
    const weight = packed <= MOST_IN_BODY ? packed * body : (packed & MOST_IN_BODY) * body + this.above(doc, packed);
    return weight / (this.k1 + weight);
  }

  /** 0 to 1: the more there is of something, the less more of it adds. */
  saturated(weight: number): number {
    return weight / (this.k1 + weight);
  }

  /** What one occurrence in a field of a passage weighs, before it is saturated. */
  fieldWeight(doc: number, field: number): number {
    return this.weights[field]! / (this.fixed[field]! + this.share[field]! * this.lengths[field]![doc]!);
  }

  /** No impact is higher. */
  readonly most = 1;

  private above(doc: number, packed: number): number {
    let weight = 0;
    for (let field = 0; field < 3; field++) {
      const count = occurrences(packed, field);
      if (count === 0) continue;
      weight += count * this.fieldWeight(doc, field);
    }
    return weight;
  }

  private body(length: number): number {
    return this.weights[3]! / (this.fixed[3]! + this.share[3]! * length);
  }
}
