import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { FIELDS, type Field, type Passage } from '../../src/search';
import { type Analysis, wordsOf } from '../../src/search/analysis';
import type { Ranking } from '../../src/search/ranking';
import { MemorySearchIndex } from '../../src/search/search-index';
import { documentation, passage } from '../support/passages';

const QUERIES = [
  'how a write is made durable',
  'knowledge entries of a scope',
  'agent tools and proposals',
  'journal snapshot',
  'import export markdown files',
  'measured times of the editor window',
  'the',
];

/** Words as they stand: neither names nor stems. */
const PLAIN: Analysis = { names: false, stem: (word) => word };
/** As SQLite's bm25() has it: https://www.sqlite.org/fts5.html#the_bm25_function */
const SQLITE = {
  k1: 1.2,
  b: 0.75,
  idf: (n: number, all: number) => Math.max(1e-6, Math.log((all - n + 0.5) / (n + 0.5))),
};

type Weights = Record<Field, number>;

function ranking(weights: Weights, b: number, idf: Ranking['idf']): Ranking {
  const fields = Object.fromEntries(FIELDS.map((field) => [field, { weight: weights[field], b }])) as Ranking['fields'];
  return { k1: SQLITE.k1, fields, idf, proximity: 0 };
}

/** The words that a query asks for, once each: what the product leaves out of a query is left out here, too. */
function asked(index: MemorySearchIndex, query: string): string[] {
  return [
    ...new Set(index.search(query, { limit: 1_000 }).hits.flatMap(({ matched }) => matched.map(({ word }) => word))),
  ];
}

function texts(of: Passage): Record<Field, string> {
  return { title: of.title, keywords: of.keywords.join('\n'), headings: of.headings.join('\n'), body: of.body };
}

/**
 * BM25 in the plainest way, from the papers: Robertson and Zaragoza, "The Probabilistic Relevance Framework", 3.6.
 * `lengths`: whether each field is measured against its own average (BM25F), or the whole passage (as SQLite does).
 */
function reference(
  passages: readonly Passage[],
  words: readonly string[],
  { weights, b, idf, lengths }: { weights: Weights; b: number; idf: Ranking['idf']; lengths: 'field' | 'passage' },
): Map<string, number> {
  const documents = passages.map((each) => {
    const fields = texts(each);
    return { uri: each.uri, fields: FIELDS.map((field) => wordsOf(fields[field], PLAIN).map(({ word }) => word)) };
  });
  const sum = (numbers: number[]) => numbers.reduce((a, c) => a + c, 0);
  const averages = FIELDS.map(
    (_, field) => sum(documents.map(({ fields }) => fields[field]!.length)) / documents.length,
  );
  const scores = new Map<string, number>();
  for (const word of words) {
    const frequency = documents.filter(({ fields }) => fields.some((field) => field.includes(word))).length;
    for (const { uri, fields } of documents) {
      const length = sum(fields.map((field) => field.length));
      let weight = 0;
      FIELDS.forEach((field, at) => {
        const count = fields[at]!.filter((each) => each === word).length;
        const relative = lengths === 'field' ? fields[at]!.length / averages[at]! : length / sum(averages);
        if (count > 0) weight += (weights[field] * count) / (1 - b + b * relative);
      });
      const score = (idf(frequency, documents.length) * weight) / (SQLITE.k1 + weight);
      if (weight > 0) scores.set(uri, (scores.get(uri) ?? 0) + score);
    }
  }
  return scores;
}

function assertSameScores(
  actual: ReadonlyMap<string, number>,
  expected: ReadonlyMap<string, number>,
  what: string,
): void {
  assert.ok(expected.size > 1, `${what}: ${expected.size} found`);
  assert.deepEqual([...actual.keys()].sort(), [...expected.keys()].sort(), what);
  const nearly = 1e-9 * Math.max(...expected.values());
  for (const [uri, score] of expected) {
    assert.ok(Math.abs(actual.get(uri)! - score) <= nearly, `${what}: ${uri} ${actual.get(uri)} ${score}`);
  }
  // Equal but for the last bits is in no order.
  const ordered = (scores: ReadonlyMap<string, number>) =>
    [...scores].sort(([a, x], [c, y]) => (Math.abs(x - y) < nearly ? (a < c ? -1 : 1) : y - x)).map(([uri]) => uri);
  assert.deepEqual(ordered(actual), ordered(expected), what);
}

function ours(index: MemorySearchIndex, query: string): Map<string, number> {
  return new Map(index.search(query, { limit: 1_000 }).hits.map(({ uri, rank }) => [uri, rank]));
}

function indexOf(passages: readonly Passage[], how: Ranking): MemorySearchIndex {
  const index = new MemorySearchIndex({ analysis: PLAIN, ranking: how });
  // In two sources: statistics are those of both.
  index.segment('a').set(passages.filter((_, at) => at % 2 === 0));
  index.segment('b').set(passages.filter((_, at) => at % 2 === 1));
  return index;
}

/** What SQLite's full-text index answers: one map of uri → score a query. Undefined where there is no Node that has it. */
async function sqlite(
  rows: { uri: string; columns: string[] }[],
  queries: readonly string[],
  weights: readonly number[],
): Promise<Map<string, number>[] | undefined> {
  const paths = pathToFileURL(path.resolve(__dirname, '../../tools/vscode/paths.mjs')).href;
  let node: string;
  try {
    node = ((await import(paths)) as { modernNode: () => string }).modernNode();
  } catch {
    return undefined;
  }
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const { rows, queries, weights } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
    const database = new DatabaseSync(':memory:');
    const columns = weights.map((_, at) => 'c' + at);
    database.exec('CREATE VIRTUAL TABLE texts USING fts5(uri UNINDEXED, ' + columns.join(', ') + ')');
    const insert = database.prepare('INSERT INTO texts VALUES (?' + ', ?'.repeat(columns.length) + ')');
    for (const row of rows) insert.run(row.uri, ...row.columns);
    const select = database.prepare(
      'SELECT uri, -bm25(texts, 0, ' + weights.join(', ') + ') AS score FROM texts WHERE texts MATCH ?');
    process.stdout.write(JSON.stringify(queries.map((query) => select.all(query).map(({ uri, score }) => [uri, score]))));`;
  const input = JSON.stringify({ rows, queries, weights });
  const answer = execFileSync(node, ['--no-warnings', '-e', script], { input, maxBuffer: 1 << 26 });
  return (JSON.parse(answer.toString()) as [string, number][][]).map((each) => new Map(each));
}

/** The passages' words for SQLite, in letters that its tokenizer leaves alone. */
function encoded(words: Iterable<string>): string {
  return [...words].map((word) => `w${Buffer.from(word).toString('hex')}`).join(' ');
}

describe('the rank of a passage', () => {
  const sections = documentation();
  const bodies = sections.map(({ uri, body }) => passage(uri, { body }));
  const one: Weights = { title: 1, keywords: 1, headings: 1, body: 1 };
  const several: Weights = { title: 5, keywords: 3, headings: 2, body: 1 };

  it('is BM25, as SQLite has it, on the text of the documentation', async function () {
    const index = indexOf(bodies, ranking(one, SQLITE.b, SQLITE.idf));
    const words = QUERIES.map((query) => asked(index, query));
    const rows = bodies.map(({ uri, body }) => ({
      uri,
      columns: [encoded(wordsOf(body, PLAIN).map(({ word }) => word))],
    }));
    const expected = await sqlite(
      rows,
      words.map((each) => [...each].map((word) => encoded([word])).join(' OR ')),
      [1],
    );
    if (!expected) return this.skip();
    QUERIES.forEach((query, at) => {
      // SQLite's has a constant factor more.
      const scores = new Map([...expected[at]!].map(([uri, score]) => [uri, score / (SQLITE.k1 + 1)]));
      assertSameScores(ours(index, query), scores, query);
    });
  });

  it('is BM25F over the fields, by an independent computation that agrees with SQLite', async function () {
    const idf: Ranking['idf'] = (n, all) => Math.log(1 + (all - n + 0.5) / (n + 0.5));
    const index = indexOf(sections, ranking(several, 0.6, idf));
    const words = QUERIES.map((query) => asked(index, query));
    QUERIES.forEach((query, at) => {
      const how = { weights: several, b: 0.6, idf, lengths: 'field' } as const;
      assertSameScores(ours(index, query), reference(sections, words[at]!, how), query);
    });
    const rows = sections.map((each) => {
      const fields = texts(each);
      return {
        uri: each.uri,
        columns: FIELDS.map((field) => encoded(wordsOf(fields[field], PLAIN).map(({ word }) => word))),
      };
    });
    const expected = await sqlite(
      rows,
      words.map((each) => each.map((word) => encoded([word])).join(' OR ')),
      FIELDS.map((field) => several[field]),
    );
    if (!expected) return this.skip();
    QUERIES.forEach((query, at) => {
      const how = { weights: several, b: SQLITE.b, idf: SQLITE.idf, lengths: 'passage' } as const;
      const scores = new Map([...expected[at]!].map(([uri, score]) => [uri, score / (SQLITE.k1 + 1)]));
      assertSameScores(reference(sections, words[at]!, how), scores, query);
    });
  });
});
