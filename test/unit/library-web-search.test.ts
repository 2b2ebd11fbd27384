import assert from 'node:assert/strict';
import { isKaizenError } from '../../src/core/errors';
import { createWeb } from '../../src/library/fetching';
import type { Web } from '../../src/library/fetching/model';
import type { WebSettings } from '../../src/library/model';
import { WebServer } from '../support/web-servers';

const KEY = 'BSA-very-secret-key';

describe('searching the web', () => {
  let server: WebServer;
  const webs: Web[] = [];

  beforeEach(async () => {
    server = await new WebServer().start();
  });
  afterEach(async () => {
    for (const web of webs.splice(0)) await web.close();
    await server.stop();
  });

  function web(search: WebSettings['search']): Web {
    // The endpoint is on this machine, which pages may not be.
    const made = createWeb(
      { rateLimit: 1_000, ...(search ? { search } : {}) },
      { clock: { now: () => 0 }, limits: { retryPause: 1, longestRetryPause: 1 } },
    );
    webs.push(made);
    return made;
  }

  function answering(path: string, answer: unknown, status = 200): void {
    server.on(path, (_, response) =>
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(typeof answer === 'string' ? answer : JSON.stringify(answer)),
    );
  }

  async function fault(asking: Promise<unknown>): Promise<{ code: string; told: string }> {
    const error = await asking.then(
      () => assert.fail('it should have failed'),
      (reason: unknown) => reason,
    );
    assert.ok(isKaizenError(error), String(error));
    const told = `${error.message} ${error.hint ?? ''} ${error.stack} ${JSON.stringify(error)}`;
    assert.doesNotMatch(told, new RegExp(KEY));
    return { code: error.code, told };
  }

  it('asks SearXNG for JSON, and takes its results for data', async () => {
    answering('/search', {
      results: [
        { url: 'https://a.org/x#part', title: 'A <b>title</b>', content: 'One\n\u0007two' },
        { url: 'https://a.org/x', title: 'again' },
        { url: 'ftp://a.org/', title: 'no page' },
        { url: 7 },
        null,
        { url: 'https://b.org/' },
        { url: 'https://c.org/', title: '\ud800' },
      ],
    });
    const pages = await web({ kind: 'searxng', url: server.url('/') }).search('what "is" & why', 3);
    assert.deepEqual(pages, [
      { url: 'https://a.org/x', title: 'A title', snippet: 'One two' },
      { url: 'https://b.org/', title: '', snippet: '' },
      { url: 'https://c.org/', title: '', snippet: '' },
    ]);
    const asked = new URL(server.asked[0]!, 'http://x');
    assert.deepEqual(
      [asked.pathname, asked.searchParams.get('q'), asked.searchParams.get('format')],
      [...['/search', 'what "is" & why', 'json']],
    );
    assert.deepEqual(server.asked.length, 1);
  });

  it('takes the address of SearXNG with a path, with /search, and with a query of its own', async () => {
    answering('/searx/search', { results: [] });
    await web({ kind: 'searxng', url: server.url('/searx/') }).search('x', 1);
    await web({ kind: 'searxng', url: server.url('/searx/search?language=en') }).search('x', 1);
    assert.deepEqual(server.asked, ['/searx/search?q=x&format=json', '/searx/search?language=en&q=x&format=json']);
  });

  it('asks Brave with its key', async () => {
    answering('/res/v1/web/search', { web: { results: [{ url: 'https://a.org/', title: 'A', description: 'D' }] } });
    const pages = await web({ kind: 'brave', url: server.url(''), key: KEY }).search('x', 50);
    assert.deepEqual(pages, [{ url: 'https://a.org/', title: 'A', snippet: 'D' }]);
    assert.equal(server.asked[0], '/res/v1/web/search?q=x&count=20');
    assert.equal(server.requests[0]!.headers['x-subscription-token'], KEY);
    answering('/res/v1/web/search', { type: 'search' });
    assert.deepEqual(await web({ kind: 'brave', url: server.url(''), key: KEY }).search('x', 5), []);
  });

  it('says what is wrong with the endpoint, and never its key', async () => {
    const brave = () => web({ kind: 'brave', url: server.url(''), key: KEY }).search('x', 5);
    for (const [status, why] of [
      [401, /Look at the key/],
      [422, /Look at the key/],
      [429, /too often/],
      [500, /cannot answer \(status 500\)/],
    ] as const) {
      answering('/res/v1/web/search', `your key ${KEY} is bad`, status);
      const { code, told } = await fault(brave());
      assert.equal(code, 'fetch_failed');
      assert.match(told, why);
    }
    answering('/res/v1/web/search', `<html>${KEY}`);
    assert.match((await fault(brave())).told, /something else than results/);
    server.redirect('/res/v1/web/search', 'https://elsewhere.example/');
    assert.match((await fault(brave())).told, /status 302/);
    answering('/search', '', 403);
    assert.match((await fault(web({ kind: 'searxng', url: server.url('') }).search('x', 5))).told, /format=json/);
  });

  it('asks nobody where nothing is set up, or what is set up does not do', async () => {
    assert.equal((await fault(web(undefined).search('x', 1))).code, 'fetch_refused');
    const wrong: NonNullable<WebSettings['search']>[] = [
      { kind: 'brave', url: server.url('') },
      { kind: 'brave', url: 'http://search.example.org', key: KEY },
      { kind: 'searxng', url: 'searx' },
      { kind: 'searxng', url: `https://me:${KEY}@searx.example.org` },
      { kind: 'brave', url: '', key: `${KEY}\n` },
    ];
    for (const each of wrong) assert.equal((await fault(web(each).search('x', 1))).code, 'invalid_argument');
    const none = { kind: 'searxng', url: 'http://127.0.0.1:1' } as const;
    assert.match((await fault(web(none).search('x', 1))).told, /nobody listens/);
    assert.equal((await fault(web(none).search(' ', 1))).code, 'invalid_argument');
    assert.deepEqual(server.asked, []);
  });

  it('does not read an answer without an end', async () => {
    server.on('/search', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    });
    assert.match((await fault(web({ kind: 'searxng', url: server.url('') }).search('x', 1))).told, /more than 2 MB/);
  });
});
