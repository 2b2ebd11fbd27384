import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import * as esbuild from 'esbuild';
import { Lock, type LockWait } from '../../src/store/lock';

/** `count` adds one to the number in a file, again and again; `hold` holds the lock until it is told to go on. */
const CHILD = `
import { readFileSync, writeFileSync } from 'node:fs';
import { Lock } from '../../src/store/lock';
const [mode, directory, times] = process.argv.slice(2) as [string, string, string];
const lock = new Lock(directory, 'lock');
const counter = directory + '/counter';
void (async () => {
  for (let i = 0; i < Number(times); i++) {
    await lock.acquire();
    if (mode === 'hold') {
      console.log('held');
      await new Promise((resolve) => process.stdin.once('data', resolve));
      process.stdin.pause();
    }
    const before = Number(readFileSync(counter, 'utf8'));
    if (i % 7 === 0) await null;
    if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    writeFileSync(counter, String(before + 1));
    lock.release();
    if (mode === 'hold') console.log('released');
  }
  lock.dispose();
})();
`;

describe('the lock', function () {
  this.timeout(60_000);
  let home: string;
  let script: string;
  let directory: string;
  const children: ChildProcess[] = [];
  const locks: Lock[] = [];
  const endings: AbortController[] = [];

  before(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'kaizen-lock-'));
    script = path.join(home, 'child.js');
    await esbuild.build({
      stdin: { contents: CHILD, resolveDir: path.resolve('test/unit'), loader: 'ts' },
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'cjs',
    });
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  beforeEach(() => {
    directory = mkdtempSync(path.join(home, 'locks-'));
    writeFileSync(path.join(directory, 'counter'), '0');
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const ending of endings.splice(0)) ending.abort();
    for (const lock of locks.splice(0)) lock.dispose();
  });

  function start(mode: 'count' | 'hold', times: number): ChildProcess {
    const child = spawn(process.execPath, [script, mode, directory, String(times)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    return child;
  }

  function mine(): Lock {
    const lock = new Lock(directory, 'lock');
    locks.push(lock);
    return lock;
  }

  const file = (name: string) => path.join(directory, name);
  const counter = () => Number(readFileSync(file('counter'), 'utf8'));
  const lockFiles = () => readdirSync(directory).filter((name) => /^lock\.\d+$/.test(name));

  async function holder(): Promise<{ child: ChildProcess; lines: AsyncIterator<string> }> {
    const child = start('hold', 1);
    const lines = readline.createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    assert.equal((await lines.next()).value, 'held');
    return { child, lines };
  }

  async function killed(child: ChildProcess): Promise<void> {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  /** As another process, here or elsewhere, would have left it. */
  function forge(name: string, change: Record<string, unknown>): void {
    const identity = { ...JSON.parse(readFileSync(file(name), 'utf8')), nonce: 'another', ...change };
    rmSync(file(name));
    writeFileSync(file(name), JSON.stringify(identity));
  }

  function age(name: string, seconds: number): void {
    const then = new Date(Date.now() - seconds * 1000);
    utimesSync(file(name), then, then);
  }

  /** A directory in which the lock was taken in epoch 1 by this process, and is held. */
  async function heldByMe(): Promise<Lock> {
    const lock = mine();
    await lock.acquire();
    assert.deepEqual(lockFiles(), ['lock.1']);
    return lock;
  }

  describe('between processes', () => {
    it('lets in one at a time', async () => {
      const [processes, times] = [4, 600];
      const running = Array.from({ length: processes }, () => start('count', times));
      const exits = await Promise.all(running.map((child) => once(child, 'exit')));
      assert.deepEqual(
        exits.map(([code]) => code),
        Array(processes).fill(0),
      );
      assert.equal(counter(), processes * times);
      assert.deepEqual(readdirSync(directory).sort(), ['counter', 'lock.epoch'], 'nothing is left behind');
    });

    it('lets in one at a time while holders are being killed', async () => {
      const survivors = [start('count', 400), start('count', 400)];
      const done = Promise.all(survivors.map((child) => once(child, 'exit')));
      for (let i = 0; i < 6; i++) {
        const { child } = await holder();
        await killed(child);
      }
      assert.deepEqual(
        (await done).map(([code]) => code),
        [0, 0],
      );
      assert.equal(counter(), 800, 'those that were killed had written nothing');
      assert.deepEqual(lockFiles().length <= 1, true);
    });

    it('is taken over from a dead holder, however lately that stirred', async () => {
      const { child } = await holder();
      const lock = mine();
      assert.equal(lock.tryAcquire(), false);
      const taken = lock.acquire();
      age('lock.1', -3600);
      await killed(child);
      await taken;
      assert.deepEqual(lockFiles(), ['lock.2']);
    });

    it('is taken over at once by who comes after the holder died', async () => {
      const { child } = await holder();
      await killed(child);
      assert.equal(mine().tryAcquire(), true);
      assert.deepEqual(lockFiles(), ['lock.2'], 'what the dead left is removed');
    });

    it('is taken over from a holder that died before it wrote its number', async () => {
      const { child } = await holder();
      await killed(child);
      rmSync(file('lock.epoch'));
      assert.equal(mine().tryAcquire(), true);
      assert.deepEqual(lockFiles(), ['lock.2']);
    });

    it('is taken over when several died before they wrote their numbers', async () => {
      const { child } = await holder();
      await killed(child);
      for (const number of [2, 3]) writeFileSync(file(`lock.${number}`), readFileSync(file('lock.1')));
      assert.equal(mine().tryAcquire(), true);
      assert.deepEqual(lockFiles(), ['lock.4']);
    });

    it('is waited for while its holder lives but is stopped for seconds', async function () {
      if (process.platform === 'win32') this.skip(); // Windows cannot stop a process by a signal.
      const { child, lines } = await holder();
      child.kill('SIGSTOP');
      const lock = mine();
      let taken = false;
      const waiting = lock.acquire().then(() => {
        taken = true;
      });
      await sleep(5000);
      assert.equal(taken, false, 'it was not robbed');
      child.kill('SIGCONT');
      child.stdin!.write('go on\n');
      assert.equal((await lines.next()).value, 'released');
      await waiting;
      assert.equal(counter(), 1, 'what it did under the lock it did before anybody else');
    });
  });

  describe('within a process', () => {
    it('lets in one object at a time', async () => {
      let inside = 0;
      await Promise.all(
        Array.from({ length: 5 }, async () => {
          const lock = mine();
          for (let i = 0; i < 20; i++) {
            await lock.acquire();
            assert.equal(++inside, 1);
            await null;
            inside--;
            lock.release();
          }
        }),
      );
    });

    it('ends the wait when the signal says so', async () => {
      await heldByMe();
      const abort = new AbortController();
      const waiting = mine().acquire(abort.signal);
      abort.abort(new Error('cancelled'));
      await assert.rejects(waiting, /cancelled/);
      await assert.rejects(mine().acquire(AbortSignal.abort()), { name: 'AbortError' });
    });

    it('stirs while it is held', async () => {
      const { setInterval } = globalThis;
      const beats: (() => void)[] = [];
      globalThis.setInterval = ((beat: () => void) => {
        beats.push(beat);
        return setInterval(() => {}, 1e6);
      }) as typeof setInterval;
      try {
        await heldByMe();
      } finally {
        globalThis.setInterval = setInterval;
      }
      age('lock.1', 60);
      assert.equal(beats.length, 1);
      beats[0]!();
      assert.ok(Date.now() - statSync(file('lock.1')).mtimeMs < 30_000, 'it is not a minute old any more');
    });
  });

  describe('believes what stands in its file', () => {
    it('a pid that lives, but as another process, is nobody', async function () {
      if (process.platform !== 'linux') this.skip(); // Elsewhere it takes a command to find out, and half a second.
      const own = await heldByMe();
      const start = JSON.parse(readFileSync(file('lock.1'), 'utf8')).start as number;
      forge('lock.1', {});
      assert.equal(mine().tryAcquire(), false, 'the very same process still holds it');
      forge('lock.1', { start: start - 1 });
      assert.equal(mine().tryAcquire(), true);
      own.release();
    });

    it('a holder on another host lives as long as its file is touched', async () => {
      await heldByMe();
      forge('lock.1', { host: 'elsewhere', pid: 1 });
      assert.equal(mine().tryAcquire(), false);
      age('lock.1', 20);
      assert.equal(mine().tryAcquire(), false);
      age('lock.1', 60);
      assert.equal(mine().tryAcquire(), true);
    });

    for (const [what, content] of Object.entries({
      nothing: '',
      rubbish: '\0\0\0\0',
      'JSON of another kind': '[1]',
      'half of it': '{"host":"h","pid":1,',
    })) {
      it(`${what} in it counts as a holder that cannot be asked`, async () => {
        const own = await heldByMe();
        writeFileSync(file('lock.1'), content);
        assert.equal(mine().tryAcquire(), false);
        age('lock.1', 60);
        assert.equal(mine().tryAcquire(), true);
        own.release();
        assert.deepEqual(lockFiles(), ['lock.2'], 'who was held to be dead does not release what is another’s');
      });
    }
  });

  describe('where a start time takes a command to find out', () => {
    const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;

    beforeEach(function () {
      if (process.platform === 'win32') this.skip(); // It has a command of its own, and PowerShell is slow to start.
      Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' });
    });

    afterEach(() => Object.defineProperty(process, 'platform', platform));

    it('a holder whose heart stood still is asked for before it counts as dead', async () => {
      await heldByMe();
      forge('lock.1', { start: Math.round(performance.timeOrigin) });
      age('lock.1', 3600);
      const deadline = Date.now() + 3_000;
      while (Date.now() < deadline) {
        assert.equal(mine().tryAcquire(), false, 'this very process lives');
        await sleep(50);
      }
    });

    it('a holder whose pid is another process’s by now is stepped over', async () => {
      await heldByMe();
      forge('lock.1', { start: Math.round(performance.timeOrigin) - 3_600_000 });
      age('lock.1', 3600);
      await mine().acquire(AbortSignal.timeout(10_000));
    });
  });

  describe('whose epoch was lost', () => {
    it('while a slow process took a number long used: it gives that number back', async () => {
      const [quick, slow] = [mine(), mine()];
      await quick.acquire();
      quick.release();
      const open = slow as unknown as { create(epoch: number): boolean };
      const create = open.create.bind(slow);
      open.create = (epoch) => {
        assert.equal(quick.tryAcquire(), true);
        quick.release();
        assert.equal(quick.tryAcquire(), true);
        writeFileSync(file('lock.epoch'), '');
        return create(epoch);
      };
      assert.equal(slow.tryAcquire(), false);
      assert.deepEqual(lockFiles(), ['lock.3']);
    });

    for (const [what, lose] of Object.entries({
      'is damaged': () => writeFileSync(file('lock.epoch'), '000000000000003 0000000'),
      'is empty': () => writeFileSync(file('lock.epoch'), ''),
      'is gone': () => rmSync(file('lock.epoch')),
    })) {
      it(`because the file ${what} does not overlook its holder, and is mended`, async () => {
        const lock = mine();
        for (let i = 0; i < 3; i++) {
          await lock.acquire();
          if (i < 2) lock.release();
        }
        assert.deepEqual(lockFiles(), ['lock.3']);
        lose();
        const other = mine();
        assert.equal(other.tryAcquire(), false);
        lock.release();
        assert.equal(other.tryAcquire(), true);
        assert.match(readFileSync(file('lock.epoch'), 'latin1'), /^(\d{15}) \1\n$/);
      });
    }
  });

  it('tells who waits for long for whom, once for each wait', async () => {
    const { child } = await holder();
    const waits: LockWait[] = [];
    let tell = () => {};
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    const waiting = new Lock(directory, 'lock', (wait) => {
      waits.push(wait);
      tell();
    });
    locks.push(waiting);
    const taken = waiting.acquire();
    await told;
    const { ended, ...wait } = waits[0]!;
    assert.deepEqual(wait, { directory, name: 'lock', pid: child.pid! });
    assert.equal(waiting.tryAcquire(), false, 'it is told while the other one is in');
    assert.equal(await Promise.race([ended.then(() => 'over'), sleep(20, 'waiting')]), 'waiting');
    child.stdin!.write('go on\n');
    await taken;
    await ended;
    assert.equal(waits.length, 1);
  });

  it('tells who waits for long that it is over, when it is given up too', async () => {
    const lock = await heldByMe();
    const ending = new AbortController();
    let given: Promise<void> | undefined;
    const wait = await new Promise<LockWait>((resolve) => {
      const waiting = new Lock(directory, 'lock', resolve);
      locks.push(waiting);
      given = waiting.acquire(ending.signal);
    });
    ending.abort();
    await assert.rejects(given!, { name: 'AbortError' });
    await wait.ended;
    lock.release();
  });

  it('says that the wait is over when who is told of it breaks', async () => {
    const lock = await heldByMe();
    let wait: LockWait | undefined;
    const waiting = new Lock(directory, 'lock', (told) => {
      wait = told;
      throw new Error('broken');
    });
    locks.push(waiting);
    await assert.rejects(waiting.acquire(), /broken/);
    await wait!.ended;
    lock.release();
  });

  it('names no process of another host to who waits', async () => {
    const lock = await heldByMe();
    forge('lock.1', { host: 'elsewhere' });
    const wait = await new Promise<LockWait>((resolve) => {
      const waiting = new Lock(directory, 'lock', resolve);
      locks.push(waiting);
      const ending = new AbortController();
      endings.push(ending);
      waiting.acquire(ending.signal).catch(() => {});
    });
    assert.deepEqual([wait.directory, wait.name, wait.pid], [directory, 'lock', undefined]);
    lock.release();
  });

  it('survives that its holder file is tidied away', async () => {
    const lock = mine();
    await lock.acquire();
    lock.release();
    for (const name of readdirSync(directory)) if (name.startsWith('lock-holder-')) rmSync(file(name));
    await lock.acquire();
    assert.deepEqual(lockFiles(), ['lock.2']);
  });

  it('says when it cannot be taken at all', async () => {
    const nowhere = new Lock(path.join(directory, 'gone'), 'lock');
    await assert.rejects(nowhere.acquire(), { name: 'KaizenError', code: 'store_io' });
    assert.ok(!existsSync(path.join(directory, 'gone')));
  });
});
