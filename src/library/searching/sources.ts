import type { LibraryStats, SourceListing, SourcesRequest } from '../model';
import type { Surroundings } from '../surroundings';

/** Lists and counts what the library has. */
export class Sources {
  constructor(private readonly surroundings: Surroundings) {}

  async sources(request: SourcesRequest): Promise<SourceListing[]> {
    throw new Error(`${request.limit} ${this.surroundings}`);
  }

  async source(documentId: string): Promise<SourceListing> {
    throw new Error(documentId);
  }

  async stats(include: { domains?: boolean; freshness?: boolean; scores?: boolean }): Promise<LibraryStats> {
    throw new Error(`${include.domains}`);
  }
}
