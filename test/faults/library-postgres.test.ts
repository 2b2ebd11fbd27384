import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LibraryKeeper } from '../../src/library/keeping/model';
import { madeDocument, madeRequest } from '../support/library-documents';
import { type DatabaseServer, startDatabaseServer } from '../support/postgres';
import { ServerLibraries } from '../support/server-libraries';
import { Peer } from '../support/tcp-peers';
import type { Answered } from './library-peer';
import { PeerProcesses } from './library-peer-process';

/** In the middle of every put: some passages were stored, others and the document's change are to come. */
const SLEEPS = [
  'CREATE FUNCTION kaizen_library.sleeps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(2); RETURN NULL; END $$',
  'CREATE TRIGGER sleeps AFTER INSERT ON kaizen_library.chunk_words EXECUTE FUNCTION kaizen_library.sleeps()',
];
const WAKES = ['DROP FUNCTION kaizen_library.sleeps CASCADE'];
const isSleeping = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'";

const isSight = (said: Answered): said is Extract<Answered, { hits: number[] }> => 'hits' in said;
const isPut = (said: Answered): said is Extract<Answered, { put: unknown }> => 'put' in said;

describe('a library on a server that goes away', function () {
  this.timeout(60_000);
  let server: DatabaseServer;
  let url: string;
  let keeper: LibraryKeeper;
  let peer: Peer | undefined;
  const libraries = new ServerLibraries(tmpdir());
  const processes = new PeerProcesses();
  const old = madeDocument('valves-1', ['The relief valve opens.', 'It is red.']);
  const sections = Array.from({ length: 250 }, (_, number) => `Turbine ${number} turns.`);
  const next = madeDocument('valves-1', sections, { updated_at: '2026-05-01T00:00:00.000Z' });

  before(async function () {
    server = await startDatabaseServer({ durable: true });
    if (server.kind === 'pglite') this.skip(); // takes a server of its own that can be killed
    await processes.build();
  });
  beforeEach(async () => {
    url = await server.createDatabase();
    keeper = await libraries.open({ url });
    await keeper.put(old.document, old.content);
  });
  afterEach(async () => {
    await processes.end();
    await libraries.close();
    await peer?.close();
    peer = undefined;
  });
  after(() => {
    processes.remove();
    return server.stop();
  });

  async function untilSleeping(): Promise<void> {
    while ((await server.administer(url, isSleeping)).length === 0) await sleep(20);
  }

  /** Nothing is half there: neither in what is read, nor in what is found. */
  async function isUntouched(each: LibraryKeeper): Promise<void> {
    assert.deepEqual(await each.documents(), [old.document]);
    assert.deepEqual(await each.content('valves-1'), old.content);
    assert.deepEqual((await each.search('turbine', { limit: 5 })).hits, []);
    assert.equal((await each.search('relief', { limit: 5 })).hits.length, 1);
  }

  it('has nothing of a put in whose middle the server was killed, and takes it when asked again', async () => {
    await server.administer(url, ...SLEEPS);
    const put = assert.rejects(keeper.put(next.document, next.content), { code: 'registry_unreachable' });
    await untilSleeping();
    await server.crash();
    await put;
    await assert.rejects(keeper.documents(), { code: 'registry_unreachable', message: /^The library at / });

    await server.start();
    await server.administer(url, ...WAKES);
    await isUntouched(keeper);
    await keeper.put(next.document, next.content, old.document.updated_at);
    assert.deepEqual(await keeper.content('valves-1'), next.content);
    assert.deepEqual((await keeper.search('relief', { limit: 5 })).hits, []);
  });

  it('has what was put when the server is killed straight after', async () => {
    await keeper.put(next.document, next.content);
    await keeper.putRequest(madeRequest('r-1'));
    await server.crash();
    await server.start();
    assert.deepEqual(await keeper.content('valves-1'), next.content);
    assert.deepEqual(await keeper.requests(), [madeRequest('r-1')]);
  });

  it('has nothing of a put whose connection was cut', async () => {
    await server.administer(url, ...SLEEPS);
    peer = await Peer.before(server.port);
    const far = await libraries.open({ url: url.replace(`:${server.port}`, `:${peer.port}`) });
    const put = assert.rejects(far.put(next.document, next.content), { code: 'registry_unreachable' });
    await untilSleeping();
    peer.cut();
    await put;
    await server.administer(url, ...WAKES);
    await isUntouched(keeper);
  });

  it('lets another process read what was there while somebody puts, and one of the two win', async () => {
    const other = await processes.start(url);
    await server.administer(url, ...SLEEPS);
    const first = keeper.put(next.document, next.content, old.document.updated_at);
    await untilSleeping();
    other.tell({ see: 'valves-1', words: ['turbine', 'relief'] });
    assert.deepEqual(await other.answer(isSight), { documents: [old.document], content: old.content, hits: [0, 1] });
    const mine = madeDocument('valves-1', ['Mine.'], { updated_at: '2026-06-01T00:00:00.000Z' });
    other.tell({ put: mine, expected: old.document.updated_at });
    assert.deepEqual(await other.answer(isPut), { put: { code: 'conflict' } });
    await first;
    other.tell({ see: 'valves-1', words: ['turbine', 'relief'] });
    assert.deepEqual(await other.answer(isSight), { documents: [next.document], content: next.content, hits: [5, 0] });
    const heard = await other.answer((said) => 'changed' in said);
    assert.deepEqual(heard, { changed: ['valves-1'] });
  });

  it('has nothing of a put whose process was killed, and lets the next one in', async () => {
    const other = await processes.start(url);
    await server.administer(url, ...SLEEPS);
    other.tell({ put: next, expected: old.document.updated_at });
    await untilSleeping();
    await other.kill();
    await isUntouched(keeper);
    await server.administer(url, ...WAKES);
    await keeper.put(next.document, next.content, old.document.updated_at);
    assert.deepEqual(await keeper.content('valves-1'), next.content);
  });

  it('sees what others have changed once the server is there again', async () => {
    const other = await libraries.open({ url });
    const heard: (readonly string[] | undefined)[] = [];
    other.onDidChange(({ documents }) => heard.push(documents));
    await server.crash();
    await server.start();
    await keeper.put(next.document, next.content);
    const until = Date.now() + 40_000;
    while (!heard.some((documents) => documents === undefined || documents.includes('valves-1'))) {
      assert.ok(Date.now() < until, 'it has heard of nothing');
      await sleep(50);
    }
  });
});
