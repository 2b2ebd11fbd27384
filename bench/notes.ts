// Spaces of 2,000 and 10,000 linked notes: the first look, a restart, one change, the graph, and how long others wait
// meanwhile. Beside it, reading and parsing the same files one after another, and nothing else, as a measure
// of what the machine can do.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { systemClock } from '../src/core/clock';
import { type NotesPart, notesSchema, openNotes } from '../src/notes';
import { Store } from '../src/store';
import { caretAt } from '../src/vscode/notes-language/caret';
import { completionsFor } from '../src/vscode/notes-language/completion-list';
import { milliseconds, shown, type Times, table, timed } from './measure';

const SIZES = [2_000, 10_000];
/** After this long a file's stamp is trusted. */
const STAMPS_SETTLE = 2_500;
const FOLDERS = ['apis', 'patterns', 'concepts', 'learnings', 'experiments', 'references', 'templates', 'workflows'];
const WORDS = 'service event parcel scan token retry queue schema index review release rollback cache limit'.split(' ');

interface Row {
  size: number;
  links: number;
  plain: number;
  first: number;
  restart: Times;
  rescan: Times;
  change: Times;
  hub: Times;
  graph: Times;
  relationships: Times;
  completing: Times;
  longestTurn: number;
  memory: number;
}

const scratch = mkdtempSync(path.join(tmpdir(), 'kaizen-bench-notes-'));

function open(root: string, store: Store): NotesPart {
  const cacheDirectory = path.join(scratch, 'cache');
  return openNotes({ spaces: { project: root }, store, cacheDirectory, watch: false, clock: systemClock });
}

async function ready(notes: NotesPart): Promise<number> {
  const start = performance.now();
  notes.start();
  await notes.ready(600_000);
  return performance.now() - start;
}

function fileOf(root: string, at: number): string {
  return path.join(root, FOLDERS[at % FOLDERS.length]!, `n-${at}.md`);
}

/** About 150 words and 8 links: most to neighbours, one to one of ten hubs, one in twenty to nothing. */
function noteText(at: number, size: number, round = 0): string {
  const targets = [1, 2, 3, 5, 8, 13].map((step) => `n-${(at * step + step) % size}`);
  targets.push(`n-${at % 10}`, at % 20 === 0 ? `missing-${at}` : `n-${(at + 1) % size}`);
  const words = Array.from({ length: 150 }, (_, word) => WORDS[(at * 7 + word * 3) % WORDS.length]);
  const head = `zettel_id: n-${at}\ntitle: Note ${at} about ${words[0]}\nentry_type: concept\ntags: [bench, ${words[1]}]`;
  const links = targets.map((target) => `- [[${target}]]`).join('\n');
  return `---\n${head}\n---\n\n# Note ${at}, ${round}\n\n${words.join(' ')}.\n\n## Related\n\n${links}\n`;
}

function writeCorpus(root: string, size: number): void {
  for (const folder of FOLDERS) mkdirSync(path.join(root, folder), { recursive: true });
  for (let at = 0; at < size; at++) writeFileSync(fileOf(root, at), noteText(at, size));
}

/** One file after another: read, its front matter parsed by the YAML library, its links found by a pattern. */
function readPlainly(root: string): number {
  const start = performance.now();
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.md')) continue;
    const text = readFileSync(path.join(root, file), 'utf8');
    const end = text.indexOf('\n---', 3);
    parse(text.slice(4, end));
    for (const _ of text.slice(end).matchAll(/\[\[([^\]|#]+)/g));
  }
  return performance.now() - start;
}

async function measure(size: number): Promise<Row> {
  const root = path.join(scratch, `corpus-${size}`);
  writeCorpus(root, size);
  await sleep(STAMPS_SETTLE);
  const store = await Store.open(path.join(scratch, `store-${size}`), { schemas: [notesSchema], clock: systemClock });
  const plain = readPlainly(root);
  let longestTurn = 0;
  /** Times where nothing is measured do not count. */
  const watched = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const result = await work();
    delay.disable();
    longestTurn = Math.max(longestTurn, delay.max / 1e6);
    return result;
  };
  const before = memory();
  const notes = open(root, store);
  const first = await watched(() => ready(notes));
  const held = memory() - before;
  await notes.close();
  const times: number[] = [];
  for (let round = 0; round < 10; round++) {
    const again = open(root, store);
    times.push(await watched(() => ready(again)));
    await again.close();
  }
  times.sort((a, b) => a - b);
  const last = open(root, store);
  await ready(last);
  const rescan = await timed(20, () => last.rescan());
  // Following keeps no process alive.
  const alive = setInterval(() => {}, 1_000);
  const changed = async (file: string, text: string) => {
    writeFileSync(file, text);
    const told = new Promise<void>((resolve) => {
      const listening = last.onDidChange(() => {
        listening.dispose();
        resolve();
      });
    });
    last.touched(file);
    await told;
  };
  const change = await watched(() =>
    timed(20, (round) => changed(fileOf(root, 100 + round), noteText(100 + round, size, round + 1))),
  );
  // What a tenth of all notes link to loses its id and gets it back.
  const hub = await watched(() =>
    timed(20, (round) =>
      changed(fileOf(root, 3), noteText(3, size).replaceAll('n-3', round % 2 === 0 ? 'n-3-other' : 'n-3')),
    ),
  );
  const graph = await timed(20, () => last.graph());
  const some = last.notes().filter((_, at) => at % 50 === 0);
  const relationships = await timed(some.length, (round) => last.relationships(some[round % some.length]!));
  const typed = caretAt('[[note ab', 9)!;
  const place = { space: 'project', file: 'x.md' } as const;
  const completing = await timed(20, () =>
    completionsFor(last, place, typed, { headings: [], present: new Set<string>() }),
  );
  clearInterval(alive);
  const links = last.notes().reduce((sum, note) => sum + note.links.length, 0);
  await last.close();
  await store.close();
  const restart = { median: times[5]!, p95: times[9]! };
  const asked = { graph, relationships, completing };
  return { size, links, plain, first, restart, rescan, change, hub, ...asked, longestTurn, memory: held };
}

/** Megabytes on the heap. */
function memory(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed / 1_048_576;
}

async function main(): Promise<void> {
  const rows: Row[] = [];
  // Loaded once, as in a bundle.
  await import('../src/notes/format');
  for (const size of SIZES) rows.push(await measure(size));
  const line = (label: string, cell: (row: Row) => string) => [label, ...rows.map(cell)];
  console.log(`Node ${process.version}, ${cpus().length} cores. Medians; p95 in brackets.\n`);
  console.log(
    table(
      ['', ...rows.map(({ size }) => `${size.toLocaleString('en')} notes`)],
      [
        line('links', ({ links }) => links.toLocaleString('en')),
        line('reading and parsing alone, with yaml', ({ plain }) => milliseconds(plain)),
        line('first look, everything parsed', ({ first }) => milliseconds(first)),
        line('as a multiple of it', ({ first, plain }) => `${(first / plain).toFixed(1)}×`),
        line('restart, every file verified', ({ restart }) => shown(restart)),
        line('another look at every file', ({ rescan }) => shown(rescan)),
        line('one change, until it is told (80 ms of it are waited)', ({ change }) => shown(change)),
        line('a hub gets another id', ({ hub }) => shown(hub)),
        line('the graph', ({ graph }) => shown(graph)),
        line('relationships of one note', ({ relationships }) => shown(relationships)),
        line('the choices while a link is typed', ({ completing }) => shown(completing)),
        line('longest that others waited', ({ longestTurn }) => milliseconds(longestTurn)),
        line('memory', ({ memory: held }) => `${held.toFixed(0)} MB`),
      ],
    ),
  );
}

void main().finally(() => rmSync(scratch, { recursive: true, force: true }));
