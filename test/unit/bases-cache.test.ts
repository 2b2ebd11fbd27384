import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BaseDefinition, BasesPart } from '../../src/bases';
import { BaseFolders, eventually } from '../support/base-folders';

/** Files that were changed this long ago are told by their stamps alone. */
const LONG_AGO = 60_000;

describe('What is known of knowledge bases is kept between runs', () => {
  let folders: BaseFolders;
  let root: string;
  let definition: BaseDefinition;

  beforeEach(function () {
    this.timeout(30_000);
    folders = new BaseFolders();
    root = folders.copyHarbour();
    definition = { name: 'harbour', root };
  });
  afterEach(() => folders.remove());

  const run = () => folders.indexed([definition]);
  const caches = () => readdirSync(folders.cacheDirectory).filter((name) => name.startsWith('base-'));
  const cacheFile = () => join(folders.cacheDirectory, caches()[0]!);
  const nodesOf = (bases: BasesPart) => JSON.stringify(bases.files());
  const changesOf = (bases: BasesPart) => bases.statuses()[0]!.changes;

  /** A run that leaves a cache behind; answers what it knew. */
  async function first(): Promise<string> {
    const bases = await run();
    assert.equal(changesOf(bases), 14);
    const known = nodesOf(bases);
    await bases.close();
    return known;
  }

  it('and known again, to the letter, without a file being parsed', async () => {
    const known = await first();
    assert.equal(caches().length, 1);
    const again = await run();
    assert.equal(changesOf(again), 0);
    assert.equal(nodesOf(again), known);
    assert.equal(again.node('context.delivery').title, '配送ルール');
    assert.equal(
      await again.content(again.node('guidelines.testing.data')),
      'Build parcels with `aParcel()`; never copy rows from production.',
    );
  });

  it('but for the files that have changed, came or went meanwhile', async () => {
    await first();
    appendFileSync(join(root, 'README.md'), '\n## Since Then\n');
    writeFileSync(join(root, 'NEW.md'), '# New\n');
    rmSync(join(root, 'plans/ROADMAP.md'));
    const again = await run();
    assert.equal(changesOf(again), 3);
    assert.equal(again.node('README.md#since-then').title, 'Since Then');
    assert.equal(again.node('NEW.md').title, 'New');
    assert.throws(() => again.node('plans.roadmap'), { code: 'unknown_node' });
    assert.equal(again.files().length, 14);
  });

  it('and not trusted where a file was changed in the moment in which it was read', async () => {
    await first();
    const file = join(root, 'README.md');
    const before = statSync(file);
    writeFileSync(file, readFileSync(file, 'utf8').replace('Harbour Knowledge', 'Harbor Knowledge!'));
    utimesSync(file, before.atime, before.mtime);
    const again = await run();
    assert.equal(again.node('README.md').title, 'Harbor Knowledge!');
  });

  it('and made anew, without a word, where it is damaged', async () => {
    const known = await first();
    const whole = readFileSync(cacheFile());
    const damages: [string, Buffer | string][] = [
      ['cut off', whole.subarray(0, whole.length / 2)],
      ['cut off at a line', whole.subarray(0, whole.indexOf(10, whole.length / 2) + 1)],
      ['a letter changed', Buffer.from(whole.toString('utf8').replace('Authentication', 'Authentikation'))],
      ['empty', ''],
      ['something else', 'not a cache\n'],
      ['of another version', whole.toString('utf8').replace(/^\{"format":\d+/, '{"format":0')],
      ['bytes', Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 256))],
    ];
    for (const [what, bytes] of damages) {
      writeFileSync(cacheFile(), bytes);
      const again = await run();
      assert.equal(changesOf(again), 14, what);
      assert.equal(nodesOf(again), known, what);
      await again.close();
      const mended = await run();
      assert.equal(changesOf(mended), 0, `${what}, mended`);
      await mended.close();
    }
    assert.deepEqual(folders.logged, []);
  });

  it('for each folder and its patterns', async () => {
    await first();
    const other = await folders.indexed([{ ...definition, include: ['plans/*.md'] }]);
    assert.equal(other.statuses()[0]!.changes, 2);
    await other.close();
    assert.equal(caches().length, 2);
    assert.equal(changesOf(await run()), 0);
  });

  it('while it is in use, and for 60 days after', async () => {
    await first();
    const name = cacheFile();
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    utimesSync(name, days(59), days(59));
    const used = await run();
    await eventually(() => Date.now() - statSync(name).mtimeMs < LONG_AGO);
    await used.close();
    utimesSync(name, days(61), days(61));
    const left = `${name}.0123456789ab.tmp`;
    writeFileSync(left, 'left behind');
    utimesSync(left, days(2), days(2));
    writeFileSync(join(folders.cacheDirectory, 'segments.bin'), 'of somebody else');
    utimesSync(join(folders.cacheDirectory, 'segments.bin'), days(99), days(99));
    const other = folders.open([]);
    other.start();
    await eventually(() => caches().length === 0);
    assert.deepEqual(readdirSync(folders.cacheDirectory), ['segments.bin']);
  });

  it('also where two work on it at once', async () => {
    const [one, two] = [await run(), await run()];
    await Promise.all([one.close(), two.close()]);
    assert.equal(caches().length, 1, 'nothing is left behind');
    assert.equal(changesOf(await run()), 0);
  });

  it('a few seconds after a change, once for all of them', async () => {
    const bases = await run();
    for (let at = 0; at < 5; at++) {
      writeFileSync(join(root, 'README.md'), `# Round ${at}\n`);
      await bases.rescan();
    }
    assert.throws(() => cacheFile(), 'nothing is written in between');
    // Beside it lies for a moment what is being written.
    const isWritten = () => readdirSync(folders.path).includes('cache') && /^base-\w+\.jsonl$/.test(caches().join());
    await eventually(isWritten, 15_000);
    assert.match(readFileSync(cacheFile(), 'utf8'), /Round 4/);
  });

  it('and kept when the folder is gone for a while', async () => {
    await first();
    rmSync(root, { recursive: true });
    const without = await run();
    assert.equal(without.statuses()[0]!.state, 'missing');
    await without.close();
    assert.equal(caches().length, 1);
  });

  it('and where it cannot be kept, everything works without', async () => {
    writeFileSync(folders.cacheDirectory, 'a file where the folder should be');
    const bases = await run();
    assert.equal(bases.size, 60);
    await bases.close();
    assert.match(folders.logged.join(), /could not be kept/);
  });
});
