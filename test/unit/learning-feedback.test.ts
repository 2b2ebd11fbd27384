import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { libraryUri } from '../../src/core/knowledge-uri';
import type { Feedback } from '../../src/learning/feedback';
import type { FeedbackInput, FeedbackRecord } from '../../src/learning/model';
import { SCORE_FACTOR_WEIGHTS, SCORE_FACTORS } from '../../src/learning/vocabulary';
import { DAY_MS, FeedbackBench } from '../support/feedback';

const ADA = { author: 'Ada' };
const ENTRY = 'knowledge://scopes/general/git/branches';
const refused = (code: string) => ({ name: 'KaizenError', code });
const close = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

const helpful = (artifact_id: string, yes = true): FeedbackInput => ({
  operation: 'rate',
  artifact_id,
  artifact_type: 'chunk',
  helpful: yes,
});

describe('Feedback', () => {
  let bench: FeedbackBench;
  let feedback: Feedback;

  beforeEach(async () => {
    bench = new FeedbackBench();
    feedback = await bench.open();
  });
  afterEach(() => bench.cleanUp());

  it('is neutral on what nobody rated', () => {
    const unrated = { score: 0.5, confidence: 0, level: 'moderate', boost: 1, ratings: 0 };
    assert.deepEqual(feedback.scores.effectivenessOf(ENTRY), unrated);
    bench.now += 1_000 * DAY_MS;
    assert.deepEqual(feedback.scores.effectivenessOf(ENTRY), unrated);
    const { composite_score, confidence, staleness_penalty, simple } = feedback.scores.scoreOf(ENTRY);
    assert.deepEqual(
      [composite_score, confidence, staleness_penalty, simple],
      [...[0.5, 0, 0], { score: 0.5, confidence: 0, ratings: [] }],
    );
  });

  it('answers how the score changed, and keeps all that was said', async () => {
    const result = await feedback.giving.feedback(
      { ...helpful(ENTRY), usage_context: ' naming a branch ', comment: 'saved me an hour' },
      ADA,
    );
    assert.match(result.feedback_id, /^fb-[0-9a-f-]{36}$/);
    assert.equal(result.artifact, ENTRY);
    close(result.score_update.previous_score, 0.5);
    close(result.score_update.new_score, 0.6);
    assert.equal(result.score_update.previous_confidence, 0);
    assert.equal(result.score_update.new_confidence, 0.05);
    assert.deepEqual(result.score_update.factors_updated, ['user_rating']);
    assert.deepEqual(result.propagation, { propagated_to: [], note: 'No source template to propagate to' });
    close(feedback.scores.effectivenessOf(ENTRY).score, 0.6);
    assert.equal(feedback.scores.effectivenessOf(ENTRY).level, 'effective');
    const [record] = feedback.keeping.feedbackOn(ENTRY);
    assert.deepEqual(record, {
      id: result.feedback_id,
      artifact: ENTRY,
      artifact_type: 'chunk',
      usage_context: 'naming a branch',
      project_id: undefined,
      feedback_type: 'helpful',
      feedback_tier: 'quick',
      rating: undefined,
      comment: 'saved me an hour',
      specific_data: {},
      corrections: [],
      suggested_improvements: [],
      feedback_source: 'user',
      author: 'Ada',
      created_at: new Date(bench.now).toISOString(),
      propagated_from: undefined,
      propagation_weight: undefined,
    });
  });

  it('keeps the simple score of phase 2b beside the one by factors', async () => {
    for (const yes of [true, true, false]) await feedback.giving.feedback(helpful(ENTRY, yes), ADA);
    await feedback.giving.feedback({ operation: 'rate', artifact_id: ENTRY, artifact_type: 'chunk', rating: 0.9 }, ADA);
    const { simple, positive_feedback, negative_feedback, times_feedback_received } = feedback.scores.scoreOf(ENTRY);
    assert.deepEqual([positive_feedback, negative_feedback, times_feedback_received], [2, 1, 4]);
    close(simple.score, (2 / 3) * 0.4 + 0.9 * 0.6);
    close(simple.confidence, 0.3);
  });

  it('takes the last ten ratings only for the simple score', async () => {
    for (let at = 0; at < 12; at++) {
      bench.now += 1_000;
      const rating = at < 2 ? 0 : 1;
      await feedback.giving.feedback({ operation: 'rate', artifact_id: ENTRY, artifact_type: 'chunk', rating }, ADA);
    }
    close(feedback.scores.scoreOf(ENTRY).simple.score, 0.5 * 0.4 + 0.6);
  });

  it('refuses what is incomplete or out of range, naming the operation, and keeps nothing of it', async () => {
    const about = { artifact_id: ENTRY, artifact_type: 'chunk' } as const;
    const bad: [FeedbackInput, RegExp][] = [
      [{ ...about, operation: 'rate' }, /^rate needs rating/],
      [{ ...about, operation: 'rate', rating: 1.2 }, /rating is to be a number from 0 to 1/],
      [{ ...about, operation: 'rate', rating: Number.NaN }, /rating is to be/],
      [{ ...about, operation: 'rate_specific', aspect_ratings: {} }, /^rate_specific needs aspect_ratings/],
      [{ ...about, operation: 'rate_specific', aspect_ratings: { accuracy: -1 } }, /accuracy is to be/],
      [{ ...about, operation: 'report_outcome' } as never, /^report_outcome needs outcome_type/],
      [{ ...about, operation: 'report_outcome', outcome_type: 'fine' as never }, /"fine" is no outcome/],
      [{ ...about, operation: 'suggest_improvement' }, /^suggest_improvement needs suggestions/],
      [{ ...about, operation: 'praise' as never }, /"praise" is no operation/],
      [{ ...about, artifact_type: 'book' as never, operation: 'rate', helpful: true }, /"book" is no type/],
      [{ ...about, artifact_id: '', operation: 'rate', helpful: true }, /artifact_id is empty/],
    ];
    for (const [input, message] of bad) {
      await assert.rejects(feedback.giving.feedback(input, ADA), { ...refused('invalid_argument'), message });
    }
    assert.deepEqual(feedback.keeping.exportFeedback(), []);
  });

  it('says what would become of it without recording it', async () => {
    const { score_update } = await feedback.giving.feedback(helpful(ENTRY), { ...ADA, rehearse: true });
    close(score_update.new_score, 0.6);
    assert.deepEqual(feedback.keeping.exportFeedback(), []);
    close(feedback.scores.effectivenessOf(ENTRY).score, 0.5);
  });

  it('has one opinion of a person who asks for that, whichever it was before', async () => {
    const says = (yes: boolean) => feedback.giving.feedback(helpful(ENTRY, yes), { ...ADA, instead: true });
    await says(true);
    await says(true);
    const { score_update } = await says(false);
    close(score_update.previous_score, 0.6);
    close(score_update.new_score, 0.4);
    close(feedback.scores.effectivenessOf(ENTRY).score, 0.4);
    assert.deepEqual(
      feedback.keeping.saidBy('Ada', ENTRY).map(({ feedback_type }) => feedback_type),
      ['not_helpful'],
    );
    const { positive_feedback, negative_feedback, times_feedback_received } = feedback.scores.scoreOf(ENTRY);
    assert.deepEqual([positive_feedback, negative_feedback, times_feedback_received], [0, 1, 1]);
    await feedback.giving.feedback(
      { operation: 'rate', artifact_id: ENTRY, artifact_type: 'chunk', rating: 1 },
      { ...ADA, instead: true },
    );
    close(feedback.scores.effectivenessOf(ENTRY).score, 0.6);
    assert.equal(feedback.keeping.feedbackOn(ENTRY).length, 1);
  });

  it('keeps what others and agents said, and what was said in another way, beside a person’s new opinion', async () => {
    const about = { artifact_id: ENTRY, artifact_type: 'chunk' } as const;
    const aspects = (accuracy: number): FeedbackInput => ({
      ...about,
      operation: 'rate_specific',
      aspect_ratings: { accuracy },
    });
    await feedback.giving.feedback(helpful(ENTRY), { author: 'Ada', by_agent: true });
    await feedback.giving.feedback(helpful(ENTRY), { author: 'Bob' });
    await feedback.giving.feedback(aspects(1), { ...ADA, instead: true });
    await feedback.giving.feedback(helpful(ENTRY), { ...ADA, instead: true });
    await feedback.giving.feedback({ ...about, operation: 'suggest_improvement', suggestions: ['shorter'] }, ADA);
    await feedback.giving.feedback(aspects(0.25), { ...ADA, instead: true });
    await feedback.giving.feedback(helpful(ENTRY, false), { ...ADA, instead: true });
    const said = feedback.keeping
      .feedbackOn(ENTRY)
      .map(({ author, feedback_source, feedback_type }) => [author, feedback_source, feedback_type]);
    assert.deepEqual(said, [
      ['Ada', 'automated', 'helpful'],
      ['Bob', 'user', 'helpful'],
      ['Ada', 'user', 'suggestion'],
      ['Ada', 'user', 'aspects'],
      ['Ada', 'user', 'not_helpful'],
    ]);
    assert.deepEqual(
      feedback.keeping.saidBy('Ada', ENTRY).map(({ feedback_type }) => feedback_type),
      ['suggestion', 'aspects', 'not_helpful'],
    );
    close(feedback.scores.scoreOf(ENTRY).factors.accuracy.score, 0.25);
    // Made anew, it is the same.
    const before = feedback.scores.scoreOf(ENTRY).raw_score;
    close((await bench.open()).scores.scoreOf(ENTRY).raw_score, before);
  });

  it('changes nothing by an opinion that is only tried', async () => {
    await feedback.giving.feedback(helpful(ENTRY), { ...ADA, instead: true });
    const { score_update } = await feedback.giving.feedback(helpful(ENTRY, false), {
      ...ADA,
      instead: true,
      rehearse: true,
    });
    close(score_update.new_score, 0.4);
    assert.deepEqual(
      feedback.keeping.saidBy('Ada', ENTRY).map(({ feedback_type }) => feedback_type),
      ['helpful'],
    );
    close(feedback.scores.effectivenessOf(ENTRY).score, 0.6);
  });

  it('takes back with feedback what was propagated of it', async () => {
    const template = bench.records.add('template', { id: 'tmpl-shop-0a1b2c3d' });
    const project = bench.records.add('project', {
      id: 'proj-shop-0a1b2c3d',
      source_template_id: 'tmpl-shop-0a1b2c3d',
      template_modifications: [],
    });
    const input = { operation: 'rate', artifact_id: project, artifact_type: 'project' } as const;
    const { feedback_id, propagation } = await feedback.giving.feedback({ ...input, helpful: true }, ADA);
    assert.deepEqual(propagation.propagated_to, [template]);
    await feedback.giving.feedback({ ...input, helpful: false }, { ...ADA, instead: true });
    close(feedback.scores.scoreOf(template).factors.effectiveness.score, 0);
    const [own] = feedback.keeping.saidBy('Ada', project);
    assert.notEqual(own?.id, feedback_id);
    assert.deepEqual(
      feedback.keeping.saidBy('Ada', template),
      [],
      'what was propagated is taken back where it was said',
    );
    await feedback.giving.takeBack([own!.id], {});
    assert.deepEqual([feedback.keeping.feedbackOn(project), feedback.keeping.feedbackOn(template)], [[], []]);
    close(feedback.scores.scoreOf(template).factors.effectiveness.score, 0.5);
  });

  it('explains with sums that are those of the sentences', async () => {
    await feedback.giving.feedback(helpful(ENTRY), ADA);
    bench.now += 40 * DAY_MS;
    const { sums, steps, age, score } = feedback.scores.explain(ENTRY);
    assert.deepEqual(age, { since: 'feedback', days: 40 });
    assert.deepEqual(
      sums.map(({ of }) => of),
      [...SCORE_FACTORS, 'raw', 'staleness', 'score', 'confidence', 'simple', 'simple_confidence'],
    );
    for (const { formula } of sums)
      assert.ok(
        steps.some((step) => step.includes(formula)),
        formula,
      );
    const sumValue = (name: string) => sums.find(({ of }) => of === name)?.value;
    assert.equal(sumValue('score'), score.composite_score);
    assert.equal(sumValue('user_rating'), 1);
    assert.equal(sums.find(({ of }) => of === 'user_rating')?.formula, '(1 × 0.4) / (0.4)');
    assert.equal(sums.find(({ of }) => of === 'accuracy')?.formula, '');
    assert.deepEqual(feedback.scores.explain('knowledge://scopes/general/git/unrated').age, {
      since: 'nothing',
      days: 0,
    });
  });

  it('can be taken back', async () => {
    const { feedback_id } = await feedback.giving.feedback(helpful(ENTRY), ADA);
    await feedback.giving.takeBack([feedback_id, 'fb-unknown'], {});
    close(feedback.scores.effectivenessOf(ENTRY).score, 0.5);
    assert.deepEqual(feedback.keeping.feedbackOn(ENTRY), []);
    const store = await bench.store();
    await store.write((transaction) => feedback.giving.withdraw(transaction, [feedback_id], false));
    close((await bench.open()).scores.effectivenessOf(ENTRY).score, 0.6);
  });

  it('is seen by others who have the store open, and by who opens it later', async () => {
    const other = await bench.open();
    close(other.scores.scoreOf(ENTRY).composite_score, 0.5);
    await feedback.giving.feedback(helpful(ENTRY), ADA);
    close(other.scores.scoreOf(ENTRY).composite_score, 0.6);
    await other.giving.feedback(helpful(ENTRY), { author: 'Grace' });
    assert.equal(feedback.scores.scoreOf(ENTRY).times_feedback_received, 2);
    close((await bench.open()).scores.effectivenessOf(ENTRY).score, 0.6);
  });

  it('gives the same scores when they are made anew', async () => {
    await feedback.giving.feedback(helpful(ENTRY), ADA);
    await feedback.giving.feedback(helpful(`${ENTRY}2`, false), ADA);
    const before = await feedback.scores.scores();
    assert.deepEqual(await feedback.scores.recalculate(), { artifacts: 2, changed: [] });
    assert.deepEqual(await feedback.scores.scores(), before);
    assert.deepEqual(
      before.map(({ artifact }) => artifact),
      [ENTRY, `${ENTRY}2`],
    );
  });

  it('is exported and imported, once', async () => {
    await feedback.giving.feedback({ ...helpful(ENTRY), comment: 'good' }, ADA);
    await feedback.giving.feedback({ ...helpful(ENTRY, false), usage_context: 'again' }, ADA);
    const exported = feedback.keeping.exportFeedback();
    const elsewhere = new FeedbackBench();
    try {
      const other = await elsewhere.open();
      const store = await elsewhere.store();
      const take = () =>
        store.write((transaction) => other.keeping.importFeedback(transaction, [...exported, ...exported]));
      assert.equal(await take(), 2);
      assert.equal(await take(), 0);
      assert.deepEqual(other.keeping.exportFeedback(), exported);
      assert.deepEqual((await elsewhere.open()).scores.scoreOf(ENTRY), feedback.scores.scoreOf(ENTRY));
    } finally {
      await elsewhere.cleanUp();
    }
  });

  it('follows what has another address now', async () => {
    await feedback.giving.feedback(helpful(ENTRY), ADA);
    await feedback.keeping.moved(ENTRY, `${ENTRY}-names`);
    close(feedback.scores.effectivenessOf(ENTRY).score, 0.5);
    close(feedback.scores.effectivenessOf(`${ENTRY}-names`).score, 0.6);
  });

  it('counts for the document what is said of its passages', async () => {
    const [one, two] = [libraryUri('iso-4413', 'c1'), libraryUri('iso-4413', 'c2')];
    await feedback.giving.feedback(helpful(one), ADA);
    await feedback.giving.feedback(helpful(two), ADA);
    await feedback.giving.feedback(helpful(libraryUri('iso-4413-2', 'c1'), false), ADA);
    assert.equal(feedback.scores.scoreOf(libraryUri('iso-4413')).times_feedback_received, 2);
    close(feedback.scores.effectivenessOf(libraryUri('iso-4413')).score, 0.6);
    assert.equal(feedback.keeping.feedbackOn(libraryUri('iso-4413')).length, 2);
    assert.equal(feedback.scores.explain(libraryUri('iso-4413')).samples.length, 2);
    assert.equal(feedback.scores.scoreOf(one).times_feedback_received, 1);
    assert.equal(feedback.scores.ratedPassages().size, 3);
  });
});

describe('What feedback is about', () => {
  let bench: FeedbackBench;
  let feedback: Feedback;
  const rate = (artifact_id: string, artifact_type: FeedbackInput['artifact_type']) =>
    feedback.giving.feedback({ operation: 'rate', artifact_id, artifact_type, rating: 1 }, ADA);

  beforeEach(async () => {
    bench = new FeedbackBench();
    feedback = await bench.open({
      exists: async (uri) => {
        if (uri.includes('/library/')) throw new Error('not reachable');
        return uri === ENTRY;
      },
      passageUri: async (id) => (id === 'c1' ? libraryUri('iso-4413', 'c1') : undefined),
    });
    bench.records.add('template', { id: 'tmpl-a-00000000' });
    bench.records.add('lesson', { id: 'less-a-00000000' });
  });
  afterEach(() => bench.cleanUp());

  it('is named by its address, by the id of a captured record, or by that of a passage of the library', async () => {
    const template = 'knowledge://learning/template/tmpl-a-00000000';
    assert.equal((await rate('tmpl-a-00000000', 'template')).artifact, template);
    assert.equal((await rate(template, 'template')).artifact, template);
    assert.equal((await rate('less-a-00000000', 'chunk')).artifact, 'knowledge://learning/lesson/less-a-00000000');
    assert.equal((await rate('c1', 'chunk')).artifact, libraryUri('iso-4413', 'c1'));
    assert.equal((await rate(ENTRY, 'chunk')).artifact, ENTRY);
    assert.deepEqual(feedback.scores.scoreOf('tmpl-a-00000000'), feedback.scores.scoreOf(template));
  });

  it('has to be there, and of the type that was said', async () => {
    await assert.rejects(rate('tmpl-b-00000000', 'template'), refused('unknown_template'));
    await assert.rejects(rate('knowledge://learning/pattern/pat-x-00000000', 'pattern'), refused('unknown_pattern'));
    await assert.rejects(rate('c2', 'chunk'), refused('unknown_artifact'));
    await assert.rejects(rate('knowledge://scopes/general/git/none', 'chunk'), refused('unknown_artifact'));
    await assert.rejects(rate('tmpl-a-00000000', 'chunk'), { ...refused('invalid_argument'), hint: /template/ });
    await assert.rejects(rate(ENTRY, 'pattern'), refused('invalid_argument'));
    assert.deepEqual(feedback.keeping.exportFeedback(), []);
  });

  it('may be where nobody can look now', async () => {
    assert.equal((await rate(libraryUri('iso-4413', 'c9'), 'chunk')).artifact, libraryUri('iso-4413', 'c9'));
  });
});

describe('Feedback on a project', () => {
  let bench: FeedbackBench;
  let feedback: Feedback;
  const TEMPLATE = 'knowledge://learning/template/tmpl-a-00000000';
  const project = (modifications: number, template = 'tmpl-a-00000000') =>
    bench.records.add('project', {
      id: `proj-${modifications}-00000000`,
      source_template_id: template,
      template_modifications: Array.from({ length: modifications }, (_, at) => `change ${at}`),
    });
  const outcome = (artifact_id: string, outcome_type: 'project_success' | 'risks_missed', rating?: number) =>
    feedback.giving.feedback(
      { operation: 'report_outcome', artifact_id, artifact_type: 'project', outcome_type, rating },
      ADA,
    );

  beforeEach(async () => {
    bench = new FeedbackBench();
    feedback = await bench.open();
    bench.records.add('template', { id: 'tmpl-a-00000000' });
  });
  afterEach(() => bench.cleanUp());

  it('counts for its template, weighed by the modifications', async () => {
    const { propagation } = await outcome(project(3), 'project_success', 0.9);
    assert.deepEqual(propagation.propagated_to, [TEMPLATE]);
    assert.match(propagation.note, /weight 0.7 \(3 modifications/);
    await outcome(project(0), 'project_success', 0.5);
    const { factors, times_feedback_received, positive_feedback } = feedback.scores.scoreOf(TEMPLATE);
    close(factors.effectiveness.score, (0.9 * 0.7 + 0.5 * 1) / 1.7);
    assert.equal(factors.effectiveness.samples, 2);
    assert.equal(factors.user_rating.samples, 0);
    assert.deepEqual([times_feedback_received, positive_feedback], [2, 0]);
    const [first] = feedback.keeping.feedbackOn(TEMPLATE);
    assert.equal(first?.propagated_from, 'proj-3-00000000');
    close(first?.propagation_weight ?? 0, 0.7);
  });

  it('says nothing of the template where it does not say how well it worked, or the template is gone', async () => {
    assert.match((await outcome(project(0), 'risks_missed')).propagation.note, /does not say how well/);
    assert.match(
      (await outcome(project(1, 'tmpl-b-00000000'), 'project_success')).propagation.note,
      /not there any more/,
    );
    assert.deepEqual(feedback.keeping.feedbackOn(TEMPLATE), []);
  });

  it('does not reach the template where propagation is switched off', async () => {
    feedback.useSettings({ score_propagation_enabled: false });
    assert.match((await outcome(project(0), 'project_success')).propagation.note, /switched off/);
    assert.deepEqual(feedback.keeping.feedbackOn(TEMPLATE), []);
  });

  it('is given with an outcome, in its transaction, and taken back with it', async () => {
    const store = await bench.store();
    project(2);
    const record = bench.records.get('project', 'proj-2-00000000')!;
    const input: FeedbackInput = {
      ...{ operation: 'report_outcome', artifact_id: record.id, artifact_type: 'project' },
      ...{ outcome_type: 'project_success', rating: 0.9 },
    };
    const give = { author: 'Ada', at: bench.now, project: record };
    await assert.rejects(
      store.write((transaction) => {
        feedback.giving.give(transaction, input, give);
        throw new Error('cut off');
      }),
      /cut off/,
    );
    assert.deepEqual(feedback.keeping.exportFeedback(), []);
    close(feedback.scores.effectivenessOf(TEMPLATE).score, 0.5);
    const ids = await store.write((transaction) => feedback.giving.give(transaction, input, give));
    assert.equal(ids.length, 2);
    const given = feedback.keeping.exportFeedback();
    assert.deepEqual(
      given.map(({ feedback_source }) => feedback_source),
      ['outcome_tracking', 'outcome_tracking'],
    );
    close(feedback.scores.scoreOf(TEMPLATE).factors.effectiveness.score, 0.9);
    await store.write((transaction) => feedback.giving.withdraw(transaction, ids, true));
    assert.deepEqual(feedback.keeping.exportFeedback(), []);
    close(feedback.scores.scoreOf(TEMPLATE).factors.effectiveness.score, 0.5);
  });

  it('moves what worked above what did not', async () => {
    bench.records.add('template', { id: 'tmpl-b-00000000' });
    const a = bench.records.add('project', { id: 'proj-a-00000000', source_template_id: 'tmpl-a-00000000' });
    const b = bench.records.add('project', { id: 'proj-b-00000000', source_template_id: 'tmpl-b-00000000' });
    const report = (artifact_id: string, rating: number, outcome_type: 'project_success' | 'project_failure') =>
      feedback.giving.feedback(
        { operation: 'report_outcome', artifact_id, artifact_type: 'project', outcome_type, rating },
        ADA,
      );
    await report(a, 0.9, 'project_success');
    await report(b, 0.3, 'project_failure');
    const [one, two] = [TEMPLATE, TEMPLATE.replace('-a-', '-b-')].map((uri) => feedback.scores.effectivenessOf(uri));
    assert.ok(one!.score > two!.score);
    assert.ok(feedback.scores.combinedScore(0.6, one!) > feedback.scores.combinedScore(0.6, two!));
    feedback.useSettings({ score_effectiveness_weight: 0 });
    assert.equal(feedback.scores.combinedScore(0.6, one!), feedback.scores.combinedScore(0.6, two!));
  });
});

describe('Age', () => {
  let bench: FeedbackBench;
  let feedback: Feedback;

  beforeEach(async () => {
    bench = new FeedbackBench();
    feedback = await bench.open();
  });
  afterEach(() => bench.cleanUp());

  it('takes off what was not used or rated for long, and what was captured and never used', async () => {
    await feedback.giving.feedback(helpful(ENTRY), ADA);
    const template = bench.records.add('template', { id: 'tmpl-a-00000000' });
    bench.now += 100 * DAY_MS;
    close(feedback.scores.effectivenessOf(ENTRY).score, 0.6 * 0.9);
    close(feedback.scores.effectivenessOf(template).score, 0.5 * 0.9);
    feedback.counts.noteUse('used', [template]);
    close(feedback.scores.effectivenessOf(template).score, 0.5 + 0.5 * 0.15);
    feedback.useSettings({ staleness_decay_enabled: false });
    close(feedback.scores.effectivenessOf(ENTRY).score, 0.6);
  });
});

describe('Implicit feedback', () => {
  let bench: FeedbackBench;
  beforeEach(() => {
    bench = new FeedbackBench();
  });
  afterEach(() => bench.cleanUp());

  it('counts what was given and used at once, and writes it down later', async () => {
    const feedback = await bench.open();
    feedback.counts.noteUse('retrieved', [ENTRY, ENTRY]);
    feedback.counts.noteUse('used', [ENTRY]);
    const score = feedback.scores.scoreOf(ENTRY);
    assert.deepEqual([score.times_retrieved, score.times_used, score.factors.relevance.samples], [2, 1, 1]);
    close(score.composite_score, 0.575);
    assert.deepEqual(feedback.counts.uses(), []);
    await feedback.counts.flush();
    const at = new Date(bench.now).toISOString();
    const counted = { artifact: ENTRY, retrieved: 2, used: 1, last_retrieved: at, last_used: at };
    assert.deepEqual(feedback.counts.uses(), [counted]);
    assert.deepEqual(feedback.scores.scoreOf(ENTRY), score);
    feedback.counts.noteUse('used', [ENTRY]);
    await feedback.counts.close();
    const later = await bench.open();
    assert.equal(later.scores.scoreOf(ENTRY).times_used, 2);
    close(later.scores.effectivenessOf(ENTRY).score, 0.575);
  });

  it('says nothing of quality by being retrieved', async () => {
    const feedback = await bench.open();
    feedback.counts.noteUse('retrieved', [ENTRY]);
    assert.equal(feedback.scores.effectivenessOf(ENTRY).score, 0.5);
    assert.equal(feedback.scores.effectivenessOf(ENTRY).confidence, 0);
  });

  it('adds up what several processes count', async () => {
    const [one, two] = [await bench.open(), await bench.open()];
    one.counts.noteUse('used', [ENTRY]);
    two.counts.noteUse('used', [ENTRY]);
    await one.counts.flush();
    await two.counts.flush();
    assert.equal((await bench.open()).scores.scoreOf(ENTRY).times_used, 2);
    assert.equal(one.scores.scoreOf(ENTRY).times_used, 2);
  });

  it('keeps what was asked and not found', async () => {
    const feedback = await bench.open();
    const ask = (query: string, results: number, best: number) =>
      feedback.counts.noteQuery({ tool: 'knowledge_search', query, results, best });
    ask('Pump seals', 3, 0.8);
    ask('pump  SEALS', 3, 0.9);
    ask('flux capacitor', 0, 0);
    ask('flux capacitor', 2, 0.1);
    ask('   ', 0, 0);
    ask('\ud800 half of a pair', 0, 0);
    await feedback.counts.flush();
    assert.deepEqual(
      feedback.counts
        .queries()
        .map(({ query, times, unanswered, last_results }) => [query, times, unanswered, last_results]),
      [
        ['flux capacitor', 2, 2, 2],
        ['Pump seals', 2, 0, 3],
        ['half of a pair', 1, 1, 0],
      ],
    );
    assert.deepEqual(
      feedback.counts.queries(10, { unanswered: true }).map(({ query }) => query),
      ['flux capacitor', 'half of a pair'],
    );
  });

  it('counts nothing where that is switched off', async () => {
    for (const feedback of [
      await bench.open({ settings: { feedback_implicit_tracking: false } }),
      await bench.open({ counts: false }),
    ]) {
      feedback.counts.noteUse('used', [ENTRY]);
      feedback.counts.noteQuery({ tool: 'knowledge_search', query: 'x', results: 0, best: 0 });
      await feedback.counts.flush();
      assert.deepEqual([feedback.counts.uses(), feedback.counts.queries()], [[], []]);
    }
  });

  it('loses counts without a word where the store is closed', async () => {
    const feedback = await bench.open();
    feedback.counts.noteUse('retrieved', [ENTRY]);
    await bench.cleanUp();
    await feedback.counts.close();
    assert.equal(feedback.scores.effectivenessOf(ENTRY).score, 0.5);
  });
});

describe('The explanation of a score', () => {
  let bench: FeedbackBench;
  beforeEach(() => {
    bench = new FeedbackBench();
  });
  afterEach(() => bench.cleanUp());

  it('holds all that the score is made of, so that it can be made again by hand', async () => {
    const types = ['helpful', 'not_helpful', 'rating', 'tasks_incomplete', 'project_partial', 'used_as_is'] as const;
    const some = fc.record({
      feedback_type: fc.constantFrom(...types),
      feedback_tier: fc.constantFrom('quick' as const, 'detailed' as const),
      rating: fc.option(
        fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100),
        { nil: undefined },
      ),
      propagation_weight: fc.constantFrom(undefined, 0.3, 0.8),
      at: fc.nat(400 * DAY_MS),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(some, { maxLength: 15 }), fc.nat(3), async (all, uses) => {
        const here = new FeedbackBench();
        try {
          const feedback = await here.open();
          const store = await here.store();
          const start = here.now;
          const records = all.map(
            ({ at, ...each }, index): FeedbackRecord => ({
              ...{
                ...each,
                id: `fb-${index}`,
                artifact: ENTRY,
                artifact_type: 'chunk',
                author: 'Ada',
                specific_data: {},
              },
              ...{ usage_context: '', corrections: [], suggested_improvements: [], feedback_source: 'user' },
              ...(each.propagation_weight === undefined ? {} : { propagated_from: 'proj-a-00000000' }),
              created_at: new Date(start + at).toISOString(),
            }),
          );
          await store.write((transaction) => feedback.keeping.importFeedback(transaction, records));
          here.now = start + 400 * DAY_MS;
          for (let use = 0; use < uses; use++) feedback.counts.noteUse('used', [ENTRY]);
          const { score, samples, steps } = feedback.scores.explain(ENTRY);
          const mean = (factor: string) => {
            const own = samples.filter((sample) => sample.factor === factor);
            const weight = own.reduce((sum, each) => sum + each.weight * each.times, 0);
            return weight === 0
              ? 0.5
              : own.reduce((sum, each) => sum + each.value * each.weight * each.times, 0) / weight;
          };
          const raw = SCORE_FACTORS.reduce((sum, factor) => sum + mean(factor) * SCORE_FACTOR_WEIGHTS[factor], 0);
          const last = Math.max(...records.map(({ created_at }) => Date.parse(created_at)), uses > 0 ? here.now : 0);
          const days = Math.floor((here.now - last) / DAY_MS);
          const penalty = days < 30 ? 0 : days < 90 ? 0.05 : days < 180 ? 0.1 : days < 365 ? 0.2 : 0.3;
          const expected = raw * (1 - (records.length + uses === 0 ? 0 : penalty));
          close(score.composite_score, expected);
          close(feedback.scores.effectivenessOf(ENTRY).score, expected);
          const count = samples.reduce((sum, { times }) => sum + times, 0);
          close(score.confidence, Math.min(1, count / 20));
          // And the sentences say the same: the last number of each sum is what its factor came to.
          for (const factor of SCORE_FACTORS) {
            const line = steps.find((step) => step.startsWith(`${factor} = `))!;
            const said = Number(/([\d.]+)(?: \(neutral: no samples\))?$/.exec(line)![1]);
            assert.ok(Math.abs(said - mean(factor)) < 1e-6, line);
          }
          const said = steps.find((step) => step.startsWith('score = '))!;
          assert.ok(Math.abs(Number(said.split(' = ').at(-1)) - expected) < 1e-6, said);
        } finally {
          await here.cleanUp();
        }
      }),
      { numRuns: 25 },
    );
  });

  it('reads as sums', async () => {
    const feedback = await bench.open();
    await feedback.giving.feedback(helpful(ENTRY), ADA);
    await feedback.giving.feedback(
      { operation: 'report_outcome', artifact_id: ENTRY, artifact_type: 'chunk', outcome_type: 'project_partial' },
      ADA,
    );
    bench.now += 40 * DAY_MS;
    assert.deepEqual(feedback.scores.explain(ENTRY).steps, [
      'relevance = 0.5 (neutral: no samples)',
      'effectiveness = (0.5 × 1) / (1) = 0.5',
      'accuracy = 0.5 (neutral: no samples)',
      'completeness = 0.5 (neutral: no samples)',
      'user_rating = (1 × 0.4) / (0.4) = 1',
      'raw = 0.5 × 0.15 + 0.5 × 0.3 + 0.5 × 0.2 + 0.5 × 0.15 + 1 × 0.2 = 0.6',
      'staleness = 0.05: 40 days since the last feedback',
      'score = 0.6 × (1 - 0.05) = 0.57',
      'confidence = min(1, (0 + 1 + 0 + 0 + 1) / 20) = min(1, 2 / 20) = 0.1 (unvalidated: Based on 0-3 data points)',
      'level = moderate, 3 of 5 stars; in ranking the score counts × 1',
      'simple score, for comparison = 1 / (1 + 0) = 1 (1 positive, 0 negative); its confidence = min(1, (1 + 0 + 0) / 10) = 0.1',
    ]);
  });
});

describe('Settings of learning', () => {
  it('take numbers from 0 to 1', async () => {
    const bench = new FeedbackBench();
    try {
      const feedback = await bench.open();
      assert.throws(() => feedback.useSettings({ score_semantic_weight: 2 }), refused('invalid_argument'));
      assert.equal(feedback.settings.score_semantic_weight, 0.7);
      feedback.useSettings({ score_semantic_weight: undefined, score_effectiveness_weight: 0.5 });
      assert.equal(feedback.settings.score_semantic_weight, 0.7);
      assert.equal(feedback.settings.score_effectiveness_weight, 0.5);
    } finally {
      await bench.cleanUp();
    }
  });
});
