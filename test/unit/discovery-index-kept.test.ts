import assert from 'node:assert/strict';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { mock } from 'node:test';
import { Indexing } from '../../src/discovery/indexing';
import { entriesTopic } from '../../src/knowledge';
import { BaseFolders } from '../support/base-folders';
import { useHalls } from '../support/hall';

describe('the index that is kept between runs', () => {
  const open = useHalls();
  let folders: BaseFolders;
  beforeEach(() => {
    folders = new BaseFolders();
  });
  afterEach(() => folders.remove());

  /** Names of what is kept below it; none where there is nothing. */
  const kept = (folder: string) => (existsSync(folder) ? readdirSync(folder, { recursive: true }) : []);

  it('is neither made nor changed where it is not to be kept, and all is found the same', async () => {
    folders.write({ 'docs/p.md': '# Feeding Penguins\n\nHerring in the morning.\n' });
    const bases = [{ name: 'docs', root: path.join(folders.path, 'docs') }];
    const places = { data: path.join(folders.path, 'data'), shared: path.join(folders.path, 'shared') };
    const index = path.join(places.data, 'index');
    const first = await open({ ...places, bases, keepIndex: false });
    await first.define('general', 'GENERAL');
    await first.put('general', 'zoo', 'opening-hours', 'The zoo opens at nine.');
    const asked = async ({ discovery }: typeof first) => {
      const { results } = await discovery.search({ query: 'feeding penguins opening hours' });
      return results.map(({ title }) => title).sort();
    };
    assert.deepEqual(await asked(first), ['Feeding Penguins', 'opening-hours']);
    await first.kaizen.close();
    assert.deepEqual(kept(index), []);

    const second = await open({ ...places, bases });
    assert.deepEqual(await asked(second), ['Feeding Penguins', 'opening-hours']);
    await second.kaizen.close();
    const before = kept(index);
    assert.ok(before.length > 0);

    const third = await open({ ...places, bases: [], keepIndex: false });
    assert.deepEqual(await asked(third), ['opening-hours']);
    await third.kaizen.close();
    assert.deepEqual(kept(index), before);
  });

  it('loses what nobody used for 60 days, and nothing that is not its own', async () => {
    const segments = path.join(folders.path, 'index', 'segments');
    const own = ['0'.repeat(24), 'f'.repeat(24)].flatMap((name) => [`${name}.segment`, `${name}.segment.0a1b.tmp`]);
    const others = ['notes.tmp', 'of-somebody.segment', 'README.md'];
    folders.write(Object.fromEntries([...own, ...others].map((name) => [`index/segments/${name}`, 'x'])));
    const old = new Date(Date.now() - 61 * 24 * 60 * 60 * 1000);
    for (const name of [...own.slice(0, 2), ...others]) utimesSync(path.join(segments, name), old, old);
    const hall = await open({ indexDirectory: path.join(folders.path, 'index') });
    await hall.discovery.search({ query: 'anything' });
    const left = [...own.slice(2), ...others].sort();
    for (let turn = 0; turn < 100 && readdirSync(segments).length > left.length; turn++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.deepEqual(readdirSync(segments).sort(), left);
  });

  it('makes nobody wait while it is being put on the disk', async () => {
    const none = { dispose: () => {} };
    let tell: (topics: ReadonlySet<string>) => void = () => {};
    let dirty = true;
    let saving: (() => void) | undefined;
    const read: string[] = [];
    const indexing = new Indexing({
      entries: {
        look() {},
        scopes: () => [],
        syncEntry: async ({ keyword }: { keyword: string }) => read.push(keyword),
      },
      nodes: { names: () => [], unsettled: () => [] },
      notes: { names: () => [], unsettled: () => [] },
      spaces: { start() {}, spaces: () => [], onDidChange: () => none, onDidChangeState: () => none },
      bases: { start() {}, statuses: () => [], onDidChange: () => none, onDidChangeState: () => none },
      passages: {
        sources: [],
        get isDirty() {
          return dirty;
        },
        save: () => {
          dirty = false;
          return new Promise<void>((resolve) => {
            saving = resolve;
          });
        },
      },
      onEntriesChanged: (listener: typeof tell) => {
        tell = listener;
        return none;
      },
      onProgress() {},
      log() {},
    } as unknown as ConstructorParameters<typeof Indexing>[0]);
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      indexing.start();
      while (!indexing.isReady) await new Promise((resolve) => setImmediate(resolve));
      for (let turn = 0; turn < 5 && !saving; turn++) {
        mock.timers.tick(30_000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      mock.timers.reset();
    }
    assert.ok(saving, 'it is being saved');
    tell(new Set([entriesTopic('zoo'), `entry:${['zoo', 'rules', 'quiet'].join('\0')}`]));
    assert.equal(await indexing.settled(15_000), true);
    assert.deepEqual(read, ['quiet']);
    assert.ok(saving, 'it is still being saved');
    const closed = indexing.close();
    while (saving) {
      const done: () => void = saving;
      saving = undefined;
      done();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await closed;
  });
});
