// What learning costs: `npm run bench -- learning [--chunks 10000] [--feedback 10000]`. Retrieval without feedback and with
// it, in turns on the same library and the same queries, so that whoever else uses the machine is in both.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/core/clock';
import { entryUri, libraryUri } from '../src/core/knowledge-uri';
import { Kaizen, type KaizenParts } from '../src/kaizen';
import type { FeedbackRecord, LearningPart } from '../src/learning';
import { openLibrary } from '../src/library';
import { openKeeper } from '../src/library/keeping';
import { corpus, PROJECT, seeded } from './corpus';
import { CHUNKS_A_DOCUMENT, documentAt, queriesOf } from './made-library';
import { milliseconds, table, threadTime } from './measure';

const ENTRIES = 5_000;
const ROUNDS = 1_000;
const WARM_UP = 100;
const { values } = parseArgs({
  options: { chunks: { type: 'string', default: '10000' }, feedback: { type: 'string', default: '10000' } },
});
const documents = Math.ceil(Number(values.chunks) / CHUNKS_A_DOCUMENT);
const count = Number(values.feedback);
const random = seeded(7);

/** Half on passages of the library, half on entries; some things have much of it, most have little. */
function feedbackOn(artifacts: readonly string[], from: number, many: number): FeedbackRecord[] {
  return Array.from(
    { length: many },
    (_, at): FeedbackRecord => ({
      id: `fb-${from + at}`,
      artifact: artifacts[Math.floor(random() ** 2 * artifacts.length)]!,
      artifact_type: 'chunk',
      usage_context: '',
      feedback_type: random() < 0.7 ? 'helpful' : 'not_helpful',
      feedback_tier: 'quick',
      specific_data: {},
      corrections: [],
      suggested_improvements: [],
      feedback_source: 'user',
      author: 'bench',
      created_at: new Date(systemClock.now() - Math.floor(random() * 100) * 86_400_000).toISOString(),
    }),
  );
}

interface Opened {
  name: string;
  kaizen: Kaizen;
  parts: KaizenParts;
}

async function opened(root: string, name: string): Promise<Opened> {
  const own = path.join(root, name);
  const kaizen = new Kaizen({
    ...{ data: path.join(own, 'data'), shared: path.join(own, 'shared'), project: PROJECT, countReads: true },
    library: { directory: path.join(root, 'library') },
  });
  return { name, kaizen, parts: await kaizen.parts() };
}

interface Compared {
  without: number;
  /** Of the time without; the first of a hall that has no feedback either, which shows how exact this is. */
  again: number;
  with: number;
}

/**
 * Mean thread time of a call, each question put to all halls in turn and to another one first each time. No medians: the
 * system counts too coarsely to tell one call from another.
 */
async function compared(
  halls: readonly Opened[],
  work: (parts: KaizenParts, round: number) => Promise<unknown>,
): Promise<Compared> {
  const times = halls.map((): number[] => []);
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (let turn = 0; turn < halls.length; turn++) {
      const at = (turn + round) % halls.length;
      const start = threadTime();
      await work(halls[at]!.parts, round);
      if (round >= WARM_UP) times[at]!.push(threadTime() - start);
    }
  }
  const mean = (at: number) => times[at]!.reduce((sum, each) => sum + each, 0) / ROUNDS;
  return { without: mean(0), again: mean(1) / mean(0), with: mean(2) / mean(0) };
}

async function main(): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), 'kaizen-bench-learning-'));
  try {
    const uris: string[] = [];
    const keeper = await openKeeper(
      { directory: path.join(root, 'library') },
      {
        ...{ cacheDirectory: path.join(root, 'index'), embeddingsDirectory: root, modelsDirectory: root },
        ...{ clock: systemClock, log: (message) => process.stderr.write(`${message}\n`) },
      },
    );
    for (let number = 0; number < documents; number++) {
      const { document, content } = documentAt(number);
      await keeper.put(document, content);
      uris.push(...content.chunks.map(({ id }) => libraryUri(document.document_id, id)));
    }
    await keeper.ready(600_000);
    await keeper.close();

    const halls = [await opened(root, 'without'), await opened(root, 'again'), await opened(root, 'with')];
    const records = corpus(ENTRIES);
    for (const { kaizen, parts } of halls) {
      await kaizen.importRecords(records, { author: 'bench' });
      await parts.library.ready(600_000);
    }
    const entries = records.flatMap(({ record }) =>
      record.type === 'entry'
        ? [entryUri({ scope_id: record.scope, category: record.category, keyword: record.keyword })]
        : [],
    );
    const { learning } = halls[2]!.parts;
    let start = performance.now();
    await learning.importFeedback([...feedbackOn(uris, 0, count / 2), ...feedbackOn(entries, count, count / 2)], {
      author: 'bench',
    });
    const written = performance.now() - start;
    start = threadTime();
    await learning.warm();
    const read = threadTime() - start;

    const queries = queriesOf(WARM_UP + ROUNDS, documents);
    // One library, which is told of one hall's feedback or of another's: nothing else differs.
    let learned: LearningPart = learning;
    const library = openLibrary({
      ...{ place: { directory: path.join(root, 'library') }, cacheDirectory: path.join(root, 'index') },
      ...{ embeddingsDirectory: root, modelsDirectory: root, clock: systemClock },
      learned: {
        get isRanking() {
          return learned.isRanking;
        },
        combinedScore: (semantic, score) => learned.combinedScore(semantic, score),
        effectivenessOf: (uri) => learned.effectivenessOf(uri),
        ratedPassages: () => learned.ratedPassages(),
      },
    });
    await library.ready(600_000);
    const search = await compared(halls, ({ learning: mine }, round) => {
      learned = mine;
      return library.search({ query: queries[round]! });
    });
    await library.close();
    const task_description = 'Review how orders are refunded and written to the measured workflow';
    const discover = await compared(halls, ({ discovery }, round) =>
      discovery.discover({ task_description: `${task_description} ${round % 7}`, max_results: 10 }),
    );
    const calls = 200_000;
    const each = (work: (at: number) => void) => {
      const began = threadTime();
      for (let at = 0; at < calls; at++) work(at);
      return ((threadTime() - began) / calls) * 1_000;
    };
    const asked = each((at) => learning.effectivenessOf(uris[at % uris.length]!));
    const one = uris.slice(0, 10);
    const noted = each(() => learning.noteUse('retrieved', one));
    const query = each((at) => learning.noteQuery({ tool: 'bench', query: queries[at % 100]!, results: 3, best: 0.5 }));
    start = threadTime();
    await learning.flush();
    const flushed = threadTime() - start;
    start = performance.now();
    for (let round = 0; round < 50; round++) {
      const artifact_id = entries[round]!;
      await learning.feedback(
        { operation: 'rate', artifact_id, artifact_type: 'chunk', helpful: true },
        { author: 'b' },
      );
    }
    const given = (performance.now() - start) / 50;
    for (const { kaizen } of halls) await kaizen.close();

    const passages = documents * CHUNKS_A_DOCUMENT;
    const shown = (times: Compared) => [
      ...[milliseconds(times.without), times.again.toFixed(3), times.with.toFixed(3)],
    ];
    const out = [
      `Library of ${passages} passages, ${ENTRIES} entries. Thread time, means of ${ROUNDS} calls.`,
      '',
      table(
        ['', 'without feedback', 'again without, times', `with ${count} pieces of it, times`],
        [
          ['`knowledge_search`, 10 results', ...shown(search)],
          ['`discover_context`, 10 results', ...shown(discover)],
        ],
      ),
      '',
      table(
        ['', ''],
        [
          ['an effectiveness, asked by a ranking', `${asked.toFixed(2)} µs`],
          ['noting that ten things were given', `${noted.toFixed(2)} µs`],
          ['noting a question', `${query.toFixed(2)} µs`],
          ['writing down what was noted, every 30 s, nobody waits', milliseconds(flushed)],
          [`reading ${count} pieces of feedback, once`, milliseconds(read)],
          ['a piece of feedback, durable', milliseconds(given)],
          [`importing ${count} pieces`, milliseconds(written)],
        ],
      ),
    ];
    process.stdout.write(`${out.join('\n')}\n`);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
