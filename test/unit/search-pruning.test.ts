import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { Turns } from '../../src/core/turns';
import { createSearchIndex, type Passage, type SearchIndex, type SearchOptions } from '../../src/search';
import { RANKING } from '../../src/search/ranking';
import { MemorySearchIndex } from '../../src/search/search-index';
import { seededRandom } from '../support/hall';
import { passage } from '../support/passages';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** From in nearly every passage to in a few. */
const WORDS = Array.from({ length: 120 }, (_, rank) => `${'bcdfgklmnprstvz'[rank % 15]}o${'aeiou'[rank % 5]}${rank}`);
const SOURCES = Array.from({ length: 12 }, (_, at) => `s${at}`);
/** A search answers so many at most: of a source alone it then leaves out nothing. */
const A_SOURCE = 900;

/** As words of a language are: the n-th most common 1/n times as often as the first. */
function texts(seed: number): (words: number) => string {
  const random = seededRandom(seed);
  const word = () => WORDS[Math.floor(WORDS.length ** random()) - 1]!;
  return (words) => Array.from({ length: words }, word).join(' ');
}

function passagesOf(source: string, seed: number, count = A_SOURCE): Passage[] {
  const text = texts(seed);
  return Array.from({ length: count }, (_, at) =>
    // Every third says the same as others: their ranks are equal.
    passage(`k://${source}/${(at * 7919) % count}`, {
      title: at % 3 === 0 ? 'alike' : text(2),
      body: at % 3 === 0 ? `${WORDS[at % 4]!} ${WORDS[7]!} and so on` : text(3 + (at % 20)),
      facets: { kind: at % 5 === 0 ? 'entry' : 'node' },
    }),
  );
}

function filled(index: SearchIndex): SearchIndex {
  SOURCES.forEach((source, at) => {
    index.segment(source).set(passagesOf(source, at + 1));
  });
  return index;
}

const found = (index: SearchIndex, query: string, options: SearchOptions) => {
  const { hits, total } = index.search(query, options);
  return { hits: hits.map(({ uri, rank }) => ({ uri, rank })), total };
};

const query = fc
  .array(fc.nat({ max: WORDS.length - 1 }), { minLength: 1, maxLength: 8 })
  .map((numbers) => numbers.map((number) => WORDS[number]!).join(' '));

describe('of more passages than are weighed', () => {
  // What stands close together counts for the best of each source only.
  const index = filled(new MemorySearchIndex({ ranking: { ...RANKING, proximity: 0 } }));

  it('the best are those of weighing all, to the last bit, equals by uri', () => {
    fc.assert(
      fc.property(
        query,
        fc.constantFrom(1, 5, 20, 50, 300),
        fc.constantFrom(undefined, ['entry'], ['node']),
        (text, limit, kind) => {
          const sources = SOURCES.map((source) =>
            found(index, text, { limit: 1_000, filter: { sources: [source], kind } }),
          );
          const all = sources
            .flatMap(({ hits }) => hits)
            .sort((a, b) => b.rank - a.rank || (a.uri < b.uri ? -1 : 1))
            .slice(0, limit);
          const best = found(index, text, { limit, filter: { kind } });
          assert.deepEqual(best.hits, all, text);
          assert.equal(
            best.total,
            sources.reduce((sum, { total }) => sum + total, 0),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  it('fewer that are asked for are the first of more', () => {
    const whole = filled(createSearchIndex());
    fc.assert(
      fc.property(query, fc.constantFrom(1, 10, 40), (text, limit) => {
        const { hits, total } = whole.search(text, { limit });
        const more = whole.search(text, { limit: 1_000 });
        assert.deepEqual(hits, more.hits.slice(0, limit));
        assert.equal(total, more.total);
      }),
      { numRuns: 60 },
    );
  });
});

describe('of words in few passages', () => {
  // Short lists stand beside one another in memory.
  const RARE = Array.from({ length: 450 }, (_, at) => {
    const [first, second, third] = [at % 15, Math.floor(at / 15) % 5, Math.floor(at / 75)];
    return `${'bcdfgklmnprstvz'[first]}${'aeiou'[second]}${'kpzvxb'[third]}`;
  });
  const FEW = SOURCES.slice(0, 4);

  it('none counts for a passage that does not have it', () => {
    const index = new MemorySearchIndex({ ranking: { ...RANKING, proximity: 0 } });
    for (const [at, source] of FEW.entries()) {
      const random = seededRandom(at + 50);
      const text = (words: number) =>
        Array.from({ length: words }, () => RARE[Math.floor(RARE.length ** random()) - 1]!).join(' ');
      index
        .segment(source)
        .set(
          Array.from({ length: 500 }, (_, each) => passage(`k://${source}/${each}`, { body: text(1 + (each % 25)) })),
        );
    }
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...RARE.slice(10, 100)), { minLength: 3, maxLength: 6 }),
        fc.constantFrom(20, 30),
        (words, limit) => {
          // What the first weighs leaves the others without hope.
          const text = `${`${words[0]} `.repeat(6)} ${words.join(' ')}`;
          const all = FEW.flatMap((source) => found(index, text, { limit: 1_000, filter: { sources: [source] } }).hits);
          all.sort((a, b) => b.rank - a.rank || (a.uri < b.uri ? -1 : 1));
          assert.deepEqual(found(index, text, { limit }).hits, all.slice(0, limit), text);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('an index that was just restored', () => {
  const QUERIES = [WORDS[0]!, `${WORDS[3]!} ${WORDS[40]!}`, `alike ${WORDS[7]!} ${WORDS[110]!}`];
  /** More than are taken over at once. */
  const MANY = 2_500;

  let asked = 0;

  /** With words, too, that nobody has asked for yet. */
  function assertSame(a: SearchIndex, b: SearchIndex, when: string): void {
    assert.equal(a.size, b.size, when);
    const anew = [1, 2, 3].map(() => WORDS[(asked++ * 7 + 50) % WORDS.length]!);
    for (const text of [...QUERIES, ...anew])
      assert.deepEqual(a.search(text, { limit: 100 }), b.search(text, { limit: 100 }), when);
  }

  it('answers as the one that was kept, whatever changes before its lists are brought up', async () => {
    const kept = createSearchIndex();
    for (const [at, source] of ['a', 'b', 'c'].entries()) kept.segment(source).set(passagesOf(source, at + 1, MANY));
    const bytes = await Promise.all(['a', 'b', 'c'].map((source) => kept.segment(source).toBytes()));

    const restored = createSearchIndex();
    assert.ok(await restored.restore('a', bytes[0]!));
    const both = [kept, restored];
    restored.segment('b').set([passage('k://b/new', { body: `${WORDS[0]} ${WORDS[40]}` })]);
    assert.ok(await restored.restore('b', bytes[1]!));
    assert.equal(restored.segment('b').fingerprint('k://b/new'), undefined, 'a segment is what was kept');
    assert.ok(await restored.restore('c', bytes[2]!));
    assertSame(restored, kept, 'at once');

    const changed = passagesOf('b', 9, 300);
    for (const each of both) each.segment('a').remove(Array.from({ length: 700 }, (_, at) => `k://a/${at}`));
    assertSame(restored, kept, 'removed');
    for (const each of both) {
      each.segment('b').set(changed);
      each.drop('c');
    }
    assertSame(restored, kept, 'changed');
    await restored.settle(new Turns());
    assertSame(restored, kept, 'settled');

    for (let round = 0; round < 6; round++) {
      const more = passagesOf('a', 20 + round, 800);
      for (const each of both) each.segment('a').set(more);
      if (round % 2 === 0) await restored.settle(new Turns());
      assertSame(restored, kept, `round ${round}`);
    }
    const again = createSearchIndex();
    assert.ok(await again.restore('a', await restored.segment('a').toBytes()));
    assert.ok(await again.restore('b', await restored.segment('b').toBytes()));
    assertSame(again, kept, 'kept again');
  });

  it('brings its lists up by itself, and meanwhile answers', async () => {
    const kept = createSearchIndex();
    kept.segment('a').set(passagesOf('a', 1, MANY));
    const restored = createSearchIndex();
    assert.ok(await restored.restore('a', await kept.segment('a').toBytes()));
    for (const each of [kept, restored])
      each.segment('a').remove(Array.from({ length: 300 }, (_, at) => `k://a/${at}`));
    const alive = setTimeout(() => undefined, 60_000);
    for (let round = 0; round < 30; round++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      assertSame(restored, kept, `round ${round}`);
    }
    clearTimeout(alive);
  });

  it('lets go of what was restored and dropped', async () => {
    const kept = createSearchIndex();
    const text = texts(5);
    kept.segment('a').set(Array.from({ length: 300 }, (_, at) => passage(`k://a/${at}`, { body: text(200) })));
    const bytes = await kept.segment('a').toBytes();
    const index = createSearchIndex();
    const memory = async (rounds: number) => {
      for (let round = 0; round < rounds; round++) {
        assert.ok(await index.restore('a', bytes));
        index.drop('a');
        await index.settle(new Turns());
      }
      for (let round = 0; round < 3; round++) {
        collectGarbage();
        await new Promise((resolve) => setImmediate(resolve));
      }
      return process.memoryUsage().arrayBuffers;
    };
    const before = await memory(5);
    const after = await memory(40);
    assert.ok(after - before < 10 * bytes.length, `${after - before} bytes more`);
  });

  it('answers as one that had it from the start when a segment is small beside what is there', async () => {
    const kept = createSearchIndex();
    kept.segment('a').set(passagesOf('a', 1, MANY));
    kept.segment('b').set([passage('k://b/1', { title: 'alike', body: `${WORDS[0]} ${WORDS[40]}` })]);
    const restored = createSearchIndex();
    for (const source of ['a', 'b']) assert.ok(await restored.restore(source, await kept.segment(source).toBytes()));
    for (const each of [kept, restored]) each.segment('a').remove(['k://a/1', 'k://a/2']);
    assertSame(restored, kept, 'at once');
    await restored.settle(new Turns());
    assertSame(restored, kept, 'settled');
  });

  it('keeps what is set while the same is restored twice', async () => {
    const kept = createSearchIndex();
    kept.segment('a').set(passagesOf('a', 1, MANY));
    const bytes = await kept.segment('a').toBytes();
    const index = createSearchIndex();
    const both = [index.restore('a', bytes), index.restore('a', bytes)];
    index.segment('a').set([passage('k://a/1', { fingerprint: 'newer' })]);
    assert.deepEqual(await Promise.all(both), [true, true]);
    assert.equal(index.size, MANY);
    assert.equal(index.segment('a').fingerprint('k://a/1'), 'newer');
  });

  it('takes no word for one that only dropped passages held', () => {
    const index = createSearchIndex();
    index.segment('b').set([passage('k://b/1', { body: 'penguins' })]);
    const gone = (at: number) => passage(`k://a/${at}`, { body: 'pengwins' });
    const segment = index.segment('a');
    segment.set(Array.from({ length: 6_000 }, (_, at) => gone(at)));
    index.drop('a');
    assert.deepEqual(
      index.search('pengwinns').hits.map(({ uri }) => uri),
      ['k://b/1'],
    );
    segment.set([gone(0)]);
    assert.equal(index.size, 1, 'who dropped it cannot drop what comes after');
  });

  it('forgets the words of all passages that were removed at once', async () => {
    const index = createSearchIndex();
    const other = 'and words of every other passage as well '.repeat(8);
    const bodies = Array.from({ length: 6_000 }, (_, at) => `${other} ${at < 5_800 ? 'refunding' : 'refund'}`);
    index.segment('a').set(bodies.map((body, at) => passage(`k://a/${at}`, { body })));
    index.segment('a').remove(Array.from({ length: 5_800 }, (_, at) => `k://a/${at}`));
    await index.settle(new Turns());
    assert.equal(index.search('refundinng').total, 0, 'of one stem with a word that is there, but gone');
    assert.equal(index.search('"every other" refund', { syntax: 'query' }).total, 200);
  });
});
