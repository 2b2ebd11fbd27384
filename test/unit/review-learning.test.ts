import assert from 'node:assert/strict';
import type { LearningWrite } from '../../src/learning';
import type { ProposedWrite } from '../../src/review';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';

const AGENT = { author: 'agent', by_agent: true };

describe('what an agent wants to capture', () => {
  const open = useHalls();

  it('is shown as it would be left, and not stored', async () => {
    const hall = await open();
    const { record } = await hall.learning.write(
      { operation: 'capture_project', project: { name: 'Shop' } },
      BY_TESTER,
    );
    const shown = async (input: LearningWrite) => {
      const { id } = await hall.review.propose({ operation: 'write_learning', input }, AGENT);
      return (await hall.review.preview(id))!;
    };
    const outcome = { status: 'completed', success_rating: 0.8, outcome_summary: 'It sells.' } as const;
    const ended = await shown({ operation: 'capture_outcome', project_id: record.id, outcome });
    assert.deepEqual([ended.title, /It sells/.test(ended.before)], ['Shop', false]);
    assert.match(ended.after, /State: completed[\s\S]*It sells\./);
    const removed = await shown({ operation: 'delete', kind: 'project', id: record.id });
    assert.match(removed.before, /^# Shop/);
    assert.equal(removed.after, '');
    assert.equal(hall.learning.get('project', record.id)?.status, 'planning');
  });

  it('is deleted once a person accepts, and comes back by undoing it', async () => {
    const hall = await open();
    const lesson = { title: 'Ask first', lesson: 'Ask.' };
    const { record } = await hall.learning.write({ operation: 'capture_lesson', lesson }, BY_TESTER);
    const input: LearningWrite = { operation: 'delete', kind: 'lesson', id: record.id };
    const { id } = await hall.review.propose({ operation: 'write_learning', input }, AGENT);
    await hall.review.accept(id, { confirmed: false }, BY_TESTER);
    assert.equal(hall.learning.get('lesson', record.id), undefined);
    const [revision] = hall.learning.revisions({ kind: 'lesson', id: record.id });
    assert.deepEqual([revision?.operation, revision?.author, revision?.by_agent], ['delete', 'agent', true]);
    await hall.learning.undo(revision!.revision, BY_TESTER);
    assert.equal(hall.learning.get('lesson', record.id)?.title, 'Ask first');
  });
});

describe('an acceptance of something captured that was cut off', () => {
  const open = useHalls();

  /** The process is "killed" just before or just after the write: the claim stays, as it does when the process is gone. */
  async function cutOff(
    hall: Hall,
    write: ProposedWrite,
    step: 'before' | 'after',
    meanwhile: (next: Hall) => Promise<unknown> = async () => undefined,
  ) {
    const { id } = await hall.review.propose(write, AGENT);
    const killed = new Error('killed');
    const part = hall.learning as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
    for (const name of ['write', 'feedback']) {
      const original = part[name]!.bind(part);
      part[name] = async (...args) => {
        if (step === 'after') await original(...args);
        Object.assign(hall.review, { store: { write: () => Promise.reject(killed) } });
        throw killed;
      };
    }
    await assert.rejects(hall.review.accept(id, { confirmed: false }, BY_TESTER), killed);
    hall.clock.advanceMinutes(2);
    const next = await open({ data: hall.data, shared: hall.shared, clock: hall.clock });
    assert.equal(next.review.proposals().length, 1);
    await meanwhile(next);
    await next.review.accept(id, { confirmed: false }, BY_TESTER);
    assert.deepEqual(next.review.proposals(), []);
    return next;
  }

  for (const step of ['before', 'after'] as const) {
    it(`${step} the write captures once`, async () => {
      const input: LearningWrite = { operation: 'capture_lesson', lesson: { title: 'Ask first', lesson: 'Ask.' } };
      const { learning } = await cutOff(await open(), { operation: 'write_learning', input }, step);
      assert.equal(learning.list('lesson').length, 1);
    });

    it(`${step} the write ends a project once`, async () => {
      const hall = await open();
      const project = { name: 'Shop' };
      const { record } = await hall.learning.write({ operation: 'capture_project', project }, BY_TESTER);
      const outcome = { success_rating: 0.8, outcome_summary: 'It sells.' };
      const input: LearningWrite = { operation: 'capture_outcome', project_id: record.id, outcome };
      const { learning } = await cutOff(hall, { operation: 'write_learning', input }, step);
      assert.equal(learning.get('project', record.id)?.outcome_summary, 'It sells.');
      assert.equal(learning.feedbackOn(record.id).length, 1);
    });

    it(`${step} the write gives feedback once`, async () => {
      const hall = await open();
      const lesson = { title: 'Ask first', lesson: 'Ask.' };
      const { record } = await hall.learning.write({ operation: 'capture_lesson', lesson }, BY_TESTER);
      const input = { operation: 'rate', artifact_id: record.id, artifact_type: 'chunk', rating: 0.9 } as const;
      const { learning } = await cutOff(hall, { operation: 'give_feedback', input }, step);
      assert.equal(learning.feedbackOn(record.id).length, 1);
    });
  }

  it('before the write gives feedback also where the same agent said the opposite since', async () => {
    const hall = await open();
    const lesson = { title: 'Ask first', lesson: 'Ask.' };
    const { record } = await hall.learning.write({ operation: 'capture_lesson', lesson }, BY_TESTER);
    const rated = { operation: 'rate', artifact_id: record.id, artifact_type: 'chunk' } as const;
    const write: ProposedWrite = { operation: 'give_feedback', input: { ...rated, helpful: false } };
    const { learning } = await cutOff(hall, write, 'before', (next) =>
      next.learning.feedback({ ...rated, helpful: true }, AGENT),
    );
    const said = learning.feedbackOn(record.id).map(({ feedback_type }) => feedback_type);
    assert.deepEqual(said, ['helpful', 'not_helpful']);
  });
});
