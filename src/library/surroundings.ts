import type { Clock } from '../core/clock';
import type { WriteCheck } from '../safety';
import type { Extractor } from './extraction/model';
import type { Web } from './fetching/model';
import type { LibraryKeeper } from './keeping/model';
import type { Learned } from './learned';

/** What the library's performers work with. */
export interface Surroundings {
  /** Opens the place where documents are kept, on the first call. Throws as opening it does. */
  keeper(): Promise<LibraryKeeper>;
  extractor: Extractor;
  web: Web;
  learned: Learned;
  /** Looks at what was read of a source, before it is kept. */
  check: WriteCheck;
  /** Relative paths are of this folder. */
  workspace: string | undefined;
  clock: Clock;
  log(message: string): void;
}
