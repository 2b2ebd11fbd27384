import assert from 'node:assert/strict';
import type { CoverageAssessment, LibraryChange, LibraryPart } from '../../src/library';
import { WORKFLOW_WEIGHTS } from '../../src/library';
import { type AuthoritySigns, authorityOf } from '../../src/library/assessing/authority';
import { freshnessOf } from '../../src/library/assessing/freshness';
import { relevanceOf } from '../../src/library/assessing/relevance';
import { isSameStandard, standardsIn } from '../../src/library/assessing/standards';
import { topicsIn } from '../../src/library/assessing/topics';
import { LibraryFolder } from '../support/library';

const ADA: LibraryChange = { author: 'Ada' };
const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const refused = (code: string) => ({ name: 'KaizenError', code });

describe('Authority', () => {
  const document: AuthoritySigns = {
    title: 'Notes',
    document_type: 'internal',
    source_type: 'document',
    normativeChunks: 0,
    chunks: 10,
  };
  const page = (source_domain: string, title = 'A page'): AuthoritySigns => {
    return { ...document, title, document_type: 'web', source_type: 'web', source_domain };
  };

  it('is what was said of it, whatever else is known', () => {
    assert.deepEqual(authorityOf({ ...page('reddit.com'), given: 'normative' }).level, 'normative');
  });

  it('is normative for a standard that says what shall be, and authoritative for one that does not', () => {
    const standard = { ...document, title: 'ISO 9001:2015 Quality management', document_type: 'standard' };
    assert.equal(authorityOf({ ...standard, normativeChunks: 4 }).level, 'normative');
    assert.equal(authorityOf(standard).level, 'authoritative');
    assert.equal(authorityOf({ ...document, standard_id: 'MIL-STD-461G', normativeChunks: 10 }).score, 1);
    assert.equal(authorityOf({ ...document, title: 'NASA-HDBK-1002', normativeChunks: 10 }).level, 'authoritative');
  });

  it('goes by the site for pages, and takes no page for a standard that only talks about one', () => {
    const levels = {
      'www.rfc-editor.org': 'authoritative',
      'docs.python.org': 'authoritative',
      'docs.example.com': 'authoritative',
      'ntrs.nasa.gov': 'authoritative',
      'www.cdc.gov': 'reputable',
      'web.mit.edu': 'reputable',
      'www.cam.ac.uk': 'reputable',
      'link.springer.com': 'reputable',
      'en.wikipedia.org': 'informative',
      'stackoverflow.com': 'unverified',
      'blog.example.com': 'unverified',
      'docs.google.com': 'unverified',
      'example.com': 'unverified',
      'notmit.edu.example.com': 'unverified',
    };
    for (const [host, level] of Object.entries(levels)) assert.equal(authorityOf(page(host)).level, level, host);
    const about = { ...page('example.com', 'ISO 9001 explained'), normativeChunks: 10 };
    assert.equal(authorityOf(about).level, 'unverified');
    const rfc = { ...page('www.rfc-editor.org', 'RFC 9110: HTTP Semantics'), normativeChunks: 10 };
    assert.equal(authorityOf(rfc).level, 'normative');
  });

  it('falls back on what kind of document it is', () => {
    const level = (signs: Partial<AuthoritySigns>) => authorityOf({ ...document, ...signs }).level;
    assert.equal(level({ document_type: 'handbook' }), 'authoritative');
    assert.equal(level({ document_type: 'paper' }), 'reputable');
    assert.equal(level({ document_type: 'internal' }), 'informative');
    assert.equal(level({ unsourced: true, title: 'ISO 9001', normativeChunks: 10 }), 'unverified');
  });
});

describe('Names of standards', () => {
  it('are found in texts with their edition', () => {
    const named = (text: string) =>
      standardsIn(text).map(({ bodies, number, year }) => [...bodies, number, year ?? '']);
    assert.deepEqual(named('See ISO/IEC/IEEE 15288:2023 and ISO 26262-6.'), [
      ['ISO', 'IEC', 'IEEE', '15288', '2023'],
      ['ISO', '26262-6', ''],
    ]);
    assert.deepEqual(named('IEEE Std 1012-2016, MIL-STD-461G, RFC 2119'), [
      ['IEEE', '1012', '2016'],
      ['MIL-STD', '461G', ''],
      ['RFC', '2119', ''],
    ]);
    assert.deepEqual(named('In 2016 the isolation of 5 EN routes and AS 12 was done.'), []);
  });

  it('are the same by number, body and edition', () => {
    assert.ok(isSameStandard('IEEE 15288', 'ISO/IEC/IEEE 15288:2023 Systems engineering'));
    assert.ok(isSameStandard('ISO 9001:2015', 'DIN EN ISO 9001:2015'));
    assert.ok(!isSameStandard('ISO 9001:2008', 'ISO 9001:2015'));
    assert.ok(!isSameStandard('ISO 26262', 'ISO 26262-6'));
    assert.ok(!isSameStandard('IEEE 9001', 'ISO 9001'));
    assert.ok(isSameStandard('House rules', 'house  RULES'));
    assert.ok(!isSameStandard('', '—'));
  });
});

describe('Freshness', () => {
  const level = (date: string) => freshnessOf({ publication_date: date, source_type: 'document' }, NOW).level;

  it('goes by when a source was published, as exact as that is known', () => {
    assert.equal(level('2026-02-01'), 'current');
    assert.equal(level('2025'), 'current');
    assert.equal(level('2022-05'), 'recent');
    assert.equal(level('2018'), 'ageing');
    assert.equal(level('1996'), 'stale');
    const scores = ['2026', '2023', '2018', '1996'].map((publication_date) =>
      freshnessOf({ publication_date, source_type: 'document' }, NOW),
    );
    const sorted = [...scores].sort((a, b) => b.score - a.score);
    assert.deepEqual(scores, sorted);
  });

  it('goes by when a page was last looked at, and is unknown for a file without a date', () => {
    const page = (last_verified_at: string) => freshnessOf({ source_type: 'web', last_verified_at }, NOW).level;
    assert.equal(page('2026-02-01T00:00:00Z'), 'current');
    assert.equal(page('2025-06-01T00:00:00Z'), 'recent');
    assert.equal(page('2020-06-01T00:00:00Z'), 'stale');
    const file = freshnessOf({ source_type: 'document', last_verified_at: '2026-02-01T00:00:00Z' }, NOW);
    assert.deepEqual(file, { score: 0.5, level: 'unknown' });
  });
});

describe('Relevance', () => {
  it('is the share of the topic that stands on one page, and says which words do not', async () => {
    const text = 'Bearings of the pump are greased every month.';
    const all = await relevanceOf(text, 'greasing pump bearings');
    assert.equal(all.score, 1);
    const some = await relevanceOf(text, 'greasing turbine bearings');
    assert.ok(some.score > 0.5 && some.score < 0.8);
    assert.deepEqual(some.missing, ['turbine']);
    assert.match(some.explanation, /turbine does not/);
    assert.equal((await relevanceOf(text, 'orbital mechanics')).score, 0);
  });

  it('counts words less that stand far apart, unless they stand in the title', async () => {
    const text = `A pump. ${'Nothing of that kind is said here. '.repeat(200)} A bearing.`;
    const apart = await relevanceOf(text, 'pump bearing');
    assert.ok(apart.score < 0.7, String(apart.score));
    assert.equal((await relevanceOf(text, 'pump bearing', { title: 'Pumps' })).score, 1);
  });

  it('has nothing to look for in a topic without words', async () => {
    assert.equal((await relevanceOf('text', '… !')).score, 0);
  });
});

describe('Coverage', () => {
  let folder: LibraryFolder;
  let library: LibraryPart;

  /** A handbook on pumps: as many sections as wanted. */
  function handbook(sections: number, year = 2025): string {
    const parts = ['starting', 'priming', 'bearings', 'seals', 'cavitation', 'noise', 'valves', 'motors', 'cooling'];
    const texts = Array.from({ length: sections }, (_, at) => {
      const part = parts[at % parts.length]!;
      const sentences = Array.from(
        { length: 30 },
        (__, number) => `Centrifugal pumps need care for their ${part} in step ${at}.${number} of the plan.`,
      );
      return `## Centrifugal pumps: ${part} ${at}\n\n${sentences.join(' ')}`;
    });
    return `---\ntitle: Handbook of centrifugal pumps\ndate: ${year}-05-01\n---\n# Handbook of centrifugal pumps\n\n${texts.join('\n\n')}\n`;
  }
  const add = (name: string, text: string, document_type = 'handbook') => {
    folder.write(name, text);
    return library.ingest({ source: name, metadata_overrides: { document_type } }, ADA);
  };
  const types = ({ gaps }: Pick<CoverageAssessment, 'gaps'>) => gaps.map(({ gap_type }) => gap_type);

  beforeEach(() => {
    folder = new LibraryFolder();
    library = folder.open();
  });
  afterEach(() => folder.remove());

  it('says of an empty library that nothing is there and what to look for', async () => {
    const empty = await library.assessCoverage({ topic: 'centrifugal pumps' });
    assert.equal(empty.overall_score, 0);
    assert.equal(empty.overall_level, 'very_low');
    assert.deepEqual(types(empty), ['missing_topic']);
    assert.equal(empty.gaps[0]!.importance, 'critical');
    assert.ok(empty.gaps[0]!.search_queries.includes('centrifugal pumps'));
    assert.equal(empty.recommendation, 'acquire_web');
    assert.equal(empty.can_proceed_with_caveats, false);
    assert.equal(empty.acquisition_recommendations[0]!.action, 'web_search');
    assert.deepEqual(empty.evidence, []);
    const closed = folder.open({ web: { enabled: false } });
    assert.equal((await closed.assessCoverage({ topic: 'centrifugal pumps' })).recommendation, 'request_docs');
  });

  it('names pages that are known to say it, and no document to ask a person for where anybody may read it', async () => {
    const rfc = await library.assessCoverage({ topic: 'RFC 9309 robots exclusion', required_authority: 'normative' });
    const [first] = rfc.acquisition_recommendations;
    assert.equal(rfc.recommendation, 'acquire_web');
    assert.equal(first!.action, 'web_crawl');
    assert.deepEqual(first!.suggested_urls, ['https://www.rfc-editor.org/rfc/rfc9309.html']);
    // Every word is missing: to ask for each of them once more says nothing.
    assert.ok(
      rfc.gaps[0]!.search_queries.every((query) => !query.includes('"robots"')),
      `${rfc.gaps[0]!.search_queries}`,
    );
    const iso = await library.assessCoverage({ topic: 'ISO 26262 safety plan', required_authority: 'normative' });
    assert.equal(iso.recommendation, 'request_docs');
    const ready = await library.preflight({
      ...{ workflow_type: 'planning', workflow_description: 'Crawl sites', required_standards: ['RFC 9309'] },
    });
    assert.equal(ready.acquisition_recommendations[0]!.action, 'web_crawl');
  });

  it('names addresses of the passages on reputable sites alone: any page could name any', async () => {
    const text =
      'Quokka husbandry is described at https://www.nist.gov/quokka and at https://quokka.example/husbandry.';
    await add('quokka.md', `# Quokka husbandry\n\n${text}\n`);
    const { acquisition_recommendations: all } = await library.assessCoverage({
      ...{ topic: 'quokka husbandry', required_depth: 'expert', required_authority: 'normative' },
    });
    const crawl = all.find(({ action }) => action === 'web_crawl');
    assert.deepEqual(crawl?.suggested_urls, ['https://www.nist.gov/quokka']);
    assert.deepEqual(crawl?.suggested_domains, ['www.nist.gov']);
  });

  it('says to go on where there is enough, and on which passages that rests', async () => {
    await add('pumps.md', handbook(30));
    const well = await library.assessCoverage({ topic: 'centrifugal pumps' });
    assert.ok(well.coverage_score >= 0.9, JSON.stringify(well));
    assert.equal(well.authority_score, 1);
    assert.equal(well.recommendation, 'proceed');
    assert.deepEqual(well.gaps, []);
    assert.equal(well.acquisition_recommendations[0]!.action, 'none');
    assert.equal(well.sources_found, 1);
    assert.deepEqual(well.most_authoritative, ['Handbook of centrifugal pumps']);
    for (const { uri } of well.evidence) assert.match((await library.chunk(uri)).content, /[Cc]entrifugal/);
  });

  it('asks for more passages the deeper it has to go', async () => {
    await add('pumps.md', handbook(1));
    const depths = ['surface', 'working', 'expert'] as const;
    const assessed = await Promise.all(
      depths.map((required_depth) => library.assessCoverage({ topic: 'centrifugal pumps', required_depth })),
    );
    const [surface, working, expert] = assessed.map(({ coverage_score }) => coverage_score);
    assert.ok(surface! > expert! && surface! >= working! && working! >= expert!, String([surface, working, expert]));
    assert.ok(assessed[2]!.chunks_found > 0);
  });

  it('tells a near miss from a subject that is there', async () => {
    await add('pumps.md', handbook(12));
    const there = await library.assessCoverage({ topic: 'noise of centrifugal pumps' });
    const near = await library.assessCoverage({ topic: 'noise of aircraft turbines' });
    assert.ok(
      there.coverage_score > 0.5 && near.coverage_score < 0.3,
      `${there.coverage_score} ${near.coverage_score}`,
    );
    assert.match(near.gaps[0]!.description, /aircraft|turbines/);
  });

  it('misses an authority that was asked for', async () => {
    await add('pumps.md', handbook(30), 'internal');
    const any = await library.assessCoverage({ topic: 'centrifugal pumps', required_authority: 'any' });
    assert.equal(any.authority_score, 1);
    const reputable = await library.assessCoverage({ topic: 'centrifugal pumps' });
    assert.equal(reputable.authority_score, 0.71);
    assert.equal(reputable.recommendation, 'caveat');
    assert.match(reputable.caveats_if_proceeding[0]!, /unconfirmed/);
    const normative = await library.assessCoverage({ topic: 'centrifugal pumps', required_authority: 'normative' });
    assert.deepEqual(types(normative), ['no_authority']);
    assert.equal(normative.gaps[0]!.importance, 'critical');
    assert.equal(normative.recommendation, 'request_docs');
    assert.equal(normative.acquisition_recommendations[0]!.document_type, 'standard');
  });

  it('misses a recency that was asked for', async () => {
    await add('pumps.md', handbook(30, 2019));
    const any = await library.assessCoverage({ topic: 'centrifugal pumps' });
    assert.equal(any.recency_score, 1);
    assert.equal(any.oldest_source_date, '2019-05-01');
    const recent = await library.assessCoverage({ topic: 'centrifugal pumps', recency_requirement: 'recent_2y' });
    assert.ok(recent.recency_score < 0.5);
    assert.deepEqual(types(recent), ['stale']);
  });

  it('weighs the scores as the workflow does', async () => {
    await add('pumps.md', handbook(8), 'internal');
    for (const workflow_context of ['rcca', 'planning', 'general'] as const) {
      const { overall_score, weights, ...scores } = await library.assessCoverage({
        topic: 'centrifugal pumps',
        workflow_context,
      });
      assert.deepEqual(weights, WORKFLOW_WEIGHTS[workflow_context]);
      const expected =
        weights.coverage * scores.coverage_score +
        weights.authority * scores.authority_score +
        weights.recency * scores.recency_score +
        weights.confidence * scores.confidence_score;
      assert.ok(Math.abs(overall_score - expected) < 0.011);
    }
  });

  it('is surer of what several sources say', async () => {
    await add('one.md', handbook(9));
    const one = await library.assessCoverage({ topic: 'centrifugal pumps' });
    await add('two.md', handbook(9, 2024).replaceAll('need care for', 'depend on'));
    await add('three.md', handbook(9, 2023).replaceAll('need care for', 'wear out by'));
    const three = await library.assessCoverage({ topic: 'centrifugal pumps' });
    assert.ok(three.confidence_score > one.confidence_score);
    assert.equal(three.sources_found, 3);
  });

  it('refuses what cannot be assessed', async () => {
    await assert.rejects(library.assessCoverage({ topic: ' ' }), refused('invalid_argument'));
    const wrong = 'deep' as 'expert';
    await assert.rejects(library.assessCoverage({ topic: 'x', required_depth: wrong }), refused('invalid_argument'));
  });

  it('takes no single plain word of a description for a topic where there are longer ones', async () => {
    const derived = async (workflow_description: string) =>
      (await library.preflight({ workflow_type: 'planning', workflow_description })).derived_topics.slice(0, -3);
    assert.deepEqual(await derived('Set up the warnings of a harbour against storm tides, by OAuth2.'), [
      'storm tides',
      'OAuth2',
    ]);
    assert.deepEqual(await derived('Warnings for the harbour.'), ['Warnings', 'harbour']);
  });

  it('looks at all that a workflow needs before it starts', async () => {
    await add('pumps.md', handbook(30));
    await add(
      'iso.md',
      '# ISO 4413:2010 Hydraulic fluid power\n\nThe pump shall stop. The valve shall close.',
      'standard',
    );
    const preflight = await library.preflight({
      workflow_type: 'rcca',
      workflow_description: 'Find out why the bearing seals of the cooling water pumps fail after a restart.',
      key_topics: ['centrifugal pumps'],
      required_standards: ['ISO 4413', 'API 682'],
      domain: 'pump',
    });
    assert.equal(preflight.topics[0]!.topic, 'centrifugal pumps');
    assert.equal(preflight.topics[0]!.recommendation, 'proceed');
    assert.ok(preflight.derived_topics.some((topic) => topic.startsWith('cooling water pumps')));
    assert.ok(preflight.derived_topics.includes('pump root cause analysis'));
    assert.deepEqual(
      preflight.standards.map(({ standard, found }) => [standard, found]),
      [
        ['ISO 4413', true],
        ['API 682', false],
      ],
    );
    assert.equal(preflight.ready, false);
    assert.equal(preflight.recommendation, 'request_docs');
    assert.equal(preflight.gaps[0]!.importance, 'critical');
    assert.match(preflight.gaps[0]!.description, /API 682/);
    assert.ok(preflight.caveats_if_proceeding.some((caveat) => /API 682/.test(caveat)));
  });

  it('is ready for a workflow whose topics are covered', async () => {
    await add('pumps.md', handbook(30));
    const plan = await library.preflight({
      workflow_type: 'planning',
      workflow_description: 'Centrifugal pumps',
      key_topics: ['centrifugal pumps'],
    });
    assert.deepEqual(plan.topics.map(({ topic }) => topic).slice(0, 1), ['centrifugal pumps']);
    assert.ok(plan.overall_score > 0.6, String(plan.overall_score));
    assert.ok(plan.gaps.every(({ importance }) => importance === 'nice_to_have'));
    assert.equal(plan.ready, true, plan.recommendation_rationale);
  });
});

describe('Topics of a description', () => {
  it('are its phrases, without the words of every description', () => {
    const topics = topicsIn('Plan the migration of the billing service to PostgreSQL 16 within two weeks.');
    assert.ok(topics.includes('billing service'), topics.join());
    assert.ok(topics.includes('PostgreSQL 16'), topics.join());
    assert.deepEqual(topicsIn('and of the'), []);
  });
});
