import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import v8 from 'node:v8';
import vm from 'node:vm';
import { isKaizenError } from '../../src/core/errors';
import { createEmbedder, type Embedder, type EmbeddingOptions } from '../../src/search';
import { endpointEmbedder } from '../../src/search/embeddings/endpoint';
import { EmbeddingServer } from '../support/embedding-server';

const KEY = 'sk-very-secret-0123456789';

describe('embeddings from an endpoint', () => {
  let server: EmbeddingServer;
  const embedders: Embedder[] = [];

  beforeEach(async () => {
    server = await new EmbeddingServer().start();
  });

  afterEach(async () => {
    for (const embedder of embedders.splice(0)) embedder.dispose();
    await server.stop();
  });

  function embedder(options: Partial<Extract<EmbeddingOptions, { provider: 'endpoint' }>> = {}): Embedder {
    const all = { provider: 'endpoint', url: server.url, model: 'test', ...options } as const;
    const made = createEmbedder(all, { modelsDirectory: 'unused' })!;
    embedders.push(made);
    return made;
  }

  /** Of the error that embedding ends with. */
  async function fault(made: Embedder, texts = ['text'], signal?: AbortSignal): Promise<string> {
    const error = await made.embed(texts, { use: 'passage', ...(signal ? { signal } : {}) }).then(
      () => assert.fail('it should not have succeeded'),
      (reason: unknown) => reason,
    );
    assert.ok(isKaizenError(error), String(error));
    assert.equal(error.code, 'embedding_failed');
    return `${error.message} ${error.hint}`;
  }

  it('are one vector of length 1 a text, in the order of the texts, whatever the order of the answer', async () => {
    const texts = ['deploy', 'rollback the release', 'undo the release'];
    const vectors = await embedder().embed(texts, { use: 'passage' });
    assert.equal(vectors.length, 3);
    for (const vector of vectors) assert.ok(Math.abs(product(vector, vector) - 1) < 1e-6);
    assert.ok(product(vectors[1]!, vectors[2]!) > 0.99);
    assert.ok(product(vectors[0]!, vectors[2]!) < 0.7);
  });

  it('may come as base64', async () => {
    const [plain] = await embedder().embed(['deploy'], { use: 'passage' });
    server.base64 = true;
    const [packed] = await embedder().embed(['deploy'], { use: 'passage' });
    assert.ok(product(plain!, packed!) > 0.999999);
  });

  it('are asked for at …/embeddings, with the model, the dimensions and the key that were given', async () => {
    server.dimensions = 32;
    await embedder({ key: KEY, dimensions: 32 }).embed(['a'], { use: 'passage' });
    await embedder({ url: `${server.url}/embeddings/`, dimensions: 32 }).embed(['a'], { use: 'passage' });
    assert.deepEqual(
      server.asked.map(({ path, model, dimensions }) => ({ path, model, dimensions })),
      Array(2).fill({ path: '/v1/embeddings', model: 'test', dimensions: 32 }),
    );
    assert.equal(server.asked[0]!.headers.authorization, `Bearer ${KEY}`);
    assert.equal(server.asked[1]!.headers.authorization, undefined);
  });

  it('are asked for in batches, a few at once', async () => {
    const texts = Array.from({ length: 300 }, (_, index) => `text ${index}`);
    const vectors = await embedder().embed(texts, { use: 'passage' });
    assert.equal(vectors.length, 300);
    assert.ok(server.asked.every(({ input }) => input.length <= 32));
    assert.equal(server.asked.length, 10);
    assert.ok(server.atOnce <= 3, `${server.atOnce} at once`);
    const long = Array.from({ length: 20 }, () => 'word '.repeat(1600));
    server.asked.length = 0;
    await embedder().embed(long, { use: 'passage' });
    assert.ok(server.asked.every(({ input }) => input.join('').length <= 60_000));
  });

  it('carry the prefixes that a model was trained with', async () => {
    const sent = async (model: string) => {
      server.asked.length = 0;
      const made = embedder({ model });
      await made.embed(['x'], { use: 'query' });
      await made.embed(['x'], { use: 'passage' });
      return server.texts;
    };
    assert.deepEqual(await sent('intfloat/multilingual-e5-small'), ['query: x', 'passage: x']);
    assert.deepEqual(await sent('nomic-embed-text:latest'), ['search_query: x', 'search_document: x']);
    assert.deepEqual(await sent('bge-small-en-v1.5'), [
      'Represent this sentence for searching relevant passages: x',
      'x',
    ]);
    assert.deepEqual(await sent('text-embedding-3-small'), ['x', 'x']);
  });

  it('are asked for again after 429 and 5xx, not before Retry-After', async () => {
    const statuses = [429, 503];
    server.misbehave = (_, response) => {
      const status = statuses.shift();
      if (status) response.writeHead(status, { 'retry-after': status === 429 ? '1' : '0' }).end('busy');
      return status !== undefined;
    };
    const start = performance.now();
    assert.equal((await embedder().embed(['a'], { use: 'passage' })).length, 1);
    assert.ok(performance.now() - start > 950);
    assert.equal(server.asked.length, 3);
  });

  it('fail after a few tries, with what the server said', async () => {
    server.misbehave = (_, response) =>
      ended(response.writeHead(500, { 'retry-after': '0' }), '{"error":{"message":"out of memory"}}');
    assert.match(await fault(embedder()), /the server says 500: out of memory/);
    assert.equal(server.asked.length, 5);
  });

  it('of a question fail at once: whoever asks is answered by words', async () => {
    server.misbehave = (_, response) => ended(response.writeHead(503), '');
    await assert.rejects(embedder().embed(['a'], { use: 'query' }), { code: 'embedding_failed' });
    assert.equal(server.asked.length, 1);
  });

  it('do not wait for minutes: a long Retry-After is a failure now', async () => {
    server.misbehave = (_, response) => ended(response.writeHead(429, { 'retry-after': '3600' }), '');
    assert.match(await fault(embedder()), /429.*tried again later/);
    assert.equal(server.asked.length, 1);
  });

  it('never tell the key, even when the server repeats it', async () => {
    for (const status of [400, 401, 403, 404, 500]) {
      server.misbehave = (_, response) =>
        ended(response.writeHead(status, { 'retry-after': '0' }), `{"error":{"message":"bad key ${KEY} here"}}`);
      const said = await fault(embedder({ key: KEY }));
      assert.ok(!said.includes(KEY), said);
      if (status === 401) assert.match(said, /refuses the key \(401\)\. Set another key/);
    }
  });

  it('never tell a part of the key either, nor a secret of the address', async () => {
    const secret = 'token-in-the-address';
    for (const before of ['x'.repeat(180), '']) {
      server.misbehave = ({ path }, response) =>
        ended(response.writeHead(404), JSON.stringify({ error: { message: `${before} ${KEY} at ${path}` } }));
      const said = await fault(embedder({ key: KEY, url: `${server.url}?key=${secret}` }));
      assert.match(said, /says 404/);
      assert.ok(!said.includes(KEY.slice(0, 8)) && !said.includes(secret.slice(0, 8)), said);
    }
  });

  it('go nowhere that a redirect points to', async () => {
    const other = await new EmbeddingServer().start();
    try {
      server.misbehave = (_, response) => ended(response.writeHead(307, { location: `${other.url}/embeddings` }), '');
      assert.match(await fault(embedder({ key: KEY })), /sends elsewhere/);
      assert.equal(other.asked.length, 0);
    } finally {
      await other.stop();
    }
  });

  it('go readable to this machine only', () => {
    for (const url of ['http://example.com/v1', 'http://192.168.1.5:11434/v1', 'http://127.0.0.1.evil.test/v1']) {
      assert.throws(() => embedder({ url }), /http: is taken for this machine only.*/);
    }
    for (const url of ['ftp://localhost/v1', 'no address', 'https://name:password@example.com/v1']) {
      assert.throws(() => embedder({ url }), { name: 'KaizenError', code: 'invalid_argument' });
    }
    for (const url of ['https://api.example.com/v1', 'http://localhost:1234/v1', 'http://[::1]:1234'])
      embedder({ url });
  });

  const garbage: Record<string, [answer: string, said: RegExp]> = {
    'no JSON': ['<html>', /is no JSON/],
    'no data': ['{"vectors": []}', /no list "data"/],
    'too few vectors': ['{"data": []}', /0 vectors for 1 texts/],
    'words for numbers': ['{"data": [{"index": 0, "embedding": ["a"]}]}', /something else than numbers/],
    'no direction': ['{"data": [{"index": 0, "embedding": [0, 0]}]}', /only zeros/],
    'another number': ['{"data": [{"index": 7, "embedding": [1]}]}', /not numbered/],
    'null for an object': ['{"data": [null]}', /no list of 1 to/],
  };
  for (const [what, [answer, said]] of Object.entries(garbage)) {
    it(`are refused when the answer holds ${what}`, async () => {
      server.misbehave = (_, response) => ended(response, answer);
      assert.match(await fault(embedder()), said);
    });
  }

  it('all have one length', async () => {
    const made = embedder();
    await made.embed(['a'], { use: 'passage' });
    server.dimensions = 32;
    assert.match(await fault(made), /32 dimensions, not 64/);
    assert.match(await fault(embedder({ dimensions: 100 })), /32 dimensions, not 100/);
  });

  it('have another length once the server has exchanged its model: that is told, and happens once', async () => {
    const made = embedder();
    await made.embed(['a'], { use: 'passage' });
    server.dimensions = 32;
    await fault(made);
    const [vector] = await made.embed(['a'], { use: 'passage' });
    assert.equal(vector!.length, 32);
    server.dimensions = 64;
    for (let round = 0; round < 3; round++) assert.match(await fault(made), /64 dimensions, not 32/);
  });

  it('are not read beyond a limit', async () => {
    server.misbehave = async (_, response) => {
      const part = 'x'.repeat(1024 * 1024);
      while (!response.destroyed && response.writable) {
        response.write(part);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return true;
    };
    assert.match(await fault(embedder()), /too large/);
  });

  it('of a text that is too long for the model are those of its beginning; others do not suffer', async () => {
    server.misbehave = ({ input }, response) =>
      input.some((text) => text.length > 3000)
        ? ended(response.writeHead(400), '{"error":"input exceeds the context length"}')
        : false;
    const long = `rollback ${'word '.repeat(1500)}`;
    const [first, second, third] = await embedder().embed(['deploy', long, 'release'], { use: 'passage' });
    assert.ok(first!.length === 64 && second!.length === 64 && third!.length === 64);
    assert.equal(Math.max(...server.texts.slice(-1).map(({ length }) => length)) <= 3000, true);
  });

  it('of a text that the server never takes are left out; a server that takes nothing is a failure', async () => {
    server.misbehave = ({ input }, response) =>
      input.includes('poison') ? ended(response.writeHead(422), 'no') : false;
    const vectors = await embedder().embed(['deploy', 'poison', 'release'], { use: 'passage' });
    assert.deepEqual(
      vectors.map(({ length }) => length),
      [64, 0, 64],
    );
    server.misbehave = (_, response) => ended(response.writeHead(400), '{"error":"unknown model"}');
    server.asked.length = 0;
    assert.match(await fault(embedder(), ['a', 'b', 'c', 'd']), /unknown model/);
    assert.equal(server.asked.length, 2);
  });

  it('are a failure, and no text is given up, when a server that answered before takes nothing any more', async () => {
    const made = embedder();
    await made.embed(['deploy'], { use: 'passage' });
    server.misbehave = (_, response) => ended(response.writeHead(400), '{"error":"no model is loaded"}');
    assert.match(await fault(made, ['a', 'b', 'c', 'd']), /no model is loaded/);
  });

  it('of a question come in time or not at all, however often its text is refused', async () => {
    server.misbehave = async ({ input }, response) => {
      if (input[0] === 'text') return false;
      await sleep(60);
      return ended(response.writeHead(400), 'too long');
    };
    const made = endpointEmbedder({ url: server.url, model: 'test' }, { timeout: 150 });
    await assert.rejects(made.embed(['word '.repeat(1600)], { use: 'query' }), /no answer within 0\.15 seconds/);
  });

  it('that do not come in time, or from nobody, are a failure that says so', async () => {
    server.misbehave = () => new Promise(() => {});
    const patience = { timeout: 60, retries: 1, firstPause: 10 };
    const slow = endpointEmbedder({ url: server.url, model: 'test' }, patience);
    assert.match(await fault(slow), /no answer within 0\.06 seconds/);
    const { url } = server;
    const gone = new EmbeddingServer();
    await gone.start();
    const address = gone.url;
    await gone.stop();
    assert.notEqual(address, url);
    assert.match(await fault(endpointEmbedder({ url: address, model: 'test' }, patience)), /ECONNREFUSED/);
  });

  it('that never come are not waited for, whatever memory is freed meanwhile', async () => {
    server.misbehave = () => new Promise(() => {});
    v8.setFlagsFromString('--expose-gc');
    const freeing = setInterval(vm.runInNewContext('gc') as () => void, 20);
    try {
      const patience = { timeout: 300, retries: 0 };
      const made = endpointEmbedder({ url: server.url, model: 'test' }, patience);
      const hanging = sleep(15_000).then(() => assert.fail('it still waits'));
      await assert.rejects(Promise.race([made.embed(['a'], { use: 'passage' }), hanging]), {
        code: 'embedding_failed',
        message: /no answer within/,
      });
    } finally {
      clearInterval(freeing);
    }
  });

  it('can be given up between two tries, for the reason that was given', async () => {
    server.misbehave = (_, response) => ended(response.writeHead(429, { 'retry-after': '30' }), '');
    const made = embedder();
    const embedding = made.embed(['a'], { use: 'passage' });
    setTimeout(() => made.dispose(), 50);
    await assert.rejects(embedding, { code: 'cancelled' });
  });

  it('can be given up', async () => {
    let closed = false;
    server.misbehave = (_, response) => {
      response.once('close', () => {
        closed = true;
      });
      return new Promise(() => {});
    };
    const stop = new AbortController();
    const embedding = embedder().embed(['a'], { use: 'passage', signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 30);
    await assert.rejects(embedding, /enough/);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(closed);
  });

  it('of different models, addresses or dimensions have different ids, without the key', () => {
    const ids = [
      embedder({ key: KEY }),
      embedder({ model: 'other' }),
      embedder({ dimensions: 32 }),
      embedder({ url: 'https://example.com/v1' }),
    ].map(({ id }) => id);
    assert.equal(new Set(ids).size, 4);
    assert.equal(ids[0], embedder().id);
    assert.ok(!ids.join().includes(KEY));
  });
});

function ended(response: ServerResponse, text: string): boolean {
  response.end(text);
  return true;
}

function product(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * b[index]!, 0);
}
