import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { EntryKey, Revision } from '../../src/knowledge';
import { BY_TESTER, error, type Hall, seededRandom, useHalls } from '../support/hall';
import { importMany } from '../support/many-entries';
import { queriesDuring } from '../support/queries';

const BY_AGENT = { author: 'claude-code', by_agent: true };

/** What an entry is like: nothing of when and by whom. */
function state({ knowledge }: Hall, key: EntryKey) {
  const entry = knowledge.entry(key);
  return entry && { content: entry.content, metaknowledge: entry.metaknowledge };
}

describe('changes of entries', () => {
  const open = useHalls();
  let hall: Hall;
  const commit = { scope_id: 'general', category: 'git', keyword: 'commit' };
  const layout = { scope_id: 'shop', category: 'ui', keyword: 'layout' };

  beforeEach(async () => {
    hall = await open();
    await hall.define('general', 'GENERAL');
    await hall.define('shop', 'PROJECT');
  });

  const store = ({ scope_id, ...names }: EntryKey, content: string, change: typeof BY_AGENT | typeof BY_TESTER) =>
    hall.knowledge.storeOverwrite({ target_scope_id: scope_id, ...names, content }, change);

  describe('say whether an agent made them', () => {
    it('whatever was done', async () => {
      await store(commit, 'one', BY_AGENT);
      await store(commit, 'two', BY_TESTER);
      await hall.knowledge.restore(commit, 1, BY_AGENT);
      await hall.knowledge.undo(commit, 3, BY_AGENT);
      await hall.knowledge.delete(commit, BY_AGENT);
      await hall.knowledge.storeIfMissing({ target_scope_id: 'general', ...commit, content: 'new' }, BY_TESTER);
      await hall.knowledge.move(commit, layout, BY_AGENT);
      assert.deepEqual(
        hall.knowledge.history(commit).map(({ by_agent }) => by_agent),
        [true, false, true, true, true, false, true],
      );
      assert.deepEqual(
        hall.knowledge.history(layout).map(({ by_agent }) => by_agent),
        [true],
      );
    });

    it('also when a whole scope is deleted and comes back', async () => {
      await store(layout, 'one', BY_TESTER);
      await hall.knowledge.deleteScope('shop', { confirmed: true }, BY_AGENT);
      await hall.define('shop', 'PROJECT');
      assert.deepEqual(
        hall.knowledge.history(layout).map(({ by_agent }) => by_agent),
        [false, true],
      );
    });
  });

  describe('are listed', () => {
    it('newest first over both stores, with what was there before and after', async () => {
      await store(commit, 'one', BY_TESTER);
      hall.clock.advanceMinutes(1);
      await store(layout, 'wide', BY_AGENT);
      hall.clock.advanceMinutes(1);
      await store(commit, 'two', BY_AGENT);
      hall.clock.advanceMinutes(1);
      await hall.knowledge.delete(layout, { ...BY_TESTER, reason: 'wrong', project_context: 'shop' });
      const shared = { project_context: '', reason: null };
      assert.deepEqual(hall.knowledge.changes(), [
        {
          ...layout,
          number: 2,
          action: 'delete',
          at: '2026-05-04T09:03:00.000Z',
          author: 'tester',
          by_agent: false,
          project_context: 'shop',
          reason: 'wrong',
          content: null,
          metaknowledge: null,
          previous_content: 'wide',
          previous_metaknowledge: {},
          is_latest: true,
        },
        {
          ...shared,
          ...commit,
          number: 2,
          action: 'update',
          at: '2026-05-04T09:02:00.000Z',
          author: 'claude-code',
          by_agent: true,
          content: 'two',
          metaknowledge: {},
          previous_content: 'one',
          previous_metaknowledge: {},
          is_latest: true,
        },
        {
          ...shared,
          ...layout,
          number: 1,
          action: 'create',
          at: '2026-05-04T09:01:00.000Z',
          author: 'claude-code',
          by_agent: true,
          content: 'wide',
          metaknowledge: {},
          previous_content: null,
          previous_metaknowledge: null,
          is_latest: false,
        },
        {
          ...shared,
          ...commit,
          number: 1,
          action: 'create',
          at: '2026-05-04T09:00:00.000Z',
          author: 'tester',
          by_agent: false,
          content: 'one',
          metaknowledge: {},
          previous_content: null,
          previous_metaknowledge: null,
          is_latest: false,
        },
      ]);
    });

    it('by agents alone or by people alone, from a time on, as far as the limit', async () => {
      for (let minute = 0; minute < 10; minute++) {
        await store(minute % 2 ? commit : layout, `text ${minute}`, minute % 3 ? BY_TESTER : BY_AGENT);
        hall.clock.advanceMinutes(1);
      }
      const contents = (query: Parameters<Hall['knowledge']['changes']>[0]) =>
        hall.knowledge.changes(query).map(({ content }) => Number(content?.slice(5)));
      assert.deepEqual(contents({ by_agent: true }), [9, 6, 3, 0]);
      assert.deepEqual(contents({ by_agent: false }), [8, 7, 5, 4, 2, 1]);
      assert.deepEqual(contents({ limit: 3 }), [9, 8, 7]);
      assert.deepEqual(contents({ by_agent: true, limit: 2 }), [9, 6]);
      assert.deepEqual(contents({ since: '2026-05-04T09:07:00.000Z' }), [9, 8, 7]);
      assert.deepEqual(contents({ since: '2026-05-04T11:07:00+02:00', by_agent: false }), [8, 7]);
      assert.deepEqual(contents({ since: '2026-05-05' }), []);
    });

    it('in one order when they were made in one moment, each entry newest first', async () => {
      for (let round = 0; round < 3; round++) {
        for (const keyword of ['a', 'b', '\u{1F4A5}', '\uFFFD']) {
          await store({ ...commit, keyword }, `${round}`, round === 1 ? BY_AGENT : BY_TESTER);
          await store({ ...layout, keyword }, `${round}`, round === 1 ? BY_TESTER : BY_AGENT);
        }
      }
      const names = (limit: number) =>
        hall.knowledge.changes({ limit }).map(({ scope_id, keyword, number }) => `${scope_id} ${keyword} ${number}`);
      const all = names(100);
      assert.equal(all.length, 24);
      for (let limit = 1; limit < 24; limit++) assert.deepEqual(names(limit), all.slice(0, limit));
      const ofOne = all.filter((name) => name.startsWith('shop a'));
      assert.deepEqual(ofOne, ['shop a 3', 'shop a 2', 'shop a 1']);
    });

    it('without those of deleted scopes', async () => {
      await store(layout, 'one', BY_AGENT);
      await store(commit, 'two', BY_AGENT);
      await hall.knowledge.deleteScope('shop', { confirmed: true }, BY_TESTER);
      assert.deepEqual(
        hall.knowledge.changes().map(({ keyword }) => keyword),
        ['commit'],
      );
    });

    it('refusing what is no time and no limit', () => {
      for (const since of ['yesterday', '', '2026-02-30', '2026-01-31 09:30']) {
        assert.throws(() => hall.knowledge.changes({ since }), error('invalid_argument', 'no time', '2026-01-31'));
      }
      for (const limit of [0, -1, 1.5, 1001, Number.NaN]) {
        assert.throws(() => hall.knowledge.changes({ limit }), error('invalid_argument', 'limit', '1000'));
      }
    });

    it('as the histories of all entries tell them', async () => {
      const random = seededRandom(5);
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
      for (let step = 0; step < 200; step++) {
        hall.clock.advanceMinutes(Math.floor(random() * 2));
        const key = { ...pick([commit, layout]), keyword: pick(['a', 'b', 'c']) };
        const change = pick([BY_AGENT, BY_TESTER]);
        if (random() < 0.7) await store(key, `text ${step}`, change);
        else await hall.knowledge.delete(key, change).catch(() => {});
      }
      const keys = [commit, layout].flatMap((key) => ['a', 'b', 'c'].map((keyword) => ({ ...key, keyword })));
      const told = keys.flatMap((key) => {
        const revisions = hall.knowledge.history(key);
        return revisions.map((revision) => ({ ...key, ...revision, is_latest: revision === revisions.at(-1) }));
      });
      const changes = hall.knowledge.changes({ limit: 1000 });
      const place = ({ scope_id, keyword, number }: EntryKey & Revision) => `${scope_id} ${keyword} ${number}`;
      const byPlace = (a: EntryKey & Revision, b: EntryKey & Revision) => (place(a) < place(b) ? -1 : 1);
      assert.deepEqual([...changes].sort(byPlace), told.sort(byPlace));
      for (const [index, { at }] of changes.entries()) assert.ok(index === 0 || changes[index - 1]!.at >= at);
    });

    it('from another hall as soon as they are made there', async () => {
      const peer = await open({ data: hall.data, shared: hall.shared, clock: hall.clock });
      await store(commit, 'one', BY_AGENT);
      await store(layout, 'two', BY_TESTER);
      assert.deepEqual(peer.knowledge.changes(), hall.knowledge.changes());
      assert.equal(peer.knowledge.changes().length, 2);
    });
  });

  describe('are undone', () => {
    it('one after the other, back to nothing', async () => {
      await store(commit, 'one', BY_AGENT);
      await hall.knowledge.storeOverwrite(
        { target_scope_id: 'general', ...commit, content: 'two', metaknowledge: { WHY: 'x' } },
        BY_AGENT,
      );
      await hall.knowledge.delete(commit, BY_AGENT);
      await hall.knowledge.undo(commit, 3, BY_TESTER);
      assert.deepEqual(state(hall, commit), { content: 'two', metaknowledge: { WHY: 'x' } });
      await hall.knowledge.undo(commit, 4, BY_TESTER);
      assert.equal(state(hall, commit), undefined, 'undoing an undo does the change again');
      await store(commit, 'new', BY_AGENT);
      await hall.knowledge.undo(commit, 6, BY_TESTER);
      assert.equal(state(hall, commit), undefined, 'what was made is deleted');
      const last = hall.knowledge.history(commit).at(-1)!;
      assert.deepEqual([last.action, last.author, last.reason], ['delete', 'tester', 'Undid revision 6.']);
    });

    it('keeping the reason that is given', async () => {
      await store(commit, 'one', BY_AGENT);
      await hall.knowledge.undo(commit, 1, { ...BY_TESTER, reason: 'nonsense' });
      assert.equal(hall.knowledge.history(commit)[1]?.reason, 'nonsense');
    });

    it('only as long as nothing newer was written', async () => {
      await store(commit, 'one', BY_AGENT);
      await store(commit, 'two', BY_TESTER);
      await assert.rejects(
        hall.knowledge.undo(commit, 1, BY_TESTER),
        error('conflict', 'changed again after revision 1', 'revision 2 by tester'),
      );
      assert.equal(hall.knowledge.history(commit).length, 2);
    });

    it('once, when two do it at the same time', async () => {
      const peer = await open({ data: hall.data, shared: hall.shared });
      await store(commit, 'one', BY_AGENT);
      const outcomes = await Promise.allSettled([
        hall.knowledge.undo(commit, 1, BY_TESTER),
        peer.knowledge.undo(commit, 1, BY_TESTER),
      ]);
      assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      assert.equal(hall.knowledge.history(commit).length, 2);
    });

    it('refusing revisions and entries that never were', async () => {
      await store(commit, 'one', BY_AGENT);
      for (const number of [0, 2, 1.5]) {
        await assert.rejects(
          hall.knowledge.undo(commit, number, BY_TESTER),
          error('invalid_argument', `no revision ${number}`, 'revisions 1 to 1'),
        );
      }
      await assert.rejects(
        hall.knowledge.undo({ ...commit, keyword: 'comit' }, 1, BY_TESTER),
        error('unknown_entry', 'comit', '"commit"'),
      );
    });

    it('so that any chain of undos of the last change swaps two states for ever', async () => {
      await store(commit, 'one', BY_AGENT);
      await store(commit, 'two', BY_TESTER);
      for (let number = 2; number < 8; number++) {
        await hall.knowledge.undo(commit, number, BY_TESTER);
        assert.equal(state(hall, commit)?.content, number % 2 ? 'two' : 'one');
      }
    });
  });

  it('cost no more than the end of an index, however many there are', async () => {
    const crowded = await open();
    await importMany(crowded);
    await crowded.knowledge.delete({ scope_id: 'shop', category: 'area4.topic4', keyword: 'rule-4' }, BY_AGENT);
    for (const query of [{}, { by_agent: true }, { by_agent: false }, { since: '2026-01-01' }]) {
      for (const { plan, rows } of queriesDuring(() => crowded.knowledge.changes(query))) {
        assert.ok(rows <= 100, `${rows} rows for ${JSON.stringify(query)}`);
        const costly = plan.filter((step) => /^SCAN (?!json_each|found)|TEMP B-TREE/.test(step));
        assert.deepEqual(costly, [], JSON.stringify(query));
      }
    }
    assert.equal(crowded.knowledge.changes({ limit: 1 })[0]?.keyword, 'rule-4');
  }).timeout(30_000);
});

describe('categories', () => {
  const open = useHalls();
  let hall: Hall;
  let peer: Hall;

  beforeEach(async () => {
    hall = await open();
    peer = await open({ data: hall.data, shared: hall.shared });
    await hall.define('general', 'GENERAL');
    await hall.define('shop', 'PROJECT');
  });

  const described = (from: Hall) =>
    from.knowledge.getCategories('shop').map(({ name, description }) => `${name}: ${description ?? '-'}`);
  const say = (scope: string, category: string, text: string) =>
    hall.knowledge.describeCategory(scope, category, text, BY_TESTER);

  it('are described, described otherwise and no longer, seen by every hall', async () => {
    await hall.put('shop', 'git', 'commit');
    assert.deepEqual(described(peer), ['git: -']);
    await say('shop', 'git', '  How we use it. ');
    assert.deepEqual([described(hall), described(peer)], [['git: How we use it.'], ['git: How we use it.']]);
    await say('shop', 'git', 'Otherwise.');
    assert.deepEqual(described(peer), ['git: Otherwise.']);
    await say('shop', 'git', ' ');
    assert.deepEqual([described(hall), described(peer)], [['git: -'], ['git: -']]);
    assert.equal(hall.knowledge.getKnowledge('shop', ['commit']).length, 1);
  });

  it('exist by their description alone, and go with it', async () => {
    await say('general', 'ui.layout', 'Where things stand.');
    assert.deepEqual(described(peer), ['ui: -', 'ui.layout: Where things stand.']);
    await hall.put('general', 'ui.layout', 'grid');
    await hall.knowledge.delete({ scope_id: 'general', category: 'ui.layout', keyword: 'grid' }, BY_TESTER);
    assert.deepEqual(described(peer), ['ui: -', 'ui.layout: Where things stand.']);
    await say('general', 'ui.layout', '');
    assert.deepEqual(described(peer), []);
  });

  it('are left alone when there is nothing to change', async () => {
    await say('shop', 'git', 'x');
    const journal = () => readFileSync(`${hall.data}/journal-000001`).length;
    const before = journal();
    await say('shop', 'git', 'x');
    await say('shop', 'svn', '');
    assert.equal(journal(), before);
  });

  it('need a scope, a name and a text of bounded length', async () => {
    await assert.rejects(say('shopp', 'git', 'x'), error('unknown_scope', '"shop"'));
    await assert.rejects(say('shop', 'git..x', 'x'), error('invalid_argument', 'empty part'));
    await assert.rejects(say('shop', 'git', 'x'.repeat(5000)), error('invalid_argument', 'limit is 4096'));
  });
});
