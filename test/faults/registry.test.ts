import assert from 'node:assert/strict';
import { Client } from 'pg';
import type { Registry } from '../../src/notes';
import { openRegistry } from '../../src/notes/registry';
import { type DatabaseServer, startDatabaseServer } from '../support/postgres';
import { publishRequest } from '../support/published-notes';
import { Peer } from '../support/tcp-peers';

/** 5 s are promised; the rest is for a machine with more to do than this. Who sets no limit waits for minutes. */
const PATIENCE_MS = 20_000;
/** In the middle of every publish: after the entry and its version were written, before they are committed. */
const SLEEPS = [
  'CREATE FUNCTION kaizen.sleeps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(2); RETURN NULL; END $$',
  'CREATE TRIGGER sleeps AFTER INSERT ON kaizen.knowledge_entry_versions FOR EACH ROW EXECUTE FUNCTION kaizen.sleeps()',
];
const WAKES = ['DROP FUNCTION kaizen.sleeps CASCADE'];

describe('a registry that goes away', function () {
  this.timeout(60_000);
  let server: DatabaseServer;
  let url: string;
  let registry: Registry;
  let peer: Peer | undefined;

  before(async function () {
    server = await startDatabaseServer({ durable: true });
    if (server.kind === 'pglite') this.skip(); // takes a server of its own that can be killed
  });
  beforeEach(async () => {
    url = await server.createDatabase();
    registry = openRegistry({ url });
    await registry.init();
  });
  afterEach(async () => {
    await registry.close();
    await peer?.close();
    peer = undefined;
  });
  after(() => server.stop());

  async function unreachable(asked: Promise<unknown>): Promise<void> {
    const start = Date.now();
    await assert.rejects(asked, { code: 'registry_unreachable' });
    assert.ok(Date.now() - start < PATIENCE_MS, `after ${Date.now() - start} ms`);
  }

  async function through(onSent?: (bytes: Buffer, proxy: Peer) => void): Promise<Registry> {
    peer = await Peer.before(server.port, onSent);
    await registry.close();
    registry = openRegistry({ url: url.replace(`:${server.port}`, `:${peer.port}`) });
    return registry;
  }

  it('has all of a publish or nothing of it when the server is killed in the middle, and takes it when asked again', async () => {
    await registry.publish(publishRequest('b', 'B'));
    await server.administer(url, ...SLEEPS);
    const relationships = [{ to_zettel_id: 'b', relationship_type: 'extends' as const }];
    const first = registry.publish(publishRequest('a', 'One', { relationships }));
    const second = registry.publish(publishRequest('b', 'B 2', { base: '1.0.0' }));
    const both = Promise.all([unreachable(first), unreachable(second)]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    await server.crash();
    await both;
    await unreachable(registry.get('a'));

    await server.start();
    await server.administer(url, ...WAKES);
    assert.equal(await registry.get('a'), undefined);
    assert.equal((await registry.get('b'))?.content, 'B');
    assert.deepEqual([(await registry.versions('a')).length, await registry.relationships('b')], [0, []]);
    const again = await registry.publish(publishRequest('a', 'One', { relationships }));
    assert.deepEqual([again.status, again.status === 'published' && again.version], ['published', '1.0.0']);
  });

  it('keeps what was published when the server is killed straight after', async () => {
    const outcome = await registry.publish(publishRequest('a', 'One'));
    await server.crash();
    assert.equal(outcome.status, 'published');
    await server.start();
    assert.equal((await registry.get('a'))?.content, 'One');
  });

  it('has published once when the answer is lost and it is asked again', async () => {
    await through((bytes, proxy) => {
      if (!bytes.includes('COMMIT\0')) return; // and not READ COMMITTED
      proxy.mute();
      setTimeout(() => proxy.cut(), 300);
    });
    await unreachable(registry.publish(publishRequest('a', 'One')));
    const direct = openRegistry({ url });
    const again = await direct.publish(publishRequest('a', 'One'));
    assert.deepEqual([again.status, again.status === 'unchanged' && again.version], ['unchanged', '1.0.0']);
    assert.equal((await direct.versions('a')).length, 1);
    await direct.close();
  });

  it('is asked over a new connection when the kept ones broke meanwhile', async () => {
    await Promise.all([registry.get('a'), registry.get('b'), registry.get('c')]);
    await server.administer(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kaizen'",
    );
    assert.equal((await registry.publish(publishRequest('a', 'One'))).status, 'published');
    await server.crash();
    await server.start();
    assert.equal((await registry.get('a'))?.content, 'One');
  });

  it('is asked over a new connection when a kept one answers no more', async () => {
    await through();
    await registry.get('a');
    await new Promise((resolve) => setTimeout(resolve, 100));
    peer?.mute();
    const start = Date.now();
    assert.equal((await registry.publish(publishRequest('a', 'One'))).status, 'published');
    assert.ok(Date.now() - start < PATIENCE_MS);
  });

  it('is given up on when it says nothing in the middle of a call', async () => {
    await through((bytes, proxy) => {
      if (bytes.includes('knowledge_entries')) proxy.mute();
    });
    await unreachable(registry.get('a'));
    await unreachable(registry.search({ query: 'x', limit: 1 }));
  });

  it('is given up on when somebody holds a lock for long', async () => {
    const other = new Client({ connectionString: url, ssl: false });
    await other.connect();
    await other.query('BEGIN; LOCK TABLE kaizen.knowledge_entries');
    await unreachable(registry.get('a'));
    await unreachable(registry.publish(publishRequest('a', 'One')));
    await other.query('ROLLBACK');
    await other.end();
    assert.equal((await registry.publish(publishRequest('a', 'One'))).status, 'published');
  });

  it('runs nothing on after it was cancelled', async () => {
    await server.administer(url, ...SLEEPS);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 300);
    await assert.rejects(registry.publish(publishRequest('a', 'One'), stop.signal), { code: 'cancelled' });
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    assert.equal(await registry.get('a'), undefined);
  });
});
