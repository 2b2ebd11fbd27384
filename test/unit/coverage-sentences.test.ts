import assert from 'node:assert/strict';
import type { CoverageAssessment, Preflight } from '../../src/library';
import { type Assessed, type Sentence, Sentences } from '../../webview-ui/coverage/sentences';
import { type Hall, useHalls } from '../support/hall';

const PERSON = { author: 'alice' };
const DEPTH = 'working';
/** Texts that the page has in its language. */
const asked = new Set<string>();
const ENGLISH = {
  t: (text: string, ...values: (string | number)[]) => {
    asked.add(text);
    return text.replace(/\{(\d)\}/g, (whole, index) => String(values[Number(index)] ?? whole));
  },
  formatNumber: String,
};

const PUMPS = `# Pumps

## 1 Wear

The impeller of a pump wears by sand. According to ISO 9906:2012 a pump shall be tested before it is delivered. The wear of
an impeller is measured every year, and a pump whose impeller is worn is taken out of service.
`;

describe('what the coverage report says', () => {
  const open = useHalls();
  async function withPumps(web: boolean): Promise<Hall> {
    const hall = await open({ web: { enabled: web } });
    await hall.library.ingest({ source: `content:${PUMPS}` }, PERSON);
    return hall;
  }

  /** All that the page says of an assessment. */
  function all(assessed: Assessed, said: CoverageAssessment | Preflight): Sentence[] {
    const sentences = new Sentences(assessed, ENGLISH);
    const steps = said.acquisition_recommendations.filter(({ action }) => action !== 'none');
    const canSearch = steps.some(({ action }) => action === 'web_search');
    return [
      sentences.ofVerdict(said.recommendation, said.recommendation_rationale),
      ...said.gaps.map((gap) => sentences.ofGap(gap)),
      ...steps.map((step) => sentences.ofStep(step, canSearch)),
      ...said.caveats_if_proceeding.map((caveat) => sentences.ofCaveat(caveat)),
    ];
  }

  const ofTopic = (assessment: CoverageAssessment): Assessed => ({
    topics: [assessment],
    standards: [],
    gaps: assessment.gaps,
    depth: DEPTH,
  });

  it('is made of the assessment’s fields, so that it can be in any language', async () => {
    const types = new Set<string>();
    for (const web of [true, false]) {
      const { library } = await withPumps(web);
      for (const topic of ['wear of impellers', 'pumps', 'storm surge forecast'])
        for (const required_authority of ['any', 'normative'] as const)
          for (const recency_requirement of ['any', 'current'] as const) {
            const wanted = { topic, required_authority, recency_requirement, required_depth: DEPTH } as const;
            const assessment = await library.assessCoverage(wanted);
            for (const { gap_type } of assessment.gaps) types.add(gap_type);
            for (const { text, lang } of all(ofTopic(assessment), assessment)) assert.equal(lang, undefined, text);
            const sentences = new Sentences(ofTopic(assessment), ENGLISH);
            for (const source of assessment.gaps.flatMap(({ suggested_sources }) => suggested_sources)) {
              // The name of a standard is the same in each language.
              const said = sentences.ofSource(source);
              assert.ok(asked.has(said) || /\d/.test(said), said);
            }
          }
    }
    assert.deepEqual([...types].sort(), ['insufficient_depth', 'missing_topic', 'no_authority', 'stale']);
  });

  it('names topics and standards of a workflow', async () => {
    const { library } = await withPumps(true);
    const preflight = await library.preflight({
      workflow_type: 'rcca',
      workflow_description: 'Find out why the bearings fail.',
      key_topics: ['wear of impellers', 'bearing lubrication'],
      required_standards: ['ISO 9906', 'ISO 281'],
    });
    const { topics, standards, gaps } = preflight;
    const said = all({ topics, standards, gaps, depth: DEPTH }, preflight);
    for (const { text, lang } of said) assert.equal(lang, undefined, text);
    const texts = said.map(({ text }) => text);
    const refers =
      'The required standard ISO 9906 is not in the library. Documents of the library that refer to it: 1.';
    assert.ok(texts.includes(refers), texts.join('\n'));
    assert.ok(texts.includes('ISO 281 is not in the library: do not cite it from memory.'));
    assert.ok(
      texts.some((text) => /as good as nothing about “bearing lubrication”.*nowhere: .*lubrication/.test(text)),
    );
  });

  it('is the domain’s own sentence, marked as English, where it is not known', () => {
    const nothing: Assessed = { topics: [], standards: [], gaps: [], depth: DEPTH };
    const caveat = new Sentences(nothing, ENGLISH).ofCaveat('Not all was searched: wait.');
    assert.deepEqual(caveat, { text: 'Not all was searched: wait.', lang: 'en' });
  });
});
