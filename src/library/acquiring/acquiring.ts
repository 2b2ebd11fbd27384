import type { Assessing } from '../assessing/assessing';
import type { Ingesting } from '../ingesting/ingesting';
import type { AcquireRequest, AcquireResult, LibraryChange } from '../model';
import type { Surroundings } from '../surroundings';

/** Fetches what is missing from the web, as far as it has to do with the topic (seed 003, 5.3.3). */
export class Acquiring {
  constructor(
    private readonly surroundings: Surroundings,
    private readonly parts: { ingesting: Ingesting; assessing: Assessing },
  ) {}

  async acquire(request: AcquireRequest, change: LibraryChange): Promise<AcquireResult> {
    throw new Error(`${request.topic} ${change.author} ${this.surroundings} ${this.parts}`);
  }
}
