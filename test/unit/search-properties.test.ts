import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createSearchIndex, type Passage, type SearchIndex } from '../../src/search';
import { seededRandom } from '../support/hall';
import { passage } from '../support/passages';

const WORDS = [
  'refund',
  'refunds',
  'order',
  'orders',
  'getUser',
  'user',
  'the',
  'of',
  'queue',
  'server_core',
  'übung',
  '東京都',
  'x',
];
const QUERIES = [
  'refund order',
  'user of the queue',
  'getUser core',
  'ordr refnd',
  'the of',
  '東京',
  'x',
  'übungen server',
];

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }).map((words) => words.join(' '));
const told = fc.record({
  title: text,
  body: text,
  keywords: fc.array(text, { maxLength: 2 }),
  headings: fc.array(text, { maxLength: 2 }),
});
const source = fc.constantFrom('a', 'b', 'c');
/** Every source has uris of its own. */
const place = fc.tuple(source, fc.nat({ max: 9 })).map(([of, number]) => ({ of, uri: `k://${of}/${number}` }));

type Deed =
  | { do: 'set'; of: string; passages: Passage[] }
  | { do: 'remove'; of: string; uri: string }
  | { do: 'drop'; of: string };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(source, fc.array(fc.tuple(fc.nat({ max: 9 }), told), { minLength: 1, maxLength: 4 })).map(
      ([of, all]): Deed => ({
        do: 'set',
        of,
        passages: all.map(([number, each]) =>
          passage(`k://${of}/${number}`, {
            ...each,
            facets: { kind: number % 2 ? 'node' : 'entry', tags: [of, `${number}`] },
          }),
        ),
      }),
    ),
  },
  { weight: 2, arbitrary: place.map(({ of, uri }): Deed => ({ do: 'remove', of, uri })) },
  { weight: 1, arbitrary: source.map((of): Deed => ({ do: 'drop', of })) },
);

/** What an index holds, kept beside it in the plainest way. */
class Model {
  readonly sources = new Map<string, Map<string, Passage>>();

  apply(index: SearchIndex, each: Deed): void {
    const own = this.sources.get(each.of) ?? new Map<string, Passage>();
    this.sources.set(each.of, own);
    if (each.do === 'set') {
      index.segment(each.of).set(each.passages);
      for (const one of each.passages) own.set(one.uri, one);
    } else if (each.do === 'remove') {
      index.segment(each.of).remove([each.uri]);
      own.delete(each.uri);
    } else {
      index.drop(each.of);
      own.clear();
    }
  }

  rebuilt(order: 'same' | 'reversed'): SearchIndex {
    const index = createSearchIndex();
    const sources = [...this.sources];
    for (const [of, passages] of order === 'same' ? sources : sources.reverse()) {
      const all = [...passages.values()];
      index.segment(of).set(order === 'same' ? all : all.reverse());
    }
    return index;
  }
}

function assertSame(actual: SearchIndex, expected: SearchIndex): void {
  assert.equal(actual.size, expected.size);
  for (const query of QUERIES) {
    for (const syntax of ['words', 'query'] as const) {
      const [a, b] = [actual, expected].map((index) => index.search(query, { limit: 100, syntax }));
      assert.equal(a!.total, b!.total, query);
      assert.deepEqual(a!.hits, b!.hits, query);
    }
  }
}

describe('whatever happens to the search index', () => {
  it('it answers as one that is made of what there is, in any order', () => {
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 25 }), (deeds) => {
        const index = createSearchIndex();
        const model = new Model();
        deeds.forEach((each, at) => {
          model.apply(index, each);
          if (at % 5 === 4) index.search(QUERIES[at % QUERIES.length]!);
        });
        assertSame(index, model.rebuilt('same'));
        assertSame(index, model.rebuilt('reversed'));
      }),
      { numRuns: 120 },
    );
  });

  it('nor does it matter that most passages were replaced, over and over', () => {
    const random = seededRandom(5);
    const upTo = (most: number) => Math.floor(random() * most);
    const words = () => Array.from({ length: 1 + upTo(20) }, () => WORDS[upTo(WORDS.length)]!).join(' ');
    const index = createSearchIndex();
    const model = new Model();
    for (let round = 0; round < 120; round++) {
      const of = ['a', 'b', 'c'][upTo(3)]!;
      const numbers = Array.from({ length: 150 }, () => upTo(1_000));
      if (round % 40 === 39) model.apply(index, { do: 'drop', of });
      else if (round % 5 === 4)
        for (const number of numbers) model.apply(index, { do: 'remove', of, uri: `k://${of}/${number}` });
      else {
        const passages = numbers.map((number) =>
          passage(`k://${of}/${number}`, { title: words(), body: words(), facets: { kind: 'node', tags: [of] } }),
        );
        model.apply(index, { do: 'set', of, passages });
      }
      if (round % 10 === 0) assertSame(index, model.rebuilt('same'));
    }
    assertSame(index, model.rebuilt('reversed'));
  });

  it('segments that went over the disk answer as before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { maxLength: 15 }), async (deeds) => {
        const index = createSearchIndex();
        const model = new Model();
        for (const each of deeds) model.apply(index, each);
        const restored = createSearchIndex();
        for (const of of model.sources.keys()) assert.ok(await restored.restore(of, await index.segment(of).toBytes()));
        assertSame(restored, index);
        for (const [of, passages] of model.sources) {
          for (const { uri, fingerprint } of passages.values()) {
            assert.equal(restored.segment(of).fingerprint(uri), fingerprint);
          }
        }
        restored.segment('a').set([passage('k://a/new', { body: 'refund of a new order' })]);
        index.segment('a').set([passage('k://a/new', { body: 'refund of a new order' })]);
        assertSame(restored, index);
      }),
      { numRuns: 60 },
    );
  });

  it('no query throws, and none takes long', () => {
    const index = createSearchIndex();
    index
      .segment('a')
      .set(
        Array.from({ length: 500 }, (_, at) =>
          passage(`k://${at}`, { title: WORDS[at % 13]!, body: WORDS.slice(at % 9).join(' ') }),
        ),
      );
    const wild = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc
        .array(fc.constantFrom('"', '-', 'tag:', 'in:', ' ', 'refund', '""', '--', ':', 'a b', '東', '\ud800', "'"), {
          maxLength: 60,
        })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(wild, fc.constantFrom('words' as const, 'query' as const), (query, syntax) => {
        for (const { score } of index.search(query, { syntax }).hits) assert.ok(score >= 0 && score <= 1);
      }),
      { numRuns: 1_000 },
    );
    for (const unit of [
      'refund ',
      '"the of ',
      '-the ',
      'a',
      'aB',
      '東',
      'tag:x ',
      'refnd ',
      '" ',
      "x'",
      'qwertzui ',
      'a.',
    ]) {
      for (const syntax of ['words', 'query'] as const) {
        // Anything quadratic would take longer than a test may.
        assert.ok(index.search(unit.repeat(100_000), { syntax }).hits.length <= 10, unit);
      }
    }
  });

  it('bytes that are damaged are refused and change nothing', async () => {
    const index = createSearchIndex();
    index
      .segment('a')
      .set(
        [1, 2, 3].map((at) =>
          passage(`k://${at}`, { title: 'refund', body: 'order of things', facets: { kind: 'node', tags: ['x'] } }),
        ),
      );
    const bytes = await index.segment('a').toBytes();
    const victim = createSearchIndex();
    victim.segment('a').set([passage('k://old', { body: 'refund' })]);
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: bytes.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        async (at, by, cut) => {
          const damaged = cut ? bytes.slice(0, at) : bytes.slice();
          if (!cut) damaged[at]! ^= by;
          assert.equal(await victim.restore('a', damaged), false);
          assert.deepEqual([...victim.segment('a').uris()], ['k://old']);
        },
      ),
      { numRuns: 300 },
    );
    assert.equal(await victim.restore('a', new Uint8Array(0)), false);
    assert.equal(await victim.restore('a', bytes), true);
    assert.deepEqual([...victim.segment('a').uris()], ['k://1', 'k://2', 'k://3']);
  });

  it('what is set while a segment is read is newer and stays; what is dropped meanwhile is gone', async () => {
    const index = createSearchIndex();
    const passages = Array.from({ length: 500 }, (_, at) => passage(`k://${at}`, { body: 'refund of an order' }));
    index.segment('a').set(passages);
    const bytes = await index.segment('a').toBytes();

    const restored = createSearchIndex();
    const restoring = restored.restore('a', bytes);
    restored.segment('a').set([passage('k://7', { body: 'newer' }), passage('k://8', { body: 'queue' })]);
    restored.segment('a').remove(['k://8', 'k://9']);
    assert.equal(await restoring, true);
    assert.equal(restored.size, 498);
    assert.deepEqual(
      restored.search('newer').hits.map(({ uri }) => uri),
      ['k://7'],
    );
    assert.equal(restored.segment('a').fingerprint('k://9'), undefined);
    assert.equal(await restored.restore('a', bytes), true, 'over what there is');
    assert.equal(restored.size, 500);

    const dropped = restored.restore('c', bytes);
    restored.drop('c');
    await dropped;
    assert.equal(restored.size, 500);
    assert.equal(restored.search('refund').total, 500);
  });

  it('bytes with a fitting checksum that say what cannot be are refused as well', async () => {
    const { createHash } = await import('node:crypto');
    const index = createSearchIndex();
    index.segment('a').set([1, 2, 3].map((at) => passage(`k://${at}`, { title: 'refund', body: 'order of things' })));
    const bytes = await index.segment('a').toBytes();
    const start = 5 + 32;
    let refused = 0;
    for (let at = start; at < bytes.length; at++) {
      for (const value of [0, 0x7f, 0xff]) {
        const forged = bytes.slice();
        forged[at] = value;
        forged.set(createHash('sha256').update(forged.subarray(start)).digest(), 5);
        const victim = createSearchIndex();
        const taken = await victim.restore('a', forged);
        if (!taken) refused++;
        assert.equal(victim.size > 0, taken);
        victim.search('refund order');
      }
    }
    assert.ok(refused > 20);
  });
  it('bytes with words or fields longer than any that are written are refused', async () => {
    const { createHash } = await import('node:crypto');
    const { ByteWriter } = await import('../../src/search/inverted/bytes');
    const magic = (await createSearchIndex().segment('a').toBytes()).slice(0, 5);
    const forged = (word: string, length: number) => {
      const writer = new ByteWriter();
      writer.number(1);
      writer.text(word);
      writer.number(word.length);
      writer.text('');
      for (const number of [0, 1]) writer.number(number);
      for (const text of ['k://a', 'title', '']) writer.text(text);
      for (let facet = 0; facet < 8; facet++) writer.number(0);
      for (const field of [0, 0, 0, length]) writer.number(field);
      for (let at = 0; at < length; at++) writer.number(0);
      const content = writer.done();
      return Buffer.concat([magic, createHash('sha256').update(content).digest(), content]);
    };
    const taken = (bytes: Uint8Array) => createSearchIndex().restore('a', bytes);
    assert.equal(await taken(forged('refund', 65_535)), true);
    assert.equal(await taken(forged('refund', 65_536)), false);
    assert.equal(await taken(forged('r'.repeat(300), 1)), false);
  });
});
