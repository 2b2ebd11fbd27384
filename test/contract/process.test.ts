import assert from 'node:assert/strict';
import { request } from 'node:http';
import { CLIENTS } from './support/clients';
import { type HttpProcess, type Stores, spawnStdio, startHttp, temporaryStores } from './support/kaizen-process';

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const call = (id: number, name: string, args: object = {}, more = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args, ...more },
});
const general = { scope_id: 'general', tier: 'GENERAL' };

interface Message {
  jsonrpc: string;
  id: number | null;
  result?: {
    isError?: boolean;
    content: { text: string }[];
    tools?: { name: string; annotations: { readOnlyHint: boolean } }[];
  };
  error?: { code: number; message: string };
}

let stores: Stores;
beforeEach(() => {
  stores = temporaryStores();
});
afterEach(() => stores.remove());

describe('the server on stdio', () => {
  /** Pipes the messages in as a file would be, and collects what comes out until the process has ended. */
  async function pipe(messages: object[], ...flags: string[]) {
    const { child, output, exited } = spawnStdio(...stores.flags, ...flags);
    child.stdin.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    const code = await exited;
    const lines = output.stdout.split('\n');
    assert.equal(lines.pop(), '', 'the last line ends');
    // Anything but protocol on stdout would fail to parse here.
    const received = lines.map((line) => JSON.parse(line) as Message);
    assert.ok(received.every((message) => message.jsonrpc === '2.0'));
    const byId = (id: number) => received.find((message) => message.id === id);
    return { code, received, byId, stderr: output.stderr };
  }

  it('answers all that is piped into it, says nothing else, and ends with 0', async () => {
    const entries = Array.from({ length: 40 }, (_, i) =>
      call(i + 2, 'store_knowledge_if_missing', {
        target_scope_id: 'general',
        category: 'c',
        keyword: `k${i}`,
        content: 'x',
        project_context: '',
      }),
    );
    await pipe([initialize, call(1, 'define_scope', general)]);
    const { code, received, stderr } = await pipe([initialize, ...entries]);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    assert.equal(received.length, entries.length + 1);
    const stored = received.filter((message) => message.result?.content?.[0]?.text === '{"success":true}');
    assert.equal(stored.length, entries.length);
    const { byId } = await pipe([initialize, call(1, 'list_scopes')]);
    const scopes = JSON.parse(byId(1)?.result?.content[0]?.text ?? '') as { entry_count: number }[];
    assert.equal(scopes[0]?.entry_count, entries.length);
  });

  it('ends when stdin closes, without waiting for anything', async () => {
    const { child, exited } = spawnStdio(...stores.flags);
    child.stdin.write(`${JSON.stringify(initialize)}\n`);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const started = Date.now();
    child.stdin.end();
    assert.equal(await exited, 0);
    // What it would wait for takes 30 s.
    assert.ok(Date.now() - started < 20_000);
  });

  it('refuses a request of more than 4 MB and goes on', async () => {
    const padding = 'x'.repeat(4 * 1024 * 1024);
    const { code, byId } = await pipe([initialize, call(1, 'list_scopes', {}, { padding }), call(2, 'list_scopes')]);
    assert.equal(code, 0);
    assert.match(byId(1)?.error?.message ?? '', /4 MB/);
    assert.equal(byId(2)?.result?.content[0]?.text, '[]');
  });

  it('takes an entry of the greatest size and refuses one character more', async () => {
    const entry = (content: string) => ({
      target_scope_id: 'general',
      category: 'c',
      keyword: 'k',
      content,
      project_context: '',
    });
    await pipe([initialize, call(1, 'define_scope', general)]);
    const { byId } = await pipe([
      initialize,
      call(1, 'store_knowledge_overwrite', entry('é'.repeat(65_536))),
      call(2, 'store_knowledge_overwrite', entry('é'.repeat(65_537))),
      call(3, 'store_knowledge_overwrite', entry('💥'.repeat(65_536))),
      call(4, 'store_knowledge_overwrite', entry('💥'.repeat(65_537))),
    ]);
    for (const id of [1, 3]) assert.notEqual(byId(id)?.result?.isError, true, byId(id)?.result?.content[0]?.text);
    for (const id of [2, 4]) assert.match(byId(id)?.result?.content[0]?.text ?? '', /content: .*65536/);
  });

  it('lets every client write, whatever it calls itself', async () => {
    for (const name of ['two\nlines', '\u0007', `${'x'.repeat(99)}💥`, 'half \ud83d', ' ', '']) {
      const named = { ...initialize, params: { ...initialize.params, clientInfo: { name, version: '1' } } };
      const { byId } = await pipe([named, call(1, 'define_scope', general)]);
      assert.equal(byId(1)?.result?.content[0]?.text, '{"success":true}', JSON.stringify(name));
    }
  });

  it('leaves the writing tools out when it is read-only', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const { byId } = await pipe([initialize, list, call(2, 'define_scope', general)], '--read-only');
    assert.equal(byId(1)?.result?.tools?.length, 12);
    assert.ok(byId(1)?.result?.tools?.every((tool) => tool.annotations.readOnlyHint));
    assert.equal(byId(2)?.error?.code, -32602);
  });

  it('names the toolsets that there are when it is asked for another', async () => {
    const { child, output, exited } = spawnStdio(...stores.flags, '--toolsets', 'protocol,magic');
    child.stdin.end();
    assert.notEqual(await exited, 0);
    assert.equal(output.stdout, '');
    assert.match(output.stderr, /magic.*protocol/s);
    assert.doesNotMatch(output.stderr, /\n\s+at /);
  });
});

describe('the server on HTTP', () => {
  let server: HttpProcess;
  afterEach(() => server.stop());

  function post(headers: Record<string, string>, body: object = initialize) {
    return new Promise<{ status: number; text: string }>((resolve, reject) => {
      const all = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${server.token}`,
        ...headers,
      };
      const req = request(server.url, { method: 'POST', headers: all }, (res) => {
        let text = '';
        res.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        res.on('end', () => resolve({ status: res.statusCode ?? 0, text }));
      });
      req.on('error', reject);
      req.end(JSON.stringify(body));
    });
  }

  it('says where it listens, on the loopback interface only', async () => {
    server = await startHttp(stores.flags);
    assert.match(server.stderr(), /^listening on http:\/\/127\.0\.0\.1:\d+\/mcp$/m);
    assert.ok(!server.stderr().includes(server.token), 'a token that was given is not printed');
    assert.equal((await post({})).status, 200);
  });

  it('makes a token of its own and prints it when none was given', async () => {
    server = await startHttp(stores.flags, null);
    assert.ok(server.token.length >= 32);
    assert.equal((await post({})).status, 200);
    assert.equal((await post({ authorization: 'Bearer guess' })).status, 401);
  });

  it('lets in nobody without the token, from elsewhere, or with too much', async () => {
    server = await startHttp(stores.flags);
    assert.equal((await post({ authorization: '' })).status, 401);
    assert.equal((await post({ host: 'rebound.example' })).status, 403);
    assert.equal((await post({ origin: 'https://rebound.example' })).status, 403);
    assert.equal((await post({}, { padding: 'x'.repeat(4 * 1024 * 1024) })).status, 413);
    assert.equal((await post({})).status, 200);
  });
});

describe('two processes on the same stores', () => {
  it('see at once what the other has stored', async () => {
    const [stdio, http] = [CLIENTS[0], CLIENTS[5]];
    assert.ok(stdio && http);
    const writer = await stdio.connect(stores.flags);
    const reader = await http.connect(stores.flags);
    try {
      assert.equal((await reader.call('list_scopes')).text, '[]');
      await writer.call('define_scope', general);
      assert.match((await reader.call('list_scopes')).text, /"general"/);
    } finally {
      await Promise.all([writer.close(), reader.close()]);
    }
  });
});
