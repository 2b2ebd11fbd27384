import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { Kaizen } from '../src/kaizen';
import { type Client, httpClient, stdioClient } from './clients';
import { corpus, PROJECT, questions } from './corpus';
import { milliseconds, shown, type Times, table, timed } from './measure';
import { measureWarnings, warningsTable } from './warnings';

const SIZES = [1_000, 10_000, 100_000];
/** In keywords, in texts, nowhere, and of several words. */
const TYPED = ['', 'w', 'written-', 'refunds', 'zzqx', 'order refundx', 'git measured', 'größe'];
const CLI = path.resolve('dist/cli.js');
const root = mkdtempSync(path.join(tmpdir(), 'kaizen-bench-'));

interface Row {
  size: number;
  inProcess: Times;
  afterWrite: Times;
  finding: Times;
  changes: Times;
  effective: Times;
  stdio: Times;
  readOne: Times;
  http: Times;
  write: Times;
  writeOverStdio: Times;
  opening: Times;
  memory: number;
}

interface Peer {
  create: Times;
  search: Times;
  read: Times;
  memory: number;
}

function directories(size: number): { data: string; shared: string } {
  return { data: path.join(root, `${size}/data`), shared: path.join(root, `${size}/shared`) };
}

async function load(size: number): Promise<void> {
  const kaizen = new Kaizen(directories(size));
  await kaizen.importRecords(corpus(size), { author: 'bench' });
  await kaizen.close();
}

function entry(round: number, target: string) {
  return {
    target_scope_id: target,
    category: 'git.workflows',
    keyword: `written-${target}-${round}`,
    content: `Written in round ${round}: ${'the order of refunds matters '.repeat(6)}`,
    metaknowledge: { REASON: 'Measured' },
  };
}

async function measure(size: number): Promise<Row> {
  await load(size);
  const { categories, keywords } = questions(size);
  const where = directories(size);
  const opening = await timed(5, async () => {
    const kaizen = new Kaizen(where);
    await kaizen.parts();
    await kaizen.close();
  });

  const kaizen = new Kaizen(where);
  const { knowledge } = await kaizen.parts();
  const threeSteps = () => {
    knowledge.getCategories(PROJECT);
    knowledge.getKeywords(PROJECT, categories);
    const found = knowledge.getKnowledge(PROJECT, keywords);
    if (found.length !== keywords.length) throw new Error(`${found.length} of ${keywords.length} found`);
  };
  const inProcess = await timed(2_000, threeSteps);
  const write = await timed(500, (round) => knowledge.storeIfMissing(entry(round, PROJECT), { author: 'bench' }));
  const times: number[] = [];
  for (let round = 0; round < 100; round++) {
    await knowledge.storeOverwrite(entry(round, PROJECT), { author: 'bench' });
    const start = performance.now();
    threeSteps();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const afterWrite = { median: times[50]!, p95: times[95]! };
  const finding = await timed(60, (round) => knowledge.find(TYPED[round % TYPED.length]!));
  const changes = await timed(200, () => knowledge.changes({}));
  const effective = await timed(20, async (round) => {
    await knowledge.storeOverwrite(entry(round, PROJECT), { author: 'bench' });
    knowledge.effectiveCategories(PROJECT);
  });
  await kaizen.close();

  const server = [CLI, 'mcp', '--data', where.data, '--shared', where.shared, '--project', PROJECT];
  const overWire = (client: Client) =>
    timed(2_000, async () => {
      await client.call('get_categories', { scope_id: PROJECT });
      await client.call('get_keywords', { scope_id: PROJECT, categories });
      await client.call('get_knowledge', { scope_id: PROJECT, keywords });
    });
  const stdio = await stdioClient(server);
  const stdioTimes = await overWire(stdio);
  const readOne = await timed(500, () =>
    stdio.call('get_knowledge', { scope_id: PROJECT, keywords: keywords.slice(0, 1) }),
  );
  const writeOverStdio = await timed(300, (round) =>
    stdio.call('store_knowledge_if_missing', { ...entry(round + 10_000, PROJECT), project_context: PROJECT }),
  );
  const memory = stdio.memory();
  await stdio.close();
  const kept = await httpClient(server);
  const httpTimes = await overWire(kept);
  await kept.close();
  return {
    size,
    inProcess,
    afterWrite,
    finding,
    changes,
    effective,
    stdio: stdioTimes,
    readOne,
    http: httpTimes,
    write,
    writeOverStdio,
    opening,
    memory,
  };
}

/** The reference server of the protocol's authors, with the same entries as entities. */
async function measurePeer(size: number): Promise<Peer> {
  const file = path.join(root, `memory-${size}.jsonl`);
  const entries = corpus(size).flatMap(({ record }) => (record.type === 'entry' ? [record] : []));
  const lines = entries.map(({ scope, category, keyword, content }) =>
    JSON.stringify({
      type: 'entity',
      name: `${scope}/${category}/${keyword}`,
      entityType: category,
      observations: [content],
    }),
  );
  writeFileSync(file, lines.join('\n'));
  const script = createRequire(__filename).resolve('@modelcontextprotocol/server-memory/dist/index.js');
  const client = await stdioClient([script], { MEMORY_FILE_PATH: file });
  const [first] = entries;
  const name = `${first!.scope}/${first!.category}/${first!.keyword}`;
  const rounds = size > 10_000 ? 10 : 30;
  const read = await timed(rounds, () => client.call('open_nodes', { names: [name] }), 2);
  const search = await timed(rounds, () => client.call('search_nodes', { query: name }), 2);
  const create = await timed(
    rounds,
    (round) =>
      client.call('create_entities', {
        entities: [{ name: `written-${round}`, entityType: 'git', observations: ['x'.repeat(190)] }],
      }),
    2,
  );
  const memory = client.memory();
  await client.close();
  return { create, search, read, memory };
}

async function main(): Promise<void> {
  const rows: Row[] = [];
  const peers: Peer[] = [];
  for (const size of SIZES) {
    process.stderr.write(`measuring ${size.toLocaleString('en')} entries\n`);
    rows.push(await measure(size));
    peers.push(await measurePeer(size));
  }
  const head = ['', ...SIZES.map((size) => `${size.toLocaleString('en')} entries`)];
  const line = (label: string, cell: (row: Row, index: number) => string) => [label, ...rows.map(cell)];
  const ratio = (a: number, b: number) => `${(a / b).toFixed(0)}×`;
  console.log(`Node ${process.version}, ${cpus().length} cores. Medians; p95 in brackets.\n`);
  console.log(
    table(head, [
      line('three steps of retrieval, in process', ({ inProcess }) => shown(inProcess)),
      line('the same, straight after a write', ({ afterWrite }) => shown(afterWrite)),
      line('entries found while one types', ({ finding }) => shown(finding)),
      line('the latest 100 changes', ({ changes }) => shown(changes)),
      line('a write, and all categories that hold', ({ effective }) => shown(effective)),
      line('three steps over stdio', ({ stdio }) => shown(stdio)),
      line('three steps over HTTP, kept alive', ({ http }) => shown(http)),
      line('one durable write, fsync included', ({ write }) => shown(write)),
      line('one durable write over stdio', ({ writeOverStdio }) => shown(writeOverStdio)),
      line('opening both stores', ({ opening }) => shown(opening)),
      line('memory of a `kaizen mcp` after all this', ({ memory }) => `${memory.toFixed(0)} MB`),
    ]),
  );
  const grown = rows.at(-1)!.write.median / rows[0]!.write.median;
  console.log(`\nA write at 100,000 entries takes ${grown.toFixed(2)} times as long as at 1,000.\n`);
  console.log(
    table(
      ['beside @modelcontextprotocol/server-memory, over stdio', ...head.slice(1)],
      [
        ['server-memory: read one', ...peers.map(({ read }) => milliseconds(read.median))],
        ['server-memory: search one', ...peers.map(({ search }) => milliseconds(search.median))],
        ['server-memory: memory', ...peers.map(({ memory }) => `${memory.toFixed(0)} MB`)],
        ['server-memory: create one', ...peers.map(({ create }) => milliseconds(create.median))],
        line('Kaizen, one entry read, is faster than its read by', ({ readOne }, i) =>
          ratio(peers[i]!.read.median, readOne.median),
        ),
        line('Kaizen, all three steps, is faster than its read by', ({ stdio }, i) =>
          ratio(peers[i]!.read.median, stdio.median),
        ),
        line('Kaizen, all three steps, is faster than its search by', ({ stdio }, i) =>
          ratio(peers[i]!.search.median, stdio.median),
        ),
        line('Kaizen, one durable write, is faster than its create by', ({ writeOverStdio }, i) =>
          ratio(peers[i]!.create.median, writeOverStdio.median),
        ),
      ],
    ),
  );
  console.log(`\n${warningsTable(await measureWarnings(directories(0)))}`);
}

void main().finally(() => rmSync(root, { recursive: true, force: true }));
