import { type Background, backgroundOf } from './background';
import { createScanner, type Scanner } from './kernel';
import { type Quantised, upperByte } from './quantised';

/** A row and how near it is, as the cosine of the angle. */
export interface Near {
  row: number;
  similarity: number;
}

/** What a look at all rows found. */
export interface Looked {
  background: Background;
  /**
   * Of the about `wanted` next nearest rows those that are accepted, nearest first; undefined once all were given. Each
   * call passes over all rows: ask for many more each time.
   */
  next(wanted: number, accept?: (row: number) => boolean): Near[] | undefined;
}

/** Rows of one block, which lie together and are looked at together. */
const BLOCK = 4096;
/** Similarities from -1 to 1 are counted in so many steps. */
const STEPS = 2048;
/**
 * By so many steps more rows are looked at closely than are wanted: the upper bytes alone are off by half a step on
 * average with 384 dimensions, by two with a model of which one dimension outweighs all others.
 */
const MARGIN = 8;

interface Block {
  rows: number;
  scales: number;
  /** The lower bytes, which only the few best rows are asked for. */
  lower: Int8Array;
}

/**
 * Vectors of one length, numbered from 0 without gaps. A question looks at the upper byte of every value, then at both
 * bytes of the rows that can be among the best: 100,000 rows of 384 take some milliseconds and 77 MB.
 */
export class VectorTable {
  private readonly scanner: Scanner;
  private readonly stride: number;
  private readonly query: number;
  private readonly out: number;
  private readonly blocks: Block[] = [];
  private count = 0;

  constructor(
    readonly dimensions: number,
    kind: 'fastest' | 'plain' = 'fastest',
  ) {
    this.scanner = createScanner(kind);
    this.stride = Math.ceil(dimensions / 8) * 8;
    this.query = this.scanner.reserve(this.stride * 2);
    this.out = this.scanner.reserve(BLOCK * 4);
  }

  get size(): number {
    return this.count;
  }

  /** Bytes of memory held. */
  get bytes(): number {
    return this.scanner.size + this.blocks.length * BLOCK * this.stride;
  }

  /** The number of the new row. */
  add(vector: Quantised): number {
    const row = this.count;
    if (row === this.blocks.length * BLOCK) this.addBlock();
    const { block, index } = this.placeOf(row);
    const upper = new Int8Array(this.scanner.buffer, block.rows + index * this.stride, this.stride);
    const lower = index * this.stride;
    for (let i = 0; i < this.dimensions; i++) {
      const value = vector.values[i]!;
      upper[i] = upperByte(value);
      block.lower[lower + i] = value - upperByte(value) * 256;
    }
    this.scalesOf(block)[index] = vector.scale;
    this.count++;
    return row;
  }

  /** The last row takes its place, unless it was the last. Returns the number that the moved row had. */
  remove(row: number): number {
    const last = --this.count;
    if (row === last) return last;
    const from = this.placeOf(last);
    const to = this.placeOf(row);
    const bytes = new Int8Array(this.scanner.buffer);
    const start = from.block.rows + from.index * this.stride;
    bytes.copyWithin(to.block.rows + to.index * this.stride, start, start + this.stride);
    const lower = from.block.lower.subarray(from.index * this.stride, (from.index + 1) * this.stride);
    to.block.lower.set(lower, to.index * this.stride);
    this.scalesOf(to.block)[to.index] = this.scalesOf(from.block)[from.index]!;
    return last;
  }

  /** `query` has length 1. Good until the next change of the table. */
  look(query: Float32Array): Looked {
    const { similarities, histogram } = this.scan(query);
    let end = STEPS;
    return {
      background: backgroundOf(histogram, this.count),
      next: (wanted, accept = () => true) => {
        if (end === 0) return undefined;
        let start = end;
        let found = 0;
        while (start > 0 && found < wanted) found += histogram[--start]!;
        start = Math.max(0, start - MARGIN);
        const near: Near[] = [];
        for (let row = 0; row < this.count; row++) {
          const step = stepOf(similarities[row]!);
          if (step < start || step >= end || !accept(row)) continue;
          near.push({ row, similarity: this.similarity(row, query) });
        }
        end = start;
        return near.sort((a, b) => b.similarity - a.similarity || a.row - b.row);
      },
    };
  }

  private scan(query: Float32Array): { similarities: Float32Array; histogram: Uint32Array } {
    const factor = this.writeQuery(query);
    const similarities = new Float32Array(this.count);
    const histogram = new Uint32Array(STEPS);
    for (const [number, { rows, scales }] of this.blocks.entries()) {
      const count = Math.min(BLOCK, this.count - number * BLOCK);
      if (count <= 0) break;
      this.scanner.scan({ rows, scales, count, stride: this.stride, query: this.query, out: this.out });
      const products = new Float32Array(this.scanner.buffer, this.out, count);
      for (let index = 0, row = number * BLOCK; index < count; index++, row++) {
        const similarity = products[index]! * factor;
        similarities[row] = similarity;
        histogram[stepOf(similarity)]!++;
      }
    }
    return { similarities, histogram };
  }

  /** As int16, as large as no sum can overflow. Returns what products are to be multiplied by. */
  private writeQuery(query: Float32Array): number {
    const target = new Int16Array(this.scanner.buffer, this.query, this.stride).fill(0);
    const largest = query.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    if (largest === 0) return 0;
    const top = Math.min(32_767, Math.floor(0x7fffffff / (127 * this.stride)));
    for (let i = 0; i < this.dimensions; i++) target[i] = Math.round((query[i]! / largest) * top);
    return (256 * largest) / top;
  }

  /** With both bytes. */
  private similarity(row: number, query: Float32Array): number {
    const { block, index } = this.placeOf(row);
    const upper = new Int8Array(this.scanner.buffer, block.rows + index * this.stride, this.stride);
    const start = index * this.stride;
    let sum = 0;
    for (let i = 0; i < this.dimensions; i++) sum += (upper[i]! * 256 + block.lower[start + i]!) * query[i]!;
    return Math.max(-1, Math.min(1, sum * this.scalesOf(block)[index]!));
  }

  private addBlock(): void {
    const rows = this.scanner.reserve(BLOCK * this.stride);
    const scales = this.scanner.reserve(BLOCK * 4);
    this.blocks.push({ rows, scales, lower: new Int8Array(BLOCK * this.stride) });
  }

  private placeOf(row: number): { block: Block; index: number } {
    return { block: this.blocks[Math.floor(row / BLOCK)]!, index: row % BLOCK };
  }

  private scalesOf({ scales }: Block): Float32Array {
    return new Float32Array(this.scanner.buffer, scales, BLOCK);
  }
}

function stepOf(similarity: number): number {
  return Math.max(0, Math.min(STEPS - 1, Math.floor(((similarity + 1) / 2) * STEPS)));
}
