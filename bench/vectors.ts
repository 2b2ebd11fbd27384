import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { createSemanticIndex, type Embedder, type SemanticIndex } from '../src/search';
import { normalised, quantise } from '../src/search/vectors/quantised';
import { VectorTable } from '../src/search/vectors/vector-table';
import { seeded } from './corpus';
import { milliseconds, shown, type Times, table, timed } from './measure';

const DIMENSIONS = 384;
const SIZES = [10_000, 100_000];
const BEST = 10;

/** Around one of 500 topics, as texts are. */
function vectorsOf(count: number, random: () => number): Float32Array[] {
  const gauss = () => random() + random() + random() - 1.5;
  const topics = Array.from({ length: 500 }, () => Float32Array.from({ length: DIMENSIONS }, gauss));
  return Array.from({ length: count }, (_, index) => {
    const topic = topics[index % topics.length]!;
    return normalised(topic.map((value) => value + gauss()))!;
  });
}

function exactBest(vectors: readonly Float32Array[], query: Float32Array): Set<number> {
  const rows = vectors.map((vector, row) => {
    let similarity = 0;
    for (let i = 0; i < DIMENSIONS; i++) similarity += vector[i]! * query[i]!;
    return { row, similarity };
  });
  const best = rows.sort((a, b) => b.similarity - a.similarity).slice(0, BEST);
  return new Set(best.map(({ row }) => row));
}

/** How many of the exact best ten are found, of all, over some questions. */
function agreement(vectors: readonly Float32Array[], queries: readonly Float32Array[], rows: VectorTable): number {
  let found = 0;
  for (const query of queries) {
    const exact = exactBest(vectors, query);
    const near = rows.look(query).next(64)!.slice(0, BEST);
    found += near.filter(({ row }) => exact.has(row)).length;
  }
  return found / (queries.length * BEST);
}

interface Row {
  fast: Times;
  plain: Times;
  agreement: number;
  change: Times;
  bytes: number;
  fromCache: number;
  held: number;
  indexed: Times;
}

/** Until all texts have their vectors; the longest time that the event loop was held meanwhile. */
async function settled(index: SemanticIndex): Promise<number> {
  let held = 0;
  for (let last = performance.now(); ; ) {
    const { state } = index;
    if ('done' in state && state.done === state.total) return held;
    await new Promise((resolve) => setImmediate(resolve));
    held = Math.max(held, performance.now() - last);
    last = performance.now();
  }
}

async function measureIndex(vectors: readonly Float32Array[], queries: readonly Float32Array[]) {
  const directory = mkdtempSync(path.join(tmpdir(), 'kaizen-bench-vectors-'));
  const embedder: Embedder = {
    id: 'bench/vectors',
    embed: async (texts, { use }) =>
      texts.map((text) => (use === 'query' ? queries : vectors)[Number(text.split(' ')[1])]!),
    dispose: () => {},
  };
  const texts = vectors.map((_, row) => ({
    uri: `kb://bench/${row}`,
    text: `passage ${row} ${'of about eighty tokens '.repeat(16)}`,
  }));
  try {
    for (const run of ['embedded', 'from the cache']) {
      const index = createSemanticIndex({ cacheDirectory: directory });
      index.use(embedder);
      const start = performance.now();
      index.set('bench', texts);
      const held = await settled(index);
      const fromCache = performance.now() - start;
      const indexed = await timed(200, (round) => index.search(`query ${round % queries.length}`, { limit: BEST }));
      await index.close();
      if (run === 'from the cache') return { fromCache, held, indexed };
    }
    throw new Error('unreachable');
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(size: number): Promise<Row> {
  const vectors = vectorsOf(size + 50, seeded(11));
  const queries = vectors.splice(size);
  const rows = new VectorTable(DIMENSIONS);
  const plain = new VectorTable(DIMENSIONS, 'plain');
  for (const vector of vectors) {
    const quantised = quantise(vector);
    rows.add(quantised);
    plain.add(quantised);
  }
  const ask = (where: VectorTable) => (round: number) => where.look(queries[round % queries.length]!).next(64);
  const fast = await timed(300, ask(rows));
  const slow = await timed(30, ask(plain));
  const agreed = agreement(vectors, queries.slice(0, 20), rows);
  const change = await timed(300, (round) => {
    rows.remove(round);
    rows.add(quantise(vectors[round]!));
  });
  return { fast, plain: slow, agreement: agreed, change, bytes: rows.bytes, ...(await measureIndex(vectors, queries)) };
}

async function main(): Promise<void> {
  const all: Row[] = [];
  for (const size of SIZES) {
    process.stderr.write(`measuring ${size.toLocaleString('en')} vectors\n`);
    all.push(await measure(size));
  }
  const line = (label: string, cell: (row: Row) => string) => [label, ...all.map(cell)];
  console.log(`Node ${process.version}, ${cpus().length} cores. Medians; p95 in brackets.\n`);
  console.log(
    table(
      [`vectors of ${DIMENSIONS} dimensions`, ...SIZES.map((size) => size.toLocaleString('en'))],
      [
        line('the nearest of all, by WebAssembly', ({ fast }) => shown(fast)),
        line('the same without WebAssembly', ({ plain }) => shown(plain)),
        line('a question to the whole index, its vector known', ({ indexed }) => shown(indexed)),
        line('of the exact ten nearest are found', (row) => `${(row.agreement * 100).toFixed(1)} %`),
        line('changing one vector', ({ change }) => shown(change)),
        line('all from the cache on the disk', ({ fromCache }) => milliseconds(fromCache)),
        line('the event loop is held meanwhile for at most', ({ held }) => milliseconds(held)),
        line('memory', ({ bytes }) => `${(bytes / 1024 / 1024).toFixed(0)} MB`),
      ],
    ),
  );
}

void main();
