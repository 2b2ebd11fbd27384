import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { backgroundOf, standingOut } from '../../src/search/vectors/background';
import { KERNEL_WASM } from '../../src/search/vectors/kernel-wasm';
import { normalised, quantise } from '../../src/search/vectors/quantised';
import { VectorCache } from '../../src/search/vectors/vector-cache';
import { VectorTable } from '../../src/search/vectors/vector-table';
import { buildKernel } from '../../tools/vectors.mjs';

/** The same numbers every time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function randomVector(dimensions: number, random: () => number): Float32Array {
  return normalised(Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.4))!;
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Rows in the order that the exact numbers give. */
function exactOrder(vectors: readonly Float32Array[], query: Float32Array): number[] {
  return vectors
    .map((vector, row) => ({ row, similarity: product(vector, query) }))
    .sort((a, b) => b.similarity - a.similarity)
    .map(({ row }) => row);
}

describe('vectors', () => {
  it('are scanned by the kernel that stands in kernel.wat (else run: node tools/vectors.mjs)', async () => {
    assert.equal(KERNEL_WASM, await buildKernel());
  });

  it('lose next to nothing by being kept as whole numbers', () => {
    const random = seeded(1);
    for (const dimensions of [1, 7, 384, 3072]) {
      const [a, b] = [randomVector(dimensions, random), randomVector(dimensions, random)];
      const { values, scale } = quantise(a);
      assert.ok(Math.abs(product(values, b) * scale - product(a, b)) < 2e-5);
    }
  });

  for (const kind of ['fastest', 'plain'] as const) {
    it(`are found in the order of the exact numbers (${kind})`, () => {
      const random = seeded(2);
      for (const [count, dimensions] of [
        [1, 3],
        [5, 384],
        [4099, 100],
        [9000, 384],
      ] as const) {
        const table = new VectorTable(dimensions, kind);
        const vectors = Array.from({ length: count }, () => randomVector(dimensions, random));
        for (const vector of vectors) table.add(quantise(vector));
        const query = randomVector(dimensions, random);
        const { next } = table.look(query);
        const found = next(50)!;
        assert.deepEqual(
          found.slice(0, 20).map(({ row }) => row),
          exactOrder(vectors, query).slice(0, 20),
        );
        for (const { row, similarity } of found) {
          assert.ok(Math.abs(similarity - product(vectors[row]!, query)) < 2e-5);
        }
        const rest = [...found];
        for (let more = next(1000); more; more = next(1000)) rest.push(...more);
        assert.equal(new Set(rest.map(({ row }) => row)).size, count);
      }
    });
  }

  it('give the same answer with and without WebAssembly, whatever was added and removed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.oneof(fc.constant('add' as const), fc.nat()), { maxLength: 80 }),
        fc.integer(),
        (dimensions, steps, seed) => {
          const random = seeded(seed);
          const tables = [new VectorTable(dimensions), new VectorTable(dimensions, 'plain')] as const;
          const model: Float32Array[] = [];
          for (const step of steps) {
            if (step === 'add') {
              const vector = normalised(randomVector(dimensions, random)) ?? new Float32Array(dimensions).fill(1);
              model.push(vector);
              for (const table of tables) table.add(quantise(vector));
            } else if (model.length > 0) {
              const row = step % model.length;
              for (const table of tables) assert.equal(table.remove(row), model.length - 1);
              const last = model.pop()!;
              if (row < model.length) model[row] = last;
            }
          }
          const query = randomVector(dimensions, random);
          const [fast, plain] = tables.map((table) => table.look(query).next(1000));
          assert.deepEqual(fast, plain);
          assert.equal(fast!.length, model.length);
          for (const { row, similarity } of fast!) {
            assert.ok(Math.abs(similarity - product(model[row]!, query)) < 1e-4);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('stand out from a background, the same for models that find everything near and for those that do not', () => {
    const scores = [0.08, 0.75].map((middle, model) => {
      const spread = [0.08, 0.02][model]!;
      const histogram = new Uint32Array(2048);
      const random = seeded(3);
      for (let i = 0; i < 5000; i++) {
        const noise = random() + random() + random() + random() + random() + random() - 3;
        histogram[Math.floor(((middle + spread * 1.41 * noise + 1) / 2) * 2048)]!++;
      }
      const background = backgroundOf(histogram, 5000);
      assert.ok(Math.abs(background.middle - middle) < 0.01);
      return [0, 2.5, 4.5, 6.5].map((spreads) => standingOut(middle + spread * spreads, background));
    });
    for (const [nothing, chance, important, direct] of scores) {
      assert.ok(nothing! < 0.1 && chance! < 0.4);
      assert.ok(important! > 0.6 && important! < 0.8);
      assert.ok(direct! > 0.88 && direct! < 1);
    }
  });
});

describe('the cache of vectors', () => {
  let directory: string;
  const texts = Array.from({ length: 40 }, (_, index) => index);
  const hash = (text: number) => createHash('sha256').update(String(text)).digest();
  const vector = (text: number, dimensions = 24) => quantise(randomVector(dimensions, seeded(text + 1)));
  const entry = (text: number) => ({ hash: hash(text), vector: vector(text) });

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'kaizen-vectors-'));
  });

  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  async function opened(id = 'model', options = {}): Promise<VectorCache> {
    const cache = new VectorCache(directory, id, options);
    await cache.refresh();
    return cache;
  }

  function file(): string {
    const [name, ...others] = readdirSync(directory);
    assert.equal(others.length, 0, others.join());
    return path.join(directory, name!);
  }

  it('gives back what was put in, to another process and to this one, and says what it does not have', async () => {
    const first = await opened();
    const second = await opened();
    first.append(texts.map(entry));
    for (const cache of [first, second, await opened()]) {
      await cache.refresh();
      assert.deepEqual(cache.read([hash(3), hash(99), hash(0)]), [vector(3), undefined, vector(0)]);
    }
  });

  it('takes no vector that a foreign file gives a length that is no number', async () => {
    const scales = [Number.NaN, Number.POSITIVE_INFINITY, -1, 0];
    const cache = await opened();
    cache.append(scales.map((scale, index) => ({ hash: hash(index), vector: { ...vector(index), scale } })));
    cache.append([entry(texts.length - 1)]);
    await cache.refresh();
    assert.deepEqual(
      cache.read(scales.map((_, index) => hash(index))),
      scales.map(() => undefined),
    );
  });

  it('lets others run while it reads a file that is full of what only begins like a vector', async () => {
    const cache = await opened();
    cache.append([entry(0)]);
    const bait = Buffer.from('KVEC\xff\x1f\0\0', 'latin1');
    appendFileSync(file(), Buffer.alloc(1024 * 1024, bait));
    cache.append([entry(1)]);
    let turns = 0;
    const counting = setInterval(() => turns++, 0);
    await cache.refresh();
    clearInterval(counting);
    assert.deepEqual(cache.read([hash(0), hash(1)]), [vector(0), vector(1)]);
    assert.ok(turns > 10, `${turns} turns`);
  });

  it('takes no vector of another model or another length', async () => {
    (await opened()).append(texts.map(entry));
    const name = file();
    const other = await opened('other');
    other.append([entry(1)]);
    const own = readdirSync(directory).find((each) => path.join(directory, each) !== name)!;
    appendFileSync(path.join(directory, own), readFileSync(name));
    const again = await opened('other');
    assert.deepEqual(again.read([hash(1), hash(2)]), [vector(1), undefined]);
    assert.deepEqual(again.read([hash(1)], 24), [vector(1)]);
    assert.deepEqual(again.read([hash(1)], 25), [undefined]);
  });

  it('skips what was cut off or is damaged, wherever it stands, and goes on behind it', async () => {
    const cache = await opened();
    cache.append([entry(0), entry(1)]);
    const whole = readFileSync(file());
    const length = whole.length / 2;
    for (let cut = 0; cut <= whole.length; cut += 3) {
      writeFileSync(file(), whole.subarray(0, cut));
      const torn = await opened();
      torn.append([entry(2), entry(3)]);
      await torn.refresh();
      const found = torn.read([hash(0), hash(1), hash(2), hash(3)]);
      assert.deepEqual(found, [
        cut >= length ? vector(0) : undefined,
        cut === whole.length ? vector(1) : undefined,
        vector(2),
        vector(3),
      ]);
    }
    for (let at = 0; at < length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 0x55;
      writeFileSync(file(), damaged);
      assert.deepEqual((await opened()).read([hash(0), hash(1)]), [undefined, vector(1)]);
    }
  });

  it('reads a file of any length in pieces', async () => {
    const cache = await opened('big');
    const count = 3000;
    const many = Array.from({ length: count }, (_, text) => ({
      hash: hash(text),
      vector: vector(text % 7, 1024),
    }));
    cache.append(many);
    assert.ok(statSync(file()).size > 6_000_000);
    const again = await opened('big');
    const found = again.read(many.map((each) => each.hash));
    assert.ok(found.every((each, text) => each?.values[5] === vector(text % 7, 1024).values[5]));
  });

  it('drops the oldest when it grows beyond its limit, also for those who have it open', async () => {
    const limit = 2000;
    const other = await opened('model', { limit });
    const cache = await opened('model', { limit });
    cache.append(texts.map(entry));
    await other.refresh();
    assert.ok(statSync(file()).size > limit);
    await cache.tidy();
    assert.ok(statSync(file()).size <= limit);
    for (const each of [cache, other]) {
      each.append([entry(50)]);
      await each.refresh();
      const found = each.read([hash(0), hash(39), hash(50)]);
      assert.deepEqual(found, [undefined, vector(39), vector(50)]);
    }
  });

  it('lets models go that were not used for longest', async () => {
    const limit = 2000;
    for (const id of ['old', 'older', 'new']) (await opened(id)).append(texts.slice(0, 17).map(entry));
    const before = readdirSync(directory).length;
    await (await opened('new', { limit })).tidy();
    const left = readdirSync(directory);
    assert.ok(left.length < before && left.some((name) => name.startsWith('new-')), left.join());
  });

  it('goes without a directory that cannot be written', async () => {
    const blocked = path.join(directory, 'file');
    writeFileSync(blocked, '');
    const said: string[] = [];
    const cache = new VectorCache(path.join(blocked, 'below'), 'model', { log: (message) => void said.push(message) });
    await cache.refresh();
    cache.append([entry(0)]);
    cache.append([entry(1)]);
    await cache.tidy();
    assert.deepEqual(cache.read([hash(0)]), [undefined]);
    assert.equal(said.length, 1);
    assert.match(said[0]!, /Embeddings are not kept/);
  });
});
