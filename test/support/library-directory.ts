import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../src/core/clock';
import { openKeeper } from '../../src/library/keeping';
import type { KeeperSurroundings, LibraryKeeper } from '../../src/library/keeping/model';

/** A library in a directory of its own, with one beside it for what is kept of its index. */
export class LibraryDirectory {
  readonly home = mkdtempSync(path.join(tmpdir(), 'kaizen-library-'));
  readonly library = path.join(this.home, 'library');
  readonly content = path.join(this.library, 'content');
  readonly index = path.join(this.home, 'index');
  /** What the keepers wrote into the log. */
  readonly log: string[] = [];

  open(surroundings: Partial<KeeperSurroundings> = {}): Promise<LibraryKeeper> {
    return openKeeper(
      { directory: this.library },
      {
        cacheDirectory: this.index,
        embeddingsDirectory: path.join(this.home, 'embeddings'),
        modelsDirectory: path.join(this.home, 'models'),
        clock: systemClock,
        log: (message) => this.log.push(message),
        ...surroundings,
      },
    );
  }

  async remove(): Promise<void> {
    rmSync(this.home, { recursive: true, force: true });
  }
}
