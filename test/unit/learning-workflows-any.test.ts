import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Findings, WorkflowsPart } from '../../src/learning';
import { conceptsOf } from '../../src/learning/workflows/concepts';
import { partsOf, quoteFrom, sentencesOf, stemSet } from '../../src/learning/workflows/words';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';

type Ask = (workflows: WorkflowsPart, text: string, signal?: AbortSignal) => Promise<Findings>;

/** Every finding operation, asked with one text wherever it takes one. */
const OPERATIONS: Readonly<Record<string, Ask>> = {
  find_similar: (w, t, s) => w.rcca({ operation: 'find_similar', problem_description: t, symptom_keywords: [t] }, s),
  trace_cause: (w, t, s) => w.rcca({ operation: 'trace_cause', effect_description: t, known_factors: [t] }, s),
  find_corrective: (w, t, s) => w.rcca({ operation: 'find_corrective', root_cause: t }, s),
  check_compliance: (w, t, s) => w.rcca({ operation: 'check_compliance', situation_description: t }, s),
  extract_criteria: (w, t, s) => w.trade({ operation: 'extract_criteria', decision_context: t }, s),
  find_alternatives: (w, t, s) =>
    w.trade({ operation: 'find_alternatives', need_statement: t, current_approach: t }, s),
  find_precedents: (w, t, s) => w.trade({ operation: 'find_precedents', decision_description: t, key_factors: [t] }, s),
  assess_risks: (w, t, s) => w.trade({ operation: 'assess_risks', alternative_description: t, context: t }, s),
  match_antipatterns: (w, t, s) =>
    w.explore({ operation: 'match_antipatterns', content: t, severity_threshold: 'low' }, s),
  gap_analysis: (w, t, s) => w.explore({ operation: 'gap_analysis', content: t, focus_areas: [t] }, s),
  counterarguments: (w, t, s) => w.explore({ operation: 'counterarguments', claim: t }, s),
  synthesize: (w, t, s) => w.explore({ operation: 'synthesize', question: t, sub_queries: [t] }, s),
  find_templates: (w, t, s) => w.plan({ operation: 'find_templates', project_description: t }, s),
  project_precedents: (w, t, s) =>
    w.plan({ operation: 'find_precedents', project_description: t, similarity_factors: [t] }, s),
  identify_risks: (w, t, s) => w.plan({ operation: 'identify_risks', project_type: t, risk_categories: [t] }, s),
  identify_dependencies: (w, t, s) => w.plan({ operation: 'identify_dependencies', project_description: t }, s),
  find_constraints: (w, t, s) => w.plan({ operation: 'find_constraints', project_description: t }, s),
  find_checkpoints: (w, t, s) =>
    w.plan({ operation: 'find_checkpoints', project_description: t, lifecycle_model: t }, s),
  estimate_scope: (w, t, s) => w.plan({ operation: 'estimate_scope', project_type: t, scope_factors: [t] }, s),
};

const TEXT = 'The retry after a timeout overloads the server because the pump lost pressure.';

describe('Every finding operation', () => {
  const open = useHalls();

  async function filled(): Promise<Hall> {
    const hall = await open({ person: 'ada' });
    await hall.define('general', 'GENERAL');
    await hall.put('general', 'ops', 'retry', `WARNING: ${TEXT}`);
    const project = { name: 'Retry storm', project_type: 'rcca', description: TEXT };
    const { record } = await hall.learning.write({ operation: 'capture_project', project }, BY_TESTER);
    const outcome = { outcome_summary: TEXT, actual_duration_days: 3, what_worked: ['Wait between retries'] };
    await hall.learning.write({ operation: 'capture_outcome', project_id: record.id, outcome }, BY_TESTER);
    return hall;
  }

  for (const [name, ask] of Object.entries(OPERATIONS)) {
    it(`${name} answers sorted results in bounds, whatever the text`, async () => {
      const { workflows } = await filled();
      const text = fc.oneof(
        { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
        fc.constantFrom(
          '',
          ' ',
          '\0',
          '\uD800',
          '"',
          '-',
          '*'.repeat(300),
          '# a\n- b\n| c |',
          'a'.repeat(20_000),
          TEXT,
        ),
        fc.lorem({ maxCount: 3, mode: 'sentences' }).map((each) => `${TEXT} ${each}`),
      );
      await fc.assert(
        fc.asyncProperty(text, async (given) => {
          const { results, confidence, operation } = await ask(workflows, given);
          assert.equal(typeof operation, 'string');
          assert.ok(confidence >= 0 && confidence <= 1);
          assert.ok(results.length <= 10);
          if (results.length === 0) assert.equal(confidence, 0);
          for (const [at, result] of results.entries()) {
            for (const score of [result.semantic_score, result.combined_score, result.effectiveness_score]) {
              assert.ok(score >= 0 && score <= 1, `${score}`);
            }
            assert.ok(result.why.length > 0);
            if (at > 0) assert.ok(results[at - 1]!.combined_score >= result.combined_score);
          }
        }),
        { numRuns: 15 },
      );
    });

    it(`${name} can be cancelled, and leaves nothing behind that answers`, async () => {
      const { workflows } = await filled();
      await assert.rejects(ask(workflows, TEXT, AbortSignal.abort(new Error('enough'))), /enough/);
      const controller = new AbortController();
      const asked = ask(workflows, TEXT, controller.signal);
      controller.abort(new Error('enough'));
      await assert.rejects(asked, /enough/);
    });
  }

  it('answers the same twice', async () => {
    const { workflows } = await filled();
    for (const ask of Object.values(OPERATIONS)) {
      assert.deepEqual(await ask(workflows, TEXT), await ask(workflows, TEXT));
    }
  });

  it('ranks by what was learned, unless that has no weight', async () => {
    const hall = await filled();
    const captured = async (title: string) => {
      const lesson = { title, lesson: 'Zirconium dust ignites.' };
      return (await hall.learning.write({ operation: 'capture_lesson', lesson }, BY_TESTER)).record.id;
    };
    const [, second] = [await captured('Dust one'), await captured('Dust two')];
    const first = async () => {
      const { results } = await hall.workflows.trade({
        operation: 'assess_risks',
        alternative_description: 'zirconium dust',
      });
      return results.map(({ id }) => id).filter((id) => id.startsWith('less-'))[0];
    };
    const artifact_id = `knowledge://learning/lesson/${second}`;
    for (let at = 0; at < 10; at++) {
      const aspect_ratings = { relevance: 1, completeness: 1, accuracy: 1, usefulness: 1 };
      await hall.learning.feedback(
        { operation: 'rate_specific', artifact_id, artifact_type: 'chunk', aspect_ratings },
        BY_TESTER,
      );
    }
    assert.equal(await first(), second);
    hall.learning.useSettings({ score_effectiveness_weight: 0 });
    const { results } = await hall.workflows.trade({
      operation: 'assess_risks',
      alternative_description: 'zirconium dust',
    });
    for (const { semantic_score, combined_score } of results) assert.equal(combined_score, semantic_score);
  });
});

describe('Words of texts', () => {
  it('sentences stand in the text where they say', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const { text: sentence, start, end } of sentencesOf(text)) assert.equal(text.slice(start, end), sentence);
      }),
    );
  });

  it('parts of a text are the text', () => {
    fc.assert(
      fc.property(fc.array(fc.lorem({ maxCount: 40 }), { maxLength: 60 }), (lines) => {
        const text = lines.join('\n');
        assert.equal(partsOf(text).join(''), text);
      }),
    );
    assert.equal(partsOf('x'.repeat(9_000)).length, 3);
  });

  it('leave out headings and marks of lists', () => {
    const text = '# Title\n\nOne. Two\ngoes on.\n\n- item\n1. [ ] done\n\n| a |\n|---|\n';
    assert.deepEqual(
      sentencesOf(text).map(({ text: each }) => each),
      ['One.', 'Two\ngoes on.', 'item', 'done'],
    );
  });

  it('leave out fenced code', () => {
    const text =
      'Before it.\n\n```ts\nconst a = 1; // must not\n```\n\nAfter it.\n\n~~~~\n~~~\nShall not.\n~~~~\nThe end.';
    assert.deepEqual(
      sentencesOf(text).map(({ text: each }) => each),
      ['Before it.', 'After it.', 'The end.'],
    );
    assert.deepEqual([...sentencesOf('```\nnever closed. It goes on.')], []);
  });

  it('quotes what says most of the question, in its own words', () => {
    const text = `${'Nothing of it. '.repeat(100)}Zirconium melts late. ${'Nothing of it. '.repeat(100)}`;
    assert.match(quoteFrom(text, stemSet('zirconium melts'), 100), /Zirconium melts late\./);
  });

  it('takes all words for a thing as one, those that were said and others', () => {
    const concepts = conceptsOf('The refund was slow, and the delay grew');
    const slow = concepts.find(({ said }) => said.some(({ text }) => text === 'slow'))!;
    assert.deepEqual(slow.said.map(({ text }) => text).sort(), ['delay', 'slow']);
    assert.ok(slow.others.some(({ text }) => text === 'latency'));
    assert.equal(concepts.filter(({ said }) => said.some(({ text }) => text === 'delay')).length, 1);
    assert.deepEqual(
      conceptsOf('The qwfpgj').map(({ said, others }) => [said.map(({ text }) => text), others]),
      [[['qwfpgj'], []]],
    );
  });
});
