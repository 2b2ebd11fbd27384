import assert from 'node:assert/strict';
import { entryUri } from '../../src/core/knowledge-uri';
import type { TradeRequest } from '../../src/learning';
import { BY_TESTER, type Hall, useHalls } from '../support/hall';

describe('Trade studies', () => {
  const open = useHalls();
  let hall: Hall;
  beforeEach(async () => {
    hall = await open({ person: 'ada' });
    await hall.define('general', 'GENERAL');
    await hall.learning.write(
      {
        operation: 'capture_decision',
        decision: {
          title: 'Store of the telemetry service',
          context: 'Telemetry needs a store for a million points a day.',
          decision: 'Use a time series store',
          rationale: 'It compresses well.',
          criteria: ['Writes a second', 'Cost of operation'],
          alternatives: [
            { name: 'A relational database', description: 'One that is known', why_not: 'Too slow for writes' },
          ],
          consequences: ['Another system to operate'],
        },
      },
      BY_TESTER,
    );
  });

  const trade = (request: TradeRequest) => hall.workflows.trade(request);
  const entry = (keyword: string) => entryUri({ scope_id: 'general', category: 'plant', keyword });

  it('takes criteria of earlier decisions and from what documents weigh', async () => {
    const text = '# Stores\n\nA telemetry store shall be selected by its retention. The building is blue.\n';
    const metadata_overrides = { title: 'Choosing stores' };
    await hall.library.ingest({ source: `content:${text}`, metadata_overrides }, BY_TESTER);
    const { results } = await trade({ operation: 'extract_criteria', decision_context: 'a store for telemetry' });
    const contents = results.map(({ content }) => content);
    assert.ok(contents.includes('Writes a second'));
    assert.ok(contents.includes('A telemetry store shall be selected by its retention.'));
    assert.ok(!contents.some((content) => /blue/.test(content)));
  });

  it('finds alternatives by decisions, relations and texts', async () => {
    await hall.put('general', 'plant', 'zstd', 'Compress zirconium frames with zstd.');
    await hall.put('general', 'plant', 'lz4', 'The other compressor.');
    await hall.put('general', 'plant', 'advice', 'Zirconium frames: use a dictionary instead of raw frames.');
    await hall.relations.add({ source: entry('lz4'), target: entry('zstd'), type: 'alternative_to' }, BY_TESTER);
    const stored = await trade({ operation: 'find_alternatives', need_statement: 'a store for telemetry' });
    const relational = stored.results.find(({ details }) => details?.alternative === 'A relational database');
    assert.match(relational!.content, /Too slow for writes/);
    const { results } = await trade({ operation: 'find_alternatives', need_statement: 'compress zirconium frames' });
    assert.match(results.find(({ uri }) => uri === entry('lz4'))!.why, /alternative to/);
    assert.ok(results.some(({ content }) => /instead of raw frames/.test(content)));
  });

  it('gives what is there already as no alternative to itself, but says why it was not taken', async () => {
    const { results, message } = await trade({
      operation: 'find_alternatives',
      need_statement: 'a store for telemetry',
      current_approach: 'a relational database',
    });
    const names = results.map(({ details }) => details?.alternative);
    assert.ok(names.includes('Use a time series store'));
    assert.ok(!names.includes('A relational database'));
    assert.match(message!, /"A relational database" was not chosen in ".*": Too slow for writes\./);
  });

  it('answers a risk that several records name once', async () => {
    for (const name of ['First telemetry store', 'Second telemetry store']) {
      const project = { name, project_type: 'store', identified_risks: ['Zirconium discs fill up'] };
      await hall.learning.write({ operation: 'capture_project', project }, BY_TESTER);
    }
    const { results } = await trade({ operation: 'assess_risks', alternative_description: 'a telemetry store' });
    assert.equal(results.filter(({ content }) => content === 'Zirconium discs fill up').length, 1);
  });

  it('finds precedents, with why and what else there was', async () => {
    const { results } = await trade({
      operation: 'find_precedents',
      decision_description: 'Where to keep telemetry points',
      key_factors: ['cost of operation', 'colour'],
    });
    const [first] = results;
    assert.equal(first?.kind, 'decision');
    assert.equal(first.content, 'Use a time series store');
    assert.equal(first.details?.rationale, 'It compresses well.');
    assert.deepEqual(first.details?.key_factors, ['cost of operation']);
  });

  it('tells risks with their severity: failure modes, lessons, rules that warn', async () => {
    await hall.put('general', 'plant', 'hatch', 'DANGER: a zirconium hatch burns in air.');
    await hall.learning.write(
      {
        operation: 'capture_lesson',
        lesson: { title: 'Zirconium', lesson: 'Zirconium dust ignites.', recommendation: 'Wet it' },
      },
      BY_TESTER,
    );
    const { results, extra } = await trade({ operation: 'assess_risks', alternative_description: 'a zirconium hatch' });
    const danger = results.find(({ source }) => source.where === 'knowledge');
    assert.equal(danger?.content, 'DANGER: a zirconium hatch burns in air.');
    assert.equal(danger.details?.severity, 'critical');
    assert.ok(
      results.some(
        ({ content, details }) => content === 'Zirconium dust ignites.' && details?.recommendation === 'Wet it',
      ),
    );
    assert.equal((extra.by_severity as Record<string, number>).critical, 1);
    const patterns = await trade({
      operation: 'assess_risks',
      alternative_description: 'several services share one database',
    });
    assert.ok(patterns.results.some(({ kind }) => kind === 'antipattern' || kind === 'failure_mode'));
  });
});
