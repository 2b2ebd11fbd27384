import type { FetchedPage } from '../fetching/model';
import type { LibraryKeeper } from '../keeping/model';
import type { LibraryChange } from '../model';
import type { Surroundings } from '../surroundings';
import type { Origin } from './origin';
import type { Asked } from './request';
import type { SeenTogether } from './seen-together';

/** What one call works with. */
export interface Work {
  keeper: LibraryKeeper;
  surroundings: Surroundings;
  change: LibraryChange;
}

/** A request as it is carried out. */
export interface Task extends Asked {
  origin: Origin;
  /** The page was fetched already. */
  page: FetchedPage | undefined;
  /** Whether a source that cannot be read is kept with its error. */
  keepFailure: boolean;
  /** Where it is noted that the source says what it said; at once unless told. */
  seen: SeenTogether | undefined;
  /** Id of the document that is looked at again: once it is removed, its source is not brought in anew. */
  again: string | undefined;
}
