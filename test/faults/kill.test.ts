import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import * as esbuild from 'esbuild';
import { Store } from '../../src/store';
import { decodeFrame } from '../../src/store/journal';
import { prng } from './prng';
import { CHECKPOINT_BYTES, SCHEMA } from './writer';

const LONG = process.env.KAIZEN_FAULTS === 'long';
/** How many processes are killed in each of the two tests. */
const KILLS = LONG ? 120 : 15;
const SEED = Number(process.env.KAIZEN_SEED ?? Date.now() % 1_000_000);
/** A store does not get old: the first moments of one are worth as many kills as the later ones. */
const ROUNDS_PER_STORE = 8;
/**
 * A dead holder keeps the others waiting for a tenth of a second; the rest is for a machine with more to do than this.
 * Who does not notice that it is dead waits for 30 s until its heart stood still for long enough.
 */
const PATIENCE_MS = 20_000;

interface Writer {
  name: string;
  child: ChildProcess;
  answered: number[];
  /** The longest that it waited for an answer since its first one. */
  longest: number;
  ended: Promise<unknown>;
}

interface Struck {
  holders: number;
  writes: number;
  checkpoints: number;
}

describe('kill -9', function () {
  this.timeout(LONG ? 900_000 : 120_000);
  let home: string;
  let script: string;
  const running = new Set<ChildProcess>();

  before(async () => {
    console.log(`    seed ${SEED} (KAIZEN_SEED=${SEED} makes the same choices again)`);
    home = mkdtempSync(path.join(tmpdir(), 'kaizen-faults-'));
    await esbuild.build({
      entryPoints: { writer: 'test/faults/writer.ts', 'checkpoint-worker': 'src/store/checkpoint-worker.ts' },
      outdir: home,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
      external: ['sql.js/dist/sql-wasm.wasm'],
    });
    cpSync(require.resolve('sql.js/dist/sql-wasm.wasm'), path.join(home, 'sql-wasm.wasm'));
    script = path.join(home, 'writer.js');
  });
  after(() => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });

  /** What one directory went through: who was told what, over all rounds. */
  class Trial {
    readonly directory = mkdtempSync(path.join(home, 'store-'));
    readonly writers: Writer[] = [];
    readonly reports: string[] = [];
    private reader: Store | undefined;

    start(name: string, seed: number): Writer {
      const child = spawn(process.execPath, [script, this.directory, name, String(seed)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      running.add(child);
      const writer: Writer = { name, child, answered: [], longest: 0, ended: once(child, 'close') };
      void writer.ended.then(() => running.delete(child));
      let last = 0;
      readline.createInterface({ input: child.stdout! }).on('line', (line) => {
        const said = JSON.parse(line) as { n?: number; report?: string; error?: string };
        if (said.error !== undefined) this.reports.push(`${name} failed: ${said.error}`);
        if (said.report !== undefined) this.reports.push(said.report);
        if (said.n === undefined) return;
        writer.answered.push(said.n);
        const now = performance.now();
        if (last > 0) writer.longest = Math.max(writer.longest, now - last);
        last = now;
      });
      this.writers.push(writer);
      return writer;
    }

    get answers(): number {
      return this.writers.reduce((sum, { answered }) => sum + answered.length, 0);
    }

    /** What the kills left behind, so that one can see that they struck where it hurts. */
    look(struck: Struck): void {
      const names = readdirSync(this.directory);
      const newest = names
        .filter((name) => name.startsWith('journal-'))
        .sort()
        .at(-1);
      const journal = newest ? readFileSync(path.join(this.directory, newest)) : Buffer.alloc(0);
      let end = 0;
      for (let frame = decodeFrame(journal, 0); frame; frame = decodeFrame(journal, frame.end)) end = frame.end;
      if (end < journal.length) struck.writes++;
      if (names.some((name) => /^lock\.\d+$/.test(name))) struck.holders++;
      if (names.some((name) => /^checkpoint\.\d+$/.test(name))) struck.checkpoints++;
    }

    /** Everything that was answered is there once, and the store goes on at once. */
    async verify(): Promise<void> {
      const since = performance.now();
      const store = await this.open();
      await store.write(({ run }) => run("INSERT INTO done VALUES ('verifier', 0)"));
      const took = performance.now() - since;
      assert.ok(took < PATIENCE_MS, `opening and writing after the kill took ${took} ms`);

      assert.deepEqual(store.read().all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
      const rows = store.read().all<{ writer: string; n: number }>('SELECT writer, n FROM done ORDER BY rowid');
      for (const { name, answered } of this.writers) {
        const stored = rows.filter(({ writer }) => writer === name).map(({ n }) => n);
        // The last one may have been stored without its answer getting out; the order is that of the answers.
        const unheard = stored.length === answered.length + 1 ? [answered.length + 1] : [];
        assert.deepEqual(stored, [...answered, ...unheard], name);
      }
      // A peer that was there all the time sees the same as the one that read everything anew.
      this.reader ??= await this.open();
      assert.deepEqual(this.reader.read().all('SELECT writer, n FROM done ORDER BY rowid'), rows);
      await store.close();
      const locks = readdirSync(this.directory).filter((name) => /^lock\.\d+$/.test(name));
      assert.deepEqual(locks, [], 'no lock is left');
      // Killed before its first answer, a store may have come into the world without its journal.
      if (this.answers > 0)
        assert.deepEqual(
          this.reports.filter((report) => !/journal-000001 is missing/.test(report)),
          [],
        );
    }

    async close(): Promise<void> {
      for (const { child, ended } of this.writers) {
        child.kill('SIGKILL');
        await ended;
      }
      await this.reader?.close();
      rmSync(this.directory, { recursive: true, force: true });
    }

    private open(): Promise<Store> {
      const onReport = (message: string) => void this.reports.push(message);
      return Store.open(this.directory, { schemas: [SCHEMA], checkpointBytes: CHECKPOINT_BYTES, onReport });
    }
  }

  async function kill({ child, ended }: Writer): Promise<void> {
    child.kill('SIGKILL');
    await ended;
  }

  /** Plays rounds, each of which says how many it killed, until there were enough kills. */
  async function play(seed: number, round: (trial: Trial, random: () => number) => Promise<number>): Promise<string> {
    const random = prng(seed);
    let [kills, answers, generations] = [0, 0, 0];
    const struck: Struck = { holders: 0, writes: 0, checkpoints: 0 };
    while (kills < KILLS) {
      const trial = new Trial();
      try {
        for (let i = 0; i < ROUNDS_PER_STORE && kills < KILLS; i++) {
          kills += await round(trial, random);
          trial.look(struck);
          await trial.verify();
        }
        answers += trial.answers;
        generations += Math.max(
          0,
          ...readdirSync(trial.directory).map((name) => Number(/^journal-(\d+)$/.exec(name)?.[1] ?? 0)),
        );
      } finally {
        await trial.close();
      }
    }
    assert.ok(answers > kills, 'the writers got something done');
    return [
      `      ${kills} kills, ${answers} answered writes, ${generations} generations`,
      `${struck.holders} times the lock was held, ${struck.writes} times a record was half written`,
      `${struck.checkpoints} times a checkpoint was under way`,
    ].join(', ');
  }

  /** From before the store is open to well into the writing of all of them. */
  async function moment(writers: Writer[], random: () => number): Promise<void> {
    if (random() < 0.25) return sleep(random() * 150);
    while (!writers.every(({ answered }) => answered.length > 0)) await sleep(5);
    await sleep(random() * 250);
  }

  it('of the only process loses no answered write', async () => {
    const summary = await play(SEED, async (trial, random) => {
      const writer = trial.start(`writer ${trial.writers.length}`, random() * 2 ** 32);
      await moment([writer], random);
      await kill(writer);
      return 1;
    });
    console.log(summary);
  });

  it('of three processes that write at once loses no answered write and holds nobody up', async () => {
    let longest = 0;
    const summary = await play(SEED + 1, async (trial, random) => {
      const three = [1, 2, 3].map(() => trial.start(`writer ${trial.writers.length}`, random() * 2 ** 32));
      await moment(three, random);
      for (const writer of three) {
        await kill(writer);
        // The survivors get some time to show that they go on.
        await sleep(random() * 120);
      }
      longest = Math.max(longest, ...three.map((writer) => writer.longest));
      assert.ok(longest < PATIENCE_MS, `a writer waited ${longest} ms`);
      return 3;
    });
    console.log(`${summary}, longest wait ${Math.round(longest)} ms`);
  });
});
