// What meaning adds to words: `npm run bench -- hybrid --corpus FILE --queries FILE [--url URL --model NAME | --models DIR]`.
// With --url and --model by an endpoint (its key in KAIZEN_EMBEDDINGS_KEY), with --models by the local model installed
// there; otherwise by a stand-in that has learned from the corpus alone. The files are those of bench/retrieval.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createEmbedder, createSearchIndex, createSemanticIndex, type Embedder, fuse } from '../src/search';
import { table } from './measure';
import { type RetrievalSet, readSet } from './retrieval-sets';
import { standInEmbedder, textOf } from './stand-in-embedder';

const DEPTH = 10;
/** What both sides give before they are put together. */
const FOUND = 40;

interface Scored {
  uri: string;
  score: number;
}

type Fusion = (words: readonly Scored[], meaning: readonly Scored[]) => readonly Scored[];

const FUSIONS: Readonly<Record<string, Fusion>> = {
  words: (words) => words,
  meaning: (_, meaning) => meaning,
  'both, as in the product': fuse,
  'both, the better score': combined(Math.max),
  'both, the mean score': combined((a, b) => (a + b) / 2),
  'both, reciprocal ranks': (words, meaning) => combined((a, b) => a + b)(byRank(words), byRank(meaning)),
};

function combined(of: (a: number, b: number) => number): Fusion {
  return (words, meaning) => {
    const scores = new Map<string, [number, number]>(words.map(({ uri, score }) => [uri, [score, 0]]));
    for (const { uri, score } of meaning) scores.set(uri, [scores.get(uri)?.[0] ?? 0, score]);
    const all = [...scores].map(([uri, [a, b]]) => ({ uri, score: of(a, b) }));
    return all.sort((a, b) => b.score - a.score || (a.uri < b.uri ? -1 : 1));
  };
}

function byRank(found: readonly Scored[]): Scored[] {
  return found.map(({ uri }, rank) => ({ uri, score: 1 / (60 + rank + 1) }));
}

/** recall@3, recall@10 and MRR@10. */
function quality(found: readonly (readonly Scored[])[], { questions }: RetrievalSet): number[] {
  const sums = [0, 0, 0];
  for (const [index, { relevant }] of questions.entries()) {
    const right = found[index]!.slice(0, DEPTH).map(({ uri }) => relevant.has(uri));
    const first = right.indexOf(true);
    sums[0]! += right.slice(0, 3).filter(Boolean).length / relevant.size;
    sums[1]! += right.filter(Boolean).length / relevant.size;
    sums[2]! += first < 0 ? 0 : 1 / (first + 1);
  }
  return sums.map((sum) => sum / questions.length);
}

async function bothSides(set: RetrievalSet, embedder: Embedder, cacheDirectory: string) {
  const index = createSearchIndex();
  index.segment('bench').set(set.passages);
  const semantics = createSemanticIndex({ cacheDirectory });
  semantics.set(
    'bench',
    set.passages.map((passage) => ({ uri: passage.uri, text: textOf(passage) })),
  );
  semantics.use(embedder);
  for (let { state } = semantics; !('done' in state) || state.done < state.total; { state } = semantics) {
    if ('problem' in state) throw new Error(String(state.problem));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const sides: { words: Scored[]; meaning: Scored[] }[] = [];
  for (const { text } of set.questions) {
    const words = index.search(text, { limit: FOUND }).hits;
    sides.push({ words, meaning: await semantics.search(text, { limit: FOUND }) });
  }
  await semantics.close();
  return sides;
}

async function main(): Promise<void> {
  const option = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { corpus: option, queries: option, url: option, model: option, models: option },
  });
  if (!values.corpus || !values.queries) throw new Error('say which set: --corpus FILE --queries FILE');
  const set = readSet(values.corpus, values.queries);
  const key = process.env.KAIZEN_EMBEDDINGS_KEY;
  const { url, model = '', models } = values;
  const local = models ? ({ provider: 'local' } as const) : undefined;
  const options = url ? ({ provider: 'endpoint', url, model, key } as const) : local;
  const made = options && createEmbedder(options, { modelsDirectory: models ?? '' });
  const embedder = made ?? standInEmbedder(set.passages);
  const cache = mkdtempSync(path.join(tmpdir(), 'kaizen-bench-hybrid-'));
  try {
    const sides = await bothSides(set, embedder, cache);
    const rows = Object.entries(FUSIONS).map(([name, fusion]) => {
      const found = sides.map(({ words, meaning }) => fusion(words, meaning));
      return [name, ...quality(found, set).map((value) => value.toFixed(3))];
    });
    console.log(`${set.passages.length} passages, ${set.questions.length} questions; meaning by ${embedder.id}\n`);
    console.log(table(['', 'recall@3', 'recall@10', 'MRR@10'], rows));
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

void main();
