import assert from 'node:assert/strict';
import type { Learned, LibraryChange, LibraryPart } from '../../src/library';
import { LibraryFolder } from '../support/library';

const ADA: LibraryChange = { author: 'Ada' };
const refused = (code: string) => ({ name: 'KaizenError', code });
const sentences = (word: string) =>
  Array.from({ length: 20 }, (_, at) => `The ${word} is looked after in step ${at} of the plan.`).join(' ');

/** What was learned, as a test says it: scores by address, each with its boost. */
class Scores implements Learned {
  isRanking = true;
  readonly scores = new Map<string, { score: number; boost: number; level: string }>();

  combinedScore(semantic: number, { score, boost }: { score: number; boost: number }): number {
    return semantic * 0.7 + score * boost * 0.3;
  }

  effectivenessOf(uri: string) {
    return {
      score: 0.5,
      boost: 1,
      level: 'moderate',
      confidence: this.scores.has(uri) ? 0.4 : 0,
      ...this.scores.get(uri),
    };
  }

  ratedPassages(): ReadonlySet<string> {
    return new Set(this.scores.keys());
  }
}

const GOOD = { score: 0.9, boost: 1.5, level: 'highly_effective' };
const BAD = { score: 0.1, boost: 0.5, level: 'poor' };

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
    assert.equal(first.combined_score, first.semantic_score);
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

describe('Searching the library by what was learned', () => {
  let folder: LibraryFolder;
  let library: LibraryPart;
  let learned: Scores;

  beforeEach(async () => {
    folder = new LibraryFolder();
    learned = new Scores();
    library = folder.open({ learned });
    const sections = Array.from({ length: 12 }, (_, at) => {
      const words = Array.from({ length: 12 - at }, () => 'The pump stops.').join(' ');
      return `## Section ${at}\n\n${words} ${sentences(`valve${at}`)}`;
    });
    folder.write('pumps.md', `# Pumps\n\n${sections.join('\n\n')}\n`);
    await library.ingest({ source: 'pumps.md' }, ADA);
    assert.ok(await library.ready(10_000));
  });
  afterEach(() => folder.remove());

  const search = (request: object = {}) =>
    library.search({ query: 'when does the pump stop', n_results: 3, ...request });
  const uris = async (request?: object) => (await search(request)).results.map(({ uri }) => uri);

  it('weighs semantic and effectiveness scores, and shows them all', async () => {
    const [first, second] = await uris();
    learned.scores.set(second!, GOOD);
    const { results } = await search();
    assert.deepEqual([results[0]!.uri, results[1]!.uri], [second, first]);
    const [best] = results;
    assert.ok(Math.abs(best!.combined_score - (best!.semantic_score * 0.7 + 0.9 * 1.5 * 0.3)) < 1e-9);
    assert.deepEqual([best!.effectiveness_score, best!.score_confidence], [0.9, 0.4]);
    learned.scores.set(second!, BAD);
    assert.equal((await uris())[0], first);
  });

  it('lets what helped rise from further down, and what did not sink', async () => {
    const all = await uris({ n_results: 9 });
    const fifth = all[4]!;
    learned.scores.set(fifth, GOOD);
    assert.ok((await uris()).includes(fifth));
    learned.scores.set(all[0]!, BAD);
    assert.notEqual((await uris())[0], all[0]);
    assert.equal((await uris()).length, 3);
  });

  it('ranks by meaning alone where that is asked for or set', async () => {
    const [first, second, third] = await uris();
    learned.scores.set(third!, GOOD);
    assert.deepEqual(await uris({ boost_by_score: false }), [first, second, third]);
    learned.isRanking = false;
    assert.deepEqual(await uris(), [first, second, third]);
    const { results } = await search();
    assert.equal(results[0]!.combined_score, results[0]!.semantic_score);
    assert.equal(results[2]!.effectiveness_score, 0.9);
  });

  it('never shows a score above 1, and goes on ranking there', async () => {
    learned.combinedScore = (semantic, { score, boost }) => semantic + score * boost;
    const [first, second] = await uris();
    learned.scores.set(first!, { ...GOOD, score: 0.8 });
    learned.scores.set(second!, { ...GOOD, score: 1 });
    const { results } = await search();
    assert.equal(results[0]!.uri, second);
    assert.deepEqual([results[0]!.combined_score, results[1]!.combined_score], [1, 1]);
  });

  it('leaves out what is below a least effectiveness, looking further for what is not', async () => {
    const all = await uris({ n_results: 9 });
    learned.scores.set(all[5]!, GOOD);
    const answer = await search({ filter: { min_score: 0.6 } });
    assert.deepEqual(
      answer.results.map(({ uri }) => uri),
      [all[5]],
    );
    assert.equal(answer.total_results, 1);
    assert.equal(answer.coverage!.recommendation === 'nothing_found', false);
  });

  it('counts passages by their scores, and lists sources by theirs', async () => {
    const [first, second] = await uris();
    learned.scores.set(first!, GOOD);
    learned.scores.set(second!, BAD);
    learned.scores.set(`${first}-gone`, GOOD);
    const { chunks, score_distribution: bands } = await library.stats({ scores: true });
    assert.deepEqual(bands, { highly_effective: 1, effective: 0, moderate: chunks - 2, limited: 0, poor: 1 });
    const [listed] = await library.sources();
    learned.scores.set(listed!.uri, GOOD);
    const [rated] = await library.sources({ sort_by: 'score' });
    assert.deepEqual([rated!.score, rated!.score_confidence], [0.9, 0.4]);
  });
});
