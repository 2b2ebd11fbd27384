import type { Range } from '../records-model';

const WEEK = 7;
const MONTH = 30;

/** Undefined for no numbers. */
export function rangeOf(values: readonly (number | undefined)[]): Range | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : { from: Math.min(...known), to: Math.max(...known) };
}

/** What holds all of them. */
export function spanning(...ranges: readonly (Range | undefined)[]): Range | undefined {
  return rangeOf(ranges.flatMap((range) => (range ? [range.from, range.to] : [])));
}

export function meanOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return undefined;
  return Math.round((known.reduce((sum, value) => sum + value, 0) / known.length) * 100) / 100;
}

/** `5 days`, `2-4 weeks`, `3-5 months`: calendar days in the unit that the longer one is told in. */
export function daysInWords({ from, to }: Range): string {
  const [unit, length] = to < 2 * WEEK ? ['day', 1] : to < 3 * MONTH ? ['week', WEEK] : ['month', MONTH];
  const [low, high] = [from, to].map((days) => rounded(days / (length as number))) as [number, number];
  return low === high ? `${high} ${unit}${high === 1 ? '' : 's'}` : `${low}-${high} ${unit}s`;
}

/** Whole numbers, but halves below one. */
function rounded(value: number): number {
  return value > 0 && value < 1 ? Math.max(0.5, Math.round(value * 2) / 2) : Math.round(value);
}
