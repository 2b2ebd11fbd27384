import assert from 'node:assert/strict';
import type { EntryKey, EntryText } from '../../src/knowledge';
import { entryOfTopic } from '../../src/knowledge';
import { BY_TESTER, error, type Hall, useHalls } from '../support/hall';

describe('texts of entries', () => {
  const open = useHalls();
  let hall: Hall;

  beforeEach(async () => {
    hall = await open();
    await hall.define('general', 'GENERAL');
    await hall.define('shop', 'PROJECT');
  });

  it('come page by page, each entry once, in the order of category and keyword', async () => {
    for (const category of ['git', 'api', 'git.flow']) {
      for (const keyword of ['b', 'a', 'd', 'c', '𝛼'])
        await hall.put('shop', category, keyword, `${category} ${keyword}`);
    }
    await hall.put('general', 'git', 'a');
    for (const limit of [1, 2, 4, 100]) {
      const all: EntryText[] = [];
      for (let page: EntryText[] = []; ; all.push(...page)) {
        page = hall.knowledge.entryTexts('shop', all.at(-1), limit);
        assert.ok(page.length <= limit);
        if (page.length === 0) break;
      }
      assert.deepEqual(
        all.map(({ content }) => content),
        ['api', 'git', 'git.flow'].flatMap((category) =>
          ['a', 'b', 'c', 'd', '𝛼'].map((each) => `${category} ${each}`),
        ),
      );
      assert.ok(all.every(({ scope_id }) => scope_id === 'shop'));
    }
    assert.throws(() => hall.knowledge.entryTexts('sohp', undefined, 10), error('unknown_scope', /shop/));
  });

  it('are given for places in their order, what is missing left out', async () => {
    await hall.put('shop', 'git', 'a');
    await hall.put('general', 'git', 'b');
    const key = (scope_id: string, keyword: string): EntryKey => ({ scope_id, category: 'git', keyword });
    const found = hall.knowledge.entriesAt([
      key('general', 'b'),
      key('shop', 'x'),
      key('nowhere', 'a'),
      key('shop', 'a'),
    ]);
    assert.deepEqual(
      found.map(({ scope_id, keyword, tier }) => [scope_id, keyword, tier]),
      [
        ['general', 'b', 'GENERAL'],
        ['shop', 'a', 'PROJECT'],
      ],
    );
  });

  it('are found by the beginning of their keyword, in both stores', async () => {
    for (const keyword of ['retry', 'retry-limit', 'Retry', 'ret%', 'other']) await hall.put('shop', 'http', keyword);
    await hall.put('general', 'http', 'retries');
    const from = (beginning: string, limit = 10) =>
      hall.knowledge.keywordsFrom(beginning, limit).map(({ keyword }) => keyword);
    assert.deepEqual(from('retr'), ['retries', 'retry', 'retry-limit']);
    assert.deepEqual(from('ret%'), ['ret%']);
    assert.deepEqual(from('retr', 1), ['retries']);
    assert.deepEqual(from('zzz'), []);
  });

  it('are named one by one to who listens, but for an import and the end of a scope', async () => {
    const told: string[] = [];
    const listening = await hall.kaizen.onDidChange((topics) => told.push(...topics));
    const turn = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return told.splice(0);
    };
    await hall.put('shop', 'git', 'a');
    const key = { scope_id: 'shop', category: 'git', keyword: 'a' };
    const written = await turn();
    assert.deepEqual(
      written.flatMap((topic) => entryOfTopic(topic) ?? []),
      [key],
    );
    assert.ok(!written.includes('many-entries:shop'));
    await hall.knowledge.delete(key, BY_TESTER);
    assert.deepEqual(
      (await turn()).flatMap((topic) => entryOfTopic(topic) ?? []),
      [key],
    );
    await hall.put('shop', 'git', 'b');
    await turn();
    await hall.knowledge.deleteScope('shop', { confirmed: true }, BY_TESTER);
    assert.ok((await turn()).includes('many-entries:shop'));
    listening.dispose();
  });
});
