import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import * as esbuild from 'esbuild';
import { learningUri } from '../../src/core/knowledge-uri';
import { CAUSE, fileOf, IMPORTED, lessonsOf, openLearned, type Said } from './learning-writer';
import { prng } from './prng';

const LONG = process.env.KAIZEN_FAULTS === 'long';
const ROUNDS = LONG ? 20 : 2;
const SEED = Number(process.env.KAIZEN_SEED ?? Date.now() % 1_000_000);

interface Writer {
  name: string;
  child: ChildProcess;
  said: Exclude<Said, { error: string }>[];
  ended: Promise<unknown>;
}

describe('what was learned, when whoever writes it is killed', function () {
  this.timeout(LONG ? 900_000 : 120_000);
  let home: string;
  let script: string;
  const running = new Set<ChildProcess>();
  const errors: string[] = [];

  before(async () => {
    console.log(`    seed ${SEED} (KAIZEN_SEED=${SEED} makes the same choices again)`);
    home = mkdtempSync(path.join(tmpdir(), 'kaizen-learning-faults-'));
    await esbuild.build({
      entryPoints: { writer: 'test/faults/learning-writer.ts', 'checkpoint-worker': 'src/store/checkpoint-worker.ts' },
      ...{ outdir: home, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' },
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
    const writer: Writer = { name, child, said: [], ended: once(child, 'close') };
    void writer.ended.then(() => running.delete(child));
    readline.createInterface({ input: child.stdout! }).on('line', (line) => {
      const said = JSON.parse(line) as Said;
      if ('error' in said) errors.push(`${name}: ${said.error}`);
      else writer.said.push(said);
    });
    return writer;
  }

  it('keeps what it was told that is kept, and nothing by halves', async () => {
    const random = prng(SEED);
    const directory = path.join(home, 'store');
    mkdirSync(directory);
    const writers: Writer[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const two = [1, 2].map((number) => start(directory, `w${round}x${number}`));
      writers.push(...two);
      while (!two.every(({ said }) => said.length > 5) && errors.length === 0) await sleep(5);
      for (const { child, ended, said } of two) {
        // Half of them while they import, the others wherever they are.
        const isToImport = random() < 0.5;
        while (isToImport && said.at(-1)?.step !== 'related' && errors.length === 0) await sleep(1);
        await sleep(random() * (isToImport ? 20 : 300));
        child.kill('SIGKILL');
        await ended;
      }
    }
    assert.deepEqual(errors, []);

    const { learning, relations, close } = await openLearned(directory);
    const said = writers.flatMap((writer) => writer.said.map((each) => ({ ...each, name: writer.name })));
    const projects = learning.list('project');
    const feedback = learning.exportFeedback();
    const related = await relations.find({ limit: 1_000 });
    for (const each of said) {
      if (each.step === 'captured') assert.ok(learning.get('project', each.id), `${each.name} ${each.n}`);
      if (each.step === 'finished') assert.equal(learning.get('project', each.id)!.status, 'completed');
      if (each.step === 'rated')
        assert.ok(
          feedback.some(({ id }) => id === each.id),
          `${each.name} ${each.n}`,
        );
      if (each.step === 'related')
        assert.ok(
          related.some(({ id }) => id === each.id),
          `${each.name} ${each.n}`,
        );
    }
    // An outcome comes with its lessons and its feedback, whether or not there was time to say so.
    for (const { id, name, status } of projects) {
      const [writer, n] = name.split('-') as [string, string];
      const lessons = learning.list('lesson').filter(({ project_id }) => project_id === id);
      const given = feedback.filter((each) => each.project_id === id && each.feedback_source === 'outcome_tracking');
      const isOver = status === 'completed';
      assert.deepEqual(
        lessons.map(({ lesson }) => lesson).sort(),
        isOver ? lessonsOf(writer, Number(n)) : [],
        `${name} is ${status}`,
      );
      assert.equal(given.length, isOver ? 1 : 0, `${name} is ${status}`);
    }
    for (const { target, evidence } of related) {
      assert.ok(learning.find(target));
      assert.deepEqual(evidence, [CAUSE]);
    }
    // An import that was cut off is a beginning of it, which importing again completes.
    let cutOff = 0;
    for (const { name, said: told } of writers) {
      const rounds = Math.max(...told.map(({ n }) => n));
      for (let n = 1; n <= rounds; n++) {
        const { records } = fileOf(name, n);
        const there = records.filter(({ record }) => learning.get('lesson', record.id) !== undefined).length;
        assert.ok(
          records.slice(0, there).every(({ record }) => learning.find(learningUri('lesson', record.id))),
          'those that come first are there first',
        );
        const isSaid = told.some((each) => each.n === n && each.step === 'imported');
        if (isSaid) assert.equal(there, IMPORTED, `${name} ${n}`);
        if (there > 0 && there < IMPORTED) cutOff++;
        const { added, unchanged, kept } = await learning.import({ records }, {}, { author: 'verifier' });
        assert.deepEqual([added, unchanged, kept], [IMPORTED - there, there, []]);
      }
    }
    assert.deepEqual((await learning.recalculate()).changed, []);
    await close();
    assert.deepEqual(errors, []);
    console.log(`    ${writers.length} killed after ${said.length} promises; ${cutOff} imports were cut off`);
  });
});
