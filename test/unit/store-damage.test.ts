import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as esbuild from 'esbuild';
import type { Store } from '../../src/store';
import { Database, loadSqlite } from '../../src/store/database';
import { add, Bench, fingerprint, frameOffsets, names, survives } from '../support/stores';

const file = (kind: 'journal' | 'snapshot', generation: number) =>
  `${kind}-${String(generation).padStart(6, '0')}${kind === 'snapshot' ? '.sqlite' : ''}`;

describe('a damaged store', () => {
  const bench = new Bench();
  afterEach(() => bench.cleanUp());

  /** Generation 1: `a` to `d` in its journal. */
  async function first(): Promise<string> {
    const directory = bench.directory();
    const store = await bench.open(directory);
    for (const name of ['a', 'b', 'c', 'd']) await add(store, name);
    await store.close();
    return directory;
  }

  /** Generation 3: `a` to `d` in its snapshot, `e` and `f` in its journal; generation 2 is kept. */
  async function third(): Promise<string> {
    const directory = await first();
    const store = await bench.open(directory);
    await store.checkpoint();
    await store.checkpoint();
    await add(store, 'e');
    await add(store, 'f');
    await store.close();
    assert.deepEqual(Object.keys(fingerprint(directory)).length, 4);
    return directory;
  }

  const edit = (directory: string, name: string, change: (bytes: Buffer) => Buffer): Buffer => {
    const where = path.join(directory, name);
    const changed = change(Buffer.from(readFileSync(where)));
    writeFileSync(where, changed);
    return changed;
  };

  const flipped =
    (offset: number, bit = 0) =>
    (bytes: Buffer) => {
      bytes[offset]! ^= 1 << bit;
      return bytes;
    };

  /** What is expected of every recovery: the state, what was said, that nothing was overwritten, and that it goes on. */
  async function recovers(directory: string, expected: string[], damaged: Buffer[], report: RegExp): Promise<void> {
    const store = await bench.open(directory);
    assert.deepEqual(names(store), expected);
    assert.ok(bench.reports.length > 0, 'the person is told');
    assert.match(bench.reports.join('\n'), report);
    for (const bytes of damaged) assert.ok(survives(directory, bytes), 'what was damaged is kept byte for byte');
    const told = bench.reports.length;
    await goesOn(directory, store, expected);
    assert.equal(bench.reports.length, told, 'and is told once');
  }

  async function goesOn(directory: string, store: Store, expected: string[]): Promise<void> {
    await add(store, 'after');
    await store.checkpoint();
    await add(store, 'and after');
    await store.close();
    const again = await bench.open(directory);
    assert.deepEqual(names(again), [...expected, 'after', 'and after']);
    assert.deepEqual(again.read().all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
    await again.close();
  }

  async function refusedWhole(directory: string): Promise<void> {
    const before = fingerprint(directory);
    await assert.rejects(bench.open(directory), (error: Error & { code: string; hint: string }) => {
      assert.equal(error.name, 'KaizenError');
      assert.equal(error.code, 'store_damaged');
      assert.match(error.hint, /Nothing was changed/);
      return true;
    });
    assert.deepEqual(fingerprint(directory), before);
  }

  describe('whose last write was cut off', () => {
    it('opens without it, at whichever byte that was', async () => {
      const original = await first();
      const journal = readFileSync(path.join(original, file('journal', 1)));
      const [begin, end] = frameOffsets(journal).slice(-2) as [number, number];
      for (let length = begin; length < end; length++) {
        const directory = bench.copyOf(original);
        truncateSync(path.join(directory, file('journal', 1)), length);
        const store = await bench.open(directory);
        assert.deepEqual(names(store), ['a', 'b', 'c'], `cut off at ${length - begin} of ${end - begin}`);
        await add(store, 'd again');
        await store.close();
        const again = await bench.open(directory);
        assert.deepEqual(names(again), ['a', 'b', 'c', 'd again']);
        await again.close();
      }
      assert.deepEqual(bench.reports, [], 'nothing that was answered is lost');
    });

    it('is mended by a peer that had it open', async () => {
      const directory = await first();
      const [reader, writer] = [await bench.open(directory), await bench.open(directory)];
      edit(directory, file('journal', 1), (bytes) => Buffer.concat([bytes, bytes.subarray(-60, -10)]));
      edit(directory, file('journal', 1), (bytes) => {
        const torn = frameOffsets(
          readFileSync(path.join(directory, file('journal', 1))).subarray(0, bytes.length - 50),
        );
        return Buffer.concat([
          bytes.subarray(0, bytes.length - 50),
          bytes.subarray(torn.at(-2), (torn.at(-2) ?? 0) + 30),
        ]);
      });
      assert.deepEqual(names(reader), ['a', 'b', 'c', 'd']);
      await add(writer, 'e');
      assert.deepEqual(names(reader), ['a', 'b', 'c', 'd', 'e']);
      assert.deepEqual(bench.reports, []);
    });
  });

  describe('whose journal', () => {
    /** One byte in each field of a frame. */
    const fields = { magic: 1, checksum: 5, 'length (longer)': 8, 'length (shorter)': 11, number: 19, payload: 40 };

    for (const [field, offset] of Object.entries(fields)) {
      for (const [which, expected, index] of [
        ['last', ['a', 'b', 'c'], -2],
        ['middle', ['a'], -4],
      ] as const) {
        it(`has a bit flipped in the ${field} of a ${which} record is opened up to there`, async () => {
          const directory = await first();
          const damaged = edit(directory, file('journal', 1), (bytes) => {
            const at = frameOffsets(bytes).at(index)!;
            return flipped(at + offset, field === 'length (longer)' ? 4 : 6)(bytes);
          });
          await recovers(directory, [...expected], [damaged], /damaged at byte \d+ of \d+.*after transaction \d/);
        });
      }

      it(`has a bit flipped in the ${field} of the header is opened`, async () => {
        const original = await first();
        const one = bench.copyOf(original);
        const damaged = edit(one, file('journal', 1), flipped(offset, 4));
        await recovers(one, ['a', 'b', 'c', 'd'], [damaged], /no readable header/);
        bench.reports.length = 0;
        const later = await third();
        const other = edit(later, file('journal', 3), flipped(offset, 4));
        await recovers(later, ['a', 'b', 'c', 'd', 'e', 'f'], [other], /no readable header/);
      });
    }

    it('ends in zeros is opened up to there', async () => {
      const directory = await first();
      const damaged = edit(directory, file('journal', 1), (bytes) => bytes.fill(0, frameOffsets(bytes).at(-2)));
      await recovers(directory, ['a', 'b', 'c'], [damaged], /damaged at byte/);
    });

    it('has zeros behind its end is opened whole', async () => {
      const directory = await first();
      const damaged = edit(directory, file('journal', 1), (bytes) => Buffer.concat([bytes, Buffer.alloc(4096)]));
      await recovers(directory, ['a', 'b', 'c', 'd'], [damaged], /damaged at byte/);
    });

    it('has zeros in its middle is opened up to there', async () => {
      const directory = await first();
      const damaged = edit(directory, file('journal', 1), (bytes) => {
        const offsets = frameOffsets(bytes);
        return bytes.fill(0, offsets[2], offsets[3]);
      });
      await recovers(directory, ['a'], [damaged], /after transaction 1 /);
    });

    it('lacks a record is opened up to there', async () => {
      const directory = await first();
      const damaged = edit(directory, file('journal', 1), (bytes) => {
        const offsets = frameOffsets(bytes);
        return Buffer.concat([bytes.subarray(0, offsets[2]), bytes.subarray(offsets[3])]);
      });
      await recovers(directory, ['a'], [damaged], /after transaction 1 /);
    });

    it('lacks its header is opened whole', async () => {
      const directory = await third();
      const damaged = edit(directory, file('journal', 3), (bytes) => bytes.subarray(frameOffsets(bytes)[1]));
      await recovers(directory, ['a', 'b', 'c', 'd', 'e', 'f'], [damaged], /no readable header/);
    });

    for (const [what, content] of [
      ['is empty', Buffer.alloc(0)],
      ['is something else', Buffer.from('#!/bin/sh\nexit 1\n')],
      ['is all zeros', Buffer.alloc(5000)],
    ] as const) {
      it(`${what} is opened as far as the snapshot goes`, async () => {
        const directory = await third();
        edit(directory, file('journal', 3), () => content);
        await recovers(directory, ['a', 'b', 'c', 'd'], [content], /no readable header/);
      });
    }

    it('was deleted is opened as far as the snapshots go, and it is said that something is lost', async () => {
      const [one, later] = [await first(), await third()];
      rmSync(path.join(one, file('journal', 1)));
      await recovers(one, [], [], /journal-000001 is missing/);
      bench.reports.length = 0;
      const orphan = readFileSync(path.join(later, file('snapshot', 3)));
      rmSync(path.join(later, file('journal', 3)));
      await recovers(
        later,
        ['a', 'b', 'c', 'd'],
        [orphan],
        /followed .*journal-000002 is missing.*transaction 4 is lost/,
      );
    });

    it('was deleted while peers have it open is mended by whoever writes next', async () => {
      const directory = await third();
      const peers = [await bench.open(directory), await bench.open(directory), await bench.open(directory)];
      rmSync(path.join(directory, file('journal', 3)));
      assert.deepEqual(names(peers[0]!), ['a', 'b', 'c', 'd']);
      await add(peers[1]!, 'new');
      for (const peer of peers) assert.deepEqual(names(peer), ['a', 'b', 'c', 'd', 'new']);
      assert.equal(bench.reports.length, 1);
    });
  });

  describe('whose snapshot', () => {
    const foreign = async () => {
      const database = new Database(await loadSqlite());
      database.exec('CREATE TABLE item (id, name); INSERT INTO item VALUES (1, "not ours")');
      const bytes = Buffer.from(database.export());
      database.close();
      return bytes;
    };
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const damages: Record<string, (bytes: Buffer) => Buffer | Promise<Buffer> | undefined> = {
      'is cut in half': (bytes) => bytes.subarray(0, bytes.length / 2),
      'lacks its last byte': (bytes) => bytes.subarray(0, -1),
      'is empty': () => Buffer.alloc(0),
      'is another SQLite database': foreign,
      'is a picture': () => png,
      'is all zeros': (bytes) => bytes.fill(0),
      'has a bit flipped': (bytes) => flipped(bytes.length - 100)(bytes),
      'is missing': () => undefined,
    };

    for (const [what, damage] of Object.entries(damages)) {
      for (const [when, generation, make, expected] of [
        ['at first', 1, first, ['a', 'b', 'c', 'd']],
        ['later', 3, third, ['a', 'b', 'c', 'd', 'e', 'f']],
      ] as const) {
        it(`${what} is rebuilt without a loss, ${when}`, async () => {
          const directory = await make();
          const where = path.join(directory, file('snapshot', generation));
          const damaged = await damage(readFileSync(where));
          if (damaged) writeFileSync(where, damaged);
          else rmSync(where);
          await recovers(
            directory,
            [...expected],
            damaged ? [damaged] : [],
            /snapshot-.*(is damaged|is empty|is missing)/,
          );
        });
      }
    }

    it('and journal header are both damaged opens from the generation before', async () => {
      const directory = await third();
      const journal = edit(directory, file('journal', 3), flipped(30));
      const snapshot = edit(directory, file('snapshot', 3), (bytes) => bytes.subarray(0, 5000));
      await recovers(directory, ['a', 'b', 'c', 'd', 'e', 'f'], [journal, snapshot], /header[\s\S]*snapshot/);
    });

    it('and journal are both lost opens from the generation before', async () => {
      const directory = await third();
      for (const kind of ['journal', 'snapshot'] as const) rmSync(path.join(directory, file(kind, 3)));
      await recovers(directory, ['a', 'b', 'c', 'd'], [], /followed .*journal-000002 is missing/);
    });

    it('and everything else is damaged is refused and left whole', async () => {
      for (const make of [first, third]) {
        const directory = await make();
        for (const name of Object.keys(fingerprint(directory))) writeFileSync(path.join(directory, name), 'rubbish');
        await refusedWhole(directory);
      }
    });

    it('is damaged in two generations is refused and left whole', async () => {
      const directory = await third();
      for (const generation of [2, 3]) edit(directory, file('snapshot', generation), () => Buffer.from('rubbish'));
      await refusedWhole(directory);
    });

    it('went bad while peers have it open: they keep what they know and follow the recovery', async () => {
      const directory = await third();
      const [reader, writer] = [await bench.open(directory), await bench.open(directory)];
      const damaged = edit(directory, file('snapshot', 3), flipped(3000));
      const newcomer = await bench.open(directory);
      assert.equal(bench.reports.length, 1);
      await add(newcomer, 'g');
      assert.deepEqual(names(reader), ['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'also a peer that only reads');
      await add(writer, 'h');
      assert.deepEqual(names(newcomer), names(reader));
      assert.ok(survives(directory, damaged));
    });
  });

  describe('that goes bad while it is open', () => {
    for (const [what, name, offset] of [
      ['snapshot', file('snapshot', 3), 3000],
      ['journal', file('journal', 3), -30],
      ["journal's header", file('journal', 3), 30],
    ] as const) {
      it(`does not carry a damaged ${what} on at a checkpoint, and loses nothing`, async () => {
        const directory = await third();
        const store = await bench.open(directory);
        const damaged = edit(directory, name, (bytes) => flipped(offset < 0 ? bytes.length + offset : offset)(bytes));
        await store.checkpoint();
        assert.match(bench.reports.join(), new RegExp(`${name} is damaged`));
        assert.ok(survives(directory, damaged));
        assert.deepEqual(names(await bench.open(directory)), ['a', 'b', 'c', 'd', 'e', 'f']);
        await goesOn(directory, store, ['a', 'b', 'c', 'd', 'e', 'f']);
      });
    }

    it('says that it is gone when its files are', async () => {
      const directory = await first();
      const store = await bench.open(directory);
      for (const name of readdirSync(directory)) rmSync(path.join(directory, name));
      assert.throws(() => store.read(), { code: 'store_damaged', message: /are gone/ });
      await assert.rejects(add(store, 'x'), { code: 'store_damaged' });
      rmSync(directory, { recursive: true });
      assert.throws(() => store.read(), { name: 'KaizenError' });
      await assert.rejects(add(store, 'x'), { name: 'KaizenError' });
      mkdirSync(directory);
    });
  });

  it('is recovered from twice without the second taking the place of the first', async () => {
    const directory = await first();
    const clock = { now: () => 0 };
    const kept: Buffer[] = [];
    for (const generation of [1, 2]) {
      kept.push(
        edit(directory, file('journal', generation), (bytes) => Buffer.concat([bytes, Buffer.from('rubbish')])),
      );
      await (await bench.open(directory, { clock })).close();
    }
    for (const bytes of kept) assert.ok(survives(directory, bytes));
    assert.equal(readdirSync(directory).filter((name) => name.startsWith('damaged-')).length, 2);
  });

  it('is opened by several processes at once and recovered by one', async () => {
    const directory = await third();
    edit(directory, file('snapshot', 3), flipped(3000));
    const stores = await Promise.all([1, 2, 3].map(() => bench.open(directory)));
    assert.equal(bench.reports.length, 1);
    await add(stores[2]!, 'g');
    for (const store of stores) assert.equal(names(store).length, 7);
  });
});

/** What a process without rights or space does: opens, reads, writes, and prints how each went. */
const PROBE = `
import { Store } from '../../src/store';
import { itemSchema } from '../support/stores';
const [directory, count, size] = process.argv.slice(2) as [string, string, string];
const say = (value: unknown) => process.stdout.write(JSON.stringify(value) + '\\n');
const failed = (error: any) => say({ error: error.code ?? error.message, kaizen: error.name === 'KaizenError' });
void (async () => {
  const reports: string[] = [];
  try {
    const store = await Store.open(directory, { schemas: [itemSchema], checkpointBytes: 8000, onReport: (message) => reports.push(message) });
    say({ read: store.read().all('SELECT name FROM item').length });
    for (let i = 0; i < Number(count); i++) {
      const name = 'probe ' + i + 'x'.repeat(Number(size));
      await store.write(({ run }) => run('INSERT INTO item (name) VALUES (?)', [name])).then(() => say({ wrote: i }), failed);
    }
    say({ read: store.read().all('SELECT name FROM item').length });
    await store.close();
  } catch (error) {
    failed(error);
  }
  say({ reports });
})();
`;

interface Said {
  read?: number;
  wrote?: number;
  error?: string;
  kaizen?: boolean;
  reports?: string[];
}

describe('a store that cannot be written', function () {
  this.timeout(60_000);
  const bench = new Bench();
  let home: string;
  let probe: string;

  before(async () => {
    home = mkdtempSync(path.join(tmpdir(), 'kaizen-probe-'));
    chmodSync(home, 0o755);
    probe = path.join(home, 'probe.js');
    await esbuild.build({
      external: ['sql.js/dist/sql-wasm.wasm'],
      stdin: { contents: PROBE, resolveDir: path.resolve('test/unit'), loader: 'ts' },
      outfile: probe,
      bundle: true,
      platform: 'node',
      format: 'cjs',
    });
    writeFileSync(path.join(home, 'sql-wasm.wasm'), readFileSync(require.resolve('sql.js/dist/sql-wasm.wasm')));
  });
  after(() => rmSync(home, { recursive: true, force: true }));
  afterEach(() => bench.cleanUp());

  async function made(...added: string[]): Promise<string> {
    const directory = bench.directory();
    const store = await bench.open(directory);
    if (added.length > 0) await add(store, ...added);
    await store.close();
    return directory;
  }

  /** Limits on a process are POSIX's, and root may write everywhere. */
  function run(directory: string, { count = 1, size = 0, blocks = 0, unprivileged = false } = {}): Said[] {
    const limits = blocks > 0 ? `trap '' XFSZ; ulimit -f ${blocks}; ` : '';
    const node = [process.execPath, probe, directory, String(count), String(size)].map((word) => `'${word}'`).join(' ');
    const rights = unprivileged && process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    // Whoever talks to it over a socket is taken for a remote login, and would have it read a profile.
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', `${limits}exec ${node}`], {
      encoding: 'utf8',
      cwd: home,
      ...rights,
    });
    assert.equal(stderr, '');
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Said);
  }

  function posixOnly(context: Mocha.Context): void {
    // Windows has neither file size limits for a process nor directories that their owner may not write.
    if (process.platform === 'win32') context.skip();
  }

  describe('because its directory may only be read', () => {
    /** Readable for everybody, writable for nobody but root. */
    function readOnly(directory: string): void {
      for (const name of readdirSync(directory)) chmodSync(path.join(directory, name), 0o444);
      chmodSync(directory, 0o555);
    }
    const writable = (directory: string) => chmodSync(directory, 0o755);

    it('is read, and each write is refused with the reason', async function () {
      posixOnly(this);
      const directory = await made('a', 'b');
      readOnly(directory);
      const before = fingerprint(directory);
      assert.deepEqual(run(directory, { unprivileged: true, count: 2 }), [
        { read: 2 },
        { error: 'read_only', kaizen: true },
        { error: 'read_only', kaizen: true },
        { read: 2 },
        { reports: [] },
      ]);
      assert.deepEqual(fingerprint(directory), before);
      writable(directory);
    });

    it('is read even when it is damaged, which is told', async function () {
      posixOnly(this);
      const directory = await made('a', 'b');
      writeFileSync(path.join(directory, file('snapshot', 1)), 'rubbish');
      readOnly(directory);
      const before = fingerprint(directory);
      const said = run(directory, { unprivileged: true });
      assert.deepEqual(said.slice(0, 2), [{ read: 2 }, { error: 'read_only', kaizen: true }]);
      assert.match(said.at(-1)?.reports?.join() ?? '', /snapshot.*is damaged.*left as it is/);
      assert.deepEqual(fingerprint(directory), before);
      writable(directory);
    });

    it('is not made there, with the reason', async function () {
      posixOnly(this);
      const directory = bench.directory();
      readOnly(directory);
      for (const place of [directory, path.join(directory, 'deeper')]) {
        assert.deepEqual(run(place, { unprivileged: true }), [{ error: 'read_only', kaizen: true }, { reports: [] }]);
      }
      writable(directory);
      assert.deepEqual(readdirSync(directory), []);
    });
  });

  describe('because there is no space left', () => {
    /** What was answered as stored is there, the failures are clear, and once there is space all goes on. */
    async function holdsWhatWasAnswered(directory: string, said: Said[], earlier: number): Promise<void> {
      const answered = said.filter(({ wrote }) => wrote !== undefined);
      const errors = said.filter(({ error }) => error !== undefined);
      assert.ok(errors.length > 0, 'the limit was reached');
      assert.ok(
        errors.every(({ error, kaizen }) => kaizen && error === 'store_full'),
        JSON.stringify(errors[0]),
      );
      assert.deepEqual(said.filter(({ read }) => read !== undefined).at(-1), { read: earlier + answered.length });
      const store = await bench.open(directory);
      const found = names(store);
      assert.equal(found.length, earlier + answered.length);
      for (const { wrote } of answered) assert.ok(found.some((name) => name.startsWith(`probe ${wrote}x`)));
      assert.deepEqual(bench.reports, []);
      await add(store, 'with space');
      assert.deepEqual(names(await bench.open(directory)), [...found, 'with space']);
      const rest = readdirSync(directory).filter((name) => name.endsWith('.tmp'));
      assert.deepEqual(rest, []);
    }

    it('in a file (a limit of the process) says so and loses nothing', async function () {
      posixOnly(this);
      const directory = await made('a');
      // The limit is in blocks of 1024 bytes; a record has about 3,100 bytes, so it ends in the midst of one.
      await holdsWhatWasAnswered(directory, run(directory, { count: 20, size: 3000, blocks: 32 }), 1);
    });

    it('is not made half, and is made once there is', async function () {
      posixOnly(this);
      const directory = bench.directory();
      const said = run(directory, { blocks: 2 });
      assert.deepEqual(said, [{ error: 'store_full', kaizen: true }, { reports: [] }]);
      assert.deepEqual(Object.keys(fingerprint(directory)), []);
      assert.deepEqual(names(await bench.open(directory)), []);
    });

    it('on the device (a small tmpfs) says so and loses nothing', async function () {
      if (process.platform !== 'linux' || process.getuid?.() !== 0) this.skip(); // Mounting takes root.
      const mount = bench.directory();
      if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mount]).status !== 0) this.skip();
      try {
        const directory = path.join(mount, 'store');
        const said = run(directory, { count: 120, size: 20_000 });
        const answered = said.filter(({ wrote }) => wrote !== undefined).length;
        const full = said.filter(({ error }) => error !== undefined);
        assert.ok(answered > 0 && full.length > 0);
        assert.ok(
          full.every(({ error, kaizen }) => kaizen && error === 'store_full'),
          JSON.stringify(full[0]),
        );
        for (const report of said.at(-1)?.reports ?? []) assert.match(report, /checkpoint .*no space left/);
        assert.deepEqual(names(await bench.open(directory)).length, answered);
        // Torn tail and full device at once: it opens all the same.
        const [newest] = readdirSync(directory)
          .filter((name) => name.startsWith('journal-'))
          .sort()
          .reverse();
        truncateSync(path.join(directory, newest!), readFileSync(path.join(directory, newest!)).length - 5);
        while (
          spawnSync('dd', ['if=/dev/zero', `of=${mount}/filler`, 'bs=512', 'oflag=append', 'conv=notrunc']).status === 0
        );
        assert.deepEqual(run(directory)[0], { read: answered - 1 });
        const elsewhere = bench.copyOf(directory);
        const store = await bench.open(elsewhere);
        await add(store, 'with space');
        assert.equal(names(store).length, answered);
      } finally {
        await bench.close();
        spawnSync('umount', [mount]);
      }
    });
  });

  it('keeps its own account when a directory is moved away under it', async () => {
    const directory = await made('a');
    const store = await bench.open(directory);
    renameSync(directory, `${directory}-moved`);
    await assert.rejects(add(store, 'b'), { name: 'KaizenError' });
    assert.ok(!existsSync(directory));
    renameSync(`${directory}-moved`, directory);
    await add(store, 'b');
    assert.deepEqual(names(await bench.open(directory)), ['a', 'b']);
  });
});
