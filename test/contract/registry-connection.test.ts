import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mock } from 'node:test';
import { inspect } from 'node:util';
import type { Registry, RegistryOptions } from '../../src/notes';
import { openRegistry } from '../../src/notes/registry';
import { REGISTRY_ROLES } from '../../src/notes/registry/roles';
import { type DatabaseServer, freePort, OWNER, startDatabaseServer, urlFor, withQuery } from '../support/postgres';
import { publishRequest } from '../support/published-notes';
import { Peer } from '../support/tcp-peers';

const SECRET = 'hunter2-do-not-show';
/** 5 s are promised; the rest is for a machine with more to do than this. Who sets no limit waits for minutes. */
const PATIENCE_MS = 20_000;

describe('the connection to a registry', () => {
  const opened: Registry[] = [];
  const open = (options: RegistryOptions) => {
    const registry = openRegistry(options);
    opened.push(registry);
    return registry;
  };
  /** Asks, and expects this error before it is forgotten, without the password. */
  async function fails(options: RegistryOptions, code: string, message: RegExp): Promise<void> {
    const start = Date.now();
    const error = await open(options)
      .get('a')
      .then(
        () => assert.fail('it answered'),
        (error: { code: string; message: string }) => error,
      );
    assert.equal(error.code, code, inspect(error));
    assert.match(error.message, message);
    assert.ok(Date.now() - start < PATIENCE_MS, `after ${Date.now() - start} ms`);
    assert.ok(!inspect(error, { depth: 10, showHidden: true }).includes(SECRET));
  }

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((registry) => registry.close()));
  });

  it('takes no string that is no connection string, and never repeats it', () => {
    for (const url of [
      '',
      'localhost',
      `https://user:${SECRET}@host/db`,
      `postgres://user:${SECRET}@ho st/db`,
      // What a password holds has to be written as %2F, %3F, %23, %40; otherwise it begins to look like a host.
      `postgres://user:x@${SECRET}/y@host/db`,
      `postgres://user:1/${SECRET}@host/db`,
      `postgres://user:1#${SECRET}@host/db`,
      `postgres://user:1?${SECRET}@host/db`,
      `postgres://user:${SECRET}%zz@host/db`,
      `postgres://user:${SECRET}@host:99999/db`,
      `postgres://user:${SECRET}@one:5432,two:5432/db`,
      `postgres://user:${SECRET}@host/db?sslmode=perhaps`,
      `postgres://user:${SECRET}@db.example.com/db?sslmode=disable`,
    ]) {
      assert.throws(
        () => openRegistry({ url }),
        (error: { code: string }) =>
          error.code === 'invalid_argument' && !inspect(error, { showHidden: true, depth: 10 }).includes(SECRET),
        url,
      );
    }
  });

  it('shows no password, however it is printed', async () => {
    const registry = open({ url: `postgres://me:${SECRET}@127.0.0.1:1/db` });
    await assert.rejects(registry.get('a'));
    for (const shown of [
      inspect(registry, { depth: 20, showHidden: true }),
      JSON.stringify(registry),
      String(registry),
    ])
      assert.ok(!shown.includes(SECRET), shown);
  });

  it('is loaded from its bundle where the environment asks for another client of PostgreSQL', () => {
    const program = 'console.log(typeof require("./dist/registry.js").openRegistry)';
    const env = { ...process.env, NODE_PG_FORCE_NATIVE: '1' };
    assert.equal(execFileSync(process.execPath, ['-e', program], { env, encoding: 'utf8' }), 'function\n');
  });

  it('says that nothing listens', async () => {
    const url = `postgres://me:${SECRET}@127.0.0.1:${await freePort()}/db`;
    await fails({ url }, 'registry_unreachable', /nothing listens there/);
  });

  it('says that there is no such host', async () => {
    await fails({ url: `postgres://me:${SECRET}@nowhere.invalid/db` }, 'registry_unreachable', /name|answer/);
  });

  it('gives up on a peer that accepts and says nothing', async () => {
    const peer = await Peer.silent();
    const url = `postgres://me:${SECRET}@127.0.0.1:${peer.port}/db`;
    await Promise.all(
      [url, `${url}?sslmode=require`].map((url) => fails({ url }, 'registry_unreachable', /did not answer in time/)),
    );
    await peer.close();
  });

  it('gives up after no more than 5 s', async () => {
    const peer = await Peer.silent();
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const asked = open({ url: `postgres://me:${SECRET}@127.0.0.1:${peer.port}/db` }).get('a');
      const given = assert.rejects(asked, { code: 'registry_unreachable' });
      for (let passed = 0; passed < 5_000; passed += 100) {
        // Whatever sets a timer next has its turn.
        for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
        mock.timers.tick(100);
      }
      await given;
    } finally {
      mock.timers.reset();
    }
    await peer.close();
  });

  it('gives up on a peer that speaks something else', async () => {
    const peer = await Peer.saying('HTTP/1.1 400 Bad Request\r\n\r\n');
    await fails({ url: `postgres://me:${SECRET}@127.0.0.1:${peer.port}/db` }, 'registry_unreachable', /answer|cut/);
    await peer.close();
  });

  it('ends at once when it is cancelled', async () => {
    const peer = await Peer.silent();
    const stop = new AbortController();
    const url = `postgres://me:x@127.0.0.1:${peer.port}/db`;
    const registry = open({ url });
    const asked = registry.get('a', undefined, stop.signal);
    let hasWaited = false;
    const other = assert.rejects(open({ url }).get('a'), { code: 'registry_unreachable' }).then(() => {
      hasWaited = true;
    });
    setTimeout(() => stop.abort(), 50);
    await assert.rejects(asked, { code: 'cancelled' });
    assert.ok(!hasWaited, 'before the one that nobody cancels');
    await registry.close();
    assert.ok(!hasWaited, 'and so does closing');
    await other;
    await peer.close();
  });

  describe('to a real server', function () {
    this.timeout(60_000);
    let server: DatabaseServer;
    let url: string;

    before(async function () {
      server = await startDatabaseServer({ tls: true });
      if (server.kind === 'pglite') return this.skip(); // knows no passwords, rights and certificates
      url = await server.createDatabase();
      const owner = openRegistry({ url });
      await owner.init();
      await owner.publish(publishRequest('a', 'One'));
      await owner.close();
    });
    after(() => server.stop());

    it('says that user and password were refused', async () => {
      await fails(
        { url: urlFor(url, { user: OWNER.user, password: SECRET }) },
        'registry_refused',
        /user and password/,
      );
      await fails({ url: urlFor(url, { user: OWNER.user, password: '' }) }, 'registry_refused', /user and password/);
    });

    it('says that there is no such database', async () => {
      await fails({ url: url.replace(/registry_\d+/, 'other') }, 'registry_refused', /no such database/);
    });

    it('needs no TLS on this machine, and says so', async () => {
      assert.equal((await open({ url }).status()).tls, 'none');
    });

    it('proves whose server it is', async () => {
      const local = url.replace('127.0.0.1', 'localhost');
      const ca = server.certificate!;
      const proven = open({ url: withQuery(local, { sslmode: 'verify-full', sslrootcert: ca }) });
      assert.equal((await proven.status()).tls, 'verified');
      const unknown = { url: withQuery(local, { sslmode: 'verify-full' }) };
      await fails(unknown, 'registry_unverified', /certificate/);
      assert.equal((await open({ ...unknown, allowUnverifiedTls: true }).status()).tls, 'unverified');
      // Signed by a known authority, but of another host.
      await fails(
        { url: withQuery(url, { sslmode: 'verify-full', sslrootcert: ca }) },
        'registry_unverified',
        /certificate/,
      );
      await fails(
        { url: withQuery(local, { sslmode: 'verify-full', sslrootcert: '/nowhere.pem' }) },
        'registry_refused',
        /sslrootcert/,
      );
    });

    it('asks another machine for a proof, whatever sslmode says, unless a person says otherwise', async function () {
      if (process.platform === 'win32') this.skip(); // 0.0.0.0 is no address to connect to there
      const other = url.replace('127.0.0.1', '0.0.0.0');
      for (const sslmode of ['', 'prefer', 'require', 'no-verify'])
        await fails({ url: withQuery(other, sslmode ? { sslmode } : {}) }, 'registry_unverified', /certificate/);
      const unproven = open({ url: other, allowUnverifiedTls: true });
      assert.equal((await unproven.status()).tls, 'unverified');
      const plain = open({ url: withQuery(other, { sslmode: 'disable' }), allowUnverifiedTls: true });
      assert.equal((await plain.status()).tls, 'none');
    });

    it('lets no variable of the environment decide', async () => {
      const before = { ...process.env };
      Object.assign(process.env, { PGSSLMODE: 'no-verify', PGPASSWORD: 'x', PGHOST: 'nowhere.invalid', PGPORT: '1' });
      try {
        assert.equal((await open({ url }).status()).tls, 'none');
      } finally {
        process.env = before;
      }
    });

    it('lets readers read and publishers publish, and neither do more', async () => {
      await server.administer(
        url,
        REGISTRY_ROLES,
        REGISTRY_ROLES,
        "CREATE ROLE reads LOGIN PASSWORD 'r' IN ROLE kaizen_reader",
        "CREATE ROLE publishes LOGIN PASSWORD 'p' IN ROLE kaizen_publisher",
        "CREATE ROLE stranger LOGIN PASSWORD 's'",
      );
      const reader = open({ url: urlFor(url, { user: 'reads', password: 'r' }) });
      const publisher = open({ url: urlFor(url, { user: 'publishes', password: 'p' }) });
      const stranger = open({ url: urlFor(url, { user: 'stranger', password: 's' }) });
      const right = { code: 'registry_refused', message: /permission denied/ };

      assert.equal((await reader.search({ query: 'one', limit: 5 })).total, 1);
      assert.equal((await reader.get('a'))?.content, 'One');
      assert.equal((await reader.status()).canPublish, false);
      await assert.rejects(reader.publish(publishRequest('b', 'Two')), right);
      await assert.rejects(reader.link('a', 'b', 'related', 'r'), right);
      await assert.rejects(
        reader.createCollection({ name: 'x', description: '', zettel_ids: [], collection_type: 'topic' }, 'r'),
        right,
      );

      assert.equal((await publisher.status()).canPublish, true);
      assert.equal((await publisher.publish(publishRequest('a', 'Two', { base: '1.0.0' }))).status, 'published');
      assert.equal(
        (
          await publisher.publish(
            publishRequest('b', 'New', { relationships: [{ to_zettel_id: 'a', relationship_type: 'extends' }] }),
          )
        ).status,
        'published',
      );
      await publisher.link('a', 'b', 'related', 'p');
      assert.equal(await publisher.unlink('a', 'b', 'related'), true);
      await publisher.createCollection(
        { name: 'y', description: '', zettel_ids: ['a'], collection_type: 'topic' },
        'p',
      );
      await assert.rejects(publisher.remove('a'), right);
      for (const statement of [
        'DELETE FROM kaizen.knowledge_entry_versions',
        "UPDATE kaizen.knowledge_entry_versions SET document = ''",
        'DROP TABLE kaizen.knowledge_entries',
        'ALTER TABLE kaizen.knowledge_entries ADD COLUMN x int',
        'CREATE TABLE kaizen.mine (x int)',
        'INSERT INTO kaizen.registry_schema (version) VALUES (7)',
        // Under whose name and when is the database's to say.
        ...[
          `published_as, published_at) VALUES ('team', '2001-01-01',`,
          `number) OVERRIDING SYSTEM VALUE VALUES (7,`,
        ].map(
          (forged) =>
            `INSERT INTO kaizen.knowledge_entry_versions (${forged.replace(
              /\)(.*)/,
              `, zettel_id, version, title, category, entry_type, tags, document, content_length, content_hash, published_by)$1 'a', '9.0.0', '', '', '', '{}', '', 0, '', '')`,
            )}`,
        ),
      ])
        await assert.rejects(
          server.administer(url, 'SET ROLE kaizen_publisher', statement),
          /permission denied|must be owner/,
          statement,
        );
      await assert.rejects(stranger.get('a'), right);
      await assert.rejects(stranger.init(), right);
    });

    it('lets nobody else in the database slip in a function of his own', async () => {
      const mine = await server.createDatabase();
      await server.administer(
        mine,
        'CREATE ROLE intruder LOGIN PASSWORD $$i$$',
        'GRANT CREATE ON SCHEMA public TO intruder',
        'SET ROLE intruder',
        `CREATE FUNCTION public.websearch_to_tsquery(text, text) RETURNS tsquery LANGUAGE plpgsql
           AS $$ BEGIN RAISE 'ran as %', current_user; END $$`,
        `CREATE FUNCTION public.lower(varchar) RETURNS text LANGUAGE plpgsql
           AS $$ BEGIN RAISE 'ran as %', current_user; END $$`,
        `CREATE FUNCTION public.has_table_privilege(text, varchar) RETURNS boolean LANGUAGE plpgsql
           AS $$ BEGIN RAISE 'ran as %', current_user; END $$`,
      );
      const registry = open({ url: mine });
      await registry.init();
      await registry.publish(publishRequest('a', 'One'));
      assert.equal((await registry.search({ query: 'one', limit: 5 })).total, 1);
      assert.equal((await registry.status()).canPublish, true);
    });

    it('publishes safely under another isolation by default, and leaves a server read-only that is so', async () => {
      const mine = await server.createDatabase();
      const name = new URL(mine).pathname.slice(1);
      await server.administer(mine, `ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`);
      const [one, two] = [open({ url: mine }), open({ url: mine })];
      await one.init();
      await one.publish(publishRequest('a', 'One'));
      const both = await Promise.all(
        [one, two].map((each, index) => each.publish(publishRequest('a', `${index}`, { base: '1.0.0' }))),
      );
      assert.deepEqual(both.map(({ status }) => status).sort(), ['conflict', 'published']);
      await server.administer(mine, `ALTER DATABASE ${name} SET default_transaction_read_only = on`);
      const late = open({ url: mine });
      await assert.rejects(late.publish(publishRequest('b', 'New')), {
        code: 'registry_refused',
        message: /read-only/,
      });
      assert.ok(await late.get('a'));
    });

    it('says what the server says in one line, and no more', async () => {
      const mine = await server.createDatabase();
      const registry = open({ url: mine });
      await registry.init();
      await server.administer(
        mine,
        `CREATE FUNCTION kaizen.nasty() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE '%', E'\\x1b[2J\\nno' || repeat('x', 100000); END $$`,
        'CREATE TRIGGER nasty BEFORE INSERT ON kaizen.knowledge_entries FOR EACH ROW EXECUTE FUNCTION kaizen.nasty()',
      );
      await assert.rejects(registry.publish(publishRequest('a', 'One')), (error: { code: string; message: string }) => {
        assert.equal(error.code, 'registry_failed');
        assert.ok(error.message.length < 1_000);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none is to be there
        assert.doesNotMatch(error.message, /[\x00-\x1f]/);
        return true;
      });
    });

    it('leaves nothing behind between transactions, as poolers want it that hand each to another connection', async () => {
      const registry = open({ url });
      await registry.get('a');
      const left = await server.administer(
        url,
        `SELECT state FROM pg_stat_activity WHERE application_name = 'kaizen' AND state <> 'idle'
         UNION ALL SELECT locktype FROM pg_locks WHERE locktype = 'advisory'
         UNION ALL SELECT name FROM pg_prepared_statements`,
      );
      assert.deepEqual(left, []);
    });

    it('lets a process end that has a connection open', () => {
      const program = `
        const { openRegistry } = require('./src/notes/registry');
        openRegistry({ url: ${JSON.stringify(url)} }).get('a').then((entry) => console.log(entry.zettel_id));
      `;
      const args = ['--import', 'tsx', '--input-type=commonjs', '-e', program];
      const said = execFileSync(process.execPath, args, { timeout: 15_000, encoding: 'utf8' });
      assert.equal(said, 'a\n');
    });
  });
});
