import assert from 'node:assert/strict';
import { createServer, type Server as HttpServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { HttpSessionTransport } from '../../src/mcp/serving/http-session-transport';

const initialize = {
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const ask = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'tools/list' });
const both = 'application/json, text/event-stream';

describe('a kept HTTP session', () => {
  let http: HttpServer;
  let session: HttpSessionTransport;
  let received: JSONRPCMessage[];
  /** What the server does with a request; answers it unless a test says otherwise. */
  let onRequest: (message: JSONRPCRequest) => void;

  const answer = (id: JSONRPCRequest['id']) => session.send({ jsonrpc: '2.0', id, result: { for: id } });

  beforeEach(async () => {
    received = [];
    onRequest = (message) => void answer(message.id);
    session = new HttpSessionTransport();
    session.setSupportedProtocolVersions(['2025-11-25', '2025-03-26']);
    session.onmessage = (message) => {
      received.push(message);
      if ('method' in message && 'id' in message) onRequest(message);
    };
    http = createServer(async (req, res) => {
      let text = '';
      for await (const chunk of req.setEncoding('utf8')) text += chunk;
      session.handle(req, res, text ? JSON.parse(text) : undefined);
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    await post(initialize);
  });
  afterEach(() => {
    http.closeAllConnections();
    http.close();
  });

  function open(method: string, headers: Record<string, string>, body?: unknown): Promise<IncomingMessage> {
    const { port } = http.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      const req = request({ port, host: '127.0.0.1', method, headers, agent: false }, resolve);
      req.on('error', reject);
      req.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  async function read(res: IncomingMessage): Promise<string> {
    let text = '';
    for await (const chunk of res.setEncoding('utf8')) text += chunk;
    return text;
  }

  async function post(body: unknown, headers: Record<string, string> = {}) {
    const res = await open('POST', { accept: both, 'content-type': 'application/json', ...headers }, body);
    return { status: res.statusCode, type: res.headers['content-type'], text: await read(res) };
  }

  it('answers each of many requests under way with its own result', async () => {
    const order: JSONRPCRequest['id'][] = [];
    onRequest = (message) => {
      order.push(message.id);
      // The last one to come is answered first.
      if (order.length === 3) for (const id of [...order].reverse()) void answer(id);
    };
    const answers = await Promise.all([1, 'two', 3].map((id) => post(ask(id))));
    assert.deepEqual(
      answers.map(({ text }) => JSON.parse(text)),
      [1, 'two', 3].map((id) => ({ jsonrpc: '2.0', id, result: { for: id } })),
    );
  });

  it('answers a batch as a list once all of it is done', async () => {
    const { text } = await post([ask(1), { jsonrpc: '2.0', method: 'notifications/x' }, ask(2)]);
    assert.deepEqual(
      JSON.parse(text).map((one: { id: number }) => one.id),
      [1, 2],
    );
  });

  it('becomes a stream when something is said before the result', async () => {
    onRequest = (message) => {
      const progress = { jsonrpc: '2.0' as const, method: 'notifications/progress', params: { progress: 1 } };
      void session.send(progress, { relatedRequestId: message.id }).then(() => answer(message.id));
    };
    const { type, text } = await post(ask(7));
    assert.equal(type, 'text/event-stream');
    const events = text.trim().split('\n\n');
    assert.deepEqual(
      events.map((event) => JSON.parse(event.replace(/^event: message\ndata: /, ''))),
      [
        { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } },
        { jsonrpc: '2.0', id: 7, result: { for: 7 } },
      ],
    );
  });

  it('says on its one stream what belongs to no request', async () => {
    const stream = await open('GET', { accept: 'text/event-stream' });
    assert.equal(stream.statusCode, 200);
    assert.equal((await open('GET', { accept: 'text/event-stream' })).statusCode, 409);
    await session.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    const [chunk] = (await stream.setEncoding('utf8').take(1).toArray()) as string[];
    assert.match(chunk ?? '', /^event: message\ndata: .*list_changed/);
  });

  it('takes notifications and responses without answering them', async () => {
    assert.equal((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202);
    assert.equal((await post({ jsonrpc: '2.0', id: 5, result: {} })).status, 202);
    assert.equal(received.length, 3);
  });

  it('forgets a request whose client has gone, and its id can be used again', async () => {
    onRequest = () => {};
    const { port } = http.address() as AddressInfo;
    const gone = request({ port, host: '127.0.0.1', method: 'POST', headers: { accept: both }, agent: false });
    gone.on('error', () => {});
    gone.end(JSON.stringify(ask(4)));
    while (received.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    gone.destroy();
    while (session.open.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await answer(4);
    onRequest = (message) => void answer(message.id);
    assert.equal((await post(ask(4))).status, 200);
  });

  const refusals: [string, unknown, Record<string, string>, number][] = [
    ['an answer that the client cannot read', ask(1), { accept: 'text/html' }, 406],
    ['an answer that may not be a stream', ask(1), { accept: 'application/json' }, 406],
    ['a revision that is not spoken', ask(1), { 'mcp-protocol-version': '1999-01-01' }, 400],
    ['a second initialization', initialize, {}, 400],
    ['what is no JSON-RPC', { hello: 1 }, {}, 400],
    ['an empty batch', [], {}, 400],
    ['an endless batch', Array.from({ length: 101 }, (_, id) => ask(id)), {}, 400],
    ['the same id twice', [ask(1), ask(1)], {}, 400],
  ];
  for (const [what, body, headers, status] of refusals) {
    it(`refuses ${what}`, async () => {
      const before = received.length;
      const refused = await post(body, headers);
      assert.equal(refused.status, status, refused.text);
      assert.ok(JSON.parse(refused.text).error.message);
      assert.equal(received.length, before);
    });
  }

  it('refuses an id that another request under way has', async () => {
    onRequest = () => {};
    const first = post(ask(1));
    while (received.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal((await post(ask(1))).status, 400);
    await answer(1);
    assert.equal((await first).status, 200);
  });

  it('ends everything that is open when it is closed', async () => {
    onRequest = () => {};
    const stream = await open('GET', { accept: 'text/event-stream' });
    const pending = post(ask(1));
    while (received.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal((await open('DELETE', {})).statusCode, 200);
    assert.equal((await pending).status, 404);
    assert.equal(await read(stream), '');
  });

  it('says nothing any more on a stream that was ended, whose reader is slow to take it', async () => {
    const stream = await open('GET', { accept: 'text/event-stream' });
    await session.close();
    // As the server does when a question is withdrawn: a write to an ended stream would end the process.
    await session.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    assert.equal(await read(stream), '');
  });
});
