import type { KeeperSurroundings, LibraryKeeper } from '../model';

/** A library in a directory. Throws `store_*`. */
export async function openDirectory(directory: string, surroundings: KeeperSurroundings): Promise<LibraryKeeper> {
  throw new Error(`${directory} ${surroundings.mayCreate}`);
}
