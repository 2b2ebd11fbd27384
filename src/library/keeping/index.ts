import type { LibraryPlace } from '../model';
import { openDirectory } from './local/directory-keeper';
import type { KeeperSurroundings, LibraryKeeper } from './model';

/** Opens where documents are kept. Throws `store_*` for a directory, `registry_*` for a server. */
export async function openKeeper(place: LibraryPlace, surroundings: KeeperSurroundings): Promise<LibraryKeeper> {
  if ('directory' in place) return openDirectory(place.directory, surroundings);
  const { openPostgres } = await import('./postgres');
  return openPostgres(place, surroundings);
}
