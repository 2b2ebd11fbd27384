import assert from 'node:assert/strict';
import { createSearchIndex, type Passage, type SearchOptions } from '../../src/search';
import { documentation, passage } from '../support/passages';

function indexOf(...passages: Passage[]) {
  const index = createSearchIndex();
  index.segment('a').set(passages);
  const found = (query: string, options?: SearchOptions) => index.search(query, options).hits.map(({ uri }) => uri);
  const asked = (query: string) => found(query, { syntax: 'query' }).sort();
  return { index, segment: index.segment('a'), found, asked };
}

describe('the search index', () => {
  it('finds passages by any of the words, the one that has more of them first', () => {
    const { index, found } = indexOf(
      passage('k://1', { body: 'refunds are paid in order' }),
      passage('k://2', { body: 'refunds and timeouts of the payment queue' }),
      passage('k://3', { body: 'nothing of the kind' }),
    );
    assert.deepEqual(found('payment refunds'), ['k://2', 'k://1']);
    assert.equal(index.search('payment refunds').total, 2);
    assert.deepEqual(index.search('zebra'), { hits: [], total: 0 });
  });

  it('finds inflected words, and parts of names by either spelling', () => {
    const { found } = indexOf(
      passage('k://1', { body: 'Logging requests with getUserName' }),
      passage('k://2', { body: 'the server_core module is readOnly' }),
    );
    for (const query of ['logged request', 'get_user_name', 'getusername', 'user name', 'LOGS']) {
      assert.deepEqual(found(query), ['k://1'], query);
    }
    for (const query of ['serverCore', 'core', 'read-only', 'readonly', 'modules']) {
      assert.deepEqual(found(query), ['k://2'], query);
    }
  });

  it('finds words that end in us by their plurals, and the other way round', () => {
    const { found } = indexOf(
      passage('k://1', { title: 'Walruses', body: 'and their statuses' }),
      passage('k://2', { title: 'The virus', body: 'and its status' }),
    );
    assert.deepEqual(found('walrus'), ['k://1']);
    assert.deepEqual(found('viruses'), ['k://2']);
    assert.deepEqual(found('status').sort(), ['k://1', 'k://2']);
  });

  it('says which words were found where, heaviest first', () => {
    const { index } = indexOf(
      passage('k://1', { title: 'Refund', keywords: ['refund'], body: 'of an order' }),
      passage('k://2', { body: 'an order' }),
    );
    const [hit] = index.search('Orders to refund, quickly').hits;
    assert.equal(hit!.uri, 'k://1');
    assert.deepEqual(
      hit!.matched.map(({ word, fields }) => [word, fields]),
      [
        ['refund', ['title', 'keywords']],
        ['Orders', ['body']],
      ],
    );
    const weights = hit!.matched.map(({ weight }) => weight);
    assert.ok(weights[0]! > weights[1]! && weights[0]! + weights[1]! < 1, 'an unknown word weighs, too');
  });

  it('puts the uri in order where nothing else does', () => {
    const same = ['k://c', 'k://a', 'k://b'].map((uri) => passage(uri, { body: 'the same text' }));
    assert.deepEqual(indexOf(...same).found('same'), ['k://a', 'k://b', 'k://c']);
    assert.deepEqual(indexOf(...same.reverse()).found('same', { limit: 2 }), ['k://a', 'k://b']);
  });

  it('takes the first of many equals, whatever the order in which they came', () => {
    const { found } = indexOf(
      ...Array.from({ length: 3_000 }, (_, at) =>
        passage(`k://${String((at * 1_597) % 3_000).padStart(4, '0')}`, { body: 'one and the same' }),
      ),
      passage('k://z', { body: 'same' }),
    );
    const firsts = Array.from({ length: 99 }, (_, at) => `k://${String(at).padStart(4, '0')}`);
    assert.deepEqual(found('same', { limit: 100 }), ['k://z', ...firsts]);
  });

  it('looks for stop words when there are no others', () => {
    const { found } = indexOf(
      passage('k://1', { body: 'to be or not to be' }),
      passage('k://2', { body: 'a question' }),
    );
    assert.deepEqual(found('to be or not'), ['k://1']);
    assert.deepEqual(found('to question'), ['k://2']);
  });

  it('takes a stop word in capitals for the name that it is', () => {
    const { found } = indexOf(
      passage('k://1', { body: 'errors on the CAN' }),
      passage('k://2', { body: 'errors' }),
      passage('k://3', { body: 'what can be' }),
    );
    assert.deepEqual(found('CAN error'), ['k://1', 'k://2', 'k://3']);
    assert.deepEqual(found('what an error CAN'), ['k://1', 'k://2', 'k://3']);
    for (const query of ['can error', 'CAN ERROR', 'an error, NOT WHAT'])
      assert.deepEqual(found(query), ['k://2', 'k://1'], query);
  });

  it('narrows by facets, of which each named one must hold', () => {
    const { found } = indexOf(
      passage('k://1', { body: 'rule', facets: { kind: 'entry', scope: 'shop', tags: ['pci', 'money'] } }),
      passage('k://2', {
        body: 'rule',
        facets: { kind: 'node', space: 'docs', type: 'guideline', path: 'src/a/x.md' },
      }),
      passage('k://3', {
        body: 'rule',
        facets: { kind: 'node', space: 'docs', type: 'plan', path: 'lib/x.md', status: 'draft' },
      }),
    );
    assert.deepEqual(found('rule', { filter: { kind: ['node'] } }), ['k://2', 'k://3']);
    assert.deepEqual(found('rule', { filter: { kind: ['node', 'entry'], type: ['plan', 'guideline'] } }), [
      'k://2',
      'k://3',
    ]);
    assert.deepEqual(found('rule', { filter: { path: ['src/'] } }), ['k://2']);
    assert.deepEqual(found('rule', { filter: { tags: ['money'] } }), ['k://1']);
    assert.deepEqual(found('rule', { filter: { tags: ['Money'] } }), []);
    assert.deepEqual(found('rule', { filter: { scope: ['shop'], kind: ['node'] } }), []);
    assert.deepEqual(found('rule', { filter: { status: ['draft'], space: ['docs'] } }), ['k://3']);
    assert.deepEqual(found('rule', { filter: { sources: ['b'] } }), []);
    assert.deepEqual(found('rule', { filter: { sources: ['a', 'b'] } }).length, 3);
  });

  it('follows what is replaced, removed and dropped', () => {
    const { index, segment, found } = indexOf(
      passage('k://1', { body: 'old text', fingerprint: 'f1' }),
      passage('k://2', { body: 'text' }),
    );
    assert.equal(segment.fingerprint('k://1'), 'f1');
    segment.set([passage('k://1', { body: 'new text', fingerprint: 'f2' })]);
    assert.equal(segment.fingerprint('k://1'), 'f2');
    assert.deepEqual(found('old'), []);
    assert.deepEqual(found('new'), ['k://1']);
    segment.remove(['k://2', 'k://nowhere']);
    assert.deepEqual([segment.size, index.size, [...segment.uris()]], [1, 1, ['k://1']]);
    index.segment('b').set([passage('k://3', { body: 'text' })]);
    index.drop('a');
    assert.deepEqual(found('text'), ['k://3']);
    assert.deepEqual([index.size, index.segment('a').size], [1, 0]);
    index.drop('nowhere');
  });

  it('keeps finding what is there while most of it is replaced again and again', () => {
    const { index, segment, found } = indexOf();
    const name = (number: number) => String(number).replace(/\d/g, (digit) => 'bcdfghjklm'[Number(digit)]!);
    for (let round = 0; round < 40; round++) {
      const body = (at: number) => `round${name(round)} word${name(at)} common`;
      segment.set(Array.from({ length: 200 }, (_, at) => passage(`k://${at}`, { body: body(at) })));
    }
    assert.equal(index.size, 200);
    assert.equal(index.search('common').total, 200);
    assert.deepEqual(found(`word${name(77)}`), ['k://77']);
    assert.equal(index.search(`round${name(39)}`, { limit: 1_000 }).hits.length, 200);
    const before = index.search(`round${name(38)}`).hits;
    assert.ok(
      before.every(({ matched }) => matched.every(({ corrected }) => corrected === `round${name(39)}`)),
      'nothing of what was there before',
    );
  });

  it('leaves nothing of the best out, however frequent the words are', () => {
    const words = ['alpha', 'beta', 'gamma', 'delta', 'omega'];
    const passages = Array.from({ length: 6_000 }, (_, at) =>
      passage(`k://${at}`, {
        title: at % 97 === 0 ? 'alpha beta' : '',
        body: words.filter((_, word) => (at * 7 + word * 13) % (word + 2) === 0).join(' ') + ' filler'.repeat(at % 11),
      }),
    );
    const { index } = indexOf(...passages);
    const query = 'alpha beta gamma delta omega';
    const all = index.search(query, { limit: 1_000 });
    for (const limit of [1, 10, 60, 200]) {
      const some = index.search(query, { limit });
      assert.deepEqual(
        some.hits.map(({ uri, rank }) => [uri, rank]),
        all.hits.slice(0, limit).map(({ uri, rank }) => [uri, rank]),
      );
      assert.equal(some.total, all.total);
    }
  });

  it('takes a beginning for the last word of a person, and not of an agent', () => {
    const { found, asked } = indexOf(
      passage('k://1', { body: 'authentication of users' }),
      passage('k://2', { body: 'the author of it' }),
    );
    assert.deepEqual(asked('auth'), ['k://1', 'k://2']);
    assert.deepEqual(asked('authen'), ['k://1']);
    assert.deepEqual(asked('authentica'), ['k://1']);
    assert.deepEqual(asked('auth '), []);
    assert.deepEqual(asked('auth.'), ['k://1', 'k://2'], 'a sign may be the next letter of a name');
    assert.deepEqual(found('auth'), []);
  });

  it('completes a name that ends with a joint so far', () => {
    const { asked } = indexOf(
      passage('k://1', { body: 'call get_user_by_id' }),
      passage('k://2', { body: 'call get_role' }),
      passage('k://3', { body: 'see package.json' }),
    );
    for (const query of ['get_user', 'get_user_', 'get_user_b', 'getUserBy'])
      assert.ok(asked(query).includes('k://1'), query);
    assert.deepEqual(asked('get_user_'), ['k://1']);
    assert.deepEqual(asked('package.'), ['k://3']);
  });

  it('finds what people and agents call things by, however it is written', () => {
    const { found } = indexOf(
      ...[
        'call getUserById(id)',
        'upgrade to v1.2.3',
        'edit src/search/query-words.ts',
        'written in C++',
        'written in C#',
        'streams of node.js',
        'runs on .NET',
        'write to jane.doe@example.com',
        'see https://docs.example.org/api/v2/users?id=5',
        'set NODE_ENV',
        'Größenänderung in der Hauptstraße',
        'pass --dry-run',
      ].map((body, at) => passage(`k://${at}`, { body })),
    );
    const table: [at: number, ...queries: string[]][] = [
      [0, 'user by id', 'get_user_by_id', 'getuserbyid', 'get-user-by-id', 'userById'],
      [1, '1.2.3', 'v1.2.3'],
      [2, 'query-words.ts', 'querywords', 'query_words', 'src/search/query-words.ts'],
      [3, 'C++', 'c++'],
      [4, 'C#'],
      [5, 'node.js', 'nodejs', 'Node.JS'],
      [6, '.NET', '.net'],
      [7, 'jane.doe@example.com', 'jane doe', 'jane.doe'],
      [8, 'docs.example.org', 'https://docs.example.org/api/v2', 'api/v2'],
      [9, 'NODE_ENV', 'nodeEnv', 'node-env'],
      [10, 'grossenanderung', 'GRÖSSENÄNDERUNG', 'groessenaenderung', 'hauptstrasse'],
      [11, '--dry-run', 'dry run', 'dryRun'],
    ];
    for (const [at, ...queries] of table) {
      for (const query of queries) assert.equal(found(query)[0], `k://${at}`, query);
    }
  });

  it('finds texts of scripts without spaces by what stands in them', () => {
    const { found, asked } = indexOf(
      passage('k://1', { body: '東京都の天気予報です' }),
      passage('k://2', { body: '京都の寺' }),
      passage('k://3', { body: 'ภาษาไทยง่ายมาก' }),
    );
    assert.deepEqual(found('天気'), ['k://1']);
    assert.equal(found('東京')[0], 'k://1');
    assert.deepEqual(found('寺'), ['k://2']);
    assert.deepEqual(found('ไทย')[0], 'k://3');
    assert.deepEqual(asked('"京都の寺"'), ['k://2']);
  });

  it('answers for the whole of the documentation what each of its parts says', () => {
    const sections = documentation();
    const { found } = indexOf(...sections);
    const titled = sections.filter(({ title }) => title.split(' ').length >= 3);
    assert.ok(titled.length > 20);
    const first = titled.filter(({ uri, title }) => found(title, { limit: 3 }).includes(uri));
    assert.ok(first.length / titled.length > 0.9, `${first.length} of ${titled.length} sections by their title`);
  });
});

describe('what people ask', () => {
  const { index, asked } = indexOf(
    passage('k://1', {
      title: 'Paying back',
      body: 'Refunds run in the order of payment.',
      facets: {
        kind: 'node',
        type: 'guideline',
        status: 'active',
        path: 'docs/Payments/refunds.md',
        tags: ['Money', 'core api'],
      },
    }),
    passage('k://2', {
      body: 'In the order: refunds run, then mails.',
      facets: { kind: 'node', type: 'plan', status: 'draft', space: 'handbook', path: 'mail.md', tags: ['mail'] },
    }),
    passage('k://3', { title: 'Order of', body: 'payment', facets: { kind: 'entry', scope: 'shop' } }),
  );
  const table: [query: string, expected: string[]][] = [
    ['"order of payment"', ['k://1']],
    ['"in the order"', ['k://1', 'k://2']],
    ['"of payment" mails', ['k://1']],
    ['"Order OF"', ['k://1', 'k://3']],
    ['"orders of"', []],
    ['"order of payment', ['k://1']],
    ['order -mails', ['k://1', 'k://3']],
    ['order -"order of"', ['k://2']],
    ['order -nowhere', ['k://1', 'k://2', 'k://3']],
    ['refunds type:plan', ['k://2']],
    ['refunds TYPE:Plan', ['k://2']],
    ['refunds status:active', ['k://1']],
    ['tag:money', ['k://1']],
    ['tag:"core api" refunds', ['k://1']],
    ['in:docs/pay', ['k://1']],
    ['in:docs/payments refunds', ['k://1']],
    ['order in:handbook', ['k://2']],
    ['order in:shop', ['k://3']],
    ['type:guideline type:plan', []],
    ['other:plan refunds', ['k://1', 'k://2']],
    ['--mails', ['k://2']],
    ['-', []],
    ['""', []],
    ['   ', []],
  ];
  for (const [query, expected] of table) {
    it(`${query} finds ${expected.length === 0 ? 'nothing' : expected.join(' and ')}`, () => {
      assert.deepEqual(asked(query), expected);
    });
  }

  it('is read by agents as plain words', () => {
    const hits = index.search('"orders of" -mails type:plan').hits.map(({ uri }) => uri);
    assert.ok(hits.includes('k://2'), 'the word plan is not a filter, and mails is wanted');
  });
});

describe('a misspelt word', () => {
  const corrected = (query: string, ...bodies: string[]) => {
    const { index } = indexOf(...bodies.map((body, at) => passage(`k://${at}`, { body })));
    return index.search(query).hits[0]?.matched[0]?.corrected;
  };
  it('is taken for the nearest one that is known', () => {
    assert.equal(corrected('athentication', 'authentication'), 'authentication');
    assert.equal(corrected('auhtentication', 'authentication'), 'authentication');
    assert.equal(corrected('autentcation', 'authentication'), 'authentication', 'two slips in a long word');
    assert.equal(corrected('oredr', 'order'), 'order', 'a swap is one slip');
    assert.equal(corrected('oerdr', 'order'), undefined, 'two slips in a short word are one too many');
    assert.equal(corrected('cta', 'cat'), undefined, 'short words are taken as they are');
    assert.equal(corrected('v1234', 'v1235'), undefined, 'numbers too');
  });
  it('is the most frequent one of those, then the first of the alphabet', () => {
    assert.equal(corrected('casc', 'cast', 'case', 'case'), 'case');
    assert.equal(corrected('casc', 'cast', 'case'), 'case');
    assert.equal(corrected('casc', 'case', 'cast'), 'case');
  });
  it('stays as it is where a passage holds it', () => {
    assert.equal(corrected('cast', 'cast', 'case case', 'case'), undefined);
    const { index, segment } = indexOf(passage('k://1', { body: 'casts' }), passage('k://2', { body: 'case' }));
    segment.remove(['k://1']);
    assert.equal(index.search('cast').hits[0]?.matched[0]?.corrected, 'case', 'and no longer once none does');
  });
});
