import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Certificate, madeCertificate } from '../support/certificates';
import { WebProxy } from '../support/web-proxy';

const CLI = path.resolve('dist/cli.js');
const TEXT = 'The system requirements review checks that each requirement can be verified. '.repeat(10);
const PAGE = `<!doctype html><html lang="en"><head><title>Reviews</title></head><body><article><h1>Reviews</h1><p>${TEXT}</p></article></body></html>`;

/** Certificates are believed as Node believes them, which is settled when a process begins: so each case has one. */
describe('pages by https', function () {
  this.timeout(60_000);
  let root: string;
  let server: Server;
  let proxy: WebProxy;
  let certificate: Certificate;
  let other: Certificate;
  const asked: string[] = [];

  before(async function () {
    root = realpathSync(mkdtempSync(path.join(tmpdir(), 'kaizen-https-')));
    const made = madeCertificate(root, ['DNS:localhost', 'DNS:docs.example', 'IP:127.0.0.1']);
    if (!made) {
      console.log('      There is no openssl here to make a certificate with: skipped.');
      this.skip();
    }
    certificate = made;
    other = madeCertificate(root, ['DNS:localhost'], 'other')!;
    server = createServer(certificate, (request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/robots.txt') return void response.writeHead(404).end();
      if (request.url === '/down') return void response.writeHead(302, { location: 'http://localhost:8080/' }).end();
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
    });
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    proxy = await new WebProxy(() => port()).start();
  });
  after(async () => {
    await proxy?.stop();
    server?.closeAllConnections();
    server?.close();
    if (root) rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  });
  beforeEach(() => {
    asked.length = 0;
    proxy.asked.length = 0;
  });

  const port = () => (server.address() as AddressInfo).port;

  function add(url: string, environment: Record<string, string>, ...flags: string[]) {
    const place = ['--library', path.join(root, `library-${Math.random()}`)];
    const stores = ['--data', path.join(root, 'data'), '--shared', path.join(root, 'shared')];
    const clean = { HTTPS_PROXY: '', https_proxy: '', HTTP_PROXY: '', http_proxy: '', ALL_PROXY: '', all_proxy: '' };
    const env = { ...process.env, ...clean, NO_PROXY: '', no_proxy: '', NODE_EXTRA_CA_CERTS: '', ...environment };
    return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const words = [CLI, 'library', 'add', url, '--web-rate', '100', ...flags, ...place, ...stores];
      execFile(process.execPath, words, { env }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      });
    });
  }

  it('come in from a server whose certificate is believed', async () => {
    const trusting = { NODE_EXTRA_CA_CERTS: certificate.file };
    for (const host of ['localhost', '127.0.0.1']) {
      const { code, stdout, stderr } = await add(`https://${host}:${port()}/page`, trusting, '--web-private');
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^added {2}Reviews /);
    }
    assert.deepEqual(asked, ['/robots.txt', '/page', '/robots.txt', '/page']);
  });

  it('are not taken from one whose certificate nobody knows, or that is of another host', async () => {
    for (const NODE_EXTRA_CA_CERTS of ['', other.file]) {
      const { code, stderr } = await add(`https://localhost:${port()}/page`, { NODE_EXTRA_CA_CERTS }, '--web-private');
      assert.equal(code, 1);
      assert.match(stderr, /certificate of its server is not valid/);
    }
    const trusting = { NODE_EXTRA_CA_CERTS: certificate.file };
    const { stderr } = await add(`https://127.0.0.2:${port()}/page`, trusting, '--web-private');
    assert.match(stderr, /cannot be reached/);
    assert.deepEqual(asked, []);
  });

  it('do not lead to where anybody on the way could change them', async () => {
    const trusting = { NODE_EXTRA_CA_CERTS: certificate.file };
    const { code, stderr } = await add(`https://localhost:${port()}/down`, trusting, '--web-private');
    assert.equal(code, 1);
    assert.match(stderr, /leads from https: to http:/);
  });

  it('come through a proxy, which sees the host alone, and whose word for it does not count', async () => {
    const environment = { NODE_EXTRA_CA_CERTS: certificate.file, HTTPS_PROXY: proxy.url('ada:secret') };
    const domain = ['--web-domain', 'docs.example'];
    const { code, stdout, stderr } = await add('https://docs.example/page?key=1', environment, ...domain);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^added {2}Reviews /);
    assert.deepEqual(proxy.asked, ['CONNECT docs.example:443', 'CONNECT docs.example:443']);
    assert.deepEqual(asked, ['/robots.txt', '/page?key=1']);
    assert.ok(!`${stdout}${stderr}`.includes('secret'));
    // Whatever the proxy connects to has to prove that it is the host.
    const wrong = await add('https://other.example/page', environment, '--web-domain', 'other.example');
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /certificate of its server is not valid/);
    const unnamed = await add('https://docs.example/page', environment);
    assert.match(unnamed.stderr, /behind a proxy/);
    proxy.refusesWith = 403;
    const refused = await add('https://docs.example/page', environment, ...domain);
    proxy.refusesWith = undefined;
    assert.match(refused.stderr, /the proxy 127\.0\.0\.1:\d+ refuses it \(status 403\)/);
  });
});
