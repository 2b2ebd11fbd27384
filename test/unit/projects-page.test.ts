import assert from 'node:assert/strict';
import fc from 'fast-check';
import { learningUri } from '../../src/core/knowledge-uri';
import type { OutcomeInput, ProjectInput, ProjectRecord } from '../../src/learning';
import { noProjects, readProjects } from '../../src/vscode/editors/projects-state';
import { opened, rebased } from '../../webview-ui/projects/drafts';
import {
  amountIn,
  EMPTY_OUTCOME,
  EMPTY_PLAN,
  faultyOutcome,
  faultyPlan,
  outcomeOf,
  planFieldsOf,
  planOf,
  taskLines,
  tasksIn,
} from '../../webview-ui/projects/fields';
import type { Form } from '../../webview-ui/projects/page';
import { type ProjectsView, projectsRequest } from '../../webview-ui/protocol/projects';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';

const SHOWN = { planning: 50, active: 50, completed: 50, abandoned: 50 };
const VIEW: ProjectsView = { text: '', type: '', domain: '', shown: SHOWN, project: null };

describe('what is typed into the forms of the page of projects', () => {
  it('reads tasks from lines, with their hours in brackets', () => {
    assert.deepEqual(
      tasksIn('Design (8 h)\n\n  Build (2,5 Std.) \nShip (1.5hours)\nTell people\n(3 h)\nUse (a) tool'),
      [
        { name: 'Design', estimated_hours: 8 },
        { name: 'Build', estimated_hours: 2.5 },
        { name: 'Ship', estimated_hours: 1.5 },
        { name: 'Tell people' },
        { name: '(3 h)' },
        { name: 'Use (a) tool' },
      ],
    );
  });

  it('keeps a form in which something was typed', () => {
    const plan = (template = '', touched = false): Form => ({
      ...{ kind: 'create', fields: { ...EMPTY_PLAN, template } },
      ...(touched && { touched }),
    });
    const end = (project_id: string, touched = false): Form => ({
      ...{ kind: 'end', project_id, name: project_id, fields: { ...EMPTY_OUTCOME } },
      ...(touched && { touched }),
    });
    const [typed, other] = [plan('', true), end('proj-a')];
    assert.deepEqual(opened(undefined, other), { form: other, refused: false });
    assert.deepEqual(opened(plan(), other), { form: other, refused: false });
    assert.deepEqual(opened(typed, plan()), { form: typed, refused: false });
    assert.deepEqual(opened(typed, plan('tmpl-a')), { form: typed, refused: true });
    assert.deepEqual(opened(typed, other), { form: typed, refused: true });
    const outcome = end('proj-a', true);
    assert.deepEqual(opened(outcome, end('proj-a')), { form: outcome, refused: false });
    assert.deepEqual(opened(outcome, end('proj-b')), { form: outcome, refused: true });
    const abandon: Form = { kind: 'abandon', project_id: 'proj-a', name: 'A', reason: '' };
    assert.deepEqual(opened(outcome, abandon), { form: outcome, refused: true });
  });

  it("takes the person's own changes beside a form for none that stand in its way", () => {
    const change = (base: string): Form => ({
      ...{ kind: 'change', project_id: 'proj-a', name: 'A', base, tasks: '', fields: { ...EMPTY_PLAN } },
    });
    const version = (id: string, updated_at: string) => ({ id, updated_at });
    const baseAfter = (
      form: Form,
      ...versions: Parameters<typeof rebased> extends [Form, ...infer Rest] ? Rest : never
    ) => {
      rebased(form, ...versions);
      return form.kind === 'change' && form.base;
    };
    assert.equal(baseAfter(change('1'), version('proj-a', '1'), version('proj-a', '2')), '2');
    // Somebody else had changed it before.
    assert.equal(baseAfter(change('0'), version('proj-a', '1'), version('proj-a', '2')), '0');
    assert.equal(baseAfter(change('1'), version('proj-b', '1'), version('proj-b', '2')), '1');
    assert.equal(baseAfter(change('1'), version('proj-a', '1'), undefined), '1');
  });

  it('sends what is too much, so that it is refused with words', () => {
    const request = { type: 'create', request: 1 };
    const tasks = tasksIn(Array.from({ length: 8_000 }, (_, index) => `T${index}`.slice(0, 2)).join('\n'));
    const plan = { name: 'Shop', estimated_duration_days: 1e20, tasks };
    assert.equal(projectsRequest.safeParse({ ...request, plan }).success, true);
    const long = { name: 'Shop', tasks: [{ name: 'x'.repeat(16_000), estimated_hours: 1e19 }] };
    assert.equal(projectsRequest.safeParse({ ...request, plan: long }).success, true);
  });

  it('writes tasks as it reads them', () => {
    const name = fc
      .string({ minLength: 1, maxLength: 30 })
      .map((text) => text.replace(/[\s()]+/g, ' ').trim())
      .filter((text) => text !== '');
    const hours = fc.option(
      fc.integer({ min: 0, max: 4_000 }).map((quarters) => quarters / 4),
      { nil: undefined },
    );
    const task = fc
      .tuple(name, hours)
      .map(([each, estimated]) =>
        estimated === undefined ? { name: each } : { name: each, estimated_hours: estimated },
      );
    fc.assert(fc.property(fc.array(task), (tasks) => assert.deepEqual(tasksIn(taskLines(tasks)), tasks)));
  });

  it('reads numbers with a point or a comma, and nothing else', () => {
    assert.deepEqual(['', ' 12 ', '2.5', '2,5', '-1', '1e9', '1.000,5', 'ten'].map(amountIn), [
      undefined,
      12,
      2.5,
      2.5,
      null,
      null,
      null,
      null,
    ]);
    assert.equal(faultyPlan(EMPTY_PLAN), 'name');
    assert.equal(faultyPlan({ ...EMPTY_PLAN, name: 'Shop', days: 'soon' }), 'days');
    assert.equal(faultyPlan({ ...EMPTY_PLAN, name: 'Shop', hours: '-3' }), 'hours');
    assert.equal(faultyOutcome({ ...EMPTY_OUTCOME, status: 'abandoned' }), 'summary');
    assert.equal(faultyOutcome(EMPTY_OUTCOME), undefined);
  });

  it('says nothing of what is empty, and nothing of tasks that were not touched', () => {
    assert.deepEqual(planOf({ ...EMPTY_PLAN, name: ' Shop ', days: '3' }), {
      name: 'Shop',
      visibility: 'personal',
      estimated_duration_days: 3,
    });
    const before = 'Design (8 h)';
    const fields = { ...EMPTY_PLAN, name: 'Shop', tasks: before };
    assert.equal(planOf(fields, before).tasks, undefined);
    assert.deepEqual(planOf({ ...fields, tasks: `${before}\nShip` }, before).tasks, [
      { name: 'Design', estimated_hours: 8 },
      { name: 'Ship' },
    ]);
    // What is emptied is to be empty, and not left out.
    assert.deepEqual(planOf({ ...fields, tasks: '' }, before).tasks, []);
    assert.equal(planOf(fields, before).description, '');
  });

  it('makes outcomes that the protocol takes', () => {
    const outcome = outcomeOf({ ...EMPTY_OUTCOME, summary: 'Done', rating: '4', days: '12', lessons: 'One\n\n Two ' });
    assert.deepEqual(outcome, {
      status: 'completed',
      outcome_summary: 'Done',
      actual_duration_days: 12,
      success_rating: 0.75,
      lessons_learned: ['One', 'Two'],
      what_worked: [],
      what_didnt_work: [],
    });
    const message = { type: 'end', request: 1, project_id: 'proj-shop-00000000', outcome };
    assert.ok(projectsRequest.safeParse(message).success);
    assert.equal(outcomeOf(EMPTY_OUTCOME).success_rating, undefined);
  });
});

describe('what the page of projects shows', () => {
  const open = useHalls();
  let hall: Hall;
  beforeEach(async () => {
    hall = await open({ person: 'ada' });
  });

  const plan = async (project: Partial<ProjectInput> = {}): Promise<ProjectRecord> => {
    const input = { name: 'Shop', ...project };
    const { record } = await hall.learning.write({ operation: 'capture_project', project: input }, BY_TESTER);
    hall.clock.advanceMinutes(1);
    return hall.learning.get('project', record.id)!;
  };
  const end = (project_id: string, outcome: OutcomeInput) =>
    hall.learning.write({ operation: 'capture_outcome', project_id, outcome }, BY_TESTER);
  const read = (view: Partial<ProjectsView> = {}, mayAsk = true) =>
    readProjects(hall, { ...VIEW, ...view }, { writable: true, mayAsk: () => mayAsk });
  const names = async (view: Partial<ProjectsView> = {}) =>
    (await read(view)).columns.map(({ cards }) => cards.map(({ name }) => name));

  it('has a column for each state, last changed first', async () => {
    await plan({ name: 'Old' });
    await plan({ name: 'New' });
    const done = await plan({ name: 'Done' });
    const left = await plan({ name: 'Left' });
    await end(done.id, { status: 'partial', success_rating: 0.5 });
    await end(left.id, { status: 'abandoned', outcome_summary: 'No money.' });
    assert.deepEqual(await names(), [['New', 'Old'], [], ['Done'], ['Left']]);
    const [, , completed] = (await read()).columns;
    assert.equal(completed?.cards[0]?.outcome, 'partial');
    assert.equal(completed?.cards[0]?.success_rating, 0.5);
    await hall.learning.write(
      { operation: 'transition_project', project_id: done.id, transition: 'reopen' },
      BY_TESTER,
    );
    const [, active] = (await read()).columns;
    // What it keeps of an earlier outcome is none of now.
    assert.equal(active?.cards[0]?.outcome, null);
  });

  it('filters by words, type and domain, and counts what it does not send', async () => {
    await plan({ name: 'Web shop', project_type: 'release', domain: 'sales', tags: ['summer'] });
    await plan({ name: 'Shop floor', project_type: 'migration', domain: 'factory' });
    assert.deepEqual(await names({ text: 'SHOP' }), [['Shop floor', 'Web shop'], [], [], []]);
    assert.deepEqual(await names({ text: 'shop summer' }), [['Web shop'], [], [], []]);
    assert.deepEqual(await names({ type: 'migration' }), [['Shop floor'], [], [], []]);
    assert.deepEqual(await names({ domain: 'sales', text: 'floor' }), [[], [], [], []]);
    const state = await read({ shown: { ...SHOWN, planning: 1 } });
    assert.deepEqual([state.columns[0]?.count, state.columns[0]?.cards.length], [2, 1]);
    assert.deepEqual([state.types, state.domains, state.total], [['migration', 'release'], ['factory', 'sales'], 2]);
  });

  it('counts tasks that are done among those that are not skipped', async () => {
    const tasks = [
      { name: 'A', status: 'completed' as const },
      { name: 'B', status: 'skipped' as const },
      { name: 'C' },
    ];
    await plan({ tasks });
    assert.deepEqual((await read()).columns[0]?.cards[0]?.tasks, { done: 1, all: 2 });
  });

  it('names the ways that lead on from each state', async () => {
    const to = Object.entries((await read()).ways).map(([from, ways]) => [from, ...ways.map((way) => way.to)]);
    assert.deepEqual(to, [
      ['planning', 'active'],
      ['active', 'completed', 'abandoned'],
      ['completed', 'active'],
      ['abandoned'],
    ]);
    assert.deepEqual(noProjects(VIEW, false).ways, (await read()).ways);
  });

  it('compares estimates with what it took as estimate_scope does, over all and by type', async () => {
    for (const [project_type, factor] of [
      ['release', 1],
      ['release', 2],
      ['migration', 3],
    ] as const) {
      const { id } = await plan({ project_type, estimated_duration_days: 10, estimated_effort_hours: 40 });
      await end(id, { actual_duration_days: 10 * factor });
    }
    const { estimates } = await read();
    assert.deepEqual(
      estimates.map(({ project_type, duration, effort }) => [project_type, duration?.mean, duration?.projects, effort]),
      [
        [null, 2, 3, null],
        ['release', 1.5, 2, null],
        ['migration', 3, 1, null],
      ],
    );
    const asked = await hall.workflows.plan({ operation: 'estimate_scope', project_description: 'Shop' });
    const told = asked.extra?.estimate_to_actual as { duration: { mean: number; projects: number } } | undefined;
    assert.deepEqual([told?.duration.mean, told?.duration.projects], [2, 3]);
  });

  it('shows a project with its template, lessons, score and relations', async () => {
    const source = await plan({ name: 'First', tasks: [{ name: 'A', estimated_hours: 4 }] });
    const template = await hall.learning.write(
      { operation: 'capture_template', project_id: source.id, template_name: 'Shops' },
      BY_TESTER,
    );
    const next = await plan({ name: 'Second', source_template_id: template.record.id });
    await end(next.id, { success_rating: 1, lessons_learned: ['Ask first.'] });
    const { details, templates } = await read({ project: next.id });
    assert.equal(details?.template?.name, 'Shops');
    assert.deepEqual(details?.lessons.length, 1);
    assert.equal(details?.score?.ratings, 1);
    assert.equal(details?.relations, 0);
    assert.deepEqual(planFieldsOf(details!.record).tasks, 'A (4 h)');
    assert.deepEqual(
      templates.map(({ name, tasks }) => [name, tasks]),
      [['Shops', 1]],
    );
    assert.equal((await read({ project: 'proj-gone-00000000' })).details, null);
  });

  it('asks how well it went only where nobody has said so and the person may be asked', async () => {
    const { id } = await plan();
    const asks = async (mayAsk = true) => (await read({ project: id }, mayAsk)).details?.asks;
    assert.equal(await asks(), false);
    await end(id, {});
    assert.equal(await asks(), true);
    assert.equal(await asks(false), false);
    const artifact_id = learningUri('project', id);
    await hall.learning.feedback({ operation: 'rate', artifact_id, artifact_type: 'project', rating: 0.75 }, BY_TESTER);
    assert.equal(await asks(), false);
    const rated = await plan();
    await end(rated.id, { success_rating: 0.5 });
    assert.equal((await read({ project: rated.id })).details?.asks, false);
    const left = await plan();
    await end(left.id, { status: 'abandoned', outcome_summary: 'No money.' });
    assert.equal((await read({ project: left.id })).details?.asks, true);
  });
});
