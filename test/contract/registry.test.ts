import assert from 'node:assert/strict';
import type { Registry } from '../../src/notes';
import { openRegistry } from '../../src/notes/registry';
import { type DatabaseServer, startDatabaseServer } from '../support/postgres';
import { publishRequest } from '../support/published-notes';

describe('the registry', () => {
  let server: DatabaseServer;
  let url: string;
  let registry: Registry;

  before(async function () {
    this.timeout(60_000);
    server = await startDatabaseServer();
  });
  beforeEach(async () => {
    url = await server.createDatabase();
    registry = openRegistry({ url });
    await registry.init();
  });
  afterEach(() => registry.close());
  after(() => server.stop());

  const published = async (id: string, content: string, more: Parameters<typeof publishRequest>[2] = {}) => {
    const outcome = await registry.publish(publishRequest(id, content, more));
    assert.equal(outcome.status, 'published');
    return outcome;
  };

  describe('set up', () => {
    it('is done once, however often it is asked for', async () => {
      assert.deepEqual(await registry.init(), { from: 1, to: 1 });
      const { state, schema, entries, canPublish } = await registry.status();
      assert.deepEqual(
        { state, schema, entries, canPublish },
        { state: 'ready', schema: 1, entries: 0, canPublish: true },
      );
    });

    it('is done once by two at once', async function () {
      if (server.kind === 'pglite') this.skip(); // takes two connections
      const fresh = await server.createDatabase();
      const both = [openRegistry({ url: fresh }), openRegistry({ url: fresh })];
      const done = await Promise.all(both.map((each) => each.init()));
      assert.deepEqual(done.map(({ from }) => from).sort(), [0, 1]);
      await Promise.all(both.map((each) => each.close()));
    });

    it('says what to do before it was done', async () => {
      await server.administer(url, 'DROP SCHEMA kaizen CASCADE');
      await assert.rejects(registry.search({ query: 'mail', limit: 5 }), {
        code: 'registry_not_initialised',
        hint: /kaizen registry init/,
      });
      assert.equal((await registry.status()).state, 'missing');
    });

    it('leaves a registry of a newer version alone', async () => {
      await server.administer(url, 'INSERT INTO kaizen.registry_schema (version) VALUES (99)');
      await assert.rejects(registry.get('a'), { code: 'registry_newer' });
      await assert.rejects(registry.init(), { code: 'registry_newer' });
      assert.equal((await registry.status()).state, 'newer');
    });

    it('takes up again where an older version had come to', async () => {
      await server.administer(url, 'DELETE FROM kaizen.registry_schema');
      await assert.rejects(registry.get('a'), { code: 'registry_not_initialised' });
      assert.equal((await registry.status()).state, 'missing');
    });

    it("lies in a schema of its own, which Supabase's PostgREST does not hand out", async () => {
      const tables = await server.administer(url, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'");
      assert.deepEqual(tables, []);
    });
  });

  describe('publishing', () => {
    it('begins with 1.0.0, and goes on with the next patch', async () => {
      assert.equal((await published('042-mail', 'One\n')).version, '1.0.0');
      assert.equal((await published('042-mail', 'Two\n', { base: '1.0.0' })).version, '1.0.1');
      assert.equal(
        (await published('042-mail', 'Three\n', { base: '1.0.1', version: '2.0.0-beta.1' })).version,
        '2.0.0-beta.1',
      );
      assert.equal((await published('042-mail', 'Four\n', { base: '2.0.0-beta.1' })).version, '2.0.0-beta.2');
      assert.equal(
        (await published('042-mail', 'Five\n', { base: '2.0.0-beta.2', version: '2.0.0' })).version,
        '2.0.0',
      );
    });

    it('keeps every version, with who published it and when, latest first', async () => {
      await published('042-mail', 'One\r\n\r\ntwo — ü 🎉\n', { author: 'alice' });
      await published('042-mail', 'Two\n', { base: '1.0.0', author: 'bob' });
      const versions = await registry.versions('042-mail');
      assert.deepEqual(
        versions.map(({ version, published_by }) => [version, published_by]),
        [
          ['1.0.1', 'bob'],
          ['1.0.0', 'alice'],
        ],
      );
      for (const { published_at } of versions) assert.ok(Math.abs(Date.parse(published_at) - Date.now()) < 60_000);
      const first = await registry.get('042-mail', '1.0.0');
      assert.equal(first?.content, 'One\r\n\r\ntwo — ü 🎉\n');
      assert.equal(first?.document, publishRequest('042-mail', 'One\r\n\r\ntwo — ü 🎉\n').document('1.0.0'));
      assert.equal((await registry.get('042-mail'))?.content, 'Two\n');
    });

    it('refuses a version that exists, and shows it', async () => {
      await published('042-mail', 'One\n');
      await published('042-mail', 'Two\n', { base: '1.0.0' });
      const outcome = await registry.publish(
        publishRequest('042-mail', 'Other\n', { base: '1.0.1', version: '1.0.0' }),
      );
      assert.ok(outcome.status === 'conflict');
      assert.equal(outcome.reason, 'version_exists');
      assert.equal(outcome.existing.content, 'One\n');
      assert.equal(outcome.latest.version, '1.0.1');
      assert.equal((await registry.versions('042-mail')).length, 2);
    });

    it('refuses a version below the latest', async () => {
      await published('042-mail', 'One\n', { version: '2.0.0' });
      const outcome = await registry.publish(
        publishRequest('042-mail', 'Two\n', { base: '2.0.0', version: '1.5.0', confirmed: true }),
      );
      assert.ok(outcome.status === 'conflict');
      assert.equal(outcome.reason, 'newer_version');
    });

    it('refuses a text that is based on an older version, or on none, until it is confirmed', async () => {
      await published('042-mail', 'One\n');
      await published('042-mail', 'Two\n', { base: '1.0.0' });
      for (const [base, reason] of [
        ['1.0.0', 'changed_since'],
        [undefined, 'never_seen'],
      ] as const) {
        const outcome = await registry.publish(publishRequest('042-mail', 'Mine\n', { base }));
        assert.ok(outcome.status === 'conflict');
        assert.equal(outcome.reason, reason);
        assert.equal(outcome.existing.content, 'Two\n');
      }
      assert.equal((await registry.get('042-mail'))?.version, '1.0.1');
      assert.equal((await published('042-mail', 'Mine\n', { confirmed: true })).version, '1.0.2');
    });

    it('answers the same when it is asked again, and adds nothing', async () => {
      await published('042-mail', 'One\n');
      for (const version of [undefined, '1.0.0']) {
        const again = await registry.publish(publishRequest('042-mail', 'One\n', { version }));
        assert.equal(again.status, 'unchanged');
        assert.equal(again.status === 'unchanged' && again.version, '1.0.0');
      }
      assert.equal((await registry.versions('042-mail')).length, 1);
    });

    it('raises the version of a text that stays the same when that is asked for', async () => {
      await published('042-mail', 'One\n');
      assert.equal((await published('042-mail', 'One\n', { version: '2.0.0' })).version, '2.0.0');
    });

    it('lets one of two publishers win, and shows the other what was published', async function () {
      if (server.kind === 'pglite') this.skip(); // takes two connections
      this.timeout(30_000);
      const other = openRegistry({ url });
      for (let round = 0; round < 10; round++) {
        const id = `note-${round}`;
        for (const base of [undefined, '1.0.0']) {
          const outcomes = await Promise.all([
            registry.publish(publishRequest(id, `alice ${base}\n`, { base, author: 'alice' })),
            other.publish(publishRequest(id, `bob ${base}\n`, { base, author: 'bob' })),
          ]);
          const winner = outcomes.findIndex(({ status }) => status === 'published');
          const loser = outcomes[1 - winner]!;
          assert.ok(loser.status === 'conflict', JSON.stringify(outcomes));
          assert.equal(loser.reason, base === undefined ? 'never_seen' : 'changed_since');
          assert.equal(loser.existing.published_by, ['alice', 'bob'][winner]);
        }
      }
      await other.close();
    });

    it('refuses what is no version, and build metadata, which has no order', async () => {
      for (const version of ['1.0', 'v1.0.0', '01.0.0', '1.0.0+build', 'latest', ' 1.0.0'])
        await assert.rejects(registry.publish(publishRequest('a', 'x', { version })), { code: 'invalid_argument' });
    });

    it('refuses ids that are no safe file names, or differ from another by case alone', async () => {
      for (const id of ['../x', 'a/b', 'con', 'a.md', '', 'x'.repeat(200)])
        await assert.rejects(registry.publish(publishRequest(id, 'x')), { code: 'invalid_argument' }, id);
      await published('Mail', 'x');
      await assert.rejects(registry.publish(publishRequest('mail', 'x')), { code: 'conflict', message: /case alone/ });
      // Whatever the database's locale knows of letters.
      await published('Ärger', 'x');
      await published('Äpfel', 'x');
      await assert.rejects(registry.publish(publishRequest('ärger', 'x')), { code: 'conflict', message: /case alone/ });
      await published('Ärger', 'y', { base: '1.0.0' });
    });

    it('refuses what PostgreSQL cannot store with words about the note', async () => {
      await assert.rejects(registry.publish(publishRequest('a', 'a\0b')), {
        code: 'invalid_argument',
        message: /U\+0000/,
      });
      await assert.rejects(registry.publish(publishRequest('a', 'x'.repeat(4_000_001))), { code: 'invalid_argument' });
    });

    it('takes a text of many different words, and finds it by the first of them', async function () {
      this.timeout(30_000);
      const words = Array.from({ length: 200_000 }, (_, index) => `w${index.toString(36)}`).join(' ');
      await published('long', `unmistakable ${words}`);
      assert.equal((await registry.search({ query: 'unmistakable', limit: 5 })).total, 1);
    });

    it('replaces the relationships that the text said before, and keeps those made in the registry', async () => {
      await published('b', 'B');
      const relationships = [{ to_zettel_id: 'b', relationship_type: 'extends' as const }];
      await published('a', 'One', { relationships });
      assert.equal(await registry.link('a', 'c', 'related', 'bob'), true);
      assert.equal(await registry.link('a', 'c', 'related', 'bob'), false);
      const [extending, related] = await registry.relationships('a');
      assert.deepEqual(
        [
          extending?.zettel_id,
          extending?.relationship_type,
          extending?.title,
          extending?.missing,
          extending?.created_by,
        ],
        ['b', 'extends', 'About b', undefined, 'alice'],
      );
      assert.deepEqual([related?.zettel_id, related?.missing, related?.created_by], ['c', true, 'bob']);
      await assert.rejects(registry.unlink('a', 'b', 'extends'), { code: 'conflict' });
      await published('a', 'Two', { base: '1.0.0', relationships: [] });
      assert.deepEqual(
        (await registry.relationships('a')).map(({ zettel_id }) => zettel_id),
        ['c'],
      );
      assert.deepEqual(await registry.relationships('b'), []);
      assert.equal((await registry.relationships('c'))[0]?.direction, 'incoming');
      assert.equal(await registry.unlink('a', 'c', 'related'), true);
      assert.equal(await registry.unlink('a', 'c', 'related'), false);
      await assert.rejects(registry.link('nobody', 'a', 'related', 'bob'), { code: 'unknown_note' });
    });

    it('removes a note with all that belongs to it', async () => {
      await published('a', 'One', { relationships: [{ to_zettel_id: 'b', relationship_type: 'references' }] });
      assert.equal(await registry.remove('a'), true);
      assert.equal(await registry.remove('a'), false);
      assert.equal(await registry.get('a'), undefined);
      assert.deepEqual([await registry.versions('a'), await registry.relationships('b')], [[], []]);
    });
  });

  describe('searching', () => {
    beforeEach(async () => {
      await published('042-email-deliverability', 'Set up SPF and DKIM records.\n', {
        fields: {
          zettel_id: '042-email-deliverability',
          title: 'Email Deliverability',
          entry_type: 'pattern',
          tags: ['email', 'infrastructure'],
        },
      });
      await published(
        '043-newsletter',
        '# Newsletters\n\nMind the **deliverability** of [mails](https://example.com) to [[042-email-deliverability|others]].\n',
        {
          fields: { zettel_id: '043-newsletter', title: 'Newsletters', entry_type: 'learning', tags: ['email'] },
          category: 'learnings/mail',
        },
      );
      await published('044-databases', 'Vacuum nightly.\n', {
        fields: { zettel_id: '044-databases', title: 'Databases', entry_type: 'concept', tags: [] },
        category: 'concepts',
      });
    });
    const found = async (query: string, more: Partial<Parameters<Registry['search']>[0]> = {}) =>
      (await registry.search({ query, limit: 10, ...more })).hits.map(({ zettel_id }) => zettel_id);

    it('ranks a word in the title above one in the text, with a score between 0 and 1', async () => {
      const { hits, total } = await registry.search({ query: 'deliverability', limit: 10 });
      assert.deepEqual(
        hits.map(({ zettel_id }) => zettel_id),
        ['042-email-deliverability', '043-newsletter'],
      );
      assert.equal(total, 2);
      const [first, second] = hits.map(({ relevance_score }) => relevance_score) as [number, number];
      assert.ok(1 > first && first > second && second > 0.5, `${first} ${second}`);
    });

    it('finds other forms of a word, parts of an id, and tags', async () => {
      assert.deepEqual(await found('database'), ['044-databases']);
      assert.deepEqual(await found('044'), ['044-databases']);
      assert.deepEqual(await found('infrastructure'), ['042-email-deliverability']);
    });

    it('falls back to any of the words when no note has all, with scores below those that have all', async () => {
      const { hits } = await registry.search({ query: 'vacuum deliverability zebra', limit: 10 });
      assert.equal(hits.length, 3);
      for (const { relevance_score } of hits) assert.ok(relevance_score < 0.5);
    });

    it('understands phrases, or, and words that are to be missing', async () => {
      assert.deepEqual(await found('"DKIM records"'), ['042-email-deliverability']);
      assert.deepEqual((await found('vacuum or DKIM')).sort(), ['042-email-deliverability', '044-databases']);
      assert.deepEqual(await found('deliverability -newsletter'), ['042-email-deliverability']);
      assert.deepEqual(await found('deliverability -mail -spf'), []);
    });

    it('filters by category with the folders below it, by type and by all tags', async () => {
      assert.deepEqual(await found('deliverability', { category: 'learnings' }), ['043-newsletter']);
      assert.deepEqual(await found('deliverability', { category: 'learning' }), []);
      assert.deepEqual(await found('deliverability', { entry_type: 'pattern' }), ['042-email-deliverability']);
      assert.deepEqual(await found('deliverability', { tags: ['email', 'infrastructure'] }), [
        '042-email-deliverability',
      ]);
    });

    it('shows an excerpt as plain text', async () => {
      const { hits } = await registry.search({ query: 'deliverability mails', limit: 10 });
      assert.equal(hits[0]?.snippet, 'Newsletters Mind the deliverability of mails to others');
    });

    it('finds nothing, without an error, whatever is typed', async () => {
      for (const query of [
        '',
        ' ',
        'the',
        "'",
        '\\',
        '& | !',
        ':*',
        '\0',
        '(((',
        '"',
        '$1; DROP SCHEMA kaizen',
        '🎉',
        'x'.repeat(5_000),
      ])
        assert.deepEqual(await found(query), [], query);
      assert.equal((await registry.status()).entries, 3);
    });

    it('takes no limit but 1 to 100', async () => {
      for (const limit of [0, 101, 1.5, Number.NaN])
        await assert.rejects(registry.search({ query: 'x', limit }), { code: 'invalid_argument' });
    });
  });

  describe('collections', () => {
    const input = {
      name: 'Email Infrastructure',
      description: 'About mail',
      zettel_ids: ['b', 'a'],
      collection_type: 'topic' as const,
    };

    it('keep their notes in order, and are found by id and by name', async () => {
      const made = await registry.createCollection(input, 'alice');
      assert.deepEqual(made, { id: 'email-infrastructure', ...input, location: 'registry' });
      assert.deepEqual(await registry.collection('email-infrastructure'), made);
      assert.deepEqual(await registry.collection('EMAIL INFRASTRUCTURE'), made);
      assert.deepEqual(await registry.collections(), [made]);
      assert.equal(await registry.collection('other'), undefined);
    });

    it('are refused under a name that is taken', async () => {
      await registry.createCollection(input, 'alice');
      await assert.rejects(registry.createCollection({ ...input, name: 'email infrastructure' }, 'bob'), {
        code: 'conflict',
      });
    });
  });

  it('leaves out what somebody else wrote into the database and is no word of the vocabulary', async () => {
    await published('a', 'One', { relationships: [{ to_zettel_id: 'b', relationship_type: 'references' }] });
    await server.administer(
      url,
      "UPDATE kaizen.knowledge_entry_versions SET entry_type = '<b>', created_at = 'infinity'",
      "UPDATE kaizen.knowledge_relationships SET relationship_type = 'owns'",
    );
    const entry = await registry.get('a');
    assert.deepEqual([entry?.entry_type, entry?.created_at], [undefined, undefined]);
    assert.deepEqual(await registry.relationships('a'), []);
  });

  it('stops when it is cancelled', async () => {
    await assert.rejects(registry.get('a', undefined, AbortSignal.abort()), { code: 'cancelled' });
  });
});
