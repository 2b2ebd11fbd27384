import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LearningPart, TaskInput } from '../../src/learning';
import { BY_TESTER, error, type Hall, useHalls } from '../support/hall';

const DAY_MINUTES = 24 * 60;

/** What is personal stays its owner's, where several people use one store. */
describe('what another person has captured for themselves', () => {
  const open = useHalls();
  let ada: Hall;
  let grace: Hall;
  let secret: string;
  let ours: string;
  beforeEach(async () => {
    ada = await open({ person: 'ada', countReads: true });
    grace = await open({ person: 'grace', shared: ada.shared, countReads: true });
    const capture = async (name: string, visibility: 'personal' | 'team') =>
      (await ada.learning.write({ operation: 'capture_project', project: { name, visibility } }, BY_TESTER)).record.id;
    secret = `knowledge://learning/project/${await capture('A secret', 'personal')}`;
    ours = `knowledge://learning/project/${await capture('Ours', 'team')}`;
    for (const artifact_id of [secret, ours]) {
      const said = { artifact_id, artifact_type: 'project', helpful: true, comment: 'Said of it' } as const;
      await ada.learning.feedback({ operation: 'rate', ...said }, BY_TESTER);
    }
    ada.learning.noteUse('retrieved', [secret, ours]);
    await ada.learning.flush();
  });

  const addresses = (items: readonly { artifact: string }[]) => items.map(({ artifact }) => artifact);

  it('is in none of their lists of scores and uses', async () => {
    for (const [{ learning }, seen] of [
      [ada, [ours, secret]],
      [grace, [ours]],
    ] as const) {
      assert.deepEqual(addresses(await learning.scores()).sort(), [...seen].sort());
      assert.deepEqual(addresses(learning.uses()).sort(), [...seen].sort());
      assert.deepEqual(addresses(learning.neverUsed()).sort(), [...seen].sort());
    }
    assert.deepEqual([grace.learning.isHidden(secret), grace.learning.isHidden(ours)], [true, false]);
    assert.deepEqual([ada.learning.isHidden(secret), grace.learning.isHidden(`${secret}0`)], [false, false]);
  });

  it('is in no file of theirs, nor is what was said of it', () => {
    for (const personal of [true, false]) {
      const file = JSON.stringify(grace.learning.export({ personal, counts: true }));
      assert.doesNotMatch(file, /secret/);
      assert.match(file, /Ours/);
    }
  });

  it('counts for a template of all, which does not tell them of what it came', async () => {
    const template_name = 'Shared';
    const project_id = ours;
    const { record } = await ada.learning.write(
      { operation: 'capture_template', project_id, template_name },
      BY_TESTER,
    );
    const project = { name: 'Layoffs', source_template_id: record.id };
    const { record: own } = await ada.learning.write({ operation: 'capture_project', project }, BY_TESTER);
    const said = {
      operation: 'rate',
      artifact_id: own.id,
      artifact_type: 'project',
      usage_context: 'Layoffs',
    } as const;
    await ada.learning.feedback({ ...said, rating: 1 }, BY_TESTER);
    const told = ({ learning }: Hall) => JSON.stringify([learning.explain(record.id), learning.feedbackOn(record.id)]);
    assert.match(told(ada), /layoffs.*Layoffs/s);
    assert.doesNotMatch(told(grace), /layoffs/i);
    assert.equal(grace.learning.explain(record.id).samples[0]?.propagated_from, 'personal');
    const worked = ({ learning }: Hall) => learning.scoreOf(record.id).factors.effectiveness;
    assert.deepEqual(worked(grace), worked(ada));
  });

  it('keeps its relations while they work', async () => {
    const relation = { source: secret, target: ours, type: 'causes' } as const;
    await ada.relations.add(relation, BY_TESTER);
    assert.deepEqual(await grace.relations.find({}), []);
    // What changes makes each side look at the ends of all relations again.
    await grace.learning.write({ operation: 'capture_project', project: { name: 'Hers' } }, BY_TESTER);
    await grace.relations.tidy(BY_TESTER);
    assert.equal((await ada.relations.find({})).length, 1);
  });
});

describe('an export without what is personal', () => {
  const open = useHalls();

  it('has no feedback on what was deleted: nobody can say whether it was personal', async () => {
    const { learning } = await open({ person: 'ada' });
    const project = { name: 'A secret' };
    const { record } = await learning.write({ operation: 'capture_project', project }, BY_TESTER);
    const outcome = { outcome_summary: 'It failed.', success_rating: 0.1 };
    await learning.write({ operation: 'capture_outcome', project_id: record.id, outcome }, BY_TESTER);
    await learning.write({ operation: 'delete', kind: 'project', id: record.id }, BY_TESTER);
    assert.deepEqual(learning.export().feedback, []);
    assert.equal(learning.export({ personal: true }).feedback.length, 1);
    assert.deepEqual(await learning.scores(), [], 'of what is not there, no score is shown');
  });
});

describe('patterns of the product', () => {
  const open = useHalls();
  let hall: Hall;
  let learning: LearningPart;
  beforeEach(async () => {
    hall = await open({ person: 'ada' });
    learning = hall.learning;
  });

  it('do not age until somebody rates them, or makes one their own', async () => {
    const [first, second] = learning.list('pattern');
    const score = (id: string) => learning.effectivenessOf(`knowledge://learning/pattern/${id}`).score;
    hall.clock.advanceMinutes(1_000 * DAY_MINUTES);
    assert.deepEqual([score(first!.id), score(second!.id)], [0.5, 0.5]);
    assert.match(learning.explain(first!.id).steps.join('\n'), /nobody rated or used it, so that nothing ages/);

    const { id, name, pattern_type, domain, description, indicators } = second!;
    const pattern = { id, name, pattern_type, domain, description, indicators };
    await learning.write({ operation: 'capture_pattern', pattern }, BY_TESTER);
    assert.equal(score(id), 0.5, 'it is new');
    const rating = { artifact_id: first!.id, artifact_type: 'pattern', rating: 0.5 } as const;
    await learning.feedback({ operation: 'rate', ...rating }, BY_TESTER);
    hall.clock.advanceMinutes(40 * DAY_MINUTES);
    assert.deepEqual([score(first!.id), score(id)], [0.475, 0.475]);
  });
});

describe('the simple score, explained', () => {
  const open = useHalls();

  it('is a sum that can be followed', async () => {
    const { learning } = await open({ person: 'ada' });
    const { id } = learning.list('pattern')[0]!;
    const on = { artifact_id: id, artifact_type: 'pattern', operation: 'rate' } as const;
    const line = () =>
      learning
        .explain(id)
        .steps.at(-1)!
        .replace(/ \(\d+ positive.*/, '');
    assert.equal(line(), 'simple score, for comparison = 0.5');
    await learning.feedback({ ...on, helpful: true }, BY_TESTER);
    await learning.feedback({ ...on, helpful: false }, BY_TESTER);
    assert.equal(line(), 'simple score, for comparison = 1 / (1 + 1) = 0.5');
    await learning.feedback({ ...on, helpful: true, rating: 0.9 }, BY_TESTER);
    await learning.feedback({ ...on, rating: 0.6 }, BY_TESTER);
    const sum = line().split(' = ')[1]!;
    assert.match(sum, /^2 \/ \(2 \+ 1\) × 0\.4 \+ \(0\.[69] \+ 0\.[69]\) \/ 2 × 0\.6$/);
    const counted = (2 / (2 + 1)) * 0.4 + ((0.9 + 0.6) / 2) * 0.6;
    assert.ok(Math.abs(learning.scoreOf(id).simple.score - counted) < 1e-9);
  });

  it('tells of what was propagated the whole weight', async () => {
    const { learning } = await open({ person: 'ada' });
    const capture = (project: { name: string; source_template_id?: string; template_modifications?: string[] }) =>
      learning.write({ operation: 'capture_project', project }, BY_TESTER);
    const { record } = await capture({ name: 'First' });
    await learning.write({ operation: 'capture_outcome', project_id: record.id, outcome: {} }, BY_TESTER);
    const template_name = 'A template';
    const made = await learning.write(
      { operation: 'capture_template', project_id: record.id, template_name },
      BY_TESTER,
    );
    const second = { name: 'Second', source_template_id: made.record.id, template_modifications: ['One', 'Two'] };
    const { id } = (await capture(second)).record;
    const rating = { operation: 'rate', artifact_id: id, artifact_type: 'project', rating: 1 } as const;
    const { propagation } = await learning.feedback(rating, BY_TESTER);
    assert.match(propagation.note, /with weight 0\.8 \(2 modifications of the template\) × 0\.4 as it is quick$/);
    const sample = learning.explain(made.record.id).samples.find(({ propagated_from }) => propagated_from === id);
    assert.ok(Math.abs(sample!.weight - 0.8 * 0.4) < 1e-9);
  });
});

describe('a claim against which nothing speaks', () => {
  const open = useHalls();

  it('is no question that was asked and not found', async () => {
    const { learning, workflows } = await open({ countReads: true });
    const found = await workflows.explore({ operation: 'counterarguments', claim: 'Pumps are primed by hand.' });
    assert.deepEqual(found.results, []);
    await workflows.rcca({ operation: 'find_similar', problem_description: 'The zzyzx stands still.' });
    await learning.flush();
    const asked = learning.queries(10, { unanswered: true }).map(({ query }) => query);
    assert.deepEqual(asked, ['The zzyzx stands still.']);
  });
});

describe('an estimate for a type of project', () => {
  const open = useHalls();

  it('is of projects of the type alone, as soon as there are three', async () => {
    const { learning, workflows } = await open({ person: 'ada' });
    const capture = async (project_type: string, days: number) => {
      const project = { name: `Payment work ${days}`, description: 'Payments', project_type };
      const { record } = await learning.write({ operation: 'capture_project', project }, BY_TESTER);
      const outcome = { actual_duration_days: days };
      await learning.write({ operation: 'capture_outcome', project_id: record.id, outcome }, BY_TESTER);
    };
    const range = async () => {
      const { extra } = await workflows.plan({ operation: 'estimate_scope', project_type: 'payment' });
      const { projects, duration_days } = extra as { projects: number; duration_days: { min: number; max: number } };
      return [projects, duration_days.min, duration_days.max];
    };
    for (const days of [10, 20]) await capture('payment', days);
    await capture('rcca', 1);
    assert.deepEqual(await range(), [3, 1, 20]);
    await capture('payment', 30);
    assert.deepEqual(await range(), [3, 10, 30]);
  });
});

describe('an import', () => {
  const open = useHalls();

  it('takes no tasks that wait for or contain each other in a circle, and no template that none can follow', async () => {
    const { learning } = await open({ person: 'ada' });
    const tasks = [{ name: 'A' }, { name: 'B', depends_on: ['A'], parent_task: 'A' }];
    const { record } = await learning.write(
      { operation: 'capture_project', project: { name: 'Shop', tasks } },
      BY_TESTER,
    );
    const template = { operation: 'capture_template', project_id: record.id, template_name: 'Shops' } as const;
    await learning.write(template, BY_TESTER);
    const [project] = learning.list('project');
    const [shops] = learning.list('template');
    const [first, second] = project!.tasks as [object, object];
    const ways = [
      { kind: 'project', record: { ...project, tasks: [{ ...first, parent_task_id: 'task-2' }, second] } },
      { kind: 'project', record: { ...project, tasks: [{ ...first, depends_on: ['task-1'] }, second] } },
      { kind: 'template', record: { ...shops, task_template: shops!.task_template.slice(1) } },
      {
        kind: 'template',
        record: { ...shops, task_template: shops!.task_template.map((each) => ({ ...each, depends_on: ['B'] })) },
      },
    ];
    for (const wrong of ways) {
      const said = error('invalid_argument', /records\[0\]\.record\.task(s|_template) cannot be: (Tasks|The task)/);
      await assert.rejects(learning.import({ records: [wrong] }, { overwrite: true }, BY_TESTER), said);
    }
    assert.deepEqual(learning.list('project'), [project]);
    const whole = JSON.parse(JSON.stringify(learning.export({ personal: true })));
    assert.equal((await learning.import(whole, {}, BY_TESTER)).unchanged, 2);
  });

  it('takes every template that was made of projects', async () => {
    const { learning } = await open({ person: 'ada' });
    const at = fc.option(fc.nat(4), { nil: undefined });
    const task = fc.record({ name: fc.constantFrom('A', 'a', 'B', 'C  c', 'c C', 'D'), parent: at, waits: at });
    const plans = fc.array(fc.array(task, { maxLength: 5 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(plans, async (all) => {
        const template_name = `Template ${learning.list('template').length}`;
        for (const plan of all) {
          const tasks = plan.map(({ name, parent, waits }): TaskInput => {
            const named = (index: number | undefined) => (index === undefined ? undefined : plan[index]?.name);
            return { name, parent_task: named(parent), depends_on: [named(waits) ?? ''] };
          });
          const project = { name: 'P', tasks };
          // Tasks that do not go together are refused here already.
          const made = await learning
            .write({ operation: 'capture_project', project }, BY_TESTER)
            .catch(() => undefined);
          if (!made) continue;
          await learning.write({ operation: 'capture_outcome', project_id: made.record.id, outcome: {} }, BY_TESTER);
          const template = { operation: 'capture_template', project_id: made.record.id, template_name } as const;
          await learning.write(template, BY_TESTER);
        }
        const file = JSON.parse(JSON.stringify(learning.export({ personal: true, kinds: ['template'] })));
        const { unchanged } = await learning.import(file, {}, { ...BY_TESTER, rehearse: true });
        assert.equal(unchanged, learning.list('template').length);
      }),
      { numRuns: 60 },
    );
  });
});
