// Whether coverage is assessed as a reader would: `npm run bench -- library-coverage FOLDER`, the folder of docs-qa (or
// KAIZEN_DOCS_QA). The ratings are in bench/sets/library-coverage.json; docs/library.md, "Coverage", has the method.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type CoverageAssessment, openLibrary } from '../src/library';
import { docsQaPages } from './library-corpora';
import { table } from './measure';

interface Rated {
  topic: string;
  rating: number;
  part: 'first' | 'second' | 'check';
}

type Assessed = Rated & { assessment: CoverageAssessment };

/** How far two series go together in a straight line, -1 to 1. */
function pearson(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let both = 0;
  let ofA = 0;
  let ofB = 0;
  a.forEach((value, at) => {
    both += (value - meanA) * (b[at]! - meanB);
    ofA += (value - meanA) ** 2;
    ofB += (b[at]! - meanB) ** 2;
  });
  return both / Math.sqrt(ofA * ofB);
}

/** As `pearson`, of their ranks; equal values share the mean of theirs. */
function spearman(a: readonly number[], b: readonly number[]): number {
  const ranks = (values: readonly number[]) => {
    const sorted = [...values].sort((x, y) => x - y);
    return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2);
  };
  return pearson(ranks(a), ranks(b));
}

async function assessed(folder: string, topics: readonly Rated[]): Promise<Assessed[] | undefined> {
  const pages = docsQaPages(folder);
  if (!pages) return undefined;
  const root = mkdtempSync(path.join(tmpdir(), 'kaizen-bench-'));
  const workspace = path.join(root, 'pages');
  mkdirSync(workspace);
  const library = openLibrary({
    place: { directory: path.join(root, 'library') },
    cacheDirectory: undefined,
    embeddingsDirectory: path.join(root, 'embeddings'),
    modelsDirectory: path.join(root, 'models'),
    workspace,
    clock: { now: () => Date.now() },
  });
  try {
    let chunks = 0;
    for (const { name, text } of pages) {
      writeFileSync(path.join(workspace, name), text);
      chunks += (await library.ingest({ source: name }, { author: 'bench' })).chunks.total;
    }
    await library.ready(60_000);
    console.log(`${pages.length} documents, ${chunks} chunks, ${topics.length} rated topics\n`);
    const results: Assessed[] = [];
    for (const rated of topics) {
      results.push({ ...rated, assessment: await library.assessCoverage({ topic: rated.topic }) });
    }
    return results;
  } finally {
    await library.close();
    rmSync(root, { recursive: true, force: true });
  }
}

function correlations(all: readonly Assessed[]): string {
  const scores = ['coverage_score', 'overall_score'] as const;
  const halves = [
    ['first', all.filter(({ part }) => part === 'first')],
    ['second', all.filter(({ part }) => part === 'second')],
    ['check', all.filter(({ part }) => part === 'check')],
    ['all', all],
  ] as const;
  const rows = scores.flatMap((score) =>
    halves.map(([name, part]) => {
      const given = part.map(({ rating }) => rating);
      const told = part.map(({ assessment }) => assessment[score]);
      return [score, name, String(part.length), pearson(told, given).toFixed(3), spearman(told, given).toFixed(3)];
    }),
  );
  return table(['', 'topics', 'number', 'Pearson', 'Spearman'], rows);
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { topics: { type: 'boolean', default: false } },
  });
  const folder = positionals[0] ?? process.env.KAIZEN_DOCS_QA;
  if (folder === undefined) return console.log('Skipped: say in which folder docs-qa is (or KAIZEN_DOCS_QA).');
  const set = path.join(__dirname, 'sets', 'library-coverage.json');
  const { topics } = JSON.parse(readFileSync(set, 'utf8')) as { topics: Rated[] };
  const all = await assessed(folder, topics);
  if (!all) return console.log(`Skipped: ${folder} has no anthropic_docs.json.`);
  console.log(correlations(all));
  if (!values.topics) return;
  const rows = all.map(({ topic, rating, part, assessment: { coverage_score, overall_score, recommendation } }) => {
    return [topic, part, ...[rating, coverage_score, overall_score].map((value) => value.toFixed(2)), recommendation];
  });
  console.log(`\n${table(['topic', 'part', 'rated', 'coverage', 'overall', 'recommendation'], rows)}`);
}

void main();
