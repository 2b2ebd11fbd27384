import type { SecretFinding } from './model';

/** A piece of a text: UTF-16 code units, end exclusive. */
export interface Piece {
  start: number;
  end: number;
}

/** What stands in the place of a secret. */
export function markOf({ kind }: Pick<SecretFinding, 'kind'>): string {
  return `[redacted: ${kind}]`;
}

/** A secret's place before, and its mark's place now. */
interface Cut {
  before: Piece;
  now: Piece;
}

/** A text without its secrets, and where in it stands now what stood in the text before. */
export class Redaction {
  readonly text: string;
  private readonly cuts: readonly Cut[];

  /** @param findings in any order; those that overlap are one */
  constructor(before: string, findings: readonly Pick<SecretFinding, 'kind' | 'start' | 'end'>[]) {
    const parts: string[] = [];
    const cuts: Cut[] = [];
    let [from, length] = [0, 0];
    for (const { start, end, mark } of merged(findings)) {
      const kept = before.slice(from, start);
      parts.push(kept, mark);
      length += kept.length + mark.length;
      cuts.push({ before: { start, end }, now: { start: length - mark.length, end: length } });
      from = end;
    }
    this.cuts = cuts;
    this.text = parts.join('') + before.slice(from);
  }

  /**
   * Where a piece of the text before stands now. One that begins or ends within a secret begins before its mark, or ends
   * behind it: what `isCut` says.
   */
  placeOf({ start, end }: Piece): { now: Piece; isCut: { start: boolean; end: boolean }; isSame: boolean } {
    const [first, last] = [this.cutBefore(start), this.cutBefore(end)];
    const begins = this.cuts[first];
    const ends = this.cuts[last];
    const isCut = {
      start: begins !== undefined && start < begins.before.end && start > begins.before.start,
      end: ends !== undefined && end < ends.before.end && end > ends.before.start,
    };
    const now = {
      start: isCut.start ? begins!.now.start : start + shiftOf(begins, start),
      end: isCut.end ? ends!.now.end : end + shiftOf(ends, end),
    };
    return { now, isCut, isSame: !isCut.start && !this.hasCut(first, start, end) };
  }

  /** The end, before, of the secret that an offset lies in; the offset itself where it lies in none. */
  behindSecretAt(offset: number): number {
    const cut = this.cuts[this.cutBefore(offset)];
    return cut ? Math.max(offset, cut.before.end) : offset;
  }

  /** Index of the last secret that begins before an offset, -1 where none does: by halving. */
  private cutBefore(offset: number): number {
    let [low, high] = [0, this.cuts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.cuts[middle]!.before.start < offset) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  private hasCut(behind: number, start: number, end: number): boolean {
    const next = this.cuts[behind + 1];
    return next !== undefined && next.before.start >= start && next.before.start < end;
  }
}

function shiftOf(cut: Cut | undefined, offset: number): number {
  // What begins where a secret begins has only those before it.
  return cut === undefined || offset < cut.before.end ? 0 : cut.now.end - cut.before.end;
}

function merged(findings: readonly Pick<SecretFinding, 'kind' | 'start' | 'end'>[]) {
  const all: { start: number; end: number; mark: string }[] = [];
  for (const each of [...findings].sort((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last && each.start < last.end) last.end = Math.max(last.end, each.end);
    else all.push({ start: each.start, end: each.end, mark: markOf(each) });
  }
  return all;
}
