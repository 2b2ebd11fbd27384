/** The source of time for everything that is stored, so that tests and replay are deterministic. */
export interface Clock {
  /** Now, in milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** `2026-01-31T09:30:00.000Z` */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** `2026-01-31`, in UTC, as seed 000 writes the dates of sessions and tasks. */
export function isoDate(ms: number): string {
  return isoTime(ms).slice(0, 10);
}
