import assert from 'node:assert/strict';
import { entryUri, learningUri } from '../../src/core/knowledge-uri';
import type { Finding, LearningWrite, OutcomeInput, ProjectInput, RccaRequest } from '../../src/learning';
import type { RelationType } from '../../src/relations';
import { BY_TESTER, error, type Hall, useHalls } from '../support/hall';

const STANDARD = `# Pumps

## 4.1 Pressure relief

The pump shall stop within 5 s when the discharge pressure exceeds the limit. A relief valve may be fitted.

## 4.2 Start

The operator shall not start the pump while the inlet valve is closed.

## 4.3 Records

The owner shall record each inspection of the pump.
`;

describe('Root causes', () => {
  const open = useHalls();
  let hall: Hall;
  beforeEach(async () => {
    hall = await open({ person: 'ada' });
    await hall.define('general', 'GENERAL');
  });

  const rcca = (request: RccaRequest) => hall.workflows.rcca(request);
  const write = (given: LearningWrite) => hall.learning.write(given, BY_TESTER);
  const entry = (keyword: string) => entryUri({ scope_id: 'general', category: 'plant', keyword });
  const relate = (source: string, type: RelationType, target: string, confidence = 1) =>
    hall.relations.add({ source, target, type, confidence }, BY_TESTER);
  const library = (text: string, title: string, standard_id?: string) =>
    hall.library.ingest(
      { source: `content:${text}`, metadata_overrides: { title, standard_id, document_type: 'standard' } },
      { author: 'tester' },
    );

  async function incident(project: Partial<ProjectInput> & { name: string }, outcome: OutcomeInput): Promise<string> {
    const { record } = await write({ operation: 'capture_project', project: { project_type: 'rcca', ...project } });
    await write({ operation: 'capture_outcome', project_id: record.id, outcome });
    return record.id;
  }

  const cavitation = () =>
    incident(
      {
        name: 'Pump lost pressure at night',
        description: 'The feed pump lost its pressure every night.',
        context_factors: { symptoms: ['rattling noise', 'pressure drops'], root_cause: 'Cavitation at the inlet' },
      },
      {
        what_worked: ['Raise the inlet pressure', 'Alarm on low inlet pressure'],
        lessons_learned: ['Check the tank level before each start'],
      },
    );

  describe('find_similar', () => {
    it('finds cases by what was seen, with what they came from and what was done', async () => {
      const id = await cavitation();
      const { results, confidence, extra } = await rcca({
        operation: 'find_similar',
        problem_description: 'Something rattles',
        symptom_keywords: ['rattling noise'],
      });
      const [first] = results;
      assert.equal(first?.id, id);
      assert.equal(first.uri, learningUri('project', id));
      assert.equal(first.source.where, 'learning');
      assert.match(first.why, /rattl/i);
      assert.deepEqual(first.details?.root_causes, ['Cavitation at the inlet']);
      assert.deepEqual(first.details?.corrective_actions, ['Raise the inlet pressure', 'Alarm on low inlet pressure']);
      assert.ok(confidence > 0);
      assert.equal(extra.cases, 1);
    });

    it('names forms of one word once', async () => {
      await incident({ name: 'Leak', description: 'The valve leaked.' }, { outcome_summary: 'A worn seat.' });
      const request = { problem_description: 'a valve leaks', symptom_keywords: ['leaking valves'] };
      const { results } = await rcca({ operation: 'find_similar', ...request });
      const [found] = results.filter(({ title }) => title === 'Leak');
      assert.equal(found!.why.match(/leak/g)?.length, 1);
      assert.equal(found!.why.match(/valve/g)?.length, 1);
    });

    it('finds a case that says it in other words, and says so', async () => {
      await incident({ name: 'Refunds', description: 'Duplicate refunds were booked.' }, {});
      const { results } = await rcca({
        operation: 'find_similar',
        problem_description: 'Customers got their money back twice',
      });
      assert.equal(results[0]?.title, 'Refunds');
      assert.match(results[0]!.why, /for what was described/);
    });

    it('finds rules that warn, but no other entries', async () => {
      await hall.put('general', 'plant', 'valve', 'LAST TIME: the zirconium valve froze and the plant stood still.');
      await hall.put('general', 'plant', 'colour', 'The zirconium valve is green.');
      const { results } = await rcca({ operation: 'find_similar', problem_description: 'zirconium valve' });
      assert.deepEqual(
        results.filter(({ source }) => source.where === 'knowledge').map(({ uri }) => uri),
        [entry('valve')],
      );
    });

    it('answers nothing with no confidence, and what to do', async () => {
      const { results, confidence, message } = await rcca({
        operation: 'find_similar',
        problem_description: 'xyzzy qwfpgj',
      });
      assert.deepEqual([...results], []);
      assert.equal(confidence, 0);
      assert.match(message!, /Capture|capture/);
    });
  });

  describe('trace_cause', () => {
    beforeEach(async () => {
      await hall.put('general', 'plant', 'shutdown', 'The boiler shuts down unexpectedly.');
      await hall.put('general', 'plant', 'flame', 'Flame loss at the burner.');
      await hall.put('general', 'plant', 'nozzle', 'The nozzle is clogged.');
      await hall.put('general', 'plant', 'filter', 'No filter was fitted.');
      await relate(entry('flame'), 'causes', entry('shutdown'), 0.9);
      await relate(entry('flame'), 'indicates', entry('nozzle'), 0.8);
      await relate(entry('filter'), 'causes', entry('nozzle'));
    });
    const EFFECT = 'boiler shuts down unexpectedly';
    const steps = (finding: Finding | undefined) =>
      (finding!.details!.chain as { steps: { uri: string; by: string }[] }).steps.map(({ uri, by }) => [by, uri]);

    it('follows causes and signs to where nothing more is known', async () => {
      const { results, extra } = await rcca({ operation: 'trace_cause', effect_description: EFFECT });
      const found = results.find(({ uri }) => uri === entry('filter'));
      assert.deepEqual(steps(found), [
        ['causes', entry('flame')],
        ['indicates', entry('nozzle')],
        ['causes', entry('filter')],
      ]);
      assert.ok((extra.chains as unknown[]).length > 0);
    });

    it('ends at the depth, and in circles', async () => {
      const short = await rcca({ operation: 'trace_cause', effect_description: EFFECT, max_chain_depth: 1 });
      assert.ok(short.results.some(({ uri }) => uri === entry('flame')));
      assert.ok(!short.results.some(({ uri }) => uri === entry('filter')));
      await relate(entry('shutdown'), 'causes', entry('filter'));
      const { results } = await rcca({ operation: 'trace_cause', effect_description: EFFECT, max_chain_depth: 10 });
      assert.ok(results.some(({ uri }) => uri === entry('filter')));
    });

    it('raises chains with factors that are known', async () => {
      const sure = async (known_factors: string[]) => {
        const { results } = await rcca({ operation: 'trace_cause', effect_description: EFFECT, known_factors });
        return results.find(({ uri }) => uri === entry('filter'))!;
      };
      const [without, withFactor] = [await sure([]), await sure(['nozzle'])];
      assert.ok(withFactor.semantic_score > without.semantic_score);
      assert.match(withFactor.why, /nozzle/);
    });

    it('takes root causes of records, and what texts say, marked as such', async () => {
      await cavitation();
      await hall.put('general', 'plant', 'note', 'The turbine stopped because the lubricant was cold. It is green.');
      const record = await rcca({ operation: 'trace_cause', effect_description: 'feed pump lost its pressure' });
      assert.ok(
        record.results.some(
          ({ content, details }) => content === 'Cavitation at the inlet' && details?.from === 'record',
        ),
      );
      const text = await rcca({ operation: 'trace_cause', effect_description: 'turbine stopped' });
      const claim = text.results.find(({ details }) => details?.from === 'text');
      assert.equal(claim?.content, 'the lubricant was cold');
    });
  });

  describe('find_corrective', () => {
    it('answers what worked, each with its kind, and narrows by it', async () => {
      await cavitation();
      const find = async (ca_type?: 'corrective' | 'preventive' | 'detective') => {
        const root_cause = 'Cavitation at the inlet of the pump';
        const { results } = await rcca({ operation: 'find_corrective', root_cause, ca_type });
        return new Map(results.map(({ content, details }) => [content, details?.action_type]));
      };
      const all = await find();
      assert.equal(all.get('Raise the inlet pressure'), 'corrective');
      assert.equal(all.get('Alarm on low inlet pressure'), 'detective');
      assert.equal(all.get('Check the tank level before each start'), 'preventive');
      const detective = await find('detective');
      assert.deepEqual([...new Set(detective.values())], ['detective']);
      assert.ok(detective.has('Alarm on low inlet pressure'));
    });

    it('says what there is of another kind where there is none of the asked one', async () => {
      await incident(
        { name: 'Cavitation', context_factors: { root_cause: 'Cavitation of the pump' } },
        { what_worked: ['Alarm on low inlet pressure'] },
      );
      const given = { root_cause: 'Cavitation of the zirconium pump', ca_type: 'preventive' } as const;
      const { results, message } = await rcca({ operation: 'find_corrective', ...given });
      assert.deepEqual([...results], []);
      assert.match(message!, /Of another kind there is something: .*detective 1/);
    });

    it('ranks sentences of one text by what they say of the cause, and tells why by them', async () => {
      const text =
        '# Keys\n\nZirconium keys must be polished. A zirconium retry must have a token, or the zirconium token is lost.\n';
      await library(text, 'Handbook');
      const { results } = await rcca({ operation: 'find_corrective', root_cause: 'zirconium retry without token' });
      const of = (words: RegExp) => results.find(({ content }) => words.test(content))!;
      assert.ok(of(/retry must/).semantic_score > of(/polished/).semantic_score);
      assert.match(of(/polished/).why, /It has "zirconium";/i);
    });

    it('knows what is recorded to prevent it', async () => {
      await hall.put('general', 'plant', 'clog', 'Clogged zirconium nozzle.');
      await hall.put('general', 'plant', 'strainer', 'A strainer in the line.');
      await relate(entry('strainer'), 'prevents', entry('clog'));
      const { results } = await rcca({ operation: 'find_corrective', root_cause: 'clogged zirconium nozzle' });
      const found = results.find(({ uri }) => uri === entry('strainer'));
      assert.equal(found?.details?.action_type, 'preventive');
      assert.match(found!.why, /prevents/);
    });
  });

  describe('check_compliance', () => {
    const check = (situation_description: string, standards_filter?: string[]) =>
      rcca({ operation: 'check_compliance', situation_description, standards_filter });
    const statusOf = (results: readonly Finding[], words: RegExp) =>
      results.find(({ content }) => words.test(content))?.details?.status;

    beforeEach(() => library(STANDARD, 'ISO 4413 Pumps', 'ISO 4413'));

    it('quotes what is demanded, and compares numbers of one unit', async () => {
      const slow = await check('The pump stops 9 s after the discharge pressure limit was exceeded.');
      const found = slow.results.find(({ content }) => /within 5 s/.test(content));
      assert.equal(found?.content, 'The pump shall stop within 5 s when the discharge pressure exceeds the limit.');
      assert.equal(found.details?.status, 'possibly not met');
      assert.match(found.details?.reason as string, /at most 5 s.*9 s/);
      assert.equal(found.source.where, 'library');
      const quick = await check('The pump stops 3 s after the discharge pressure limit was exceeded.');
      assert.equal(statusOf(quick.results, /within 5 s/), 'applies');
    });

    it('sees a no against a demand and a yes against what is forbidden, and claims nothing else', async () => {
      const { results } = await check('We do not record inspections of the pump.');
      assert.equal(statusOf(results, /record each inspection/), 'possibly not met');
      const forbidden = await check('The operator starts the pump while the inlet valve is closed.');
      assert.equal(statusOf(forbidden.results, /shall not start/), 'possibly not met');
      const fine = await check('The inspection of the pump is recorded.');
      assert.equal(statusOf(fine.results, /record each inspection/), 'applies');
    });

    it('takes "at least every" for the longest time between, and knows irregular verbs', async () => {
      await library(
        '# Keys\n\nKeys shall be rotated at least every 12 months. Card numbers shall not be written to logs.\n',
        'ISO 9999 Keys',
        'ISO 9999',
      );
      const situation = 'Keys are rotated every 24 months, and the client writes card numbers to logs.';
      const { results } = await check(situation, ['ISO 9999']);
      assert.equal(statusOf(results, /12 months/), 'possibly not met');
      const rotated = results.find(({ content }) => /12 months/.test(content))!;
      assert.match(rotated.details?.reason as string, /demands at least every 12 months, .* every 24 months/);
      assert.equal(statusOf(results, /written to logs/), 'possibly not met');
      const often = await check('Keys are rotated every 6 months.', ['ISO 9999']);
      assert.equal(statusOf(often.results, /12 months/), 'applies');
    });

    it('puts what may be broken first, and tells why by the words of each demand', async () => {
      await library(
        '# Care\n\nThe zirconium pump shall be greased by the owner. The zirconium pump shall be stopped within 5 s by the owner.\n',
        'ISO 9998 Care',
        'ISO 9998',
      );
      const { results } = await check('The owner greased the zirconium pump; it stops after 9 s.', ['ISO 9998']);
      assert.match(results[0]!.content, /within 5 s/);
      assert.match(results.find(({ content }) => /greased/.test(content))!.why, /"greased"/);
      assert.doesNotMatch(results[0]!.why, /"greased"/);
    });

    it('narrows to standards by id or title', async () => {
      assert.ok((await check('the pump', ['iso4413'])).results.length > 0);
      const other = await check('the pump', ['ISO 9001']);
      assert.deepEqual([...other.results], []);
      assert.match(other.message!, /not in the library/);
    });

    it('knows rules that warn', async () => {
      await hall.put('general', 'plant', 'hot', 'DANGER: never open the zirconium hatch under pressure.');
      const { results } = await check('Opening the zirconium hatch');
      assert.match(results.find(({ source }) => source.where === 'knowledge')!.content, /^DANGER: never open/);
    });
  });

  it('names a place that could not be searched, and answers from the others', async () => {
    await cavitation();
    const broken = await open({
      shared: hall.shared,
      data: hall.data,
      person: 'ada',
      library: { url: 'postgres://127.0.0.1:1/none' },
    });
    const { results, message } = await broken.workflows.rcca({
      operation: 'find_similar',
      problem_description: 'rattling noise of the pump',
    });
    assert.ok(results.length > 0);
    assert.match(message!, /library could not be searched/);
  });

  it('refuses a number of results that cannot be', async () => {
    await assert.rejects(
      rcca({ operation: 'find_similar', problem_description: 'x', n_results: 0 }),
      error('invalid_argument', 'n_results'),
    );
  });

  it('ends at once when it is cancelled', async () => {
    const aborted = AbortSignal.abort(new Error('enough'));
    await assert.rejects(
      hall.workflows.rcca({ operation: 'trace_cause', effect_description: 'pump' }, aborted),
      /enough/,
    );
  });
});
