// Discovery as a whole, entries and nodes together: `npm run bench -- discovery`.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Kaizen } from '../src/kaizen';
import type { EntryRecord } from '../src/transfer';
import { seeded } from './corpus';
import { milliseconds, shown, type Times, table, timed } from './measure';

/** Passages in all; half of them are entries, half are nodes of a knowledge base. */
const SIZES = [10_000, 100_000];
const NODES_A_FILE = 20;
const WORDS_A_PASSAGE = 60;
const PROJECT = 'shop';
const TYPES = ['guideline', 'protocol', 'context', 'agent_skill'];
const SYLLABLES = 'ba co di fo ga ki lo me nu pa ra si to ve wo xi yu za'.split(' ');

const root = mkdtempSync(path.join(tmpdir(), 'kaizen-bench-'));

interface Row {
  built: number;
  longestHold: number;
  restarted: number;
  discover: Times;
  withFile: Times;
  find: Times;
  afterEntry: Times;
  afterFile: Times;
  memory: number;
}

/** Texts whose words are drawn as those of a language are: the n-th most common 1/n times as often as the first. */
function writer(): (words: number) => string {
  const random = seeded(5);
  const vocabulary = Array.from({ length: 20_000 }, (_, rank) => {
    const syllables = 2 + (rank % 3);
    return Array.from({ length: syllables }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]!).join('');
  });
  const draw = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1]!;
  return (words) => Array.from({ length: words }, draw).join(' ');
}

async function fill(size: number, directory: string): Promise<Places> {
  const write = writer();
  const base = path.join(directory, 'base');
  for (let file = 0; file * NODES_A_FILE < size / 2; file++) {
    const folder = path.join(base, `area-${file % 40}`);
    mkdirSync(folder, { recursive: true });
    const nodes = Array.from({ length: NODES_A_FILE }, (_, node) => {
      const heading = `${node === 0 ? '#' : '##'} ${write(3)} ${file} ${node}`;
      const type = TYPES[(file + node) % TYPES.length];
      return `${heading}\n- status: active\n- type: ${type}\n<!-- content -->\n${write(WORDS_A_PASSAGE)}\n`;
    });
    writeFileSync(path.join(folder, `file-${file}.md`), nodes.join('\n'));
  }
  const records: EntryRecord[] = Array.from({ length: size / 2 }, (_, index) => ({
    type: 'entry',
    scope: index % 2 === 0 ? PROJECT : 'general',
    category: `area-${index % 40}.topic-${index % 7}`,
    keyword: `${write(2).replace(' ', '-')}-${index}`,
    ...{ action: 'create', at: '2026-01-05T09:00:00.000Z', author: 'bench', by_agent: false },
    ...{ project_context: '', reason: null, metaknowledge: {}, revisions: [] },
    content: `${index % 20 === 0 ? 'WARNING: ' : ''}${write(WORDS_A_PASSAGE)}`,
  }));
  const places = { data: path.join(directory, 'data'), shared: path.join(directory, 'shared'), base };
  const kaizen = new Kaizen({ ...places, project: PROJECT, defineProject: true, ensureGeneral: true });
  const parsed = records.map((record, index) => ({ line: index + 1, record }));
  await kaizen.parts();
  await kaizen.importRecords(parsed, { author: 'bench' });
  await kaizen.close();
  return places;
}

interface Places {
  data: string;
  shared: string;
  base: string;
}

function open({ data, shared, base }: Places): Kaizen {
  return new Kaizen({ data, shared, project: PROJECT, bases: [{ name: 'base', root: base }] });
}

/** Milliseconds until everything is indexed. */
async function untilReady(kaizen: Kaizen): Promise<number> {
  const { discovery } = await kaizen.parts();
  const begun = performance.now();
  discovery.start();
  while (!discovery.state.ready || discovery.state.entries + discovery.state.nodes < discovery.state.total) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return performance.now() - begun;
}

async function measure(size: number): Promise<Row> {
  const places = await fill(size, path.join(root, String(size)));
  const first = open(places);
  await first.parts();
  const holds = monitorEventLoopDelay({ resolution: 1 });
  holds.enable();
  const built = await untilReady(first);
  holds.disable();
  await first.close();

  const kaizen = open(places);
  const { knowledge, bases, discovery } = await kaizen.parts();
  const restarted = await untilReady(kaizen);
  const write = writer();
  const tasks = Array.from({ length: 300 }, () => write(8));
  const task = (round: number) => tasks[round % tasks.length]!;
  const discover = await timed(200, (round) =>
    discovery.discover({ task_description: task(round), task_type: 'implement' }),
  );
  const withFile = await timed(100, (round) =>
    discovery.discover({ task_description: task(round), current_file: 'src/area-3/topic.ts', max_results: 10 }),
  );
  const find = await timed(200, (round) => discovery.find(task(round).slice(0, 3 + (round % 9)), 20));
  const afterEntry = await timed(20, async (round) => {
    const key = { target_scope_id: PROJECT, category: 'written', keyword: `written-${round}` };
    await knowledge.storeOverwrite({ ...key, content: write(WORDS_A_PASSAGE) }, { author: 'bench' });
    await discovery.discover({ task_description: `written ${round}` });
  });
  const file = path.join(places.base, 'area-1', 'file-1.md');
  const afterFile = await timed(10, async (round) => {
    appendFileSync(file, `\n## Changed ${round}\n${write(WORDS_A_PASSAGE)}\n`);
    bases.touched(file);
    await bases.rescan();
    await discovery.discover({ task_description: `changed ${round}` });
  });
  const memory = process.memoryUsage().rss / 1024 / 1024;
  await kaizen.close();
  return { built, longestHold: holds.max / 1e6, restarted, discover, withFile, find, afterEntry, afterFile, memory };
}

async function main(): Promise<void> {
  const rows: Row[] = [];
  for (const size of SIZES) {
    process.stderr.write(`measuring ${size.toLocaleString('en')} passages\n`);
    rows.push(await measure(size));
  }
  const line = (label: string, cell: (row: Row) => string) => [label, ...rows.map(cell)];
  console.log(`Node ${process.version}, ${cpus().length} cores. Medians; p95 in brackets.\n`);
  console.log(
    table(
      ['', ...SIZES.map((size) => `${size.toLocaleString('en')} passages`)],
      [
        line('`discover_context`, five results', ({ discover }) => shown(discover)),
        line('the same with a current file, ten results', ({ withFile }) => shown(withFile)),
        line('Find Knowledge, a key stroke', ({ find }) => shown(find)),
        line('first build', ({ built }) => milliseconds(built)),
        line('longest hold of the event loop meanwhile', ({ longestHold }) => milliseconds(longestHold)),
        line('restart with nothing changed', ({ restarted }) => milliseconds(restarted)),
        line('an entry written, and found', ({ afterEntry }) => shown(afterEntry)),
        line('a file changed, looked at, and found', ({ afterFile }) => shown(afterFile)),
        line('memory of the process', ({ memory }) => `${memory.toFixed(0)} MB`),
      ],
    ),
  );
}

void main().finally(() => rmSync(root, { recursive: true, force: true }));
