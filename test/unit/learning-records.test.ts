import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LEARNED_KINDS, type LearningPart, type LearningWrite, type PatternInput } from '../../src/learning';
import { BY_TESTER, error, type Hall, useHalls } from '../support/hall';

const PATTERN: PatternInput = {
  name: 'Big bang',
  pattern_type: 'antipattern',
  domain: 'planning',
  description: 'Everything at once, at the end.',
  indicators: ['No release for months'],
};

describe('captured records', () => {
  const open = useHalls();
  let hall: Hall;
  let learning: LearningPart;
  beforeEach(async () => {
    hall = await open({ person: 'ada' });
    learning = hall.learning;
  });

  const write = (given: LearningWrite, part = learning) => part.write(given, BY_TESTER);
  const project = async (name: string, more: object = {}) =>
    (await write({ operation: 'capture_project', project: { name, ...more } })).record.id;
  const stored = () => LEARNED_KINDS.map((kind) => learning.list(kind).filter((each) => each.author !== 'kaizen'));

  describe('lessons, decisions and patterns', () => {
    it('keep what is said, with the facts of the project that they belong to', async () => {
      const project_id = await project('Shop', { project_type: 'web_shop', domain: 'software' });
      const lesson = { title: 'Mocks', lesson: 'Mock the bank.', context: 'Payments', project_id };
      const { record, revision } = await write({ operation: 'capture_lesson', lesson });
      assert.match(record.id, /^less-mocks-[0-9a-f]{8}$/);
      assert.deepEqual(learning.get('lesson', record.id), {
        id: record.id,
        created_at: '2026-05-04T09:00:00.000Z',
        updated_at: '2026-05-04T09:00:00.000Z',
        author: 'tester',
        title: 'Mocks',
        context: 'Payments',
        lesson: 'Mock the bank.',
        recommendation: '',
        project_type: 'web_shop',
        domain: 'software',
        sources: [`knowledge://learning/project/${project_id}`],
        project_id,
        visibility: 'personal',
        owner: 'ada',
      });
      assert.equal(typeof revision, 'number');
      const decision = await write({
        operation: 'capture_decision',
        decision: {
          title: 'Use Postgres',
          decision: 'Postgres',
          alternatives: [{ name: 'SQLite', why_not: 'One writer' }],
          criteria: ['Concurrency'],
        },
      });
      const kept = learning.get('decision', decision.record.id)!;
      assert.match(kept.id, /^dec-use-postgres-/);
      assert.equal(kept.decision_date, '2026-05-04');
      assert.deepEqual(kept.alternatives, [{ name: 'SQLite', description: '', why_not: 'One writer' }]);
      const pattern = await write({ operation: 'capture_pattern', pattern: PATTERN });
      assert.equal(learning.get('pattern', pattern.record.id)!.severity, 'medium');
      assert.equal(learning.get('pattern', pattern.record.id)!.is_built_in, false);
    });

    it('are changed by their id, and keep what is not said', async () => {
      const first = { title: 'Mocks', lesson: 'Mock the bank.', recommendation: 'Early', visibility: 'team' } as const;
      const { record } = await write({ operation: 'capture_lesson', lesson: first });
      hall.clock.advanceMinutes(1);
      const changed = { id: record.id, title: 'Mock', lesson: 'Mock everything.' };
      await write({ operation: 'capture_lesson', lesson: changed });
      const lesson = learning.get('lesson', record.id)!;
      assert.equal(lesson.lesson, 'Mock everything.');
      assert.equal(lesson.recommendation, 'Early');
      assert.equal(lesson.visibility, 'team');
      assert.equal(lesson.created_at, '2026-05-04T09:00:00.000Z');
      assert.equal(lesson.updated_at, '2026-05-04T09:01:00.000Z');
      assert.equal(learning.list('lesson').length, 1);
    });

    it('refuse what does not go', async () => {
      const refused = (given: LearningWrite, ...says: [Parameters<typeof error>[0], ...string[]]) =>
        assert.rejects(write(given), error(...says));
      const lesson = { title: 'T', lesson: 'L' };
      await refused({ operation: 'capture_lesson', lesson: { ...lesson, lesson: ' ' } }, 'invalid_argument', 'lesson');
      await refused({ operation: 'capture_lesson', lesson: { ...lesson, project_id: 'proj-x' } }, 'unknown_project');
      await refused({ operation: 'capture_lesson', lesson: { ...lesson, id: 'less-x' } }, 'unknown_lesson', 'less-x');
      await refused({ operation: 'capture_lesson', lesson: { ...lesson, sources: ['a file'] } }, 'invalid_argument');
      const decision = { title: 'T', decision: 'D' };
      await refused(
        { operation: 'capture_decision', decision: { ...decision, decision_date: 'yesterday' } },
        'invalid_argument',
        'yesterday',
      );
      await refused({ operation: 'capture_decision', decision: { ...decision, id: 'dec-x' } }, 'unknown_decision');
      await refused(
        { operation: 'capture_pattern', pattern: { ...PATTERN, indicators: [] } },
        'invalid_argument',
        'indicators',
      );
      await refused({ operation: 'capture_pattern', pattern: { ...PATTERN, id: 'pat-x' } }, 'unknown_pattern');
      await refused(
        { operation: 'capture_pattern', pattern: { ...PATTERN, domain: 'cooking' as 'planning' } },
        'invalid_argument',
        'cooking',
        'architecture',
      );
      await refused({ operation: 'delete', kind: 'decision', id: 'dec-x' }, 'unknown_decision');
      assert.deepEqual(stored().flat(), []);
      assert.deepEqual(learning.revisions(), []);
    });
  });

  describe('patterns of the product', () => {
    const builtIn = () => learning.list('pattern').filter(({ is_built_in }) => is_built_in);

    it('are there from the start, and not in the store', () => {
      const [first] = builtIn();
      assert.equal(first!.author, 'kaizen');
      assert.equal(learning.get('pattern', first!.id), first);
      assert.deepEqual(learning.find(first!.id)?.record, first);
      assert.deepEqual(learning.revisions(), []);
      const ids = builtIn().map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
    });

    it("become one's own when they are changed, and are the product's again when that is undone", async () => {
      const [first] = builtIn();
      const count = builtIn().length;
      const { revision } = await write({ operation: 'capture_pattern', pattern: { ...PATTERN, id: first!.id } });
      const own = learning.get('pattern', first!.id)!;
      assert.equal(own.name, 'Big bang');
      assert.equal(own.is_built_in, false);
      assert.equal(own.author, 'tester');
      assert.deepEqual(own.mitigations, first!.mitigations);
      assert.equal(builtIn().length, count - 1);
      assert.deepEqual(learning.revisions()[0]!.before, first);
      await learning.undo(revision, BY_TESTER);
      assert.deepEqual(learning.get('pattern', first!.id), first);
    });

    it('are hidden when they are deleted, until that is undone', async () => {
      const [first] = builtIn();
      const { revision } = await write({ operation: 'delete', kind: 'pattern', id: first!.id });
      assert.equal(learning.get('pattern', first!.id), undefined);
      assert.ok(!learning.list('pattern').some(({ id }) => id === first!.id));
      await assert.rejects(
        write({ operation: 'capture_pattern', pattern: { ...PATTERN, id: first!.id } }),
        error('unknown_pattern'),
      );
      const kept = await open({ shared: hall.shared, person: 'ada' });
      assert.equal(kept.learning.get('pattern', first!.id), undefined);
      await learning.undo(revision, BY_TESTER);
      assert.deepEqual(learning.get('pattern', first!.id), first);
    });
  });

  describe('undo', () => {
    it('puts back what was there before each change, and can be undone', async () => {
      const id = await project('Shop');
      const states = [learning.get('project', id)];
      const change = async (given: LearningWrite) => {
        const { revision } = await write(given);
        states.push(learning.get('project', id));
        return revision;
      };
      const revisions = [
        await change({ operation: 'update_project', project_id: id, project: { description: 'One' } }),
        await change({ operation: 'transition_project', project_id: id, transition: 'activate' }),
        await change({ operation: 'delete', kind: 'project', id }),
      ];
      assert.equal(learning.get('project', id), undefined);
      await assert.rejects(learning.undo(revisions[0]!, BY_TESTER), error('conflict', 'Shop'));
      await learning.undo(revisions[2]!, BY_TESTER);
      assert.deepEqual(learning.get('project', id), states[2]);
      const [undone] = learning.revisions();
      assert.equal(undone!.operation, 'undo');
      assert.equal(undone!.before, null);
      assert.deepEqual(undone!.after, states[2]);
      await learning.undo(undone!.revision, BY_TESTER);
      assert.equal(learning.get('project', id), undefined);
      await assert.rejects(learning.undo(999, BY_TESTER), error('unknown_revision', '999'));
    });

    it('takes back an outcome with its lessons and its feedback, and gives both again', async () => {
      const id = await project('Shop');
      const before = learning.get('project', id);
      const { revision, also } = await write({
        operation: 'capture_outcome',
        project_id: id,
        outcome: { success_rating: 0.9, lessons_learned: ['Mock the bank.'] },
      });
      assert.deepEqual(
        also.map(({ kind }) => kind),
        ['lesson', 'feedback'],
      );
      const scored = learning.scoreOf(id);
      assert.ok(scored.composite_score > 0.5);
      await learning.undo(revision, BY_TESTER);
      assert.deepEqual(learning.get('project', id), before);
      assert.deepEqual(learning.list('lesson'), []);
      assert.equal(learning.scoreOf(id).composite_score, 0.5);
      assert.deepEqual(learning.feedbackOn(id), []);
      const again = learning.revisions().find(({ operation }) => operation === 'undo')!.revision;
      await learning.undo(again, BY_TESTER);
      assert.equal(learning.get('project', id)!.status, 'completed');
      assert.equal(learning.list('lesson').length, 1);
      assert.equal(learning.scoreOf(id).composite_score, scored.composite_score);
      await learning.undo(learning.revisions().find(({ operation }) => operation === 'undo')!.revision, BY_TESTER);
      assert.equal(learning.scoreOf(id).composite_score, 0.5);
    });

    it('is not given for what a person changed since', async () => {
      const id = await project('Shop');
      const { revision } = await write({
        operation: 'capture_outcome',
        project_id: id,
        outcome: { lessons_learned: ['Mock the bank.'] },
      });
      const [lesson] = learning.list('lesson');
      await write({ operation: 'capture_lesson', lesson: { id: lesson!.id, title: 'Mocks', lesson: 'Always.' } });
      await assert.rejects(learning.undo(revision, BY_TESTER), error('conflict', 'lesson', 'Mocks|Mock the bank'));
      assert.equal(learning.get('project', id)!.status, 'completed');
    });

    it('reaches as far back as there is room, and the latest change in any case', async () => {
      const id = await project('Shop');
      const items = Array.from({ length: 100 }, (_, at) => `${at} ${'x'.repeat(3_990)}`);
      const change = async (description: string) =>
        (
          await write({
            operation: 'update_project',
            project_id: id,
            project: { identified_risks: items, description },
          })
        ).revision;
      const first = await change('0');
      for (let at = 1; at < 25; at++) await change(`${at}`);
      await assert.rejects(learning.undo(first, BY_TESTER), error('unknown_revision'));
      const kept = learning.revisions();
      assert.ok(kept.length > 10 && kept.length < 25, `${kept.length}`);
      await learning.undo(kept[0]!.revision, BY_TESTER);
      assert.equal(learning.get('project', id)!.description, '23');
    });

    it('leads back to the beginning, whatever was changed', async () => {
      const steps = fc.array(fc.constantFrom('project', 'update', 'lesson', 'outcome', 'template', 'delete'), {
        maxLength: 8,
      });
      await fc.assert(
        fc.asyncProperty(steps, async (taken) => {
          const before = stored();
          const revisions: number[] = [];
          for (const step of taken) {
            const [latest] = learning.list('project');
            const project_id = latest?.id ?? 'proj-none';
            const given: Record<typeof step, LearningWrite> = {
              project: { operation: 'capture_project', project: { name: 'P' } },
              update: { operation: 'update_project', project_id, project: { description: `${revisions.length}` } },
              lesson: { operation: 'capture_lesson', lesson: { title: 'T', lesson: 'L' } },
              outcome: { operation: 'capture_outcome', project_id, outcome: { lessons_learned: ['One', 'Two'] } },
              template: { operation: 'capture_template', project_id, template_name: 'T' },
              delete: { operation: 'delete', kind: 'project', id: project_id },
            };
            const done = await write(given[step]).catch(() => undefined);
            if (done) revisions.push(done.revision);
          }
          for (const revision of revisions.reverse()) await learning.undo(revision, BY_TESTER);
          assert.deepEqual(stored(), before);
        }),
        { numRuns: 25 },
      );
    });
  });

  describe('who sees them', () => {
    it('are personal unless told: another person in the same store is answered none of them', async () => {
      const mine = await project('Lighthouse');
      const ours = await project('Harbour', { visibility: 'team' });
      await write({ operation: 'capture_lesson', lesson: { title: 'Mine', lesson: 'Secret' } });
      const other = (await open({ shared: hall.shared, person: 'bob' })).learning;
      assert.deepEqual(
        other.list('project').map(({ id }) => id),
        [ours],
      );
      assert.equal(other.get('project', mine), undefined);
      assert.equal(other.find(`knowledge://learning/project/${mine}`), undefined);
      assert.equal(other.markdown(mine), undefined);
      assert.deepEqual(other.list('lesson'), []);
      const hits = await other.search({ query: 'secret of lighthouse and harbour', kinds: ['project', 'lesson'] });
      assert.deepEqual(
        hits.map(({ id }) => id),
        [ours],
      );
      assert.deepEqual(
        other.revisions().map(({ id }) => id),
        [ours],
      );
      const given = { operation: 'update_project', project_id: mine, project: { visibility: 'team' } } as const;
      await assert.rejects(write(given, other), error('unknown_project'));
      const [personal] = learning.revisions({ kind: 'project', id: mine });
      await assert.rejects(other.undo(personal!.revision, BY_TESTER), error('unknown_revision'));
      await write(given);
      assert.equal(other.get('project', mine)!.owner, 'ada');
    });
  });

  describe('finding them', () => {
    beforeEach(async () => {
      await project('Online shop', { description: 'Sells books.', project_type: 'web_shop', domain: 'software' });
      await project('Bridge', { description: 'Crosses the river.', project_type: 'civil', domain: 'hardware' });
      await write({ operation: 'capture_lesson', lesson: { title: 'Soil', lesson: 'Probe the river bed first.' } });
    });

    const found = async (...[search]: Parameters<LearningPart['search']>) =>
      (await learning.search(search)).map(({ record }) => ('name' in record ? record.name : record.title));

    it('goes by words, best first, and follows every change', async () => {
      assert.deepEqual((await found({ query: 'river' })).sort(), ['Bridge', 'Soil']);
      assert.deepEqual(await found({ query: 'river', kinds: ['lesson'] }), ['Soil']);
      assert.deepEqual(await found({ query: 'river', kinds: ['project'], domain: 'Hardware' }), ['Bridge']);
      assert.deepEqual(await found({ query: 'river', kinds: ['project'], project_type: 'web_shop' }), []);
      assert.equal((await found({ query: 'river books', limit: 1 })).length, 1);
      const [bridge] = learning.list('project', { domain: 'hardware' });
      const { revision } = await write({ operation: 'delete', kind: 'project', id: bridge!.id });
      assert.deepEqual(await found({ query: 'river' }), ['Soil']);
      await learning.undo(revision, BY_TESTER);
      assert.equal((await found({ query: 'river' })).length, 2);
      const update = { description: 'Crosses the valley.' };
      await write({ operation: 'update_project', project_id: bridge!.id, project: update });
      assert.deepEqual(await found({ query: 'river' }), ['Soil']);
      assert.deepEqual(await found({ query: 'valley', kinds: ['project'] }), ['Bridge']);
    });

    it('answers each with its address and score', async () => {
      const [hit] = await learning.search({ query: 'probe soil river', kinds: ['lesson'] });
      assert.equal(hit!.kind, 'lesson');
      assert.equal(hit!.uri, `knowledge://learning/lesson/${hit!.id}`);
      assert.ok(hit!.score > 0.5 && hit!.score <= 1);
      assert.deepEqual(learning.find(hit!.uri)?.record, hit!.record);
      assert.deepEqual(learning.find(hit!.id)?.uri, hit!.uri);
      assert.equal(learning.find('knowledge://learning/lesson/none'), undefined);
      assert.equal(learning.find('knowledge://notes/x/y'), undefined);
      assert.equal(learning.find('knowledge://learning/cake/x'), undefined);
    });

    it('lists by state, type and domain, newest first', async () => {
      hall.clock.advanceMinutes(1);
      const id = await project('Newest');
      await write({ operation: 'transition_project', project_id: id, transition: 'activate' });
      assert.equal(learning.list('project')[0]!.name, 'Newest');
      assert.deepEqual(
        learning.list('project', { status: ['active'] }).map(({ name }) => name),
        ['Newest'],
      );
      assert.deepEqual(
        learning.list('project', { project_type: 'civil' }).map(({ name }) => name),
        ['Bridge'],
      );
    });
  });

  it('are told of to whoever listens, with what has changed', async () => {
    const told: object[] = [];
    const listening = learning.onDidChange((change) => told.push(change));
    const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    const id = await project('Shop');
    await turn();
    assert.deepEqual(told, [{ records: true, scores: false }]);
    await learning.feedback({ operation: 'rate', artifact_id: id, artifact_type: 'project', helpful: true }, BY_TESTER);
    await turn();
    assert.deepEqual(told[1], { records: false, scores: true });
    await write({ operation: 'capture_outcome', project_id: id, outcome: {} });
    await turn();
    assert.deepEqual(told[2], { records: true, scores: true });
    listening.dispose();
  });

  it('are one with those of another process: each sees what the other changed', async () => {
    const other = (await open({ shared: hall.shared, person: 'ada' })).learning;
    const id = await project('Shop');
    assert.equal(other.get('project', id)!.name, 'Shop');
    assert.equal((await other.search({ query: 'shop', kinds: ['project'] })).length, 1);
    await Promise.all([
      write({ operation: 'transition_project', project_id: id, transition: 'activate' }),
      write({ operation: 'update_project', project_id: id, project: { description: 'Ours' } }, other),
    ]);
    for (const part of [learning, other]) {
      assert.equal(part.get('project', id)!.status, 'active');
      assert.equal(part.get('project', id)!.description, 'Ours');
    }
    const tries = await Promise.allSettled([
      write({ operation: 'capture_outcome', project_id: id, outcome: {} }),
      write({ operation: 'transition_project', project_id: id, transition: 'abandon', reason: 'No' }, other),
    ]);
    assert.deepEqual(tries.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.equal(learning.get('project', id)!.status_history.length, 2);
  });

  it('are there after the store was opened anew, with their revisions', async () => {
    const id = await project('Shop', { tasks: [{ name: 'Plan' }] });
    const before = learning.get('project', id);
    const revisions = learning.revisions();
    await hall.kaizen.close();
    const again = (await open({ data: hall.data, shared: hall.shared, person: 'ada' })).learning;
    assert.deepEqual(again.get('project', id), before);
    assert.deepEqual(again.revisions(), revisions);
  });

  it('read as Markdown, with what has no value left out', async () => {
    const id = await project('Shop', {
      description: 'Sells *things*.',
      tasks: [
        { name: 'Build', parent_task: 'All', depends_on: ['Plan'], estimated_hours: 8 },
        { name: 'Plan', description: 'Roughly.' },
        { name: 'All' },
      ],
      identified_risks: ['The bank\nis slow', { description: 'PCI', severity: 'high' }],
      estimated_duration_days: 45,
    });
    await write({ operation: 'transition_project', project_id: id, transition: 'activate', reason: 'Go' });
    assert.equal(
      learning.markdown(id),
      [
        '# Shop',
        '- State: active\n- Type: general\n- Domain: general\n- Started: 2026-05-04\n- Duration: 45 days estimated',
        'Sells *things*.',
        '## Tasks',
        '- Plan (Roughly.)\n- All\n  - Build (8 h estimated; after Plan)',
        '## Risks',
        '- The bank\n  is slow\n- PCI; severity: high',
        '## History',
        '- 2026-05-04: planning → active, by tester: Go\n',
      ].join('\n\n'),
    );
    for (const kind of LEARNED_KINDS) {
      for (const record of learning.list(kind)) {
        const text = learning.markdown(`knowledge://learning/${kind}/${record.id}`)!;
        assert.match(text, /^# \S/);
        assert.doesNotMatch(text, /undefined|null|\[object|\n\n\n/);
      }
    }
  });
});
