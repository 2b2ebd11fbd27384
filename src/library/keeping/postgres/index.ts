import type { LibraryPlace } from '../../model';
import type { KeeperSurroundings, LibraryKeeper } from '../model';

/** A library on PostgreSQL 13 or later. Throws `registry_*`. */
export async function openPostgres(
  place: Extract<LibraryPlace, { url: string }>,
  surroundings: KeeperSurroundings,
): Promise<LibraryKeeper> {
  throw new Error(`${place.allowUnverifiedTls} ${surroundings.mayCreate}`);
}
