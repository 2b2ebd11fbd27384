import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isStore, isUnchanged, storedSince } from '../../src/store';
import { add, Bench, frameOffsets } from '../support/stores';

describe('what came to a store since a stamp was taken, told without a database', () => {
  const bench = new Bench();
  afterEach(() => bench.cleanUp());

  const topicsOf = (directory: string, stamp: Parameters<typeof storedSince>[1]) => {
    const since = storedSince(directory, stamp);
    return since && [...since.topics];
  };

  it('is nothing as long as nothing is stored, and then what was touched', async () => {
    const directory = bench.directory();
    assert.equal(isStore(directory), false);
    assert.equal(isStore(path.join(directory, 'none')), false);
    const store = await bench.open(directory);
    await add(store, 'one');
    const stamp = store.stamp();
    assert.equal(isStore(directory), true);
    assert.equal(isUnchanged(directory, stamp), true);
    assert.deepEqual(topicsOf(directory, stamp), []);
    await add(store, 'two');
    assert.equal(isUnchanged(directory, stamp), false);
    assert.deepEqual(topicsOf(directory, stamp), ['items']);
    assert.deepEqual(storedSince(directory, stamp)?.now, store.stamp());
  });

  it('is told through a checkpoint', async () => {
    const directory = bench.directory();
    const store = await bench.open(directory);
    await add(store, 'one');
    const stamp = store.stamp();
    await store.checkpoint();
    assert.equal(isUnchanged(directory, stamp), false);
    assert.deepEqual(topicsOf(directory, stamp), []);
    await add(store, 'two');
    assert.deepEqual(topicsOf(directory, stamp), ['items']);
    assert.deepEqual(storedSince(directory, stamp)?.now, store.stamp());
  });

  it('counts what was written just before a checkpoint', async () => {
    const directory = bench.directory();
    const store = await bench.open(directory);
    const stamp = store.stamp();
    await add(store, 'one');
    await store.checkpoint();
    assert.deepEqual(topicsOf(directory, stamp), ['items']);
  });

  it('cannot be told when the journals in between are gone', async () => {
    const directory = bench.directory();
    const store = await bench.open(directory);
    const stamp = store.stamp();
    for (const name of ['one', 'two', 'three']) {
      await add(store, name);
      await store.checkpoint();
    }
    assert.equal(storedSince(directory, stamp), undefined);
  });

  it('cannot be told when another store, or an older copy, stands there', async () => {
    const directory = bench.directory();
    const store = await bench.open(directory);
    await add(store, 'one');
    const copy = bench.copyOf(directory);
    await add(store, 'two');
    assert.equal(storedSince(copy, store.stamp()), undefined);
    const another = bench.directory();
    const other = await bench.open(another);
    await add(other, 'one');
    assert.equal(isUnchanged(another, store.stamp()), false);
    assert.equal(storedSince(another, store.stamp()), undefined);
    rmSync(copy, { recursive: true });
    assert.equal(storedSince(copy, store.stamp()), undefined);
  });

  it('passes over a write that was cut off, and does not pass over damage', async () => {
    const directory = bench.directory();
    const store = await bench.open(directory);
    await add(store, 'one');
    const stamp = store.stamp();
    await add(store, 'two');
    await add(store, 'three');
    await bench.close();
    const journal = path.join(directory, 'journal-000001');
    const whole = readFileSync(journal);
    const [second, third] = frameOffsets(whole).slice(2) as [number, number];
    appendFileSync(journal, whole.subarray(second, second + 30));
    assert.deepEqual(topicsOf(directory, stamp), ['items']);
    const damaged = Buffer.from(whole);
    damaged[second + 40]! ^= 0xff;
    writeFileSync(journal, damaged);
    assert.equal(storedSince(directory, stamp), undefined);
    writeFileSync(journal, whole.subarray(0, third - 3));
    assert.deepEqual(topicsOf(directory, stamp), []);
  });
});
