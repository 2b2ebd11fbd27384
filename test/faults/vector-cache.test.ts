import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import * as esbuild from 'esbuild';
import { VectorCache } from '../../src/search/vectors/vector-cache';
import { hashOf, vectorOf } from './vector-writer';

const KILLS = process.env.KAIZEN_FAULTS === 'long' ? 60 : 8;
const WRITERS = 3;

describe('kill -9 and the cache of vectors', function () {
  this.timeout(300_000);
  let home: string;
  let script: string;
  const running = new Set<ChildProcess>();

  before(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'kaizen-vector-faults-'));
    script = path.join(home, 'writer.js');
    await esbuild.build({
      entryPoints: ['test/faults/vector-writer.ts'],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
    });
  });

  after(() => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(home, { recursive: true, force: true });
  });

  /** Kills it after a while, and returns the last text whose vector it said was kept. */
  async function killed(name: number, milliseconds: number): Promise<number> {
    const child = spawn(process.execPath, [script, path.join(home, 'cache'), String(name)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.add(child);
    const ended = once(child, 'exit');
    let last = -1;
    const lines = readline.createInterface({ input: child.stdout! });
    const begun = new Promise<void>((resolve) => {
      lines.on('line', (line) => {
        last = Number(line);
        resolve();
      });
    });
    const read = once(lines, 'close');
    await Promise.race([begun, ended]);
    await sleep(milliseconds);
    child.kill('SIGKILL');
    await Promise.all([ended, read]);
    running.delete(child);
    return last;
  }

  it('loses no vector that was kept, and gives none that is another, with several writing at once', async () => {
    const kept: { name: number; last: number }[] = [];
    for (let round = 0; round < KILLS; round++) {
      const names = Array.from({ length: WRITERS }, (_, index) => round * WRITERS + index);
      const lasts = await Promise.all(names.map((name, index) => killed(name, 5 + ((round * 7 + index * 13) % 40))));
      for (const [index, name] of names.entries()) kept.push({ name, last: lasts[index]! });
    }
    const cache = new VectorCache(path.join(home, 'cache'), 'model');
    await cache.refresh();
    let vectors = 0;
    for (const { name, last } of kept) {
      assert.ok(last >= 0, `writer ${name} kept nothing`);
      const numbers = Array.from({ length: last + 1 }, (_, number) => number);
      const found = cache.read(numbers.map((number) => hashOf(name, number)));
      for (const number of numbers) assert.deepEqual(found[number], vectorOf(name, number), `${name}/${number}`);
      vectors += numbers.length;
    }
    assert.ok(vectors > KILLS * WRITERS * 10, `${vectors} vectors`);
  });
});
