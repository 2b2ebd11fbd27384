import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type HttpServer, resolveToolsets, Surface, serveHttp } from '../../src/mcp';
import { HttpSessions } from '../../src/mcp/serving/http-sessions';
import { fakeHall } from '../support/fake-hall';

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface Sent {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  socketPath?: string;
}

function send(url: string, { method = 'POST', path: at, headers = {}, body = '{}', socketPath }: Sent = {}) {
  const { hostname, port, pathname } = new URL(url);
  const target = socketPath ? { socketPath } : { hostname, port };
  const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return new Promise<Answer>((resolve, reject) => {
    const req = request(
      {
        ...target,
        agent: false,
        path: at ?? pathname,
        method,
        headers: { authorization: 'Bearer secret', ...common, ...headers },
      },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () =>
          resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(chunks).toString() }),
        );
        res.on('error', reject);
      },
    );
    req.on('error', reject);
    req.end(method === 'POST' ? body : undefined);
  });
}

const initialize = (name = 'test') =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name, version: '1' } },
  });

const call = (id: number, _meta?: object) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'list_scopes', arguments: {}, _meta } });

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const modernHeaders = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'list_scopes' };

function surfaceOf(answers: Parameters<typeof fakeHall>[0] = {}) {
  const hall = fakeHall({ listScopes: () => [], ...answers });
  return { hall, surface: new Surface({ kaizen: hall, toolsets: resolveToolsets() }) };
}

describe('serving HTTP', () => {
  const { surface } = surfaceOf();
  let server: HttpServer;
  before(async () => {
    server = await serveHttp({ surface, listen: { port: 0 }, token: 'secret' });
  });
  after(() => server.close());

  const refusals: [string, Sent, number][] = [
    ['a foreign host', { headers: { host: 'evil.example' } }, 403],
    ['a foreign host that begins like ours', { headers: { host: 'localhost.evil.example' } }, 403],
    ['a foreign origin', { headers: { origin: 'https://evil.example' } }, 403],
    ['the origin of a sandboxed page', { headers: { origin: 'null' } }, 403],
    ['no token', { headers: { authorization: '' } }, 401],
    ['a wrong token', { headers: { authorization: 'Bearer secre' } }, 401],
    ['the token in another scheme', { headers: { authorization: 'Basic secret' } }, 401],
    ['another path', { path: '/' }, 404],
    ['the metadata of an authorization server', { path: '/.well-known/oauth-protected-resource', method: 'GET' }, 404],
    ['another method', { method: 'PUT' }, 405],
    ['a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
    ['a text', { headers: { 'content-type': 'text/plain' } }, 415],
    ['no JSON', { body: '{' }, 400],
    ['no object', { body: 'null', headers: { 'mcp-protocol-version': '2026-07-28' } }, 400],
    [
      'a subscription to more than can be looked through with each change',
      {
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'subscriptions/listen',
          params: {
            notifications: { resourceSubscriptions: Array(1_001).fill('knowledge://a/b.md') },
            _meta: modernMeta,
          },
        }),
        headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
      },
      400,
    ],
    ['no session', { body: call(1) }, 400],
    ['an unknown session', { body: call(1), headers: { 'mcp-session-id': 'x' } }, 404],
    ['a body of more than 4 MB', { body: ' '.repeat(4 * 1024 * 1024 + 1) }, 413],
    [
      'a body of more than 4 MB that does not say its length',
      { body: ' '.repeat(5e6), headers: { 'transfer-encoding': 'chunked' } },
      413,
    ],
    [
      'a 2026-07-28 request whose headers say otherwise',
      { body: call(1, modernMeta), headers: { ...modernHeaders, 'mcp-name': 'delete_knowledge' } },
      400,
    ],
  ];
  for (const [what, sent, status] of refusals) {
    it(`answers ${status} to ${what}`, async () => {
      const answer = await send(server.url, sent);
      assert.equal(answer.status, status, answer.text);
      assert.ok(JSON.parse(answer.text).error.message);
      if (status === 401) {
        assert.equal(answer.headers['www-authenticate'], 'Bearer');
        assert.equal(JSON.parse(answer.text).error.message, 'Unauthorized.');
      }
    });
  }

  it('takes a body of exactly 4 MB', async () => {
    const body = call(1, modernMeta);
    const padded = body + ' '.repeat(4 * 1024 * 1024 - body.length);
    const answer = await send(server.url, { body: padded, headers: modernHeaders });
    assert.equal(answer.status, 200, answer.text);
  });

  it('lets in pages of this machine that have the token', async () => {
    for (const origin of ['http://localhost:3000', 'http://127.0.0.1:1', 'http://[::1]:2']) {
      const answer = await send(server.url, { body: call(1, modernMeta), headers: { ...modernHeaders, origin } });
      assert.equal(answer.status, 200, answer.text);
    }
  });

  it('listens on the loopback interface only', () => {
    assert.equal(new URL(server.url).hostname, '127.0.0.1');
  });

  it('answers both eras with plain JSON', async () => {
    const modern = await send(server.url, { body: call(5, modernMeta), headers: modernHeaders });
    assert.equal(modern.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(modern.text).result.structuredContent, []);

    const opened = await send(server.url, { body: initialize() });
    const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const answer = await send(server.url, { body: call(6), headers: session });
    assert.equal(answer.headers['content-type'], 'application/json');
    assert.deepEqual(JSON.parse(answer.text).result.structuredContent, { result: [] });

    assert.equal((await send(server.url, { method: 'DELETE', headers: session })).status, 200);
    assert.equal((await send(server.url, { body: call(7), headers: session })).status, 404);
  });

  it('keeps the author of each session apart', async () => {
    const { hall, surface } = surfaceOf({ defineScope: () => ({}) });
    const apart = await serveHttp({ surface, listen: { port: 0 }, token: 'secret' });
    const define = (id: number, _meta?: object) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'define_scope', arguments: { scope_id: 's', tier: 'GENERAL' }, _meta },
      });
    for (const name of ['Ann', 'Bob']) {
      const opened = await send(apart.url, { body: initialize(name) });
      await send(apart.url, {
        body: define(1),
        headers: { 'mcp-session-id': String(opened.headers['mcp-session-id']) },
      });
    }
    const _meta = { ...modernMeta, 'io.modelcontextprotocol/clientInfo': { name: 'Cid', version: '1' } };
    await send(apart.url, { body: define(1, _meta), headers: { ...modernHeaders, 'mcp-name': 'define_scope' } });
    await send(apart.url, { body: define(1, modernMeta), headers: { ...modernHeaders, 'mcp-name': 'define_scope' } });
    await apart.close();
    const authors = hall.calls.map(({ args }) => (args[1] as { author: string }).author);
    assert.deepEqual(authors, ['Ann', 'Bob', 'Cid', 'unknown client']);
  });

  it('ends the exchange of a call that the client cancels', async () => {
    let stopped = false;
    const { surface } = surfaceOf({ listScopes: () => new Promise(() => {}) });
    const slow = await serveHttp({ surface, listen: { port: 0 }, token: 'secret' });
    const opened = await send(slow.url, { body: initialize() });
    const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const pending = send(slow.url, { body: call(9), headers }).then((answer) => {
      stopped = true;
      return answer;
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(stopped, false);
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 9 } };
    assert.equal((await send(slow.url, { body: JSON.stringify(cancel), headers })).status, 202);
    assert.equal((await pending).status, 202);
    await slow.close();
  });

  it('closes with sessions and streams still open', async () => {
    const { surface } = surfaceOf();
    const closing = await serveHttp({ surface, listen: { port: 0 }, token: 'secret' });
    const opened = await send(closing.url, { body: initialize() });
    const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
    const stream = send(closing.url, { method: 'GET', headers });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await closing.close();
    await stream.catch(() => {});
    await assert.rejects(send(closing.url), { code: 'ECONNREFUSED' });
  });

  it('refuses to start without a token', async () => {
    await assert.rejects(serveHttp({ surface, listen: { port: 0 }, token: '' }), { code: 'invalid_argument' });
  });

  it('refuses a token that no header brings back as it was', async () => {
    for (const token of ['two words', 'tökén', 'line\nbreak', ' ']) {
      await assert.rejects(serveHttp({ surface, listen: { port: 0 }, token }), { code: 'invalid_argument' });
    }
  });

  it('takes the scheme of the token in letters of either case', async () => {
    for (const authorization of ['bearer secret', 'BEARER  secret']) {
      assert.equal((await send(server.url, { body: initialize(), headers: { authorization } })).status, 200);
    }
  });
});

describe('serving on a socket', () => {
  it('is for its owner alone and leaves nothing behind', async function () {
    if (process.platform === 'win32') this.skip();
    const root = mkdtempSync(path.join(tmpdir(), 'kaizen-socket-'));
    const socketPath = path.join(root, 'run', 'mcp.sock');
    const { surface } = surfaceOf();
    const server = await serveHttp({ surface, listen: { path: socketPath }, token: 'secret' });
    try {
      assert.equal(statSync(path.dirname(socketPath)).mode & 0o777, 0o700);
      assert.equal(statSync(socketPath).mode & 0o777, 0o600);
      const headers = { ...modernHeaders, host: 'localhost' };
      const answer = await send(server.url, { socketPath, body: call(1, modernMeta), headers });
      assert.equal(answer.status, 200, answer.text);
      const stranger = await send(server.url, { socketPath, headers: { host: 'localhost', authorization: 'x' } });
      assert.equal(stranger.status, 401);
    } finally {
      await server.close();
    }
    assert.throws(() => statSync(socketPath), { code: 'ENOENT' });
    rmSync(root, { recursive: true });
  });
});

describe('kept sessions', () => {
  let server: import('node:http').Server;
  let url: string;
  let sessions: HttpSessions;

  async function start(limits: { sessions: number; sessionIdleMs: number }): Promise<void> {
    const { createServer } = await import('node:http');
    sessions = new HttpSessions(surfaceOf().surface, () => {}, limits);
    server = createServer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      await sessions.handle(req, res, text ? JSON.parse(text) : undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as import('node:net').AddressInfo).port}/mcp`;
  }

  afterEach(async () => {
    await sessions.close();
    server.closeAllConnections();
    server.close();
  });

  const open = async () => String((await send(url, { body: initialize() })).headers['mcp-session-id']);
  const use = async (id: string) => (await send(url, { body: call(1), headers: { 'mcp-session-id': id } })).status;

  it('that lie idle are ended, those in use are not', async () => {
    await start({ sessions: 10, sessionIdleMs: 60 });
    const idle = await open();
    const listening = await open();
    const stream = send(url, { method: 'GET', headers: { 'mcp-session-id': listening } });
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.equal(await use(idle), 404);
    assert.equal(await use(listening), 200);
    await sessions.close();
    await stream.catch(() => {});
  });

  it('make room for a new one, the longest idle first', async () => {
    await start({ sessions: 2, sessionIdleMs: 60_000 });
    const first = await open();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await open();
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(await use(first), 200);
    const third = await open();
    assert.deepEqual([await use(first), await use(second), await use(third)], [200, 404, 200]);
    assert.equal(sessions.size, 2);
  });
});
