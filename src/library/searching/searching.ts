import type { LibraryAnswer, LibrarySearch } from '../model';
import type { Surroundings } from '../surroundings';

/** Searches the library's chunks and ranks them by what they say and by what was learned of them (seed 003, 6.5). */
export class Searching {
  constructor(private readonly surroundings: Surroundings) {}

  async search(request: LibrarySearch): Promise<LibraryAnswer> {
    throw new Error(`${request.query} ${this.surroundings}`);
  }
}
