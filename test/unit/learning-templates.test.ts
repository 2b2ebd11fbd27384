import assert from 'node:assert/strict';
import type { LearningPart, LearningWrite, OutcomeInput, ProjectInput, ProjectTemplate } from '../../src/learning';
import { BY_TESTER, error, type Hall, useHalls } from '../support/hall';

describe('templates from projects', () => {
  const open = useHalls();
  let hall: Hall;
  let learning: LearningPart;
  beforeEach(async () => {
    hall = await open({ person: 'ada' });
    learning = hall.learning;
  });

  const write = (given: LearningWrite) => learning.write(given, BY_TESTER);
  const project = async (input: Partial<ProjectInput>, outcome?: OutcomeInput): Promise<string> => {
    const given = { name: 'Shop', project_type: 'web_shop', domain: 'software', ...input };
    const project_id = (await write({ operation: 'capture_project', project: given })).record.id;
    if (outcome) await write({ operation: 'capture_outcome', project_id, outcome });
    return project_id;
  };
  const abstracted = async (project_id: string, template_name = 'Shops', generalization_notes?: string) => {
    const { record } = await write({ operation: 'capture_template', project_id, template_name, generalization_notes });
    return learning.get('template', record.id)!;
  };
  const hours = ({ task_template }: ProjectTemplate) =>
    Object.fromEntries(
      task_template.map(({ name, estimated_hours, hours_range, seen_in }) => [
        name,
        [estimated_hours, hours_range?.from, hours_range?.to, seen_in],
      ]),
    );

  it('take nothing from a project that fewer people see', async () => {
    const tasks = [{ name: 'Build' }];
    const shared = await abstracted(await project({ tasks, visibility: 'team' }));
    const own = await project({ tasks: [{ name: 'Buy the rival' }] });
    const personal = await abstracted(own);
    assert.notEqual(personal.id, shared.id);
    assert.equal(personal.visibility, 'personal');
    assert.deepEqual(learning.get('template', shared.id), shared);
    assert.equal((await abstracted(await project({ tasks, visibility: 'team' }))).id, shared.id);
    assert.equal((await abstracted(own)).id, personal.id);
  });

  it('keep what generalises, and leave the rest behind', async () => {
    const id = await project({
      description: 'Sells things.',
      tags: ['payments'],
      context_factors: { team_size: 2, start_date: '2026-01-01' },
      checkpoints: ['Review'],
      identified_risks: [
        { description: 'Bank', severity: 'high', owner: 'Ada', status: 'open', due_date: '2026-02-01' },
      ],
      identified_dependencies: ['A sandbox of the bank'],
      tasks: [
        { name: 'Build', parent_task: 'All', depends_on: ['Plan'], estimated_hours: 8, phase: 'Work' },
        { name: 'Plan', estimated_hours: 4, estimated_complexity: 'low' },
        { name: 'All' },
        { name: 'Polish', depends_on: ['Build'] },
        { name: 'Ship', depends_on: ['Polish', 'Build'] },
      ],
      estimated_duration_days: 20,
      visibility: 'team',
    });
    const tasks = [
      { name: 'Build', actual_hours: 12, actual_complexity: 'high', completion_notes: 'Tough', status: 'completed' },
      { name: 'Plan', status: 'completed' },
      { name: 'All' },
      { name: 'Polish', status: 'skipped' },
      { name: 'Ship' },
    ] as const;
    await write({ operation: 'update_project', project_id: id, project: { tasks } });
    await write({
      operation: 'capture_outcome',
      project_id: id,
      outcome: { actual_duration_days: 27, actual_effort_hours: 130, success_rating: 0.8, outcome_summary: 'Done' },
    });
    const { id: template_id, ...template } = await abstracted(id, 'Shops', 'Without the bank.');
    assert.match(template_id, /^tmpl-shops-[0-9a-f]{8}$/);
    assert.deepEqual(template, {
      created_at: '2026-05-04T09:00:00.000Z',
      updated_at: '2026-05-04T09:00:00.000Z',
      author: 'tester',
      name: 'Shops',
      description: 'Sells things.',
      project_type: 'web_shop',
      domain: 'software',
      tags: ['payments'],
      visibility: 'team',
      owner: 'ada',
      task_template: [
        {
          name: 'Build',
          description: '',
          parent: 'All',
          phase: 'Work',
          estimated_hours: 12,
          hours_range: { from: 12, to: 12 },
          estimated_complexity: 'high',
          depends_on: ['Plan'],
          seen_in: 1,
        },
        {
          name: 'Plan',
          description: '',
          estimated_hours: 4,
          hours_range: { from: 4, to: 4 },
          estimated_complexity: 'low',
          depends_on: [],
          seen_in: 1,
        },
        { name: 'All', description: '', depends_on: [], seen_in: 1 },
        { name: 'Ship', description: '', depends_on: ['Build'], seen_in: 1 },
      ],
      phase_template: ['Work'],
      checkpoint_template: ['Review'],
      risk_template: [{ description: 'Bank', severity: 'high' }],
      typical_duration_range: '4 weeks',
      duration_days: { from: 27, to: 27 },
      effort_hours: { from: 130, to: 130 },
      typical_task_count: 4,
      complexity_level: 'high',
      prerequisites: ['A sandbox of the bank'],
      applicable_when: ['team_size: 2'],
      not_applicable_when: [],
      abstracted_from_project_ids: [id],
      created_manually: false,
      generalization_notes: 'Without the bank.',
    });
  });

  it('become one under one name and type, with ranges that hold all projects', async () => {
    const one = await project(
      {
        context_factors: { team_size: 2, cloud: 'none' },
        tasks: [
          { name: 'Plan', estimated_hours: 4 },
          { name: 'Build', depends_on: ['Plan'], estimated_hours: 10 },
        ],
      },
      { actual_duration_days: 14 },
    );
    const two = await project(
      {
        context_factors: { team_size: 2, cloud: 'yes' },
        tasks: [{ name: 'build', estimated_hours: 30 }, { name: 'Plan', estimated_hours: 4 }, { name: 'Test' }],
      },
      { actual_duration_days: 28 },
    );
    const first = await abstracted(one, 'Shops', 'Notes');
    hall.clock.advanceMinutes(1);
    const both = await abstracted(two, ' shops ');
    assert.equal(both.id, first.id);
    assert.equal(both.name, 'Shops');
    assert.deepEqual(both.abstracted_from_project_ids, [one, two]);
    assert.equal(both.typical_duration_range, '2-4 weeks');
    assert.deepEqual(both.applicable_when, ['team_size: 2']);
    assert.equal(both.generalization_notes, 'Notes');
    assert.equal(both.created_at, first.created_at);
    assert.notEqual(both.updated_at, first.updated_at);
    assert.deepEqual(hours(both), {
      Plan: [4, 4, 4, 2],
      Build: [20, 10, 30, 2],
      Test: [undefined, undefined, undefined, 1],
    });
    // The same project once more adds nothing.
    assert.deepEqual({ ...(await abstracted(two)), updated_at: '' }, { ...both, updated_at: '' });
    assert.equal(learning.list('template').length, 1);
  });

  it('are others under another name, or of another type', async () => {
    const shop = await project({});
    const bridge = await project({ project_type: 'civil' });
    const ids = [await abstracted(shop, 'A'), await abstracted(shop, 'B'), await abstracted(bridge, 'A')].map(
      ({ id }) => id,
    );
    assert.equal(new Set(ids).size, 3);
  });

  it('keep what a project taught that is gone since', async () => {
    const one = await project(
      { tasks: [{ name: 'Plan', estimated_hours: 2 }, { name: 'Survey' }] },
      { actual_duration_days: 5 },
    );
    await abstracted(one);
    await write({ operation: 'delete', kind: 'project', id: one });
    const two = await project({ tasks: [{ name: 'Plan', estimated_hours: 8 }] }, { actual_duration_days: 9 });
    const both = await abstracted(two);
    assert.deepEqual(both.abstracted_from_project_ids, [one, two]);
    assert.equal(both.typical_duration_range, '5-9 days');
    assert.deepEqual(hours(both), { Plan: [8, 2, 8, 1], Survey: [undefined, undefined, undefined, 1] });
  });

  it('leave out an order that contradicts another, so that projects can be made from them', async () => {
    const one = await project({
      tasks: [
        { name: 'A', depends_on: ['B'] },
        { name: 'B', parent_task: 'A' },
      ],
    });
    const two = await project({
      tasks: [
        { name: 'A', parent_task: 'B' },
        { name: 'B', depends_on: ['A'] },
      ],
    });
    await abstracted(one);
    const { id, task_template } = await abstracted(two);
    assert.deepEqual(
      task_template.map(({ name, depends_on, parent }) => [name, depends_on, parent]),
      [
        ['A', ['B'], 'B'],
        ['B', [], undefined],
      ],
    );
    const made = await write({ operation: 'capture_project', project: { name: 'Next', source_template_id: id } });
    assert.equal(learning.get('project', made.record.id)!.tasks.length, 2);
  });

  it('come with a hint from a project in planning, and not at all from one that was abandoned', async () => {
    const planned = await project({});
    const write_ = (project_id: string) => write({ operation: 'capture_template', project_id, template_name: 'Shops' });
    assert.match((await write_(planned)).hint!, /still in planning/);
    await write({ operation: 'transition_project', project_id: planned, transition: 'activate' });
    assert.equal((await write_(planned)).hint, undefined);
    await write({ operation: 'transition_project', project_id: planned, transition: 'abandon', reason: 'No' });
    await assert.rejects(write_(planned), error('invalid_project', 'abandoned', 'capture_lesson'));
    await assert.rejects(write_('proj-none'), error('unknown_project'));
    const { id } = learning.list('template')[0]!;
    await project({ source_template_id: id });
    const { hint } = await write({ operation: 'delete', kind: 'template', id });
    assert.match(hint!, /stay as they are: 1/);
    assert.equal(learning.list('project').length, 2);
  });

  it('take a name and a description in a person’s words, and leave the rest', async () => {
    const before = await abstracted(await project({ description: 'Sells things.', tasks: [{ name: 'Build' }] }));
    const change = { operation: 'update_template', template_id: before.id } as const;
    const { revision } = await write({ ...change, template: { name: 'Web shops', description: 'For small ones.' } });
    const { name, description, task_template } = learning.get('template', before.id)!;
    assert.deepEqual([name, description], ['Web shops', 'For small ones.']);
    assert.deepEqual(task_template, before.task_template);
    await write({ ...change, template: { description: '' } });
    assert.equal(learning.get('template', before.id)?.name, 'Web shops');
    await assert.rejects(write({ ...change, template: { name: ' ' } }), error('invalid_argument'));
    await assert.rejects(write({ ...change, template_id: 'tmpl-none', template: {} }), error('unknown_template'));
    await assert.rejects(learning.undo(revision, BY_TESTER), error('conflict'));
    assert.equal(learning.get('template', before.id)?.description, '');
  });

  it('say how long it takes in words', async () => {
    const words: Record<string, string> = {};
    for (const [from, to] of [
      [1, 1],
      [0.3, 2],
      [5, 13],
      [10, 14],
      [14, 28],
      [60, 89],
      [60, 120],
      [700, 730],
    ] as const) {
      const name = `${from}-${to}`;
      await abstracted(await project({}, { actual_duration_days: from }), name);
      words[name] = (await abstracted(await project({}, { actual_duration_days: to }), name)).typical_duration_range!;
    }
    assert.deepEqual(words, {
      '1-1': '1 day',
      '0.3-2': '0.5-2 days',
      '5-13': '5-13 days',
      '10-14': '1-2 weeks',
      '14-28': '2-4 weeks',
      '60-89': '9-13 weeks',
      '60-120': '2-4 months',
      '700-730': '23-24 months',
    });
  });
});
