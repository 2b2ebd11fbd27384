import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { Tier } from '../../src/knowledge';
import { BY_TESTER, error, type Hall, useHalls } from '../support/hall';

/** `id` or `id(parents)`, sorted by id. */
function shape({ knowledge }: Hall): string[] {
  return knowledge.listScopes().map(({ scope_id, parents }) => `${scope_id}(${parents.join(' ')})`);
}

describe('scopes', () => {
  const open = useHalls();
  let hall: Hall;
  beforeEach(async () => {
    hall = await open({ project: 'shop' });
  });

  const chain = (id: string) => hall.knowledge.chain(id).map((scope) => scope.id);

  /** GENERAL, two products with a group each, and a project of the first. */
  async function defineHouse(): Promise<void> {
    await hall.define('general', 'GENERAL');
    await hall.define('web', 'PRODUCT');
    await hall.define('app', 'PRODUCT');
    await hall.define('web-auth', 'GROUP', ['web']);
    await hall.define('app-auth', 'GROUP', ['app']);
    await hall.define('shop', 'PROJECT', ['web-auth']);
  }

  it('are listed by id with tier, name, description, parents, number of entries and which is the current project', async () => {
    await defineHouse();
    await hall.knowledge.defineScope(
      { scope_id: 'web', tier: 'PRODUCT', name: 'The Web', description: 'd' },
      BY_TESTER,
    );
    await hall.put('web', 'git', 'commit');
    await hall.put('web', 'api.auth', 'tokens');
    const [, , general, shop, web] = hall.knowledge.listScopes();
    assert.deepEqual(
      hall.knowledge.listScopes().map(({ scope_id }) => scope_id),
      ['app', 'app-auth', 'general', 'shop', 'web', 'web-auth'],
    );
    assert.deepEqual(general, {
      scope_id: 'general',
      tier: 'GENERAL',
      name: 'general',
      parents: [],
      entry_count: 0,
      is_current_project: false,
    });
    assert.deepEqual(web, {
      scope_id: 'web',
      tier: 'PRODUCT',
      name: 'The Web',
      description: 'd',
      parents: [],
      entry_count: 2,
      is_current_project: false,
    });
    assert.equal(shop?.is_current_project, true);
  });

  describe('ids', () => {
    it('are 1 to 100 characters of letters, digits, dots, underscores and hyphens', async () => {
      for (const id of ['a', '0', 'A.b_c-9', '-x', '_', 'x'.repeat(100)]) {
        await hall.define(id, 'GROUP');
        assert.equal(hall.knowledge.scope(id).id, id);
      }
      for (const id of ['', 'x'.repeat(101), 'a b', ' a', 'a\n', 'a/b', 'ä', 'a\0', 'a:b', '\ud800']) {
        await assert.rejects(hall.define(id, 'GROUP'), error('invalid_argument', '1 to 100 letters'), id);
      }
    });

    it('tell upper and lower case apart', async () => {
      await hall.define('web', 'GROUP');
      await hall.define('Web', 'PRODUCT');
      assert.equal(hall.knowledge.scope('Web').tier, 'PRODUCT');
    });

    it('are unique over all tiers and both stores, and a scope keeps its tier', async () => {
      const tiers: Tier[] = ['GENERAL', 'PRODUCT', 'GROUP', 'PROJECT'];
      for (const tier of tiers) await hall.define(tier.toLowerCase(), tier);
      for (const held of tiers) {
        for (const tier of tiers) {
          if (tier === held) continue;
          const expected = error('conflict', `"${held.toLowerCase()}" already, of tier ${held}`, 'choose another id');
          await assert.rejects(hall.define(held.toLowerCase(), tier), expected);
        }
      }
      assert.equal(hall.knowledge.listScopes().length, 4);
    });

    it('that are unknown are told with the nearest known ones', async () => {
      assert.throws(() => hall.knowledge.scope('x'), error('unknown_scope', 'No scope is defined yet'));
      await defineHouse();
      assert.throws(
        () => hall.knowledge.scope('web-aut'),
        error('unknown_scope', '"web-aut"', 'Did you mean "web-auth"'),
      );
      assert.throws(() => hall.knowledge.scope('GENERAL'), error('unknown_scope', '"general"'));
      assert.throws(
        () => hall.knowledge.chain('qqqqqqqqqqqq'),
        error('unknown_scope', 'Known scopes: "app", "app-auth"'),
      );
      assert.throws(() => hall.knowledge.getCategories('chop'), error('unknown_scope', '"shop"'));
      assert.throws(() => hall.knowledge.getKeywords('chop', []), error('unknown_scope', '"shop"'));
      assert.throws(() => hall.knowledge.getKnowledge('chop', []), error('unknown_scope', '"shop"'));
      await assert.rejects(hall.put('chop', 'a', 'b'), error('unknown_scope', '"shop"'));
      await assert.rejects(
        hall.knowledge.delete({ scope_id: 'chop', category: 'a', keyword: 'b' }, BY_TESTER),
        error('unknown_scope', '"shop"'),
      );
    });
  });

  it('have one of four tiers', async () => {
    await assert.rejects(
      hall.define('x', 'TEAM' as Tier),
      error('invalid_argument', '"TEAM"', 'GENERAL, PRODUCT, GROUP, PROJECT'),
    );
  });

  it('have a name, their id unless told, and an optional description, within limits', async () => {
    const define = (name?: string, description?: string) =>
      hall.knowledge.defineScope({ scope_id: 'x', tier: 'GROUP', name, description }, BY_TESTER);
    assert.deepEqual(await define(), { id: 'x', tier: 'GROUP', name: 'x', parents: [] });
    assert.equal((await define('  The X  ')).name, 'The X');
    for (const name of ['', ' ', 'x'.repeat(201), 'a\nb', 'a\0', '\udc00']) {
      await assert.rejects(define(name), error('invalid_argument', 'scope name'));
    }
    for (const description of ['x'.repeat(4_097), 'a\0', '\ud800']) {
      await assert.rejects(define(undefined, description), error('invalid_argument', 'scope description'));
    }
    assert.equal((await define(undefined, 'on\ntwo lines')).description, 'on\ntwo lines');
  });

  it('of tier GENERAL are at most one', async () => {
    await hall.define('general', 'GENERAL');
    await assert.rejects(hall.define('other', 'GENERAL'), error('conflict', '"general"', 'At most one'));
    await hall.knowledge.deleteScope('general', { confirmed: false }, BY_TESTER);
    await hall.define('other', 'GENERAL');
  });

  it('can be defined where two names lead to one directory for both stores', async function () {
    if (process.platform === 'win32') this.skip(); // Links take a privilege there.
    const link = path.join(hall.data, 'link');
    mkdirSync(path.join(hall.data, 'one'));
    symlinkSync(path.join(hall.data, 'one'), link);
    const linked = await open({ data: path.join(hall.data, 'one'), shared: link });
    await linked.define('shop', 'PROJECT');
    assert.deepEqual(
      linked.knowledge.listScopes().map(({ scope_id }) => scope_id),
      ['shop'],
    );
  });

  describe('chains', () => {
    it('that are unknown parents are not answered with the scope that was to be defined', async () => {
      await hall.define('payments', 'GROUP');
      const redefined = hall.knowledge.defineScope(
        { scope_id: 'payments', tier: 'GROUP', parents: ['paymentz'] },
        BY_TESTER,
      );
      await assert.rejects(redefined, (thrown: Error & { hint?: string }) => !thrown.hint?.includes('"payments"'));
    });

    it('end with GENERAL, whether it is named or not, and whenever it was defined', async () => {
      await hall.define('web', 'PRODUCT');
      await hall.define('auth', 'GROUP', ['web']);
      await hall.define('shop', 'PROJECT', ['auth']);
      assert.deepEqual(chain('shop'), ['shop', 'auth', 'web']);
      await hall.define('general', 'GENERAL');
      assert.deepEqual(chain('shop'), ['shop', 'auth', 'web', 'general']);
      assert.deepEqual(chain('auth'), ['auth', 'web', 'general']);
      assert.deepEqual(chain('web'), ['web', 'general']);
      assert.deepEqual(chain('general'), ['general']);
      await hall.define('lone', 'PROJECT', ['general']);
      assert.deepEqual(chain('lone'), ['lone', 'general']);
    });

    it('hold any number of groups, by name and then by id, in code unit order', async () => {
      await hall.define('p', 'PROJECT');
      await hall.define('g1', 'GROUP', [], 'beta');
      await hall.define('g2', 'GROUP', [], 'alpha');
      await hall.define('g4', 'GROUP', [], 'Zeta');
      await hall.define('g3', 'GROUP', [], 'alpha');
      await hall.define('g5', 'GROUP', [], 'äther');
      await hall.define('p', 'PROJECT', ['g5', 'g1', 'g3', 'g4', 'g2', 'g1']);
      assert.deepEqual(chain('p'), ['p', 'g4', 'g2', 'g3', 'g1', 'g5']);
      await hall.define('g1', 'GROUP', undefined, 'Alpha');
      assert.deepEqual(chain('p'), ['p', 'g1', 'g4', 'g2', 'g3', 'g5']);
    });

    it('hold a product once, by whatever ways it is reached', async () => {
      await defineHouse();
      await hall.define('web-b', 'GROUP', ['web', 'general']);
      await hall.define('shop', 'PROJECT', ['web-auth', 'web-b', 'web', 'general']);
      assert.deepEqual(chain('shop'), ['shop', 'web-auth', 'web-b', 'web', 'general']);
    });

    it('never hold two products: the definition is refused with both named', async () => {
      await defineHouse();
      const refused = error('conflict', '"app" and "web"', 'at most one PRODUCT');
      await assert.rejects(hall.define('shop', 'PROJECT', ['web', 'app']), refused);
      await assert.rejects(hall.define('shop', 'PROJECT', ['web-auth', 'app']), refused);
      await assert.rejects(hall.define('shop', 'PROJECT', ['web-auth', 'app-auth']), refused);
      await assert.rejects(hall.define('both', 'GROUP', ['web', 'app']), refused);
      assert.deepEqual(chain('shop'), ['shop', 'web-auth', 'web', 'general']);
      assert.equal(hall.knowledge.listScopes().length, 6);
    });

    it('never get a second product through the redefinition of a group', async () => {
      await defineHouse();
      await hall.define('free', 'GROUP');
      await hall.define('shop', 'PROJECT', ['web-auth', 'free']);
      await assert.rejects(
        hall.define('free', 'GROUP', ['app']),
        error('conflict', '"shop" would inherit from 2 products: "app" and "web"'),
      );
      await hall.define('free', 'GROUP', ['web']);
    });

    it('have no cycles and no wrong tiers', async () => {
      await defineHouse();
      await hall.define('other', 'PROJECT');
      for (const [id, tier] of [
        ['general', 'GENERAL'],
        ['web', 'PRODUCT'],
        ['web-auth', 'GROUP'],
        ['shop', 'PROJECT'],
      ] as const) {
        await assert.rejects(hall.define(id, tier, [id]), error('invalid_argument', `"${id}"`, 'cycle'));
      }
      const wrong: [string, Tier, string][] = [
        ['general', 'GENERAL', 'web'],
        ['general', 'GENERAL', 'shop'],
        ['web', 'PRODUCT', 'app'],
        ['web', 'PRODUCT', 'web-auth'],
        ['web', 'PRODUCT', 'shop'],
        ['web-auth', 'GROUP', 'app-auth'],
        ['web-auth', 'GROUP', 'shop'],
        ['shop', 'PROJECT', 'other'],
      ];
      for (const [id, tier, parent] of wrong) {
        await assert.rejects(hall.define(id, tier, [parent]), error('wrong_tier', tier, `"${parent}"`));
      }
    });

    it('have no parents that do not exist', async () => {
      await defineHouse();
      await assert.rejects(
        hall.define('shop', 'PROJECT', ['web-out']),
        error('unknown_scope', 'Did you mean "web-auth"'),
      );
      assert.deepEqual(chain('shop'), ['shop', 'web-auth', 'web', 'general']);
    });
  });

  describe('redefined', () => {
    it('keep what is left out', async () => {
      await defineHouse();
      const full = {
        scope_id: 'shop',
        tier: 'PROJECT',
        name: 'The shop',
        description: 'd',
        parents: ['web-auth'],
      } as const;
      await hall.knowledge.defineScope({ ...full, parents: [...full.parents] }, BY_TESTER);
      await hall.knowledge.defineScope({ scope_id: 'shop', tier: 'PROJECT' }, BY_TESTER);
      const kept = { id: 'shop', tier: 'PROJECT', name: 'The shop', description: 'd', parents: ['web-auth'] };
      assert.deepEqual(hall.knowledge.scope('shop'), kept);
      await hall.knowledge.defineScope({ scope_id: 'shop', tier: 'PROJECT', name: 'Shop' }, BY_TESTER);
      assert.deepEqual(hall.knowledge.scope('shop'), { ...kept, name: 'Shop' });
      await hall.knowledge.defineScope({ scope_id: 'shop', tier: 'PROJECT', parents: [], description: '' }, BY_TESTER);
      assert.deepEqual(hall.knowledge.scope('shop'), { id: 'shop', tier: 'PROJECT', name: 'Shop', parents: [] });
    });

    it('keep their entries', async () => {
      await defineHouse();
      await hall.put('web', 'git', 'commit', 'x');
      await hall.define('web', 'PRODUCT', ['general'], 'Web');
      assert.equal(hall.knowledge.entry({ scope_id: 'web', category: 'git', keyword: 'commit' })?.content, 'x');
    });
  });

  describe('deleted', () => {
    it('are gone at once when they hold nothing', async () => {
      await defineHouse();
      await hall.knowledge.deleteScope('shop', { confirmed: false }, BY_TESTER);
      assert.throws(() => hall.knowledge.scope('shop'), error('unknown_scope'));
      await assert.rejects(hall.knowledge.deleteScope('shop', { confirmed: true }, BY_TESTER), error('unknown_scope'));
    });

    it('need to be confirmed when they hold entries or children, which are told', async () => {
      await defineHouse();
      await hall.put('web', 'git', 'commit');
      const unconfirmed = (id: string) => hall.knowledge.deleteScope(id, { confirmed: false }, BY_TESTER);
      await assert.rejects(
        unconfirmed('web'),
        error('confirmation_required', '1 entry and the child "web-auth"', 'Confirm'),
      );
      await assert.rejects(unconfirmed('web-auth'), error('confirmation_required', 'the child "shop"'));
      await hall.put('shop', 'git', 'commit');
      await hall.put('shop', 'git', 'push');
      await assert.rejects(unconfirmed('shop'), error('confirmation_required', 'holds 2 entries\\.'));
      assert.equal(hall.knowledge.listScopes().length, 6);
    });

    it('take their entries along, and their children stay without them', async () => {
      await defineHouse();
      await hall.put('web-auth', 'api', 'tokens');
      await hall.put('web-auth', 'git', 'commit');
      await hall.put('web-auth', 'git', 'commit', 'Say why.');
      await hall.knowledge.deleteScope('web-auth', { confirmed: true }, BY_TESTER);
      assert.deepEqual(chain('shop'), ['shop', 'general']);
      assert.deepEqual(shape(hall), ['app()', 'app-auth(app)', 'general()', 'shop()', 'web()']);
      assert.deepEqual(hall.knowledge.getKnowledge('shop', ['tokens']), []);
      await hall.define('web-auth', 'GROUP');
      assert.deepEqual(hall.knowledge.ownCategories('web-auth'), []);
      const changes = (category: string, keyword: string) =>
        hall.knowledge
          .history({ scope_id: 'web-auth', category, keyword })
          .map(({ number, action, reason, previous_content }) => [number, action, reason, previous_content]);
      assert.deepEqual(changes('git', 'commit').at(-1), [3, 'delete', 'The scope was deleted.', 'Say why.']);
      const history = hall.knowledge.history({ scope_id: 'web-auth', category: 'api', keyword: 'tokens' });
      assert.deepEqual(
        history.map(({ action, reason, previous_content }) => [action, reason, previous_content]),
        [
          ['create', null, null],
          ['delete', 'The scope was deleted.', 'tokens of web-auth'],
        ],
      );
    });

    it('free their id for any tier', async () => {
      await hall.define('x', 'PROJECT');
      await hall.knowledge.deleteScope('x', { confirmed: false }, BY_TESTER);
      await hall.define('x', 'GROUP');
      assert.equal(hall.knowledge.scope('x').tier, 'GROUP');
    });
  });

  describe('of two workspaces with one shared store', () => {
    it('are the same above the projects, and each workspace has its own projects', async () => {
      await defineHouse();
      const other = await open({ shared: hall.shared });
      assert.deepEqual(shape(other), ['app()', 'app-auth(app)', 'general()', 'web()', 'web-auth(web)']);
      await other.define('shop', 'PROJECT', ['app-auth']);
      assert.deepEqual(
        other.knowledge.chain('shop').map(({ id }) => id),
        ['shop', 'app-auth', 'app', 'general'],
      );
      assert.deepEqual(chain('shop'), ['shop', 'web-auth', 'web', 'general']);
    });

    it('pass over a parent that the other one deleted, also when they are redefined', async () => {
      await defineHouse();
      const other = await open({ shared: hall.shared });
      await other.knowledge.deleteScope('web-auth', { confirmed: true }, BY_TESTER);
      assert.deepEqual(chain('shop'), ['shop', 'general']);
      assert.deepEqual(hall.knowledge.scope('shop').parents, []);
      await hall.knowledge.defineScope({ scope_id: 'shop', tier: 'PROJECT', name: 'Shop' }, BY_TESTER);
      assert.equal(hall.knowledge.scope('shop').name, 'Shop');
    });
  });

  it('of a store that once served as both do not show up where their entries are not', async () => {
    const both = await open({ data: hall.data, shared: hall.data });
    await both.define('general', 'GENERAL');
    await both.put('general', 'git', 'commit');
    await both.define('p', 'PROJECT');
    assert.deepEqual(shape(both), ['general()', 'p()']);
    assert.deepEqual(shape(hall), ['p()']);
    await hall.define('general', 'GENERAL');
    assert.equal(hall.knowledge.listScopes()[0]?.entry_count, 0);
    const swapped = await open({ data: hall.shared, shared: hall.data });
    assert.deepEqual(shape(swapped), ['general()']);
    assert.equal(swapped.knowledge.listScopes()[0]?.entry_count, 1);
  });

  it('that the hall is told to define are there when it opens, and are left as they are the next time', async () => {
    const directories = { data: `${hall.data}-2`, shared: `${hall.shared}-2` };
    const defaults = { project: 'shop', defineProject: true, ensureGeneral: true };
    const first = await open({ ...directories, ...defaults });
    assert.deepEqual(shape(first), ['general()', 'shop()']);
    await first.define('web', 'PRODUCT');
    await first.define('shop', 'PROJECT', ['web'], 'Shop');
    const second = await open({ ...directories, ...defaults });
    assert.deepEqual(shape(second), ['general()', 'shop(web)', 'web()']);
    assert.deepEqual(shape(await open({ project: 'x' })), []);
  });
});
