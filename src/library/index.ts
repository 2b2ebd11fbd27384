export { LIMITS as ACQUIRING_LIMITS } from './acquiring/limits';
export { LIMITS as ASSESSING_LIMITS } from './assessing/constants';
export { citationOf, placeOf } from './citing';
export { LIMITS as INGESTING_LIMITS } from './ingesting/limits';
export type { Learned, LearnedScore } from './learned';
export type { LibraryOptions } from './library';
export * from './model';

import { Library, type LibraryOptions } from './library';
import type { LibraryPart, LibraryPlace } from './model';

/** Nothing is opened, read or fetched before it is asked for the first time. */
export function openLibrary(options: LibraryOptions): LibraryPart {
  return new Library(options);
}

/**
 * Makes the tables of a library on PostgreSQL, or brings them forward; answers their versions before and after. Throws
 * `registry_*`.
 */
export async function setUpLibrary(
  place: Extract<LibraryPlace, { url: string }>,
): Promise<{ from: number; to: number }> {
  const { setUpPostgres } = await import('./keeping/postgres');
  return setUpPostgres(place);
}

/** SQL that grants what readers of such a library need, and those who add to it. */
export async function libraryRoles(): Promise<string> {
  return (await import('./keeping/postgres')).LIBRARY_ROLES;
}
