/** Of what is listed, unless told. */
export const DEFAULT_LISTED = 100;
const MAX_LISTED = 1_000;

/** How many are listed where so many were asked for. */
export function listed(limit: number): number {
  return Math.min(MAX_LISTED, Math.max(0, Math.trunc(limit)));
}
