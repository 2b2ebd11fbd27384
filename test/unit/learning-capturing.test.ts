import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { LearningPart, ProjectInput, ProjectRecord, TaskInput } from '../../src/learning';
import { BY_TESTER, error, type Hall, useHalls } from '../support/hall';

describe('capturing a project', () => {
  const open = useHalls();
  let hall: Hall;
  let learning: LearningPart;
  beforeEach(async () => {
    hall = await open({ person: 'ada' });
    learning = hall.learning;
  });

  const written = (project: Partial<ProjectInput> = {}) =>
    learning.write({ operation: 'capture_project', project: { name: 'Shop', ...project } }, BY_TESTER);
  const capture = async (project: Partial<ProjectInput> = {}): Promise<ProjectRecord> =>
    learning.get('project', (await written(project)).record.id)!;
  const update = async (project_id: string, project: Partial<ProjectInput>): Promise<ProjectRecord> => {
    await learning.write({ operation: 'update_project', project_id, project }, BY_TESTER);
    return learning.get('project', project_id)!;
  };
  const named = (...tasks: TaskInput[]) => capture({ tasks });

  it('has every field of the seed, personal and in planning unless told', async () => {
    const { id, ...project } = await capture();
    assert.match(id, /^proj-shop-[0-9a-f]{8}$/);
    assert.deepEqual(project, {
      created_at: '2026-05-04T09:00:00.000Z',
      updated_at: '2026-05-04T09:00:00.000Z',
      author: 'tester',
      name: 'Shop',
      description: '',
      project_type: 'general',
      domain: 'general',
      tags: [],
      visibility: 'personal',
      owner: 'ada',
      context_factors: {},
      tasks: [],
      phases: [],
      checkpoints: [],
      identified_risks: [],
      identified_dependencies: [],
      constraints_applied: [],
      status: 'planning',
      status_history: [],
      lessons_learned: [],
      what_worked: [],
      what_didnt_work: [],
      template_modifications: [],
    });
  });

  it('answers the record as it is answered from then on', async () => {
    const { kind, record, also } = await written({ tasks: [{ name: 'Plan' }], estimated_duration_days: 45 });
    assert.equal(kind, 'project');
    assert.deepEqual(record, learning.get('project', record.id));
    assert.deepEqual(also, []);
  });

  it('keeps what is said of it', async () => {
    const project = await capture({
      description: ' Sells things. ',
      project_type: 'web_shop',
      domain: 'software',
      tags: ['payments', 'payments', ' '],
      checkpoints: ['Design review'],
      context_factors: { team_size: 2, new_technology: true },
      identified_risks: [
        'The bank is slow',
        { description: 'PCI', severity: 'high' },
        { name: 'Load', likelihood: 0.2 },
      ],
      identified_dependencies: ['Bank'],
      constraints_applied: [{ description: 'PCI DSS', clause: '3.2' }],
      estimated_duration_days: 45,
      estimated_effort_hours: 300.5,
      visibility: 'team',
    });
    assert.equal(project.description, 'Sells things.');
    assert.deepEqual(project.tags, ['payments']);
    assert.deepEqual(project.context_factors, { team_size: 2, new_technology: true });
    assert.deepEqual(project.identified_risks, [
      { description: 'The bank is slow' },
      { description: 'PCI', severity: 'high' },
      { description: 'Load', name: 'Load', likelihood: 0.2 },
    ]);
    assert.equal(project.estimated_effort_hours, 300.5);
    assert.equal(project.visibility, 'team');
  });

  it('makes ids of the names of tasks, and phases of theirs', async () => {
    const { tasks, phases } = await named(
      { name: 'Build', phase: 'Work', parent_task: 'all', depends_on: ['Design ', 'plan'] },
      { name: 'Design', phase: 'Start' },
      { name: 'Plan', phase: 'Start', estimated_hours: 4, estimated_complexity: 'low' },
      { name: 'All' },
    );
    assert.deepEqual(
      tasks.map(({ id, name, parent_task_id, depends_on }) => ({ id, name, parent_task_id, depends_on })),
      [
        { id: 'task-1', name: 'Build', parent_task_id: 'task-4', depends_on: ['task-2', 'task-3'] },
        { id: 'task-2', name: 'Design', parent_task_id: undefined, depends_on: [] },
        { id: 'task-3', name: 'Plan', parent_task_id: undefined, depends_on: [] },
        { id: 'task-4', name: 'All', parent_task_id: undefined, depends_on: [] },
      ],
    );
    assert.deepEqual(phases, ['Work', 'Start']);
    assert.equal(tasks[2]!.status, 'planned');
    assert.deepEqual(
      tasks.map(({ sequence_order }) => sequence_order),
      [0, 1, 2, 3],
    );
  });

  it('refuses tasks that name what is not there, several, or each other in a circle, naming the task', async () => {
    const refused = (says: string[], ...tasks: TaskInput[]) =>
      assert.rejects(named(...tasks), error('invalid_project', ...says));
    await refused(
      ['"Build" depends on "Desing"', '"Design"'],
      { name: 'Build', depends_on: ['Desing'] },
      { name: 'Design' },
    );
    await refused(['"Build" is a part of "Nothing"'], { name: 'Build', parent_task: 'Nothing' });
    await refused(['"A" depends on "T", and 2 tasks'], { name: 'A', depends_on: ['T'] }, { name: 'T' }, { name: 't' });
    await refused(['wait for each other', '"A" → "B" → "C" → "A"'], ...circle('A', 'B', 'C'));
    await refused(['"A" → "A"'], { name: 'A', depends_on: ['A'] });
    await refused(
      ['are parts of each other', '"A" → "B" → "A"'],
      { name: 'A', parent_task: 'B' },
      { name: 'B', parent_task: 'A' },
    );
    assert.deepEqual(learning.list('project'), []);
  });

  const circle = (...names: string[]): TaskInput[] =>
    names.map((name, at) => ({ name, depends_on: [names[(at + 1) % names.length]!] }));

  it('accepts exactly those dependencies that can be put in an order', async () => {
    const edges = fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(edges, async (pairs) => {
        const names = ['a', 'b', 'c', 'd', 'e', 'f'];
        const tasks = names.map((name, at) => ({
          name,
          depends_on: pairs.filter(([from]) => from === at).map(([, to]) => names[to]!),
        }));
        // Kahn: what waits for nothing is done first.
        let open = tasks;
        for (let done = true; done; ) {
          const rest = open.filter(({ depends_on }) =>
            depends_on.some((name) => open.some((task) => task.name === name)),
          );
          done = rest.length < open.length;
          open = rest;
        }
        if (open.length > 0) await assert.rejects(named(...tasks), error('invalid_project', 'circle'));
        else assert.equal((await named(...tasks)).tasks.length, 6);
      }),
      { numRuns: 60 },
    );
  });

  it('refuses what is too much, and what is no such thing', async () => {
    const refused = (project: Partial<ProjectInput>, ...says: string[]) =>
      assert.rejects(capture(project), error('invalid_argument', ...says));
    await refused({ name: ' ' }, 'name');
    await refused({ name: 'x'.repeat(201) }, '200');
    await refused({ description: 'x'.repeat(16_385) }, 'description');
    await refused({ tasks: Array.from({ length: 501 }, (_, at) => ({ name: `Task ${at}` })) }, '501', '500');
    await refused({ estimated_duration_days: Number.NaN }, 'NaN');
    await refused({ tasks: [{ name: 'A', estimated_hours: -1 }] }, 'hours');
    await refused({ visibility: 'public' as 'team' }, 'personal, team, organization');
    await refused({ identified_risks: [{ severity: 'high' }] }, 'identified risks', 'description');
    await refused({ identified_risks: [7] }, 'identified risks');
    await refused({ context_factors: { long: 'x'.repeat(9_000) } }, 'context factors');
    await refused({ tags: Array.from({ length: 51 }, (_, at) => `tag ${at}`) }, '51', '50');
    const item = 'x'.repeat(4_000);
    const many = Array.from({ length: 190 }, (_, at) => `${at}${item.slice(4)}`);
    await refused({ identified_risks: many, identified_dependencies: many, constraints_applied: many }, '512 kB');
    await assert.rejects(capture({ source_template_id: 'tmpl-none' }), error('unknown_template', 'tmpl-none'));
    assert.deepEqual(learning.list('project'), []);
  });

  it('checks everything when it is only tried, and keeps nothing', async () => {
    const change = { ...BY_TESTER, rehearse: true };
    const { record } = await learning.write({ operation: 'capture_project', project: { name: 'Shop' } }, change);
    assert.match(record.id, /^proj-shop-/);
    assert.deepEqual(learning.list('project'), []);
    await assert.rejects(
      learning.write({ operation: 'capture_project', project: { name: '' } }, change),
      error('invalid_argument'),
    );
  });

  it('makes ids that are safe in a path of any name', async () => {
    const ids: string[] = [];
    for (const name of ['Über/../Größe & “Ça”', '決済サービス', '-'.repeat(90), 'a'.repeat(200)]) {
      ids.push((await capture({ name })).id);
    }
    assert.match(ids[0]!, /^proj-uber-gro-e-ca-[0-9a-f]{8}$/);
    assert.match(ids[1]!, /^proj-[0-9a-f]{8}$/);
    assert.match(ids[2]!, /^proj-[0-9a-f]{8}$/);
    assert.match(ids[3]!, /^proj-a{40}-[0-9a-f]{8}$/);
  });

  it('is changed in what is said, and stays what it is in the rest', async () => {
    const { id } = await capture({
      description: 'Sells things.',
      tasks: [{ name: 'Plan' }, { name: 'Build', depends_on: ['Plan'], estimated_hours: 8 }],
    });
    hall.clock.advanceMinutes(5);
    const changed = await update(id, {
      tasks: [
        { name: 'build', status: 'in_progress', actual_hours: 6, blockers_encountered: ['CI'] },
        { name: 'Ship' },
      ],
    });
    assert.equal(changed.description, 'Sells things.');
    assert.equal(changed.updated_at, '2026-05-04T09:05:00.000Z');
    const [build, ship] = changed.tasks;
    assert.deepEqual(build, {
      id: 'task-2',
      name: 'build',
      description: '',
      sequence_order: 0,
      status: 'in_progress',
      estimated_hours: 8,
      actual_hours: 6,
      blockers_encountered: ['CI'],
      // What it waited for is no task of the project any more.
      depends_on: [],
    });
    assert.equal(ship!.id, 'task-3');
    assert.equal((await update(id, { name: 'Store' })).tasks.length, 2);
    await assert.rejects(update('proj-none', {}), error('unknown_project'));
    await assert.rejects(update(id, { name: ' ' }), error('invalid_argument'));
  });

  describe('from a template', () => {
    let template: string;
    beforeEach(async () => {
      const { id } = await capture({
        name: 'First shop',
        project_type: 'web_shop',
        domain: 'software',
        tasks: [
          { name: 'Plan', estimated_hours: 4 },
          { name: 'Build', depends_on: ['Plan'] },
        ],
        checkpoints: ['Review'],
        identified_risks: ['The bank is slow'],
      });
      const write = { operation: 'capture_template', project_id: id, template_name: 'Shops' } as const;
      template = (await learning.write(write, BY_TESTER)).record.id;
    });

    it('takes over what is not said, and counts the template as used', async () => {
      const counting = await open({ countReads: true, shared: hall.shared, person: 'ada' });
      const { record } = await counting.learning.write(
        { operation: 'capture_project', project: { name: 'Second', source_template_id: template } },
        BY_TESTER,
      );
      const project = learning.get('project', record.id)!;
      assert.equal(project.project_type, 'web_shop');
      assert.deepEqual(
        project.tasks.map(({ name, depends_on }) => [name, depends_on]),
        [
          ['Plan', []],
          ['Build', ['task-1']],
        ],
      );
      assert.deepEqual(project.checkpoints, ['Review']);
      assert.deepEqual(project.identified_risks, [{ description: 'The bank is slow' }]);
      assert.deepEqual(project.template_modifications, []);
      assert.equal(counting.learning.scoreOf(template).times_used, 1);
    });

    it('tells how its tasks differ, unless somebody tells it', async () => {
      const tasks = [{ name: 'plan' }, { name: 'Test' }];
      const project = await capture({ source_template_id: template, tasks });
      assert.deepEqual(project.template_modifications, ['Added the task "Test".', 'Left out the task "Build".']);
      const told = await capture({ source_template_id: template, tasks, template_modifications: ['Much'] });
      assert.deepEqual(told.template_modifications, ['Much']);
      const none = await capture({ source_template_id: template, tasks, template_modifications: [] });
      assert.deepEqual(none.template_modifications, []);
      const again = await update(project.id, { tasks: [{ name: 'Plan' }, { name: 'Build' }] });
      assert.deepEqual(again.template_modifications, []);
    });

    it('takes the template by its address, and keeps the bare id', async () => {
      const uri = `knowledge://learning/template/${template}`;
      assert.equal((await capture({ source_template_id: uri })).source_template_id, template);
    });
  });
});
