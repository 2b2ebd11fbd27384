import assert from 'node:assert/strict';
import { entryUri } from '../../src/core/knowledge-uri';
import type { ExploreRequest, PatternInput } from '../../src/learning';
import { opposition } from '../../src/learning/workflows/opposition';
import { CLAIMS, counterargumentsOf, storeClaims } from '../support/claims';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';

const PATTERN: PatternInput = {
  name: 'Zirconium fever',
  pattern_type: 'antipattern',
  domain: 'process',
  description: 'Zirconium is used for everything.',
  indicators: ['Every bracket is made of zirconium', 'Nobody measured the zirconium budget'],
  mitigations: ['Use steel'],
  keywords: ['zirconium brackets'],
  severity: 'high',
};

describe('Exploring', () => {
  const open = useHalls();
  let hall: Hall;
  beforeEach(async () => {
    hall = await open({ person: 'ada' });
    await hall.define('general', 'GENERAL');
  });

  const explore = (request: ExploreRequest) => hall.workflows.explore(request);
  const entry = (keyword: string) => entryUri({ scope_id: 'general', category: 'plant', keyword });
  const library = (text: string, title: string, standard_id?: string) =>
    hall.library.ingest({ source: `content:${text}`, metadata_overrides: { title, standard_id } }, BY_TESTER);

  describe('match_antipatterns', () => {
    const match = async (content: string, more: object = {}) => {
      const { results } = await explore({ operation: 'match_antipatterns', content, ...more });
      return results.find(({ title }) => title === PATTERN.name);
    };
    beforeEach(() => hall.learning.write({ operation: 'capture_pattern', pattern: PATTERN }, BY_TESTER));

    it('tells which sentence matches which indicator', async () => {
      const found = await match('The weather is fine. In our frame every bracket is made of zirconium, and it shines.');
      const [sign] = found!.details!.signs as { sentence: string; indicator: string; by: string }[];
      assert.equal(sign?.sentence, 'In our frame every bracket is made of zirconium, and it shines.');
      assert.equal(sign.indicator, 'Every bracket is made of zirconium');
      assert.equal(sign.by, 'indicator');
      assert.deepEqual(found!.details!.mitigations, ['Use steel']);
    });

    it('does not count what is denied, and counts a denial that an indicator is', async () => {
      assert.equal(await match('No bracket is made of zirconium.'), undefined);
      assert.equal(await match('We measured the zirconium budget.'), undefined);
      assert.ok(await match('Nobody has measured the zirconium budget.'));
    });

    it('finds a name that denies over the clauses of a sentence', async () => {
      const { results } = await explore({
        operation: 'match_antipatterns',
        content: 'Backups are made each night; we have never restored one.',
      });
      assert.ok(results.some(({ title }) => title === 'Backups that nobody has restored'));
      const restored = await explore({
        operation: 'match_antipatterns',
        content: 'Backups are made each night; we restored one last week.',
      });
      assert.ok(!restored.results.some(({ title }) => title === 'Backups that nobody has restored'));
    });

    it('keeps to severity and domains', async () => {
      const content = 'Every bracket is made of zirconium.';
      assert.ok(await match(content, { severity_threshold: 'high' }));
      assert.equal(await match(content, { severity_threshold: 'critical' }), undefined);
      assert.equal(await match(content, { domains: ['safety'] }), undefined);
    });
  });

  describe('gap_analysis', () => {
    it('compares with the clauses of a standard: covered, partly, missing', async () => {
      await library(
        '# Pumps\n\n## Pressure relief\n\nThe pump shall have a relief valve for pressure.\n\n## Earthing\n\nThe motor shall be connected to protective earth.\n',
        'ISO 4413',
        'ISO 4413',
      );
      const { results, extra } = await explore({
        operation: 'gap_analysis',
        content: 'Our pump has a relief valve that opens at high pressure: pressure relief is by spring.',
        reference_standards: ['ISO 4413', 'ISO 9001'],
      });
      const coverage = Object.fromEntries(results.map(({ details }) => [details?.topic, details?.coverage]));
      assert.equal(coverage.Earthing, 'missing');
      assert.equal(coverage['Pressure relief'], 'covered');
      assert.equal(results[0]?.details?.topic, 'Earthing');
      assert.match(
        results.find(({ details }) => details?.coverage === 'covered')?.details?.in_content as string,
        /relief/,
      );
      assert.equal(extra.missing, 1);
    });

    it('counts no number of a clause as a word, and names what is missing in whole words', async () => {
      await library(
        '# Release\n\n## 4.1 Release review\n\nA review shall precede the release.\n\n## 4.2 Relief valve\n\nThe relief valve shall open.\n',
        'ISO 4499',
        'ISO 4499',
      );
      const { results } = await explore({
        operation: 'gap_analysis',
        content: 'The relief valve opens by itself.',
        reference_standards: ['ISO 4499'],
      });
      const of = (title: string) => results.find(({ details }) => details?.topic === title)?.details;
      assert.equal(of('4.2 Relief valve')?.coverage, 'covered');
      const missing = of('4.1 Release review')?.missing_words as string[];
      assert.ok(
        missing.some((word) => /^release$/i.test(word)),
        missing.join(),
      );
      assert.ok(!missing.some((word) => /\d/.test(word)));
    });

    it('says which standards are not there', async () => {
      const { message, results } = await explore({
        operation: 'gap_analysis',
        content: 'x',
        reference_standards: ['ISO 9001'],
      });
      assert.deepEqual([...results], []);
      assert.match(message!, /Not in the library: ISO 9001/);
    });

    it('compares with focus areas, and with good practice where nothing is named', async () => {
      const areas = await explore({
        operation: 'gap_analysis',
        content: 'The rollback is tested each week.',
        focus_areas: ['rollback', 'zirconium earthing'],
      });
      const coverage = Object.fromEntries(areas.results.map(({ details }) => [details?.topic, details?.coverage]));
      assert.deepEqual(coverage, { rollback: 'covered', 'zirconium earthing': 'missing' });
      const practice = await explore({ operation: 'gap_analysis', content: 'We review code and test in small steps.' });
      assert.ok(practice.results.length > 0);
      assert.match(practice.message!, /good practices/);
    });
  });

  describe('counterarguments', () => {
    it('uses what is recorded, then opposed claims in texts, each marked', async () => {
      await hall.put('general', 'plant', 'claim', 'Zirconium bearings last longer than steel bearings.');
      await hall.put('general', 'plant', 'against', 'A measurement of 2019.');
      await hall.put('general', 'plant', 'text', 'Zirconium bearings do not last longer than steel bearings.');
      await hall.put('general', 'plant', 'limit', 'Zirconium bearings last longer only if they are oiled.');
      await hall.relations.add({ source: entry('against'), target: entry('claim'), type: 'contradicts' }, BY_TESTER);
      const counter = (search_mode?: 'contradicts' | 'qualifies') =>
        explore({
          operation: 'counterarguments',
          claim: 'Zirconium bearings last longer than steel bearings',
          search_mode,
        });
      const by = new Map((await counter()).results.map(({ uri, details }) => [uri, details]));
      assert.deepEqual(
        [by.get(entry('against'))?.found_by, by.get(entry('against'))?.opposes],
        ['relation', 'contradicts'],
      );
      assert.deepEqual([by.get(entry('text'))?.found_by, by.get(entry('text'))?.rule], ['text', 'negation']);
      assert.equal(by.get(entry('limit'))?.opposes, 'qualifies');
      assert.ok(!by.has(entry('claim')));
      const only = await counter('qualifies');
      assert.deepEqual(
        only.results.map(({ uri }) => uri),
        [entry('limit')],
      );
    });

    it('knows opposition by rules', () => {
      const kind = (claim: string, sentence: string) => opposition(claim, sentence)?.rule;
      assert.equal(kind('Caching makes reads fast', 'Caching makes reads slow'), 'antonym');
      assert.equal(kind('Caching makes reads fast', 'Caching never makes reads fast'), 'negation');
      assert.equal(kind('Caching makes reads fast', 'Caching makes reads fast'), undefined);
      assert.equal(kind('Caching makes reads fast', 'Caching does not make reads slow'), undefined);
      assert.equal(kind('Caching makes reads fast', 'Caching makes reads fast, unless memory is short'), 'condition');
      assert.equal(kind('Caching makes reads fast', 'Use an index instead of caching for reads'), 'alternative');
      assert.equal(kind('Caching makes reads fast', 'The cat does not sleep'), undefined);
      const load = 'A cache reduces the load on the database';
      assert.equal(kind(load, 'With the cache the load of the database rose'), 'direction');
      assert.equal(kind(load, 'With the cache the load of the database was reduced'), undefined);
      assert.equal(kind(load, 'The cache had no measurable effect on the database'), 'no effect');
      assert.equal(kind(load, 'The load of the database was high in spite of the cache'), 'despite');
      assert.equal(kind(load, 'The cache helps the database with reads; with writes it does not'), 'condition');
      assert.equal(kind('Continuous deployment raises risk', 'Who deploys continuously has no lower risk'), undefined);
    });

    it('takes a denial for opposition only where the other speaks of what is denied', () => {
      const rule = (claim: string, sentence: string) => opposition(claim, sentence)?.rule;
      assert.equal(rule('Solar panels need no cleaning', 'Solar panels are mounted to the south'), undefined);
      assert.equal(rule('Solar panels need no cleaning', 'Solar panels need cleaning twice a year'), 'negation');
      assert.equal(rule('Unit tests find faults', 'The unit tests pass and the plant does not start'), undefined);
    });

    it('is rarely wrong over the set of claims, and finds some', async function () {
      this.timeout(120_000);
      const other = await open();
      await storeClaims(other.knowledge);
      assert.ok(CLAIMS.length >= 25);
      const { precision, recall, named, wrong, missed } = await counterargumentsOf(other.workflows);
      assert.ok(precision > 0.8, `precision is ${precision}: ${wrong.join('\n')}`);
      assert.ok(recall > 0.2, `recall is ${recall}: ${missed.join('\n')}`);
      assert.ok(named > 0.7, `of ${named} it is rightly named how they stand against the claim`);
    });
  });

  describe('synthesize', () => {
    beforeEach(async () => {
      await hall.put('general', 'plant', 'heat', 'Zirconium melts at 1855 degrees.');
      await hall.put('general', 'plant', 'rust', 'Zirconium resists corrosion by acids.');
    });

    it('quotes and cites, and says what nothing was found for', async () => {
      const { results, extra, message } = await explore({
        operation: 'synthesize',
        question: 'What is known of zirconium?',
        sub_queries: ['zirconium melts', 'zirconium corrosion', 'qwfpgj xyzzy'],
      });
      const synthesis = extra.synthesis as string;
      assert.match(synthesis, /Zirconium melts at 1855 degrees\./);
      assert.match(synthesis, /\[1\]/);
      assert.match(synthesis, /\[2\]/);
      assert.deepEqual(extra.unanswered, ['qwfpgj xyzzy']);
      assert.match(message!, /qwfpgj/);
      const citations = extra.citations as { number: number; uri: string }[];
      assert.deepEqual(new Set(citations.map(({ uri }) => uri)), new Set(results.map(({ uri }) => uri)));
    });

    it('has the asked form, in which every sentence is a quote', async () => {
      for (const synthesis_format of ['narrative', 'bullet_points'] as const) {
        const { extra } = await explore({ operation: 'synthesize', question: 'zirconium melts', synthesis_format });
        const rest = (extra.synthesis as string).replace(/“[^”]*” \[\d+\]/gu, '').replace(/[\s-]/g, '');
        assert.equal(rest, '');
      }
    });

    it('answers nothing for nothing', async () => {
      const { results, extra, confidence } = await explore({ operation: 'synthesize', question: 'qwfpgj xyzzy' });
      assert.deepEqual([...results], []);
      assert.equal(extra.synthesis, '');
      assert.equal(confidence, 0);
    });
  });
});
