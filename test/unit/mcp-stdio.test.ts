import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { mock } from 'node:test';
import { resolveToolsets, Surface, serveStdio } from '../../src/mcp';
import { type Line, LineCutter, recoverRequestId } from '../../src/mcp/serving/lines';
import { fakeHall } from '../support/fake-hall';

describe('cutting lines', () => {
  function cut(max: number, ...chunks: string[]): Line[] {
    const cutter = new LineCutter(max);
    const lines = chunks.flatMap((chunk) => [...cutter.push(Buffer.from(chunk))]);
    const last = cutter.end();
    return last ? [...lines, last] : lines;
  }

  it('finds the same lines wherever the stream is broken into chunks', () => {
    const text = 'one\n\nthrée\nfour';
    const expected = ['one', '', 'thrée', 'four'];
    const bytes = Buffer.from(text);
    for (let at = 0; at <= bytes.length; at++) {
      const cutter = new LineCutter(100);
      const lines = [...cutter.push(bytes.subarray(0, at)), ...cutter.push(bytes.subarray(at))];
      const last = cutter.end();
      assert.deepEqual(
        [...lines, last].map((line) => line && 'text' in line && line.text),
        expected,
      );
    }
  });

  it('keeps only both ends of a line that is too long, and goes on with the next', () => {
    const long = `HEAD${'x'.repeat(20_000)}TAIL`;
    const [first, second] = cut(10_000, long.slice(0, 9_999), long.slice(9_999), '\nnext\n');
    assert.ok(first && 'tooLong' in first);
    assert.ok(first.head.startsWith('HEAD') && first.tail.endsWith('TAIL'));
    assert.ok(first.head.length <= 4_096 && first.tail.length <= 4_096);
    assert.deepEqual(second, { text: 'next' });
  });

  it('takes a line of exactly the limit and refuses one byte more', () => {
    const [fits, over] = cut(5, '12345\n', '123456\n');
    assert.deepEqual(fits, { text: '12345' });
    assert.ok(over && 'tooLong' in over);
  });
});

describe('the id of a request that is too long', () => {
  const x = 'x'.repeat(50);
  const known: [string, string, string | number | null][] = [
    [`{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":"${x}`, `${x}"}}`, 7],
    [`{ "method" : "tools/call", "id" : "a\\"b", "params":{"a":"${x}`, `${x}"}}`, 'a"b'],
    [`{"jsonrpc":"2.0","method":"m","params":{"a":"${x}`, `${x}"}},"id":12}`, 12],
    [`{"method":"m","params":{"a":"${x}`, `${x}"}},"id":"z","jsonrpc":"2.0"} `, 'z'],
    [`{"jsonrpc":"2.0","method":"m","params":{"id":5,"a":"${x}`, `${x}"}}`, null],
    [`{"jsonrpc":"2.0","method":"m","params":{"a":"${x}`, `${x}","id":5}}`, null],
    [x, x, null],
  ];
  for (const [head, tail, id] of known) {
    it(`is ${JSON.stringify(id)} in ${head.slice(0, 40)}…${tail.slice(-20)}`, () => {
      assert.equal(recoverRequestId(head, tail), id);
    });
  }
});

describe('serving stdio', () => {
  const initialize = {
    id: 'init',
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };

  function start(answers: Parameters<typeof fakeHall>[0] = {}) {
    const hall = fakeHall(answers);
    const input = new PassThrough();
    const output = new PassThrough();
    const connection = serveStdio({
      surface: new Surface({ kaizen: hall, toolsets: resolveToolsets() }),
      input,
      output,
    });
    const received: { id: unknown; result?: unknown; error?: { code: number; message: string } }[] = [];
    const lines = new LineCutter(1e9);
    output.on('data', (chunk: Buffer) => {
      for (const line of lines.push(chunk)) received.push(JSON.parse('text' in line ? line.text : ''));
    });
    const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    return { hall, input, output, connection, received, send };
  }

  const call = (id: number, extra = {}) => ({
    id,
    method: 'tools/call',
    params: { name: 'list_scopes', arguments: {}, ...extra },
  });

  it('answers what it had received when its input ends, then closes', async () => {
    const server = start({
      listScopes: async () => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        return [];
      },
    });
    server.send(initialize);
    for (let id = 1; id <= 25; id++) server.send(call(id));
    // The last line without a newline counts as well.
    server.input.end(JSON.stringify({ jsonrpc: '2.0', ...call(26) }));
    await server.connection.closed;
    const ids = server.received.map((message) => message.id);
    assert.equal(ids.length, 27);
    assert.equal(new Set(ids).size, 27);
    assert.ok(server.received.every((message) => message.result));
  });

  it('refuses to follow more than can be looked through with each change, and goes on', async () => {
    const server = start({ listScopes: () => [] });
    const uris = Array.from({ length: 1_001 }, (_, n) => `knowledge://docs/${n}.md`);
    const params = { notifications: { resourceSubscriptions: uris } };
    server.send({ id: 'many', method: 'subscriptions/listen', params });
    server.send(initialize);
    server.send({
      id: 'long',
      method: 'resources/subscribe',
      params: { uri: `knowledge://docs/${'x'.repeat(9_000)}` },
    });
    server.send(call(1));
    server.input.end();
    await server.connection.closed;
    assert.deepEqual(
      server.received.map(({ id, error }) => [id, error?.code]),
      [
        ['many', -32602],
        ['init', undefined],
        ['long', -32602],
        [1, undefined],
      ],
    );
    assert.match(server.received[0]?.error?.message ?? '', /1000 .*1001/);
  });

  it('does not wait for the answer to a request that was cancelled', async () => {
    const server = start({ listScopes: () => new Promise(() => {}) });
    server.send(initialize);
    server.send(call(1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    server.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    // The answer never comes, nor does the end of the time that it is given.
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      server.input.end();
      await server.connection.closed;
    } finally {
      mock.timers.reset();
    }
    assert.deepEqual(
      server.received.map((message) => message.id),
      ['init'],
    );
  });

  it('refuses a request of more than 4 MB by its id and goes on', async () => {
    const server = start({ listScopes: () => [] });
    server.send(initialize);
    server.send(call(1, { padding: 'x'.repeat(4 * 1024 * 1024) }));
    server.send(call(2));
    server.input.end();
    await server.connection.closed;
    const [refused] = server.received.filter((message) => message.id === 1);
    assert.equal(refused?.error?.code, -32600);
    assert.match(refused?.error?.message ?? '', /4 MB/);
    assert.ok(server.received.some((message) => message.id === 2 && message.result));
    assert.equal(server.hall.calls.length, 1);
  });

  it('answers what is no JSON and what is no JSON-RPC, and goes on', async () => {
    const server = start({ listScopes: () => [] });
    server.input.write('nonsense\n\n{"jsonrpc":"2.0","id":3}\n[]\n');
    server.send(initialize);
    server.send(call(4));
    server.input.end();
    await server.connection.closed;
    const errors = server.received.filter((message) => message.error);
    assert.deepEqual(
      errors.map(({ id, error }) => [id, error?.code]),
      [
        [null, -32700],
        [3, -32600],
        [null, -32600],
      ],
    );
    assert.ok(server.received.some((message) => message.id === 4 && message.result));
  });

  it('reads no further while the client does not read', async () => {
    const server = start({ listScopes: () => Array.from({ length: 500 }, () => ({ name: 'x'.repeat(100) })) });
    server.output.removeAllListeners('data');
    server.output.pause();
    server.send(initialize);
    for (let id = 1; id <= 2_000; id++) server.send(call(id));
    await new Promise((resolve) => setTimeout(resolve, 200));
    assert.ok(server.hall.calls.length < 600, `${server.hall.calls.length} calls were run ahead`);
    server.output.resume();
    server.input.end();
    await server.connection.closed;
    assert.equal(server.hall.calls.length, 2_000);
  }).timeout(120_000);

  it('closes when the output breaks', async () => {
    const server = start();
    server.output.destroy(new Error('EPIPE'));
    await server.connection.closed;
  });

  it('tells a 2026-07-28 client from one of 2025 by its first request', async () => {
    const server = start({ listScopes: () => [] });
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    server.send(call(1, { _meta }));
    server.input.end();
    await server.connection.closed;
    const [answer] = server.received as { result: { structuredContent: unknown } }[];
    assert.deepEqual(answer?.result.structuredContent, []);
  });

  it('ends when it is told to', async () => {
    const server = start();
    server.send(initialize);
    await once(server.output, 'data');
    await server.connection.close();
    await server.connection.closed;
  });
});
