// Knowledge bases of 10,000 nodes: the first look, a restart, a change, and how long others wait meanwhile.
// `--root DIR` (any number) measures the Markdown of a folder instead.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type BasesPart, openBases } from '../src/bases';
import { systemClock } from '../src/core/clock';
import { milliseconds, shown, type Times, table, timed } from './measure';

const FILES = 800;
const NODES_IN_FILE = 13;
/** After this long a file's stamp is trusted. */
const STAMPS_SETTLE = 2_500;

interface Row {
  name: string;
  files: number;
  nodes: number;
  problems: number;
  first: number;
  restart: Times;
  rescan: Times;
  longestTurn: number;
  memory: number;
}

const scratch = mkdtempSync(path.join(tmpdir(), 'kaizen-bench-bases-'));

function open(root: string, include?: string[]): BasesPart {
  const definitions = [{ name: 'bench', root, ...(include ? { include, exclude: ['**/.git/**'] } : {}) }];
  return openBases({ definitions, cacheDirectory: path.join(scratch, 'cache'), watch: false, clock: systemClock });
}

async function ready(bases: BasesPart): Promise<number> {
  const start = performance.now();
  bases.start();
  await bases.ready(600_000);
  return performance.now() - start;
}

async function measure(name: string, root: string, include?: string[]): Promise<Row> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = memory();
  const bases = open(root, include);
  delay.enable();
  const first = await ready(bases);
  delay.disable();
  const held = memory() - before;
  const [status] = bases.statuses();
  await bases.close();
  const times: number[] = [];
  for (let round = 0; round < 10; round++) {
    const again = open(root, include);
    delay.enable();
    times.push(await ready(again));
    delay.disable();
    await again.close();
  }
  times.sort((a, b) => a - b);
  const last = open(root, include);
  await ready(last);
  const rescan = await timed(20, () => last.rescan());
  await last.close();
  const { files, nodes, problems } = status!;
  const restart = { median: times[5]!, p95: times[9]! };
  return { name, files, nodes, problems, first, restart, rescan, longestTurn: delay.max / 1e6, memory: held };
}

/** From the write to the word that it is indexed, by the system's hints. */
async function measureChange(root: string): Promise<Times> {
  const bases = openBases({
    definitions: [{ name: 'bench', root }],
    cacheDirectory: path.join(scratch, 'cache'),
    watch: true,
    clock: systemClock,
  });
  await ready(bases);
  // Following keeps no process alive.
  const alive = setInterval(() => {}, 1_000);
  const times = await timed(20, async (round) => {
    const changed = new Promise<void>((resolve) => {
      const listening = bases.onDidChange(() => {
        listening.dispose();
        resolve();
      });
    });
    appendFileSync(path.join(root, `folder-${round % 10}/file-${round}.md`), `\n## Added ${round}\nMore.\n`);
    await changed;
  });
  clearInterval(alive);
  await bases.close();
  return times;
}

/** Files of about 80 words a node, as people write them. */
function writeCorpus(root: string): void {
  const words = 'service event parcel scan token retry queue schema index review release rollback cache limit'.split(
    ' ',
  );
  for (let file = 0; file < FILES; file++) {
    const folder = path.join(root, `folder-${file % 10}`);
    mkdirSync(folder, { recursive: true });
    const parts: string[] = [];
    for (let node = 0; node < NODES_IN_FILE; node++) {
      const id = `base.file_${file}.node_${node}`;
      const metadata = [`- id: ${id}`, '- status: active', '- type: guideline', '- last_checked: 2026-01-01'];
      const text = Array.from({ length: 80 }, (_, at) => words[(at * 7 + node * 3 + file) % words.length]).join(' ');
      parts.push(`${node === 0 ? '#' : '##'} Part ${node} of ${file}`, ...metadata, '<!-- content -->', `${text}.`, '');
    }
    writeFileSync(path.join(folder, `file-${file}.md`), parts.join('\n'));
  }
}

/** Megabytes on the heap. */
function memory(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed / 1_048_576;
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { root: { type: 'string', multiple: true } } });
  const rows: Row[] = [];
  let change: Times | undefined;
  if (values.root) {
    const include = ['**/*.md', '**/*.mdc'];
    for (const root of values.root) rows.push(await measure(path.basename(root), path.resolve(root), include));
  } else {
    const root = path.join(scratch, 'corpus');
    writeCorpus(root);
    await sleep(STAMPS_SETTLE);
    rows.push(await measure('10,000 nodes', root));
    change = await measureChange(root);
  }
  const line = (label: string, cell: (row: Row) => string) => [label, ...rows.map(cell)];
  console.log(`Node ${process.version}, ${cpus().length} cores. Medians; p95 in brackets.\n`);
  console.log(
    table(
      ['', ...rows.map(({ name }) => name)],
      [
        line('files', ({ files }) => files.toLocaleString('en')),
        line('nodes', ({ nodes }) => nodes.toLocaleString('en')),
        line('problems', ({ problems }) => String(problems)),
        line('first look, everything parsed', ({ first }) => milliseconds(first)),
        line('restart, every file verified', ({ restart }) => shown(restart)),
        line('another look at every file', ({ rescan }) => shown(rescan)),
        line('longest that others waited', ({ longestTurn }) => milliseconds(longestTurn)),
        line('memory', ({ memory: held }) => `${held.toFixed(0)} MB`),
      ],
    ),
  );
  if (change) console.log(`\nA changed file is indexed ${shown(change)} after it was written.`);
}

void main().finally(() => rmSync(scratch, { recursive: true, force: true }));
