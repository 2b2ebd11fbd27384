import assert from 'node:assert/strict';
import type { Change, EntryInput, Metaknowledge } from '../../src/knowledge';
import { BY_TESTER, error, type Hall, useHalls } from '../support/hall';

describe('entries', () => {
  const open = useHalls();
  let hall: Hall;
  beforeEach(async () => {
    hall = await open();
    await hall.define('general', 'GENERAL');
    await hall.define('shop', 'PROJECT');
  });

  const key = { scope_id: 'shop', category: 'git', keyword: 'commit' };
  const input = (changes: Partial<EntryInput> = {}): EntryInput => ({
    target_scope_id: 'shop',
    category: 'git',
    keyword: 'commit',
    content: 'Say why.',
    ...changes,
  });
  const overwrite = (changes: Partial<EntryInput> = {}, change: Change = BY_TESTER) =>
    hall.knowledge.storeOverwrite(input(changes), change);
  const pairs = (count: number): Metaknowledge =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`K${index}`, `${index}`]));

  describe('stored when missing', () => {
    it('are stored', async () => {
      const result = await hall.knowledge.storeIfMissing(input({ metaknowledge: { REASON: 'r' } }), BY_TESTER);
      assert.deepEqual(result, { success: true });
      assert.deepEqual(hall.knowledge.entry(key), {
        ...key,
        content: 'Say why.',
        metaknowledge: { REASON: 'r' },
        risks: [],
        updated_at: '2026-05-04T09:00:00.000Z',
        author: 'tester',
      });
    });

    it('leave what is there and tell it', async () => {
      await overwrite({ metaknowledge: { REASON: 'r' } });
      const result = await hall.knowledge.storeIfMissing(input({ content: 'Another.' }), BY_TESTER);
      assert.deepEqual(result, {
        success: false,
        existing_content: 'Say why.',
        existing_metaknowledge: { REASON: 'r' },
      });
      assert.equal(hall.knowledge.entry(key)?.content, 'Say why.');
      assert.equal(hall.knowledge.history(key).length, 1);
    });

    it('look at the target scope only, not at what it inherits', async () => {
      await overwrite({ target_scope_id: 'general' });
      assert.deepEqual(await hall.knowledge.storeIfMissing(input(), BY_TESTER), { success: true });
    });

    it('come back after they were deleted', async () => {
      await overwrite();
      await hall.knowledge.delete(key, BY_TESTER);
      assert.deepEqual(await hall.knowledge.storeIfMissing(input({ content: 'New.' }), BY_TESTER), { success: true });
    });

    it('are stored by one of many who try at once', async () => {
      const peer = await open({ data: hall.data, shared: hall.shared });
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          (n % 2 ? hall : peer).knowledge.storeIfMissing(input({ content: `${n}` }), BY_TESTER),
        ),
      );
      assert.equal(results.filter(({ success }) => success).length, 1);
    });
  });

  it('overwritten tell what was there', async () => {
    assert.deepEqual(await overwrite({ metaknowledge: { A: '1' } }), {
      success: true,
      previous_content: null,
      previous_metaknowledge: null,
    });
    assert.deepEqual(await overwrite({ content: 'Another.' }), {
      success: true,
      previous_content: 'Say why.',
      previous_metaknowledge: { A: '1' },
    });
    assert.deepEqual(hall.knowledge.entry(key)?.metaknowledge, {});
  });

  it('overwritten tell what tied them to files and is given no more', async () => {
    const tied = { APPLIES_TO: '*.sql', MATCHES: 'DROP' };
    assert.ok(!('untied' in (await overwrite({ metaknowledge: { ...tied, REASON: 'Lost.' } }))));
    assert.ok(!('untied' in (await overwrite({ metaknowledge: tied }))));
    const { untied } = await overwrite({ metaknowledge: { APPLIES_TO: '*.ts' } });
    assert.deepEqual(untied, { MATCHES: 'DROP' });
    assert.deepEqual((await overwrite({})).untied, { APPLIES_TO: '*.ts' });
    assert.ok(!('untied' in (await overwrite({}))));
  });

  it('are counted by their risks, of one scope or of all', async () => {
    await hall.put('shop', 'git', 'commit', 'WARNING: One.\nDANGER: Two.');
    await hall.put('shop', 'git', 'push', 'LAST TIME: Three.');
    await hall.put('shop', 'calm', 'none', 'Nothing to fear.');
    await hall.put('general', 'git', 'commit', 'DANGER: Four.');
    const own = { scope_id: 'shop', category: 'git', risks: 3 };
    assert.deepEqual(hall.knowledge.riskCounts('shop'), [own]);
    assert.deepEqual(hall.knowledge.riskCounts(), [own, { scope_id: 'general', category: 'git', risks: 1 }]);
    await hall.put('shop', 'git', 'commit', 'No risk any more.');
    assert.deepEqual(hall.knowledge.riskCounts('shop'), [{ ...own, risks: 1 }]);
    assert.throws(() => hall.knowledge.riskCounts('nowhere'), { code: 'unknown_scope' });
  });

  it('are one for each scope, category and keyword', async () => {
    await hall.put('shop', 'git', 'commit', '1');
    await hall.put('shop', 'git', 'commit', '2');
    await hall.put('shop', 'git.flow', 'commit', '3');
    await hall.put('general', 'git', 'commit', '4');
    await hall.put('shop', 'git', 'push', '5');
    assert.deepEqual(hall.knowledge.ownCategories('shop'), [
      { category: 'git', entries: 2 },
      { category: 'git.flow', entries: 1 },
    ]);
    assert.deepEqual(
      hall.knowledge.ownEntries('shop', 'git').map(({ keyword, content }) => [keyword, content]),
      [
        ['commit', '2'],
        ['push', '5'],
      ],
    );
  });

  describe('hold', () => {
    it('1 to 65,536 characters, exactly as they were given', async () => {
      await assert.rejects(overwrite({ content: '' }), error('invalid_argument', 'content is empty'));
      await assert.rejects(overwrite({ content: 'x'.repeat(65_537) }), error('invalid_argument', '65537', '65536'));
      const contents = ['x', ' ', '\n', 'x'.repeat(65_536), '  a\r\n\tb\u0001\u0085\u2028\ufeff\u{1F4A5}é\n ', "'; --"];
      for (const content of contents) {
        await overwrite({ content });
        assert.equal(hall.knowledge.entry(key)?.content, content);
      }
    });

    it('no NUL and no half of a surrogate pair', async () => {
      for (const bad of ['a\0b', '\ud83d', 'a\udca5', '\udca5\ud83d']) {
        await assert.rejects(overwrite({ content: bad }), error('invalid_argument', 'content'));
        await assert.rejects(overwrite({ category: bad }), error('invalid_argument', 'category'));
        await assert.rejects(overwrite({ keyword: bad }), error('invalid_argument', 'keyword'));
        await assert.rejects(overwrite({ metaknowledge: { K: bad } }), error('invalid_argument', 'metaknowledge K'));
        await assert.rejects(overwrite({ metaknowledge: { [bad]: 'v' } }), error('invalid_argument', 'metaknowledge'));
        await assert.rejects(
          overwrite({}, { ...BY_TESTER, project_context: bad }),
          error('invalid_argument', 'project context'),
        );
        await assert.rejects(overwrite({}, { ...BY_TESTER, reason: bad }), error('invalid_argument', 'reason'));
        await assert.rejects(overwrite({}, { author: bad }), error('invalid_argument', 'author'));
      }
      assert.deepEqual(hall.knowledge.history(key), []);
    });

    it('up to 64 pairs of metaknowledge, whatever their labels', async () => {
      await overwrite({ metaknowledge: pairs(64) });
      assert.deepEqual(hall.knowledge.entry(key)?.metaknowledge, pairs(64));
      await assert.rejects(overwrite({ metaknowledge: pairs(65) }), error('invalid_argument', '65 pairs', '64'));
      await assert.rejects(overwrite({ metaknowledge: { '': 'v' } }), error('invalid_argument'));
      await assert.rejects(
        overwrite({ metaknowledge: { 'a\nb': 'v' } }),
        error('invalid_argument', 'control character'),
      );
      const odd = JSON.parse('{"__proto__":"p","constructor":"c","$bytes":"AA==","é \\u2028":"", "1":"two\\nlines"}');
      await overwrite({ metaknowledge: odd });
      assert.deepEqual(Object.entries(hall.knowledge.entry(key)!.metaknowledge), Object.entries(odd));
    });

    it('their risks', async () => {
      await overwrite({ content: 'DANGER: never. `WARNING: no`' });
      assert.deepEqual(
        hall.knowledge.entry(key)?.risks.map(({ level }) => level),
        ['DANGER'],
      );
    });
  });

  describe('stand under a category and a keyword that', () => {
    it('are compared as written', async () => {
      await hall.put('shop', 'Git', 'commit', 'upper');
      await hall.put('shop', 'git', 'Commit', 'Upper');
      await hall.put('shop', 'git', 'caf\u00e9', 'composed');
      assert.equal(hall.knowledge.entry(key), undefined);
      assert.equal(hall.knowledge.entry({ ...key, keyword: 'cafe\u0301' }), undefined);
      assert.deepEqual(hall.knowledge.getKnowledge('shop', ['commit'], ['git']), []);
      assert.equal(hall.knowledge.getKnowledge('shop', ['commit'], ['Git'])[0]?.content, 'upper');
    });

    it('are trimmed, when storing and when asking', async () => {
      await hall.put('shop', ' git\t', '\n commit ', 'x');
      assert.equal(hall.knowledge.entry(key)?.content, 'x');
      assert.equal(hall.knowledge.entry({ ...key, category: ' git', keyword: 'commit ' })?.content, 'x');
      assert.equal(hall.knowledge.getKnowledge('shop', [' commit'])[0]?.content, 'x');
      assert.equal(hall.knowledge.getKnowledge('shop', ['commit'], [' git '])[0]?.content, 'x');
      assert.deepEqual(hall.knowledge.getKeywords('shop', [' git ']), { git: ['commit'] });
      await hall.knowledge.delete({ ...key, category: ' git ' }, BY_TESTER);
      assert.equal(hall.knowledge.entry(key), undefined);
    });

    it('may hold inner spaces and any letters, but no control characters, and are not empty', async () => {
      await hall.put('shop', 'Über uns.日本', 'two words: and/more "quotes" %', 'x');
      assert.deepEqual(hall.knowledge.getKeywords('shop', ['Über uns']), {
        'Über uns': ['two words: and/more "quotes" %'],
      });
      for (const bad of ['', '  ', 'a\nb', 'a\tb', 'a\u0001', 'a\u007f', 'a\u0085b', 'x'.repeat(201)]) {
        await assert.rejects(overwrite({ category: bad }), error('invalid_argument', 'category'), JSON.stringify(bad));
        await assert.rejects(overwrite({ keyword: bad }), error('invalid_argument', 'keyword'), JSON.stringify(bad));
      }
    });

    it('may be what programs trip over', async () => {
      for (const name of ['__proto__', 'constructor', 'toString', '0']) {
        await hall.put('shop', name, name, name);
        assert.equal(hall.knowledge.getKnowledge('shop', [name], [name])[0]?.content, name);
        assert.deepEqual(Object.entries(hall.knowledge.getKeywords('shop', [name])), [[name, [name]]]);
      }
    });
  });

  it('have a dotted category without empty parts', async () => {
    for (const bad of ['.', '.git', 'git.', 'git..flow', 'git. .flow']) {
      await assert.rejects(overwrite({ category: bad }), error('invalid_argument', 'empty part', 'git.workflows'));
    }
  });

  it('are deleted, and only when they are there', async () => {
    await overwrite();
    await hall.put('shop', 'api', 'push');
    await hall.put('shop', 'api', 'commits');
    await hall.knowledge.delete(key, BY_TESTER);
    assert.equal(hall.knowledge.entry(key), undefined);
    const missing = (category: string, keyword: string) =>
      hall.knowledge.delete({ scope_id: 'shop', category, keyword }, BY_TESTER);
    await assert.rejects(missing('git', 'commit'), error('unknown_entry', '"shop"', '"commit"', '"git"'));
    await assert.rejects(missing('git', 'push'), error('unknown_entry', 'stands in "api"'));
    await assert.rejects(missing('api', 'commit'), error('unknown_entry', 'Near it: "commits"'));
    assert.equal(hall.knowledge.history(key).length, 2);
  });

  describe('have a history that', () => {
    it('keeps each change with author, time, context, reason and what was there before', async () => {
      await overwrite(
        { content: 'one', metaknowledge: { V: '1' } },
        { author: 'claude-code', by_agent: true, project_context: 'shop', reason: 'first' },
      );
      hall.clock.advanceMinutes(1);
      await overwrite({ content: 'two' }, { author: 'Ada' });
      hall.clock.advanceMinutes(1);
      await hall.knowledge.delete(key, { author: 'Bob', reason: 'wrong' });
      const shared = { by_agent: false, project_context: '', reason: null };
      assert.deepEqual(hall.knowledge.history(key), [
        {
          number: 1,
          action: 'create',
          at: '2026-05-04T09:00:00.000Z',
          author: 'claude-code',
          by_agent: true,
          project_context: 'shop',
          reason: 'first',
          content: 'one',
          metaknowledge: { V: '1' },
          previous_content: null,
          previous_metaknowledge: null,
        },
        {
          ...shared,
          number: 2,
          action: 'update',
          at: '2026-05-04T09:01:00.000Z',
          author: 'Ada',
          content: 'two',
          metaknowledge: {},
          previous_content: 'one',
          previous_metaknowledge: { V: '1' },
        },
        {
          ...shared,
          number: 3,
          action: 'delete',
          at: '2026-05-04T09:02:00.000Z',
          author: 'Bob',
          reason: 'wrong',
          content: null,
          metaknowledge: null,
          previous_content: 'two',
          previous_metaknowledge: {},
        },
      ]);
    });

    it('goes on after a deletion', async () => {
      await overwrite({ content: 'one' });
      await hall.knowledge.delete(key, BY_TESTER);
      await overwrite({ content: 'two' });
      assert.deepEqual(
        hall.knowledge
          .history(key)
          .map(({ number, action, content, previous_content }) => [
            ...[number, action],
            ...[previous_content, content],
          ]),
        [
          [1, 'create', null, 'one'],
          [2, 'delete', 'one', null],
          [3, 'create', null, 'two'],
        ],
      );
    });

    it('lets any revision be restored, also of what was deleted, as a new revision', async () => {
      await overwrite({ content: 'one', metaknowledge: { V: '1' } });
      await overwrite({ content: 'two', metaknowledge: { V: '2' } });
      await hall.knowledge.delete(key, BY_TESTER);
      const restored = await hall.knowledge.restore(key, 1, { author: 'Ada' });
      assert.deepEqual([restored.content, restored.metaknowledge, restored.author], ['one', { V: '1' }, 'Ada']);
      const last = hall.knowledge.history(key).at(-1);
      assert.deepEqual([last?.number, last?.action, last?.reason], [4, 'restore', 'Restored revision 1.']);
      await hall.knowledge.restore(key, 2, { author: 'Ada', reason: 'better' });
      assert.equal(hall.knowledge.entry(key)?.content, 'two');
      await hall.knowledge.restore(key, 4, BY_TESTER);
      assert.equal(hall.knowledge.entry(key)?.content, 'one');
      assert.equal(hall.knowledge.history(key).length, 6);
    });

    it('has nothing to restore from a deletion or from a number that it does not know', async () => {
      await overwrite();
      await hall.knowledge.delete(key, BY_TESTER);
      const restore = (number: number) => hall.knowledge.restore(key, number, BY_TESTER);
      await assert.rejects(restore(2), error('invalid_argument', 'is a deletion', 'Restore revision 1'));
      for (const number of [0, 3, -1, 1.5, Number.NaN]) {
        await assert.rejects(restore(number), error('invalid_argument', `no revision ${number}`, '1 to 2'));
      }
      await assert.rejects(
        hall.knowledge.restore({ ...key, keyword: 'x' }, 1, BY_TESTER),
        error('invalid_argument', 'never stored'),
      );
      assert.equal(hall.knowledge.history(key).length, 2);
    });

    it('is empty for what never was', () => {
      assert.deepEqual(hall.knowledge.history(key), []);
    });
  });

  it('that are refused leave no trace', async () => {
    await assert.rejects(overwrite({ content: '' }));
    await assert.rejects(overwrite({}, { ...BY_TESTER, project_context: 'x'.repeat(4_097) }));
    assert.deepEqual(hall.knowledge.getCategories('shop'), []);
    assert.deepEqual(hall.knowledge.history(key), []);
  });

  it('are not stored once the caller has gone', async () => {
    await assert.rejects(overwrite({}, { ...BY_TESTER, signal: AbortSignal.abort() }), error('cancelled'));
    assert.equal(hall.knowledge.entry(key), undefined);
  });

  it('are there again when the stores are opened anew', async () => {
    await overwrite({ metaknowledge: { A: '1' } });
    const before = [hall.knowledge.entry(key), hall.knowledge.history(key), hall.knowledge.listScopes()];
    await hall.kaizen.close();
    const again = await open({ data: hall.data, shared: hall.shared });
    assert.deepEqual([again.knowledge.entry(key), again.knowledge.history(key), again.knowledge.listScopes()], before);
  });
});
