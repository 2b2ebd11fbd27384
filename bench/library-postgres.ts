// A library on PostgreSQL, a server of its own on this machine: `npm run bench -- library-postgres [--chunks 100000]`,
// and how much of it finds what an index of all passages finds.
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/core/clock';
import { openKeeper } from '../src/library/keeping';
import { recordOf } from '../src/library/keeping/chunk-record';
import { chunkPassage } from '../src/library/keeping/local/chunk-passages';
import { createSearchIndex, type SearchIndex } from '../src/search';
import { startDatabaseServer } from '../test/support/postgres';
import { CHUNKS_A_DOCUMENT, documentAt, queriesOf } from './made-library';
import { type Hold, milliseconds, shown, table, timed, watchTurns } from './measure';

const QUERIES = 200;
const COMPARED = 100;
const LIMIT = 10;
const { values } = parseArgs({ options: { chunks: { type: 'string', default: '100000' } } });
const documents = Math.ceil(Number(values.chunks) / CHUNKS_A_DOCUMENT);

/** Of all passages, in memory: what a library in a directory searches. */
function wholeIndex(): SearchIndex {
  const index = createSearchIndex();
  for (let number = 0; number < documents; number++) {
    const { document, content } = documentAt(number);
    const passages = content.chunks.map((chunk) => ({
      ...chunkPassage(recordOf(chunk), chunk.content, document, ''),
      uri: chunk.id,
    }));
    index.segment('').set(passages);
  }
  return index;
}

/** What this thread has run, and what has passed meanwhile. */
function longest(holds: readonly Hold[]): string {
  const most = (of: keyof Hold) => milliseconds(Math.max(...holds.map((hold) => hold[of])));
  return `${most('run')} (${most('passed')} passed)`;
}

async function main(): Promise<void> {
  const server = await startDatabaseServer({ durable: true });
  if (server.kind !== 'postgres') throw new Error('This measures a real server, and there is none.');
  const url = await server.createDatabase();
  const here = path.join(tmpdir(), 'kaizen-bench-none');
  const keeper = await openKeeper(
    { url },
    { cacheDirectory: undefined, embeddingsDirectory: here, modelsDirectory: here, clock: systemClock, log: () => {} },
  );
  try {
    let putting = 0;
    const putHolds: Hold[] = [];
    for (let number = 0; number < documents; number++) {
      const { document, content } = documentAt(number);
      const holds = watchTurns();
      const start = performance.now();
      await keeper.put(document, content);
      putting += performance.now() - start;
      putHolds.push(holds());
      if (number % 20 === 0) process.stderr.write(`  ${number} of ${documents} documents\n`);
    }
    await server.administer(url, 'VACUUM ANALYZE');
    const queries = queriesOf(QUERIES, documents);
    const rows: string[][] = [];
    const search = (more: object, queryOf: (round: number) => string) => async (round: number) => {
      await keeper.search(queryOf(round), { limit: LIMIT, ...more });
    };
    const query = (round: number) => queries[round % QUERIES]!;
    const filter = { document_type: ['standard'], min_authority: 0.8, normative_only: true };
    const watch = watchTurns();
    for (const [name, action] of [
      ['3 to 8 words, never asked before', search({}, query)],
      ['the same again', search({}, query)],
      ['with type, authority and normative', search({ filter }, query)],
      ['one word', search({}, (round) => query(round).split(' ')[0]!)],
      ['30 words', search({}, (round) => [0, 1, 2, 3, 4, 5].map((more) => query(round + more)).join(' '))],
      ['100 results', search({ limit: 100 }, query)],
    ] as const) {
      rows.push([name, shown(await timed(QUERIES, action, 0))]);
    }
    const held = watch();
    const ids = documentAt(3).content.chunks.map(({ id }) => id);
    rows.push(['one passage', shown(await timed(QUERIES, (round) => keeper.chunk('document-3', ids[round % 500]!)))]);
    rows.push(['the text of a document', shown(await timed(50, () => keeper.text('document-3')))]);
    const revised = await timed(
      10,
      (round) => {
        const { document, content } = documentAt(2, round + 1);
        return keeper.put(document, content);
      },
      1,
    );
    rows.push(['put a document of 500 passages, one of them changed', shown(revised)]);

    process.stderr.write('  comparing with an index of all passages\n');
    const index = wholeIndex();
    let same = 0;
    let first = 0;
    let all = 0;
    let difference = 0;
    for (const asked of queries.slice(0, COMPARED)) {
      const expected = index.search(asked, { limit: LIMIT }).hits;
      const { hits } = await keeper.search(asked, { limit: LIMIT });
      const scores = new Map(hits.map(({ chunk, score }) => [chunk.id, score]));
      if (expected[0]?.uri === hits[0]?.chunk.id) first++;
      for (const { uri, score } of expected) {
        all++;
        const found = scores.get(uri);
        if (found === undefined) continue;
        same++;
        difference += Math.abs(found - score);
      }
    }
    const { chunks, size = 0 } = await keeper.counts();
    const [{ server_version }] = (await server.administer(url, 'SHOW server_version')) as [{ server_version: string }];
    console.log(
      `PostgreSQL ${server_version}, ${chunks.toLocaleString('en')} passages in ${documents} documents, Node ${process.version}, ` +
        `${cpus().length} cores. Medians; p95 in brackets.\n`,
    );
    console.log(table([`search, ${LIMIT} results with their text`, 'time'], rows));
    console.log(
      `\nPutting all: ${milliseconds(putting / documents)} a document of ${CHUNKS_A_DOCUMENT} passages, ` +
        `${Math.round((documents * CHUNKS_A_DOCUMENT) / (putting / 1000))} passages a second; on the disk ${(size / 2 ** 20).toFixed(0)} MB. ` +
        `Longest hold of the event loop: ${longest(putHolds)} putting, ${longest([held])} searching.\n` +
        `Beside an index of all passages: ${((same / all) * 100).toFixed(1)} % of its ${LIMIT} best are found, the best one is the ` +
        `same for ${first} of ${COMPARED} queries, scores differ by ${(difference / same).toFixed(3)} on average.`,
    );
  } finally {
    await keeper.close();
    await server.stop();
  }
}

void main();
