import assert from 'node:assert/strict';
import fc from 'fast-check';
import { libraryUri } from '../../src/core/knowledge-uri';
import type { Feedback } from '../../src/learning/feedback';
import type { FeedbackRecord } from '../../src/learning/model';
import { addRevision, changedAfter } from '../../src/learning/records/revisions';
import { learningSchema } from '../../src/learning/schema';
import { openRelations } from '../../src/relations';
import { relationsSchema } from '../../src/relations/schema';
import type { Store } from '../../src/store';
import { FeedbackBench } from '../support/feedback';
import { BY_TESTER, error, useHalls } from '../support/hall';
import { Bench } from '../support/stores';
import { turnsDuring } from '../support/turns';

const ADA = { author: 'Ada' };
/** Entries, a document, passages of it and of another one. */
const ARTIFACTS = [
  'knowledge://scopes/general/rules/prime',
  libraryUri('pumps'),
  ...['a', 'b'].map((id) => libraryUri('pumps', id)),
  libraryUri('valves', 'a'),
];
const AT = '2026-01-01T00:00:00.000Z';

function record(id: string, artifact: string, rating: number): FeedbackRecord {
  return {
    ...{ id, artifact, artifact_type: 'chunk', usage_context: '', feedback_type: 'rating', feedback_tier: 'quick' },
    ...{ rating, specific_data: {}, corrections: [], suggested_improvements: [], feedback_source: 'user' },
    ...{ author: 'Ada', created_at: AT },
  };
}

describe('Much feedback', () => {
  const bench = new FeedbackBench();
  afterEach(() => bench.cleanUp());

  it('gives the same scores step by step as it gives when it is read anew, in every process', async () => {
    const given = fc.record({ artifact: fc.nat(ARTIFACTS.length - 1), rating: fc.integer({ min: 0, max: 10 }) });
    const step = fc.oneof(
      { weight: 3, arbitrary: given.map((each) => ({ ...each, kind: 'give' as const })) },
      { weight: 2, arbitrary: fc.nat(30).map((at) => ({ kind: 'withdraw' as const, at })) },
      { weight: 1, arbitrary: fc.nat(30).map((at) => ({ kind: 'again' as const, at })) },
      { weight: 1, arbitrary: fc.tuple(fc.nat(4), fc.nat(4)).map((move) => ({ kind: 'move' as const, move })) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const own = new FeedbackBench();
        try {
          const [one, other] = [await own.open(), await own.open()];
          const store = await own.store();
          let count = 0;
          for (const each of steps) {
            if (each.kind === 'give') {
              await one.keeping.takeIn([record(`fb-${count++}`, ARTIFACTS[each.artifact]!, each.rating / 10)], {});
            } else if (each.kind === 'move') {
              await one.keeping.moved(ARTIFACTS[each.move[0]]!, ARTIFACTS[each.move[1]]!);
            } else {
              const isBack = each.kind === 'withdraw';
              await store.write((transaction) => one.giving.withdraw(transaction, [`fb-${each.at}`], isBack));
            }
            const scores = (of: Feedback) => ARTIFACTS.map((artifact) => of.scores.scoreOf(artifact));
            assert.deepEqual(scores(one), scores(other));
          }
          const anew = await own.open();
          for (const artifact of ARTIFACTS)
            assert.deepEqual(one.scores.scoreOf(artifact), anew.scores.scoreOf(artifact));
          assert.deepEqual((await one.scores.recalculate()).changed, []);
          assert.deepEqual([...one.scores.ratedPassages()].sort(), [...anew.scores.ratedPassages()].sort());
        } finally {
          await own.cleanUp();
        }
      }),
      { numRuns: 25 },
    );
  });

  it('gives the same scores whatever is said, replaced, taken back and brought from elsewhere', async () => {
    const place = fc.nat(ARTIFACTS.length - 1);
    const rating = fc.integer({ min: 0, max: 10 }).map((each) => each / 10);
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('rate'), place, rating, instead: fc.boolean() }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('outcome'), place, rating, instead: fc.constant(false) }) },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('back'), place: fc.nat(20), rating, instead: fc.boolean() }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('import'), place, rating, instead: fc.boolean() }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20 }), async (steps) => {
        const own = new FeedbackBench();
        try {
          const template = own.records.add('template', { id: 'tmpl-a' });
          const made = { source_template_id: 'tmpl-a', template_modifications: ['One'] };
          const project = own.records.add('project', { id: 'proj-a', ...made });
          const all = [...ARTIFACTS, project, template];
          const [one, other] = [await own.open(), await own.open()];
          const ids: string[] = [];
          for (const { kind, place, rating, instead } of steps) {
            const artifact_id = kind === 'outcome' ? project : ARTIFACTS[place % ARTIFACTS.length]!;
            const artifact_type = kind === 'outcome' ? 'project' : 'chunk';
            const by = place % 2 === 0 ? one : other;
            own.now += 1_000;
            if (kind === 'back') {
              await by.giving.takeBack(ids.slice(place, place + 1), {});
            } else if (kind === 'import') {
              await by.keeping.takeIn([record(`fb-${place}`, artifact_id, rating), ...by.keeping.exportFeedback()], {});
            } else if (kind === 'outcome') {
              const said = { artifact_id, artifact_type, outcome_type: 'project_partial', rating } as const;
              ids.push((await by.giving.feedback({ operation: 'report_outcome', ...said }, ADA)).feedback_id);
            } else {
              const given = await by.giving.feedback(
                { operation: 'rate', artifact_id, artifact_type, rating },
                { ...ADA, instead },
              );
              ids.push(given.feedback_id);
            }
            const scores = (of: Feedback) => all.map((artifact) => of.scores.scoreOf(artifact));
            assert.deepEqual(scores(one), scores(other));
          }
          const anew = await own.open();
          for (const artifact of all) assert.deepEqual(one.scores.scoreOf(artifact), anew.scores.scoreOf(artifact));
          assert.deepEqual((await other.scores.recalculate()).changed, []);
        } finally {
          await own.cleanUp();
        }
      }),
      { numRuns: 20 },
    );
  });

  it('is exact before all of it is read, and read, listed and made anew in turns', async () => {
    const feedback = await bench.open();
    const all = Array.from({ length: 3_000 }, (_, at) =>
      record(`fb-${at}`, `${ARTIFACTS[0]}-${at % 300}`, (at % 11) / 10),
    );
    const passages = Array.from({ length: 1_000 }, (_, at) => record(`fb-p-${at}`, libraryUri('pumps', `c${at}`), 1));
    await feedback.keeping.takeIn([...all, ...passages], {});
    const expected = await feedback.scores.scores(1_000);
    const opened = await bench.open();
    for (const score of expected.slice(0, 20)) {
      assert.deepEqual(opened.scores.effectivenessOf(score.artifact).score, score.composite_score);
    }
    assert.equal((await bench.open()).scores.ratedPassages().size, 1_000);
    assert.equal((await bench.open()).scores.scoreOf(libraryUri('pumps')).times_feedback_received, 1_000);
    const turns = async (work: (of: Feedback) => Promise<unknown>) => {
      const of = await bench.open();
      return turnsDuring(() => work(of));
    };
    assert.ok((await turns((of) => of.scores.warm())) >= 4_000 / 500 - 1);
    assert.ok((await turns((of) => of.scores.scores(100))) > 100);
    assert.ok((await turns((of) => of.scores.recalculate())) > 100);
    const ids = all.slice(0, 1_500).map(({ id }) => id);
    await opened.giving.takeBack(ids, {});
    const anew = await bench.open();
    assert.deepEqual(await opened.scores.scores(1_000), await anew.scores.scores(1_000));
  });

  it('ends at 200,000 pieces, of which none is stored any more, and nothing else either', async () => {
    const feedback = await bench.open();
    const store = await bench.store();
    const fill = `INSERT INTO learning_feedback (id, artifact, artifact_type, feedback_type, feedback_tier, specific_data, author, at, said)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 199999)
      SELECT 'fb-' || i, 'a', 'chunk', 'suggestion', 'quick', '{}', 'Ada', 0, '{}' FROM n`;
    await store.write((transaction) => transaction.run(fill));
    const rate = { operation: 'rate', artifact_id: ARTIFACTS[0]!, artifact_type: 'chunk', helpful: true } as const;
    await feedback.giving.feedback(rate, ADA);
    const full = error('learning_full', /200001 pieces of feedback; the limit is 200000/, /Find out who/);
    await assert.rejects(feedback.giving.feedback(rate, ADA), full);
    await assert.rejects(feedback.keeping.takeIn([record('more', ARTIFACTS[0]!, 1)], {}), full);
    assert.equal(feedback.scores.scoreOf(ARTIFACTS[0]!).times_feedback_received, 1);
    assert.equal(feedback.keeping.feedbackOn(ARTIFACTS[0]!).length, 1);
  }).timeout(60_000);
});

describe('Many captured records', () => {
  const open = useHalls();

  it('end at 10,000: no more are stored, and one can be changed, deleted, and another one captured then', async () => {
    const { learning, kaizen } = await open({ person: 'ada' });
    const lesson = { title: 'One', lesson: 'Mock.', visibility: 'team' } as const;
    const { record: one } = await learning.write({ operation: 'capture_lesson', lesson }, BY_TESTER);
    const store = (kaizen as unknown as { opening: Promise<{ shared: Store }> }).opening;
    const fill = `INSERT INTO learning_record (kind, id, revision, created_at, changed_at, json)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9998)
      SELECT 'lesson', 'made-' || i, 0, created_at, 0, json_set(json, '$.id', 'made-' || i)
        FROM n, learning_record WHERE id = ?`;
    await (await store).shared.write((transaction) => transaction.run(fill, [one.id]));
    await learning.write({ operation: 'capture_lesson', lesson }, BY_TESTER);
    const full = error('learning_full', /10001 captured records; the limit is 10000/, /Export them/);
    await assert.rejects(learning.write({ operation: 'capture_lesson', lesson }, BY_TESTER), full);
    const more = { records: [{ kind: 'lesson', record: { ...one, id: 'less-more' } }] };
    await assert.rejects(learning.import(more, {}, BY_TESTER), full);
    assert.equal(learning.get('lesson', 'less-more'), undefined);
    const project = { name: 'Shop' };
    await assert.rejects(learning.write({ operation: 'capture_project', project }, BY_TESTER), full);
    await learning.write({ operation: 'capture_lesson', lesson: { ...lesson, id: one.id, title: 'Two' } }, BY_TESTER);
    await learning.write({ operation: 'delete', kind: 'lesson', id: one.id }, BY_TESTER);
    await learning.write({ operation: 'capture_project', project }, BY_TESTER);
    assert.equal(learning.list('project').length, 1);
  }).timeout(60_000);

  it('are read in turns by whoever searches first, and taken over one by one from then on', async () => {
    const { learning, shared } = await open({ person: 'ada' });
    const lesson = { title: 'One', lesson: 'Mock the bank.', visibility: 'team' } as const;
    const { record: one } = await learning.write({ operation: 'capture_lesson', lesson }, BY_TESTER);
    const records = Array.from({ length: 300 }, (_, at) => ({
      kind: 'lesson',
      record: { ...one, id: `less-${at}`, created_at: new Date(Date.parse(AT) + at).toISOString() },
    }));
    await learning.import({ records }, {}, BY_TESTER);
    const other = (await open({ person: 'ada', shared })).learning;
    assert.ok((await turnsDuring(() => other.search({ query: 'bank' }))) > 300);
    const same = () => assert.deepEqual(other.list('lesson'), learning.list('lesson'));
    same();
    await learning.write({ operation: 'delete', kind: 'lesson', id: 'less-7' }, BY_TESTER);
    same();
    const { revision } = await learning.write(
      { operation: 'capture_lesson', lesson: { ...lesson, id: 'less-8', title: 'Eight' } },
      BY_TESTER,
    );
    same();
    await other.undo(revision, BY_TESTER);
    same();
    await other.write({ operation: 'capture_lesson', lesson }, BY_TESTER);
    same();
    const anew = (await open({ person: 'ada', shared })).learning;
    assert.deepEqual(anew.list('lesson'), learning.list('lesson'));
    assert.deepEqual(
      learning
        .list('lesson')
        .map(({ id }) => id)
        .slice(-2),
      ['less-1', 'less-0'],
      'newest first',
    );
  });
});

describe('What changed since', () => {
  const bench = new Bench();
  afterEach(() => bench.cleanUp());

  it('is not told where some of it is not kept any more', async () => {
    const store = await bench.open(bench.directory(), { schemas: [learningSchema] });
    const note = {
      operation: 'import',
      author: 'Ada',
      by_agent: false,
      at: 0,
      feedback: [],
      feedback_counts: true,
    } as const;
    await store.write((transaction) => {
      // One of another process stays in the middle of an import that is dropped.
      for (const revision of [5, 7]) {
        const row = { revision, made_with: revision, kind: 'lesson', id: 'less-a', title: 'A', before: null } as const;
        addRevision(transaction, note, row);
      }
    });
    assert.equal(changedAfter(store.read(), 4), undefined);
    assert.deepEqual(
      changedAfter(store.read(), 6)?.map(({ revision }) => revision),
      [7],
    );
  });
});

describe('Many relations', () => {
  const bench = new Bench();
  afterEach(() => bench.cleanUp());

  it('end at 200,000 in a store: no more are stored, until one is removed', async () => {
    const store = await bench.open(bench.directory(), { schemas: [relationsSchema, learningSchema] });
    const ends = {
      resolve: async (uri: string) => ({ uri, title: uri, kind: 'entry' as const }),
      ...{ locate: async () => undefined, isOfWorkspace: () => false, sources: [] },
      onDidChange: () => ({ dispose: () => {} }),
    };
    const clock = { now: () => Date.parse(AT) };
    const relations = openRelations({ stores: { workspace: store, shared: store }, ends, clock });
    const fill = `INSERT INTO relation (id, source, target, type, confidence, bidirectional, context, created_by, author, at)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 199999)
      SELECT 'rel-' || i, 'knowledge://scopes/a/b/' || i, 'knowledge://scopes/a/b/0', 'causes', 1, 0, '', 'manual', 'Ada', 0 FROM n`;
    await store.write((transaction) => transaction.run(fill));
    const [source, target] = ['knowledge://scopes/a/b/x', 'knowledge://scopes/a/b/y'];
    const { relation } = await relations.add({ source, target, type: 'causes' }, ADA);
    const full = error('relations_full', /200001 relations; the limit is 200000/, /tidy/);
    await assert.rejects(relations.add({ source, target, type: 'supports' }, ADA), full);
    const more = [1, 2].map((at) => ({
      ...relation,
      id: `more-${at}`,
      type: 'supports' as const,
      source: `${source}${at}`,
    }));
    await assert.rejects(relations.import(more, {}, ADA), error('relations_full', /200002 relations/));
    assert.equal((await relations.add({ source, target, type: 'causes', context: 'Seen.' }, ADA)).status, 'updated');
    await relations.remove('rel-7', ADA);
    assert.equal((await relations.add({ source, target, type: 'supports' }, ADA)).status, 'added');
    await relations.close();
  }).timeout(60_000);
});
