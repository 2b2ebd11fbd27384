import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { errorSaid, KaizenError } from '../../../core/errors';
import { type Sentence, sentence } from '../../../core/sentence';
import { LAYOUT } from './model-files';
import type { WorkerAnswer, WorkerQuestion, WorkerTask } from './worker-messages';

/** As much of transformers.js as is used here. */
interface Library {
  env: {
    allowRemoteModels: boolean;
    allowLocalModels: boolean;
    localModelPath: string;
    useWasmCache: boolean;
    fetch: (address: string | URL) => Promise<Response>;
    backends: { onnx: { wasm?: { numThreads: number; wasmBinary: Uint8Array; wasmPaths: { mjs: string } } } };
  };
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: { dtype: 'q8'; device: 'wasm' },
  ): Promise<(texts: string[], options: { pooling: 'mean'; normalize: true }) => Promise<Tensor>>;
}

interface Tensor {
  dims: readonly number[];
  data: Float32Array;
}

const { directory, checksums } = workerData as WorkerTask;
const MODEL = 'local';
const MODELS = '/models/';

function faulty(said: Sentence): KaizenError {
  return new KaizenError('embedding_failed', said);
}

/** Each file is checked each time that it is loaded; what is not in the list is not there. */
function readChecked(name: string): Buffer {
  const expected = checksums[name];
  if (expected === undefined) throw faulty(sentence('{0} is not part of the model.', name));
  const bytes = readFileSync(path.join(directory, name));
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== expected) throw faulty(sentence('{0} is damaged.', name));
  return bytes;
}

/** Serves the library the files of the model, and no network. */
async function readModelFile(address: string | URL): Promise<Response> {
  const prefix = `${MODELS}${MODEL}/`;
  const name = String(address);
  const file = `${LAYOUT.model}/${name.slice(prefix.length)}`;
  if (!name.startsWith(prefix) || checksums[file] === undefined) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(readChecked(file)));
}

async function load() {
  for (const name of Object.keys(checksums)) if (!name.startsWith(`${LAYOUT.model}/`)) readChecked(name);
  // The build for browsers has no native parts; it takes this thread for a browser's unless the process says that it is Node.
  Object.defineProperty(process, 'release', { value: { ...process.release, name: 'worker' } });
  const { env, pipeline } = (await import(urlOf(LAYOUT.library))) as Library;
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = MODELS;
  env.useWasmCache = false;
  env.fetch = readModelFile;
  const { wasm } = env.backends.onnx;
  if (wasm) {
    wasm.numThreads = 1;
    wasm.wasmBinary = readChecked(LAYOUT.wasm);
    wasm.wasmPaths = { mjs: urlOf(LAYOUT.loader) };
  }
  return pipeline('feature-extraction', MODEL, { dtype: 'q8', device: 'wasm' });
}

function urlOf(name: string): string {
  return pathToFileURL(path.join(directory, name)).href;
}

const loading = load();
// Told with the answer to the first question.
loading.catch(() => {});

async function answer({ number, texts }: WorkerQuestion): Promise<WorkerAnswer> {
  try {
    const extract = await loading;
    const { dims, data } = await extract([...texts], { pooling: 'mean', normalize: true });
    const length = dims.at(-1)!;
    const vectors = texts.map((_, index) => data.slice(index * length, (index + 1) * length));
    return { number, vectors };
  } catch (error) {
    return { number, fault: errorSaid(error) };
  }
}

parentPort?.on('message', async (question: WorkerQuestion) => parentPort?.postMessage(await answer(question)));
