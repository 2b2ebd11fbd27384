// How fast sources come into a library: `npm run bench -- library-ingest FOLDER…`, folders with Markdown files or with a
// docs-qa set (or KAIZEN_CORPORA, separated as in PATH). What is shipped is measured: sources are read in the worker.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { type CorpusFile, docsQaPages, markdownBelow } from './library-corpora';
import { type Hold, memory, table, watchTurns } from './measure';

interface Measured {
  documents: number;
  failed: number;
  chunks: number;
  tokens: number;
  seconds: number;
  /** Milliseconds of a second look at all of them, nothing having changed. */
  again: number;
  /** MB of this process beyond what it had before. */
  memory: number;
  disk: number;
  held: Hold;
}

async function measure(files: readonly CorpusFile[]): Promise<Measured> {
  const root = mkdtempSync(path.join(tmpdir(), 'kaizen-bench-'));
  const workspace = path.join(root, 'files');
  mkdirSync(workspace);
  for (const { name, text } of files) writeFileSync(path.join(workspace, name), text);
  const { Kaizen } = createRequire(__filename)(path.resolve('dist/kaizen.js')) as typeof import('../src/kaizen');
  const kaizen = new Kaizen({ data: path.join(root, 'data'), shared: path.join(root, 'shared'), workspace });
  const { library } = await kaizen.parts();
  try {
    // The worker's start is no part of what is measured.
    await library.ingest({ source: 'content:# Warm\n\nThe worker starts.' }, { author: 'bench' });
    const before = memory();
    const holds = watchTurns();
    const start = performance.now();
    let failed = 0;
    for (const { name } of files) {
      await library.ingest({ source: name }, { author: 'bench' }).catch(() => failed++);
    }
    await library.ready(60_000);
    const seconds = (performance.now() - start) / 1000;
    const held = holds();
    const stats = await library.stats();
    const grown = memory() - before;
    const second = performance.now();
    await library.refresh(undefined, { author: 'bench' });
    return {
      documents: files.length,
      failed,
      chunks: stats.chunks,
      tokens: stats.tokens,
      seconds,
      again: performance.now() - second,
      memory: grown,
      disk: (stats.size ?? 0) / 1e6,
      held,
    };
  } finally {
    await kaizen.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true });
  const given = positionals.length > 0 ? positionals : (process.env.KAIZEN_CORPORA?.split(path.delimiter) ?? []);
  if (given.length === 0) return console.log('Skipped: say in which folders the corpora are (or KAIZEN_CORPORA).');
  const rows: string[][] = [];
  for (const folder of given) {
    const files = docsQaPages(folder) ?? markdownBelow(folder);
    if (!files || files.length === 0) {
      console.log(`Skipped: ${folder} has no docs-qa set and no Markdown files.`);
      continue;
    }
    process.stderr.write(`adding ${files.length} files of ${folder}\n`);
    const each = await measure(files);
    rows.push([
      path.basename(folder),
      `${each.documents}${each.failed > 0 ? ` (${each.failed} failed)` : ''}`,
      each.chunks.toLocaleString('en'),
      each.tokens.toLocaleString('en'),
      (each.documents / each.seconds).toFixed(1),
      (each.chunks / each.seconds).toFixed(0),
      `${each.again.toFixed(0)} ms`,
      `${each.memory.toFixed(1)} MB`,
      `${each.disk.toFixed(1)} MB`,
      `${each.held.run.toFixed(0)} ms (${each.held.passed.toFixed(0)} ms passed)`,
    ]);
  }
  const head = [
    '',
    'documents',
    'chunks',
    'tokens',
    'documents a second',
    'chunks a second',
    'a second look',
    'memory',
  ];
  if (rows.length > 0) console.log(table([...head, 'disk', 'longest hold of the loop'], rows));
}

void main();
