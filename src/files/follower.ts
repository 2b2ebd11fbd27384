import { type FSWatcher, watch } from 'node:fs';
import { basename, join } from 'node:path';

/** More would use up what the system has for all its programs. */
const MAX_WATCHED = 4_000;

interface Watched {
  watcher: FSWatcher;
  identity: string | undefined;
}

/**
 * Listens to the system's hints about a folder and those in it. Hints are never relied on: they may be lost, doubled or wrong.
 * Where the system watches a whole tree (macOS, Windows) there is one watcher; elsewhere one a folder that was scanned,
 * since Node would read all folders there are, in one go, to do the same.
 */
export class Follower {
  private readonly watchers = new Map<string, Watched>();
  private readonly isWhole: boolean;
  private hasRefused = false;

  constructor(
    private readonly realRoot: string,
    /** Told a path below the root at which something happened. */
    private readonly hint: (path: string) => void,
    private readonly log: (message: string) => void,
    platform: NodeJS.Platform = process.platform,
  ) {
    this.isWhole = platform === 'darwin' || platform === 'win32';
  }

  /**
   * Called before the folder is read, so that nothing happens unnoticed in between.
   * @param identity which folder it is, as `identityOf` tells: a watcher goes with the folder where that is moved, by its
   * own name or by that of one above, and knows nothing of what takes its place
   */
  watch(folder: string, identity: string | undefined): void {
    const watched = this.isWhole ? this.realRoot : folder;
    const known = this.watchers.get(watched);
    if (known && (folder !== watched || known.identity === identity)) return;
    this.forget(watched);
    if (this.watchers.size >= MAX_WATCHED) {
      this.refuse(`there are more than ${MAX_WATCHED}`);
      return;
    }
    try {
      const watcher = watch(watched, { persistent: false, recursive: this.isWhole }, (event, name) => {
        // So a folder tells that it was removed itself. When it is there again, its watcher is a dead one. What has its
        // name in it looks the same, so that it must be looked at.
        if (!this.isWhole && event === 'rename' && name === basename(watched)) {
          this.forget(watched);
          this.hint(watched);
        }
        this.hint(name === null ? watched : join(watched, name));
      });
      // A folder that is removed ends its watcher; on Windows it does so by an error.
      watcher.on('error', () => this.forget(watched));
      this.watchers.set(watched, { watcher, identity: folder === watched ? identity : undefined });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') this.refuse(`the system refuses (${code})`);
    }
  }

  /** Ends the watchers of folders that are no longer part of it. */
  keepOnly(folders: ReadonlySet<string>): void {
    for (const folder of this.isWhole ? [] : this.watchers.keys()) if (!folders.has(folder)) this.forget(folder);
  }

  close(): void {
    for (const folder of [...this.watchers.keys()]) this.forget(folder);
  }

  private forget(folder: string): void {
    this.watchers.get(folder)?.watcher.close();
    this.watchers.delete(folder);
  }

  private refuse(why: string): void {
    if (this.hasRefused) return;
    this.hasRefused = true;
    this.log(`Not all folders of ${this.realRoot} can be watched: ${why}. Changes there are found a little later.`);
  }
}
