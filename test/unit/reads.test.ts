import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { mock } from 'node:test';
import { protocolToolset } from '../../src/mcp/toolsets/protocol';
import { Lock } from '../../src/store/lock';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';
import { fingerprint } from '../support/stores';

/** Keywords of entries that no agent was given since counting began. */
async function neverRead({ knowledge }: Hall): Promise<string[]> {
  const { never_read } = await knowledge.statistics();
  return never_read.map(({ keyword }) => keyword).sort();
}

async function fill(hall: Hall): Promise<void> {
  await hall.define('general', 'GENERAL');
  await hall.define('shop', 'PROJECT');
  await hall.put('general', 'git', 'commit');
  await hall.put('general', 'git', 'push');
  await hall.put('shop', 'api', 'refunds');
}

/** As an agent asks for them. */
async function ask({ kaizen }: Hall, ...keywords: string[]): Promise<void> {
  const tool = protocolToolset.tools.find(({ name }) => name === 'get_knowledge')!;
  const call = { author: 'agent', agentWrites: 'allow' as const, signal: new AbortController().signal };
  await tool.run(await kaizen.parts(), { scope_id: 'shop', keywords }, call);
}

describe('what agents were given', () => {
  const open = useHalls();
  let hall: Hall;

  /** The same stores, opened anew. */
  async function again(options: { countReads?: boolean } = {}): Promise<Hall> {
    const { data, shared, clock } = hall;
    await hall.kaizen.close();
    return open({ data, shared, clock, ...options });
  }

  beforeEach(async () => {
    hall = await open({ countReads: true });
    await fill(hall);
  });

  afterEach(() => mock.timers.reset());

  it('is counted in both stores, and since when', async () => {
    assert.equal((await hall.knowledge.statistics()).reads_since, null);
    await ask(hall, 'commit', 'refunds');
    hall.clock.advanceMinutes(5);
    await ask(hall, 'commit');
    hall = await again();
    assert.deepEqual(await neverRead(hall), ['push']);
    hall.clock.advanceMinutes(200 * 24 * 60);
    const { reads_since, stale } = await hall.knowledge.statistics();
    assert.equal(reads_since, '2026-05-04T09:00:00.000Z');
    assert.deepEqual(
      stale.map(({ keyword, last_read_at }) => [keyword, last_read_at]),
      [
        ['commit', '2026-05-04T09:05:00.000Z'],
        ['push', null],
        ['refunds', '2026-05-04T09:00:00.000Z'],
      ],
    );
  });

  it('is not counted unless the hall is told to', async () => {
    hall = await again();
    const before = [fingerprint(hall.data), fingerprint(hall.shared)];
    await ask(hall, 'commit');
    hall = await again();
    assert.deepEqual([fingerprint(hall.data), fingerprint(hall.shared)], before);
    assert.equal((await hall.knowledge.statistics()).reads_since, null);
  });

  it('is written down after half a minute, whatever is read meanwhile, and leaves what is remembered as it is', async () => {
    const { data, shared, clock } = hall;
    const peer = await open({ data, shared, clock });
    const heard: string[][] = [];
    await peer.kaizen.onDidChange((topics) => heard.push([...topics]));
    mock.timers.enable({ apis: ['setTimeout'] });
    await ask(hall, 'commit');
    mock.timers.tick(29_000);
    await ask(hall, 'push');
    const before = fingerprint(shared);
    const remembered = peer.knowledge.getKnowledge('shop', ['commit'])[0];
    assert.equal((await peer.knowledge.statistics()).reads_since, null);
    mock.timers.tick(1_000);
    mock.timers.reset();
    while ((await peer.knowledge.statistics()).reads_since === null) await new Promise((done) => setTimeout(done, 5));
    assert.notDeepEqual(fingerprint(shared), before);
    assert.deepEqual(await neverRead(peer), ['refunds']);
    assert.equal(peer.knowledge.getKnowledge('shop', ['commit'])[0], remembered);
    await new Promise(setImmediate);
    assert.deepEqual(new Set(heard.flat()), new Set(['reads']));
  });

  it('is forgotten with an entry that is gone', async () => {
    await ask(hall, 'commit', 'push');
    hall = await again({ countReads: true });
    await hall.knowledge.delete({ scope_id: 'general', category: 'git', keyword: 'push' }, BY_TESTER);
    await ask(hall, 'commit');
    hall = await again();
    await hall.put('general', 'git', 'push', 'another rule');
    assert.deepEqual(await neverRead(hall), ['push', 'refunds']);
  });

  it('never makes a read fail, nor closing wait for somebody else for long', async () => {
    const lock = new Lock(hall.shared, 'lock');
    await lock.acquire();
    try {
      await ask(hall, 'commit', 'refunds');
      // The lock is given back when it is closed, and not before.
      const reopened = await again();
      assert.throws(() => hall.knowledge.listScopes());
      hall.knowledge.noteReads(reopened.knowledge.getKnowledge('shop', ['commit']));
      hall = reopened;
    } finally {
      lock.release();
      lock.dispose();
    }
    assert.deepEqual(await neverRead(hall), ['commit', 'push']);
  });

  it('keeps no process alive', () => {
    const script = `
      const { Kaizen } = require(${JSON.stringify(path.resolve('src/kaizen.ts'))});
      const kaizen = new Kaizen({ data: process.argv[1], shared: process.argv[2], countReads: true });
      kaizen.parts().then(({ knowledge }) => knowledge.noteReads(knowledge.getKnowledge('shop', ['commit'])));`;
    const args = ['--import', 'tsx', '--input-type=commonjs', '-e', script, hall.data, hall.shared];
    // What was read is written after 30 s.
    execFileSync(process.execPath, args, { stdio: 'pipe', timeout: 25_000 });
  }).timeout(30_000);
});
