import path from 'node:path';
import { systemClock } from '../../src/core/clock';
import type { LibraryPlace } from '../../src/library';
import { openKeeper } from '../../src/library/keeping';
import type { KeeperSurroundings, LibraryKeeper } from '../../src/library/keeping/model';

/** Opens libraries on servers, and closes them all. `directory` is for what a process keeps beside them. */
export class ServerLibraries {
  private readonly opened: LibraryKeeper[] = [];

  constructor(private readonly directory: string) {}

  async open(place: LibraryPlace, more: Partial<KeeperSurroundings> = {}): Promise<LibraryKeeper> {
    const keeper = await openKeeper(place, {
      cacheDirectory: undefined,
      embeddingsDirectory: path.join(this.directory, 'embeddings'),
      modelsDirectory: path.join(this.directory, 'models'),
      clock: systemClock,
      log: () => {},
      ...more,
    });
    this.opened.push(keeper);
    return keeper;
  }

  async close(): Promise<void> {
    await Promise.all(this.opened.splice(0).map((keeper) => keeper.close()));
  }
}
