import type { ProjectRecord } from '../records-model';
import { mean, rounded } from './confidence';

/** Fewer are examples, and no ground for a range. */
export const ENOUGH = 3;

export interface Spread {
  /** Projects that it rests on. */
  projects: number;
  min: number;
  /** Quartiles by linear interpolation (Hyndman and Fan 1996, type 7); undefined below three projects. */
  lower_quartile?: number | undefined;
  median: number;
  upper_quartile?: number | undefined;
  max: number;
}

/** Undefined for no numbers. */
export function spreadOf(values: readonly number[]): Spread | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const at = (share: number) => {
    const place = (sorted.length - 1) * share;
    const below = sorted[Math.floor(place)]!;
    const value = below + (sorted[Math.ceil(place)]! - below) * (place % 1);
    return rounded(Math.min(sorted.at(-1)!, Math.max(sorted[0]!, value)));
  };
  return {
    projects: sorted.length,
    min: sorted[0]!,
    ...(sorted.length >= ENOUGH ? { lower_quartile: at(0.25), upper_quartile: at(0.75) } : {}),
    median: at(0.5),
    max: sorted.at(-1)!,
  };
}

/** What was needed for each unit that was estimated: 1.5 where it took half as much again. */
export interface EstimateFactor {
  mean: number;
  spread: Spread;
  projects: number;
}

/** By how much estimates were wrong; null where no project has both numbers. */
export interface EstimateToActual {
  duration: EstimateFactor | null;
  effort: EstimateFactor | null;
}

/** Of projects that were estimated and have ended: what they took against what was estimated (seed 003, 5.4.4). */
export function estimateToActual(records: readonly ProjectRecord[]): EstimateToActual {
  return {
    duration: factorOf(records, 'estimated_duration_days', 'actual_duration_days'),
    effort: factorOf(records, 'estimated_effort_hours', 'actual_effort_hours'),
  };
}

/** What was needed for each unit that was estimated; null where no project has both. */
function factorOf(
  records: readonly ProjectRecord[],
  estimated: 'estimated_duration_days' | 'estimated_effort_hours',
  actual: 'actual_duration_days' | 'actual_effort_hours',
): EstimateFactor | null {
  const factors = records.flatMap((record) => {
    const [before, after] = [record[estimated], record[actual]];
    return before !== undefined && before > 0 && after !== undefined ? [after / before] : [];
  });
  const spread = spreadOf(factors.map(rounded));
  return spread ? { mean: rounded(mean(factors)), spread, projects: factors.length } : null;
}
