export type { LibraryOptions } from './library';
export * from './model';

import { Library, type LibraryOptions } from './library';
import type { LibraryPart } from './model';

/** Nothing is opened, read or fetched before it is asked for the first time. */
export function openLibrary(options: LibraryOptions): LibraryPart {
  return new Library(options);
}
