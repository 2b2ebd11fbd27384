import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeError } from '../core/errors';
import { renamePatiently } from '../core/rename';

const ENDING = '.segment';
/** Its own files, whole or cut off: whatever else lies in the folder is somebody else's. */
const NAME = /^[0-9a-f]{24}\.segment(\.[0-9a-f]+\.tmp)?$/;
/** What nobody opened for so long belongs to a scope or a base that is gone. */
const KEPT_MS = 60 * 24 * 60 * 60 * 1000;

/**
 * Segments of the search index on the disk, a file for each source. Nothing depends on them: what is missing or damaged
 * is indexed anew, and whoever restores one compares it with what there is. The last of several processes wins.
 */
export class SegmentCache {
  private hasComplained = false;

  constructor(
    private readonly directory: string,
    private readonly log: (message: string) => void,
  ) {}

  async read(source: string): Promise<Uint8Array | undefined> {
    const file = this.fileOf(source);
    try {
      const bytes = await readFile(file);
      // Told apart from those that nobody opens any more.
      await utimes(file, new Date(), new Date()).catch(() => undefined);
      return bytes;
    } catch {
      return undefined;
    }
  }

  /** Never rejects: what cannot be kept costs time at the next start, and nothing else. */
  async write(source: string, bytes: () => Promise<Uint8Array>): Promise<void> {
    const file = this.fileOf(source);
    const beside = `${file}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      await mkdir(this.directory, { recursive: true, mode: 0o700 });
      await writeFile(beside, await bytes(), { flag: 'wx', mode: 0o600 });
      await renamePatiently(beside, file);
    } catch (error) {
      await rm(beside, { force: true }).catch(() => undefined);
      if (this.hasComplained) return;
      this.hasComplained = true;
      this.log(`The search index could not be kept in ${this.directory}: ${describeError(error)}`);
    }
  }

  async forget(source: string): Promise<void> {
    await rm(this.fileOf(source), { force: true }).catch(() => undefined);
  }

  /** Removes what nobody opened for 60 days. */
  async tidy(): Promise<void> {
    const names = await readdir(this.directory).catch(() => []);
    const before = Date.now() - KEPT_MS;
    for (const name of names) {
      if (!NAME.test(name)) continue;
      const file = join(this.directory, name);
      const isOld = await stat(file).then(
        ({ mtimeMs }) => mtimeMs < before,
        () => false,
      );
      if (isOld) await rm(file, { force: true }).catch(() => undefined);
    }
  }

  private fileOf(source: string): string {
    const name = createHash('sha256').update(source).digest('hex').slice(0, 24);
    return join(this.directory, `${name}${ENDING}`);
  }
}
