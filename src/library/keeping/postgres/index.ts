import type { LibraryPlace } from '../../model';
import type { KeeperSurroundings, LibraryKeeper } from '../model';
import { initialise } from './opening';
import { openKeeper } from './postgres-keeper';

export { LIBRARY_ROLES } from './schema';

type ServerPlace = Extract<LibraryPlace, { url: string }>;

/** A library on PostgreSQL 13 or later; its tables are made by whoever comes first and may. Throws `registry_*`. */
export function openPostgres(place: ServerPlace, surroundings: KeeperSurroundings): Promise<LibraryKeeper> {
  return openKeeper(place, { ...surroundings });
}

/** Makes the tables or brings them forward; answers their versions before and after. Throws `registry_*`. */
export function setUpPostgres(place: ServerPlace): Promise<{ from: number; to: number }> {
  return initialise(place);
}
