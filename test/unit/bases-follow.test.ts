import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BasesPart } from '../../src/bases';
import { BaseFolders, eventually } from '../support/base-folders';
import { inGerman } from '../support/german';

/** What is promised, with room for a machine that is busy. */
const SOON = 10_000;

describe('Knowledge bases follow their files', () => {
  let folders: BaseFolders;
  let bases: BasesPart;
  let changes: string[];

  beforeEach(() => {
    folders = new BaseFolders();
    folders.write({ 'docs/a.md': '# A\n\nOne.\n', 'docs/sub/b.md': '# B\n' });
    changes = [];
  });
  afterEach(() => folders.remove());

  const path = (file: string) => join(folders.path, 'docs', ...file.split('/'));
  const titles = () => [...bases.nodes()].map(({ title }) => title).sort();
  const becomes = (...expected: string[]) => eventually(() => titles().join() === expected.join(), SOON);

  async function open(options: { watch: boolean; rescanInterval?: number }): Promise<void> {
    bases = await folders.indexed([{ name: 'docs', root: join(folders.path, 'docs') }], options);
    bases.onDidChange(({ base, files }) => changes.push(`${base}: ${files.join(' ')}`));
  }

  /** With `fs.watch`, and by hints of somebody who watches. */
  const ways = [
    { name: 'by themselves', watch: true },
    { name: 'where they are told', watch: false },
  ];
  for (const { name, watch } of ways) {
    describe(name, () => {
      const told = (...files: string[]) => {
        for (const file of watch ? [] : files) bases.touched(path(file));
      };

      beforeEach(() => open({ watch, rescanInterval: 600_000 }));

      it('when one is changed, added or removed', async () => {
        appendFileSync(path('a.md'), '\n## More\n');
        told('a.md');
        await becomes('A', 'B', 'More');
        folders.write({ 'docs/c.md': '# C\n' });
        told('c.md');
        await becomes('A', 'B', 'C', 'More');
        rmSync(path('a.md'));
        told('a.md');
        await becomes('B', 'C');
        assert.deepEqual(changes, ['docs: a.md', 'docs: c.md', 'docs: a.md']);
      });

      it('when an editor saves by writing beside and renaming', async () => {
        folders.write({ 'docs/.a.md.swp': '# Changed\n' });
        renameSync(path('.a.md.swp'), path('a.md'));
        told('.a.md.swp', 'a.md');
        await becomes('B', 'Changed');
        assert.deepEqual(new Set(changes), new Set(['docs: a.md']));
      });

      it('when one gets another name, and a folder too', async () => {
        renameSync(path('a.md'), path('z.md'));
        told('a.md', 'z.md');
        await eventually(() => bases.file('docs', 'z.md') !== undefined && !bases.file('docs', 'a.md'), SOON);
        renameSync(path('sub'), path('other'));
        told('sub', 'other');
        await eventually(() => bases.file('docs', 'other/b.md') !== undefined, SOON);
        assert.equal(bases.file('docs', 'sub/b.md'), undefined);
        appendFileSync(path('other/b.md'), '\n## Followed\n');
        told('other/b.md');
        await becomes('A', 'B', 'Followed');
      });

      it('when folders come with all they hold', async () => {
        folders.write({ 'new/deep/er/c.md': '# C\n', 'new/d.md': '# D\n' });
        renameSync(join(folders.path, 'new'), path('new'));
        told('new');
        await becomes('A', 'B', 'C', 'D');
        folders.write({ 'docs/new/deep/er/e.md': '# E\n' });
        told('new/deep/er/e.md');
        await becomes('A', 'B', 'C', 'D', 'E');
        rmSync(path('new'), { recursive: true });
        told('new');
        await becomes('A', 'B');
      });

      it('when a folder is removed and comes back', async () => {
        for (const round of [1, 2]) {
          rmSync(path('sub'), { recursive: true });
          told('sub');
          await becomes('A');
          folders.write({ 'docs/sub/b.md': `# B${round}\n` });
          told('sub');
          await becomes('A', `B${round}`);
        }
        folders.write({ 'docs/sub/b.md': '# Changed\n' });
        told('sub/b.md');
        await becomes('A', 'Changed');
      });

      it('when something in a folder has the name of the folder, and goes again', async () => {
        for (const folder of ['docs', 'sub/sub']) {
          mkdirSync(path(folder));
          await sleep(700);
          rmSync(path(folder), { recursive: true });
          await sleep(700);
        }
        appendFileSync(path('a.md'), '\n## More\n');
        appendFileSync(path('sub/b.md'), '\n## Too\n');
        told('a.md', 'sub/b.md');
        await becomes('A', 'B', 'More', 'Too');
      });

      it('when thousands change at once, in few steps', async () => {
        const many = Array.from({ length: 1_500 }, (_, at) => `many/${at}.md`);
        folders.write(Object.fromEntries(many.map((file) => [`docs/${file}`, `# ${file}\n`])));
        told(...many);
        await eventually(() => bases.size === 1_502, 15_000);
        assert.ok(changes.length < 100, `${changes.length} steps`);
        rmSync(path('many'), { recursive: true });
        told(...many);
        await eventually(() => bases.size === 2, 15_000);
      });

      it('but not what is no part of them, nor what has only been touched', async () => {
        folders.write({ 'docs/code.ts': 'x', 'docs/node_modules/x/README.md': '# X\n', 'outside.md': '# Outside\n' });
        utimesSync(path('a.md'), new Date(), new Date());
        told('code.ts', 'node_modules/x/README.md', 'a.md', '../outside.md', '');
        await sleep(700);
        assert.deepEqual(changes, []);
        assert.deepEqual(titles(), ['A', 'B']);
      });
    });
  }

  it('by looking again now and then, where no hint came', async () => {
    await open({ watch: true, rescanInterval: 150 });
    // A change that the system tells nobody of: the file keeps its size and its time.
    const time = new Date(Date.now() - 10_000);
    folders.write({ 'docs/a.md': '# X\n\nTwo.\n' });
    utimesSync(path('a.md'), time, time);
    await becomes('B', 'X');
  });

  it('when asked to look again', async () => {
    await open({ watch: false });
    folders.write({ 'docs/c.md': '# C\n' });
    rmSync(path('sub'), { recursive: true });
    await bases.rescan();
    assert.deepEqual(titles(), ['A', 'C']);
    assert.equal(bases.statuses()[0]!.changes, 2);
    const aborted = AbortSignal.abort(new Error('no more'));
    await assert.rejects(bases.rescan(aborted), /no more/);
  });

  it('a change of a few letters that keeps the size is seen, however quickly it comes', async () => {
    await open({ watch: false });
    for (const word of ['Two.', 'Six.', 'Ten.']) {
      folders.write({ 'docs/a.md': `# A\n\n${word}\n` });
      await bases.rescan();
      assert.equal(await bases.content(bases.node('a.md')), word);
    }
    assert.equal(changes.length, 3);
  });

  it('only what is in them counts: the same text again changes nothing', async () => {
    await open({ watch: false });
    const before = bases.node('a.md');
    folders.write({ 'docs/a.md': '# A\n\nOne.\n' });
    await bases.rescan();
    assert.equal(bases.node('a.md'), before);
    assert.deepEqual(changes, []);
  });

  describe('and their roots', () => {
    it('that appear later', async () => {
      const states: string[] = [];
      bases = folders.open([{ name: 'late', root: join(folders.path, 'late') }], { rescanInterval: 100, watch: true });
      bases.onDidChangeState(() => states.push(bases.statuses()[0]!.state));
      assert.equal(bases.statuses()[0]!.state, 'indexing');
      bases.start();
      assert.equal(await bases.ready(SOON), true, 'what is missing is not waited for');
      assert.deepEqual(bases.statuses()[0], { ...bases.statuses()[0]!, state: 'missing', files: 0, problems: 1 });
      assert.match(String(bases.problems()[0]!.message), /There is no folder .*late/);
      assert.match(inGerman(bases.problems()[0]!.message), /Es gibt keinen Ordner .*late/);
      folders.write({ 'late/a.md': '# Late\n' });
      await becomes('Late');
      await eventually(() => bases.statuses()[0]!.state === 'ready');
      assert.deepEqual(states, ['missing', 'indexing', 'ready']);
      assert.deepEqual(bases.problems(), []);
    });

    it('that go and come back', async () => {
      await open({ watch: true, rescanInterval: 100 });
      rmSync(path(''), { recursive: true });
      await eventually(() => bases.statuses()[0]!.state === 'missing', SOON);
      assert.deepEqual(changes, ['docs: a.md sub/b.md']);
      assert.equal(bases.size, 0);
      mkdirSync(path(''));
      folders.write({ 'docs/back.md': '# Back\n' });
      await becomes('Back');
      folders.write({ 'docs/back.md': '# Again\n' });
      await becomes('Again');
    });
  });

  it('until they are closed', async () => {
    await open({ watch: true, rescanInterval: 50 });
    const waiting = bases.ready(60_000);
    await bases.close();
    folders.write({ 'docs/c.md': '# C\n' });
    bases.touched(path('c.md'));
    await bases.rescan();
    await sleep(200);
    assert.deepEqual(changes, []);
    assert.equal(await waiting, true);
  });

  it('nothing is read before they are started', async () => {
    bases = folders.open([{ name: 'docs', root: path('') }], { watch: true });
    bases.touched(path('a.md'));
    await sleep(150);
    assert.equal(bases.size, 0);
    assert.equal(await bases.ready(10), false);
    await assert.rejects(bases.ready(10, AbortSignal.abort(new Error('enough'))), /enough/);
  });

  it('and nobody waits for them who has given up, or once they are closed', async () => {
    bases = folders.open([{ name: 'docs', root: path('') }]);
    const giving = new AbortController();
    const waiting = bases.ready(60_000, giving.signal);
    giving.abort(new Error('enough'));
    await assert.rejects(waiting, /enough/);
    await bases.close();
    assert.equal(await bases.ready(60_000), false);
  });

  it('and leave nothing behind, whenever they are closed or replaced', async () => {
    folders.write(
      Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`many/${at % 20}/${at}.md`, `# ${at}\n`])),
    );
    const many = { name: 'docs', root: join(folders.path, 'many') };
    for (let wait = 0; wait < 150; wait += 10) {
      bases = folders.open([many], { watch: true });
      bases.start();
      await sleep(wait);
      await bases.close();
    }
    bases = folders.open([many], { watch: true });
    const known = new Set<string>();
    bases.onDidChange(({ base, files }) => {
      for (const file of files) bases.file(base, file) ? known.add(file) : known.delete(file);
    });
    bases.start();
    for (let round = 0; round < 14; round++) {
      await sleep(round * 4);
      bases.define([round % 2 === 0 ? { name: 'docs', root: path('') } : many]);
    }
    assert.ok(await bases.ready(SOON));
    assert.deepEqual(
      [...known].sort(),
      bases.files().map(({ file }) => file),
    );
    assert.equal(known.size, 300);
    await bases.close();
    const handles = process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap');
    assert.deepEqual(handles, []);
    assert.deepEqual(folders.logged, []);
  });
});
