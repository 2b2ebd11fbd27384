import assert from 'node:assert/strict';
import fc from 'fast-check';
import { LEARNED_KINDS, type LearningExport, type LearningPart } from '../../src/learning';
import { BY_TESTER, error, type Hall, useHalls } from '../support/hall';

describe('exporting and importing what was learned', () => {
  const open = useHalls();
  let hall: Hall;
  let learning: LearningPart;
  let project_id: string;
  beforeEach(async () => {
    hall = await open({ person: 'ada' });
    learning = hall.learning;
    const tasks = [
      { name: 'Plan', phase: 'Start', estimated_hours: 2 },
      { name: 'Build', depends_on: ['Plan'] },
    ];
    const project = {
      name: 'Shop',
      tasks,
      identified_risks: ['Bank'],
      visibility: 'team',
      domain: 'software',
    } as const;
    project_id = (await learning.write({ operation: 'capture_project', project }, BY_TESTER)).record.id;
    const outcome = { success_rating: 0.9, actual_duration_days: 20, lessons_learned: ['Mock the bank.'] };
    await learning.write({ operation: 'capture_outcome', project_id, outcome }, BY_TESTER);
    await learning.write({ operation: 'capture_template', project_id, template_name: 'Shops' }, BY_TESTER);
    const decision = {
      title: 'Postgres',
      decision: 'Yes',
      alternatives: [{ name: 'SQLite' }],
      visibility: 'team',
    } as const;
    await learning.write({ operation: 'capture_decision', decision }, BY_TESTER);
    const [{ id, name, pattern_type, domain, description }] = learning.list('pattern') as [never];
    const pattern = { id, name, pattern_type, domain, description, indicators: ['Ours'] };
    await learning.write({ operation: 'capture_pattern', pattern }, BY_TESTER);
  });

  /** As a file has it. */
  const file = (options?: Parameters<LearningPart['export']>[0]): LearningExport =>
    JSON.parse(JSON.stringify(learning.export(options)));
  const stored = (part: LearningPart) => LEARNED_KINDS.map((kind) => part.list(kind));
  const elsewhere = async (person = 'ada') => (await open({ person })).learning;
  const counts = ({ added, updated, unchanged, kept, feedback }: Awaited<ReturnType<LearningPart['import']>>) => [
    ...[added, updated, unchanged, kept.length, feedback],
  ];

  it('brings everything to another store, with its scores, and twice is once', async () => {
    const other = await elsewhere();
    const result = await other.import(file(), {}, BY_TESTER);
    assert.deepEqual(counts(result), [5, 0, 0, 0, 1]);
    assert.deepEqual(stored(other), stored(learning));
    assert.deepEqual(other.scoreOf(project_id), learning.scoreOf(project_id));
    assert.deepEqual((await other.search({ query: 'bank', kinds: ['lesson'] })).length, 1);
    const again = await other.import(file(), { overwrite: true }, BY_TESTER);
    assert.deepEqual(counts(again), [0, 0, 5, 0, 0]);
    assert.equal(again.revision, undefined);
  });

  it('leaves out what is personal, and the feedback on it, unless it is asked for', async () => {
    const project = { name: 'Secret' };
    const secret = (await learning.write({ operation: 'capture_project', project }, BY_TESTER)).record.id;
    await learning.write({ operation: 'capture_outcome', project_id: secret, outcome: {} }, BY_TESTER);
    assert.ok(!JSON.stringify(file()).includes(secret));
    const all = file({ personal: true });
    assert.equal(all.records.length, 6);
    assert.equal(all.feedback.length, 2);
    assert.deepEqual(
      file({ kinds: ['decision'], feedback: false }).records.map(({ kind }) => kind),
      ['decision'],
    );
    const other = await elsewhere('bob');
    await other.import(all, {}, BY_TESTER);
    assert.equal(other.get('project', secret)!.owner, 'bob');
    assert.equal(other.get('project', project_id)!.owner, 'ada');
  });

  it('keeps what is there and differs, unless it is to be overwritten, and can be undone', async () => {
    const other = await elsewhere();
    await other.import(file(), {}, BY_TESTER);
    const before = stored(other);
    const project = { description: 'Changed.' };
    await learning.write({ operation: 'update_project', project_id, project }, BY_TESTER);
    const kept = await other.import(file(), {}, BY_TESTER);
    assert.deepEqual(counts(kept), [0, 0, 4, 1, 0]);
    assert.deepEqual(kept.kept, [{ kind: 'project', id: project_id, title: 'Shop' }]);
    assert.deepEqual(stored(other), before);
    const tried = await other.import(file(), { overwrite: true }, { ...BY_TESTER, rehearse: true });
    assert.deepEqual(counts(tried), [0, 1, 4, 0, 0]);
    assert.deepEqual(stored(other), before);
    const { revision } = await other.import(file(), { overwrite: true }, BY_TESTER);
    assert.equal(other.get('project', project_id)!.description, 'Changed.');
    assert.equal(other.revisions()[0]!.operation, 'import');
    await other.undo(revision!, BY_TESTER);
    assert.deepEqual(stored(other), before);
  });

  it('is undone as a whole, however many records there are', async () => {
    const lessons = Array.from({ length: 130 }, (_, at) => ({
      kind: 'lesson',
      record: { ...learning.list('lesson')[0], id: `less-${at}`, lesson: `Lesson ${at}` },
    }));
    const other = await elsewhere();
    const { revision, added } = await other.import({ records: lessons }, {}, BY_TESTER);
    assert.equal(added, 130);
    await other.undo(revision!, BY_TESTER);
    assert.deepEqual(other.list('lesson'), []);
  });

  it('refuses a file that is wrong anywhere, says where, and stores nothing of it', async () => {
    const other = await elsewhere();
    const before = stored(other);
    const [first] = file().records;
    const refused = (given: unknown, ...says: string[]) =>
      assert.rejects(other.import(given, {}, BY_TESTER), error('invalid_argument', ...says));
    await refused([], 'The file');
    await refused({ records: 'all' }, 'records', 'no list');
    await refused(
      { records: [first, { kind: 'cake', record: {} }] },
      String.raw`records\[1\].kind`,
      'project, template',
    );
    await refused(
      { records: [{ ...first, record: { ...first!.record, id: '../../x' } }] },
      String.raw`records\[0\].record.id`,
    );
    await refused({ records: [{ ...first, record: { ...first!.record, name: undefined } }] }, 'record.name');
    await refused({ records: [first, first] }, 'second one');
    const strange = {
      ...first!.record,
      tasks: [{ ...learning.get('project', project_id)!.tasks[1], depends_on: ['task-9'] }],
    };
    await refused({ records: [{ ...first, record: strange }] }, 'task-9', 'Build');
    const [feedback] = file().feedback;
    await refused({ records: [first], feedback: [{ ...feedback, rating: 2 }] }, String.raw`feedback\[0\].rating`);
    assert.deepEqual(stored(other), before);
    assert.deepEqual(other.feedbackOn(project_id), []);
  });

  it('takes nothing but records that read as what they are, whatever is changed in a file', async () => {
    const good = file();
    const other = await elsewhere();
    const strange = fc.constantFrom<unknown>(null, -1, '', 'x\0', [], {}, [null], '2026-02-30', true, 1e9);
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), strange, async (at, field, value) => {
        const { kind, record } = good.records[at % good.records.length]!;
        const names = Object.keys(record);
        const changed = { ...record, [names[field % names.length]!]: value };
        const result = await other.import({ records: [{ kind, record: changed }] }, {}, BY_TESTER).catch((thrown) => {
          error('invalid_argument')(thrown);
          return undefined;
        });
        for (const each of LEARNED_KINDS) {
          for (const { id } of other.list(each)) assert.doesNotMatch(other.markdown(id)!, /undefined|\[object/);
        }
        if (result?.revision !== undefined) await other.undo(result.revision, BY_TESTER);
      }),
      { numRuns: 150 },
    );
  });
});
