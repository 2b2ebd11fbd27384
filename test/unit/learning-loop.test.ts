import assert from 'node:assert/strict';
import type { LearningPart, OutcomeInput } from '../../src/learning';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';

/** Seed 003, 3.2 and 10.2: what worked rises, what failed sinks. */
describe('the learning loop', () => {
  const open = useHalls();
  let hall: Hall;
  let learning: LearningPart;
  beforeEach(async () => {
    hall = await open();
    learning = hall.learning;
  });

  const template = async (name: string): Promise<string> => {
    const project = { name: `First ${name}`, description: 'A project template.', project_type: name };
    const { record } = await learning.write({ operation: 'capture_project', project }, BY_TESTER);
    const write = { operation: 'capture_template', project_id: record.id, template_name: name } as const;
    return (await learning.write(write, BY_TESTER)).record.id;
  };
  const use = async (source_template_id: string, outcome: OutcomeInput, more: object = {}): Promise<string> => {
    const project = { name: 'Use', source_template_id, ...more };
    const project_id = (await learning.write({ operation: 'capture_project', project }, BY_TESTER)).record.id;
    await learning.write({ operation: 'capture_outcome', project_id, outcome }, BY_TESTER);
    return project_id;
  };
  /** As `find_templates` ranks. */
  const ranked = async () =>
    (await learning.search({ query: 'project template', kinds: ['template'] }))
      .map(({ id, uri, score }) => {
        const effectiveness = learning.effectivenessOf(uri);
        return { id, effectiveness: effectiveness.score, combined: learning.combinedScore(score, effectiveness) };
      })
      .sort((one, other) => other.combined - one.combined);

  for (const first of ['the good', 'the bad']) {
    it(`ranks the template higher whose project went well, though ${first} one was there first`, async () => {
      const a = await template(first === 'the good' ? 'Template A' : 'Template B');
      const b = await template(first === 'the good' ? 'Template B' : 'Template A');
      const [good, bad] = first === 'the good' ? [a, b] : [b, a];
      const before = await ranked();
      assert.deepEqual(
        before.map(({ effectiveness }) => effectiveness),
        [0.5, 0.5],
      );
      await use(good, { status: 'completed', success_rating: 0.9 });
      await use(bad, { status: 'abandoned', success_rating: 0.3, outcome_summary: 'It failed.' });
      const after = await ranked();
      assert.deepEqual(
        after.map(({ id }) => id),
        [good, bad],
      );
      assert.ok(after[0]!.effectiveness > 0.5 && after[1]!.effectiveness < 0.5);
    });
  }

  it('tells an outcome of a project, and how it got to the template, in the explanation of the score', async () => {
    const id = await template('Template A');
    const tasks = [{ name: 'One more' }, { name: 'And another' }];
    const project = await use(id, { success_rating: 0.9, outcome_summary: 'Went well.' }, { tasks });
    const { samples } = learning.explain(id);
    const given = samples.map(({ factor, value, weight, tier, propagated_from }) => [
      factor,
      value,
      weight,
      tier,
      propagated_from,
    ]);
    // Two modifications: max(0.3, 1 - 2 × 0.1), detailed.
    assert.deepEqual(given, [['effectiveness', 0.9, 0.8, 'detailed', project]]);
    const [record] = learning.feedbackOn(project);
    assert.equal(record!.feedback_type, 'project_success');
    assert.equal(record!.feedback_source, 'outcome_tracking');
    assert.equal(record!.comment, 'Went well.');
    assert.equal(record!.author, 'tester');
  });

  it('stays between project and template where propagation is switched off, and goes on when it is not', async () => {
    const id = await template('Template A');
    learning.useSettings({ score_propagation_enabled: false });
    await use(id, { success_rating: 1 });
    assert.equal(learning.scoreOf(id).composite_score, 0.5);
    learning.useSettings({});
    await use(id, { success_rating: 1 });
    assert.ok(learning.scoreOf(id).composite_score > 0.5);
  });

  it('is seen by other windows at once', async () => {
    const id = await template('Template A');
    const other = (await open({ shared: hall.shared })).learning;
    assert.equal(other.scoreOf(id).composite_score, 0.5);
    await use(id, { success_rating: 1 });
    assert.equal(other.scoreOf(id).composite_score, learning.scoreOf(id).composite_score);
    assert.ok(other.scoreOf(id).composite_score > 0.5);
  });

  it('leaves nothing behind of an outcome that was only tried', async () => {
    const project_id = await use(await template('Template A'), { success_rating: 1 });
    await learning.write({ operation: 'transition_project', project_id, transition: 'reopen' }, BY_TESTER);
    const before = [learning.get('project', project_id), learning.scoreOf(project_id), learning.feedbackOn(project_id)];
    await learning.write(
      { operation: 'capture_outcome', project_id, outcome: { success_rating: 0, lessons_learned: ['One'] } },
      { ...BY_TESTER, rehearse: true },
    );
    const after = [learning.get('project', project_id), learning.scoreOf(project_id), learning.feedbackOn(project_id)];
    assert.deepEqual(after, before);
    assert.deepEqual(learning.list('lesson'), []);
  });
});
