import assert from 'node:assert/strict';
import type { OverviewInput, ProgressInput, SessionInput, TaskState } from '../../src/continuity';
import { BY_TESTER, error, type Hall, useHalls } from '../support/hall';

describe('continuity', () => {
  const open = useHalls();
  let hall: Hall;
  beforeEach(async () => {
    hall = await open();
    await hall.define('shop', 'PROJECT');
  });

  const store = (session: Partial<SessionInput> = {}) =>
    hall.continuity.storeSessionSummary(
      { project_id: 'shop', summary: 'Did it.', tasks_completed: [], ...session },
      BY_TESTER,
    );
  const update = (progress: Partial<ProgressInput>) =>
    hall.continuity.updateProgress({ project_id: 'shop', ...progress }, BY_TESTER);
  const describeProject = (overview: Partial<OverviewInput>) =>
    hall.continuity.storeProjectOverview({ project_id: 'shop', ...overview }, BY_TESTER);
  const history = (limit?: number) => hall.continuity.getSessionHistory('shop', limit);
  const status = (domain?: string) => hall.continuity.getProgressStatus('shop', domain);
  const tasks = (state: TaskState, ...names: string[]) => names.map((name) => ({ name, state }));

  describe('overview', () => {
    it('has every field from the start, empty', () => {
      assert.deepEqual(hall.continuity.getProjectOverview('shop'), {
        project_id: 'shop',
        purpose: null,
        tech_stack: [],
        compliance: [],
        current_phase: null,
        key_constraints: [],
      });
    });

    it('gives back what was stored, and keeps what is left out later', async () => {
      await describeProject({
        purpose: ' loans\nfor small businesses ',
        tech_stack: ['Python', 'FastAPI'],
        compliance: ['SOC2', 'PCI'],
        current_phase: 'MVP',
        key_constraints: ['30-second timeout for mobile'],
      });
      const stored = {
        project_id: 'shop',
        purpose: 'loans\nfor small businesses',
        tech_stack: ['Python', 'FastAPI'],
        compliance: ['SOC2', 'PCI'],
        current_phase: 'MVP',
        key_constraints: ['30-second timeout for mobile'],
      };
      assert.deepEqual(hall.continuity.getProjectOverview('shop'), stored);
      await describeProject({ current_phase: 'beta' });
      assert.deepEqual(hall.continuity.getProjectOverview('shop'), { ...stored, current_phase: 'beta' });
      await describeProject({ purpose: '', compliance: [] });
      const emptied = { ...stored, current_phase: 'beta', purpose: null, compliance: [] };
      assert.deepEqual(hall.continuity.getProjectOverview('shop'), emptied);
    });

    it('refuses what is no plain text or too much of it', async () => {
      await assert.rejects(describeProject({ purpose: 'a\0' }), error('invalid_argument', 'purpose'));
      await assert.rejects(describeProject({ purpose: 'x'.repeat(8_193) }), error('invalid_argument', 'purpose'));
      await assert.rejects(describeProject({ tech_stack: ['a', ' '] }), error('invalid_argument', 'tech stack'));
      await assert.rejects(describeProject({ tech_stack: ['a\nb'] }), error('invalid_argument', 'tech stack'));
      await assert.rejects(
        describeProject({ compliance: Array(201).fill('x') }),
        error('invalid_argument', '201', '200'),
      );
      await assert.rejects(
        describeProject({ key_constraints: ['\ud800'] }),
        error('invalid_argument', 'key constraint'),
      );
      assert.equal(hall.continuity.getProjectOverview('shop').purpose, null);
    });
  });

  describe('sessions', () => {
    it('come back with every field', async () => {
      hall.continuity.getProjectOverview('shop');
      hall.clock.advanceMinutes(45);
      await store({
        summary: ' Completed user authentication endpoints ',
        tasks_completed: ['login endpoint', 'JWT middleware'],
        domain: 'backend-api',
        next_planned: 'password reset',
      });
      assert.deepEqual(history(), [
        {
          date: '2026-05-04',
          duration_minutes: 45,
          summary: 'Completed user authentication endpoints',
          tasks_completed: ['login endpoint', 'JWT middleware'],
          domain: 'backend-api',
          next_planned: 'password reset',
        },
      ]);
    });

    it('have null for what was not told', async () => {
      await store({ domain: ' ', next_planned: '' });
      assert.deepEqual(history(), [
        {
          date: '2026-05-04',
          duration_minutes: null,
          summary: 'Did it.',
          tasks_completed: [],
          domain: null,
          next_planned: null,
        },
      ]);
    });

    it('come newest first, ten unless told, one to a hundred', async () => {
      for (let n = 1; n <= 101; n++) {
        await store({ summary: `session ${n}` });
        // Two in the same moment keep their order as well.
        if (n % 2) hall.clock.advanceMinutes(1);
      }
      const told = (limit?: number) => history(limit).map(({ summary }) => summary);
      const newest = Array.from({ length: 101 }, (_, index) => `session ${101 - index}`);
      assert.deepEqual(told(), newest.slice(0, 10));
      assert.deepEqual(told(1), newest.slice(0, 1));
      assert.deepEqual(told(100), newest.slice(0, 100));
      for (const limit of [0, 101, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
        assert.throws(() => history(limit), error('invalid_argument', '1 to 100'), String(limit));
      }
    });

    it('are dated in UTC', async () => {
      hall.clock.time = Date.parse('2026-12-31T23:59:59.999Z');
      await store();
      hall.clock.time++;
      await store();
      assert.deepEqual(
        history().map(({ date }) => date),
        ['2027-01-01', '2026-12-31'],
      );
    });

    it('need a summary, and refuse what is no plain text or too much of it', async () => {
      for (const summary of ['', ' \n', 'a\0', '\ud800', 'x'.repeat(16_385)]) {
        await assert.rejects(store({ summary }), error('invalid_argument', 'summary'));
      }
      await assert.rejects(store({ tasks_completed: ['a', ''] }), error('invalid_argument', 'completed task'));
      await assert.rejects(store({ tasks_completed: ['a\nb'] }), error('invalid_argument', 'completed task'));
      await assert.rejects(store({ tasks_completed: Array(201).fill('x') }), error('invalid_argument', '201', '200'));
      await assert.rejects(store({ domain: 'a\nb' }), error('invalid_argument', 'domain'));
      await assert.rejects(store({ next_planned: 'a\0' }), error('invalid_argument', 'next planned'));
      assert.deepEqual(history(), []);
      assert.deepEqual(status().completed_tasks, []);
    });
  });

  describe('the duration of a session', () => {
    const durations = () => history().map(({ duration_minutes }) => duration_minutes);

    it('is not touched by who only looks at the overview', async () => {
      hall.continuity.getProjectOverview('shop');
      hall.clock.advanceMinutes(5);
      assert.deepEqual(Object.keys(hall.continuity.projectOverview('shop')), [
        'project_id',
        'purpose',
        'tech_stack',
        'compliance',
        'current_phase',
        'key_constraints',
      ]);
      hall.clock.advanceMinutes(5);
      await store();
      hall.continuity.projectOverview('shop');
      await store();
      assert.deepEqual(durations().sort(), [10, null]);
    });

    it('counts from the last overview that no summary has closed', async () => {
      hall.continuity.getProjectOverview('shop');
      hall.clock.advanceMinutes(60);
      hall.continuity.getProjectOverview('shop');
      hall.clock.advanceMinutes(5);
      await store();
      hall.clock.advanceMinutes(5);
      await store();
      assert.deepEqual(durations(), [null, 5]);
    });

    it('counts for each project by itself', async () => {
      await hall.define('other', 'PROJECT');
      hall.continuity.getProjectOverview('shop');
      hall.clock.advanceMinutes(7);
      hall.continuity.getProjectOverview('other');
      await store();
      assert.deepEqual(durations(), [7]);
    });

    it('is null when no overview was asked for, in this process', async () => {
      hall.continuity.getProjectOverview('shop');
      const later = await open({ data: hall.data, shared: hall.shared, clock: hall.clock });
      const session = { project_id: 'shop', summary: 's', tasks_completed: [] };
      await later.continuity.storeSessionSummary(session, BY_TESTER);
      assert.deepEqual(durations(), [null]);
    });

    it('is never negative and counts whole minutes', async () => {
      hall.continuity.getProjectOverview('shop');
      hall.clock.advanceMinutes(-10);
      await store();
      hall.continuity.getProjectOverview('shop');
      hall.clock.advanceMinutes(2.4);
      await store({ summary: 'later' });
      assert.deepEqual(durations().sort(), [0, 2]);
    });

    it('goes on counting when a summary was refused', async () => {
      hall.continuity.getProjectOverview('shop');
      hall.clock.advanceMinutes(3);
      await assert.rejects(store({ summary: '' }));
      hall.clock.advanceMinutes(3);
      await store();
      assert.deepEqual(durations(), [6]);
    });
  });

  describe('progress', () => {
    it('is empty at first', () => {
      assert.deepEqual(status(), {
        overall_progress: '0% complete',
        current_sprint: null,
        completed_tasks: [],
        in_progress_tasks: [],
        blocked_tasks: [],
      });
    });

    it('has every field of every state', async () => {
      await update({
        overall_progress: ' 40% complete ',
        current_sprint: 'Authentication',
        tasks: [
          { name: 'registration', domain: 'backend', state: 'completed' },
          { name: 'OAuth', domain: 'backend', state: 'in_progress', status: 'Google pending' },
          { name: 'callback', state: 'blocked', blocker: 'waiting for DevOps' },
        ],
      });
      assert.deepEqual(status(), {
        overall_progress: '40% complete',
        current_sprint: 'Authentication',
        completed_tasks: [{ name: 'registration', domain: 'backend', date: '2026-05-04' }],
        in_progress_tasks: [{ name: 'OAuth', domain: 'backend', status: 'Google pending' }],
        blocked_tasks: [{ name: 'callback', domain: null, blocker: 'waiting for DevOps' }],
      });
    });

    it('takes in the completed tasks of a session, with its domain and day', async () => {
      await update({ tasks: [{ name: 'login', state: 'in_progress', status: 'half' }] });
      hall.clock.advanceMinutes(24 * 60);
      await store({ tasks_completed: ['login', ' register '], domain: 'backend' });
      assert.deepEqual(status(), {
        overall_progress: '100% complete',
        current_sprint: null,
        completed_tasks: [
          { name: 'login', domain: 'backend', date: '2026-05-05' },
          { name: 'register', domain: 'backend', date: '2026-05-05' },
        ],
        in_progress_tasks: [],
        blocked_tasks: [],
      });
    });

    it('is computed from the states of all tasks until it is set', async () => {
      const overall = () => status().overall_progress;
      await update({ tasks: tasks('in_progress', 'a', 'b') });
      assert.equal(overall(), '0% complete');
      await store({ tasks_completed: ['a'] });
      assert.equal(overall(), '50% complete');
      await update({ tasks: tasks('blocked', 'c') });
      assert.equal(overall(), '33% complete');
      await update({ overall_progress: 'nearly there' });
      await store({ tasks_completed: ['b', 'c'] });
      assert.equal(overall(), 'nearly there');
      assert.equal(status('elsewhere').overall_progress, 'nearly there');
      await update({ overall_progress: '' });
      assert.equal(overall(), '100% complete');
    });

    it('narrows to a domain, its overall figure does not', async () => {
      await update({
        tasks: [
          { name: 'a', domain: 'backend', state: 'completed' },
          { name: 'b', domain: 'web', state: 'completed' },
          { name: 'c', domain: 'web', state: 'blocked' },
          { name: 'd', state: 'in_progress' },
        ],
      });
      const told = (domain?: string) => {
        const { completed_tasks, in_progress_tasks, blocked_tasks } = status(domain);
        return [...completed_tasks, ...in_progress_tasks, ...blocked_tasks].map(({ name }) => name).join();
      };
      assert.equal(told(' web '), 'b,c');
      assert.equal(told('backend'), 'a');
      assert.equal(told('nothing'), '');
      assert.equal(told(''), 'a,b,d,c');
      assert.equal(told(), 'a,b,d,c');
      assert.equal(status('backend').overall_progress, '50% complete');
    });

    it('keeps what is left out', async () => {
      await update({ overall_progress: '10%', current_sprint: 'one', tasks: tasks('blocked', 'a') });
      await update({ current_sprint: 'two' });
      await update({ tasks: tasks('in_progress', 'b') });
      const { overall_progress, current_sprint, blocked_tasks, in_progress_tasks } = status();
      assert.deepEqual([overall_progress, current_sprint], ['10%', 'two']);
      assert.deepEqual([blocked_tasks.length, in_progress_tasks.length], [1, 1]);
    });

    it('has a task once as it goes from state to state, dated by when it was completed', async () => {
      await update({ tasks: [{ name: 'a', state: 'in_progress', status: 'begun' }] });
      await update({ tasks: [{ name: 'a', state: 'blocked', blocker: 'DevOps' }] });
      assert.deepEqual(status().in_progress_tasks, []);
      assert.deepEqual(status().blocked_tasks, [{ name: 'a', domain: null, blocker: 'DevOps' }]);
      await update({ tasks: tasks('blocked', 'a') });
      assert.equal(status().blocked_tasks[0]?.blocker, 'DevOps');
      await update({ tasks: tasks('in_progress', 'a') });
      assert.deepEqual(status().blocked_tasks, []);
      await update({ tasks: tasks('completed', 'a') });
      hall.clock.advanceMinutes(24 * 60);
      await update({ tasks: tasks('completed', 'a') });
      assert.deepEqual(status().completed_tasks, [{ name: 'a', domain: null, date: '2026-05-04' }]);
    });

    it('removes a status or a blocker on an empty text, and the state stays', async () => {
      await update({ tasks: [{ name: 'a', state: 'in_progress', status: 'begun' }] });
      await update({ tasks: [{ name: 'b', state: 'blocked', blocker: 'DevOps' }] });
      await update({ tasks: [{ name: 'a', state: 'in_progress', status: ' ' }] });
      await update({ tasks: [{ name: 'b', state: 'blocked', blocker: '' }] });
      assert.deepEqual(status().in_progress_tasks, [{ name: 'a', domain: null, status: null }]);
      assert.deepEqual(status().blocked_tasks, [{ name: 'b', domain: null, blocker: null }]);
    });

    it('loses the one task that is removed, by its name and its domain', async () => {
      const remove = (name: string, domain: string | null) =>
        hall.continuity.removeTask('shop', { name, domain }, BY_TESTER);
      await update({ tasks: [{ name: 'login', domain: 'web', state: 'in_progress' }] });
      await update({ tasks: [{ name: 'login', domain: 'app', state: 'in_progress' }, ...tasks('blocked', 'deploy')] });
      await assert.rejects(remove('login', null), error('unknown_entry', 'login'));
      await remove('login', 'web');
      await remove('deploy', null);
      await assert.rejects(remove('deploy', null), error('unknown_entry', 'deploy'));
      await assert.rejects(hall.continuity.removeTask('none', { name: 'a', domain: null }, BY_TESTER));
      assert.deepEqual(status().in_progress_tasks, [{ name: 'login', domain: 'app', status: null }]);
      assert.deepEqual(status().blocked_tasks, []);
    });

    it('tells tasks of one name apart by their domain', async () => {
      await update({ tasks: [{ name: 'login', domain: 'web', state: 'in_progress' }] });
      await update({ tasks: [{ name: 'login', domain: 'app', state: 'blocked' }] });
      await store({ tasks_completed: ['login'], domain: 'web' });
      assert.deepEqual(status().completed_tasks, [{ name: 'login', domain: 'web', date: '2026-05-04' }]);
      assert.deepEqual(status().blocked_tasks, [{ name: 'login', domain: 'app', blocker: null }]);
    });

    it('refuses what it does not know, and has then changed nothing', async () => {
      const bad = [{ name: 'b', state: 'done' as TaskState }];
      await assert.rejects(update({ tasks: [...tasks('blocked', 'a'), ...bad] }), error('invalid_argument', '"done"'));
      await assert.rejects(update({ tasks: tasks('blocked', 'a', '') }), error('invalid_argument', 'task name'));
      await assert.rejects(update({ tasks: tasks('blocked', 'a\nb') }), error('invalid_argument', 'task name'));
      const many = Array.from({ length: 201 }, (_, n) => `${n}`);
      await assert.rejects(update({ tasks: tasks('blocked', ...many) }), error('invalid_argument', '201', '200'));
      await assert.rejects(update({ overall_progress: 'a\nb' }), error('invalid_argument', 'overall progress'));
      await assert.rejects(update({ current_sprint: 'x'.repeat(501) }), error('invalid_argument', 'current sprint'));
      assert.equal(status().overall_progress, '0% complete');
      assert.deepEqual(status().blocked_tasks, []);
    });
  });

  it('belongs to known projects, not to scopes of another tier', async () => {
    await hall.define('team', 'GROUP');
    for (const [id, expected] of [
      ['shp', error('unknown_scope', 'Did you mean "shop"')],
      ['team', error('wrong_tier', '"team" is a GROUP scope', 'PROJECT')],
    ] as const) {
      assert.throws(() => hall.continuity.getProjectOverview(id), expected);
      assert.throws(() => hall.continuity.getSessionHistory(id), expected);
      assert.throws(() => hall.continuity.getProgressStatus(id), expected);
      await assert.rejects(store({ project_id: id }), expected);
      await assert.rejects(update({ project_id: id, overall_progress: 'x' }), expected);
      await assert.rejects(describeProject({ project_id: id, purpose: 'x' }), expected);
    }
  });

  describe('by an agent', () => {
    const BY_AGENT = { author: 'claude-code', by_agent: true };
    const origin = { by: 'agent', author: 'claude-code' };
    const byAgent = {
      describe: (overview: Partial<OverviewInput>) =>
        hall.continuity.storeProjectOverview({ project_id: 'shop', ...overview }, BY_AGENT),
      update: (progress: Partial<ProgressInput>) =>
        hall.continuity.updateProgress({ project_id: 'shop', ...progress }, BY_AGENT),
      store: (session: Partial<SessionInput> = {}) =>
        hall.continuity.storeSessionSummary(
          { project_id: 'shop', summary: 'Went on.', tasks_completed: [], ...session },
          BY_AGENT,
        ),
    };
    const overview = () => hall.continuity.projectOverview('shop');

    it('comes back with its origin, which a person’s has not got', async () => {
      await store();
      await byAgent.store();
      assert.deepEqual(
        history().map((session) => [session.summary, session.origin, 'origin' in session]),
        [
          ['Went on.', origin, true],
          ['Did it.', undefined, false],
        ],
      );
      assert.deepEqual(
        hall.continuity.authoredSessions('shop').map(({ author, origin }) => [author, origin]),
        [
          ['claude-code', origin],
          ['tester', undefined],
        ],
      );
      await describeProject({ purpose: 'loans' });
      assert.ok(!('origin' in overview()));
      await byAgent.describe({ current_phase: 'beta' });
      assert.deepEqual(overview().origin, origin);
      assert.deepEqual(hall.continuity.getProjectOverview('shop').origin, origin);
      await describeProject({ current_phase: 'MVP' });
      assert.deepEqual(overview().origin, origin, 'what stays may be the agent’s');
      await describeProject({ purpose: 'loans', current_phase: 'MVP' });
      assert.ok(!('origin' in overview()), 'a person wrote all that stands there');
    });

    it('is said of each task, and of what is said of the whole', async () => {
      await update({ current_sprint: 'one', tasks: tasks('in_progress', 'a', 'b') });
      await byAgent.update({ tasks: tasks('blocked', 'b', 'c') });
      await byAgent.store({ tasks_completed: ['d'] });
      assert.deepEqual(status(), {
        overall_progress: '25% complete',
        current_sprint: 'one',
        completed_tasks: [{ name: 'd', domain: null, date: '2026-05-04', origin }],
        in_progress_tasks: [{ name: 'a', domain: null, status: null }],
        blocked_tasks: [
          { name: 'b', domain: null, blocker: null, origin },
          { name: 'c', domain: null, blocker: null, origin },
        ],
      });
      await byAgent.update({ overall_progress: 'nearly there' });
      assert.deepEqual(status().origin, origin);
      await update({ current_sprint: 'two' });
      assert.deepEqual(status().origin, origin, 'the overall progress is the agent’s');
      await update({ overall_progress: 'nearly there', current_sprint: 'two' });
      assert.ok(!('origin' in status()));
      await update({ tasks: tasks('completed', 'c') });
      assert.deepEqual(status().completed_tasks.find(({ name }) => name === 'c')?.origin, origin, 'a click is no text');
      await byAgent.update({ overall_progress: '', current_sprint: '' });
      assert.ok(!('origin' in status()), 'nothing is said of the whole any more');
    });
  });

  it('of one project is not seen in another', async () => {
    await hall.define('other', 'PROJECT');
    await store({ tasks_completed: ['a'] });
    await describeProject({ purpose: 'p' });
    assert.deepEqual(hall.continuity.getSessionHistory('other'), []);
    assert.deepEqual(hall.continuity.getProgressStatus('other').completed_tasks, []);
    assert.equal(hall.continuity.getProjectOverview('other').purpose, null);
  });

  it('is seen by other halls at once and there again when the stores are opened anew', async () => {
    const peer = await open({ data: hall.data, shared: hall.shared });
    await store({ tasks_completed: ['a'] });
    await describeProject({ purpose: 'p' });
    const seen = ({ continuity }: Hall) => [
      continuity.getSessionHistory('shop'),
      continuity.getProgressStatus('shop'),
      continuity.getProjectOverview('shop'),
    ];
    assert.deepEqual(seen(peer), seen(hall));
    await Promise.all([hall.kaizen.close(), peer.kaizen.close()]);
    const again = await open({ data: hall.data, shared: hall.shared });
    assert.equal(again.continuity.getSessionHistory('shop').length, 1);
    assert.equal(again.continuity.getProjectOverview('shop').purpose, 'p');
  });
});
