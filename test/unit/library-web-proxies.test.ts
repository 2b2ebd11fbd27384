import assert from 'node:assert/strict';
import { createWeb } from '../../src/library/fetching';
import type { Web } from '../../src/library/fetching/model';
import { proxyOf } from '../../src/library/fetching/proxies';
import type { WebSettings } from '../../src/library/model';
import { WebProxy } from '../support/web-proxy';
import { WebServer } from '../support/web-servers';

describe('a proxy', () => {
  const P = 'http://proxy.example:3128';
  const cases: readonly [url: string, environment: Record<string, string>, proxy: string | undefined][] = [
    ['https://a.example/', {}, undefined],
    ['https://a.example/', { HTTPS_PROXY: P }, `${P}/`],
    ['https://a.example/', { HTTP_PROXY: P }, undefined],
    ['http://a.example/', { HTTP_PROXY: P }, `${P}/`],
    ['http://a.example/', { http_proxy: P, HTTP_PROXY: 'http://other.example' }, `${P}/`],
    ['http://a.example/', { ALL_PROXY: 'proxy.example:3128' }, `${P}/`],
    ['http://a.example/', { HTTP_PROXY: '' }, undefined],
    ['http://a.example/', { HTTP_PROXY: P, NO_PROXY: 'b.example, .a.example' }, undefined],
    ['http://x.a.example/', { HTTP_PROXY: P, no_proxy: 'a.example' }, undefined],
    ['http://xa.example/', { HTTP_PROXY: P, NO_PROXY: 'a.example' }, `${P}/`],
    ['http://a.example/', { HTTP_PROXY: P, NO_PROXY: '*' }, undefined],
    ['http://a.example:8080/', { HTTP_PROXY: P, NO_PROXY: 'a.example:8080' }, undefined],
    ['http://a.example/', { HTTP_PROXY: P, NO_PROXY: 'a.example:8080' }, `${P}/`],
    ['http://[2001:db8::1]/', { HTTP_PROXY: P, NO_PROXY: '2001:db8::1' }, undefined],
    ['http://localhost/', { HTTP_PROXY: P }, undefined],
    ['http://127.0.0.9/', { HTTP_PROXY: P }, undefined],
    ['http://[::1]/', { HTTP_PROXY: P }, undefined],
  ];
  for (const [url, environment, proxy] of cases) {
    it(`is ${proxy ?? 'none'} for ${url} with ${JSON.stringify(environment)}`, () => {
      assert.equal(proxyOf(new URL(url), environment)?.href, proxy);
    });
  }

  it('that is none of http is a fault, and not passed by', () => {
    for (const wrong of ['socks5://127.0.0.1:1080', 'https://proxy.example', 'http://']) {
      assert.throws(() => proxyOf(new URL('http://a.example/'), { HTTP_PROXY: wrong }), { code: 'fetch_failed' });
    }
  });

  describe('between us and a server', () => {
    let server: WebServer;
    let proxy: WebProxy;
    const webs: Web[] = [];

    beforeEach(async () => {
      server = await new WebServer().start();
      proxy = await new WebProxy(() => server.port).start();
      server.article('/page', 'Reviews', 'A review looks at the requirements. '.repeat(20));
    });
    afterEach(async () => {
      for (const web of webs.splice(0)) await web.close();
      await proxy.stop();
      await server.stop();
    });

    function web(settings: Partial<WebSettings> = {}, credentials = ''): Web {
      const made = createWeb(
        { rateLimit: 1_000, proxy: 'environment', allowedDomains: ['docs.example'], ...settings },
        {
          clock: { now: () => Date.parse('2026-03-01T12:00:00.000Z') },
          lookup: async (host) => assert.fail(`${host} was looked up here`),
          environment: { HTTP_PROXY: proxy.url(credentials) },
          limits: { retryPause: 1 },
        },
      );
      webs.push(made);
      return made;
    }

    it('is asked for hosts that a person has named, with its name and password', async () => {
      const page = await web({}, 'ada:p%40ss').fetch('http://docs.example/page');
      assert.equal(page.status, 'fetched');
      assert.match(Buffer.from(page.bytes).toString(), /A review looks/);
      assert.deepEqual(proxy.asked, ['GET http://docs.example/robots.txt', 'GET http://docs.example/page']);
      const told = `Basic ${Buffer.from('ada:p@ss').toString('base64')}`;
      assert.deepEqual(proxy.authorizations, [told, told]);
      assert.equal(server.requests[1]!.headers.host, 'docs.example');
    });

    it('is given a name and a password as they are meant, with a percent sign that codes nothing', async () => {
      await web({}, 'ada:100%of%C3%A9%zz').fetch('http://docs.example/page');
      assert.equal(proxy.authorizations[0], `Basic ${Buffer.from('ada:100%ofé%zz').toString('base64')}`);
    });

    it('is asked for no other host, since nobody here can tell where it leads; nor for a private address', async () => {
      const asking = web({ allowedDomains: [] });
      await assert.rejects(asking.fetch('http://docs.example/page'), {
        code: 'fetch_refused',
        message: /behind a proxy/,
      });
      await assert.rejects(asking.fetch('http://10.0.0.1/page'), { code: 'fetch_refused' });
      const named = web();
      server.redirect('/away', 'http://inner.example/secret');
      await assert.rejects(named.fetch('http://docs.example/away'), { code: 'fetch_refused' });
      // What an agent names is not what a person has named.
      await assert.rejects(asking.fetch('http://docs.example/page', { allowedDomains: ['docs.example'] }), {
        code: 'fetch_refused',
      });
      assert.ok(
        proxy.asked.every((asked) => asked.startsWith('GET http://docs.example/')),
        `${proxy.asked}`,
      );
    });

    it('is asked for any host where private addresses are allowed', async () => {
      const page = await web({ allowedDomains: [], allowPrivateAddresses: true }).fetch('http://any.example/page');
      assert.equal(page.url, 'http://any.example/page');
    });

    it('that refuses, or is not there, is told as such, without its password', async () => {
      proxy.refusesWith = 407;
      const secret = web({}, 'ada:secret');
      const message = (error: Error) =>
        !/secret/.test(error.message) && /proxy 127\.0\.0\.1:\d+ wants/.test(error.message);
      await assert.rejects(secret.fetch('http://docs.example/page'), message);
      const alone = web();
      await proxy.stop();
      await assert.rejects(alone.fetch('http://docs.example/page'), {
        code: 'fetch_failed',
        message: /127\.0\.0\.1:\d+ cannot/,
      });
      proxy = await new WebProxy(() => server.port).start();
    });

    it('is not asked unless that is set', async () => {
      const direct = createWeb(
        { rateLimit: 1_000, allowPrivateAddresses: true },
        { clock: { now: () => 0 }, environment: { HTTP_PROXY: proxy.url() } },
      );
      webs.push(direct);
      assert.equal((await direct.fetch(server.url('/page'))).status, 'fetched');
      assert.deepEqual(proxy.asked, []);
    });
  });
});
