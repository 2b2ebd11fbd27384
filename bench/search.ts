// The search engine beside MiniSearch, on the same passages and queries: `npm run bench -- search`.
import { cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import MiniSearch from 'minisearch';
import { Turns } from '../src/core/turns';
import { createSearchIndex, type Passage, type SearchIndex } from '../src/search';
import { seeded } from './corpus';
import { memory, milliseconds, shown, type Times, table, timed } from './measure';
import { FUNCTION_WORDS, vocabulary, zipf } from './vocabulary';

const SIZES = [10_000, 100_000];
const PASSAGES_A_FILE = 20;
const WORDS_A_PASSAGE = 80;
const QUERIES = 1_000;
/** What is given to the index between two looks at the clock. */
const BATCH = 50;
const SOURCE = 'base';

interface Material {
  passages: Passage[];
  /** 3 to 12 words of one passage each, in an order of their own. */
  queries: string[];
}

function material(size: number): Material {
  const random = seeded(size);
  const words = vocabulary(Math.round(size ** 0.5 * 300));
  const draw = zipf(words.length, random);
  const text = (length: number) => Array.from({ length }, () => words[draw()]!).join(' ');
  const passages = Array.from({ length: size }, (_, index): Passage => {
    const file = `docs/area-${Math.floor(index / 400)}/file-${Math.floor(index / PASSAGES_A_FILE)}.md`;
    return {
      uri: `knowledge://bench/${file}#part-${index % PASSAGES_A_FILE}`,
      title: text(4),
      headings: [text(3)],
      keywords: [],
      body: text(WORDS_A_PASSAGE / 2 + Math.floor(random() * WORDS_A_PASSAGE)),
      facets: { kind: 'node', space: 'bench', type: 'context', status: 'active', path: file },
      fingerprint: String(index),
    };
  });
  const queries = Array.from({ length: QUERIES }, () => {
    const { title, body } = passages[Math.floor(random() * size)]!;
    const all = `${title} ${body}`.split(' ').filter((word) => !FUNCTION_WORDS.includes(word));
    const wanted = 3 + Math.floor(random() * 10);
    return Array.from({ length: wanted }, () => all[Math.floor(random() * all.length)]!).join(' ');
  });
  return { passages, queries };
}

interface Row {
  build: number;
  hold: number;
  query: Times;
  filtered?: Times;
  typo?: Times;
  phrase?: Times;
  change: Times;
  toBytes?: number;
  restore?: number;
  bytes?: number;
  memory: number;
}

/**
 * Feeds an index in batches, with texts of its own, and lets others run as discovery does. Answers the time that adding
 * took, and the longest time in which nothing else could run.
 */
async function fed(passages: readonly Passage[], add: (batch: Passage[]) => void) {
  let build = 0;
  let hold = 0;
  let held = 0;
  const turns = new Turns();
  for (let at = 0; at < passages.length; at += BATCH) {
    const batch = JSON.parse(JSON.stringify(passages.slice(at, at + BATCH))) as Passage[];
    const start = performance.now();
    add(batch);
    const took = performance.now() - start;
    build += took;
    held += took;
    hold = Math.max(hold, held);
    let others = false;
    setImmediate(() => {
      others = true;
    });
    await turns.pause();
    if (others) held = 0;
  }
  return { build, hold };
}

function changed(passages: readonly Passage[], round: number): Passage[] {
  const first = ((round * 37) % (passages.length / PASSAGES_A_FILE)) * PASSAGES_A_FILE;
  return passages
    .slice(first, first + PASSAGES_A_FILE)
    .map((passage) => ({ ...passage, body: `${passage.body} round${round}`, fingerprint: `changed-${round}` }));
}

async function measureOurs({ passages, queries }: Material): Promise<Row> {
  const before = memory();
  const index = createSearchIndex();
  const segment = index.segment(SOURCE);
  const { build, hold } = await fed(passages, (batch) => segment.set(batch));
  const used = memory() - before;
  const query = await timed(QUERIES, (round) => index.search(queries[round % QUERIES]!), QUERIES);
  const filter = { path: ['docs/area-1/'] };
  const filtered = await timed(200, (round) => index.search(queries[round]!, { filter }));
  const words = queries.map((text) => text.split(' '));
  const typo = await timed(200, (round) => index.search(`${misspelt(words[round]!)} ${words[round]!.join(' ')}`));
  const phrase = await timed(200, (round) =>
    index.search(`"${passages[round]!.body.split(' ').slice(10, 13).join(' ')}"`, { syntax: 'query' }),
  );
  const change = await timed(200, (round) => segment.set(changed(passages, round)));
  const start = performance.now();
  const bytes = await segment.toBytes();
  const toBytes = performance.now() - start;
  const restored = createSearchIndex();
  const restoring = performance.now();
  if (!(await restored.restore(SOURCE, bytes))) throw new Error('the snapshot is refused');
  const restore = performance.now() - restoring;
  compare(index, restored, queries);
  return {
    build,
    hold,
    query,
    filtered,
    typo,
    phrase,
    change,
    toBytes,
    restore,
    bytes: bytes.length / 1024 / 1024,
    memory: used,
  };
}

/** The longest word without its third letter. */
function misspelt(words: readonly string[]): string {
  const longest = words.reduce((a, b) => (b.length > a.length ? b : a), '');
  return longest.slice(0, 2) + longest.slice(3);
}

function compare(a: SearchIndex, b: SearchIndex, queries: readonly string[]): void {
  for (const query of queries.slice(0, 20)) {
    const [one, two] = [a, b].map((index) => index.search(query).hits.map(({ uri, score }) => [uri, score]));
    if (JSON.stringify(one) !== JSON.stringify(two)) throw new Error(`other hits after restoring: ${query}`);
  }
}

async function measureMiniSearch({ passages, queries }: Material): Promise<Row> {
  const before = memory();
  const index = new MiniSearch<Passage>({
    idField: 'uri',
    fields: ['title', 'headings', 'keywords', 'body'],
    storeFields: ['title', 'facets'],
    extractField: (passage, field) => {
      const value = passage[field as keyof Passage];
      return Array.isArray(value) ? value.join(' ') : String(value);
    },
    searchOptions: { boost: { title: 3, keywords: 2 } },
  });
  const { build, hold } = await fed(passages, (batch) => index.addAll(batch));
  const used = memory() - before;
  const rounds = passages.length > 10_000 ? 100 : 300;
  const query = await timed(rounds, (round) => index.search(queries[round % QUERIES]!).slice(0, 10));
  const change = await timed(rounds, (round) => {
    for (const passage of changed(passages, round)) index.replace(passage);
  });
  return { build, hold, query, change, memory: used };
}

async function main(): Promise<void> {
  const rows: { ours: Row; theirs: Row }[] = [];
  for (const size of SIZES) {
    process.stderr.write(`measuring ${size.toLocaleString('en')} passages\n`);
    const passages = material(size);
    rows.push({ ours: await measureOurs(passages), theirs: await measureMiniSearch(passages) });
  }
  const cells = (label: string, cell: (row: { ours: Row; theirs: Row }) => string) => [label, ...rows.map(cell)];
  const both = (label: string, cell: (row: Row) => string) => [
    cells(label, ({ ours }) => cell(ours)),
    cells(`… MiniSearch`, ({ theirs }) => cell(theirs)),
  ];
  console.log(`Node ${process.version}, ${cpus().length} cores. Medians; p95 in brackets.\n`);
  console.log(
    table(
      ['', ...SIZES.map((size) => `${size.toLocaleString('en')} passages`)],
      [
        ...both('a query of 3 to 12 words', ({ query }) => shown(query)),
        cells(
          'MiniSearch takes longer by',
          ({ ours, theirs }) => `${(theirs.query.median / ours.query.median).toFixed(0)}×`,
        ),
        cells('a query within a folder', ({ ours }) => shown(ours.filtered!)),
        cells('a query with a misspelt word', ({ ours }) => shown(ours.typo!)),
        cells('an exact phrase of three words', ({ ours }) => shown(ours.phrase!)),
        ...both('building', ({ build }) => milliseconds(build)),
        cells('building holds the event loop for at most', ({ ours }) => milliseconds(ours.hold)),
        ...both(`changing the ${PASSAGES_A_FILE} passages of a file`, ({ change }) => shown(change)),
        ...both('memory', (row) => `${row.memory.toFixed(0)} MB`),
        cells('writing a snapshot', ({ ours }) => `${milliseconds(ours.toBytes!)}, ${ours.bytes!.toFixed(1)} MB`),
        cells('restoring it', ({ ours }) => milliseconds(ours.restore!)),
      ],
    ),
  );
}

void main();
