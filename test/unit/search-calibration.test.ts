import assert from 'node:assert/strict';
import { createSearchIndex, type Passage, type SearchIndex } from '../../src/search';
import { documentationQuestions, handbook, questions, tasks } from '../support/handbook';
import { documentation, passage } from '../support/passages';

function indexOf(...sources: Passage[][]): SearchIndex {
  const index = createSearchIndex();
  for (const [at, passages] of sources.entries()) index.segment(`source ${at}`).set(passages);
  return index;
}

const scores = (index: SearchIndex, query: string, limit = 10) =>
  new Map(index.search(query, { limit }).hits.map(({ uri, score }) => [uri, score]));
const best = (index: SearchIndex, query: string) => index.search(query, { limit: 1 }).hits[0]?.score ?? 0;

describe('a score', () => {
  const index = indexOf(handbook());
  const asked = [...questions(), ...tasks().tasks];

  it('is at least 0.9 for the section whose title is the query, be it one word or several', () => {
    for (const { title, uri } of handbook()) {
      const [hit] = index.search(title).hits;
      assert.equal(hit?.uri, uri);
      assert.ok(hit.score >= 0.9, `${title} ${hit.score}`);
    }
  });

  it('is as high for nearly all titles in a documentation', () => {
    const passages = documentation();
    const own = indexOf(passages);
    const unique = passages.filter(({ title }) => passages.filter((other) => other.title === title).length === 1);
    assert.ok(unique.length > 20);
    const high = unique.filter(({ title, uri }) => (scores(own, title).get(uri) ?? 0) >= 0.85);
    assert.ok(high.length >= 0.9 * unique.length, `${high.length} of ${unique.length}`);
  });

  it('reaches 0.7 for a long description whose important words a section holds, and hardly a wrong one reaches 0.5', () => {
    const described = tasks().tasks;
    const reached = described.filter(({ text, relevant }) =>
      relevant.some((uri) => (scores(index, text).get(uri) ?? 0) >= 0.7),
    );
    assert.ok(reached.length >= described.length - 1, `${reached.length} of ${described.length}`);
    for (const { text, relevant } of described) {
      for (const [uri, score] of scores(index, text)) {
        assert.ok(relevant.includes(uri) || score < 0.5, `${text} ${uri} ${score}`);
      }
    }
  });

  it('of 0.9 and more is right nine times in ten, of 0.7 and more four times in five', () => {
    const hits = asked.flatMap(({ text, relevant }) =>
      [...scores(index, text)].map(([uri, score]) => ({ score, right: relevant.includes(uri) })),
    );
    for (const [least, share, number] of [
      [0.9, 0.9, 10],
      [0.7, 0.8, 30],
    ] as const) {
      const above = hits.filter(({ score }) => score >= least);
      assert.ok(above.length >= number, `${above.length} above ${least}`);
      const right = above.filter((hit) => hit.right).length;
      assert.ok(right >= share * above.length, `${right} of ${above.length} above ${least}`);
    }
    const low = hits.filter(({ score }) => score < 0.3);
    assert.ok(low.filter(({ right }) => right).length < 0.05 * low.length);
  });

  it('of 0.9 and more is right for questions about a documentation as well', () => {
    const own = indexOf(documentation());
    const asked = documentationQuestions();
    const answers = asked.map(({ text, relevant }) =>
      own.search(text).hits.map(({ uri, score }) => ({ score, right: relevant.includes(uri.replace(/#.*/, '')) })),
    );
    const right = answers.filter(([hit]) => hit?.right).length;
    assert.ok(right >= 0.7 * asked.length, `${right} of ${asked.length} best hits`);
    const high = answers.flat().filter(({ score }) => score >= 0.9);
    assert.ok(high.length >= 3);
    assert.ok(high.filter((hit) => hit.right).length >= 0.8 * high.length);
  });

  it('stays below 0.3 for what nothing is about, however good the best hit is beside the others', () => {
    for (const query of tasks().unrelated) assert.ok(best(index, query) < 0.3, `${query} ${best(index, query)}`);
  });

  it('stays low for long texts about something else, though they share many words', () => {
    for (const { body } of documentation().filter((each) => each.body.length > 1_500)) {
      assert.ok(best(index, body) < 0.5, `${body.slice(0, 80)} ${best(index, body)}`);
    }
  });

  it('is low for stop words alone, which are found all the same', () => {
    for (const query of ['how to do it', "what's this about", 'the']) {
      const [hit] = index.search(query).hits;
      assert.ok(hit && hit.score < 0.3, `${query} ${hit?.score}`);
    }
  });

  it('is between 0 and 1, the same each time, and falls with the rank', () => {
    for (const { text } of asked) {
      const { hits } = index.search(text, { limit: 100 });
      assert.deepEqual(index.search(text, { limit: 100 }).hits, hits);
      hits.forEach(({ score, rank }, at) => {
        assert.ok(score >= 0 && score <= 1);
        const before = hits[at - 1];
        if (before) assert.ok(before.rank >= rank && before.score >= score, text);
      });
    }
  });

  it('does not depend on how many hits are asked for', () => {
    for (const { text } of asked) {
      const all = scores(index, text, 100);
      for (const [uri, score] of scores(index, text, 2)) assert.equal(all.get(uri), score);
    }
  });

  it('hardly moves when passages about something else are added', () => {
    const more = indexOf(handbook(), documentation());
    const moved = asked.map(({ text }) => {
      const [[uri, score] = ['', 0]] = scores(index, text);
      return Math.abs((scores(more, text).get(uri) ?? 0) - score);
    });
    moved.sort((a, b) => a - b);
    assert.ok(moved[Math.floor(moved.length / 2)]! < 0.05, `median ${moved[Math.floor(moved.length / 2)]}`);
    assert.ok(moved[Math.floor(moved.length * 0.9)]! < 0.15, `of nine in ten ${moved[Math.floor(moved.length * 0.9)]}`);
  });

  it('means the same in a knowledge base of a single passage', () => {
    const [refunds] = handbook().filter(({ title }) => title === 'Refunds');
    const one = indexOf([refunds!]);
    assert.ok(best(one, 'refunds') >= 0.9);
    assert.ok(best(one, 'who approves refunds above 500 euros') >= 0.7);
    assert.ok(best(one, 'send a newsletter to the customer every month') < 0.5);
    assert.equal(best(one, 'kubernetes'), 0);
  });

  it('of a word that is only mentioned says that it may be useful', () => {
    const score = best(index, 'jitter');
    assert.ok(score >= 0.5 && score < 0.7, String(score));
  });

  it('of a misspelt word is lower than of the right one', () => {
    const wrong = best(index, 'acessibility');
    assert.ok(wrong >= 0.5 && wrong < best(index, 'accessibility'), String(wrong));
  });

  it('of a passage with the words in its title is higher than of one with the words in its text', () => {
    const inTitle = passage('title', { title: 'Blue-green deployment', body: 'Two copies take turns.' });
    const inText = passage('text', { title: 'Turns', body: 'With blue-green deployment two copies take turns.' });
    const query = 'blue-green deployment';
    assert.ok(best(indexOf(handbook(), [inTitle]), query) > best(indexOf(handbook(), [inText]), query));
  });
});
