// How good the ranking is: `npm run bench -- retrieval --corpus FILE --queries FILE [--ablate]`.
// retrieval-sets.ts says which shapes of files are read.
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { createSearchIndex, type Passage, type SearchIndex } from '../src/search';
import { ANALYSIS } from '../src/search/analysis';
import { RANKING, type Ranking } from '../src/search/ranking';
import { type IndexOptions, MemorySearchIndex } from '../src/search/search-index';
import { table } from './measure';
import { type RetrievalSet, readSet } from './retrieval-sets';

const DEPTH = 10;
const RECALLS = [1, 3, 5, 10] as const;

interface Quality {
  /** By `RECALLS`: the share of a question's passages among the first so many hits, averaged. */
  recall: number[];
  /** One divided by the place of the first right hit within ten, averaged. */
  mrr: number;
  ndcg: number;
  milliseconds: number;
  /** Each hit with its score, and whether it is right. */
  hits: { score: number; right: boolean }[];
}

function indexed(passages: readonly Passage[], index: SearchIndex): SearchIndex {
  index.segment('bench').set(passages);
  return index;
}

function measure({ questions }: RetrievalSet, index: SearchIndex): Quality {
  const quality: Quality = { recall: RECALLS.map(() => 0), mrr: 0, ndcg: 0, milliseconds: 0, hits: [] };
  for (const { text } of questions) index.search(text, { syntax: 'words', limit: DEPTH });
  const share = 1 / questions.length;
  for (const { text, relevant } of questions) {
    const start = performance.now();
    const { hits } = index.search(text, { syntax: 'words', limit: DEPTH });
    quality.milliseconds += (performance.now() - start) * share;
    const right = hits.map(({ uri }) => relevant.has(uri));
    const first = right.indexOf(true);
    if (first !== -1) quality.mrr += share / (first + 1);
    RECALLS.forEach((depth, at) => {
      quality.recall[at]! += (share * right.slice(0, depth).filter(Boolean).length) / relevant.size;
    });
    const ideal = Array.from({ length: Math.min(DEPTH, relevant.size) }, () => true);
    quality.ndcg += (share * gain(right)) / gain(ideal);
    quality.hits.push(...hits.map(({ score }, place) => ({ score, right: right[place]! })));
  }
  return quality;
}

function gain(right: readonly boolean[]): number {
  return right.reduce((sum, yes, place) => sum + (yes ? 1 / Math.log2(place + 2) : 0), 0);
}

const fields = (change: (weight: number, b: number) => { weight: number; b: number }): Ranking['fields'] => {
  const changed = Object.entries(RANKING.fields).map(([field, { weight, b }]) => [field, change(weight, b)]);
  return Object.fromEntries(changed) as Ranking['fields'];
};

/** One thing changed at a time; the rest as in the product. */
const ABLATIONS: { name: string; options?: IndexOptions; passage?: (passage: Passage) => Passage }[] = [
  { name: 'as in the product' },
  { name: 'no proximity', options: { ranking: { ...RANKING, proximity: 0 } } },
  { name: 'proximity 1', options: { ranking: { ...RANKING, proximity: 1 } } },
  { name: 'proximity 2', options: { ranking: { ...RANKING, proximity: 2 } } },
  { name: 'no stems', options: { analysis: { ...ANALYSIS, stem: (word) => word } } },
  { name: 'names not split', options: { analysis: { ...ANALYSIS, names: false } } },
  { name: 'all fields weigh 1', options: { ranking: { ...RANKING, fields: fields((_, b) => ({ weight: 1, b })) } } },
  {
    name: 'one field',
    passage: (passage) => ({
      ...passage,
      title: '',
      headings: [],
      keywords: [],
      body: [passage.title, ...passage.headings, ...passage.keywords, passage.body].join('\n'),
    }),
  },
  { name: 'no headings above', passage: (passage) => ({ ...passage, headings: [] }) },
  {
    name: 'length counts less, b 0.5',
    options: { ranking: { ...RANKING, fields: fields((weight, b) => ({ weight, b: b && 0.5 })) } },
  },
  {
    name: 'length counts more, b 0.9',
    options: { ranking: { ...RANKING, fields: fields((weight, b) => ({ weight, b: b && 0.9 })) } },
  },
  { name: 'k1 0.9', options: { ranking: { ...RANKING, k1: 0.9 } } },
  { name: 'k1 1.2', options: { ranking: { ...RANKING, k1: 1.2 } } },
];

function row(name: string, { recall, mrr, ndcg, milliseconds }: Quality): string[] {
  return [name, ...recall.map((value) => value.toFixed(3)), mrr.toFixed(3), ndcg.toFixed(3), milliseconds.toFixed(3)];
}

/** How often hits with a score are right. */
function reliability(hits: Quality['hits']): string {
  const bands = [0.9, 0.7, 0.5, 0.3, 0].map((from, at, all) => {
    const to = all[at - 1] ?? Number.POSITIVE_INFINITY;
    const within = hits.filter(({ score }) => score >= from && score < to);
    const right = within.filter((hit) => hit.right).length;
    const share = within.length === 0 ? '' : `${((100 * right) / within.length).toFixed(0)} %`;
    return [`${from.toFixed(1)} and more`, String(within.length), share];
  });
  return table(['score', 'hits', 'of them right'], bands);
}

function main(): void {
  const { values } = parseArgs({
    options: { corpus: { type: 'string' }, queries: { type: 'string' }, ablate: { type: 'boolean', default: false } },
  });
  if (!values.corpus || !values.queries) throw new Error('say which set: --corpus FILE --queries FILE');
  const set = readSet(values.corpus, values.queries);
  const product = measure(set, indexed(set.passages, createSearchIndex()));
  console.log(`${set.passages.length} passages, ${set.questions.length} questions\n`);
  const rows = [row('Kaizen', product)];
  for (const { name, options, passage } of values.ablate ? ABLATIONS : []) {
    const passages = passage ? set.passages.map(passage) : set.passages;
    rows.push(row(name, measure(set, indexed(passages, new MemorySearchIndex(options)))));
  }
  console.log(table(['', ...RECALLS.map((depth) => `recall@${depth}`), 'MRR@10', 'nDCG@10', 'ms a query'], rows));
  console.log(`\n${reliability(product.hits)}`);
}

main();
