import { MAX_STALENESS, STALENESS_DECAY } from '../vocabulary';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * What age takes off a score, 0 to 0.3 (seed 003, 6.4): by the whole days since the last of these times, in milliseconds
 * since the epoch. Without any, the most. A time that is still to come counts as now.
 */
export function stalenessPenalty(now: number, ...activities: readonly (number | undefined)[]): number {
  let last: number | undefined;
  for (const each of activities) if (each !== undefined && (last === undefined || each > last)) last = each;
  if (last === undefined) return MAX_STALENESS;
  const days = daysBetween(last, now);
  return STALENESS_DECAY.find(([below]) => days < below)?.[1] ?? MAX_STALENESS;
}

/** Whole days from one time to another, both in milliseconds since the epoch. */
export function daysBetween(from: number, to: number): number {
  return Math.floor((to - from) / DAY_MS);
}
