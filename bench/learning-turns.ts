// How long others wait while something works on much that was learned: `npm run bench -- learning-turns`. A library of 10,000
// passages, 5,000 entries, 5,000 captured records, 10,000 pieces of feedback, 2,000 relations; each first question to a
// Kaizen that was opened just then, so that it finds nothing in memory. Longest time between two turns of the event loop, of
// the thread's own time, with what passed in brackets.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/core/clock';
import { entryUri, learningUri, libraryUri } from '../src/core/knowledge-uri';
import { Kaizen, type KaizenParts } from '../src/kaizen';
import type {
  ExploreRequest,
  FeedbackRecord,
  LearningExport,
  PlanningRequest,
  RccaRequest,
  TradeRequest,
} from '../src/learning';
import { openKeeper } from '../src/library/keeping';
import { RELATION_TYPES, type Relation } from '../src/relations';
import { asShipped } from './as-shipped';
import { corpus, PROJECT, seeded } from './corpus';
import { CHUNKS_A_DOCUMENT, documentAt } from './made-library';
import { milliseconds, table, watchTurns } from './measure';

const { values } = parseArgs({
  options: {
    chunks: { type: 'string', default: '10000' },
    entries: { type: 'string', default: '5000' },
    records: { type: 'string', default: '5000' },
    feedback: { type: 'string', default: '10000' },
    relations: { type: 'string', default: '2000' },
    /** A regular expression: the parts whose names have it. */
    only: { type: 'string', default: '' },
  },
});
const [documents, entryCount, recordCount, feedbackCount, relationCount] = [
  Math.ceil(Number(values.chunks) / CHUNKS_A_DOCUMENT),
  ...[values.entries, values.records, values.feedback, values.relations].map(Number),
] as [number, number, number, number, number];
const random = seeded(11);
const BY = { author: 'bench' };
const AT = '2026-03-01T10:00:00.000Z';
const WORDS =
  'retry token index cache queue deploy client order refund page timeout limit pump valve seal bearing'.split(' ');
const sentence = (length = 12) => Array.from({ length }, () => WORDS[Math.floor(random() * WORDS.length)]!).join(' ');

type Made = LearningExport['records'][number];

/** Of one of each kind, as it is captured: projects, half of them incidents, lessons, decisions, templates. */
async function recordsMade({ learning }: KaizenParts): Promise<Made[]> {
  const tasks = Array.from({ length: 20 }, (_, number) => ({
    ...{ name: `Task ${number}`, description: sentence(), estimated_hours: 4 },
    ...(number === 0 ? {} : { depends_on: [`Task ${number - 1}`] }),
  }));
  const common = { tasks, visibility: 'team', domain: 'software', identified_risks: [sentence()] } as const;
  const projects = [
    { ...common, name: 'Page', project_type: 'feature', description: sentence(20) },
    { ...common, name: 'Leak', project_type: 'incident', context_factors: { symptoms: ['leak'], root_cause: 'seal' } },
  ];
  for (const project of projects) {
    const { id } = (await learning.write({ operation: 'capture_project', project }, BY)).record;
    const outcome = {
      success_rating: 0.7,
      outcome_summary: sentence(),
      what_worked: [sentence()],
      actual_duration_days: 9,
    };
    await learning.write({ operation: 'capture_outcome', project_id: id, outcome }, BY);
    await learning.write({ operation: 'capture_template', project_id: id, template_name: project.name }, BY);
  }
  const lesson = { title: 'Seals', lesson: 'Look.', visibility: 'team' } as const;
  await learning.write({ operation: 'capture_lesson', lesson }, BY);
  const decision = { title: 'Queue', decision: 'Yes', alternatives: [{ name: 'Cache' }], visibility: 'team' } as const;
  await learning.write({ operation: 'capture_decision', decision }, BY);
  const ones = learning.export().records;
  return Array.from({ length: recordCount }, (_, at) => {
    const { kind, record } = ones[at % ones.length]!;
    const said = kind === 'lesson' ? { lesson: sentence(30) } : kind === 'decision' ? { rationale: sentence(30) } : {};
    const title = 'title' in record ? { title: sentence(5) } : { name: sentence(5), description: sentence(20) };
    return { kind, record: { ...record, id: `made-${at}`, ...title, ...said } } as Made;
  });
}

function feedbackMade(artifacts: readonly string[]): FeedbackRecord[] {
  return Array.from({ length: feedbackCount }, (_, at) => ({
    ...{ id: `fb-${at}`, artifact: artifacts[Math.floor(random() ** 2 * artifacts.length)]!, artifact_type: 'chunk' },
    ...{ usage_context: '', feedback_type: random() < 0.7 ? 'helpful' : 'not_helpful', feedback_tier: 'quick' },
    ...{ specific_data: {}, corrections: [], suggested_improvements: [], feedback_source: 'user', ...BY },
    created_at: new Date(systemClock.now() - Math.floor(random() * 100) * 86_400_000).toISOString(),
  })) as FeedbackRecord[];
}

function relationsMade(ends: readonly string[]): Relation[] {
  const end = () => ends[Math.floor(random() * ends.length)]!;
  return Array.from({ length: relationCount }, (_, at) => ({
    ...{ id: `rel-${at}`, source: end(), target: end(), type: RELATION_TYPES[at % RELATION_TYPES.length]!, ...BY },
    ...{ confidence: 0.8, bidirectional: false, context: sentence(), created_by: 'manual' as const, evidence: [] },
    ...{ created_at: AT, origin: 'stored' as const },
  })).filter(({ source, target }) => source !== target);
}

const domain = 'software';
const workflows: readonly [keyof KaizenParts['workflows'], object][] = [
  ['rcca', { operation: 'find_similar', problem_description: 'orders are refunded twice after a timeout', domain }],
  ['rcca', { operation: 'trace_cause', effect_description: 'pump seal leaks' }],
  ['rcca', { operation: 'find_corrective', root_cause: 'queue without a limit' }],
  ['rcca', { operation: 'check_compliance', situation_description: 'the cache has no timeout' }],
  ['trade', { operation: 'extract_criteria', decision_context: 'queue or cache for orders' }],
  ['trade', { operation: 'find_alternatives', need_statement: 'retry a client order' }],
  ['trade', { operation: 'find_precedents', decision_description: 'cache the index' }],
  ['trade', { operation: 'assess_risks', alternative_description: 'deploy with a retry limit' }],
  ['explore', { operation: 'match_antipatterns', content: `${sentence(12)}. `.repeat(40) }],
  [
    'explore',
    { operation: 'gap_analysis', content: `${sentence(12)}. `.repeat(40), focus_areas: ['retry', 'timeout'] },
  ],
  ['explore', { operation: 'counterarguments', claim: 'a cache makes the client faster' }],
  ['explore', { operation: 'synthesize', question: 'how is a refund retried?' }],
  ['plan', { operation: 'find_templates', project_type: 'feature', project_description: 'refund page' }],
  ['plan', { operation: 'find_precedents', project_type: 'feature', project_description: 'refund page' }],
  ['plan', { operation: 'identify_risks', project_description: 'refund page with a queue' }],
  ['plan', { operation: 'identify_dependencies', project_description: 'refund page with a queue' }],
  ['plan', { operation: 'find_constraints', project_description: 'refund page with a queue' }],
  ['plan', { operation: 'find_checkpoints', project_description: 'refund page with a queue' }],
  ['plan', { operation: 'estimate_scope', project_type: 'feature' }],
];

async function main(): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), 'kaizen-bench-turns-'));
  const opened = () => {
    const own = path.join(root, 'kaizen');
    return new Kaizen({
      ...{ data: path.join(own, 'data'), shared: path.join(own, 'shared'), project: PROJECT, countReads: true },
      ...{ library: { directory: path.join(root, 'library') }, person: 'bench', workspace: root },
    });
  };
  const rows: string[][] = [];
  const isMeant = (name: string) => new RegExp(values.only).test(name);
  const measure = async (name: string, work: () => Promise<unknown>) => {
    if (!isMeant(name)) return void (await work());
    await new Promise((resolve) => setTimeout(resolve, 50));
    const [stop, start] = [watchTurns(), performance.now()];
    await work();
    const took = performance.now() - start;
    const { run, passed } = stop();
    rows.push([name, milliseconds(took), `${milliseconds(run)} (${milliseconds(passed)})`]);
    process.stderr.write(`${rows.at(-1)!.join(' | ')}\n`);
  };
  const fresh = async (work: (parts: KaizenParts) => Promise<void>) => {
    const kaizen = opened();
    try {
      await work(await kaizen.parts());
    } finally {
      await kaizen.close();
    }
  };
  try {
    const passages: string[] = [];
    const keeper = await openKeeper(
      { directory: path.join(root, 'library') },
      {
        ...{ cacheDirectory: path.join(root, 'kaizen/data/index'), embeddingsDirectory: root, modelsDirectory: root },
        ...{ clock: systemClock, log: (message) => process.stderr.write(`${message}\n`) },
      },
    );
    for (let number = 0; number < documents; number++) {
      const { document, content } = documentAt(number);
      await keeper.put(document, content);
      passages.push(...content.chunks.map(({ id }) => libraryUri(document.document_id, id)));
    }
    await keeper.ready(600_000);
    await keeper.close();
    const entries = corpus(entryCount);
    const maker = new Kaizen({ data: path.join(root, 'made'), shared: path.join(root, 'made'), person: 'bench' });
    const records = await recordsMade(await maker.parts());
    await maker.close();
    const entryUris = entries.flatMap(({ record }) =>
      record.type === 'entry'
        ? [entryUri({ scope_id: record.scope, category: record.category, keyword: record.keyword })]
        : [],
    );
    const ends = [...passages.slice(0, 1_000), ...records.map(({ kind, record }) => learningUri(kind, record.id))];
    const feedback = feedbackMade([...passages.slice(0, 5_000), ...entryUris]);
    await fresh(async ({ administration, library, discovery }) => {
      const kaizen = opened();
      await kaizen.importRecords(entries, BY);
      await kaizen.close();
      // As export writes it: a line for each record.
      const lines = (name: string, all: readonly object[]) =>
        `"${name}": [\n${all.map((each) => JSON.stringify(each)).join(',\n')}\n]`;
      const parts = [lines('records', records), lines('feedback', feedback), lines('relations', relationsMade(ends))];
      const file = `{\n"format": "kaizen-learning",\n"version": 1,\n${parts.join(',\n')}\n}\n`;
      await library.ready(600_000);
      await measure('importing all of it', () => administration.import(file, {}, BY));
      await discovery.search({ query: 'refund' });
    });
    if (isMeant('parts')) {
      await fresh(async ({ learning }) => {
        await measure('reading all feedback, in turns', () => learning.warm());
        await measure('the first list of 5,000 records', async () => learning.list('project'));
      });
      await fresh(async ({ learning }) => {
        await learning.warm();
        await measure('the first search of them', () => learning.search({ query: 'refund twice after a timeout' }));
        await measure('the next search', () => learning.search({ query: 'pump seal' }));
        const lesson = { title: 'Seals', lesson: 'Look at the seal first.' };
        await measure('one more record, and a search', async () => {
          await learning.write({ operation: 'capture_lesson', lesson }, BY);
          await learning.search({ query: 'seal first' });
        });
      });
      await fresh(async ({ learning }) => {
        await measure('the effectiveness of ten things at once after opening', async () => {
          for (const uri of passages.slice(0, 10)) learning.effectivenessOf(uri);
        });
        await learning.warm();
        await measure('one piece of feedback', () =>
          learning.feedback(
            { operation: 'rate', artifact_id: entryUris[0]!, artifact_type: 'chunk', helpful: true },
            BY,
          ),
        );
        await measure('taking one piece back, and asking what it was on', async () => {
          await learning.takeBack(['fb-0'], BY);
          learning.scoreOf(feedback[0]!.artifact);
        });
        await measure('taking 5,000 pieces back, and asking', async () => {
          await learning.takeBack(
            feedback.slice(1, 5_001).map(({ id }) => id),
            BY,
          );
          await learning.scores(100);
        });
        await measure('the best 1,000 scores', () => learning.scores(1_000));
        await measure('recalculate', () => learning.recalculate());
        await measure('how many scores there are', () => learning.scoreCounts());
      });
      await fresh(async ({ administration, library }) => {
        await library.ready(600_000);
        let json: string | Buffer = '';
        let parquet: string | Buffer = '';
        await measure('export, JSON', async () => {
          json = (await administration.export({ personal: true })).content;
        });
        await measure('export, Parquet', async () => {
          parquet = (await administration.export({ personal: true, format: 'parquet' })).content;
        });
        await measure('import of what is there, JSON', () => administration.import(json, {}, BY));
        await measure('import of what is there, Parquet', () => administration.import(parquet, {}, BY));
        await measure('the same, only tried', () => administration.import(json, {}, { ...BY, rehearse: true }));
        await measure('health report', () => administration.health());
        await measure('usage', () => administration.usage());
        await measure('stale content', () => administration.stale());
      });
      await fresh(async ({ library }) => {
        await library.ready(600_000);
        const id = passages.at(-1)!.split('#')[1]!;
        await measure('the document of a passage, by its bare id', () => library.documentOf(id));
        await measure('the next one', () => library.documentOf(passages[4]!.split('#')[1]!));
        await measure('of none', () => library.documentOf('00000000-0000-8000-8000-000000000000'));
      });
    }
    for (const [part, request] of workflows) {
      if (!isMeant(part)) continue;
      await fresh(async ({ workflows: work, library, learning, discovery }) => {
        await library.ready(600_000);
        await discovery.search({ query: 'refund' });
        await learning.warm();
        const { operation } = request as { operation: string };
        await measure(`${part}: ${operation}, asked first`, () => {
          if (part === 'rcca') return work.rcca(request as RccaRequest);
          if (part === 'trade') return work.trade(request as TradeRequest);
          if (part === 'explore') return work.explore(request as ExploreRequest);
          return work.plan(request as PlanningRequest);
        });
      });
    }
    process.stdout.write(`${table(['', 'in all', 'longest hold of the loop'], rows)}\n`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

asShipped(__filename, main);
