import type { EmbeddedText } from '../model';
import type { Quantised } from './quantised';
import { type Looked, VectorTable } from './vector-table';

/** A text that is to be found by its vector. */
export interface Holder {
  readonly uri: string;
  row: Row | undefined;
}

/** What the index knows of a text. */
export interface TextHolder extends Holder {
  source: string;
  given: EmbeddedText;
  /** Of the text as it is embedded; undefined until somebody needs it. */
  hash: string | undefined;
}

/** A vector, and all whose text it stands for. */
export interface Row {
  readonly hash: string;
  number: number;
  readonly holders: Holder[];
}

/** The vectors in memory: one for each text that somebody holds, however many hold the same. */
export class VectorRows {
  private table: VectorTable | undefined;
  private rows: Row[] = [];
  private readonly byHash = new Map<string, Row>();

  get size(): number {
    return this.rows.length;
  }

  /** Undefined as long as there is no vector. */
  get dimensions(): number | undefined {
    return this.table?.dimensions;
  }

  clear(): void {
    for (const { holders } of this.rows) for (const holder of holders) holder.row = undefined;
    this.table = undefined;
    this.rows = [];
    this.byHash.clear();
  }

  /** Gives the holder the vector of its text, if that is here. */
  hold(holder: Holder, hash: string): boolean {
    const row = this.byHash.get(hash);
    if (!row) return false;
    if (holder.row !== row) {
      this.release(holder);
      row.holders.push(holder);
      holder.row = row;
    }
    return true;
  }

  /** Of the dimensions that the others have; for a text that has no vector yet. Held by nobody until somebody does. */
  add(hash: string, vector: Quantised): void {
    this.table ??= new VectorTable(vector.values.length);
    const row: Row = { hash, number: this.table.add(vector), holders: [] };
    this.rows.push(row);
    this.byHash.set(hash, row);
  }

  /** A vector that nobody holds any more is let go. */
  release(holder: Holder): void {
    const { row } = holder;
    if (!row) return;
    holder.row = undefined;
    row.holders.splice(row.holders.indexOf(holder), 1);
    if (row.holders.length > 0) return;
    this.byHash.delete(row.hash);
    const moved = this.table!.remove(row.number);
    const last = this.rows.pop()!;
    if (moved === row.number) return;
    last.number = row.number;
    this.rows[row.number] = last;
  }

  /** Good until the next change. Undefined without a vector. */
  look(query: Float32Array): Looked | undefined {
    return this.table && this.rows.length > 0 ? this.table.look(query) : undefined;
  }

  holdersOf(row: number): readonly Holder[] {
    return this.rows[row]!.holders;
  }
}
