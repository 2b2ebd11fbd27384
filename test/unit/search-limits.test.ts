import assert from 'node:assert/strict';
import { Turns } from '../../src/core/turns';
import { createSearchIndex, createSemanticIndex, type QuerySyntax } from '../../src/search';
import { Passages } from '../../src/search/passages';
import { parseQuery } from '../../src/search/query';
import { cost } from '../support/cost';
import { seededRandom } from '../support/hall';
import { passage } from '../support/passages';

/** What a query may cost beside one of a dozen stop words: it takes up to three times as much; without limits it took up to seventy. */
const TIMES_AS_MUCH = 10;

const letters = (number: number) => String(number).replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)]!);
const cjk = (number: number) => String.fromCodePoint(0x4e00 + number);

describe('a query costs little', function () {
  this.timeout(120_000);
  const random = seededRandom(3);
  const upTo = (most: number) => Math.floor(random() ** 2 * most);
  const stopWords = 'the of and to a in is it that for on was'.split(' ');
  const index = createSearchIndex();
  const text = (length: number, word: () => string) => Array.from({ length }, word).join(' ');

  before(() => {
    for (let from = 0; from < 20_000; from += 500) {
      index.segment('a').set(
        Array.from({ length: 500 }, (_, at) =>
          passage(`k://${String(from + at).padStart(5, '0')}`, {
            title: text(2, () => `word${letters(upTo(3_000))}`),
            body: `${text(20, () => stopWords[upTo(stopWords.length)]!)} ${text(15, () => `word${letters(upTo(3_000))}`)} ${cjk(upTo(3_000))}${cjk(upTo(3_000))}${cjk(upTo(3_000))}`,
            facets: { kind: 'node', path: `docs/part-${at % 50}/file-${from}.md`, tags: [`t${at % 50}`] },
          }),
        ),
      );
    }
  });

  const table: [what: string, query: string, syntax: QuerySyntax][] = [
    ['of single characters that begin words', Array.from({ length: 800 }, (_, at) => cjk(at)).join(' '), 'words'],
    ['of one character over and over', `${cjk(1)} ${cjk(2)} ${cjk(3)} `.repeat(500), 'words'],
    ['of phrases that stand nearly everywhere', '"the of" "of the" "and the" "the" '.repeat(100), 'query'],
    ['of such phrases, excluded', `-"the of" -"of the" -"and to" `.repeat(130), 'query'],
    ['of words excluded again and again', '-the -of '.repeat(400), 'query'],
    ['of filters', 'in:docs/part type:x tag:t1 '.repeat(150), 'query'],
    ['of frequent words', Array.from({ length: 400 }, (_, at) => `word${letters(at)}`).join(' '), 'words'],
    ['of names of many parts', Array.from({ length: 400 }, (_, at) => `word${letters(at)}`).join('.'), 'words'],
    ['of unknown words', Array.from({ length: 400 }, (_, at) => `wrod${letters(at * 7)}`).join(' '), 'words'],
    ['of stop words alone', `${stopWords.join(' ')} `.repeat(60), 'words'],
    ['of a single letter', 'w', 'query'],
  ];
  for (const [what, query, syntax] of table) {
    it(what, () => {
      const plain = cost(() => index.search(stopWords.join(' ')));
      const taken = cost(() => index.search(query, { syntax, limit: 100 }));
      assert.ok(taken < TIMES_AS_MUCH * plain, `${taken} ms beside ${plain} ms`);
    });
  }

  it('and names no more than sixteen phrases, exclusions and filters', () => {
    const each = Array.from({ length: 20 }, (_, at) => letters(at));
    const { phrases, texts } = parseQuery(each.map((word) => `"${word} x"`).join(' '), 'query');
    assert.deepEqual([phrases.length, texts.length], [16, 4], 'the words of the others still count');
    assert.equal(parseQuery(each.map((word) => `-${word}`).join(' '), 'query').excluded.length, 16);
    assert.equal(parseQuery(each.map((word) => `tag:${word}`).join(' '), 'query').filters.length, 16);
  });
});

describe('however many words of a query are frequent', function () {
  this.timeout(120_000);
  it('the passage with the rare one is first, and something is found', () => {
    const words = Array.from({ length: 250 }, (_, at) => `word${letters(at)}`);
    const index = createSearchIndex();
    const body = words.join(' ');
    for (let from = 0; from < 5_000; from += 500) {
      index.segment('a').set(Array.from({ length: 500 }, (_, at) => passage(`k://${from + at}`, { body })));
    }
    index.segment('a').set([passage('k://rare', { body: `${body} rare` })]);
    const { hits, total } = index.search(`${body} rare`);
    assert.equal(hits[0]?.uri, 'k://rare');
    assert.equal(hits.length, 10);
    assert.equal(total, 5_001);
  });
});

describe('a long text', () => {
  it('is searched up to its first 100,000 characters, of which nothing is lost', () => {
    const index = createSearchIndex();
    const filler = 'filler '.repeat(13_000);
    index
      .segment('a')
      .set([
        passage('k://1', { title: 'Long', body: `${filler} within ${filler} beyond`, keywords: ['kept'] }),
        passage('k://2', { body: '! '.repeat(500_000) }),
      ]);
    for (const query of ['within', 'kept', 'long']) assert.deepEqual(index.search(query).hits.length, 1, query);
    assert.deepEqual(index.search('beyond').hits, []);
  });

  it('of a megabyte is indexed, whatever it is made of', () => {
    // Anything quadratic would take longer than a test may.
    for (const unit of ['a', 'aB', 'a1', 'a\u0301\u0301\u0301', '𝒳', "a'", 'aaB.', 'Ab ', '東', 'qZ0/']) {
      const index = createSearchIndex();
      const body = unit.repeat(1_000_000 / unit.length);
      index.segment('a').set([passage('k://1', { body })]);
      assert.equal(index.size, 1, unit);
    }
  });
});

describe('passages are indexed in turns', () => {
  it('that end by how long the texts are, not only by how many', async () => {
    const index = createSearchIndex();
    const segment = index.segment('a');
    const batches: number[] = [];
    const set = segment.set.bind(segment);
    segment.set = (passages) => {
      const all = [...passages];
      batches.push(all.length);
      set(all);
    };
    const cache = { read: async () => undefined, write: async () => undefined, forget: async () => undefined };
    const passages = new Passages(index, createSemanticIndex({ cacheDirectory: 'nowhere' }), cache as never);
    const of = (count: number, length: number, name: string) =>
      Array.from({ length: count }, (_, at) =>
        passage(`k://${name}${at}`, { body: 'x'.repeat(length), fingerprint: 'new' }),
      );
    await passages.set('a', of(120, 10, 'short'), new Turns());
    assert.deepEqual(batches.splice(0), [50, 50, 20]);
    await passages.set('a', of(5, 60_000, 'long'), new Turns());
    assert.deepEqual(batches.splice(0), [1, 1, 1, 1, 1]);
    await passages.set('a', [...of(2, 8_000, 'some'), ...of(2, 8_000, 'more')], new Turns());
    assert.deepEqual(batches.splice(0), [2, 2]);
    assert.equal(segment.size, 129);
  });
});
