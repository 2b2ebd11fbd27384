import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { libraryRoles, setUpLibrary } from '../../src/library';
import { EmbeddingServer } from '../support/embedding-server';
import { handbook, questions } from '../support/handbook';
import { madeDocument } from '../support/library-documents';
import { describeKeeper } from '../support/library-keeper';
import { type DatabaseServer, freePort, startDatabaseServer, urlFor } from '../support/postgres';
import { ServerLibraries } from '../support/server-libraries';

const SECRET = 'hunter2-do-not-show';

for (const vector of [false, true]) {
  describe(`a library on ${vector ? 'pgvector' : 'PostgreSQL'}`, function () {
    this.timeout(60_000);
    let server: DatabaseServer;
    let directory: string;
    let libraries: ServerLibraries;
    let one: string | undefined;

    before(async () => {
      server = await startDatabaseServer({ vector });
      directory = mkdtempSync(path.join(tmpdir(), 'kaizen-library-'));
      libraries = new ServerLibraries(directory);
    });
    afterEach(() => libraries.close());
    after(async () => {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    });

    /** An empty database; of PGlite, where making another takes seconds, the one there is, emptied. */
    async function database(): Promise<string> {
      if (server.kind === 'postgres') return server.createDatabase();
      one ??= await server.createDatabase();
      await server.administer(one, 'DROP SCHEMA IF EXISTS kaizen_library CASCADE');
      return one;
    }

    describeKeeper(vector ? 'pgvector' : 'PostgreSQL', async () => {
      const url = await database();
      return {
        withoutMeaning: !vector,
        open: (more) => libraries.open({ url }, more),
        remove: () => libraries.close(),
      };
    });

    if (vector) {
      it('makes the vectors of each embedder once, whoever asks, and lets go of those of no passage', async function () {
        this.timeout(120_000);
        const embedding = await new EmbeddingServer().start();
        try {
          const embeddings = { provider: 'endpoint', url: embedding.url, model: 'stub' } as const;
          const url = await database();
          const texts = ['The automobile stands in the garage.', 'Roses are red.', 'Roses are red.'];
          const { document, content } = madeDocument('cars-1', texts);
          const keeper = await libraries.open({ url }, { embeddings });
          await keeper.put(document, content);
          const isDone = () => {
            const state = keeper.embeddings;
            return 'total' in state && state.total > 0 && state.done === state.total;
          };
          for (const until = Date.now() + 50_000; !isDone(); ) {
            assert.ok(Date.now() < until, inspect(keeper.embeddings));
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
          const count = 'SELECT count(*)::int AS vectors FROM kaizen_library.vectors_1';
          assert.deepEqual(await server.administer(url, count), [{ vectors: 2 }]);
          await keeper.remove(['cars-1']);
          await keeper.close();
          const again = await libraries.open({ url }, { embeddings });
          for (const until = Date.now() + 50_000; ; ) {
            const [{ vectors }] = (await server.administer(url, count)) as [{ vectors: number }];
            if (vectors === 0) break;
            assert.ok(Date.now() < until);
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
          assert.deepEqual((await again.search('vehicle', { limit: 3 })).hits, []);
        } finally {
          await embedding.stop();
        }
      });
      return;
    }

    it('finds what a library in a directory finds, and says the same of how well it fits', async () => {
      const url = await database();
      const [there, here] = [
        await libraries.open({ url }),
        await libraries.open({ directory: path.join(directory, 'beside') }),
      ];
      const sections = handbook();
      const chapters = [...new Set(sections.map(({ headings }) => headings[0] ?? ''))];
      for (const [number, title] of chapters.entries()) {
        const own = sections.filter(({ headings }) => (headings[0] ?? '') === title);
        const made = madeDocument(
          `chapter-${number}`,
          own.map(({ title, body }) => ({ content: body, section_title: title })),
          { title },
        );
        for (const keeper of [there, here]) await keeper.put(made.document, made.content);
      }
      assert.ok(await here.ready(20_000));
      for (const { text } of questions()) {
        const [found, expected] = await Promise.all([there, here].map((keeper) => keeper.search(text, { limit: 5 })));
        const [best] = expected!.hits;
        if (!best || best.score < 0.3) continue;
        assert.equal(found!.hits[0]?.chunk.id, best.chunk.id, text);
        for (const { chunk, score } of expected!.hits.filter((hit) => hit.score > 0.2).slice(0, 3)) {
          const same = found!.hits.find((hit) => hit.chunk.id === chunk.id);
          // Lengths are compared with those of the passages that were chosen, not of all.
          assert.ok(same && Math.abs(same.score - score) < 0.05, `${text}: ${same?.score} and ${score}`);
        }
      }
    });

    it('has nothing of a query that could be a command', async () => {
      const keeper = await libraries.open({ url: await database() });
      const { document, content } = madeDocument('odd-1', ["it's a \\ back'slash & | ! :* <-> (x)", 'plain words']);
      await keeper.put(document, content);
      for (const query of [
        "'",
        "it's",
        "\\'",
        'a & b',
        '!plain',
        'back\\',
        ':*',
        "'); DROP TABLE x; --",
        '\0plain',
        '漢字',
      ]) {
        await keeper.search(query, { limit: 5 });
      }
      assert.equal((await keeper.search('backslash slash plain', { limit: 5 })).hits.length, 2);
    });

    it('says what to do where there are no tables, and this role may not make them', async function () {
      if (server.kind === 'pglite') this.skip(); // knows no rights
      const url = await database();
      await server.administer(url, "CREATE ROLE guest LOGIN PASSWORD 'g'");
      const guest = { url: urlFor(url, { user: 'guest', password: 'g' }) };
      const wanted = { code: 'registry_not_initialised', message: /^The library at /, hint: /kaizen library init/ };
      await assert.rejects(libraries.open(guest), wanted);
      const reader = await libraries.open(guest, { mayCreate: false });
      assert.deepEqual(await reader.documents(), []);
      assert.deepEqual(await setUpLibrary({ url }), { from: 0, to: 1 });
      assert.deepEqual(await setUpLibrary({ url }), { from: 1, to: 1 });
    });

    it('is made once by two at once', async function () {
      if (server.kind === 'pglite') this.skip(); // takes two connections
      const url = await database();
      const made = await Promise.all([setUpLibrary({ url }), setUpLibrary({ url })]);
      assert.deepEqual(made.map(({ from }) => from).sort(), [0, 1]);
    });

    it('leaves a library of a newer version alone', async () => {
      const url = await database();
      const keeper = await libraries.open({ url });
      await server.administer(url, 'INSERT INTO kaizen_library.library_schema (version) VALUES (99)');
      await assert.rejects(keeper.documents(), { code: 'registry_newer', message: /^The library / });
      await assert.rejects(libraries.open({ url }), { code: 'registry_newer' });
    });

    it('lets readers read and writers write, and neither change the tables', async function () {
      if (server.kind === 'pglite') this.skip(); // knows no rights
      const url = await database();
      const { document, content } = madeDocument('valves-1', ['The relief valve opens.']);
      await (await libraries.open({ url })).put(document, content);
      const roles = await libraryRoles();
      await server.administer(
        url,
        roles,
        roles,
        "CREATE ROLE reads LOGIN PASSWORD 'r' IN ROLE kaizen_library_reader",
        "CREATE ROLE writes LOGIN PASSWORD 'w' IN ROLE kaizen_library_writer",
        "CREATE ROLE stranger LOGIN PASSWORD 's'",
      );
      const reader = await libraries.open({ url: urlFor(url, { user: 'reads', password: 'r' }) });
      const right = { code: 'registry_refused', message: /permission denied/, hint: /kaizen library roles/ };
      assert.equal((await reader.search('relief', { limit: 5 })).hits.length, 1);
      assert.deepEqual(await reader.content('valves-1'), content);
      await assert.rejects(reader.put({ ...document, title: 'Mine' }), right);
      await assert.rejects(reader.remove(['valves-1']), right);
      const writer = await libraries.open({ url: urlFor(url, { user: 'writes', password: 'w' }) });
      const next = madeDocument('valves-1', ['The relief valve opens.', 'It closes again.'], { updated_at: '2027' });
      await writer.put(next.document, next.content, document.updated_at);
      assert.deepEqual(await reader.content('valves-1'), next.content);
      await writer.remove(['valves-1']);
      assert.deepEqual(await reader.documents(), []);
      for (const statement of [
        'DROP TABLE kaizen_library.chunks',
        'CREATE TABLE kaizen_library.mine (x int)',
        'INSERT INTO kaizen_library.library_schema (version) VALUES (7)',
      ]) {
        const asked = server.administer(url, 'SET ROLE kaizen_library_writer', statement);
        await assert.rejects(asked, /permission denied|must be owner/, statement);
      }
      await assert.rejects(libraries.open({ url: urlFor(url, { user: 'stranger', password: 's' }) }), {
        code: /registry_(refused|not_initialised)/,
      });
    });

    it('says what is wrong with password, database and server, and never shows the secret', async function () {
      if (server.kind === 'pglite') this.skip(); // takes any password
      const url = await database();
      const closed = `postgres://me:${SECRET}@127.0.0.1:${await freePort()}/db`;
      const wrong: [string, string][] = [
        [urlFor(url, { user: 'team', password: SECRET }), 'registry_refused'],
        [`postgres://me:${SECRET}@127.0.0.1:${server.port}/nowhere`, 'registry_refused'],
        [closed, 'registry_unreachable'],
        [`mysql://me:${SECRET}@host/db`, 'invalid_argument'],
        [`postgres://me:${SECRET}@db.example.com/db?sslmode=disable`, 'invalid_argument'],
      ];
      for (const [bad, code] of wrong) {
        const said: string[] = [];
        await assert.rejects(libraries.open({ url: bad }, { log: (message) => said.push(message) }), (error: Error) => {
          assert.equal((error as unknown as { code: string }).code, code);
          assert.match(error.message, /library/);
          assert.ok(!inspect([error, said], { depth: 10, showHidden: true }).includes(SECRET));
          return true;
        });
      }
      const keeper = await libraries.open({ url });
      const shown = [inspect(keeper, { depth: 10, showHidden: true }), JSON.stringify(keeper), keeper.place].join();
      assert.ok(!shown.includes('open sesame') && !shown.includes('open%20sesame'));
      assert.match(keeper.place, /^127\.0\.0\.1:\d+\/\w+ as team$/);
    });

    it('leaves nothing behind between transactions, as poolers want it', async function () {
      if (server.kind === 'pglite') this.skip(); // takes a second connection
      const url = await database();
      const keeper = await libraries.open({ url });
      const { document, content } = madeDocument('valves-1', ['The relief valve opens.']);
      await keeper.put(document, content);
      await keeper.search('relief', { limit: 5 });
      await new Promise((resolve) => setTimeout(resolve, 100));
      const left = await server.administer(
        url,
        `SELECT state FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kaizen' AND state LIKE '%in transaction%'
         UNION ALL SELECT locktype FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
         UNION ALL SELECT name FROM pg_prepared_statements`,
      );
      assert.deepEqual(left, []);
    });

    it('takes several documents in one order, so that no two who change some wait for each other', async function () {
      if (server.kind === 'pglite') this.skip(); // takes a second connection
      const url = await database();
      const keeper = await libraries.open({ url });
      const [first, last] = [madeDocument('a-1', ['One.']), madeDocument('b-2', ['Two.'])];
      const seen = [last, first].map(({ document }) => ({ document, expected: document.updated_at }));
      // In the table they stand the other way round.
      for (const { document, content } of [last, first]) await keeper.put(document, content);
      const locked = (id: string, how = '') =>
        `SELECT 1 FROM kaizen_library.documents WHERE document_id = '${id}' FOR UPDATE ${how}`;
      const untilSomebodyWaits =
        'DO $$ BEGIN WHILE NOT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted) LOOP PERFORM pg_sleep(0.01); END LOOP; END $$';
      for (const change of [() => keeper.putSeen(seen), () => keeper.remove(['b-2', 'a-1'])]) {
        const holding = server.administer(
          url,
          ...['BEGIN', locked('a-1'), untilSomebodyWaits, locked('b-2', 'NOWAIT'), 'ROLLBACK'],
        );
        while ((await server.administer(url, locked('a-1', 'SKIP LOCKED'))).length > 0);
        await Promise.all([holding, change()]);
      }
      assert.deepEqual(await keeper.documents(), []);
    });

    it('touches no passage that stays as it is', async () => {
      const url = await database();
      const keeper = await libraries.open({ url });
      const before = madeDocument('valves-1', ['One stays.', 'Two goes.', 'Three stays.']);
      await keeper.put(before.document, before.content);
      const keys = 'SELECT c.id, c.key::int AS key, c.xmin::text AS row FROM kaizen_library.chunks c ORDER BY position';
      const [first, , third] = (await server.administer(url, keys)) as { id: string; key: number; row: string }[];
      const after = madeDocument('valves-1', ['One stays.', 'Another.', 'Three stays.'], { updated_at: '2027' });
      await keeper.put(after.document, after.content);
      const [one, , three] = (await server.administer(url, keys)) as { id: string; key: number; row: string }[];
      assert.deepEqual(one, first);
      assert.deepEqual([three!.id, three!.key], [third!.id, third!.key]);
    });
  });
}
