import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { isKaizenError, KaizenError } from '../../src/core/errors';
import { type CreateWebOptions, createWeb, privateNetwork } from '../../src/library/fetching';
import type { Web } from '../../src/library/fetching/model';
import type { WebSettings } from '../../src/library/model';
import { RawServer, WebServer } from '../support/web-servers';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const MEGABYTE = 1024 * 1024;

describe('the web', () => {
  let server: WebServer;
  let now: number;
  const webs: Web[] = [];
  const others: { stop(): Promise<void> }[] = [];

  beforeEach(async () => {
    now = NOW;
    server = await new WebServer().start();
  });
  afterEach(async () => {
    for (const web of webs.splice(0)) await web.close();
    for (const other of others.splice(0)) await other.stop();
    await server.stop();
  });

  function web(settings: Partial<WebSettings> = {}, options: Partial<CreateWebOptions> = {}): Web {
    const made = createWeb(
      { allowPrivateAddresses: true, rateLimit: 1_000, ...settings },
      { clock: { now: () => now }, ...options, limits: { retryPause: 1, ...options.limits } },
    );
    webs.push(made);
    return made;
  }

  /** Names of hosts as they are resolved, one answer a question; the last one stays. 127.0.0.1 counts as public. */
  function naming(
    names: Readonly<Record<string, readonly string[]>>,
  ): Partial<CreateWebOptions> & { resolved: string[] } {
    const resolved: string[] = [];
    return {
      resolved,
      lookup: async (host) => {
        const times = resolved.filter((each) => each === host).length;
        resolved.push(host);
        const answers = names[host];
        if (!answers) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
        return answers[Math.min(times, answers.length - 1)]!.split(' ').map((address) => ({
          address,
          family: address.includes(':') ? 6 : 4,
        }));
      },
      networkOf: (address) => (address === '127.0.0.1' ? undefined : privateNetwork(address)),
    };
  }

  async function fault(asking: Promise<unknown>, code = 'fetch_refused'): Promise<string> {
    const error = await asking.then(
      () => assert.fail('it should have failed'),
      (reason: unknown) => reason,
    );
    assert.ok(isKaizenError(error), String(error));
    assert.equal(error.code, code, error.message);
    return `${error.message} ${error.hint ?? ''}`;
  }

  async function raw(answer: ConstructorParameters<typeof RawServer>[0]): Promise<RawServer> {
    const made = await new RawServer(answer).start();
    others.push(made);
    return made;
  }

  async function another(at: { host: string; port: number }): Promise<WebServer> {
    const made = await new WebServer().start(at);
    others.push(made);
    return made;
  }

  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

  it('answers with the bytes of a page, its media type and its versions', async () => {
    const headers = { etag: '"7"', 'last-modified': 'Sun, 01 Feb 2026 00:00:00 GMT' };
    server.page('/a', '<p>Täglich</p>', headers);
    const page = await web().fetch(server.url('/a#part'));
    assert.deepEqual(
      { ...page, bytes: text(page.bytes) },
      {
        ...{ url: server.url('/a'), status: 'fetched', bytes: '<p>Täglich</p>', mediaType: 'text/html; charset=utf-8' },
        ...{ etag: '"7"', last_modified: 'Sun, 01 Feb 2026 00:00:00 GMT', fetched_at: '2026-03-01T12:00:00.000Z' },
      },
    );
    // It can be handed to another thread.
    assert.equal(page.bytes.buffer.byteLength, page.bytes.length);
  });

  it('says who asks, and leaves the charset to who reads', async () => {
    const latin = Buffer.from('<p>caf\xe9</p>', 'latin1');
    server.on('/l', (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' }).end(latin),
    );
    const page = await web().fetch(server.url('/l'));
    assert.deepEqual(Buffer.from(page.bytes), latin);
    assert.equal(page.mediaType, 'text/html; charset=iso-8859-1');
    for (const { headers } of server.requests) assert.match(headers['user-agent'] ?? '', /^Kaizen\/\d+\.\d+\.\d+/);
  });

  it('asks for what has changed only, and knows what has not', async () => {
    server.on('/v', ({ headers }, response) => {
      const isSame =
        headers['if-none-match'] === '"1"' || headers['if-modified-since'] === 'Sun, 01 Feb 2026 00:00:00 GMT';
      if (isSame) response.writeHead(304).end();
      else response.writeHead(200, { 'content-type': 'text/html', etag: '"1"' }).end('new');
    });
    const asking = web();
    const first = await asking.fetch(server.url('/v'));
    assert.equal(first.status, 'fetched');
    const again = await asking.fetch(server.url('/v'), { known: { etag: first.etag } });
    assert.deepEqual([again.status, again.bytes.length], ['not_modified', 0]);
    const since = await asking.fetch(server.url('/v'), { known: { last_modified: 'Sun, 01 Feb 2026 00:00:00 GMT' } });
    assert.equal(since.status, 'not_modified');
    const other = await asking.fetch(server.url('/v'), { known: { etag: '"0"' } });
    assert.equal(other.status, 'fetched');
  });

  it('sends no version that could not stand in a header, or is none', async () => {
    server.page('/v', 'x');
    const known = { etag: '"a"\r\nx-more: 1', last_modified: '2026-02-01T00:00:00.000Z' };
    await web().fetch(server.url('/v'), { known });
    const { headers } = server.requests.at(-1)!;
    assert.deepEqual(
      [headers['if-none-match'], headers['if-modified-since'], headers['x-more']],
      Array(3).fill(undefined),
    );
  });

  it('knows pages that are gone, and takes a 304 that nobody asked for as a fault', async () => {
    server.on('/gone', (_, response) => response.writeHead(410).end());
    server.on('/odd', (_, response) => response.writeHead(304).end());
    assert.equal((await web().fetch(server.url('/nothing'))).status, 'gone');
    assert.equal((await web().fetch(server.url('/gone'))).status, 'gone');
    assert.match(await fault(web().fetch(server.url('/odd')), 'fetch_failed'), /says 304/);
  });

  it('says what a server refuses, without its query, which may hold a secret', async () => {
    server.on('/in', (_, response) => response.writeHead(403).end());
    server.on('/busy', (_, response) => response.writeHead(429, { 'retry-after': '3600' }).end());
    const refusal = await fault(web().fetch(server.url('/in?token=s3cret')), 'fetch_failed');
    assert.match(refusal, /not for everybody.*403/);
    assert.doesNotMatch(refusal, /s3cret/);
    assert.match(await fault(web().fetch(server.url('/busy')), 'fetch_failed'), /too often/);
    assert.equal(server.pagesAsked.filter((path) => path === '/busy').length, 1);
  });

  it('tries what may pass once more, and no oftener', async () => {
    let times = 0;
    server.on('/flaky', (_, response) => {
      if (++times === 1) response.writeHead(503, { 'retry-after': '0' }).end();
      else response.writeHead(200, { 'content-type': 'text/plain' }).end('there');
    });
    server.on('/broken', (request) => request.socket.destroy());
    assert.equal(text((await web().fetch(server.url('/flaky'))).bytes), 'there');
    assert.match(await fault(web().fetch(server.url('/broken')), 'fetch_failed'), /broke off/);
    assert.equal(server.pagesAsked.filter((path) => path === '/broken').length, 2);
  });

  it('fetches nothing when it is switched off', async () => {
    const off = web({ enabled: false });
    assert.match(await fault(off.fetch(server.url('/'))), /switched off/);
    assert.match(await fault(off.search('x', 1)), /switched off/);
    off.use({ enabled: true });
    assert.equal((await off.fetch(server.url('/'))).status, 'gone');
  });

  it('lets go of what is under way when it is closed', async () => {
    server.on('/waits', () => undefined);
    const closing = web();
    const asking = fault(closing.fetch(server.url('/waits')));
    while (!server.asked.includes('/waits')) await sleep(2);
    await closing.close();
    assert.match(await asking, /closed/);
  });

  it('ends with the reason of who cancels, wherever it is', async () => {
    server.on('/waits', () => undefined);
    server.on('/drips', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).write('<p>'));
    for (const path of ['/waits', '/drips']) {
      const stop = new AbortController();
      const asking = assert.rejects(web().fetch(server.url(path), { signal: stop.signal }), { code: 'cancelled' });
      while (!server.asked.includes(path)) await sleep(2);
      await sleep(20);
      stop.abort(new KaizenError('cancelled', 'Enough.'));
      await asking;
    }
    const stopped = AbortSignal.abort(new KaizenError('cancelled', 'Enough.'));
    await assert.rejects(web().fetch(server.url('/never'), { signal: stopped }), { code: 'cancelled' });
    assert.ok(!server.asked.includes('/never'));
  });

  describe('addresses', () => {
    it('are of http and https, without a name and a password, at ports that pages are served at', async () => {
      const asking = web();
      for (const [address, why] of [
        ['ftp://example.org/', /ftp:/],
        ['file:///etc/passwd', /file:/],
        ['data:text/html,x', /data:/],
        ['javascript:alert(1)', /javascript:/],
        ['https://me:pw@example.org/', /name or a password/],
        ['http://example.org:22/', /Port 22/],
        ['http://example.org:25/', /Port 25/],
        ['http://example.org:6667/', /Port 6667/],
      ] as const) {
        const told = await fault(asking.fetch(address));
        assert.match(told, why);
        assert.doesNotMatch(told, /pw@/);
      }
      await fault(asking.fetch('not an address'), 'invalid_argument');
      await fault(asking.fetch(`https://example.org/${'a'.repeat(5_000)}`), 'invalid_argument');
    });

    it('are not those of private networks, however they are written', async () => {
      const refusing = web({ allowPrivateAddresses: false });
      for (const host of [
        ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0.0.0.0', '10.0.0.8', '172.31.255.255'],
        ...['192.168.1.1', '169.254.169.254', '100.64.0.1', '224.0.0.1', '255.255.255.255', '198.18.0.1', '192.0.2.1'],
        ...[
          '[::1]',
          '[::]',
          '[fe80::1]',
          '[fd00::1]',
          '[ff02::1]',
          '[::ffff:127.0.0.1]',
          '[::ffff:a00:1]',
          '[::10.0.0.1]',
        ],
        ...[
          '[64:ff9b::127.0.0.1]',
          '[2002:7f00:1::]',
          '[2001:db8::1]',
          '[2001::1]',
          '[::ffff:0:10.0.0.1]',
          '[64:ff9b:1::1]',
        ],
      ]) {
        assert.match(await fault(refusing.fetch(`http://${host}:${server.port}/`)), /leads to/, host);
      }
      assert.deepEqual(server.asked, []);
    });

    it('of public machines are known as such', () => {
      for (const address of [
        '93.184.216.34',
        '8.8.8.8',
        '172.32.0.1',
        '100.128.0.1',
        '2606:2800:220:1::1',
        '64:ff9b::808:808',
      ]) {
        assert.equal(privateNetwork(address), undefined, address);
      }
    });

    it('are looked at after the name was resolved: all of them', async () => {
      const inner = naming({
        'inner.test': ['192.168.0.7'],
        'both.test': ['127.0.0.1 10.0.0.1'],
        'six.test': ['fd00::1'],
      });
      const asking = web({ allowPrivateAddresses: false }, inner);
      for (const host of ['inner.test', 'both.test', 'six.test']) {
        const told = await fault(asking.fetch(server.url('/', host)));
        assert.match(told, /leads to a private network/);
        // Who asks must not learn how the network within is made.
        assert.doesNotMatch(told, /192\.168|10\.0|fd00/);
      }
      assert.deepEqual(server.asked, []);
    });

    it('are what was looked at, although the name is answered otherwise a moment later', async () => {
      const evil = await another({ host: '127.0.0.2', port: server.port });
      server.page('/', 'good');
      evil.page('/', 'evil');
      // Good for robots.txt and for the page; whoever resolves it once more gets another answer.
      const names = naming({ 'site.test': ['127.0.0.1', '127.0.0.1', '127.0.0.2'] });
      const asking = web({ allowPrivateAddresses: false }, names);
      assert.equal(text((await asking.fetch(server.url('/', 'site.test'))).bytes), 'good');
      assert.equal(names.resolved.length, 2);
      assert.match(await fault(asking.fetch(server.url('/', 'site.test'))), /leads to this machine/);
      assert.deepEqual(evil.asked, []);
    });

    it('are refused between robots.txt and the page, when the name leads elsewhere then', async () => {
      const evil = await another({ host: '127.0.0.2', port: server.port });
      const asking = web({ allowPrivateAddresses: false }, naming({ 'site.test': ['127.0.0.1', '127.0.0.2'] }));
      await fault(asking.fetch(server.url('/', 'site.test')));
      assert.deepEqual([server.asked, evil.asked], [['/robots.txt'], []]);
    });

    it('are allowed by their domain with its subdomains, on each redirect as well', async () => {
      const options = naming({
        'docs.good.test': ['127.0.0.1'],
        'good.test': ['127.0.0.1'],
        'notgood.test': ['127.0.0.1'],
      });
      server.page('/', 'x').redirect('/away', server.url('/', 'notgood.test'));
      const asking = web({ allowedDomains: ['good.test'] }, options);
      assert.equal((await asking.fetch(server.url('/', 'docs.good.test'))).status, 'fetched');
      assert.equal((await asking.fetch(server.url('/', 'good.test'))).status, 'fetched');
      assert.match(await fault(asking.fetch(server.url('/', 'notgood.test'))), /list of domains/);
      assert.match(await fault(asking.fetch(server.url('/away', 'good.test'))), /list of domains/);
      const narrower = { allowedDomains: ['docs.good.test'] };
      assert.match(await fault(asking.fetch(server.url('/', 'good.test'), narrower)), /domain_allowlist/);
      assert.ok(!options.resolved.includes('notgood.test'));
    });

    it('that nobody answers at are told as such', async () => {
      const asking = web({}, naming({ 'dead.test': ['127.0.0.1'] }));
      assert.match(await fault(asking.fetch('http://nowhere.test/'), 'fetch_failed'), /no such host.*offline/);
      assert.match(await fault(asking.fetch('http://dead.test:1024/'), 'fetch_failed'), /nobody listens/);
    });
  });

  describe('redirects', () => {
    it('are followed, with the address where it was in the end', async () => {
      server.redirect('/1', '/2', 301).redirect('/2', 'there?x=1', 308).page('/there', 'here');
      const page = await web().fetch(server.url('/1'));
      assert.equal(page.url, server.url('/there?x=1'));
    });

    it('are not followed in circles, without an end, or nowhere', async () => {
      server.redirect('/a', '/b').redirect('/b', '/a');
      for (let at = 0; at < 10; at++) server.redirect(`/n${at}`, `/n${at + 1}`);
      server.on('/nowhere', (_, response) => response.writeHead(302).end());
      server.page('/n6', 'x').page('/m', 'x');
      assert.match(await fault(web().fetch(server.url('/a')), 'fetch_failed'), /back to itself/);
      assert.match(await fault(web().fetch(server.url('/n0')), 'fetch_failed'), /more than 5 times/);
      assert.equal((await web().fetch(server.url('/n1'))).status, 'fetched');
      assert.match(await fault(web().fetch(server.url('/nowhere')), 'fetch_failed'), /does not say where/);
    });

    it('lead neither into a private network nor to another scheme', async () => {
      const names = naming({ 'site.test': ['127.0.0.1'], 'inner.test': ['10.1.2.3'] });
      const asking = web({ allowPrivateAddresses: false }, names);
      server
        .redirect('/address', 'http://169.254.169.254/latest/meta-data/')
        .redirect('/name', 'http://inner.test/')
        .redirect('/file', 'file:///etc/passwd')
        .redirect('/user', 'http://a:b@site.test/');
      for (const path of ['/address', '/name']) {
        assert.match(await fault(asking.fetch(server.url(path, 'site.test'))), /leads to/);
      }
      assert.match(await fault(asking.fetch(server.url('/file', 'site.test'))), /file:/);
      assert.match(await fault(asking.fetch(server.url('/user', 'site.test'))), /name or a password/);
    });

    it('of robots.txt are looked at the same way', async () => {
      server.redirect('/robots.txt', 'http://169.254.169.254/').page('/', 'x');
      const asking = web({ allowPrivateAddresses: false }, naming({ 'site.test': ['127.0.0.1'] }));
      assert.match(await fault(asking.fetch(server.url('/', 'site.test'))), /leads to the local link/);
      assert.deepEqual(server.pagesAsked, []);
    });
  });

  describe('robots.txt', () => {
    it('is asked for once, before anything else, and obeyed', async () => {
      server.robots('User-agent: *\nDisallow: /private\n').page('/', 'x').page('/private/a', 'x');
      const asking = web();
      await asking.fetch(server.url('/'));
      assert.match(await fault(asking.fetch(server.url('/private/a'))), /robots\.txt of .* forbids/);
      assert.deepEqual(server.asked, ['/robots.txt', '/']);
    });

    it('is asked for once by many who come at the same time', async () => {
      server.robots('').page('/1', 'x').page('/2', 'x').page('/3', 'x');
      const asking = web();
      await Promise.all(['/1', '/2', '/3'].map((path) => asking.fetch(server.url(path))));
      assert.equal(server.asked.filter((path) => path === '/robots.txt').length, 1);
    });

    it('holds for a day, and is asked for again then', async () => {
      server.robots('').page('/', 'x');
      const asking = web();
      await asking.fetch(server.url('/'));
      server.robots('User-agent: Kaizen\nDisallow: /');
      now += 24 * 3600 * 1000 - 1;
      await asking.fetch(server.url('/'));
      now += 2;
      await fault(asking.fetch(server.url('/')));
      server.on('/robots.txt', (_, response) => response.writeHead(500).end());
      now += 25 * 3600 * 1000;
      // Nobody answers: what was known goes on.
      assert.match(await fault(asking.fetch(server.url('/'))), /forbids/);
    });

    it('forbids nothing where it is not there, and everything where it cannot be read', async () => {
      server.page('/', 'x');
      assert.equal((await web().fetch(server.url('/'))).status, 'fetched');
      server.on('/robots.txt', (_, response) => response.writeHead(403).end());
      assert.equal((await web().fetch(server.url('/'))).status, 'fetched');
      server.on('/robots.txt', (_, response) => response.writeHead(503).end());
      const asking = web();
      assert.match(await fault(asking.fetch(server.url('/'))), /cannot be read \(status 503\)/);
      server.robots('');
      await fault(asking.fetch(server.url('/')));
      now += 6 * 60 * 1000;
      assert.equal((await asking.fetch(server.url('/'))).status, 'fetched');
      server.on('/robots.txt', (request) => request.socket.destroy());
      await fault(web().fetch(server.url('/')));
    });

    it('may stand behind redirects; without an end, they are none', async () => {
      server
        .redirect('/robots.txt', '/r1')
        .redirect('/r1', '/r2')
        .page('/r2', 'User-agent: *\nDisallow: /')
        .page('/', 'x');
      await fault(web().fetch(server.url('/')));
      server.redirect('/r2', '/robots.txt');
      assert.equal((await web().fetch(server.url('/'))).status, 'fetched');
    });

    it('is read up to 500 KiB, and the rest of it does not count', async () => {
      const padding = '# nothing\n'.repeat(52_000);
      server.robots(`User-agent: *\nDisallow: /near\n${padding}Disallow: /far\n`).page('/far', 'x').page('/near', 'x');
      const asking = web();
      assert.equal((await asking.fetch(server.url('/far'))).status, 'fetched');
      await fault(asking.fetch(server.url('/near')));
    });

    it('may ask for pauses, which are kept as far as they are reasonable', async () => {
      server.robots('User-agent: *\nCrawl-delay: 100000').page('/1', 'x').page('/2', 'x').page('/3', 'x');
      const asking = web({}, { limits: { crawlDelay: 5 } });
      for (const path of ['/1', '/2', '/3']) assert.equal((await asking.fetch(server.url(path))).status, 'fetched');
    });

    it('is not taken for missing where it was asked for too often', async () => {
      server
        .on('/robots.txt', (_, response) => response.writeHead(429, { 'retry-after': '3600' }).end())
        .page('/', 'x');
      assert.match(await fault(web().fetch(server.url('/'))), /cannot be read \(status 429\)/);
    });

    it('of the page that a redirect leads to counts as well', async () => {
      server.robots('User-agent: *\nDisallow: /there').redirect('/here', '/there').page('/there', 'x');
      assert.match(await fault(web().fetch(server.url('/here'))), /forbids/);
      assert.ok(!server.asked.includes('/there'));
    });
  });

  describe('answers', () => {
    it('are pages and documents; what is something else is not read', async () => {
      const types = ['text/html', 'application/xhtml+xml', 'text/markdown', 'text/plain', 'application/pdf'];
      for (const [at, type] of types.entries())
        server.page(`/t${at}`, 'x', { 'content-type': `${type.toUpperCase()};a=b` });
      server
        .page('/a.pdf', 'x', { 'content-type': 'application/octet-stream' })
        .page('/a.exe', 'x', { 'content-type': 'application/octet-stream' })
        .page('/a.png', 'x', { 'content-type': 'image/png' })
        .page('/feed', 'x', { 'content-type': 'application/json' });
      server.on('/none', (_, response) => response.writeHead(200).end('x'));
      const asking = web();
      for (const path of [...types.map((_, at) => `/t${at}`), '/a.pdf', '/none']) {
        assert.equal((await asking.fetch(server.url(path))).status, 'fetched', path);
      }
      for (const path of ['/a.exe', '/a.png', '/feed'])
        assert.match(await fault(asking.fetch(server.url(path))), /not read/);
    });

    it('are unpacked', async () => {
      const body = '<p>packed</p>'.repeat(100);
      for (const [encoding, pack] of [
        ['gzip', gzipSync],
        ['br', brotliCompressSync],
        ['deflate', deflateSync],
      ] as const) {
        const headers = { 'content-type': 'text/html', 'content-encoding': encoding };
        server.on(`/${encoding}`, (_, response) => response.writeHead(200, headers).end(pack(body)));
        assert.equal(text((await web().fetch(server.url(`/${encoding}`))).bytes), body);
      }
    });

    it('are refused when they say that they are too large, or turn out to be', async () => {
      const limits = { page: 1_000, document: 5_000 };
      const asking = web({}, { limits });
      server.page('/says', 'x'.repeat(1_001), { 'content-length': '1001' });
      server.page('/fits', 'x'.repeat(1_000));
      server.page('/pdf', 'x'.repeat(5_000), { 'content-type': 'application/pdf' });
      server.on('/endless', (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(1_000)));
        };
        response.on('drain', more);
        more();
      });
      assert.match(await fault(asking.fetch(server.url('/says'))), /more than .* MB/);
      assert.match(await fault(asking.fetch(server.url('/endless'))), /more than .* MB/);
      assert.equal((await asking.fetch(server.url('/fits'))).bytes.length, 1_000);
      assert.equal((await asking.fetch(server.url('/pdf'))).bytes.length, 5_000);
    });

    it('that are bombs are not unpacked to their end', async () => {
      for (const [encoding, pack] of [
        ['gzip', gzipSync],
        ['br', (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })],
      ] as const) {
        const bomb = pack(Buffer.alloc(64 * MEGABYTE));
        assert.ok(bomb.length < MEGABYTE / 10);
        server.on('/bomb', (_, response) =>
          response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': encoding }).end(bomb),
        );
        assert.match(await fault(web().fetch(server.url('/bomb'))), /more than 10 MB/);
      }
    });

    it('that are damaged, cut short or packed in another way are faults', async () => {
      const headers = { 'content-type': 'text/html', 'content-encoding': 'gzip' };
      server.on('/damaged', (_, response) => response.writeHead(200, headers).end('no gzip at all'));
      const cut = gzipSync('x'.repeat(10_000)).subarray(0, 20);
      server.on('/cut', (_, response) => response.writeHead(200, headers).end(cut));
      server.page('/odd', 'x', { 'content-encoding': 'zstd' });
      const short = await raw((socket) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\nonly this'),
      );
      assert.match(await fault(web().fetch(server.url('/damaged')), 'fetch_failed'), /damaged/);
      assert.match(await fault(web().fetch(server.url('/cut')), 'fetch_failed'), /damaged/);
      assert.match(await fault(web().fetch(server.url('/odd')), 'fetch_failed'), /zstd/);
      assert.match(await fault(web().fetch(short.url('/')), 'fetch_failed'), /broke off/);
    });

    it('of a server that speaks no TLS are not taken for safe ones', async () => {
      const told = await fault(web().fetch(server.url('/').replace('http:', 'https:')), 'fetch_failed');
      assert.match(told, /no safe connection/);
      assert.deepEqual(server.asked, []);
    });

    it('that are longer than they say are read as far as they say', async () => {
      const long = await raw((socket) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\nthis and more'),
      );
      assert.equal(text((await web().fetch(long.url('/'))).bytes), 'this');
    });

    it('that are no HTTP, or all headers, are faults', async () => {
      const noise = await raw((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'));
      const large = await raw((socket) => socket.end(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(MEGABYTE)}\r\n\r\n`));
      const many = await raw((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const more = () => {
          while (!socket.destroyed && socket.write('X-Again: and again and again\r\n'.repeat(100)));
        };
        socket.on('drain', more);
        more();
      });
      assert.match(await fault(web().fetch(noise.url('/')), 'fetch_failed'), /does not speak HTTP/);
      assert.match(await fault(web().fetch(large.url('/')), 'fetch_failed'), /headers are too large/);
      assert.match(await fault(web().fetch(many.url('/')), 'fetch_failed'), /headers are too large/);
    });

    it('that do not come, or come in drips, are not waited for without an end; nothing stays open', async () => {
      const silent = await raw(() => undefined);
      const stuck = await raw((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>'));
      const drips = await raw((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n');
        const timer = setInterval(() => socket.write('x'), 10);
        socket.on('close', () => clearInterval(timer));
      });
      const hasty = web({}, { limits: { headersTime: 30 } });
      // On a machine that is busy robots.txt may be late as well.
      await assert.rejects(hasty.fetch(silent.url('/')), /nothing comes within 0.03 seconds/);
      const asking = web({}, { limits: { idleTime: 60, pageTime: 150 } });
      assert.match(await fault(asking.fetch(stuck.url('/')), 'fetch_failed'), /too slowly/);
      assert.match(await fault(asking.fetch(drips.url('/')), 'fetch_failed'), /too slowly/);
      for (const each of [silent, stuck, drips]) while (each.open > 0) await sleep(5);
    });

    it('whose names are never resolved are not waited for either', async () => {
      const never = web({}, { lookup: () => new Promise(() => undefined), limits: { connectTime: 30 } });
      assert.match(await fault(never.fetch('http://site.test/'), 'fetch_failed'), /nobody answers/);
    });

    it('that want to speak another protocol get no answer', async () => {
      const upgrading = await raw((socket) =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
      );
      await fault(web().fetch(upgrading.url('/')), 'fetch_failed');
    });
  });

  it('asks a host in the order of the questions; who gives up is passed over', async () => {
    server.robots('');
    for (const path of ['/1', '/2', '/3', '/4']) server.page(path, 'x');
    const asking = web({ rateLimit: 100 });
    const stop = new AbortController();
    const order = ['/1', '/2', '/3', '/4'].map((path) =>
      asking.fetch(server.url(path), path === '/3' ? { signal: stop.signal } : {}),
    );
    stop.abort(new KaizenError('cancelled', 'Enough.'));
    await assert.rejects(order[2]!, { code: 'cancelled' });
    await Promise.all([order[0], order[1], order[3]]);
    assert.deepEqual(server.pagesAsked, ['/1', '/2', '/4']);
  });

  it('lets each host have its own pace', async () => {
    const names = naming({ 'one.test': ['127.0.0.1'], 'two.test': ['127.0.0.1'] });
    // The next request to the same host would come in a quarter of an hour.
    const asking = web({ rateLimit: 0.001 }, names);
    const waiting = ['one.test', 'two.test'].map((host) => fault(asking.fetch(server.url('/', host))));
    while (server.asked.length < 2) await sleep(2);
    assert.deepEqual(server.asked, ['/robots.txt', '/robots.txt']);
    await asking.close();
    await Promise.all(waiting);
  });
});
