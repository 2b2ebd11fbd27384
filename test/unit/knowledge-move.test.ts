import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { KaizenError } from '../../src/core/errors';
import { type EntryKey, Knowledge, knowledgeSchema } from '../../src/knowledge';
import type { Commit } from '../../src/store';
import { BY_TESTER, error, type Hall, seededRandom, TestClock, useHalls } from '../support/hall';
import { Bench } from '../support/stores';

for (const place of ['two directories', 'one directory']) {
  describe(`an entry that moves, with the stores in ${place}`, () => {
    const open = useHalls();
    let hall: Hall;
    let peer: Hall;
    const commit = { scope_id: 'shop', category: 'git', keyword: 'commit' };
    const elsewhere = {
      'another keyword': { ...commit, keyword: 'committing' },
      'another category': { ...commit, category: 'vcs.git' },
      'another scope of its store': { ...commit, scope_id: 'blog' },
      'the other store': { ...commit, scope_id: 'team' },
      'another place altogether': { scope_id: 'general', category: 'vcs', keyword: 'write commits' },
    };

    beforeEach(async () => {
      const { data, shared } = await open();
      const directories = { data, shared: place === 'one directory' ? data : shared };
      hall = await open(directories);
      peer = await open({ ...directories, clock: hall.clock });
      await hall.define('general', 'GENERAL');
      await hall.define('team', 'GROUP');
      await hall.define('shop', 'PROJECT', ['team']);
      await hall.define('blog', 'PROJECT');
      await hall.put('shop', 'git', 'commit', 'DANGER: Say why.', { REASON: 'x' });
      hall.clock.advanceMinutes(1);
    });

    for (const [where, to] of Object.entries(elsewhere)) {
      it(`is found at ${where} as it was, and here no more`, async () => {
        const moved = await hall.knowledge.move(commit, to, { ...BY_TESTER, project_context: 'shop' });
        for (const each of [hall, peer]) {
          assert.equal(each.knowledge.entry(commit), undefined);
          assert.deepEqual(each.knowledge.entry(to), moved);
        }
        const { content, metaknowledge, updated_at, author } = moved;
        assert.deepEqual(
          { content, metaknowledge, updated_at, author },
          {
            content: 'DANGER: Say why.',
            metaknowledge: { REASON: 'x' },
            updated_at: '2026-05-04T09:01:00.000Z',
            author: 'tester',
          },
        );
      });

      it(`to ${where}, has the time at which it is done, and not at which it was asked for`, async () => {
        const moving = hall.knowledge.move(commit, to, BY_TESTER);
        hall.clock.advanceMinutes(4);
        assert.equal((await moving).updated_at, '2026-05-04T09:05:00.000Z');
        assert.equal(hall.knowledge.history(commit).at(-1)?.at, '2026-05-04T09:05:00.000Z');
      });

      it(`to ${where}, leaves a revision at both ends that names the other`, async () => {
        await hall.knowledge.move(commit, to, { ...BY_TESTER, reason: 'It holds there.' });
        const ends = [hall.knowledge.history(commit).at(-1)!, hall.knowledge.history(to).at(-1)!];
        const name = ({ scope_id, category, keyword }: EntryKey) => `${scope_id}/${category}/${keyword}`;
        assert.deepEqual(
          ends.map(({ action, reason, content }) => ({ action, reason, content })),
          [
            { action: 'delete', reason: `Moved to ${name(to)}. It holds there.`, content: null },
            { action: 'create', reason: `Moved from ${name(commit)}. It holds there.`, content: 'DANGER: Say why.' },
          ],
        );
      });

      it(`to ${where} and back, is as before`, async () => {
        await hall.put(to.scope_id, to.category, 'beside');
        const before = { own: hall.knowledge.entry(commit)!, categories: hall.knowledge.getCategories('shop') };
        await hall.knowledge.move(commit, to, BY_TESTER);
        await peer.knowledge.move(to, commit, BY_TESTER);
        const { updated_at, ...again } = hall.knowledge.entry(commit)!;
        assert.deepEqual({ ...again, updated_at: before.own.updated_at }, before.own);
        assert.notEqual(updated_at, before.own.updated_at);
        assert.deepEqual(hall.knowledge.getCategories('shop'), before.categories);
        assert.equal(hall.knowledge.entry(to), undefined);
      });
    }

    it('is missed by no answer that was remembered, in any hall', async () => {
      const answers = ({ knowledge }: Hall, scope: string) => ({
        categories: knowledge.getCategories(scope).map(({ name }) => name),
        knowledge: knowledge.getKnowledge(scope, ['commit', 'committing']).map((each) => each.category),
        risks: knowledge.getRisks(scope).map(({ keyword }) => keyword),
        effective: knowledge.effectiveCategories(scope),
      });
      for (const each of [hall, peer]) for (const scope of ['shop', 'blog']) answers(each, scope);
      await hall.knowledge.move(
        commit,
        { ...commit, scope_id: 'blog', category: 'vcs', keyword: 'committing' },
        BY_TESTER,
      );
      for (const each of [hall, peer]) {
        assert.deepEqual(answers(each, 'shop'), { categories: [], knowledge: [], risks: [], effective: [] });
        assert.deepEqual(answers(each, 'blog'), {
          categories: ['vcs'],
          knowledge: ['vcs'],
          risks: ['committing'],
          effective: [{ category: 'vcs', entries: 1 }],
        });
      }
    });

    it('stays where it is when the place is taken, there is no such scope or it is the same', async () => {
      await hall.put('team', 'git', 'commit', 'taken');
      const rejected = async (to: EntryKey, ...expected: Parameters<typeof error>) => {
        await assert.rejects(hall.knowledge.move(commit, to, BY_TESTER), error(...expected));
        assert.equal(hall.knowledge.entry(commit)?.content, 'DANGER: Say why.');
        assert.equal(hall.knowledge.history(commit).length, 1);
      };
      await rejected({ ...commit, scope_id: 'team' }, 'conflict', '"commit" in "git" of "team"');
      assert.equal(hall.knowledge.entry({ ...commit, scope_id: 'team' })?.content, 'taken');
      await rejected({ ...commit, scope_id: 'teem' }, 'unknown_scope', '"team"');
      await rejected({ ...commit, keyword: ' commit ' }, 'invalid_argument', 'already');
      await rejected({ ...commit, category: 'a..b' }, 'invalid_argument');
    });

    it('has to exist, and to be what it was taken for', async () => {
      const missing = { ...commit, keyword: 'comit' };
      for (const to of [
        { ...commit, keyword: 'x' },
        { ...commit, scope_id: 'team' },
      ]) {
        await assert.rejects(hall.knowledge.move(missing, to, BY_TESTER), error('unknown_entry', '"commit"'));
        assert.deepEqual(hall.knowledge.history(to), []);
        await hall.put('shop', 'git', 'commit', 'changed meanwhile');
        await assert.rejects(
          hall.knowledge.move(commit, to, { ...BY_TESTER, base_revision: 1 }),
          error('conflict', 'changed meanwhile'),
        );
        assert.deepEqual(hall.knowledge.history(to), []);
      }
    });

    it('ends in one place only when two move it at the same time', async () => {
      const targets = [
        { ...commit, scope_id: 'team' },
        { ...commit, scope_id: 'blog' },
      ];
      const outcomes = await Promise.allSettled([
        hall.knowledge.move(commit, targets[0]!, BY_TESTER),
        peer.knowledge.move(commit, targets[1]!, BY_TESTER),
      ]);
      assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      assert.equal([commit, ...targets].filter((key) => hall.knowledge.entry(key)).length, 1);
    });

    it('takes everything along on a long way', async () => {
      const random = seededRandom(3);
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
      let at: EntryKey = commit;
      for (let step = 0; step < 60; step++) {
        const to = {
          scope_id: pick(['general', 'team', 'shop', 'blog']),
          category: pick(['git', 'git.flow', 'Über.uns']),
          keyword: pick(['commit', '日本', '"q"']),
        };
        if (JSON.stringify(to) === JSON.stringify(at)) continue;
        await pick([hall, peer]).knowledge.move(at, to, BY_TESTER);
        at = to;
        const total = hall.knowledge.listScopes().reduce((sum, { entry_count }) => sum + entry_count, 0);
        assert.equal(total, 1);
        assert.equal(peer.knowledge.entry(at)?.content, 'DANGER: Say why.');
      }
    });
  });
}

describe('a move from one store to the other', () => {
  const open = useHalls();

  it('loses nothing when its process is killed halfway', async () => {
    const hall = await open();
    await hall.define('general', 'GENERAL');
    await hall.define('shop', 'PROJECT');
    await hall.put('shop', 'git', 'commit', 'Say why.');
    const from = { scope_id: 'shop', category: 'git', keyword: 'commit' };
    const to = { ...from, scope_id: 'general' };
    // The process dies at the moment at which it would write to the store that the entry leaves.
    const script = `
      const { Knowledge, knowledgeSchema } = require(${JSON.stringify(resolve('src/knowledge/index.ts'))});
      const { continuitySchema } = require(${JSON.stringify(resolve('src/continuity/index.ts'))});
      const { reviewSchema } = require(${JSON.stringify(resolve('src/review/index.ts'))});
      const { discoverySchema } = require(${JSON.stringify(resolve('src/discovery/index.ts'))});
      const { notesSchema } = require(${JSON.stringify(resolve('src/notes/index.ts'))});
      const { relationsSchema } = require(${JSON.stringify(resolve('src/relations/index.ts'))});
      const { learningSchema } = require(${JSON.stringify(resolve('src/learning/index.ts'))});
      const { Store } = require(${JSON.stringify(resolve('src/store/index.ts'))});
      const parts = [knowledgeSchema, continuitySchema, notesSchema, reviewSchema, discoverySchema];
      const schemas = [...parts, relationsSchema, learningSchema];
      (async () => {
        const shared = await Store.open(${JSON.stringify(hall.shared)}, { schemas });
        const workspace = await Store.open(${JSON.stringify(hall.data)}, { schemas });
        const holding = workspace.holding.bind(workspace);
        workspace.holding = (action) => holding(() => action(() => process.kill(process.pid, 'SIGKILL')));
        const knowledge = new Knowledge({ workspace, shared }, { now: () => 0 });
        await knowledge.move(${JSON.stringify(from)}, ${JSON.stringify(to)}, { author: 'other' });
      })();`;
    const { signal } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=commonjs', '-e', script]);
    assert.equal(signal, 'SIGKILL');
    for (const key of [from, to]) assert.equal(hall.knowledge.entry(key)?.content, 'Say why.');
    await hall.knowledge.delete(to, BY_TESTER);
    await hall.knowledge.move(from, to, BY_TESTER);
    assert.equal(hall.knowledge.entry(from), undefined);
  }).timeout(30_000);
});

describe('a move from one store to the other that cannot leave the first', () => {
  const bench = new Bench();
  afterEach(() => bench.cleanUp());

  it('leaves the entry there, and only there', async () => {
    const schemas = [knowledgeSchema];
    const shared = await bench.open(bench.directory(), { schemas });
    const workspace = await bench.open(bench.directory(), { schemas });
    const clock = new TestClock();
    const knowledge = new Knowledge({ workspace, shared }, clock, 'shop');
    await knowledge.defineScope({ scope_id: 'general', tier: 'GENERAL' }, BY_TESTER);
    await knowledge.defineScope({ scope_id: 'shop', tier: 'PROJECT' }, BY_TESTER);
    const from = { scope_id: 'shop', category: 'git', keyword: 'commit' };
    const to = { ...from, scope_id: 'general' };
    await knowledge.storeOverwrite({ target_scope_id: 'shop', ...from, content: 'Say why.' }, BY_TESTER);

    const full = new KaizenError('store_full', 'The disk is full.');
    const failing = new Proxy(workspace, {
      get: (store, name) =>
        name === 'holding'
          ? (action: (commit: Commit) => unknown) =>
              store.holding(() =>
                action(() => {
                  throw full;
                }),
              )
          : Reflect.get(store, name, store),
    });
    const moving = new Knowledge({ workspace: failing, shared }, clock, 'shop');
    await assert.rejects(moving.move(from, to, BY_TESTER), full);
    assert.equal(knowledge.entry(from)?.content, 'Say why.');
    assert.equal(knowledge.entry(to), undefined);
    assert.deepEqual(
      knowledge.history(to).map(({ action }) => action),
      ['create', 'delete'],
    );
  });
});
