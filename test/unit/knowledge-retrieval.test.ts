import assert from 'node:assert/strict';
import { parseLines } from '../../src/transfer';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';

describe('retrieval', () => {
  const open = useHalls();
  let hall: Hall;
  beforeEach(async () => {
    hall = await open();
    await hall.define('general', 'GENERAL');
    await hall.define('web', 'PRODUCT');
    await hall.define('auth', 'GROUP', ['web']);
    await hall.define('payments', 'GROUP', ['web']);
    await hall.define('shop', 'PROJECT', ['payments', 'auth']);
  });

  const sources = (scope: string, keyword: string, categories?: string[]) =>
    hall.knowledge
      .getKnowledge(scope, [keyword], categories)
      .map(({ source_scope, category }) => [source_scope, category]);

  /** Descriptions come with import files. */
  async function describeCategory(scope: string, category: string, description: string): Promise<void> {
    const record = { type: 'category', scope, category, description };
    const text = `{"type":"kaizen","format":1}\n${JSON.stringify(record)}\n`;
    const records = parseLines(text, { ...BY_TESTER, at: '2026-05-04T09:00:00.000Z' });
    await hall.kaizen.importRecords(records, BY_TESTER);
  }

  describe('of categories', () => {
    it('lists every category and sub-category by name, with ancestors that nobody wrote', async () => {
      await hall.put('shop', 'git.workflows.release', 'tag');
      await hall.put('shop', 'git', 'commit');
      await hall.put('shop', 'git-hooks', 'pre-commit');
      await hall.put('shop', 'api', 'errors');
      await hall.put('shop', 'git.branching', 'names');
      assert.deepEqual(hall.knowledge.getCategories('shop'), [
        { name: 'api', subcategories: [], has_entries: true, tier: 'PROJECT' },
        { name: 'git', subcategories: ['branching', 'workflows'], has_entries: true, tier: 'PROJECT' },
        { name: 'git-hooks', subcategories: [], has_entries: true, tier: 'PROJECT' },
        { name: 'git.branching', subcategories: [], has_entries: true, tier: 'PROJECT' },
        { name: 'git.workflows', subcategories: ['release'], has_entries: false, tier: 'PROJECT' },
        { name: 'git.workflows.release', subcategories: [], has_entries: true, tier: 'PROJECT' },
      ]);
    });

    it('merges the chain and tells the most specific tier that defines each', async () => {
      await hall.put('general', 'git', 'commit');
      await hall.put('web', 'git.workflows', 'release');
      await hall.put('auth', 'api.auth', 'tokens');
      await hall.put('shop', 'git', 'commit');
      await hall.put('general', 'api', 'errors');
      const told = (scope: string) =>
        hall.knowledge
          .getCategories(scope)
          .map(({ name, tier, has_entries, subcategories }) => [name, tier, has_entries, subcategories.join()]);
      assert.deepEqual(told('shop'), [
        // Only GENERAL holds the category itself; that a group holds something below it does not make it the group's.
        ['api', 'GENERAL', true, 'auth'],
        ['api.auth', 'GROUP', true, ''],
        ['git', 'PROJECT', true, 'workflows'],
        ['git.workflows', 'PRODUCT', true, ''],
      ]);
      assert.deepEqual(told('payments'), [
        ['api', 'GENERAL', true, ''],
        ['git', 'GENERAL', true, 'workflows'],
        ['git.workflows', 'PRODUCT', true, ''],
      ]);
      await hall.knowledge.delete({ scope_id: 'general', category: 'api', keyword: 'errors' }, BY_TESTER);
      assert.deepEqual(told('shop')[0], ['api', 'GROUP', false, 'auth']);
    });

    it('tells the most specific description there is', async () => {
      await describeCategory('general', 'git', 'Base git practices');
      await describeCategory('web', 'git', 'Git of the product');
      await describeCategory('general', 'api', 'APIs');
      await hall.put('shop', 'git', 'commit');
      assert.deepEqual(hall.knowledge.getCategories('shop'), [
        { name: 'api', subcategories: [], has_entries: false, tier: 'GENERAL', description: 'APIs' },
        { name: 'git', subcategories: [], has_entries: true, tier: 'PROJECT', description: 'Git of the product' },
      ]);
      assert.equal(hall.knowledge.getCategories('general')[1]?.description, 'Base git practices');
    });

    it('forgets a category with its last entry, unless it has a description', async () => {
      await hall.put('shop', 'git', 'commit');
      await hall.put('shop', 'api', 'errors');
      await describeCategory('shop', 'api', 'APIs');
      await hall.knowledge.delete({ scope_id: 'shop', category: 'git', keyword: 'commit' }, BY_TESTER);
      await hall.knowledge.delete({ scope_id: 'shop', category: 'api', keyword: 'errors' }, BY_TESTER);
      assert.deepEqual(hall.knowledge.getCategories('shop'), [
        { name: 'api', subcategories: [], has_entries: false, tier: 'PROJECT', description: 'APIs' },
      ]);
      assert.deepEqual(hall.knowledge.ownCategories('shop'), []);
    });

    it('is empty where nothing is stored', () => {
      assert.deepEqual(hall.knowledge.getCategories('shop'), []);
    });
  });

  describe('of keywords', () => {
    it('merges the chain, sorted and each once; a parent includes its sub-categories', async () => {
      await hall.put('general', 'git', 'commit');
      await hall.put('shop', 'git', 'commit');
      await hall.put('web', 'git.workflows', 'push');
      await hall.put('auth', 'git.workflows.release', 'Tag');
      await hall.put('auth', 'git-hooks', 'pre-commit');
      await hall.put('auth', 'github', 'actions');
      await hall.put('shop', 'api', 'errors');
      assert.deepEqual(hall.knowledge.getKeywords('shop', ['git', 'git.workflows', 'git.work', 'nothing']), {
        git: ['Tag', 'commit', 'push'],
        'git.workflows': ['Tag', 'push'],
        'git.work': [],
        nothing: [],
      });
      assert.deepEqual(hall.knowledge.getKeywords('web', ['git']), { git: ['commit', 'push'] });
    });

    it('answers for the requested categories only', async () => {
      await hall.put('shop', 'git', 'commit');
      assert.deepEqual(hall.knowledge.getKeywords('shop', []), {});
      assert.deepEqual(Object.keys(hall.knowledge.getKeywords('shop', ['b', 'a', 'b'])), ['b', 'a']);
    });

    it('takes no pattern for one', async () => {
      await hall.put('shop', 'git', 'commit');
      assert.deepEqual(hall.knowledge.getKeywords('shop', ['%', 'gi_', 'g*', '']), {
        '%': [],
        gi_: [],
        'g*': [],
        '': [],
      });
    });
  });

  describe('of knowledge', () => {
    it('gives the entry with category, source scope and tier, metaknowledge and risks', async () => {
      await hall.put('web', 'db', 'schema', 'WARNING: 5 tables.', { REASON: 'r', SEVERITY: 'High' });
      assert.deepEqual(hall.knowledge.getKnowledge('shop', ['schema']), [
        {
          keyword: 'schema',
          content: 'WARNING: 5 tables.',
          source_tier: 'PRODUCT',
          metaknowledge: { REASON: 'r', SEVERITY: 'High' },
          category: 'db',
          source_scope: 'web',
          risks: [{ level: 'WARNING', text: '5 tables.', range: { start: 0, end: 18 } }],
        },
      ]);
    });

    it('has PROJECT win over GROUP over PRODUCT over GENERAL', async () => {
      for (const [scope, tier] of [
        ['general', 'GENERAL'],
        ['web', 'PRODUCT'],
        ['payments', 'GROUP'],
        ['shop', 'PROJECT'],
      ] as const) {
        await hall.put(scope, 'x', 'k');
        const [entry] = hall.knowledge.getKnowledge('shop', ['k']);
        assert.deepEqual([entry?.source_scope, entry?.source_tier], [scope, tier]);
      }
      assert.deepEqual(sources('auth', 'k'), [['web', 'x']]);
      assert.deepEqual(sources('general', 'k'), [['general', 'x']]);
    });

    it('has groups win in the order of their names, then of their ids', async () => {
      await hall.put('payments', 'api', 'tokens');
      await hall.put('auth', 'api', 'tokens');
      assert.deepEqual(sources('shop', 'tokens'), [['auth', 'api']]);
      await hall.define('auth', 'GROUP', undefined, 'zzz');
      assert.deepEqual(sources('shop', 'tokens'), [['payments', 'api']]);
      await hall.define('payments', 'GROUP', undefined, 'zzz');
      assert.deepEqual(sources('shop', 'tokens'), [['auth', 'api']]);
    });

    it('takes the lexicographically first category of the winning scope and names the others', async () => {
      await hall.put('shop', 'git.workflows', 'commit');
      await hall.put('shop', 'api', 'commit');
      await hall.put('shop', 'git', 'commit');
      await hall.put('general', 'a', 'commit');
      const [entry] = hall.knowledge.getKnowledge('shop', ['commit']);
      assert.deepEqual([entry?.category, entry?.also_in], ['api', ['git', 'git.workflows']]);
      const [lone] = hall.knowledge.getKnowledge('general', ['commit']);
      assert.ok(lone && !('also_in' in lone));
    });

    it('narrows to categories, with what is below them, and then falls back to less specific scopes', async () => {
      await hall.put('shop', 'api', 'commit');
      await hall.put('shop', 'git', 'commit');
      await hall.put('shop', 'git.workflows', 'commit');
      await hall.put('general', 'docs', 'commit');
      assert.deepEqual(sources('shop', 'commit', ['git']), [['shop', 'git']]);
      assert.deepEqual(hall.knowledge.getKnowledge('shop', ['commit'], ['git'])[0]?.also_in, ['git.workflows']);
      assert.deepEqual(sources('shop', 'commit', ['git.workflows']), [['shop', 'git.workflows']]);
      assert.deepEqual(sources('shop', 'commit', ['docs']), [['general', 'docs']]);
      assert.deepEqual(sources('shop', 'commit', ['docs', 'api']), [['shop', 'api']]);
      assert.deepEqual(sources('shop', 'commit', ['gi']), []);
      assert.deepEqual(sources('shop', 'commit', []), [['shop', 'api']], 'an empty list narrows nothing');
    });

    it('gives each keyword once, in the order of the request, and leaves unknown ones out', async () => {
      await hall.put('shop', 'git', 'b');
      await hall.put('general', 'git', 'a');
      const keywords = hall.knowledge.getKnowledge('shop', ['b', 'x', 'a', 'b', ' a ']).map(({ keyword }) => keyword);
      assert.deepEqual(keywords, ['b', 'a']);
      assert.deepEqual(hall.knowledge.getKnowledge('shop', []), []);
    });

    it('sees nothing of scopes outside of the chain', async () => {
      await hall.define('other', 'PROJECT', ['web']);
      await hall.put('other', 'git', 'k');
      await hall.put('auth', 'git', 'g');
      assert.deepEqual(hall.knowledge.getKnowledge('shop', ['k']), []);
      assert.deepEqual(hall.knowledge.getKnowledge('other', ['g']), []);
      assert.deepEqual(hall.knowledge.getKnowledge('web', ['k', 'g']), []);
    });
  });

  it('of risks gives the winning entries that carry one, by keyword', async () => {
    await hall.put('general', 'x', 'overridden', 'DANGER: a');
    await hall.put('shop', 'x', 'overridden', 'harmless');
    await hall.put('web', 'x', 'b', 'LAST TIME: b');
    await hall.put('shop', 'x', 'a', 'WARNING: a');
    await hall.put('general', 'x', 'code', '`DANGER: no`');
    const risks = () => hall.knowledge.getRisks('shop').map(({ keyword }) => keyword);
    assert.deepEqual(risks(), ['a', 'b']);
    await hall.knowledge.delete({ scope_id: 'shop', category: 'x', keyword: 'overridden' }, BY_TESTER);
    assert.deepEqual(risks(), ['a', 'b', 'overridden']);
    assert.deepEqual(await hall.knowledge.gatherRisks('shop'), hall.knowledge.getRisks('shop'));
  });

  it('of thousands of risks lets others have their turn', async () => {
    const records = Array.from({ length: 10_000 }, (_, index) => ({
      type: 'entry',
      scope: index % 2 ? 'general' : 'shop',
      category: `area${index % 13}`,
      keyword: `rule-${index % 9_000}`,
      content: `WARNING: ${'the order of events matters '.repeat(8)}${index}`,
      metaknowledge: { REASON: `incident ${index}` },
    }));
    const lines = [{ type: 'kaizen', format: 1 }, ...records].map((record) => JSON.stringify(record));
    const parsed = parseLines(lines.join('\n'), { ...BY_TESTER, at: '2026-05-04T09:00:00.000Z' });
    await hall.kaizen.importRecords(parsed, BY_TESTER);
    let turns = 0;
    let gathering = true;
    const count = () => {
      turns++;
      if (gathering) setImmediate(count);
    };
    setImmediate(count);
    const gathered = await hall.knowledge.gatherRisks('shop');
    gathering = false;
    assert.equal(gathered.length, 10_000);
    assert.ok(turns > 3, `others had ${turns} turns`);
  });
});
