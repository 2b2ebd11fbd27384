import assert from 'node:assert/strict';
import { createSearchIndex, type Passage, type SearchIndex } from '../../src/search';
import { handbook, questions, tasks } from '../support/handbook';
import { passage } from '../support/passages';

function indexOf(passages: Passage[]): SearchIndex {
  const index = createSearchIndex();
  index.segment('handbook').set(passages);
  return index;
}

const found = (index: SearchIndex, query: string, limit = 10) =>
  index.search(query, { limit }).hits.map(({ uri }) => uri);

describe('the best hits', () => {
  const index = indexOf(handbook());

  it('of questions about a handbook are the sections that answer them', () => {
    const asked = questions();
    const wrong: string[] = [];
    let recall = 0;
    let reciprocal = 0;
    for (const { text, relevant } of asked) {
      const hits = found(index, text);
      const place = hits.findIndex((uri) => relevant.includes(uri));
      if (place !== 0) wrong.push(`${text} ${hits[0]}`);
      if (place >= 0) reciprocal += 1 / (place + 1) / asked.length;
      recall += relevant.filter((uri) => hits.slice(0, 3).includes(uri)).length / relevant.length / asked.length;
    }
    assert.ok(recall >= 0.97, `recall@3 ${recall}`);
    assert.ok(reciprocal >= 0.96, `MRR@10 ${reciprocal}`);
    assert.ok(wrong.length <= 3, wrong.join('\n'));
  });

  it('of descriptions of work are the sections that it needs', () => {
    for (const { text, relevant } of tasks().tasks) assert.ok(relevant.includes(found(index, text, 1)[0]!), text);
  });

  it('are the same ones, in the same order, however many are asked for', () => {
    for (const { text } of [...questions(), ...tasks().tasks]) {
      const all = found(index, text, 100);
      for (const limit of [1, 5, 30]) assert.deepEqual(found(index, text, limit), all.slice(0, limit), text);
    }
  });
});

describe('a passage is better', () => {
  const filler = Array.from({ length: 20 }, (_, at) =>
    passage(`other-${at}`, { title: `Other ${at}`, body: `Something else stands in number ${at}, line by line.` }),
  );
  const better = (query: string, first: Partial<Passage>, second: Partial<Passage>) => {
    // The worse one has the uri that would win a tie.
    const index = indexOf([passage('b', first), passage('a', second), ...filler]);
    assert.deepEqual(found(index, query, 2), ['b', 'a']);
  };

  it('with the word in its title than with the word twice in its text', () => {
    better(
      'rollback',
      { title: 'Rollback', body: 'Bring the last image back.' },
      { title: 'Images', body: 'A rollback is quick. A rollback is safe.' },
    );
  });

  it('with the word among its keywords than in its text', () => {
    better(
      'rollback',
      { title: 'Images', keywords: ['rollback'], body: 'Bring the last one back when customers complain.' },
      { title: 'Images', keywords: ['release'], body: 'Bring the last one back when a rollback helps.' },
    );
  });

  it('with the word in a heading above than without', () => {
    better(
      'mobile notifications',
      { title: 'Sending', headings: ['Mobile'], body: 'Notifications are sent by day.' },
      { title: 'Sending', headings: ['Browser'], body: 'Notifications are sent by day.' },
    );
  });

  it('with the rare word of a query than with the frequent one', () => {
    better('something idempotent', { body: 'A handler is idempotent.' }, { body: 'A handler is something.' });
  });

  it('with the word among few than among many', () => {
    better(
      'idempotent',
      { body: 'A handler is idempotent.' },
      { body: `A handler is idempotent. ${'Much more is said of other matters here. '.repeat(8)}` },
    );
  });

  it('with the words side by side than apart', () => {
    better(
      'circuit breaker',
      { body: 'The circuit breaker opens after ten failures within thirty seconds.' },
      { body: 'The circuit opens after ten failures within thirty seconds, breaker.' },
    );
  });

  it('and stop words do not take them apart', () => {
    better(
      'rotation secrets',
      { body: 'Each team writes down the rotation of the secrets of services and when it was done last.' },
      { body: 'Each team writes down rotation dates; owners, vaults, secrets, services, when it was done last.' },
    );
  });
});
