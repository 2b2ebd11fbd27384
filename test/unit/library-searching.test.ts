import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { LibraryChange, LibraryPart } from '../../src/library';
import { boostOf, combinedScore } from '../../src/library/searching/ranking';
import { LibraryFolder } from '../support/library';

const ADA: LibraryChange = { author: 'Ada' };
const refused = (code: string) => ({ name: 'KaizenError', code });
const sentences = (word: string) =>
  Array.from({ length: 20 }, (_, at) => `The ${word} is looked after in step ${at} of the plan.`).join(' ');

describe('Searching the library', () => {
  let folder: LibraryFolder;
  let library: LibraryPart;

  beforeEach(async () => {
    folder = new LibraryFolder();
    library = folder.open();
    const add = async (name: string, text: string, document_type: string, title: string) => {
      folder.write(name, text);
      folder.now += 1_000;
      await library.ingest({ source: name, metadata_overrides: { document_type, title } }, ADA);
    };
    await add(
      'a.md',
      `# A\n\n## Pumps\n\n${sentences('pump')}\n\n## Valves\n\n${sentences('valve')}\n`,
      'handbook',
      'Plant',
    );
    await add('b.md', `# B\n\n## Pumps\n\nThe pump shall stop. ${sentences('pump')}\n`, 'standard', 'ISO 4413 Pumps');
    await add('c.md', `# C\n\n## Gardens\n\n${sentences('rose')}\n`, 'report', 'Gardens');
  });
  afterEach(() => folder.remove());

  it('answers with what was found, where it stands and what it is worth', async () => {
    const answer = await library.search({ query: 'looking after the valve' });
    const [first] = answer.results;
    assert.ok(first);
    assert.equal(first.chunk.section_title, 'Valves');
    assert.match(first.uri, /^knowledge:\/\/library\/a-[0-9a-f]{8}#/);
    assert.deepEqual((await library.chunk(first.uri)).id, first.id);
    assert.equal(first.effectiveness_score, 0.5);
    assert.equal(first.score_confidence, 0);
    assert.ok(Math.abs(first.combined_score - (first.semantic_score * 0.7 + 0.5 * 0.3)) < 1e-9);
    assert.ok(first.matched.includes('valve'));
    const { text, marks } = first.snippet;
    assert.ok(marks.some(({ start, end }) => text.slice(start, end) === 'valve'));
    assert.equal(answer.total_results >= answer.results.length, true);
  });

  it('ranks by meaning alone when scores are not to boost', async () => {
    const { results } = await library.search({ query: 'pump', boost_by_score: false });
    for (const result of results) assert.equal(result.combined_score, result.semantic_score);
  });

  it('leaves out what is below a threshold or does not pass a filter', async () => {
    const all = await library.search({ query: 'pump plan' });
    const types = async (filter: object) =>
      [
        ...new Set(
          (await library.search({ query: 'pump plan', filter })).results.map(({ chunk }) => chunk.document_type),
        ),
      ].sort();
    assert.deepEqual(await types({}), ['handbook', 'report', 'standard']);
    assert.deepEqual(await types({ document_type: ['report', 'handbook'] }), ['handbook', 'report']);
    assert.deepEqual(await types({ min_authority: 0.8 }), ['handbook', 'standard']);
    assert.deepEqual(await types({ normative_only: true }), ['standard']);
    assert.deepEqual(await types({ source_type: 'web' }), []);
    assert.deepEqual(await types({ min_score: 0.6 }), []);
    assert.deepEqual(await types({ document_type: [] }), ['handbook', 'report', 'standard']);
    const best = all.results[0]!.combined_score;
    const some = await library.search({ query: 'pump plan', score_threshold: best });
    assert.ok(some.results.length >= 1 && some.results.length < all.results.length);
    assert.equal((await library.search({ query: 'pump plan', n_results: 1 })).results.length, 1);
  });

  it('says what the results are worth as an answer, unless that is not wanted', async () => {
    const none = await library.search({ query: 'quantum chromodynamics' });
    assert.deepEqual(none.results, []);
    assert.equal(none.coverage!.recommendation, 'nothing_found');
    const pumps = await library.search({ query: 'pumps' });
    assert.equal(pumps.coverage!.recommendation, 'results_sufficient');
    assert.ok(pumps.coverage!.authority_score > 0.85);
    const without = await library.search({ query: 'pumps', include_coverage_assessment: false });
    assert.equal(without.coverage, undefined);
  });

  it('finds nothing by no words, and refuses a text', async () => {
    assert.deepEqual((await library.search({ query: '' })).results, []);
    await assert.rejects(library.search({ query: 'x'.repeat(5_000) }), refused('invalid_argument'));
  });

  it('lists sources in the order that is asked for', async () => {
    const titles = async (request: object) => (await library.sources(request)).map(({ title }) => title);
    assert.deepEqual(await titles({}), ['Gardens', 'ISO 4413 Pumps', 'Plant']);
    assert.deepEqual(await titles({ sort_by: 'date_added' }), ['Gardens', 'ISO 4413 Pumps', 'Plant']);
    assert.equal((await titles({ sort_by: 'authority' }))[0], 'ISO 4413 Pumps');
    assert.equal((await titles({ sort_by: 'chunk_count' }))[0], 'Plant');
    assert.deepEqual(await titles({ document_type: ['report'] }), ['Gardens']);
    assert.deepEqual(await titles({ limit: 1 }), ['Gardens']);
    assert.deepEqual(await titles({ source_type: 'web' }), []);
    const [listed] = await library.sources();
    assert.equal(listed!.uri, `knowledge://library/${listed!.document_id}`);
    assert.equal(listed!.freshness.level, 'unknown');
    await assert.rejects(library.source('nothing'), refused('unknown_document'));
  });

  it('counts what there is', async () => {
    assert.ok(await library.ready(10_000));
    const stats = await library.stats({ domains: true, freshness: true, scores: true });
    assert.equal(stats.documents, 3);
    assert.deepEqual(stats.by_document_type, { handbook: 1, report: 1, standard: 1 });
    assert.deepEqual(stats.by_authority, { authoritative: 1, informative: 1, normative: 1 });
    assert.deepEqual(stats.by_status, { complete: 3 });
    assert.equal(stats.score_distribution!.moderate, stats.chunks);
    assert.equal(stats.freshness!.unknown, 3);
    assert.deepEqual(stats.domains, []);
    assert.deepEqual(stats.health, []);
    assert.equal(stats.open_requests, 0);
    const plain = await library.stats();
    assert.equal(plain.domains ?? plain.freshness ?? plain.score_distribution, undefined);
  });
});

describe('The combined score', () => {
  const score = fc.double({ min: 0, max: 1, noNaN: true });

  it('has the boosts of the table at its bounds', () => {
    const boosts = [0, 0.19, 0.2, 0.4, 0.6, 0.8, 1].map(boostOf);
    assert.deepEqual(boosts, [0.5, 0.5, 0.8, 1, 1.2, 1.5, 1.5]);
  });

  it('stays between 0 and 1 and rises with either score', () => {
    fc.assert(
      fc.property(score, score, score, (a, b, other) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        assert.ok(combinedScore(low, other, true) <= combinedScore(high, other, true));
        assert.ok(combinedScore(other, low, true) <= combinedScore(other, high, true));
        const value = combinedScore(a, b, true);
        assert.ok(value >= 0 && value <= 1);
      }),
    );
  });
});
