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

const TIME = /^(\d{4})-(\d\d)-(\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** The milliseconds of an ISO 8601 date, or date and time with an offset; undefined for any other text. */
export function parseTime(text: string): number | undefined {
  const match = TIME.exec(text);
  const ms = match ? Date.parse(text) : Number.NaN;
  if (match === null || Number.isNaN(ms)) return undefined;
  // `Date.parse` takes 30 February for 2 March.
  const daysInMonth = new Date(Date.UTC(Number(match[1]), Number(match[2]), 0)).getUTCDate();
  return Number(match[3]) <= daysInMonth ? ms : undefined;
}
