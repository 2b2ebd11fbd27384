import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BaseDefinition, BasesPart } from '../../src/bases';
import { Catalogue } from '../../src/bases/catalogue';
import { ContentCache } from '../../src/bases/content-cache';
import { BaseReader } from '../../src/bases/indexing';
import { LIMITS, type Limits } from '../../src/bases/limits';
import { Turns } from '../../src/core/turns';
import { compilePatterns, indexFiles, scan } from '../../src/files';
import { BaseFolders, HARBOUR } from '../support/base-folders';

const isWindows = process.platform === 'win32';

describe('Files of knowledge bases', () => {
  let folders: BaseFolders;

  beforeEach(() => {
    folders = new BaseFolders();
  });
  afterEach(() => folders.remove());

  const indexed = (definition: Partial<BaseDefinition> = {}) =>
    folders.indexed([{ name: 'docs', root: join(folders.path, 'docs'), ...definition }]);
  const names = (bases: BasesPart) => bases.files().map(({ file }) => file);
  const problems = (bases: BasesPart) => bases.problems().map(({ file, code }) => `${code} ${file ?? ''}`.trim());

  it('are those that end in .md, but in node_modules and hidden folders', async () => {
    folders.write({
      'docs/README.md': '# A\n',
      'docs/deep/er/b.md': '# B\n',
      'docs/c.txt': 'c',
      'docs/.notes.md': '# D\n',
      'docs/.git/e.md': '# E\n',
      'docs/.github/f.md': '# F\n',
      'docs/node_modules/x/README.md': '# G\n',
      'docs/deep/node_modules/h.md': '# H\n',
    });
    const bases = await indexed();
    assert.deepEqual(names(bases), ['.notes.md', 'README.md', 'deep/er/b.md']);
    assert.deepEqual(bases.statuses(), [
      {
        definition: {
          name: 'docs',
          root: join(folders.path, 'docs'),
          include: ['**/*.md'],
          exclude: ['**/node_modules/**', '**/.git/**'],
        },
        state: 'ready',
        files: 3,
        nodes: 3,
        problems: 0,
        changes: 3,
      },
    ]);
  });

  it('are those that the patterns name, hidden folders too where a pattern names them', async () => {
    folders.write({
      'docs/.github/instructions/a.instructions.md': '# A\n',
      'docs/.github/.cache/b.md': '# B\n',
      'docs/.cursor/rules/c.mdc': '# C\n',
      'docs/src/d.md': '# D\n',
      'docs/guide/e.md': '# E\n',
      'docs/guide/drafts/f.md': '# F\n',
      'docs/old/g.md': '# G\n',
    });
    const bases = await indexed({
      include: ['.github/**/*.md', '.cursor/rules/*.mdc', 'guide/**', '!guide/drafts/**', '{src,old}/*.md'],
      exclude: ['old'],
    });
    assert.deepEqual(names(bases), [
      '.cursor/rules/c.mdc',
      '.github/instructions/a.instructions.md',
      'guide/e.md',
      'src/d.md',
    ]);
  });

  it('name a pattern that cannot be read, and take the others', async () => {
    folders.write({ 'docs/a.md': '# A\n' });
    const bases = await indexed({ include: ['*.md', '[a.md', '../*.md'] });
    assert.deepEqual(names(bases), ['a.md']);
    assert.deepEqual(problems(bases), ['bad_pattern', 'bad_pattern']);
    assert.match(String(bases.problems()[1]!.message), /leads out/);
  });

  it('are all counted and all of the fixture are found', async () => {
    const bases = await folders.indexed([{ name: 'harbour', root: HARBOUR }]);
    assert.equal(names(bases).length, 14);
    assert.equal(bases.size, 60);
    assert.deepEqual(problems(bases), ['front_matter notes/ONBOARDING.md']);
    assert.equal(bases.node('context.delivery').title, '配送ルール');
    assert.equal(bases.node('notes/ONBOARDING.md#first-day').title, 'First Day');
  });

  it('that are larger than 1 MB are there without nodes, and told', async () => {
    folders.write({
      'docs/just.md': `# Just\n${'x'.repeat(1_048_576 - 7)}`,
      'docs/over.md': `# Over\n${'x'.repeat(1_048_576)}`,
    });
    const bases = await indexed();
    assert.deepEqual(problems(bases), ['too_large over.md']);
    assert.deepEqual(
      bases.files().map(({ file, nodes }) => [file, nodes.length]),
      [
        ['just.md', 1],
        ['over.md', 0],
      ],
    );
    await assert.rejects(bases.fileText('docs', 'over.md'), { code: 'invalid_argument' });
    assert.deepEqual(await bases.contents('docs', 'over.md'), []);
  });

  it('in another encoding are read as well as can be, and told', async () => {
    folders.write({
      'docs/latin.md': Buffer.from('# Gr\u00FC\u00DFe\n', 'latin1'),
      'docs/wide.md': Buffer.from('\uFEFF# Gr\u00FC\u00DFe\n', 'utf16le'),
    });
    const bases = await indexed();
    assert.deepEqual(problems(bases), ['not_utf8 latin.md', 'not_utf8 wide.md']);
    assert.deepEqual(
      [...bases.nodes()].map(({ title }) => title),
      ['Gr\u00FC\u00DFe', 'Gr\u00FC\u00DFe'],
    );
  });

  it('in folders too deep for anybody are told of', async () => {
    const deep = Array.from({ length: 34 }, () => 'd').join('/');
    folders.write({ [`docs/${deep}/x.md`]: '# X\n', 'docs/d/y.md': '# Y\n' });
    const bases = await indexed();
    assert.deepEqual(names(bases), ['d/y.md']);
    assert.deepEqual(problems(bases), [`too_deep ${deep.slice(0, -2)}`]);
  });

  it('beyond what a base may hold are left out, the last by path, and told', async () => {
    folders.write({ 'docs/a.md': 'x'.repeat(400), 'docs/b/c.md': 'x'.repeat(400), 'docs/b/d/e.md': 'x'.repeat(400) });
    const patterns = compilePatterns(['**/*.md'], []);
    const within = async (limits: Partial<Limits>) => {
      const { files, problems } = await scan({
        realRoot: join(folders.path, 'docs'),
        patterns,
        limits: { ...LIMITS, ...limits },
        signal: new AbortController().signal,
      });
      return [
        files.map(({ file }) => file).join(' '),
        ...problems.map(({ code, file }) => `${code} ${file ?? ''}`.trim()),
      ];
    };
    assert.deepEqual(await within({ files: 3, totalSize: 1_200, depth: 2, folders: 3 }), ['a.md b/c.md b/d/e.md']);
    assert.deepEqual(await within({ files: 2 }), ['a.md b/c.md', 'too_many_files b/d/e.md']);
    assert.deepEqual(await within({ totalSize: 1_199 }), ['a.md b/c.md', 'too_many_files b/d/e.md']);
    assert.deepEqual(await within({ totalSize: 1_199, fileSize: 399 }), ['a.md b/c.md b/d/e.md']);
    assert.deepEqual(await within({ depth: 1 }), ['a.md b/c.md', 'too_deep b/d']);
    assert.deepEqual(await within({ folders: 2 }), ['a.md b/c.md', 'too_many_files']);
  });

  it('with more nodes than a base may hold are there without them, and told', async () => {
    const files = ['a.md', 'b.md', 'c.md'];
    for (const file of files) folders.write({ [`docs/${file}`]: '# T\n\n## One\n\n## Two\n' });
    const catalogue = new Catalogue('docs');
    const { signal } = new AbortController();
    const limits = { ...LIMITS, nodes: 6 };
    const reader = new BaseReader({ base: 'docs', catalogue, contents: new ContentCache(), limits });
    const options = { realRoot: join(folders.path, 'docs'), keeper: reader, reader, limits, signal };
    const index = (stamp: string) =>
      indexFiles(
        files.map((file) => ({ file, size: 20, stamp })),
        { ...options, cached: new Map(), show: async () => {} },
      );
    const nodes = () =>
      catalogue.files().map(({ nodes, problems }) => [nodes.length, ...problems.map(({ code }) => code)]);
    await index('first');
    await catalogue.settle(new Turns());
    assert.deepEqual(nodes(), [[3], [3], [0, 'too_many_nodes']]);
    folders.write({ 'docs/b.md': '# T\n', 'docs/c.md': '# T\n\n## One\n' });
    await index('second');
    await catalogue.settle(new Turns());
    assert.deepEqual(nodes(), [[3], [1], [2]]);
  });

  it('may lie in a root that is a link', async () => {
    folders.write({ 'real/a.md': '# A\n' });
    symlinkSync(join(folders.path, 'real'), join(folders.path, 'docs'), 'junction');
    const bases = await indexed();
    assert.deepEqual(names(bases), ['a.md']);
    assert.equal(await bases.fileText('docs', 'a.md'), '# A\n');
  });

  describe('behind links', () => {
    before(function () {
      if (isWindows) this.skip();
    });

    it('are taken once where the link stays inside, and no circle is walked', async () => {
      folders.write({ 'docs/a/one.md': '# One\n', 'docs/.hidden/two.md': '# Two\n' });
      const docs = join(folders.path, 'docs');
      symlinkSync(docs, join(docs, 'a/up'));
      symlinkSync(join(docs, 'a'), join(docs, 'again'));
      symlinkSync(join(docs, '.hidden'), join(docs, 'shown'));
      symlinkSync(join(docs, 'a/one.md'), join(docs, 'CLAUDE.md'));
      const bases = await indexed();
      assert.deepEqual(names(bases), ['a/one.md', 'shown/two.md']);
      assert.deepEqual(problems(bases), []);
      assert.equal(await bases.fileText('docs', 'shown/two.md'), '# Two\n');
    });

    it('are refused and told of where the link leads out', async () => {
      folders.write({ 'outside/secret.md': '# Secret\n', 'docs/a.md': '# A\n' });
      const docs = join(folders.path, 'docs');
      symlinkSync(join(folders.path, 'outside'), join(docs, 'folder'));
      symlinkSync(join(folders.path, 'outside/secret.md'), join(docs, 'file.md'));
      symlinkSync('../outside/secret.md', join(docs, 'relative.md'));
      symlinkSync(join(docs, 'nowhere.md'), join(docs, 'broken.md'));
      const bases = await indexed();
      assert.deepEqual(names(bases), ['a.md']);
      assert.deepEqual(problems(bases), [
        'unreadable broken.md',
        'outside_root file.md',
        'outside_root folder',
        'outside_root relative.md',
      ]);
    });
  });

  it('that may not be read are told of, and are read once they may', async function () {
    if (isWindows || process.getuid?.() === 0) this.skip();
    folders.write({ 'docs/a.md': '# A\n', 'docs/b/c.md': '# C\n' });
    const [file, folder] = [join(folders.path, 'docs/a.md'), join(folders.path, 'docs/b')];
    chmodSync(file, 0);
    chmodSync(folder, 0);
    const bases = await indexed();
    assert.deepEqual(problems(bases), ['unreadable b', 'unreadable a.md']);
    assert.deepEqual(await bases.contents('docs', 'a.md'), []);
    chmodSync(file, 0o644);
    chmodSync(folder, 0o755);
    await bases.rescan();
    assert.deepEqual(problems(bases), []);
    assert.deepEqual(names(bases), ['a.md', 'b/c.md']);
    assert.equal(bases.size, 2);
  });

  it('with names that no address can hold are told of', async function () {
    if (isWindows) this.skip();
    mkdirSync(join(folders.path, 'docs'));
    for (const name of ['back\\slash.md', 'line\nbreak.md', '%2e%2e.md', 'fine: really?.md', 'nul.md']) {
      writeFileSync(join(folders.path, 'docs', name), '# X\n');
    }
    const bases = await indexed();
    assert.deepEqual(names(bases), ['fine: really?.md', 'nul.md']);
    assert.deepEqual(problems(bases), [
      'unreadable %2e%2e.md',
      'unreadable back\\slash.md',
      'unreadable line\nbreak.md',
    ]);
  });

  it('with names that are not UTF-8 are told of, and folders too', async function () {
    if (process.platform !== 'linux') this.skip();
    const name = Buffer.from([0x63, 0x61, 0x66, 0xe9]);
    const docs = Buffer.from(`${join(folders.path, 'docs')}/`);
    mkdirSync(Buffer.concat([docs, name]), { recursive: true });
    writeFileSync(Buffer.concat([docs, name, Buffer.from('/a.md')]), '# A\n');
    writeFileSync(Buffer.concat([docs, name, Buffer.from('.md')]), '# B\n');
    const bases = await indexed();
    assert.deepEqual(names(bases), []);
    assert.deepEqual(problems(bases).sort(), ['unreadable caf\uFFFD', 'unreadable caf\uFFFD.md']);
  });
});

describe('Definitions of knowledge bases', () => {
  let folders: BaseFolders;

  beforeEach(() => {
    folders = new BaseFolders();
  });
  afterEach(() => folders.remove());

  const refused = (definitions: readonly BaseDefinition[], message: RegExp) =>
    assert.throws(() => folders.open(definitions), { code: 'invalid_argument', message });

  it('need names that can stand in addresses, each its own', () => {
    const root = folders.path;
    refused([{ name: 'a b', root }], /"a b" is not a name/);
    refused([{ name: '', root }], /is not a name/);
    refused([{ name: '..', root }], /is not a name/);
    refused([{ name: 'x'.repeat(101), root }], /is not a name/);
    refused([{ name: 'Scopes', root }], /cannot be called/);
    refused(
      [
        { name: 'Docs', root },
        { name: 'docs', root },
      ],
      /Two knowledge bases/,
    );
  });

  it('need absolute folders, which may lie in one another', async () => {
    refused([{ name: 'docs', root: 'docs' }], /not an absolute path/);
    folders.write({ 'all/a.md': '# A\n', 'all/part/b.md': '# B\n' });
    const bases = await folders.indexed([
      { name: 'all', root: join(folders.path, 'all') },
      { name: 'part', root: join(folders.path, 'all/part') },
    ]);
    assert.deepEqual(
      bases.files().map(({ base, file }) => `${base}/${file}`),
      ['all/a.md', 'all/part/b.md', 'part/b.md'],
    );
  });

  it('may be replaced: what stays as it was keeps what it knows, and what goes is told of', async () => {
    folders.write({ 'one/a.md': '# A\n', 'two/b.md': '# B\n', 'three/c.md': '# C\n' });
    const root = (name: string) => ({ name, root: join(folders.path, name) });
    const bases = await folders.indexed([root('one'), root('two')]);
    const kept = bases.nodeByUri('knowledge://one/a.md');
    const changes: string[] = [];
    bases.onDidChange(({ base, files }) => changes.push(`${base}: ${files}`));
    bases.define([root('one'), root('three')]);
    assert.ok(await bases.ready(5_000));
    assert.deepEqual(changes, ['two: b.md', 'three: c.md']);
    assert.equal(bases.nodeByUri('knowledge://one/a.md'), kept);
    assert.throws(() => bases.files('two'), { code: 'unknown_base' });
    assert.throws(() => bases.define([{ name: '?', root: folders.path }]), { code: 'invalid_argument' });
    assert.equal(bases.statuses().length, 2);
  });
});
