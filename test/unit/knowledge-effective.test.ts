import assert from 'node:assert/strict';
import { compareText } from '../../src/core/text';
import { BY_TESTER, error, type Hall, seededRandom, useHalls } from '../support/hall';
import { importMany } from '../support/many-entries';
import { queriesDuring } from '../support/queries';

const SCOPES = ['general', 'web', 'auth', 'mobile', 'shop', 'blog'];

async function defineAll(hall: Hall): Promise<void> {
  await hall.define('general', 'GENERAL');
  await hall.define('web', 'PRODUCT');
  await hall.define('auth', 'GROUP', ['web']);
  await hall.define('mobile', 'GROUP', [], 'a mobile group');
  await hall.define('shop', 'PROJECT', ['auth', 'mobile']);
  await hall.define('blog', 'PROJECT');
}

/** All that the most specific scope of the chain holds for each keyword, and where else below it the keyword stands. */
function expected({ knowledge }: Hall, scope: string) {
  const chain = knowledge.chain(scope);
  const categories = knowledge.getCategories(scope).map(({ name }) => name);
  const keywords = [...new Set(Object.values(knowledge.getKeywords(scope, categories)).flat())].sort();
  return keywords.flatMap((keyword) => {
    const places = chain.flatMap(({ id, tier }) =>
      knowledge
        .ownCategories(id)
        .filter(({ category }) => knowledge.entry({ scope_id: id, category, keyword }))
        .map(({ category }) => ({ scope_id: id, category, keyword, tier })),
    );
    const beside = places.filter(({ scope_id }) => scope_id === places[0]!.scope_id);
    return beside.map(({ scope_id, category, tier }) => {
      const { content, metaknowledge, risks } = knowledge.entry({ scope_id, category, keyword })!;
      const others = beside.map((each) => each.category).filter((each) => each !== category);
      return {
        ...{ keyword, content, metaknowledge, risks, category, source_scope: scope_id, source_tier: tier },
        ...(others.length > 0 ? { also_in: others } : {}),
        overrides: places.slice(beside.length),
      };
    });
  });
}

/** Of those that hold for a keyword the one with the gravest risk, among equals the first category. */
function answering(hall: Hall, scope: string, keywords: readonly string[]) {
  const holding = expected(hall, scope);
  const rank = ({ content }: { content: string }) => ['DANGER: c', 'WARNING: b', 'a'].indexOf(content);
  return keywords.flatMap((keyword) => {
    const [first] = holding.filter((entry) => entry.keyword === keyword).sort((a, b) => rank(a) - rank(b));
    if (!first) return [];
    const { overrides, ...entry } = first;
    const others = holding.filter((each) => each.keyword === keyword && each.category !== first.category);
    const other_risks = others.flatMap(({ category, risks }) =>
      risks.map(({ level, text }) => ({ category, level, text })),
    );
    return [{ ...entry, ...(other_risks.length > 0 ? { other_risks } : {}) }];
  });
}

function effective({ knowledge }: Hall, scope: string) {
  const listed = knowledge.effectiveCategories(scope);
  const entries = listed.map(({ category }) => knowledge.effectiveEntries(scope, category));
  assert.deepEqual(
    listed.map(({ entries: count }) => count),
    entries.map(({ length }) => length),
  );
  assert.deepEqual(
    listed.map(({ category }) => category),
    listed.map(({ category }) => category).sort(),
  );
  for (const [index, ofOne] of entries.entries()) {
    const { category } = listed[index]!;
    assert.ok(ofOne.length > 0 && ofOne.every((entry) => entry.category === category));
    const keywords = ofOne.map(({ keyword }) => keyword);
    assert.deepEqual(keywords, [...keywords].sort());
  }
  return entries.flat().sort((a, b) => compareText(a.keyword, b.keyword) || compareText(a.category, b.category));
}

for (const place of ['two directories', 'one directory']) {
  describe(`what holds in a scope, with the stores in ${place}`, () => {
    const open = useHalls();
    let hall: Hall;
    let peer: Hall;

    beforeEach(async () => {
      const { data, shared } = await open();
      const directories = { data, shared: place === 'one directory' ? data : shared };
      hall = await open(directories);
      peer = await open(directories);
      await defineAll(hall);
    });

    it('lists what the most specific scope holds for each keyword, with all that it overrides', async () => {
      await hall.put('general', 'git', 'commit', 'DANGER: say why');
      await hall.put('web', 'vcs', 'commit');
      await hall.put('shop', 'vcs', 'commit', 'own', { REASON: 'x' });
      await hall.put('shop', 'git.flow', 'commit');
      await hall.put('general', 'git', 'push');
      assert.deepEqual(hall.knowledge.effectiveCategories('shop'), [
        { category: 'git', entries: 1 },
        { category: 'git.flow', entries: 1 },
        { category: 'vcs', entries: 1 },
      ]);
      const [entry, ...others] = hall.knowledge.effectiveEntries('shop', ' git.flow ');
      assert.deepEqual(others, []);
      assert.deepEqual(entry, {
        ...hall.knowledge.getKnowledge('shop', ['commit'])[0],
        category: 'git.flow',
        also_in: ['vcs'],
        overrides: [
          { scope_id: 'web', category: 'vcs', keyword: 'commit', tier: 'PRODUCT' },
          { scope_id: 'general', category: 'git', keyword: 'commit', tier: 'GENERAL' },
        ],
      });
      assert.deepEqual(
        hall.knowledge.effectiveEntries('shop', 'git').map(({ keyword, overrides }) => ({ keyword, overrides })),
        [{ keyword: 'push', overrides: [] }],
      );
      assert.deepEqual(
        hall.knowledge.effectiveEntries('shop', 'vcs').map(({ content, also_in }) => ({ content, also_in })),
        [{ content: 'own', also_in: ['git.flow'] }],
      );
      assert.deepEqual(
        hall.knowledge.effectiveFor('shop', ['commit', 'nothing', 'commit']).map(({ category }) => category),
        ['git.flow', 'vcs'],
      );
      await hall.put('web', 'git', 'amend');
      const pages = [0, 1, 2].flatMap((offset) => hall.knowledge.effectiveEntries('shop', 'git', { offset, limit: 1 }));
      assert.deepEqual(pages, hall.knowledge.effectiveEntries('shop', 'git'));
      assert.equal(pages.length, 2);
      assert.throws(() => hall.knowledge.effectiveCategories('nowhere'), error('unknown_scope'));
    });

    for (let seed = 1; seed <= 4; seed++) {
      it(`is what the most specific scopes hold, however scopes and entries change (${seed})`, async () => {
        const random = seededRandom(seed);
        const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
        const categories = ['git', 'git.flow', 'ui', 'Über.uns'];
        const keywords = ['commit', 'push', '日本', '\u{1F4A5}', '"q"', '__proto__'];
        for (let step = 0; step < 80; step++) {
          const writer = pick([hall, peer]);
          const key = { scope_id: pick(SCOPES), category: pick(categories), keyword: pick(keywords) };
          const deed = random();
          if (deed < 0.7)
            await writer.put(key.scope_id, key.category, key.keyword, pick(['a', 'WARNING: b', 'DANGER: c']));
          else if (deed < 0.85) await writer.knowledge.delete(key, BY_TESTER).catch(() => {});
          else if (deed < 0.95) {
            const to = { scope_id: pick(SCOPES), category: pick(categories), keyword: pick(keywords) };
            await writer.knowledge.move(key, to, BY_TESTER).catch(() => {});
          } else await writer.define('shop', 'PROJECT', pick([['auth'], ['mobile', 'auth'], []]));
          if (step % 8 > 0) continue;
          for (const scope of SCOPES) {
            assert.deepEqual(effective(hall, scope), expected(hall, scope));
            assert.deepEqual(hall.knowledge.getKnowledge(scope, keywords), answering(hall, scope, keywords));
            assert.deepEqual(effective(peer, scope), effective(hall, scope));
          }
        }
      });
    }
  });
}

describe('the standing of an entry', () => {
  const open = useHalls();
  let hall: Hall;
  const at = (scope_id: string, category = 'git') => ({ scope_id, category, keyword: 'commit' });

  beforeEach(async () => {
    hall = await open();
    await defineAll(hall);
    for (const scope of SCOPES) await hall.put(scope, 'git', 'commit');
    await hall.put('auth', 'vcs', 'commit');
    await hall.put('auth', 'git', 'push');
  });

  const standing = (scope: string, category?: string, viewpoint?: string) => {
    const { overrides, overridden_by, beside } = hall.knowledge.standing(at(scope, category), viewpoint);
    const names = (places: typeof overrides) => places.map(({ scope_id, category: each }) => `${scope_id}/${each}`);
    return [names(overrides), names(overridden_by), ...(beside.length > 0 ? [names(beside)] : [])];
  };

  it('is told along its own chain, the nearest first', () => {
    assert.deepEqual(standing('shop'), [['mobile/git', 'auth/git', 'auth/vcs', 'web/git', 'general/git'], []]);
    assert.deepEqual(standing('web'), [['general/git'], []]);
    assert.deepEqual(standing('general'), [[], []]);
  });

  it('is told along the chain of a viewpoint that inherits it, groups beside it included', () => {
    assert.deepEqual(standing('web', 'git', 'shop'), [
      ['general/git'],
      ['auth/vcs', 'auth/git', 'mobile/git', 'shop/git'],
    ]);
    assert.deepEqual(standing('auth', 'vcs', 'shop'), [
      ['web/git', 'general/git'],
      ['mobile/git', 'shop/git'],
      ['auth/git'],
    ]);
    assert.deepEqual(standing('general', 'git', 'blog'), [[], ['blog/git']]);
  });

  it('is told along its own chain when the viewpoint does not inherit it or is no scope', () => {
    assert.deepEqual(standing('auth', 'git', 'blog'), [['web/git', 'general/git'], [], ['auth/vcs']]);
    assert.deepEqual(standing('web', 'git', 'nowhere'), [['general/git'], []]);
  });

  it('is what it would be where there is no entry yet', () => {
    assert.deepEqual(standing('web', 'a.new', 'shop'), [
      ['general/git'],
      ['auth/vcs', 'auth/git', 'mobile/git', 'shop/git'],
      ['web/git'],
    ]);
    assert.throws(() => hall.knowledge.standing(at('nowhere')), error('unknown_scope'));
  });

  it('changes when another hall writes', async () => {
    const peer = await open({ data: hall.data, shared: hall.shared });
    assert.deepEqual(standing('web', 'git', 'blog'), [['general/git'], []]);
    await peer.knowledge.delete(at('general'), BY_TESTER);
    assert.deepEqual(standing('web'), [[], []]);
  });

  it('agrees with who wins', () => {
    const [winner] = hall.knowledge.getKnowledge('shop', ['commit']);
    for (const scope of ['auth', 'mobile', 'web', 'general']) {
      const last = hall.knowledge.standing(at(scope), 'shop').overridden_by.at(-1)!;
      assert.deepEqual([last.scope_id, last.category], [winner!.source_scope, winner!.category]);
    }
  });
});

describe('10,000 entries', () => {
  const open = useHalls();

  it('show what holds by one question to each store, and remember it until something changes', async () => {
    const hall = await open();
    await importMany(hall);
    const { knowledge } = hall;
    const categories = () => knowledge.effectiveCategories('shop');
    const wins = categories().reduce((sum, { entries }) => sum + entries, 0);
    assert.equal(wins, 10_000);
    assert.deepEqual(queriesDuring(categories), []);
    await hall.put('shop', 'other', 'new');
    // A row for each category of each scope, and none for each entry.
    const rows = queriesDuring(categories).map(({ rows }) => rows);
    assert.deepEqual(rows, [105, 416]);
    assert.deepEqual(queriesDuring(categories), []);
    const { category, entries } = categories().find(({ entries }) => entries > 50)!;
    const ofOne = queriesDuring(() => knowledge.effectiveEntries('shop', category));
    assert.deepEqual(
      ofOne.flatMap(({ plan }) => plan).filter((step) => /^SCAN (?!json_each)/.test(step)),
      [],
    );
    const read = ofOne.reduce((sum, { rows }) => sum + rows, 0);
    assert.ok(
      ofOne.length === 2 && read <= 2 * entries,
      `${read} rows of ${ofOne.length} questions for ${entries} entries`,
    );
  }).timeout(60_000);
});
