// A library in a directory: `npm run bench -- library [--chunks 100000]`, beside MiniSearch and SQLite's full text search
// (FTS4, which is what sql.js has) on the same chunks and queries.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import MiniSearch from 'minisearch';
import initSqlJs from 'sql.js';
import { systemClock } from '../src/core/clock';
import { openKeeper } from '../src/library/keeping';
import type { LibraryKeeper } from '../src/library/keeping/model';
import { CHUNKS_A_DOCUMENT, documentAt, queriesOf } from './made-library';
import { type Hold, meanOnThread, memory, milliseconds, shown, type Times, table, timed, watchTurns } from './measure';

const QUERIES = 1_000;
const LIMIT = 10;
const { values } = parseArgs({ options: { chunks: { type: 'string', default: '100000' } } });
const documents = Math.ceil(Number(values.chunks) / CHUNKS_A_DOCUMENT);

interface Row {
  query: Times;
  filtered?: Times;
  memory: number;
}

async function ready(keeper: LibraryKeeper): Promise<void> {
  if (!(await keeper.ready(600_000))) throw new Error('the index is not ready');
}

/** Of each question the shortest of several times: what others do on the machine mostly falls out. */
async function fastest(queries: readonly string[], ask: (query: string) => Promise<unknown>): Promise<Times> {
  const shortest = queries.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < 5; round++) {
    for (const [at, query] of queries.entries()) {
      const start = performance.now();
      await ask(query);
      shortest[at] = Math.min(shortest[at]!, performance.now() - start);
    }
  }
  shortest.sort((a, b) => a - b);
  return { median: shortest[Math.floor(shortest.length / 2)]!, p95: shortest[Math.floor(shortest.length * 0.95)]! };
}

function bytesIn(directory: string): number {
  return readdirSync(directory, { withFileTypes: true, recursive: true, encoding: 'utf8' }).reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(path.join(entry.parentPath, entry.name)).size : 0),
    0,
  );
}

async function measureOurs(home: string, queries: readonly string[]) {
  const library = path.join(home, 'library');
  const open = () =>
    openKeeper(
      { directory: library },
      {
        cacheDirectory: path.join(home, 'index'),
        embeddingsDirectory: path.join(home, 'embeddings'),
        modelsDirectory: path.join(home, 'models'),
        clock: systemClock,
        log: (message) => process.stderr.write(`${message}\n`),
      },
    );
  const filling = await open();
  const start = performance.now();
  for (let number = 0; number < documents; number++) {
    const { document, content } = documentAt(number);
    await filling.put(document, content);
    if (number % 20 === 0) process.stderr.write(`  ${number} of ${documents} documents\n`);
  }
  await ready(filling);
  const build = performance.now() - start;
  const closing = performance.now();
  await filling.close();
  const kept = performance.now() - closing;

  const before = memory();
  let holds = watchTurns();
  const opening = performance.now();
  const keeper = await open();
  const opened = performance.now() - opening;
  await ready(keeper);
  const restored = performance.now() - opening;
  const openingHold = holds();
  const used = memory() - before;

  // Nothing of them was asked before.
  const first = await timed(QUERIES, (round) => keeper.search(queries[round]!, { limit: LIMIT }), 0);
  const query = await timed(QUERIES, (round) => keeper.search(queries[round % QUERIES]!, { limit: LIMIT }), QUERIES);
  const undisturbed = await fastest(queries, (query) => keeper.search(query, { limit: LIMIT }));
  const processor = await meanOnThread(QUERIES, (round) => keeper.search(queries[round]!, { limit: LIMIT }));
  const filter = { document_type: ['standard'], min_authority: 0.8, normative_only: true };
  const filtered = await timed(QUERIES, (round) => keeper.search(queries[round % QUERIES]!, { limit: LIMIT, filter }));
  const assessed = await timed(300, (round) => keeper.search(queries[round % QUERIES]!, { limit: 100 }));
  const one = documentAt(3);
  const chunks = one.content.chunks.map(({ id }) => id);
  const chunk = await timed(1_000, (round) => keeper.chunk('document-3', chunks[round % chunks.length]!));
  const text = await timed(100, () => keeper.text('document-3'));

  const revisions = Array.from({ length: 22 }, (_, revision) => documentAt(2, revision + 1));
  const put = await timed(20, (round) => keeper.put(revisions[round]!.document, revisions[round]!.content), 2);
  holds = watchTurns();
  const searchable = await timed(
    20,
    async (round) => {
      await keeper.put(revisions[round]!.document, revisions[round]!.content);
      await ready(keeper);
    },
    2,
  );
  const indexHold = holds();
  const { size = 0 } = await keeper.counts();
  await keeper.close();
  return {
    row: { query, filtered, memory: used },
    ...{
      first,
      undisturbed,
      processor,
      build,
      kept,
      opened,
      restored,
      openingHold,
      assessed,
      chunk,
      text,
      put,
      searchable,
      indexHold,
    },
    size: size / 2 ** 20,
    index: bytesIn(path.join(home, 'index')) / 2 ** 20,
  };
}

async function measureMiniSearch(queries: readonly string[]): Promise<Row> {
  const before = memory();
  const index = new MiniSearch({
    fields: ['title', 'headings', 'keywords', 'body'],
    storeFields: ['document'],
    searchOptions: { boost: { title: 3, keywords: 2 } },
  });
  for (let number = 0; number < documents; number++) {
    const { document, content } = documentAt(number);
    index.addAll(
      content.chunks.map((chunk) => ({
        ...{ id: chunk.id, document: document.document_id, title: chunk.section_title },
        headings: [document.title, ...chunk.section_hierarchy].join(' '),
        ...{ keywords: chunk.clause_number, body: chunk.content },
      })),
    );
  }
  const used = memory() - before;
  const query = await timed(100, (round) => index.search(queries[round % QUERIES]!).slice(0, LIMIT));
  return { query, memory: used };
}

/** Its hits come in no order: ranking them would take more. */
async function measureSqlite(queries: readonly string[]): Promise<Row> {
  const before = memory();
  const { Database } = await initSqlJs();
  const database = new Database();
  database.run('CREATE VIRTUAL TABLE chunk USING fts4 (title, headings, keywords, body)');
  for (let number = 0; number < documents; number++) {
    const { document, content } = documentAt(number);
    database.run('BEGIN');
    const insert = database.prepare('INSERT INTO chunk VALUES (?, ?, ?, ?)');
    for (const chunk of content.chunks) {
      const headings = [document.title, ...chunk.section_hierarchy].join(' ');
      insert.run([chunk.section_title, headings, chunk.clause_number ?? '', chunk.content]);
    }
    insert.free();
    database.run('COMMIT');
  }
  const used = memory() - before;
  const select = database.prepare(`SELECT rowid, body FROM chunk WHERE chunk MATCH ? LIMIT ${LIMIT}`);
  const counted = database.prepare('SELECT count(*) FROM chunk WHERE chunk MATCH ?');
  const asked = (query: string) => query.split(' ').join(' OR ');
  const query = await timed(100, (round) => {
    const match = asked(queries[round % QUERIES]!);
    select.bind([match]);
    while (select.step()) select.get();
    // Whoever ranks has to look at all of them.
    counted.bind([match]);
    counted.step();
    counted.get();
    counted.reset();
    select.reset();
  });
  database.close();
  return { query, memory: used };
}

function held({ passed, run }: Hold): string {
  return `${milliseconds(run)} of its own time, ${milliseconds(passed)} in all`;
}

async function main(): Promise<void> {
  const home = mkdtempSync(path.join(tmpdir(), 'kaizen-bench-library-'));
  try {
    const queries = queriesOf(QUERIES, documents);
    const chunks = documents * CHUNKS_A_DOCUMENT;
    const ours = await measureOurs(home, queries);
    console.log(
      `Node ${process.version}, ${cpus().length} cores; ${chunks.toLocaleString('en')} chunks of ${documents} documents. Medians; p95 in brackets.\n`,
    );
    console.log(
      table(
        ['a library in a directory', ''],
        [
          [`a search, ${LIMIT} hits`, shown(ours.row.query)],
          ['the same, each question asked for the first time', shown(ours.first)],
          ['the same, each question as fast as in the best of five times', shown(ours.undisturbed)],
          ['of it, mean time of the thread', milliseconds(ours.processor)],
          ['a search narrowed by type, authority and normative', shown(ours.row.filtered!)],
          ['a search with 100 hits', shown(ours.assessed)],
          ['one chunk by its address', shown(ours.chunk)],
          [`the text of a document of ${CHUNKS_A_DOCUMENT} chunks`, shown(ours.text)],
          [`replacing a document of ${CHUNKS_A_DOCUMENT} chunks, fsync included`, shown(ours.put)],
          ['the same until it can be searched', shown(ours.searchable)],
          ['the event loop is then held for at most', held(ours.indexHold)],
          ['putting all documents', milliseconds(ours.build)],
          ['keeping the index at the end', milliseconds(ours.kept)],
          ['opening, until it answers', milliseconds(ours.opened)],
          ['opening, until all can be searched', milliseconds(ours.restored)],
          ['the event loop is then held for at most', held(ours.openingHold)],
          ['on the disk', `${ours.size.toFixed(0)} MB, and ${ours.index.toFixed(0)} MB of index`],
        ],
      ),
    );
    console.log('');
    process.stderr.write('  MiniSearch\n');
    const mini = await measureMiniSearch(queries);
    process.stderr.write('  SQLite\n');
    const sqlite = await measureSqlite(queries);
    const perChunk = ({ memory }: Row) =>
      `${memory.toFixed(0)} MB, ${((memory * 1024) / chunks).toFixed(2)} kB a chunk`;
    console.log(
      table(
        ['', 'Kaizen', 'MiniSearch', 'SQLite FTS4, unranked'],
        [
          [`a search, ${LIMIT} hits`, ...[ours.row, mini, sqlite].map(({ query }) => shown(query))],
          [
            'takes longer by',
            '',
            ...[mini, sqlite].map(({ query }) => `${(query.median / ours.row.query.median).toFixed(1)}×`),
          ],
          ['memory', ...[ours.row, mini, sqlite].map(perChunk)],
        ],
      ),
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

void main();
