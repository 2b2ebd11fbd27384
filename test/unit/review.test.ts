import assert from 'node:assert/strict';
import type { Change } from '../../src/knowledge';
import type { ProposedWrite } from '../../src/review';
import { BY_TESTER, error, type Hall, useHalls } from '../support/hall';

const AGENT: Change = { author: 'agent', by_agent: true, project_context: 'shop', reason: 'learned' };
const ALICE: Change = { author: 'alice' };
const KEY = { scope_id: 'shop', category: 'git', keyword: 'commit' };

const store = (content: string, scope = 'shop'): ProposedWrite => ({
  operation: 'store',
  input: { target_scope_id: scope, category: 'git', keyword: 'commit', content, metaknowledge: { REASON: 'r' } },
});

describe('what agents propose', () => {
  const open = useHalls();
  let hall: Hall;
  beforeEach(async () => {
    hall = await open();
    await hall.define('general', 'GENERAL');
    await hall.define('shop', 'PROJECT');
  });

  it('waits, is written by accepting it, and is the agent’s with the person in the reason', async () => {
    const { review, knowledge } = hall;
    const { id } = await review.propose(store('Include the ticket'), AGENT);
    assert.equal(knowledge.entry(KEY), undefined);
    assert.deepEqual(
      review
        .proposals()
        .map(({ author, reason, base_revision, project_context }) => [author, reason, base_revision, project_context]),
      [['agent', 'learned', 0, 'shop']],
    );
    await review.accept(id, { confirmed: false }, ALICE);
    const [revision, ...more] = knowledge.history(KEY);
    assert.deepEqual(more, []);
    assert.deepEqual([revision?.author, revision?.by_agent, revision?.content], ['agent', true, 'Include the ticket']);
    assert.equal(revision?.reason, `Accepted by alice (proposal ${id}): learned`);
    assert.equal(revision?.project_context, 'shop');
    assert.deepEqual(review.proposals(), []);
    assert.equal(review.proposal(id)?.decision?.action, 'accepted');
  });

  it('goes by rejecting it, and can be looked up for 30 days', async () => {
    const { review, knowledge, clock } = hall;
    const { id } = await review.propose(store('Never commit'), AGENT);
    await review.reject(id, ALICE);
    assert.equal(knowledge.entry(KEY), undefined);
    assert.deepEqual(review.proposals(), []);
    const { decision, ...kept } = review.proposal(id)!;
    assert.deepEqual([decision?.action, decision?.by], ['rejected', 'alice']);
    assert.equal(kept.operation === 'store' && kept.input.content, 'Never commit');
    clock.advanceMinutes(31 * 24 * 60);
    const later = await review.propose(store('Another'), AGENT);
    await review.reject(later.id, ALICE);
    assert.equal(review.proposal(id), undefined);
  });

  it('is checked as writing it would be', async () => {
    const { review } = hall;
    await assert.rejects(review.propose(store('x', 'shp'), AGENT), error('unknown_scope', 'shop'));
    await assert.rejects(review.propose(store(''), AGENT), error('invalid_argument', 'content'));
    await assert.rejects(review.propose({ operation: 'delete', input: KEY }, AGENT), error('unknown_entry'));
    const second: ProposedWrite = { operation: 'define_scope', input: { scope_id: 'g2', tier: 'GENERAL' } };
    await assert.rejects(review.propose(second, AGENT), error('conflict', 'general'));
    const wrong: ProposedWrite = {
      operation: 'store_session',
      input: { project_id: 'general', summary: 's', tasks_completed: [] },
    };
    await assert.rejects(review.propose(wrong, AGENT), error('wrong_tier'));
    const tasks: ProposedWrite = {
      operation: 'update_progress',
      input: { project_id: 'shop', tasks: [{ name: ' ', state: 'completed' }] },
    };
    await assert.rejects(review.propose(tasks, AGENT), error('invalid_argument', 'task name'));
    assert.deepEqual(review.proposals(), []);
    assert.equal(hall.knowledge.listScopes().length, 2);
  });

  it('asks for confirmation when the entry was changed since', async () => {
    const { review, knowledge, put } = hall;
    await put('shop', 'git', 'commit', 'old');
    const { id } = await review.propose(store('new'), AGENT);
    await put('shop', 'git', 'commit', 'changed by a person');
    await assert.rejects(review.accept(id, { confirmed: false }, ALICE), error('confirmation_required', 'commit'));
    assert.equal(knowledge.entry(KEY)?.content, 'changed by a person');
    assert.equal(review.proposals().length, 1, 'it waits again');
    await review.accept(id, { confirmed: true }, ALICE);
    assert.equal(knowledge.entry(KEY)?.content, 'new');
  });

  it('waits again as it was when rejecting it is taken back', async () => {
    const { review, put, clock } = hall;
    await put('shop', 'git', 'commit', 'old');
    const proposed = await review.propose(store('new'), AGENT);
    const { id } = proposed;
    await put('shop', 'git', 'commit', 'changed by a person');
    clock.advanceMinutes(5);
    await review.reject(id, ALICE);
    await review.reconsider(id, ALICE);
    assert.deepEqual(review.proposals(), [proposed], 'no news of an agent, and with what it was proposed against');
    await review.reconsider(id, ALICE);
    await assert.rejects(review.accept(id, { confirmed: false }, ALICE), error('confirmation_required', 'commit'));
    await review.accept(id, { confirmed: true }, ALICE);
    await assert.rejects(
      review.reconsider(id, ALICE),
      error('unknown_proposal', `${id} was accepted already by alice`),
    );
  });

  it('is decided once: whoever comes second is told by whom', async () => {
    const { review, knowledge, data, shared } = hall;
    const { id } = await review.propose(store('once'), AGENT);
    const other = await open({ data, shared });
    const outcomes = await Promise.allSettled([
      review.accept(id, { confirmed: false }, ALICE),
      other.review.accept(id, { confirmed: false }, { author: 'bob' }),
    ]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.equal(knowledge.history(KEY).length, 1);
    await assert.rejects(other.review.reject(id, ALICE), error('unknown_proposal', `${id} was accepted already by`));
    await assert.rejects(review.accept(999, { confirmed: false }, ALICE), error('unknown_proposal', '999'));
  });

  it('is kept once when an agent says it again', async () => {
    const { review } = hall;
    const first = await review.propose(store('same'), AGENT);
    const again = await review.propose(store('same'), AGENT);
    const other = await review.propose(store('other'), AGENT);
    assert.deepEqual([again.id, other.id > first.id, review.proposals().length], [first.id, true, 2]);
  });

  it('covers every kind of write', async () => {
    const { review, knowledge, continuity, clock, put } = hall;
    await put('shop', 'git', 'commit', 'old');
    continuity.getProjectOverview('shop');
    clock.advanceMinutes(25);
    const writes: ProposedWrite[] = [
      { operation: 'delete', input: KEY },
      { operation: 'define_scope', input: { scope_id: 'payments', tier: 'GROUP', name: 'Payments' } },
      { operation: 'store_overview', input: { project_id: 'shop', purpose: 'Sells things' } },
      { operation: 'store_session', input: { project_id: 'shop', summary: 'Did it', tasks_completed: ['it'] } },
      {
        operation: 'update_progress',
        input: {
          project_id: 'shop',
          current_sprint: 'Seven',
          tasks: [{ name: 'a : b', domain: 'api', state: 'blocked', blocker: 'waits\nfor c' }],
        },
      },
    ];
    for (const write of writes) await review.propose(write, AGENT);
    clock.advanceMinutes(24 * 60);
    assert.equal(continuity.getSessionHistory('shop').length, 0);
    const previews = await Promise.all(review.proposals().map(async ({ id }) => (await review.preview(id))!));
    assert.deepEqual(
      previews.map(({ title }) => title),
      ['commit', 'payments', 'shop', 'shop', 'shop'],
    );
    assert.deepEqual([previews[0]?.before, previews[0]?.after], ['old', '']);
    assert.match(previews[1]!.after, /Tier: GROUP[\s\S]*Name: Payments/);
    assert.match(previews[2]!.after, /## Purpose\n\nSells things/);
    assert.match(previews[3]!.after, /Minutes: 25[\s\S]*Did it[\s\S]*- it/);
    assert.match(previews[4]!.after, /Sprint: Seven[\s\S]*- a : b \(api\) – blocked: waits for c\n/);
    for (const { id } of review.proposals()) await review.accept(id, { confirmed: false }, ALICE);
    assert.equal(knowledge.entry(KEY), undefined);
    assert.equal(knowledge.scope('payments').name, 'Payments');
    assert.equal(continuity.getProjectOverview('shop').purpose, 'Sells things');
    const [session] = continuity.getSessionHistory('shop');
    assert.deepEqual([session?.date, session?.duration_minutes], ['2026-05-04', 25], 'as it was when proposed');
    assert.equal(continuity.getProgressStatus('shop').current_sprint, 'Seven');
  });

  it('holds at most a thousand', async () => {
    const { review } = hall;
    for (let n = 0; n < 1_000; n++) await review.propose(store(`rule ${n}`), AGENT);
    await assert.rejects(review.propose(store('one more'), AGENT), error('review_full', '1000'));
  }).timeout(60_000);

  it('holds no more text than every process can keep in memory', async () => {
    const { review } = hall;
    const large = 'x'.repeat(65_536);
    const fill = async () => {
      for (let n = 0; n < 300; n++) await review.propose(store(`${n}${large}`.slice(0, 65_536)), AGENT);
    };
    await assert.rejects(fill(), error('review_full', 'no room'));
    assert.ok(review.proposals().length > 200);
  }).timeout(60_000);

  it('is part of no export', async () => {
    const before = await hall.kaizen.exportRecords();
    await hall.review.propose(store('secret plan'), AGENT);
    assert.deepEqual(await hall.kaizen.exportRecords(), before);
  });
});

describe('an acceptance that was cut off', () => {
  const open = useHalls();

  /** A hall whose process is "killed" at the n-th write of an acceptance: nothing of it, nor after it, is stored. */
  async function cutOffAt(step: 'before the write' | 'after the write', write: ProposedWrite, scope = 'shop') {
    const hall = await open();
    await hall.define('general', 'GENERAL');
    await hall.define('shop', 'PROJECT');
    const { id } = await hall.review.propose(write, AGENT);
    const killed = new Error('killed');
    const { knowledge, continuity } = hall;
    const names = ['storeOverwrite', 'storeSessionSummary'] as const;
    for (const part of [knowledge, continuity] as unknown as Record<
      string,
      (...args: unknown[]) => Promise<unknown>
    >[]) {
      for (const name of names) {
        const original = part[name]?.bind(part);
        if (!original) continue;
        part[name] = async (...args) => {
          if (step === 'after the write') await original(...args);
          // The claim stays, as it does when the process is gone.
          Object.assign(hall.review, { store: { write: () => Promise.reject(killed) } });
          throw killed;
        };
      }
    }
    await assert.rejects(hall.review.accept(id, { confirmed: false }, ALICE), killed);
    hall.clock.advanceMinutes(2);
    const next = await open({ data: hall.data, shared: hall.shared, clock: hall.clock });
    return { ...next, id, key: { ...KEY, scope_id: scope } };
  }

  for (const scope of ['shop', 'general']) {
    it(`before the write into ${scope} is made good by accepting again`, async () => {
      const { review, knowledge, id, key } = await cutOffAt('before the write', store('x', scope), scope);
      assert.equal(review.proposals().length, 1);
      await review.accept(id, { confirmed: false }, ALICE);
      assert.equal(knowledge.history(key).length, 1);
    });

    it(`after the write into ${scope} writes nothing twice`, async () => {
      const { review, knowledge, id, key } = await cutOffAt('after the write', store('x', scope), scope);
      await knowledge.storeOverwrite({ ...key, target_scope_id: scope, content: 'a person, later' }, BY_TESTER);
      await review.accept(id, { confirmed: false }, ALICE);
      assert.deepEqual(
        knowledge.history(key).map(({ content }) => content),
        ['x', 'a person, later'],
      );
      assert.deepEqual(review.proposals(), []);
    });
  }

  it('stores a session once', async () => {
    const session: ProposedWrite = {
      operation: 'store_session',
      input: { project_id: 'shop', summary: 'Did it', tasks_completed: [] },
    };
    const { review, continuity, id } = await cutOffAt('after the write', session);
    await review.accept(id, { confirmed: false }, ALICE);
    assert.equal(continuity.getSessionHistory('shop').length, 1);
  });

  it('can still be rejected when its scope was deleted since', async () => {
    const { review, knowledge, id } = await cutOffAt('before the write', store('x'));
    await knowledge.deleteScope('shop', { confirmed: true }, ALICE);
    await review.reject(id, ALICE);
    assert.deepEqual(review.proposals(), []);
  });

  it('and had written is not rejected as if it had not', async () => {
    const { review, id } = await cutOffAt('after the write', store('x'));
    await assert.rejects(review.reject(id, ALICE), error('conflict', 'written'));
    assert.deepEqual(review.proposals(), []);
  });
});
