import assert from 'node:assert/strict';
import { corpus } from '../../bench/corpus';
import { BY_TESTER, error, type Hall, useHalls } from '../support/hall';

const DAY = 24 * 60;

describe('statistics', () => {
  const open = useHalls();
  let hall: Hall;

  beforeEach(async () => {
    hall = await open();
    await hall.define('general', 'GENERAL');
    await hall.define('team', 'GROUP');
    await hall.define('shop', 'PROJECT', ['team']);
    await hall.define('site', 'PROJECT', ['team']);
  });

  it('count scopes and entries by tier, over both stores', async () => {
    await hall.put('general', 'git', 'commit');
    await hall.put('shop', 'git', 'commit');
    await hall.put('site', 'git', 'commit');
    await hall.put('site', 'git', 'push');
    await hall.knowledge.delete({ scope_id: 'site', category: 'git', keyword: 'commit' }, BY_TESTER);
    const { tiers } = await hall.knowledge.statistics();
    assert.deepEqual(tiers, [
      { tier: 'GENERAL', scopes: 1, entries: 1 },
      { tier: 'PRODUCT', scopes: 0, entries: 0 },
      { tier: 'GROUP', scopes: 1, entries: 0 },
      { tier: 'PROJECT', scopes: 2, entries: 2 },
    ]);
  });

  it('put subcategories together under the name before the first dot, most entries first', async () => {
    await hall.put('general', 'git', 'commit');
    await hall.put('shop', 'git.workflows.release', 'tag', 'WARNING: once.');
    await hall.put('shop', 'api', 'errors');
    await hall.put('team', 'security.keys', 'rotate', 'DANGER: a.\n\nDANGER: b.');
    await hall.put('team', 'security', 'store', 'LAST TIME: c.');
    await hall.put('site', 'git', 'push');
    const { categories, risks } = await hall.knowledge.statistics();
    assert.deepEqual(categories, [
      { category: 'git', entries: 3, entries_with_risk: 1 },
      { category: 'security', entries: 2, entries_with_risk: 2 },
      { category: 'api', entries: 1, entries_with_risk: 0 },
    ]);
    assert.deepEqual(risks, { WARNING: 1, DANGER: 2, 'LAST TIME': 1 });
  });

  it('show who changed something on which day, deletions included, within the days asked for', async () => {
    await hall.put('shop', 'git', 'old');
    hall.clock.advanceMinutes(29 * DAY);
    await hall.put('shop', 'git', 'commit');
    await hall.knowledge.storeOverwrite(
      { target_scope_id: 'general', category: 'git', keyword: 'push', content: 'x' },
      { author: 'agent', by_agent: true },
    );
    hall.clock.advanceMinutes(DAY);
    await hall.knowledge.delete({ scope_id: 'shop', category: 'git', keyword: 'commit' }, BY_TESTER);
    const last = { day: '2026-06-03', by_people: 1, by_agents: 0 };
    const before = { day: '2026-06-02', by_people: 1, by_agents: 1 };
    assert.deepEqual((await hall.knowledge.statistics({ days: 1 })).activity, [last]);
    assert.deepEqual((await hall.knowledge.statistics({ days: 30 })).activity, [before, last]);
    const first = { day: '2026-05-04', by_people: 1, by_agents: 0 };
    assert.deepEqual((await hall.knowledge.statistics({ days: 31 })).activity, [first, before, last]);
  });

  it('name what was not changed for long, oldest first, and count what the list leaves out', async () => {
    for (const keyword of ['c', 'b', 'a']) {
      await hall.put('shop', 'git', keyword);
      hall.clock.advanceMinutes(DAY);
    }
    await hall.put('general', 'git', 'd');
    await hall.put('shop', 'git', 'c', 'changed');
    hall.clock.advanceMinutes(10 * DAY - 1);
    const { stale, stale_count } = await hall.knowledge.statistics({ stale_days: 10, limit: 1 });
    assert.deepEqual(stale, [
      {
        scope_id: 'shop',
        category: 'git',
        keyword: 'b',
        tier: 'PROJECT',
        updated_at: '2026-05-05T09:00:00.000Z',
        last_read_at: null,
      },
    ]);
    assert.equal(stale_count, 2);
    hall.clock.advanceMinutes(1);
    const all = await hall.knowledge.statistics({ stale_days: 10 });
    assert.deepEqual(
      all.stale.map(({ keyword }) => keyword),
      ['b', 'a', 'd', 'c'],
    );
  });

  it('say nothing of entries that were never read as long as nothing was counted', async () => {
    await hall.put('shop', 'git', 'commit');
    const { never_read, never_read_count, reads_since } = await hall.knowledge.statistics();
    assert.deepEqual(
      { never_read, never_read_count, reads_since },
      { never_read: [], never_read_count: 0, reads_since: null },
    );
  });

  it('are the same with one directory for both stores', async () => {
    const { data, clock } = await open();
    const single = await open({ data, shared: data, clock });
    for (const each of [hall, single]) {
      if (each === single) {
        await each.define('general', 'GENERAL');
        await each.define('team', 'GROUP');
        await each.define('shop', 'PROJECT', ['team']);
        await each.define('site', 'PROJECT', ['team']);
      }
      await each.put('general', 'git', 'commit', 'WARNING: a');
      await each.put('shop', 'api', 'errors');
    }
    assert.deepEqual(await single.knowledge.statistics(), await hall.knowledge.statistics());
  });

  it('refuse numbers that make no sense', async () => {
    const { knowledge } = hall;
    for (const options of [{ days: 0 }, { days: 5_000 }, { stale_days: 1.5 }, { limit: 1_001 }]) {
      await assert.rejects(knowledge.statistics(options), error('invalid_argument', Object.keys(options)[0]!));
    }
  });

  it('let others have their turn while 10,000 entries are counted', async () => {
    await hall.kaizen.importRecords(corpus(10_000), { author: 'tester' });
    await hall.knowledge.statistics();
    let turns = 0;
    let counting = true;
    const next = () => {
      turns++;
      if (counting) setImmediate(next);
    };
    setImmediate(next);
    const { tiers } = await hall.knowledge.statistics({ days: 365 });
    counting = false;
    assert.equal(
      tiers.reduce((sum, { entries }) => sum + entries, 0),
      10_000,
    );
    assert.ok(turns >= 2, `others had ${turns} turns`);
  });
});
