import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type BaseDefinition, type BasesOptions, type BasesPart, openBases } from '../../src/bases';
import { systemClock } from '../../src/core/clock';

export const HARBOUR = resolve('test/fixtures/bases/harbour');

/** A folder for one test with everything that bases need; what it opened is closed with it. */
export class BaseFolders {
  /** Its real path: temporary folders are links on macOS. */
  readonly path = realpathSync.native(mkdtempSync(join(tmpdir(), 'kaizen-bases-')));
  readonly cacheDirectory = join(this.path, 'cache');
  readonly logged: string[] = [];
  private readonly opened: BasesPart[] = [];

  /** Writes files, by their paths below this folder. */
  write(files: Readonly<Record<string, string | Buffer>>): void {
    for (const [file, text] of Object.entries(files)) {
      const path = join(this.path, ...file.split('/'));
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  }

  /** A copy of the fixture that may be changed; answers where it is. */
  copyHarbour(folder = 'harbour'): string {
    const root = join(this.path, folder);
    cpSync(HARBOUR, root, { recursive: true });
    return root;
  }

  open(definitions: readonly BaseDefinition[], options: Partial<BasesOptions> = {}): BasesPart {
    const bases = openBases({
      definitions,
      cacheDirectory: this.cacheDirectory,
      watch: false,
      clock: systemClock,
      log: (message) => void this.logged.push(message),
      ...options,
    });
    this.opened.push(bases);
    return bases;
  }

  /** Opens and waits until everything is indexed. */
  async indexed(definitions: readonly BaseDefinition[], options?: Partial<BasesOptions>): Promise<BasesPart> {
    const bases = this.open(definitions, options);
    bases.start();
    if (!(await bases.ready(15_000))) throw new Error('The bases did not become ready.');
    return bases;
  }

  async remove(): Promise<void> {
    await Promise.all(this.opened.map((bases) => bases.close()));
    rmSync(this.path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Asks again and again until the answer is true; an error after `ms`. */
export async function eventually(holds: () => boolean | Promise<boolean>, ms = 5_000): Promise<void> {
  for (const end = performance.now() + ms; !(await holds()); ) {
    if (performance.now() > end) throw new Error(`It did not come true within ${ms} ms: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}
