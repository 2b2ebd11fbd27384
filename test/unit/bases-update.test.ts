import assert from 'node:assert/strict';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suggestBases } from '../../src/bases';
import { BaseFolders } from '../support/base-folders';

describe('A node of a knowledge base is changed', () => {
  let folders: BaseFolders;
  let root: string;

  beforeEach(() => {
    folders = new BaseFolders();
    root = folders.copyHarbour();
  });
  afterEach(() => folders.remove());

  const open = () => folders.open([{ name: 'harbour', root }]);
  const TARGET = 'guidelines.testing.data';
  const text = () => readFileSync(join(root, 'guidelines/TESTING.md'), 'utf8');

  it('in its file, and indexed at once, even where nobody had asked for the bases before', async () => {
    const bases = open();
    const update = await bases.prepareUpdate(TARGET, 'Build parcels with `aParcel()`, in memory.');
    assert.deepEqual(
      [update.base, update.node_id, update.file, update.content_hash],
      ['harbour', TARGET, 'guidelines/TESTING.md', bases.node(TARGET).content_hash],
    );
    const before = text();
    const preview = await bases.previewUpdate(update);
    assert.equal(preview?.before, before);
    assert.match(preview?.after ?? '', /`aParcel\(\)`, in memory\.\n\n## Flaky Tests/);
    assert.equal(text(), before, 'nothing is written before it is accepted');
    await bases.update(update, { confirmed: false });
    assert.equal(text(), preview?.after);
    assert.equal(await bases.content(bases.node(TARGET)), update.content);
    assert.notEqual(bases.node(TARGET).content_hash, update.content_hash);
  });

  it('under the id that it has in the base', async () => {
    const same = '# Same\n- id: same\n<!-- content -->\nOld.\n';
    writeFileSync(join(root, 'a.md'), same);
    writeFileSync(join(root, 'b.md'), same);
    const bases = open();
    const update = await bases.prepareUpdate('same~2', 'New.');
    assert.equal(update.file, 'b.md');
    rmSync(join(root, 'a.md'));
    await bases.rescan();
    await bases.update(update, { confirmed: false });
    assert.equal(readFileSync(join(root, 'b.md'), 'utf8'), same.replace('Old', 'New'));
  });

  it('but not where somebody changed it since, unless that is wanted', async () => {
    const bases = open();
    const update = await bases.prepareUpdate(TARGET, 'Mine.');
    writeFileSync(join(root, 'guidelines/TESTING.md'), text().replace('never copy rows', 'do not copy rows'));
    await assert.rejects(bases.update(update, { confirmed: false }), { code: 'conflict' });
    assert.match(text(), /do not copy rows/);
    await bases.update(update, { confirmed: true });
    assert.match(text(), /\nMine\.\n/);
  });

  it('not in a file that has become too large meanwhile, which is not even read', async () => {
    const bases = open();
    const update = await bases.prepareUpdate(TARGET, 'Mine.');
    const file = join(root, 'guidelines/TESTING.md');
    truncateSync(file, 600_000_000);
    for (const attempt of [bases.previewUpdate(update), bases.update(update, { confirmed: true })]) {
      await assert.rejects(attempt, { code: 'invalid_argument', message: /more than 1 MB/ });
    }
    assert.equal(statSync(file).size, 600_000_000);
  });

  it('in a file whose name is as long as names can be', async () => {
    const name = `${'n'.repeat(252)}.md`;
    writeFileSync(join(root, name), '# Long\n\nOld.\n');
    const bases = open();
    await bases.update(await bases.prepareUpdate(name, 'New.'), { confirmed: false });
    assert.equal(readFileSync(join(root, name), 'utf8'), '# Long\n\nNew.\n');
    assert.deepEqual(
      readdirSync(root).filter((each) => each.endsWith('.tmp')),
      [],
    );
  });

  it('nowhere else: not when it is gone, in no base that there is not, in no file outside', async () => {
    const bases = open();
    const update = await bases.prepareUpdate(TARGET, 'Mine.');
    await assert.rejects(bases.prepareUpdate('nobody', 'Mine.'), { code: 'unknown_node' });
    await assert.rejects(bases.update({ ...update, base: 'gone' }, { confirmed: true }), { code: 'unknown_base' });
    await assert.rejects(bases.previewUpdate({ ...update, base: 'gone' }), { code: 'unknown_base' });
    for (const file of ['../outside.md', '/etc/passwd', 'guidelines\\TESTING.md']) {
      await assert.rejects(bases.update({ ...update, file }, { confirmed: true }), { code: 'outside_root' });
    }
    if (process.platform !== 'win32') {
      folders.write({ 'outside.md': text() });
      rmSync(join(root, 'guidelines/TESTING.md'));
      symlinkSync(join(folders.path, 'outside.md'), join(root, 'guidelines/TESTING.md'));
      const before = text();
      await assert.rejects(bases.update(update, { confirmed: true }), { code: 'outside_root' });
      assert.equal(text(), before);
    }
    rmSync(join(root, 'guidelines'), { recursive: true });
    assert.equal(await bases.previewUpdate(update), undefined);
    await assert.rejects(bases.update(update, { confirmed: true }), { code: 'unknown_node' });
  });
});

describe('Knowledge bases are suggested', () => {
  let folders: BaseFolders;

  beforeEach(() => {
    folders = new BaseFolders();
  });
  afterEach(() => folders.remove());

  it('for what tells agents, for documentation and for the rest, without what others wrote', async () => {
    folders.write({
      'shop/README.md': '# Shop\n',
      'shop/packages/cart/README.md': '# Cart\n',
      'shop/AGENTS.md': '# Agents\n',
      'shop/packages/cart/AGENTS.md': '# Agents of the cart\n',
      'shop/.github/copilot-instructions.md': '# Instructions\n',
      'shop/.github/skills/deploy/SKILL.md': '# Deploy\n',
      'shop/.github/pull_request_template.md': '# Template\n',
      'shop/.cursor/rules/style.mdc': '# Style\n',
      'shop/Docs/guide.md': '# Guide\n',
      'shop/Docs/api/v1.md': '# API\n',
      'shop/node_modules/x/README.md': '# X\n',
      'shop/generated/api.md': '# Generated\n',
      'shop/.gitignore': '*.log\n/generated/\n# docs/\n!keep/\n',
    });
    const suggestions = await suggestBases(join(folders.path, 'shop'));
    assert.deepEqual(
      suggestions.map(({ kind, name, files }) => [kind, name, files]),
      [
        ['instructions', 'shop-instructions', 4],
        ['docs', 'shop-docs', 2],
        ['notes', 'shop-notes', 3],
      ],
    );
    assert.deepEqual(suggestions[0]!.include, [
      '/AGENTS.md',
      '.github/copilot-instructions.md',
      '.github/skills/**/*.md',
      '.cursor/rules/**/*.{md,mdc}',
    ]);
    // What is suggested is what one gets.
    const bases = await folders.indexed(
      suggestions.map(({ name, root, include, exclude }) => ({ name, root, include, exclude })),
    );
    assert.deepEqual(
      bases.files().map(({ base, file }) => `${base} ${file}`),
      [
        'shop-instructions .cursor/rules/style.mdc',
        'shop-instructions .github/copilot-instructions.md',
        'shop-instructions .github/skills/deploy/SKILL.md',
        'shop-instructions AGENTS.md',
        'shop-docs api/v1.md',
        'shop-docs guide.md',
        'shop-notes README.md',
        'shop-notes packages/cart/AGENTS.md',
        'shop-notes packages/cart/README.md',
      ],
    );
  });

  it('not where there is nothing, nor where there is no folder', async () => {
    mkdirSync(join(folders.path, 'empty'));
    assert.deepEqual(await suggestBases(join(folders.path, 'empty')), []);
    assert.deepEqual(await suggestBases(join(folders.path, 'nowhere')), []);
  });
});
