import assert from 'node:assert/strict';
import { BY_TESTER, error, type Hall, seededRandom, useHalls } from '../support/hall';
import { importMany } from '../support/many-entries';
import { queriesDuring } from '../support/queries';

describe('finding entries', () => {
  const open = useHalls();
  let hall: Hall;

  beforeEach(async () => {
    hall = await open();
    await hall.define('general', 'GENERAL');
    await hall.define('auth-team', 'GROUP');
    await hall.define('shop', 'PROJECT', ['auth-team']);
  });

  const find = (query: string, limit?: number, from = hall) =>
    from.knowledge.find(query, limit).map(({ scope_id, category, keyword }) => `${scope_id}/${category}/${keyword}`);

  it('gives each with its tier, as it is stored', async () => {
    await hall.put('auth-team', 'http', 'retries', 'WARNING: Never more than three.', { SEVERITY: 'High' });
    const key = { scope_id: 'auth-team', category: 'http', keyword: 'retries' };
    assert.deepEqual(hall.knowledge.find('retr'), [{ ...hall.knowledge.entry(key), tier: 'GROUP' }]);
  });

  it('looks into keyword, category, scope, content and metaknowledge, for every word', async () => {
    await hall.put('auth-team', 'http.client', 'retries', 'Never more than three.', { SEVERITY: 'High' });
    for (const query of ['retries', 'client', 'auth', 'three', 'severity', 'high', 'p.cl', 'etri more  TEAM\thig']) {
      assert.deepEqual(find(query), ['auth-team/http.client/retries'], query);
    }
    for (const query of ['four', 'retries four', 'retries three four', 'client-', 'retriesnever']) {
      assert.deepEqual(find(query), [], query);
    }
  });

  it('does not mind the case, in any script', async () => {
    await hall.put('general', 'Küche', 'ÄPFEL', 'Straße, ПОВТОРЫ и ещё, ΔΟΚΙΜΗ, İstanbul, 再試行');
    for (const query of [
      'äpfel',
      'ÄpFeL',
      'pfe',
      'KÜCHE',
      'straße',
      'повторы',
      'Повт',
      'δοκιμη',
      '再試',
      'stanbul и',
    ]) {
      assert.deepEqual(find(query), ['general/Küche/ÄPFEL'], query);
    }
    assert.deepEqual(find('apfel'), []);
  });

  it('takes every character for itself', async () => {
    const odd = ['100%', 'a_b', 'a*b', 'a?b', '[ab]', 'a\\b', '"q"', "it's", 'ä%ö', 'ä*ö', 'ä[x]', '__proto__'];
    await hall.put('general', 'plain', 'axb', 'aab 100 b äxö');
    for (const [index, text] of odd.entries()) {
      await hall.put('general', 'odd', `k${index}`, text);
      await hall.put('general', 'labels', `k${index}`, 'plain', { [`l ${text}`]: 'x', y: `${text} y` });
    }
    for (const [index, text] of odd.entries()) {
      assert.deepEqual(find(text), [`general/labels/k${index}`, `general/odd/k${index}`], text);
    }
    for (const query of ['{', '":"', ',', '}'])
      assert.deepEqual(find(query), [], `metaknowledge is no JSON to people: ${query}`);
  });

  it('gives the best first: keyword, its beginning, its words, category, text; PROJECT first among equals', async () => {
    await hall.put('general', 'x', 'other', 'the retry');
    await hall.put('shop', 'x', 'other', 'the retry');
    await hall.put('shop', 'retry', 'other', 'y');
    await hall.put('shop', 'x', 'no-retry', 'y');
    await hall.put('shop', 'x', 'retry-late', 'y');
    await hall.put('general', 'x', 'Retry', 'y');
    await hall.put('shop', 'x', 'retry', 'y');
    const all = [
      'shop/x/retry',
      'general/x/Retry',
      'shop/x/retry-late',
      'shop/x/no-retry',
      'shop/retry/other',
      'shop/x/other',
      'general/x/other',
    ];
    assert.deepEqual(find('retry'), all);
    for (let limit = 1; limit <= all.length; limit++) assert.deepEqual(find('retry', limit), all.slice(0, limit));
  });

  it('gives those changed last when nothing is asked for yet, each once', async () => {
    for (const [index, scope] of ['general', 'shop', 'auth-team', 'general'].entries()) {
      await hall.put(scope, 'x', index === 3 ? 'k0' : `k${index}`, `${index}`);
      hall.clock.advanceMinutes(1);
    }
    await hall.put('shop', 'x', 'gone');
    await hall.knowledge.delete({ scope_id: 'shop', category: 'x', keyword: 'gone' }, BY_TESTER);
    assert.deepEqual(find(' '), ['general/x/k0', 'auth-team/x/k2', 'shop/x/k1']);
    assert.deepEqual(find('', 2), ['general/x/k0', 'auth-team/x/k2']);
  });

  it('finds what another hall writes, and no longer what it deletes', async () => {
    const peer = await open({ data: hall.data, shared: hall.shared });
    assert.deepEqual(find('retry'), []);
    await peer.put('shop', 'x', 'retry');
    assert.deepEqual(find('retry'), ['shop/x/retry']);
    await peer.knowledge.deleteScope('shop', { confirmed: true }, BY_TESTER);
    assert.deepEqual(find('retry'), []);
  });

  it('refuses a query that is too long and a limit that is none', () => {
    assert.throws(() => hall.knowledge.find('x'.repeat(1001)), error('invalid_argument', 'query', '1000'));
    for (const limit of [0, 1001, 2.5]) assert.throws(() => find('x', limit), error('invalid_argument', 'limit'));
    assert.deepEqual(find(Array.from({ length: 500 }, (_, index) => index % 10).join(' ')), []);
    assert.deepEqual(find('ä ö ü '.repeat(160)), []);
  });

  for (let seed = 1; seed <= 3; seed++) {
    it(`finds exactly the entries that hold every word (${seed})`, async () => {
      const random = seededRandom(seed);
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
      const words = ['Retry', 'über', 'ÜBER', 'a%b', 'token', 'x_y', 'лес', 'ЛЕС', '"q"', 'to', 'ken', '\u{1F4A5}'];
      const text = () => Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(words)).join(' ');
      const entries: Parameters<Hall['put']>[] = [];
      for (let count = 0; count < 60; count++) {
        const labels = random() < 0.5 ? { [text()]: text() } : {};
        entries.push([
          pick(['general', 'auth-team', 'shop']),
          pick(['c1', 'Token', 'c2.über']),
          text(),
          text(),
          labels,
        ]);
      }
      const stored = new Map(entries.map((entry) => [entry.slice(0, 3).join('/'), entry]));
      for (const entry of stored.values()) await hall.put(...entry);
      for (let count = 0; count < 60; count++) {
        const query = pick([text(), pick(words).slice(0, 2), `${pick(words)} au`]);
        const wanted = query.toLowerCase().split(' ');
        const holding = [...stored].filter(([, [scope, category, keyword, content, labels]]) => {
          const fields = [scope, category, keyword, content!, ...Object.entries(labels!).flat()];
          return wanted.every((word) => fields.some((field) => field.toLowerCase().includes(word)));
        });
        assert.deepEqual(find(query, 1000).sort(), holding.map(([name]) => name).sort(), query);
      }
    });
  }

  it('asks little of 10,000 entries, and looks through their texts once, where names do not fill the limit', async () => {
    const crowded = await open();
    await importMany(crowded);
    const asked = (query: string) => {
      const queries = queriesDuring(() => crowded.knowledge.find(query));
      const texts = queries.filter(({ plan }) => plan.includes('SCAN e')).length;
      const rows = queries.reduce((sum, query) => sum + query.rows, 0);
      assert.ok(queries.length <= 8 && rows <= 1_000, `"${query}": ${queries.length} questions, ${rows} rows`);
      return texts;
    };
    for (const query of ['', 'r', 'rule-1']) assert.equal(asked(query), 0, query);
    // Each of the two stores.
    for (const query of ['event', 'zzqx', 'order eventx', 'area3 incident 77', 'größe'])
      assert.equal(asked(query), 2, query);
  }).timeout(60_000);
});

describe('metaknowledge keys in use', () => {
  const open = useHalls();

  it('come most frequent first, over both stores, and follow every change', async () => {
    const hall = await open();
    const peer = await open({ data: hall.data, shared: hall.shared });
    await hall.define('general', 'GENERAL');
    await hall.define('shop', 'PROJECT');
    assert.deepEqual(hall.knowledge.metaknowledgeKeys(), []);
    await hall.put('general', 'x', 'a', 'text', { REASON: '1', SEVERITY: 'High' });
    await hall.put('shop', 'x', 'b', 'text', { REASON: '2', 'ÄÖ "q"': '3' });
    await hall.put('shop', 'x', 'c', 'text', { __proto__: 'no label' } as never);
    assert.deepEqual(hall.knowledge.metaknowledgeKeys(), ['REASON', 'SEVERITY', 'ÄÖ "q"']);
    await peer.put('shop', 'x', 'b', 'text', { SEVERITY: 'Low' });
    assert.deepEqual(hall.knowledge.metaknowledgeKeys(), ['SEVERITY', 'REASON']);
    await peer.knowledge.deleteScope('general', { confirmed: true }, BY_TESTER);
    assert.deepEqual(hall.knowledge.metaknowledgeKeys(), ['SEVERITY']);
  });

  it('are counted where the entries are, and not again until something changes', async () => {
    const hall = await open();
    await importMany(hall);
    const keys = () => hall.knowledge.metaknowledgeKeys();
    const rowsOfEach = () => queriesDuring(keys).map(({ rows }) => rows);
    for (const keyword of ['new', 'newer']) {
      assert.deepEqual(rowsOfEach(), [1, 1]);
      assert.deepEqual(rowsOfEach(), []);
      await hall.put('shop', 'other', keyword);
    }
    assert.deepEqual(keys(), ['REASON']);
  }).timeout(60_000);
});
