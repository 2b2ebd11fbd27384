import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseLines } from '../../src/transfer';
import { BY_TESTER, type Hall, seededRandom, useHalls } from '../support/hall';

/** Keywords of what is recommended for a task, and of what it is warned of. */
async function found({ discovery }: Pick<Hall, 'discovery'>, task: string): Promise<string[]> {
  const { recommendations, warnings } = await discovery.discover({ task_description: task, max_results: 20 });
  return [...warnings, ...recommendations].map(({ title }) => title).sort();
}

describe('discovery of entries', () => {
  const open = useHalls();
  let hall: Hall;

  beforeEach(async () => {
    hall = await open({ project: 'shop' });
    await hall.define('general', 'GENERAL');
    await hall.define('web', 'PRODUCT');
    await hall.define('shop', 'PROJECT', ['web']);
    await hall.define('blog', 'PROJECT');
  });

  it('finds an entry by the words of its keyword, whatever separates them', async () => {
    await hall.put('shop', 'git', 'branch-naming', 'feature/<ticket>');
    await hall.put('shop', 'git', 'commitMessage', 'Imperative mood.');
    await hall.put('shop', 'git', 'release.notes_style', 'Past tense.');
    assert.deepEqual(await found(hall, 'name a branch'), ['branch-naming']);
    assert.deepEqual(await found(hall, 'write the commit message'), ['commitMessage']);
    assert.deepEqual(await found(hall, 'style of release notes'), ['release.notes_style']);
  });

  it('finds an entry by its content, its category and its metaknowledge, and not by the globs of APPLIES_TO', async () => {
    const metaknowledge = { REASON: 'Auditors asked for quarterly reports', APPLIES_TO: 'src/zeppelin/**' };
    await hall.put('shop', 'billing.invoices', 'rounding', 'Round half to even.', metaknowledge);
    for (const task of ['half even', 'invoices', 'auditors', 'quarterly reports']) {
      assert.deepEqual(await found(hall, task), ['rounding'], task);
    }
    assert.deepEqual(await found(hall, 'zeppelin'), []);
  });

  it('follows a write, an overwriting, a deletion and a move at once', async () => {
    assert.deepEqual(await found(hall, 'giraffe'), []);
    const key = { scope_id: 'shop', category: 'animals', keyword: 'feeding' };
    await hall.put('shop', 'animals', 'feeding', 'The giraffe eats at noon.');
    assert.deepEqual(await found(hall, 'giraffe'), ['feeding']);
    await hall.put('shop', 'animals', 'feeding', 'The walrus eats at noon.');
    assert.deepEqual(await found(hall, 'giraffe'), []);
    assert.deepEqual(await found(hall, 'walrus'), ['feeding']);
    await hall.knowledge.move(key, { scope_id: 'web', category: 'animals', keyword: 'walrus-diet' }, BY_TESTER);
    assert.deepEqual(await found(hall, 'walrus'), ['walrus-diet']);
    await hall.knowledge.delete({ scope_id: 'web', category: 'animals', keyword: 'walrus-diet' }, BY_TESTER);
    assert.deepEqual(await found(hall, 'walrus'), []);
  });

  it('follows an import and the end of a scope', async () => {
    assert.deepEqual(await found(hall, 'giraffe'), []);
    const entry = (scope: string, keyword: string) => ({
      ...{ type: 'entry', scope, category: 'animals', keyword, content: `The giraffe of ${keyword}.` },
      ...{ metaknowledge: {}, at: '2026-01-01' },
    });
    const lines = [{ type: 'kaizen', format: 1 }, entry('shop', 'zoo'), entry('general', 'park')];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    await hall.kaizen.importRecords(parseLines(text, { author: 'tester', at: '2026-01-01T00:00:00.000Z' }), BY_TESTER);
    assert.deepEqual(await found(hall, 'giraffe'), ['park', 'zoo']);
    await hall.knowledge.deleteScope('general', { confirmed: true }, BY_TESTER);
    assert.deepEqual(await found(hall, 'giraffe'), ['zoo']);
    assert.equal(hall.discovery.state.entries, 1);
  });

  it('recommends the entry that wins for the project, and no other one', async () => {
    await hall.put('general', 'style', 'indentation', 'Tabs, says the giraffe.');
    await hall.put('shop', 'style', 'indentation', 'Two spaces, says the walrus.');
    await hall.put('blog', 'style', 'giraffes', 'A giraffe of another project.');
    assert.deepEqual(await found(hall, 'giraffe'), []);
    assert.deepEqual(await found(hall, 'walrus'), ['indentation']);
    const key = { scope_id: 'shop', category: 'style', keyword: 'indentation' };
    await hall.knowledge.delete(key, BY_TESTER);
    assert.deepEqual(await found(hall, 'giraffe'), ['indentation']);
  });

  it('counts what could have been recommended: winners and nodes', async () => {
    await hall.put('general', 'style', 'indentation');
    await hall.put('shop', 'style', 'indentation');
    await hall.put('web', 'style', 'quotes');
    await hall.put('blog', 'style', 'margins');
    const { total_available } = await hall.discovery.discover({ task_description: 'style' });
    assert.equal(total_available, 2);
  });

  it('counts the same as inheritance does, whatever is written and deleted', async () => {
    const random = seededRandom(3);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    for (let round = 0; round < 60; round++) {
      const scope_id = pick(['general', 'web', 'shop', 'blog']);
      const key = { scope_id, category: pick(['a', 'b']), keyword: pick(['k1', 'k2', 'k3', 'k4']) };
      if (!hall.knowledge.entry(key)) await hall.put(scope_id, key.category, key.keyword);
      else await hall.knowledge.delete(key, BY_TESTER);
      if (round % 3 > 0) continue;
      const { total_available } = await hall.discovery.discover({ task_description: 'anything' });
      const wins = hall.knowledge.effectiveCategories('shop').reduce((sum, { entries }) => sum + entries, 0);
      assert.equal(total_available, wins, `round ${round}`);
    }
  });

  it('looks from GENERAL where there is no current project', async () => {
    await hall.put('general', 'style', 'indentation', 'Tabs, says the giraffe.');
    await hall.put('shop', 'style', 'quotes', 'Single, says the giraffe.');
    const { data, shared } = hall;
    await hall.kaizen.close();
    assert.deepEqual(await found(await open({ data, shared }), 'giraffe'), ['indentation']);
  });

  it('follows what another process writes', async () => {
    assert.deepEqual(await found(hall, 'giraffe'), []);
    const other = await open({ data: hall.data, shared: hall.shared, project: 'shop' });
    await other.put('shop', 'animals', 'feeding', 'The giraffe eats at noon.');
    assert.deepEqual(await found(hall, 'giraffe'), ['feeding']);
    await other.knowledge.delete({ scope_id: 'shop', category: 'animals', keyword: 'feeding' }, BY_TESTER);
    assert.deepEqual(await found(hall, 'giraffe'), []);
  });

  describe('after a restart', () => {
    async function again(): Promise<Hall> {
      const { data, shared } = hall;
      await hall.kaizen.close();
      return open({ data, shared, project: 'shop' });
    }

    const segments = () => {
      const directory = path.join(hall.data, 'index', 'segments');
      return readdirSync(directory).map((name) => path.join(directory, name));
    };

    beforeEach(async () => {
      await hall.put('shop', 'animals', 'feeding', 'The giraffe eats at noon.');
      await hall.put('shop', 'animals', 'cleaning', 'The walrus is washed at night.');
      await found(hall, 'giraffe');
    });

    it('finds what was there, and what was changed and removed meanwhile', async () => {
      hall = await again();
      // Written by somebody who does not index.
      await hall.put('shop', 'animals', 'feeding', 'The okapi eats at noon.');
      await hall.knowledge.delete({ scope_id: 'shop', category: 'animals', keyword: 'cleaning' }, BY_TESTER);
      hall = await again();
      assert.deepEqual(await found(hall, 'giraffe'), []);
      assert.deepEqual(await found(hall, 'walrus'), []);
      assert.deepEqual(await found(hall, 'okapi'), ['feeding']);
    });

    it('starts over where the kept index is damaged', async () => {
      await hall.kaizen.close();
      assert.ok(segments().length > 0, 'nothing was kept');
      for (const file of segments()) {
        const bytes = readFileSync(file);
        bytes.fill(0x5a, bytes.length >> 2, bytes.length >> 1);
        writeFileSync(file, bytes);
      }
      hall = await again();
      assert.deepEqual(await found(hall, 'giraffe'), ['feeding']);
      assert.deepEqual(await found(hall, 'walrus'), ['cleaning']);
    });
  });

  it('goes on indexing when somebody who listens fails, and says so', async () => {
    const logged: string[] = [];
    const listening = await open({ onLog: (message) => void logged.push(message) });
    await listening.define('general', 'GENERAL');
    listening.discovery.onDidChange(() => {
      throw new Error('The view is gone.');
    });
    await listening.put('general', 'animals', 'feeding', 'The giraffe eats at noon.');
    assert.deepEqual(await found(listening, 'giraffe'), ['feeding']);
    await listening.put('general', 'animals', 'washing', 'The giraffe is washed at nine.');
    assert.deepEqual(await found(listening, 'giraffe'), ['feeding', 'washing']);
    assert.match(logged.join(), /could not be shown: .*The view is gone/);
  });

  it('reads and writes nothing before it is asked', async () => {
    await hall.put('shop', 'animals', 'feeding');
    assert.deepEqual(
      readdirSync(hall.data).filter((name) => name === 'index'),
      [],
    );
    assert.equal(hall.discovery.state.entries, 0);
    await hall.kaizen.close();
    assert.deepEqual(
      readdirSync(hall.data).filter((name) => name === 'index'),
      [],
    );
  });
});
