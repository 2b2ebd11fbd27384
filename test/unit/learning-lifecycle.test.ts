import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LearningPart, OutcomeStatus, ProjectRecord, ProjectStatus, Transition } from '../../src/learning';
import { BY_TESTER, error, type Hall, useHalls } from '../support/hall';

const REASON = 'It is no longer needed.';

describe('the life of a captured project', () => {
  const open = useHalls();
  let hall: Hall;
  let learning: LearningPart;
  beforeEach(async () => {
    hall = await open();
    learning = hall.learning;
  });

  const capture = async (name = 'Shop'): Promise<string> =>
    (await learning.write({ operation: 'capture_project', project: { name } }, BY_TESTER)).record.id;
  const transition = (project_id: string, transition: Exclude<Transition, 'complete'>, reason?: string) =>
    learning.write({ operation: 'transition_project', project_id, transition, reason }, BY_TESTER);
  const outcome = (project_id: string, status?: OutcomeStatus, more: object = {}) =>
    learning.write(
      { operation: 'capture_outcome', project_id, outcome: { status, outcome_summary: REASON, ...more } },
      BY_TESTER,
    );
  const project = (id: string): ProjectRecord => learning.get('project', id)!;
  const go = (id: string, step: Transition) =>
    step === 'complete' ? outcome(id, 'completed') : transition(id, step, REASON);

  /** The ways to each state from planning. */
  const TO: Record<ProjectStatus, Transition[]> = {
    planning: [],
    active: ['activate'],
    completed: ['activate', 'complete'],
    abandoned: ['activate', 'abandon'],
  };
  const LEADS: Partial<Record<ProjectStatus, Partial<Record<Transition, ProjectStatus>>>> = {
    planning: { activate: 'active' },
    active: { complete: 'completed', abandon: 'abandoned' },
    completed: { reopen: 'active' },
  };

  it('goes from planning to active, completed and, reopened, to active again', async () => {
    const id = await capture();
    assert.equal(project(id).status, 'planning');
    await transition(id, 'activate');
    assert.equal(project(id).status, 'active');
    await outcome(id, 'completed', { outcome_summary: 'Done', success_rating: 0.8 });
    assert.equal(project(id).status, 'completed');
    assert.equal(project(id).outcome_summary, 'Done');
    await transition(id, 'reopen');
    assert.equal(project(id).status, 'active');
    await assert.rejects(transition(id, 'activate'), error('invalid_transition', 'active', 'complete, abandon'));
  });

  for (const from of Object.keys(TO) as ProjectStatus[]) {
    for (const step of ['activate', 'complete', 'abandon', 'reopen'] as const) {
      const to = LEADS[from]?.[step];
      // An outcome of a project in planning activates it first: so says the issue.
      if (from === 'planning' && step === 'complete') continue;
      it(`${to ? `leads from ${from} to ${to}` : `refuses, from ${from},`} by ${step}`, async () => {
        const id = await capture();
        for (const each of TO[from]) await go(id, each);
        const before = project(id);
        if (to) {
          await go(id, step);
          assert.equal(project(id).status, to);
          const last = project(id).status_history.at(-1)!;
          assert.deepEqual(last, {
            from_status: from,
            to_status: to,
            transition: step,
            timestamp: '2026-05-04T09:00:00.000Z',
            reason: step === 'complete' ? '' : REASON,
            author: 'tester',
          });
          assert.equal(project(id).status_history.length, before.status_history.length + 1);
          return;
        }
        const allowed = Object.keys(LEADS[from] ?? {});
        const says = allowed.length > 0 ? `Allowed from ${from}: ${allowed.join(', ')}` : `leads on from ${from}`;
        await assert.rejects(go(id, step), error('invalid_transition', step, from, says));
        assert.deepEqual(project(id), before);
      });
    }
  }

  it('says when it began and ended, and that it goes on once it is reopened', async () => {
    const id = await capture();
    assert.equal(project(id).start_date, undefined);
    hall.clock.advanceMinutes(1);
    await transition(id, 'activate');
    hall.clock.advanceMinutes(1);
    await outcome(id, 'completed');
    const { start_date, end_date, completed_at } = project(id);
    assert.equal(start_date, '2026-05-04T09:01:00.000Z');
    assert.equal(end_date, '2026-05-04T09:02:00.000Z');
    assert.equal(completed_at, end_date);
    await transition(id, 'reopen');
    assert.equal(project(id).start_date, start_date);
    assert.equal(project(id).end_date, undefined);
    assert.equal(project(id).completed_at, undefined);
    assert.equal(project(id).status_history.at(-2)!.timestamp, end_date);
  });

  it('is not abandoned without a reason, and tells a wrong state before a missing reason', async () => {
    const id = await capture();
    await assert.rejects(transition(id, 'abandon'), error('invalid_transition', 'planning', 'activate'));
    await transition(id, 'activate');
    await assert.rejects(transition(id, 'abandon', '  '), error('invalid_argument', 'transition_project', 'reason'));
    assert.equal(project(id).status, 'active');
    await assert.rejects(
      outcome(id, 'abandoned', { outcome_summary: ' ' }),
      error('invalid_argument', 'capture_outcome', 'outcome_summary'),
    );
    assert.equal(project(id).status, 'active');
  });

  it('is activated before its outcome where it was still in planning', async () => {
    const id = await capture();
    await outcome(id, 'completed');
    const steps = project(id).status_history.map(({ transition, to_status }) => [transition, to_status]);
    assert.deepEqual(steps, [
      ['activate', 'active'],
      ['complete', 'completed'],
    ]);
    assert.equal(project(id).start_date, '2026-05-04T09:00:00.000Z');
  });

  it('completes with the mark that it was partial, and abandons with the summary as the reason', async () => {
    const partial = await capture('Partial');
    await outcome(partial, 'partial', { outcome_summary: 'Half of it.' });
    assert.equal(project(partial).status, 'completed');
    assert.equal(project(partial).outcome_status, 'partial');
    const abandoned = await capture('Abandoned');
    await outcome(abandoned, 'abandoned', { outcome_summary: 'The customer left.', actual_effort_hours: 12 });
    assert.equal(project(abandoned).status, 'abandoned');
    assert.equal(project(abandoned).status_history.at(-1)!.reason, 'The customer left.');
    assert.equal(project(abandoned).actual_effort_hours, 12);
    assert.equal(project(abandoned).completed_at, undefined);
  });

  it('keeps what was captured when it is reopened, until a new outcome takes its place', async () => {
    const id = await capture();
    await outcome(id, 'completed', { outcome_summary: 'First', success_rating: 0.4, what_worked: ['Pairing'] });
    const first = project(id);
    await transition(id, 'reopen', 'Phase 2');
    assert.equal(project(id).outcome_summary, 'First');
    assert.deepEqual(project(id).what_worked, ['Pairing']);
    await outcome(id, 'completed', { outcome_summary: 'Second', success_rating: 0.9 });
    assert.equal(project(id).outcome_summary, 'Second');
    assert.equal(project(id).success_rating, 0.9);
    assert.deepEqual(project(id).what_worked, []);
    const earlier = learning.revisions({ kind: 'project', id }).map(({ after }) => after);
    assert.ok(earlier.some((after) => JSON.stringify(after) === JSON.stringify(first)));
    await assert.rejects(outcome(id, 'completed'), error('invalid_transition', 'completed', 'reopen'));
  });

  it('refuses an outcome that cannot be, and then nothing has changed', async () => {
    const id = await capture();
    const before = project(id);
    await assert.rejects(
      outcome(id, 'completed', { success_rating: 1.1 }),
      error('invalid_argument', 'success rating'),
    );
    await assert.rejects(outcome(id, 'completed', { actual_duration_days: -1 }), error('invalid_argument', 'duration'));
    await assert.rejects(
      outcome(id, 'done' as OutcomeStatus),
      error('invalid_argument', 'completed, partial, abandoned'),
    );
    await assert.rejects(outcome('proj-none'), error('unknown_project', 'proj-none'));
    assert.deepEqual(project(id), before);
    assert.equal(learning.revisions().length, 1);
  });

  it('has its lessons captured on their own with its outcome, each once', async () => {
    const id = await capture();
    const lessons = ['Mock the payment API early. It was down for days.', 'Ask legal first'];
    const { also } = await outcome(id, 'completed', { lessons_learned: lessons });
    assert.equal(also.filter(({ kind }) => kind === 'lesson').length, 2);
    await transition(id, 'reopen');
    await outcome(id, 'completed', { lessons_learned: [...lessons, 'A third one'] });
    const captured = learning.list('lesson');
    assert.deepEqual(captured.map(({ lesson }) => lesson).sort(), [...lessons, 'A third one'].sort());
    const [mock] = captured.filter(({ title }) => title === 'Mock the payment API early');
    assert.equal(mock!.project_id, id);
    assert.deepEqual(mock!.sources, [`knowledge://learning/project/${id}`]);
  });

  it('reaches only the states of the seed, by only its steps, whatever is tried', async () => {
    const STEPS = ['activate', 'complete', 'abandon', 'reopen'] as const;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { maxLength: 12 }), async (steps) => {
        const id = await capture();
        let status: ProjectStatus = 'planning';
        let taken = 0;
        for (const step of steps) {
          // An outcome in planning is two steps.
          const to: ProjectStatus | undefined =
            status === 'planning' && step === 'complete' ? 'completed' : LEADS[status]?.[step];
          if (to === undefined) await assert.rejects(go(id, step), error('invalid_transition'));
          else {
            await go(id, step);
            taken += status === 'planning' && step === 'complete' ? 2 : 1;
            status = to;
          }
          assert.equal(project(id).status, status);
        }
        const history = project(id).status_history;
        assert.equal(history.length, taken);
        let before: ProjectStatus = 'planning';
        for (const { from_status, to_status, transition } of history) {
          assert.equal(from_status, before);
          assert.equal(LEADS[from_status]?.[transition], to_status);
          before = to_status;
        }
        assert.equal(before, status);
      }),
      { numRuns: 40 },
    );
  });
});
