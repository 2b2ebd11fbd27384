import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs, {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { rehearse, type Store, type Transaction } from '../../src/store';
import { Database, loadSqlite } from '../../src/store/database';
import { encodeFrame } from '../../src/store/journal';
import { add, Bench, fingerprint, frameOffsets, itemSchema, names } from '../support/stores';

describe('a store', () => {
  const bench = new Bench();
  afterEach(() => bench.cleanUp());

  const journal = (directory: string, generation = 1) =>
    path.join(directory, `journal-${String(generation).padStart(6, '0')}`);
  const snapshot = (directory: string, generation = 1) =>
    path.join(directory, `snapshot-${String(generation).padStart(6, '0')}.sqlite`);

  it('is made where there is none, in directories that are made too', async () => {
    const directory = path.join(bench.directory(), 'a', 'b');
    const store = await bench.open(directory);
    assert.deepEqual(names(store), []);
    assert.ok(existsSync(snapshot(directory)) && existsSync(journal(directory)));
    assert.deepEqual(bench.reports, []);
  });

  it('is made once when several open an empty directory at the same time', async () => {
    const directory = bench.directory();
    const stores = await Promise.all([1, 2, 3, 4].map(() => bench.open(directory)));
    for (const [index, store] of stores.entries()) await add(store, `item ${index}`);
    for (const store of stores) assert.deepEqual(names(store), ['item 0', 'item 1', 'item 2', 'item 3']);
    assert.deepEqual(Object.keys(fingerprint(directory)), ['journal-000001', 'snapshot-000001.sqlite']);
  });

  describe('that the first write is to make', () => {
    const LATE = { createsOnWrite: true };
    let parent: string;
    let directory: string;
    beforeEach(() => {
      parent = bench.directory();
      directory = path.join(parent, 'a', 'b');
    });

    it('is empty to who reads, and leaves nothing behind', async () => {
      const store = await bench.open(directory, LATE);
      assert.deepEqual(names(store), []);
      assert.deepEqual(store.stamp(), { generation: 0, journal: 0, sequence: 0, lineage: '' });
      store.onDidChange(() => {}).dispose();
      await store.checkpoint();
      await store.close();
      assert.deepEqual(readdirSync(parent), []);
    });

    it('is there as any other with the first write', async () => {
      const store = await bench.open(directory, LATE);
      await add(store, 'a');
      await add(store, 'b');
      assert.deepEqual(names(store), ['a', 'b']);
      assert.equal(store.stamp().generation, 1);
      assert.deepEqual(Object.keys(fingerprint(directory)), ['journal-000001', 'snapshot-000001.sqlite']);
      assert.deepEqual(names(await bench.open(directory)), ['a', 'b']);
      await store.checkpoint();
      assert.deepEqual(names(await bench.open(directory)), ['a', 'b']);
    });

    it('is made with what the first write stores, which reads what it wrote itself', async () => {
      const store = await bench.open(directory, LATE);
      const read = await store.write((transaction) => {
        transaction.run("INSERT INTO item (name) VALUES ('a')");
        const [item] = transaction.all<{ name: string }>('SELECT name FROM item');
        return item?.name;
      });
      assert.equal(read, 'a');
      const [wrote] = await store.holding((commit) => [
        commit((transaction) => transaction.run("INSERT INTO item (name) VALUES ('b')")),
        commit((transaction) => transaction.run("INSERT INTO item (name) VALUES ('c')")),
      ]);
      assert.equal(wrote, undefined);
      assert.deepEqual(names(store), ['a', 'b', 'c']);
      assert.deepEqual(names(await bench.open(directory)), ['a', 'b', 'c']);
    });

    it('is not made by what is refused, only tried, or changes nothing', async () => {
      const store = await bench.open(directory, LATE);
      const insert = (transaction: Transaction) => transaction.run("INSERT INTO item (name) VALUES ('a')");
      await assert.rejects(
        store.write((transaction) => {
          insert(transaction);
          throw new Error('refused');
        }),
        /refused/,
      );
      await rehearse(store, insert);
      await store.write((transaction) => transaction.touch('items'));
      await store.holding(() => {});
      await assert.rejects(store.write(insert, AbortSignal.abort()), { code: 'cancelled' });
      assert.deepEqual(names(store), []);
      assert.deepEqual(fingerprint(directory), {});
      assert.equal(store.stamp().generation, 0);
      await add(store, 'a');
      assert.deepEqual(names(await bench.open(directory)), ['a']);
    });

    it('is recovered by the first write where only a snapshot is left of it', async () => {
      const source = bench.directory();
      const before = await bench.open(source);
      await add(before, 'a', 'b');
      await before.checkpoint();
      const store = await bench.open(directory, LATE);
      mkdirSync(directory, { recursive: true });
      copyFileSync(snapshot(source, 2), snapshot(directory, 2));
      await add(store, 'c');
      assert.deepEqual(names(store), ['a', 'b', 'c']);
      assert.match(bench.reports.join(), /journal-000002 is missing\. The last good state was recovered/);
      assert.deepEqual(names(await bench.open(directory)), ['a', 'b', 'c']);
    });

    it('is empty to who has newer tables until it is brought forward, when an older build makes it', async () => {
      const newer = {
        ...itemSchema,
        migrations: [...itemSchema.migrations, 'CREATE TABLE more (name TEXT NOT NULL) STRICT;'],
      };
      const count = (store: Store) => store.read().get<{ n: number }>('SELECT count(*) AS n FROM more')?.n;
      const store = await bench.open(directory, { ...LATE, schemas: [newer] });
      const other = await bench.open(directory, { ...LATE, schemas: [newer] });
      const older = await bench.open(directory);
      await add(older, 'a');
      assert.deepEqual([names(store), count(store)], [[], 0]);
      await add(store, 'b');
      for (const each of [store, other]) assert.deepEqual([names(each), count(each)], [['a', 'b'], 0]);
    });

    it('is for this person alone', async function () {
      if (process.platform === 'win32') this.skip();
      const mask = process.umask(0o022);
      try {
        const store = await bench.open(directory, LATE);
        store.makeDirectory();
        for (const made of [path.dirname(directory), directory]) assert.equal(statSync(made).mode & 0o777, 0o700);
      } finally {
        process.umask(mask);
      }
    });

    it('makes the directory for work beside it', async () => {
      const store = await bench.open(directory, LATE);
      const turnstile = store.turnstile('work');
      assert.equal(await turnstile.run(() => existsSync(directory)), true);
      await turnstile.close();
      assert.deepEqual(names(store), []);
    });

    it('is made once by several who write first at the same time, and all have it', async () => {
      const stores = await Promise.all([1, 2, 3].map(() => bench.open(directory, LATE)));
      await Promise.all(stores.map((store, index) => add(store, `item ${index}`)));
      for (const store of stores) assert.deepEqual(names(store).sort(), ['item 0', 'item 1', 'item 2']);
      assert.deepEqual(Object.keys(fingerprint(directory)), ['journal-000001', 'snapshot-000001.sqlite']);
    });

    it('shows who read and who listens what another makes of it', async () => {
      const reader = await bench.open(directory, LATE);
      assert.deepEqual(names(reader), []);
      const heard = new Promise<ReadonlySet<string>>((resolve) => void reader.onDidChange(resolve));
      const writer = await bench.open(directory);
      await add(writer, 'a');
      // Without a look of its own, so that it is the listener who hears of it.
      assert.ok((await heard).has('*'));
      assert.deepEqual(names(reader), ['a']);
      const next = new Promise<ReadonlySet<string>>((resolve) => void reader.onDidChange(resolve));
      await add(writer, 'b');
      assert.ok((await next).has('items'));
      assert.deepEqual(names(reader), ['a', 'b']);
      await add(reader, 'c');
      assert.deepEqual(names(writer), ['a', 'b', 'c']);
    });

    it('says where it cannot be made when it is written', async () => {
      writeFileSync(path.join(parent, 'a'), 'a file');
      await assert.rejects(bench.open(directory, LATE), { code: 'store_io' });
      rmSync(path.join(parent, 'a'));
      const store = await bench.open(directory, LATE);
      writeFileSync(path.join(parent, 'a'), 'a file');
      await assert.rejects(add(store, 'a'), { code: 'store_io' });
      rmSync(path.join(parent, 'a'));
      assert.deepEqual(names(store), []);
      await add(store, 'b');
      assert.deepEqual(names(store), ['b']);
    });
  });

  it('gives back after opening anew what was written', async () => {
    const directory = bench.directory();
    const first = await bench.open(directory);
    await add(first, 'a', 'b');
    await add(first, 'c');
    await first.close();
    assert.deepEqual(names(await bench.open(directory)), ['a', 'b', 'c']);
  });

  it('shows peers what each of them wrote', async () => {
    const directory = bench.directory();
    const [one, two] = [await bench.open(directory), await bench.open(directory)];
    await add(one, 'from one');
    assert.deepEqual(names(two), ['from one']);
    await add(two, 'from two');
    await Promise.all([add(one, 'x'), add(two, 'y'), add(one, 'z')]);
    assert.equal(names(one).length, 5);
    assert.deepEqual(names(one), names(two));
  });

  it('shows at once what was written while it looked at what was written before', async () => {
    const directory = bench.directory();
    const [reader, writer] = [await bench.open(directory), await bench.open(directory)];
    await add(writer, 'a');
    await add(writer, 'b');
    const whole = readFileSync(journal(directory));
    const [, , first] = frameOffsets(whole);
    writeFileSync(journal(directory), whole.subarray(0, first));
    let looks = 0;
    const { statSync: real } = fs;
    const stat = mock.method(fs, 'statSync', (...args: Parameters<typeof real>) => {
      if (String(args[0]) === journal(directory) && ++looks === 2) writeFileSync(journal(directory), whole);
      return real(...args);
    });
    try {
      assert.deepEqual(names(reader), ['a']);
      assert.deepEqual(names(reader), ['a', 'b']);
      assert.ok(looks >= 2);
    } finally {
      stat.mock.restore();
    }
  });

  for (const [what, isLost] of [
    ['what the last checkpoint made', /000002/],
    ['every journal', /^journal-/],
  ] as const) {
    it(`reads anew once, and not again and again, where ${what} is gone`, async () => {
      const directory = bench.directory();
      const [reader, writer] = [await bench.open(directory), await bench.open(directory)];
      await add(writer, 'a');
      await writer.checkpoint();
      assert.deepEqual(names(reader), ['a']);
      for (const name of readdirSync(directory).filter((each) => isLost.test(each))) rmSync(path.join(directory, name));
      let heard = 0;
      // As views do, which would have the store read anew for ever.
      const listening = reader.onDidChange(() => {
        heard++;
        names(reader);
      });
      for (let turn = 0; turn < 200; turn++) {
        assert.deepEqual(names(reader), ['a']);
        await new Promise(setImmediate);
      }
      listening.dispose();
      assert.ok(heard <= 2, `it was read anew ${heard} times`);
      await add(reader, 'b');
      assert.deepEqual(names(reader), ['a', 'b']);
    });
  }

  it('keeps every kind of value exactly, in memory and after replay', async () => {
    const directory = bench.directory();
    const values = [
      'text "quoted" \\ \n \u2028 😀',
      '{"$bytes":"eA=="}',
      0,
      -1.5,
      2 ** 53 - 1,
      1e300,
      null,
      new Uint8Array([0, 1, 255]),
      Buffer.from('a buffer'),
      new Uint8Array(),
    ];
    const store = await bench.open(directory);
    for (const [index, value] of values.entries()) {
      await store.write(({ run }) => run('INSERT INTO item (name, value) VALUES (?, ?)', [`v${index}`, value]));
    }
    const read = (from: Store) => from.read().all('SELECT name, value, typeof(value) AS type FROM item ORDER BY id');
    const expected = values.map((value, index) => ({
      name: `v${index}`,
      value: value instanceof Uint8Array ? new Uint8Array(value) : value,
      type:
        { number: Number.isInteger(value) && Math.abs(value as number) < 2 ** 31 ? 'integer' : 'real', string: 'text' }[
          typeof value as string
        ] ?? (value === null ? 'null' : 'blob'),
    }));
    assert.deepEqual(read(store), expected);
    assert.deepEqual(read(await bench.open(directory)), expected);
  });

  it('refuses a number that it could not give back, and stores nothing of that transaction', async () => {
    const directory = bench.directory();
    const store = await bench.open(directory);
    for (const value of [Number.POSITIVE_INFINITY, Number.NaN]) {
      await assert.rejects(
        store.write(({ run }) => {
          run("INSERT INTO item (name) VALUES ('first')");
          run('INSERT INTO item (name, value) VALUES (?, ?)', ['second', value]);
        }),
        TypeError,
      );
    }
    assert.deepEqual(names(store), []);
    assert.deepEqual(names(await bench.open(directory)), []);
  });

  it('stores the parameters as they were when the statement ran', async () => {
    const directory = bench.directory();
    const store = await bench.open(directory);
    await store.write(({ run }) => {
      const parameters = ['one'];
      run('INSERT INTO item (name) VALUES (?)', parameters);
      parameters[0] = 'two';
      run('INSERT INTO item (name) VALUES (?)', parameters);
    });
    assert.deepEqual(names(store), ['one', 'two']);
    assert.deepEqual(names(await bench.open(directory)), ['one', 'two']);
  });

  describe('in a transaction', () => {
    it('changes nothing when it throws, here and on the disk', async () => {
      const directory = bench.directory();
      const store = await bench.open(directory);
      await add(store, 'kept');
      const before = fingerprint(directory);
      const failing = store.write((transaction) => {
        transaction.run("INSERT INTO item (name) VALUES ('dropped')");
        transaction.touch('items');
        throw new Error('changed my mind');
      });
      await assert.rejects(failing, /changed my mind/);
      await assert.rejects(add(store, 'also dropped', 'kept'), /UNIQUE/);
      assert.deepEqual(names(store), ['kept']);
      assert.deepEqual(fingerprint(directory), before);
      await add(store, 'next');
      assert.deepEqual(names(await bench.open(directory)), ['kept', 'next']);
    });

    it('appends nothing when nothing was changed', async () => {
      const directory = bench.directory();
      const store = await bench.open(directory);
      const before = fingerprint(directory);
      assert.equal(await store.write(({ get }) => get<{ n: number }>('SELECT count(*) AS n FROM item')?.n), 0);
      await store.holding(() => {});
      assert.deepEqual(fingerprint(directory), before);
    });

    it('sees what it changed and what peers stored before', async () => {
      const directory = bench.directory();
      const [one, two] = [await bench.open(directory), await bench.open(directory)];
      await add(one, 'a');
      const seen = await two.write((transaction) => {
        transaction.run("INSERT INTO item (name) VALUES ('b')");
        return transaction.all<{ name: string }>('SELECT name FROM item ORDER BY id').map(({ name }) => name);
      });
      assert.deepEqual(seen, ['a', 'b']);
    });

    it('lets peers see all of its statements or none', async () => {
      const directory = bench.directory();
      const [one, two] = [await bench.open(directory), await bench.open(directory)];
      await one.write((transaction) => {
        transaction.run("INSERT INTO item (name) VALUES ('a')");
        assert.deepEqual(names(two), []);
        transaction.run("INSERT INTO item (name) VALUES ('b')");
      });
      assert.deepEqual(names(two), ['a', 'b']);
      assert.equal(frameOffsets(readFileSync(journal(directory))).length, 3, 'one header and one record');
    });

    it('cannot be used any more once it has ended', async () => {
      const store = await bench.open(bench.directory());
      const leaked = await store.write((transaction) => transaction);
      assert.throws(() => leaked.run("INSERT INTO item (name) VALUES ('late')"), /ended/);
      assert.deepEqual(names(store), []);
    });

    it('keeps other writers out while several are committed one after the other', async () => {
      const directory = bench.directory();
      const [one, two] = [await bench.open(directory), await bench.open(directory)];
      const order: string[] = [];
      const holding = one.holding(async (commit) => {
        commit(({ run }) => run("INSERT INTO item (name) VALUES ('first')"));
        await sleep(50);
        commit(({ run }) => run("INSERT INTO item (name) VALUES ('second')"));
        order.push('held');
      });
      await sleep(5);
      await Promise.all([holding, add(two, 'third').then(() => order.push('other'))]);
      assert.deepEqual(order, ['held', 'other']);
      assert.deepEqual(names(one), ['first', 'second', 'third']);
    });
  });

  describe('when it is closed', () => {
    it('finishes the writes that were asked for and refuses the next', async () => {
      const directory = bench.directory();
      const store = await bench.open(directory);
      const writes = [add(store, 'a'), add(store, 'b'), add(store, 'c')];
      await store.close();
      await Promise.all(writes);
      await assert.rejects(add(store, 'd'), { code: 'store_closed' });
      assert.throws(() => store.read(), { code: 'store_closed' });
      assert.deepEqual(names(await bench.open(directory)), ['a', 'b', 'c']);
    });

    it('leaves neither a lock nor a temporary file behind', async () => {
      const directory = bench.directory();
      const store = await bench.open(directory, { checkpointBytes: 200 });
      for (let i = 0; i < 120; i++) await add(store, `item ${i}`);
      await store.close();
      const rest = readdirSync(directory).filter(
        (name) => !/^(journal|snapshot)-\d{6}|^(lock|checkpoint)\.epoch$/.test(name),
      );
      assert.deepEqual(rest, []);
    });
  });

  describe('when a write is cancelled', () => {
    it('gives up waiting for another process', async () => {
      const directory = bench.directory();
      const [one, two] = [await bench.open(directory), await bench.open(directory)];
      const abort = new AbortController();
      await one.holding(async () => {
        const write = two.write(({ run }) => run("INSERT INTO item (name) VALUES ('never')"), abort.signal);
        setTimeout(() => abort.abort(), 30);
        await assert.rejects(write, { name: 'KaizenError', code: 'cancelled' });
      });
      assert.deepEqual(names(two), []);
    });

    it('gives up waiting for its turn in its own process', async () => {
      const store = await bench.open(bench.directory());
      const abort = new AbortController();
      await store.holding(async () => {
        const write = store.write(({ run }) => run("INSERT INTO item (name) VALUES ('never')"), abort.signal);
        abort.abort();
        await assert.rejects(write, { code: 'cancelled' });
      });
      await add(store, 'next');
      assert.deepEqual(names(store), ['next']);
    });

    it('refuses a signal that has fired and ignores one that fires too late', async () => {
      const store = await bench.open(bench.directory());
      const change = () => add(store, 'x');
      await assert.rejects(store.write(change, AbortSignal.abort()), { code: 'cancelled' });
      const abort = new AbortController();
      await store.write(({ run }) => {
        abort.abort();
        run("INSERT INTO item (name) VALUES ('made')");
      }, abort.signal);
      assert.deepEqual(names(store), ['made']);
    });
  });

  describe('tells of changes', () => {
    const touch = (store: Store, name: string, topic: string) =>
      store.write((transaction) => {
        transaction.run('INSERT INTO item (name) VALUES (?)', [name]);
        transaction.touch(topic);
      });

    it('by versions that grow with the topic touched, and with no other', async () => {
      const directory = bench.directory();
      const [one, two] = [await bench.open(directory), await bench.open(directory)];
      for (const reader of [one, two]) {
        const before = [reader.read().versionOf('a'), reader.read().versionOf('b')] as const;
        await touch(one, `to be seen by ${reader === one ? 'itself' : 'a peer'}`, 'a');
        assert.ok(reader.read().versionOf('a') > before[0]);
        assert.equal(reader.read().versionOf('b'), before[1]);
      }
    });

    it('not by versions when the transaction was rolled back', async () => {
      const store = await bench.open(bench.directory());
      await touch(store, 'x', 'a');
      const before = store.read().versionOf('a');
      await assert.rejects(touch(store, 'x', 'a'));
      assert.equal(store.read().versionOf('a'), before);
    });

    it('to listeners, whether this process or another made them, until they are disposed of', async () => {
      const directory = bench.directory();
      const [one, two] = [await bench.open(directory), await bench.open(directory)];
      const heard: [string, string[]][] = [];
      const own = one.onDidChange((topics) => heard.push(['own', [...topics]]));
      const other = two.onDidChange((topics) => heard.push(['other', [...topics]]));
      await touch(one, 'x', 'a');
      const deadline = Date.now() + 15_000;
      while (heard.length < 2 && Date.now() < deadline) await sleep(10);
      assert.deepEqual(heard.sort(), [
        ['other', ['a']],
        ['own', ['a']],
      ]);
      own.dispose();
      other.dispose();
      await touch(one, 'y', 'a');
      await sleep(50);
      assert.equal(heard.length, 2);
    });

    it('and says once, not each second, that it can no longer look', async () => {
      const directory = bench.directory();
      const store = await bench.open(directory);
      store.onDidChange(() => {});
      for (const name of readdirSync(directory)) rmSync(path.join(directory, name), { recursive: true });
      await sleep(3_500);
      assert.equal(bench.reports.length, 1, bench.reports.join('\n'));
      assert.match(bench.reports[0]!, /are gone/);
    });

    it('as one event when several happened in a row', async () => {
      const store = await bench.open(bench.directory());
      const heard: string[][] = [];
      store.onDidChange((topics) => heard.push([...topics].sort()));
      await store.holding((commit) => {
        for (const topic of ['a', 'b']) {
          commit((transaction) => {
            transaction.run('INSERT INTO item (name) VALUES (?)', [topic]);
            transaction.touch(topic);
          });
        }
      });
      await new Promise(setImmediate);
      assert.deepEqual(heard, [['a', 'b']]);
    });
  });

  describe('at a checkpoint', () => {
    it('moves to a new generation and keeps the one before', async () => {
      const directory = bench.directory();
      const store = await bench.open(directory);
      for (const name of ['a', 'b', 'c']) {
        await add(store, name);
        await store.checkpoint();
      }
      assert.deepEqual(Object.keys(fingerprint(directory)), [
        'journal-000003',
        'journal-000004',
        'snapshot-000003.sqlite',
        'snapshot-000004.sqlite',
      ]);
      await add(store, 'd');
      assert.deepEqual(names(store), ['a', 'b', 'c', 'd']);
      assert.deepEqual(names(await bench.open(directory)), ['a', 'b', 'c', 'd']);
      assert.deepEqual(bench.reports, []);
    });

    it('is made by itself once the journal has outgrown the limit', async () => {
      const directory = bench.directory();
      const store = await bench.open(directory, { checkpointBytes: 2000 });
      for (let i = 0; i < 200; i++) await add(store, `item ${i}`);
      await store.close();
      assert.ok(!existsSync(journal(directory)), 'the first generation is gone');
      assert.equal(names(await bench.open(directory)).length, 200);
    });

    it('is made again after long work under the lock, which no opening then has to replay', async () => {
      const directory = bench.directory();
      const store = await bench.open(directory, { checkpointBytes: 2000 });
      await store.holding(async (commit) => {
        for (let i = 0; i < 500; i++) {
          commit((transaction) => transaction.run('INSERT INTO item (name) VALUES (?)', [`item ${i}`]));
          // The first checkpoint begins here and cannot end before the lock is free.
          if (i % 50 === 0) await sleep(5);
        }
      });
      await store.close();
      const journals = readdirSync(directory).filter((name) => name.startsWith('journal-'));
      const newest = path.join(directory, journals.sort().at(-1)!);
      assert.ok(statSync(newest).size < 2000, `${statSync(newest).size} bytes are left to replay`);
      assert.equal(names(await bench.open(directory)).length, 500);
    });

    it('is followed by peers, which keep their database', async () => {
      const directory = bench.directory();
      const [one, two] = [await bench.open(directory), await bench.open(directory)];
      await add(one, 'a');
      assert.deepEqual(names(two), ['a']);
      const version = two.read().versionOf('anything');
      await one.checkpoint();
      await add(one, 'b');
      assert.deepEqual(names(two), ['a', 'b']);
      assert.equal(two.read().versionOf('anything'), version, 'nothing was read anew');
      await add(two, 'c');
      assert.deepEqual(names(one), ['a', 'b', 'c']);
    });

    it('is followed by a peer that slept through several', async () => {
      const directory = bench.directory();
      const [one, sleepy, writer] = [
        await bench.open(directory),
        await bench.open(directory),
        await bench.open(directory),
      ];
      for (let i = 0; i < 5; i++) {
        await add(one, `item ${i}`);
        await one.checkpoint();
      }
      await add(writer, 'written after sleep');
      assert.equal(names(sleepy).length, 6);
      assert.deepEqual(names(sleepy), names(one));
    });

    it('carries over what is written while it is made', async () => {
      const directory = bench.directory();
      const [one, two] = [await bench.open(directory), await bench.open(directory)];
      await add(one, 'before');
      const checkpoint = one.checkpoint();
      // Its snapshot is taken from the files up to `before`; both are stored before the switch or after it.
      await Promise.all([add(two, 'meanwhile, by a peer'), add(one, 'meanwhile'), checkpoint]);
      await add(two, 'after');
      for (const store of [one, two, await bench.open(directory)]) {
        assert.deepEqual(names(store).sort(), ['after', 'before', 'meanwhile', 'meanwhile, by a peer']);
      }
      assert.ok(existsSync(journal(directory, 2)));
    });

    it('may be asked for while writers are held up', async () => {
      const directory = bench.directory();
      const store = await bench.open(directory);
      await add(store, 'a');
      let checkpoint: Promise<void> | undefined;
      await store.holding(async (commit) => {
        checkpoint = store.checkpoint();
        await sleep(100);
        commit(({ run }) => run("INSERT INTO item (name) VALUES ('b')"));
      });
      await checkpoint;
      assert.ok(existsSync(journal(directory, 2)));
      assert.deepEqual(names(await bench.open(directory)), ['a', 'b']);
    });

    it('is made by one process when several want it', async () => {
      const directory = bench.directory();
      const stores = [await bench.open(directory), await bench.open(directory), await bench.open(directory)];
      await add(stores[0]!, 'a');
      await Promise.all(stores.map((store) => store.checkpoint()));
      assert.deepEqual(bench.reports, []);
      for (const store of stores) assert.deepEqual(names(store), ['a']);
    });

    it('that was cut off after the switch is noticed by peers that only read', async () => {
      const directory = bench.directory();
      const [reader, writer] = [await bench.open(directory), await bench.open(directory)];
      await add(writer, 'a');
      assert.deepEqual(names(reader), ['a']);
      await writer.checkpoint();
      // As if the process had been killed before it put the seal on the old journal.
      const old = readFileSync(journal(directory));
      writeFileSync(journal(directory), old.subarray(0, frameOffsets(old).at(-2)));
      const newcomer = await bench.open(directory);
      await add(newcomer, 'b');
      assert.deepEqual(names(reader), ['a', 'b']);
    });

    it('that was cut off after the switch loses nothing that peers write', async () => {
      const directory = bench.directory();
      const [one, two] = [await bench.open(directory), await bench.open(directory)];
      await add(two, 'a');
      await two.checkpoint();
      const old = readFileSync(journal(directory));
      writeFileSync(journal(directory), old.subarray(0, frameOffsets(old).at(-2)));
      // Numbers are not always consecutive: a number that a damaged file carries is not used again.
      renameSync(journal(directory, 2), journal(directory, 4));
      renameSync(snapshot(directory, 2), snapshot(directory, 4));
      await two.close();
      await add(one, 'b');
      assert.deepEqual(names(await bench.open(directory)), ['a', 'b']);
    });

    it('that was cut off before the switch is made again', async () => {
      const directory = bench.directory();
      const store = await bench.open(directory);
      await add(store, 'a');
      writeFileSync(snapshot(directory, 2), 'an orphan');
      await store.checkpoint();
      await add(store, 'b');
      assert.deepEqual(names(await bench.open(directory)), ['a', 'b']);
      assert.deepEqual(bench.reports, []);
    });
  });

  describe('has snapshots', () => {
    async function bigger(): Promise<string> {
      const directory = bench.directory();
      const store = await bench.open(directory);
      await store.write((transaction) => {
        for (let i = 0; i < 500; i++)
          transaction.run('INSERT INTO item (name, value) VALUES (?, ?)', [`item ${i}`, 'x'.repeat(50)]);
      });
      await store.checkpoint();
      await store.close();
      return snapshot(directory, 2);
    }

    it('that are plain and sound SQLite files', async () => {
      const file = await bigger();
      const bytes = readFileSync(file);
      assert.equal(bytes.toString('latin1', 0, 15), 'SQLite format 3');
      const database = new Database(await loadSqlite(), bytes);
      assert.deepEqual(database.all('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
      assert.deepEqual(database.all('SELECT count(*) AS n FROM item'), [{ n: 500 }]);
      assert.deepEqual(
        Object.keys(JSON.parse(database.all<{ value: string }>('SELECT value FROM store_state')[0]!.value)),
        ['lineage', 'sequence', 'schema'],
      );
      database.close();
    });

    it('that other SQLite tools open', async function () {
      if (spawnSync('python3', ['-c', 'import sqlite3']).status !== 0) this.skip();
      const script = [
        'import sqlite3, sys, pathlib',
        'db = sqlite3.connect(pathlib.Path(sys.argv[1]).as_uri() + "?mode=ro", uri=True)',
        'print(db.execute("PRAGMA integrity_check").fetchone()[0], db.execute("PRAGMA application_id").fetchone()[0])',
        'print(db.execute("SELECT count(*) FROM item").fetchone()[0])',
      ].join('\n');
      const output = execFileSync('python3', ['-c', script, await bigger()], { encoding: 'utf8' });
      assert.deepEqual(output.trim().split(/\s+/), ['ok', String(0x4b41495a), '500']);
    });
  });

  it('does not run what can only have come of a fault, and says so', async () => {
    const directory = bench.directory();
    const store = await bench.open(directory);
    await add(store, 'a');
    const peer = await bench.open(directory);
    appendFileSync(
      journal(directory),
      encodeFrame(2, {
        statements: [["INSERT INTO item (name) VALUES ('b')"], ["INSERT INTO item (name) VALUES ('a')"]],
        topics: [],
      }),
    );
    const before = fingerprint(directory);
    const error = { code: 'store_damaged', message: /transaction 2 cannot be run again.*UNIQUE/ };
    for (let i = 0; i < 2; i++) assert.throws(() => peer.read(), error);
    await assert.rejects(add(peer, 'c'), error);
    await assert.rejects(bench.open(directory), error);
    assert.deepEqual(fingerprint(directory), before);
  });

  it('notices that another file took the place of its journal', async () => {
    const directory = bench.directory();
    const store = await bench.open(directory);
    await add(store, 'a');
    const backup = bench.copyOf(directory);
    await add(store, 'b');
    // Somebody restores the backup, then another process writes what happens to be just as long.
    const restored = await bench.open(backup);
    await add(restored, 'c');
    renameSync(journal(backup), journal(directory));
    assert.equal(statSync(journal(directory)).size, readFileSync(journal(directory)).length);
    assert.deepEqual(names(store), ['a', 'c']);
    await add(store, 'd');
    assert.deepEqual(names(await bench.open(directory)), ['a', 'c', 'd']);
  });

  it('costs the same bytes for a write whatever it holds', async () => {
    const directory = bench.directory();
    const store = await bench.open(directory, { schemas: [itemSchema] });
    const grows = async (name: string) => {
      const before = statSync(journal(directory)).size;
      await add(store, name);
      return statSync(journal(directory)).size - before;
    };
    const first = await grows('name-0001');
    await store.write(({ run }) => {
      for (let i = 0; i < 1000; i++) run('INSERT INTO item (name) VALUES (?)', [`item ${i}`]);
    });
    assert.equal(await grows('name-0002'), first);
  });
});
