import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KaizenError } from '../../src/core/errors';
import { createExtractor } from '../../src/library/extraction';
import type { ThreadOptions } from '../../src/library/extraction/extraction-thread';
import type { Extractor } from '../../src/library/extraction/model';
import type { Extracted } from '../../src/library/model';
import { errorInGerman } from '../support/german';
import { Bench } from '../support/stores';
import { turnsDuring } from '../support/turns';

const SCRIPT = path.resolve('dist/library-worker.js');
const fixture = (name: string) => ({ name, bytes: readFileSync(path.resolve('test/fixtures/library', name)) });

describe('the thread that reads sources', () => {
  const bench = new Bench();
  const extractors: Extractor[] = [];
  const logged: string[] = [];

  function extractor(script = SCRIPT, limits: ThreadOptions['limits'] = {}): Extractor {
    const made = createExtractor({ log: (message) => void logged.push(message), script, limits });
    extractors.push(made);
    return made;
  }

  /** A thread with this program. */
  function program(source: string): string {
    const file = path.join(bench.directory(), 'thread.js');
    writeFileSync(
      file,
      `const { parentPort } = require('node:worker_threads');\nparentPort.on('message', (message) => { if (message.input) answer(message); });\n${source}`,
    );
    return file;
  }

  afterEach(async () => {
    await Promise.all(extractors.splice(0).map((each) => each.close()));
    logged.length = 0;
    await bench.cleanUp();
  });

  const refused = (because: RegExp) => (error: unknown) => {
    assert.ok(error instanceof KaizenError, String(error));
    assert.equal(error.code, 'unreadable_source');
    assert.match(error.message, because);
    assert.ok(error.hint);
    // Fails where the thread has passed on something that is in English only.
    errorInGerman(error);
    return true;
  };

  it('makes of a source what reading it here makes of it', async () => {
    const here = extractor(path.join(bench.directory(), 'missing.js'));
    const there = extractor();
    for (const name of ['clauses.pdf', 'two-columns.pdf', 'report.docx', 'page.html']) {
      assert.deepEqual(await there.extract(fixture(name)), await here.extract(fixture(name)), name);
    }
  });

  it('hands over a long text whole', async () => {
    const text = Array.from({ length: 30_000 }, (_, at) => `Paragraph ${at} says that belts stop 🚚 here.`).join(
      '\n\n',
    );
    let extracted: Extracted | undefined;
    const turns = await turnsDuring(async () => {
      extracted = await extractor().extract({ name: 'long.md', bytes: Buffer.from(text) });
    });
    const { document, chunks } = extracted!;
    assert.equal(document.text, text);
    assert.ok(chunks.length > 500);
    assert.ok(turns >= chunks.length, `${turns} turns for ${chunks.length} passages`);
    for (const { content, char_start, char_end } of chunks) assert.equal(content, text.slice(char_start, char_end));
  });

  it('leaves the bytes with the caller, and reads one source after the other', async () => {
    const own = extractor();
    const pdf = fixture('clauses.pdf');
    const before = Buffer.from(pdf.bytes);
    const pages: number[] = [];
    const [first, second] = await Promise.all([
      own.extract(pdf, { onProgress: (page) => pages.push(page) }),
      own.extract(pdf),
    ]);
    assert.deepEqual(pdf.bytes, before);
    assert.deepEqual(pages, [1, 2, 3, 4]);
    assert.deepEqual(first, second);
  });

  it('passes on why a source cannot be read, and goes on with the next', async () => {
    const own = extractor();
    await assert.rejects(own.extract(fixture('scanned.pdf')), refused(/seems to be scanned/));
    await assert.rejects(own.extract(fixture('encrypted.pdf')), refused(/protected with a password/));
    assert.ok((await own.extract(fixture('page.html'))).chunks.length > 0);
    await assert.rejects(own.extract(fixture('scanned.pdf')), (error) => {
      assert.ok(error instanceof KaizenError);
      assert.match(errorInGerman(error), /^scanned\.pdf hat keinen Text auf .* und ist wohl gescannt\. Lassen Sie/);
      return true;
    });
  });

  it('ends what is cancelled at once, waiting or under way, and nothing else', async () => {
    const own = extractor(
      program(
        "const answer = (({ id, input }) => { if (input.name === 'endless') for (;;); parentPort.postMessage({ id, text: 'read' }); parentPort.postMessage({ id, document: { pages: [] } }); });",
      ),
    );
    const [running, waiting] = [new AbortController(), new AbortController()];
    const bytes = Buffer.from('x');
    const endless = own.extract({ name: 'endless', bytes }, { signal: running.signal });
    const unwanted = own.extract({ name: 'unwanted', bytes }, { signal: waiting.signal });
    const wanted = own.extract({ name: 'wanted', bytes });
    await sleep(100);
    waiting.abort(new KaizenError('cancelled', 'Not this one.'));
    await assert.rejects(unwanted, /Not this one/);
    running.abort(new KaizenError('cancelled', 'Enough.'));
    await assert.rejects(endless, /Enough/);
    assert.equal((await wanted).document.text, 'read');
    await assert.rejects(own.extract({ name: 'late', bytes }, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  });

  it('survives a source that needs too much memory', async () => {
    const own = extractor(
      program(
        "const answer = (({ id, input }) => { const all = []; if (input.name === 'hungry') for (;;) all.push(new Array(1e5).fill({})); parentPort.postMessage({ id, text: 'read' }); parentPort.postMessage({ id, document: {} }); });",
      ),
      { heap: 32 },
    );
    const bytes = Buffer.from('x');
    await assert.rejects(own.extract({ name: 'hungry', bytes }), refused(/^hungry needs more than 32 MB of memory/));
    assert.match(logged.join(), /Reading hungry ended its thread/);
    assert.equal((await own.extract({ name: 'modest', bytes })).document.text, 'read');
  });

  it('survives a source that unpacks to more than there is room for', async () => {
    const own = extractor(
      program('const answer = () => { const all = []; setInterval(() => all.push(Buffer.alloc(20e6, 1)), 5); };'),
      { growth: 300 },
    );
    const bomb = { name: 'bomb', bytes: Buffer.from('x') };
    await assert.rejects(own.extract(bomb), refused(/^bomb needs more than 300 MB of memory/));
  });

  it('survives a source that ends the thread, and one that holds it for ever', async () => {
    const bytes = Buffer.from('x');
    const leaves = extractor(program('const answer = () => process.exit(3);'));
    await assert.rejects(leaves.extract({ name: 'a', bytes }), refused(/^a cannot be read: reading it ended without/));
    await assert.rejects(leaves.extract({ name: 'b', bytes }), refused(/^b cannot be read: reading it ended without/));
    const holds = extractor(program('const answer = () => { for (;;); };'), { silence: 200 });
    await assert.rejects(holds.extract({ name: 'c', bytes }), refused(/^c cannot be read: reading it got stuck/));
    await assert.rejects(holds.extract({ name: 'd', bytes }), refused(/^d cannot be read: reading it got stuck/));
  });

  it('ends when it has nothing to do, and is there again for the next source', async () => {
    const threads = program(
      'const started = String(Math.random()); const answer = (({ id }) => { parentPort.postMessage({ id, text: started }); parentPort.postMessage({ id, document: {} }); });',
    );
    const own = extractor(threads, { idle: 20 });
    const read = async () => (await own.extract({ name: 'x', bytes: Buffer.from('x') })).document.text;
    const first = await read();
    let again = first;
    for (let round = 0; round < 100 && again === first; round++) {
      await sleep(50);
      again = await read();
    }
    assert.notEqual(again, first, 'another thread');
  });

  it('tells those who wait that it was closed', async () => {
    const own = extractor(program('const answer = () => {};'));
    const waiting = [1, 2].map(() => own.extract({ name: 'x', bytes: Buffer.from('x') }));
    const outcomes = Promise.allSettled(waiting);
    await own.close();
    for (const outcome of await outcomes) {
      assert.ok(outcome.status === 'rejected' && (outcome.reason as KaizenError).code === 'cancelled');
    }
    await assert.rejects(own.extract({ name: 'x', bytes: Buffer.from('x') }), { code: 'cancelled' });
  });
});
