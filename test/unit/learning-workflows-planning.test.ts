import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { OutcomeInput, PlanningRequest, ProjectInput } from '../../src/learning';
import { spreadOf } from '../../src/learning/workflows/estimates';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';

describe('Planning', () => {
  const open = useHalls();
  let hall: Hall;
  beforeEach(async () => {
    hall = await open({ person: 'ada' });
  });

  const plan = (request: PlanningRequest) => hall.workflows.plan(request);

  async function completed(
    name: string,
    project: Partial<ProjectInput> = {},
    outcome: OutcomeInput = {},
  ): Promise<string> {
    const given = { name, project_type: 'web_shop', description: 'A shop with a cart.', ...project };
    const { record } = await hall.learning.write({ operation: 'capture_project', project: given }, BY_TESTER);
    await hall.learning.write({ operation: 'capture_outcome', project_id: record.id, outcome }, BY_TESTER);
    return record.id;
  }

  const shop = () =>
    completed(
      'Shop of tea',
      {
        tasks: [{ name: 'Design' }, { name: 'Cart', depends_on: ['Design'] }],
        phases: ['Draft', 'Build'],
        checkpoints: ['Design review'],
        identified_risks: ['The bank is late', { description: 'Security of the cart', category: 'security' }],
        identified_dependencies: [{ description: 'Contract with the bank', type: 'external' }],
        constraints_applied: [{ description: 'Data stays in the country', source: 'law' }],
        estimated_duration_days: 20,
      },
      {
        actual_duration_days: 30,
        actual_effort_hours: 200,
        what_didnt_work: ['Mocking the bank late'],
        outcome_summary: 'It sells.',
      },
    );

  it('finds templates with their forms, narrowed by the form', async () => {
    const id = await shop();
    await hall.learning.write({ operation: 'capture_template', project_id: id, template_name: 'Web shop' }, BY_TESTER);
    const { results } = await plan({ operation: 'find_templates', project_type: 'web_shop' });
    assert.equal(results[0]?.title, 'Web shop');
    assert.deepEqual(results[0].details?.forms, ['task_list', 'checklist', 'phase_structure']);
    const wbs = await plan({ operation: 'find_templates', project_type: 'web_shop', template_type: 'wbs' });
    assert.deepEqual([...wbs.results], []);
    const phases = await plan({
      operation: 'find_templates',
      project_description: 'shop with a cart',
      template_type: 'phase_structure',
    });
    assert.equal(phases.results[0]?.title, 'Web shop');
  });

  it('finds precedents, with outcomes unless they are not wanted', async () => {
    await shop();
    const { results } = await plan({
      operation: 'find_precedents',
      project_type: 'web_shop',
      similarity_factors: ['bank', 'moon'],
    });
    assert.equal((results[0]!.details!.outcome as { outcome_summary: string }).outcome_summary, 'It sells.');
    assert.deepEqual(results[0]?.details?.similarity_factors, ['bank']);
    const bare = await plan({ operation: 'find_precedents', project_type: 'web_shop', include_outcomes: false });
    assert.equal(bare.results[0]?.details?.outcome, undefined);
  });

  it('takes what went wrong once for no example of a project, and quotes what a project was about', async () => {
    const cart = { description: 'A cart for tea, with tea in the cart.', tasks: [{ name: 'Tea cart in the shop' }] };
    await completed('Shop', cart);
    await completed('Cart of tea lost', { project_type: 'rcca', description: 'The cart for tea was lost.' });
    const { results } = await plan({ operation: 'find_precedents', project_description: 'a cart for tea' });
    const of = (title: string) => results.find((result) => result.title === title)!;
    assert.ok(of('Shop').semantic_score > of('Cart of tea lost').semantic_score);
    assert.match(of('Shop').content, /^A cart for tea/);
    assert.doesNotMatch(of('Shop').content, /## Tasks/);
  });

  it('finds risks, dependencies, constraints and checkpoints, narrowed by kind', async () => {
    await shop();
    const contents = async (request: PlanningRequest) => (await plan(request)).results.map(({ content }) => content);
    const project_type = 'web_shop';
    const risks = await contents({ operation: 'identify_risks', project_type });
    assert.ok(risks.includes('The bank is late'));
    assert.ok(risks.includes('Mocking the bank late'));
    const secure = await contents({ operation: 'identify_risks', project_type, risk_categories: ['security'] });
    assert.ok(secure.includes('Security of the cart'));
    assert.ok(!secure.includes('The bank is late'));
    const dependencies = await contents({ operation: 'identify_dependencies', project_type });
    assert.ok(dependencies.includes('Contract with the bank'));
    assert.ok(dependencies.includes('Cart ← Design'));
    const external = await contents({
      operation: 'identify_dependencies',
      project_type,
      dependency_types: ['external'],
    });
    assert.deepEqual(external, ['Contract with the bank']);
    assert.ok((await contents({ operation: 'find_constraints', project_type })).includes('Data stays in the country'));
    assert.ok((await contents({ operation: 'find_checkpoints', project_type })).includes('Design review'));
  });

  describe('estimate_scope', () => {
    const ask = (project_type = 'web_shop') => plan({ operation: 'estimate_scope', project_type });

    it('gives ranges of what projects took, and how far estimates were off', async () => {
      for (const [at, days] of [10, 20, 30, 40, 50].entries()) {
        await completed(
          `Shop ${at}`,
          { estimated_duration_days: 20 },
          { actual_duration_days: days, actual_effort_hours: days * 8 },
        );
      }
      await completed(
        'Bridge',
        { project_type: 'bridge', description: 'Steel over water.' },
        { actual_duration_days: 900 },
      );
      await hall.learning.write(
        { operation: 'capture_project', project: { name: 'Planned', project_type: 'web_shop' } },
        BY_TESTER,
      );
      const { extra, confidence, results } = await ask();
      assert.equal(extra.projects, 5);
      assert.equal(extra.sufficient, true);
      assert.deepEqual(extra.duration_days, {
        projects: 5,
        min: 10,
        lower_quartile: 20,
        median: 30,
        upper_quartile: 40,
        max: 50,
      });
      assert.equal((extra.estimate_to_actual as { duration: { mean: number; projects: number } }).duration.mean, 1.5);
      assert.equal(results.length, 5);
      assert.ok(confidence > 0 && confidence < 1);
    });

    it('says that fewer than three are examples', async () => {
      await shop();
      const { extra, message } = await ask();
      assert.equal(extra.sufficient, false);
      assert.equal((extra.duration_days as { lower_quartile?: number }).lower_quartile, undefined);
      assert.match(message!, /Only 1 similar project behind it/);
    });

    it('gives nothing from nothing', async () => {
      const { extra, confidence, message } = await ask();
      assert.equal(extra.duration_days, null);
      assert.equal(confidence, 0);
      assert.match(message!, /nothing to estimate from/);
    });

    it('keeps quartiles in order and within what was seen', () => {
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: 10_000 }), { minLength: 3, maxLength: 40 }), (values) => {
          const spread = spreadOf(values)!;
          const order = [spread.min, spread.lower_quartile!, spread.median, spread.upper_quartile!, spread.max];
          assert.deepEqual(
            order,
            [...order].sort((a, b) => a - b),
          );
          assert.equal(spread.min, Math.min(...values));
          assert.equal(spread.max, Math.max(...values));
        }),
      );
    });
  });
});
