import type { Clock } from '../core/clock';
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
  /** Relative paths are of this folder. */
  workspace: string | undefined;
  clock: Clock;
  log(message: string): void;
}
