import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import * as esbuild from 'esbuild';
import type { LibraryKeeper } from '../../src/library/keeping/model';
import { openLibraryIn, revisionOf, type Said, SHARED } from './library-writer';
import { prng } from './prng';

const LONG = process.env.KAIZEN_FAULTS === 'long';
/** Rounds of two writers, each of which is killed. */
const ROUNDS = LONG ? 60 : 6;
const SEED = Number(process.env.KAIZEN_SEED ?? Date.now() % 1_000_000);

interface Writer {
  name: string;
  child: ChildProcess;
  /** The last step of each of its documents that was promised. */
  done: Map<number, 'added' | 'replaced' | 'removed'>;
  ended: Promise<unknown>;
}

describe('kill -9 of processes that fill a library', function () {
  this.timeout(LONG ? 900_000 : 180_000);
  let home: string;
  let script: string;
  const running = new Set<ChildProcess>();
  const errors: string[] = [];
  /** The latest revision of the document of all that was promised. */
  let shared = '';

  before(async () => {
    console.log(`    seed ${SEED} (KAIZEN_SEED=${SEED} makes the same choices again)`);
    home = mkdtempSync(path.join(tmpdir(), 'kaizen-faults-'));
    await esbuild.build({
      entryPoints: { writer: 'test/faults/library-writer.ts', 'checkpoint-worker': 'src/store/checkpoint-worker.ts' },
      outdir: home,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
      external: ['sql.js/dist/sql-wasm.wasm', 'pg-native'],
    });
    cpSync(require.resolve('sql.js/dist/sql-wasm.wasm'), path.join(home, 'sql-wasm.wasm'));
    script = path.join(home, 'writer.js');
  });
  after(() => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });

  function start(directory: string, name: string): Writer {
    const child = spawn(process.execPath, [script, directory, name], { stdio: ['ignore', 'pipe', 'inherit'] });
    running.add(child);
    const writer: Writer = { name, child, done: new Map(), ended: once(child, 'close') };
    void writer.ended.then(() => running.delete(child));
    readline.createInterface({ input: child.stdout! }).on('line', (line) => {
      const said = JSON.parse(line) as Said;
      if ('error' in said) errors.push(`${name}: ${said.error}`);
      else if ('shared' in said) shared = said.shared > shared ? said.shared : shared;
      else writer.done.set(said.n, said.step);
    });
    return writer;
  }

  async function kill({ child, ended }: Writer): Promise<void> {
    child.kill('SIGKILL');
    await ended;
  }

  /** What there is of a document is one of these revisions, whole; undefined where it is not there. */
  async function revision(
    keeper: LibraryKeeper,
    id: string,
    revisions: readonly number[],
  ): Promise<number | undefined> {
    const document = await keeper.document(id);
    if (!document) {
      assert.equal(await keeper.text(id), undefined);
      return undefined;
    }
    const number = revisions.find((each) => revisionOf(id, each).document.updated_at === document.updated_at);
    assert.ok(number !== undefined, `${id} is in a revision of its own: ${document.updated_at}`);
    const { content, ...made } = revisionOf(id, number);
    assert.deepEqual(document, made.document);
    assert.deepEqual(await keeper.content(id), content);
    return number;
  }

  /** How many chunks of each revision of the document are found. */
  async function searched(keeper: LibraryKeeper, id: string, number: number): Promise<number> {
    const { hits } = await keeper.search(`revision${number}`, { limit: 1_000, filter: { documents: [id] } });
    // A word that is nowhere is taken for one that is near it.
    return hits.filter(({ chunk }) => chunk.content.includes(`of revision${number}.`)).length;
  }

  it('leaves each document as it was or as it is to be, found as such, and nothing else behind', async () => {
    const random = prng(SEED);
    const directory = path.join(home, 'place');
    mkdirSync(directory);
    const writers: Writer[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const two = [1, 2].map((number) => start(directory, `w${round}x${number}`));
      writers.push(...two);
      while (!two.every(({ done }) => done.size > 1) && errors.length === 0) await sleep(5);
      await sleep(random() * 400);
      for (const writer of two) {
        await kill(writer);
        // The other one goes on.
        await sleep(random() * 100);
      }
    }
    assert.deepEqual(errors, []);
    const content = path.join(directory, 'library', 'content');
    const files = () => readdirSync(content);
    const struck = files().length;
    // Nobody is writing them any more; in the hour that is waited for, nobody knows.
    for (const name of files()) utimesSync(path.join(content, name), 0, 0);

    const keeper = await openLibraryIn(directory);
    assert.ok(await keeper.ready(60_000));
    let promised = 0;
    for (const { name, done } of writers) {
      for (let n = 1; n <= done.size + 1; n++) {
        const id = `${name}-${n}`;
        const found = await revision(keeper, id, [1, 2]);
        const step = done.get(n);
        if (step === 'added') assert.ok(found === 1 || found === 2);
        if (step === 'replaced') assert.ok(found === 2 || (n % 3 === 0 && found === undefined));
        if (step === 'removed') assert.equal(found, undefined);
        if (step !== undefined) promised++;
        for (const number of [1, 2]) assert.equal(await searched(keeper, id, number), found === number ? 60 : 0);
      }
    }
    // What all of them replace is as the last one left it, or as one made it who had no time to say so.
    const last = (await keeper.document(SHARED))!;
    assert.ok(last.updated_at >= shared);
    const number = Date.parse(last.updated_at) - Date.UTC(2026, 0, 1);
    assert.equal(await revision(keeper, SHARED, [number]), number);
    assert.equal(await searched(keeper, SHARED, number), 60);
    assert.equal(await searched(keeper, SHARED, number - 1), 0);
    const { documents } = await keeper.counts();
    await keeper.close();

    // Tidying goes on beside everything else, but is done when the library is closed and opened once more.
    const again = await openLibraryIn(directory);
    for (let turn = 0; turn < 500 && files().length > documents; turn++) await sleep(10);
    await again.close();
    assert.equal(files().length, documents);
    assert.ok(promised >= 2 * writers.length, 'the writers got something done');
    console.log(
      `      ${writers.length} kills, ${promised} documents, ${number} revisions of one by all, ${struck - documents} orphans`,
    );
  });
});
