// Reading sources in the thread that does so: a PDF of 1,000 pages, a long Word document, Markdown and a web page. How
// long it takes, what memory the process needs beyond what it had, and how long the main thread is held meanwhile.
import { cpus } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createExtractor } from '../src/library/extraction';
import type { Extracted } from '../src/library/model';
import { linesOf, pdfOf } from '../test/support/pdf';
import { docxOf } from '../test/support/zip';
import { type Hold, milliseconds, table, watchTurns } from './measure';

const WORDS =
  'parcel belt reader label gap depot dock lamp scan report operator threshold carrier shift drive guard'.split(' ');
const PAGES = 1_000;

/** The same for the same number: about nine words. */
function sentence(number: number): string {
  const words = Array.from({ length: 9 }, (_, at) => WORDS[(number * 7 + at * at * 3 + at) % WORDS.length]);
  return `The ${words.join(' ')}.`;
}

function bookOf(pages: number): Buffer {
  return pdfOf(
    Array.from({ length: pages }, (_, page) => {
      const body = Array.from({ length: 52 }, (_, line) =>
        `${sentence(page * 52 + line)} ${sentence(page + line * 31)}`.slice(0, 92),
      );
      const heading = {
        text: `${Math.floor(page / 10) + 1}.${(page % 10) + 1} Of ${WORDS[page % WORDS.length]}s`,
        x: 60,
        y: 770,
        size: 14,
      };
      return [
        { text: 'Handbook of belts', x: 60, y: 815, size: 8 },
        heading,
        ...linesOf(body, { y: 740 }),
        { text: `${page + 1}`, x: 290, y: 30, size: 8 },
      ];
    }),
  );
}

function markdownOf(sections: number): string {
  const section = (at: number) =>
    `## Section ${at}\n\n${Array.from({ length: 40 }, (_, line) => sentence(at * 40 + line)).join(' ')}`;
  return Array.from({ length: sections }, (_, at) => section(at)).join('\n\n');
}

function pageOf(paragraphs: number): string {
  const body = Array.from(
    { length: paragraphs },
    (_, at) => `<h2>Part ${at}</h2><p>${sentence(at)} ${sentence(at * 3)} ${sentence(at * 5)}</p>`,
  );
  return `<html><head><title>Belts</title></head><body><article>${body.join('')}</article></body></html>`;
}

interface Row {
  name: string;
  size: number;
  took: number;
  pages: number;
  extracted: Extracted;
  memory: number;
  held: Hold;
}

async function measure(name: string, bytes: Uint8Array): Promise<Row> {
  const extractor = createExtractor({ log: console.error, script: path.resolve('dist/library-worker.js') });
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let most = before;
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  await sleep(200);
  const holds = watchTurns();
  const start = performance.now();
  let pages = 0;
  const extracted = await extractor.extract({ name, bytes }, { onProgress: () => pages++ });
  const took = performance.now() - start;
  await sleep(50);
  const held = holds();
  clearInterval(watching);
  await extractor.close();
  return { name, size: bytes.length, took, pages, extracted, memory: most - before, held };
}

/** How long this thread is held while nothing happens: what else runs on the machine holds it too. */
async function heldByOthers(): Promise<number> {
  const holds = watchTurns();
  await sleep(10_000);
  return holds().passed;
}

async function main(): Promise<void> {
  const sources: [name: string, bytes: Uint8Array][] = [
    [`book.pdf`, bookOf(PAGES)],
    [
      'handbook.docx',
      docxOf(Array.from({ length: 8_000 }, (_, at) => `${sentence(at)} ${sentence(at * 3)} ${sentence(at * 5)}`)),
    ],
    ['handbook.md', Buffer.from(markdownOf(1_500))],
    ['page.html', Buffer.from(pageOf(4_000))],
  ];
  const rows: Row[] = [];
  for (const [name, bytes] of sources) rows.push(await measure(name, bytes));
  const idle = await heldByOthers();
  const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  console.log(`Node ${process.version}, ${cpus().length} cores. The thread is started anew for each.\n`);
  console.log(
    table(
      ['', 'size', 'text', 'chunks', 'in all', 'a second', 'memory on top', 'longest hold of the main thread'],
      rows.map(({ name, size, took, pages, extracted, memory, held }) => [
        pages > 1 ? `${name}, ${pages.toLocaleString('en')} pages` : name,
        megabytes(size),
        megabytes(extracted.document.text.length),
        extracted.chunks.length.toLocaleString('en'),
        milliseconds(took),
        pages > 1
          ? `${((pages / took) * 1_000).toFixed(0)} pages`
          : megabytes((extracted.document.text.length / took) * 1_000),
        megabytes(memory),
        `${milliseconds(held.run)} (${milliseconds(held.passed)} passed)`,
      ]),
    ),
  );
  console.log(`\nIn ten seconds without any work the main thread was held for ${milliseconds(idle)} at most.`);
}

void main();
