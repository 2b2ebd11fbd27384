import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BasesPart, Dependency } from '../../src/bases';
import { Catalogue } from '../../src/bases/catalogue';
import { Turns } from '../../src/core/turns';
import { BaseFolders, HARBOUR } from '../support/base-folders';

/** A node with an id of its own. */
const node = (id: string, more = '') => `# Title of ${id}\n- id: ${id}\n${more}<!-- content -->\nText of ${id}.\n`;

describe('Nodes of knowledge bases', () => {
  let folders: BaseFolders;

  beforeEach(() => {
    folders = new BaseFolders();
  });
  afterEach(() => folders.remove());

  const base = (name: string) => ({ name, root: join(folders.path, name) });
  const texts = async (bases: BasesPart, name: string, file: string) =>
    (await bases.contents(name, file)).map((each) => `${each.node.id}: ${each.content.trim()}`);

  describe('are found', () => {
    it('by id, by id with base, by path and by address', async () => {
      const bases = await folders.indexed([{ name: 'harbour', root: HARBOUR }]);
      const { uri } = bases.node('guidelines.security.authentication');
      for (const reference of [
        'harbour:guidelines.security.authentication',
        'HARBOUR:guidelines.security.authentication',
        ' guidelines.security.authentication ',
        'guidelines/SECURITY.md#authentication',
        'guidelines/SECURITY.md#guidelines.security.authentication',
        'harbour:guidelines/SECURITY.md#authentication',
        'harbour/guidelines/SECURITY.md#authentication',
        'knowledge://harbour/guidelines/SECURITY.md#authentication',
        'knowledge://Harbour/guidelines%2fSECURITY%2Emd#%61uthentication',
      ]) {
        assert.equal(bases.node(reference).uri, uri, reference);
      }
      assert.equal(bases.node('guidelines/SECURITY.md').id, 'guidelines.security');
      assert.equal(bases.node('context/ARCHITECTURE.md#services.api').id, 'context.architecture.services.api');
      for (const each of bases.nodes()) {
        assert.equal(bases.nodeByUri(each.uri), each);
        assert.equal(bases.node(each.path), each);
        assert.equal(bases.node(bases.publicId(each)), each);
      }
    });

    it('also where the file has a name with marks in it', async () => {
      const long = `${'ü'.repeat(100)}.md`;
      const files = ['C# & F#.md', '50% off?.md', 'a b.md', '%41.md', 'a+b=c;d,e@f.md', `${'x/'.repeat(20)}${long}`];
      if (process.platform === 'win32') files.splice(1, 1);
      for (const file of files) folders.write({ [`docs/${file}`]: '# Top\n\n## Part\n\nText.\n' });
      const bases = await folders.indexed([base('docs')]);
      assert.equal(bases.size, 2 * files.length);
      for (const each of bases.nodes()) {
        for (const reference of [each.id, each.path, each.uri, `docs:${each.path}`]) {
          assert.equal(bases.node(reference), each, reference);
        }
        assert.equal(await bases.content(each), each.level === 1 ? '' : 'Text.');
      }
    });

    it('by a name that is nearly right only as a proposal', async () => {
      const bases = await folders.indexed([{ name: 'harbour', root: HARBOUR }]);
      assert.throws(() => bases.node('guidelines.security.autentication'), {
        code: 'unknown_node',
        hint: 'Did you mean guidelines.security.authentication?',
      });
      assert.throws(() => bases.node('somewhere.else.rollback'), { hint: 'Did you mean protocols.release.rollback?' });
      assert.throws(() => bases.node('zzz'), { hint: /search_knowledge/ });
      assert.throws(() => bases.node('x'.repeat(100_000)), { code: 'unknown_node' });
    });

    it('with their base where several have the id', async () => {
      folders.write({ 'one/a.md': node('same'), 'two/b.md': node('same'), 'two/c.md': node('other') });
      const bases = await folders.indexed([base('one'), base('two')]);
      assert.throws(() => bases.node('same'), {
        code: 'ambiguous_node',
        hint: 'Say which is meant: one:same, two:same.',
      });
      assert.equal(bases.publicId(bases.node('one:same')), 'one:same');
      assert.equal(bases.publicId(bases.node('other')), 'other');
      assert.equal(bases.node('two:same').file, 'b.md');
      assert.equal(bases.node('a.md').base, 'one');
    });
  });

  describe('with the same id in several files', () => {
    it('get numbers in the order of their paths, and their files are told of', async () => {
      const more = '## Below\n- id: below\n<!-- content -->\nx\n';
      folders.write({ 'docs/a.md': node('same'), 'docs/b.md': node('same') + more, 'docs/c.md': node('same') + more });
      const bases = await folders.indexed([base('docs')]);
      assert.deepEqual([...bases.nodes()].map(({ id }) => id).sort(), ['below', 'below~2', 'same', 'same~2', 'same~3']);
      assert.equal(bases.node('same').file, 'a.md');
      assert.deepEqual(bases.node('same~3').children_ids, ['below~2']);
      assert.equal(bases.node('below~2').parent_id, 'same~3');
      assert.deepEqual(
        bases.problems().map(({ code, file, line }) => [code, file, line]),
        [
          ['duplicate_id', 'b.md', 0],
          ['duplicate_id', 'c.md', 0],
          ['duplicate_id', 'c.md', 4],
        ],
      );
      assert.deepEqual(await texts(bases, 'docs', 'c.md'), ['same~3: Text of same.', 'below~2: x']);
    });

    it('move up when the first goes, and move down when one comes before', async () => {
      folders.write({ 'docs/b.md': node('same'), 'docs/c.md': node('same') });
      const bases = await folders.indexed([base('docs')]);
      const changes: string[] = [];
      bases.onDidChange(({ files }) => changes.push(files.join(' ')));
      rmSync(join(folders.path, 'docs/b.md'));
      await bases.rescan();
      assert.equal(bases.node('same').file, 'c.md');
      assert.deepEqual(bases.problems(), []);
      assert.equal(bases.statuses()[0]!.problems, 0);
      folders.write({ 'docs/a.md': node('same') });
      await bases.rescan();
      assert.equal(bases.statuses()[0]!.problems, 1);
      assert.equal(bases.node('same').file, 'a.md');
      assert.equal(bases.node('same~2').file, 'c.md');
      assert.deepEqual(changes, ['b.md c.md', 'a.md c.md']);
    });

    it('stay clear of ids that somebody wrote just so', async () => {
      folders.write({ 'docs/a.md': node('same'), 'docs/b.md': node('same'), 'docs/c.md': node('same~2') });
      const bases = await folders.indexed([base('docs')]);
      assert.equal(bases.node('same~2').file, 'c.md');
      assert.equal(bases.size, 3);
      assert.equal(new Set([...bases.nodes()].map(({ id }) => id)).size, 3);
    });

    it('stay clear of them also when they are written later, and get theirs back when they go', async () => {
      folders.write({ 'docs/a.md': node('same'), 'docs/b.md': node('same') });
      const bases = await folders.indexed([base('docs')]);
      const ids = () => bases.files().map(({ nodes: [first] }) => first!.id);
      assert.deepEqual(ids(), ['same', 'same~2']);
      folders.write({ 'docs/c.md': node('same~2') });
      await bases.rescan();
      assert.deepEqual(ids(), ['same', 'same~2~2', 'same~2']);
      for (const { id, file } of bases.nodes()) assert.equal(bases.node(id).file, file);
      assert.equal(bases.size, 3);
      rmSync(join(folders.path, 'docs/c.md'));
      await bases.rescan();
      assert.deepEqual(ids(), ['same', 'same~2']);
    });

    it('in thousands of files take no time to speak of', async () => {
      folders.write(Object.fromEntries(Array.from({ length: 1_500 }, (_, at) => [`docs/${at}.md`, node('same')])));
      const bases = await folders.indexed([base('docs')]);
      assert.equal(bases.size, 1_500);
      assert.equal(bases.problems().length, 1_499);
    });

    it('are named once, though their files come one after the other', async () => {
      folders.write(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`docs/${100 + at}.md`, node('same')])));
      const bases = await folders.indexed([base('docs')]);
      const catalogue = new Catalogue('docs');
      for (const { file, size, nodes } of bases.files()) {
        const own = nodes.map((each) => ({ ...each, id: 'same' }));
        catalogue.set({ file, size, stamp: '', hash: '', nodes: own, problems: [] });
        assert.deepEqual(await catalogue.settle(new Turns()), [file]);
      }
      catalogue.remove('110.md');
      assert.equal((await catalogue.settle(new Turns())).length, 10, 'those behind it move up');
      assert.equal(catalogue.node('same~19')?.file, '119.md');
      assert.equal(catalogue.problemCount, 18);
    });
  });

  describe('wait for each other', () => {
    const short = (dependencies: Dependency[]) => dependencies.map(({ id, depth }) => `${id} ${depth}`);

    it('over chains, by the shortest way, as far as asked', async () => {
      const bases = await folders.indexed([{ name: 'harbour', root: HARBOUR }]);
      const plan = (name: string) => `plans.event_store.${name}`;
      const all = await bases.dependencies(plan('reader'), { direction: 'both', depth: 20 });
      assert.deepEqual(all.node, {
        id: plan('reader'),
        title: 'Reader',
        type: 'task',
        status: 'todo',
      });
      assert.deepEqual(short(all.upstream), [
        `${plan('backfill')} 1`,
        `${plan('writer')} 1`,
        `${plan('capacity')} 2`,
        `${plan('schema')} 2`,
      ]);
      assert.deepEqual(all.upstream[2], {
        id: plan('capacity'),
        title: plan('capacity'),
        type: 'unknown',
        status: 'missing',
        depth: 2,
        path: [plan('reader'), plan('backfill'), plan('capacity')],
      });
      assert.deepEqual(all.upstream[3]!.path, [plan('reader'), plan('writer'), plan('schema')]);
      assert.deepEqual(short(all.downstream), [`${plan('switch_off')} 1`]);
      const near = await bases.dependencies(plan('writer'), { direction: 'downstream', depth: 1 });
      assert.deepEqual(short(near.downstream), [`${plan('backfill')} 1`, `${plan('reader')} 1`]);
      assert.deepEqual(near.upstream, []);
    });

    it('in a circle, which ends', async () => {
      const bases = await folders.indexed([{ name: 'harbour', root: HARBOUR }]);
      const { upstream, downstream } = await bases.dependencies('plans.roadmap.map', { direction: 'both', depth: 20 });
      assert.deepEqual(short(upstream), ['plans.roadmap.positions 1', 'plans.roadmap.consent 2']);
      assert.deepEqual(short(downstream), ['plans.roadmap.consent 1', 'plans.roadmap.positions 2']);
      folders.write({ 'docs/a.md': node('self', '- blocked_by: [self]\n') });
      const alone = await folders.indexed([base('docs')]);
      assert.deepEqual((await alone.dependencies('self', { direction: 'both', depth: 3 })).upstream, []);
    });

    it('meaning the node of their own file, then of their own base, then of the base that they name', async () => {
      folders.write({
        'one/a.md': `${node('task')}## Next\n- id: next\n- blocked_by: [task]\n<!-- content -->\nx\n`,
        'one/b.md': `${node('task')}## Next\n- id: next\n- blocked_by: [task]\n<!-- content -->\nx\n`,
        'one/c.md': node('far', '- blocked_by: ["two:there", task, there]\n'),
        'two/d.md': node('there'),
      });
      const bases = await folders.indexed([base('one'), base('two')]);
      const up = async (id: string) => (await bases.dependencies(id, { direction: 'upstream', depth: 1 })).upstream;
      assert.deepEqual(short(await up('next')), ['task 1']);
      assert.deepEqual(short(await up('next~2')), ['task~2 1']);
      assert.deepEqual(
        (await up('far')).map(({ id, title, status }) => `${id} ${title} ${status}`),
        ['task Title of task active', 'there Title of there active'],
      );
      const { downstream } = await bases.dependencies('there', { direction: 'downstream', depth: 1 });
      assert.deepEqual(short(downstream), ['far 1']);
    });

    it('and a change of a file is seen at once', async () => {
      folders.write({ 'docs/a.md': node('a'), 'docs/b.md': node('b') });
      const bases = await folders.indexed([base('docs')]);
      const down = async () => short((await bases.dependencies('a', { direction: 'downstream', depth: 1 })).downstream);
      assert.deepEqual(await down(), []);
      folders.write({ 'docs/b.md': node('b', '- blocked_by: [a]\n') });
      await bases.rescan();
      assert.deepEqual(await down(), ['b 1']);
    });

    it('and of very many the nearest thousand are told, and that there are more', async () => {
      const waiting = (id: string, blocker: string) => node(id, `- blocked_by: [${blocker}]\n`);
      const nodes = Array.from({ length: 1_100 }, (_, i) => waiting(`n${i}`, i < 400 ? 'hub' : `n${i - 400}`));
      const files: Record<string, string> = { 'docs/hub.md': node('hub') };
      for (let i = 0; i < nodes.length; i++) files[`docs/n${i}.md`] = nodes[i]!;
      folders.write(files);
      const bases = await folders.indexed([base('docs')]);
      const near = await bases.dependencies('hub', { direction: 'downstream', depth: 1 });
      assert.equal(near.downstream.length, 400);
      assert.equal(near.message, undefined);
      const all = await bases.dependencies('hub', { direction: 'both', depth: 20 });
      assert.equal(all.downstream.length, 1_000);
      assert.equal(all.downstream.filter(({ depth }) => depth === 1).length, 400);
      assert.match(all.message ?? '', /1000/);
    });

    it('and a depth must be 1 to 20', async () => {
      const bases = await folders.indexed([{ name: 'harbour', root: HARBOUR }]);
      for (const depth of [0, 21, 1.5, Number.NaN]) {
        const ask = () => bases.dependencies('harbour', { direction: 'both', depth });
        await assert.rejects(ask, { code: 'invalid_argument' });
      }
    });
  });

  it('are given with their content as the file is now, even before anybody noticed a change', async () => {
    folders.write({ 'docs/a.md': `${node('a')}## B\n- id: b\n<!-- content -->\nOld.\n` });
    const bases = await folders.indexed([base('docs')]);
    assert.deepEqual(await texts(bases, 'docs', 'a.md'), ['a: Text of a.', 'b: Old.']);
    const before = bases.node('b');
    folders.write({ 'docs/a.md': `${node('a')}## B\n- id: b\n<!-- content -->\nNew, and longer.\n` });
    assert.equal(await bases.content(before), 'New, and longer.');
    assert.notEqual(bases.node('b').content_hash, before.content_hash);
    folders.write({ 'docs/a.md': node('a') });
    await assert.rejects(bases.content(before), { code: 'unknown_node' });
  });

  it('are given with their own content also while many files change', async () => {
    const text = (round: number, at: number) =>
      `# Top\n\n${round % 2 === 0 ? '' : '## New\n\nnew\n\n'}## Alpha\n\nalpha\n\n## Beta\n\nbeta\n\n${at}\n`;
    const write = (round: number) => {
      for (let at = 0; at < 400; at++) folders.write({ [`docs/${1_000 + at}.md`]: text(round, at) });
    };
    write(0);
    const bases = await folders.indexed([base('docs')]);
    const ask = async () => {
      for (const { node, content } of await bases.contents('docs', '1001.md')) {
        if (node.level === 2) assert.ok(content.startsWith(node.title.toLowerCase()), `${node.title}: ${content}`);
      }
    };
    for (let round = 1; round <= 3; round++) {
      write(round);
      const asked: Promise<void>[] = [];
      const end = bases.rescan().then(() => true);
      while (!(await Promise.race([end, sleep(2)]))) asked.push(ask());
      await Promise.all(asked);
    }
  }).timeout(20_000);
});
