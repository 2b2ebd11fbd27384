import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BasesPart } from '../../src/bases';
import { isKaizenError } from '../../src/core/errors';
import { checkRelativePath, readInside } from '../../src/files';
import { BaseFolders } from '../support/base-folders';

const SECRET = 'the secret outside';

describe('A knowledge base is never left', () => {
  let folders: BaseFolders;
  let bases: BasesPart;
  let root: string;

  beforeEach(async () => {
    folders = new BaseFolders();
    folders.write({
      'docs/a.md': '# A\n',
      'docs/sub/b.md': '# B\n',
      'outside.md': `# Outside\n${SECRET}\n`,
      'docs-too/c.md': `# C\n${SECRET}\n`,
    });
    root = join(folders.path, 'docs');
    bases = await folders.indexed([{ name: 'docs', root }]);
  });
  afterEach(() => folders.remove());

  /** Everything that opens a file by its name. */
  async function refusals(file: string): Promise<string[]> {
    const calls = [bases.locate('docs', file), bases.fileText('docs', file), bases.contents('docs', file)];
    const codes: string[] = [];
    for (const result of await Promise.allSettled(calls)) {
      if (result.status === 'fulfilled') assert.deepEqual(result.value, [], `${file} was read`);
      else {
        assert.ok(isKaizenError(result.reason), String(result.reason));
        if (!file.includes(folders.path)) {
          assert.ok(!result.reason.message.includes(folders.path), 'the message tells no path of the machine');
        }
        codes.push(result.reason.code);
      }
    }
    return codes;
  }

  const paths = () => [
    '../outside.md',
    'sub/../../outside.md',
    './a.md',
    'sub/./b.md',
    '..',
    '.',
    '',
    '/',
    'sub/',
    '//a.md',
    'sub//b.md',
    '/etc/passwd',
    join(folders.path, 'outside.md'),
    '..\\outside.md',
    'sub\\b.md',
    '\\\\server\\share\\x.md',
    '//server/share/x.md',
    '\\\\?\\C:\\x.md',
    'C:/x.md',
    'c:x.md',
    'C:\\x.md',
    '%2e%2e/outside.md',
    '%2E%2E%2Foutside.md',
    '..%2foutside.md',
    '..%5coutside.md',
    '%252e%252e/outside.md',
    'a.md%00.txt',
    'a.md\0',
    'a.md\n',
    `${'x/'.repeat(3_000)}a.md`,
  ];

  it('by a path that leads out, whatever form it has', async () => {
    for (const path of paths()) {
      assert.deepEqual(await refusals(path), ['outside_root', 'outside_root', 'outside_root'], JSON.stringify(path));
    }
  });

  it('by names that only Windows takes for something else', () => {
    const names = [
      'a.md::$DATA',
      'a.md:stream',
      'sub::$INDEX_ALLOCATION/b.md',
      'CON',
      'nul.md',
      'sub/COM1.md',
      'lpt9',
      'aux .md',
      'CONIN$',
      'a.md.',
      'a.md ',
      'sub./b.md',
      'sub /b.md',
      'a?.md',
      '"a".md',
    ];
    for (const name of names) {
      assert.throws(() => checkRelativePath(name, 'win32'), { code: 'outside_root' }, name);
    }
    for (const name of ['console.md', 'a.b/c d.md', '.github/x.md', 'com10.md']) checkRelativePath(name, 'win32');
    for (const name of ['about: b.md', 'nul.md', 'what?.md']) checkRelativePath(name, 'linux');
  });

  it('by names that are no file of the base, in other letters or other folders', async () => {
    for (const path of ['A.MD', 'a.md.', 'a.txt', 'sub', 'outside.md', '%61.md', '~/a.md', 'docs-too/c.md']) {
      const codes = new Set(await refusals(path));
      assert.deepEqual([...codes], ['unknown_node'], path);
    }
  });

  it('by an address', () => {
    for (const path of paths().filter((each) => each.trim() !== '' && each.trim() !== 'a.md')) {
      assert.throws(() => bases.node(`knowledge://docs/${path}`), { code: 'unknown_node' }, path);
      assert.equal(bases.nodeByUri(`knowledge://docs/${encodeURIComponent(path)}`), undefined, path);
    }
    assert.equal(bases.nodeByUri('knowledge://docs/sub%2Fb.md')?.title, 'B');
  });

  describe('by links', () => {
    before(function () {
      if (process.platform === 'win32') this.skip();
    });

    it('that take the place of a file', async () => {
      rmSync(join(root, 'a.md'));
      symlinkSync(join(folders.path, 'outside.md'), join(root, 'a.md'));
      assert.deepEqual(new Set(await refusals('a.md')), new Set(['outside_root']));
      await bases.rescan();
      assert.deepEqual(
        bases.problems().map(({ code, file }) => `${code} ${file}`),
        ['outside_root a.md'],
      );
      assert.equal(bases.file('docs', 'a.md'), undefined);
    });

    it('that take the place of a folder', async () => {
      renameSync(join(root, 'sub'), join(folders.path, 'moved'));
      symlinkSync(join(folders.path, 'moved'), join(root, 'sub'));
      assert.deepEqual(new Set(await refusals('sub/b.md')), new Set(['outside_root']));
    });

    it('that take the place of a folder just when a file in it is opened', async function () {
      // Elsewhere an open file cannot tell where it is.
      if (process.platform !== 'linux') this.skip();
      this.timeout(10_000);
      const [sub, away, link] = ['sub', 'away', 'link'].map((name) => join(root, name)) as [string, string, string];
      folders.write({ 'elsewhere/b.md': SECRET });
      symlinkSync(join(folders.path, 'elsewhere'), link);
      const texts = new Set<string>();
      let isOver = false;
      const read = async () => {
        while (!isOver) {
          const found = await readInside(root, 'sub/b.md', 1_000).catch(() => undefined);
          if (found) texts.add(found.text);
        }
      };
      const reading = [read(), read(), read()];
      for (const end = performance.now() + 1_500; performance.now() < end; await nextTurn()) {
        renameSync(sub, away);
        renameSync(link, sub);
        await nextTurn();
        renameSync(sub, link);
        renameSync(away, sub);
      }
      isOver = true;
      await Promise.all(reading);
      assert.deepEqual([...texts], ['# B\n']);
    });

    it('that take the place of the root', async () => {
      renameSync(root, join(folders.path, 'moved'));
      mkdirSync(join(folders.path, 'elsewhere'));
      writeFileSync(join(folders.path, 'elsewhere/a.md'), SECRET);
      symlinkSync(join(folders.path, 'elsewhere'), root);
      assert.deepEqual(new Set(await refusals('a.md')), new Set(['outside_root']));
      await bases.rescan();
      assert.equal(await bases.fileText('docs', 'a.md'), SECRET, 'the root is what its owner says it is');
    });

    it('that lead to a folder whose name begins like that of the root', async () => {
      symlinkSync('../docs-too', join(root, 'near'));
      await bases.rescan();
      assert.deepEqual(
        bases.problems().map(({ code, file }) => `${code} ${file}`),
        ['outside_root near'],
      );
    });
  });

  it('and a file that is gone is told to be gone', async () => {
    rmSync(join(root, 'a.md'));
    await assert.rejects(bases.fileText('docs', 'a.md'), { code: 'unknown_node' });
    assert.deepEqual(await bases.contents('docs', 'a.md'), []);
    await assert.rejects(bases.locate('nobody', 'a.md'), { code: 'unknown_base', hint: 'There are docs.' });
  });
});
