import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { KaizenError } from '../../../core/errors';
import { type Sentence, saidElsewhere, sentence } from '../../../core/sentence';
import { within } from '../../../core/within';
import type { Embedder } from '../../model';
import { isInstalled } from './install';
import { checksumsOf, MINI_LM, type ModelManifest } from './model-files';
import type { WorkerAnswer, WorkerQuestion, WorkerTask } from './worker-messages';

export interface LocalOptions {
  modelsDirectory: string;
  /** all-MiniLM-L6-v2 unless told. */
  manifest?: ModelManifest;
  /** The thread ends when it was not needed for so long; five minutes unless told. */
  idle?: number;
  /** The bundle of worker.ts; beside this one unless told. */
  script?: string;
}

/** The model makes vectors of so many texts in some 100 ms; a question in between waits no longer. */
const BATCH = 8;
const IDLE_MS = 5 * 60_000;
/** About 256 tokens, which is all that the model was trained to look at, with room for other languages. */
const LONGEST_TEXT = 2000;

/** Runs the installed model in a thread of its own. Throws `embedding_failed` when it is not installed. */
export function localEmbedder({
  modelsDirectory,
  manifest = MINI_LM,
  idle = IDLE_MS,
  script = path.join(__dirname, 'embedding-worker.js'),
}: LocalOptions): Embedder {
  if (!isInstalled(manifest, modelsDirectory)) throw failed(sentence('it is not installed.'));
  return new LocalEmbedder(path.join(modelsDirectory, manifest.directory), manifest, idle, script);
}

interface Waiting {
  resolve(vectors: Float32Array[]): void;
  reject(error: Error): void;
}

class LocalEmbedder implements Embedder {
  readonly id: string;
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private idling: NodeJS.Timeout | undefined;
  private numbers = 0;
  private disposed = false;

  constructor(
    private readonly directory: string,
    private readonly manifest: ModelManifest,
    private readonly idle: number,
    private readonly script: string,
  ) {
    this.id = `local/${manifest.directory}#${manifest.dimensions}`;
  }

  async embed(texts: readonly string[], { signal }: { signal?: AbortSignal }): Promise<Float32Array[]> {
    const vectors = await within({ signals: [signal] }, async (ending) => {
      const made: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += BATCH) {
        ending.throwIfAborted();
        const batch = texts.slice(start, start + BATCH).map((text) => text.slice(0, LONGEST_TEXT));
        made.push(...(await this.ask(batch, ending)));
      }
      return made;
    });
    const { dimensions } = this.manifest;
    if (vectors.some(({ length }) => length !== dimensions)) throw failed(sentence('its answer is of another length.'));
    return vectors;
  }

  dispose(): void {
    this.disposed = true;
    this.end(new KaizenError('cancelled', sentence('The embedder was disposed of.')));
  }

  /** Once the signal ends, nobody waits any more; the thread makes these vectors for nobody. */
  private ask(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    if (this.disposed) throw new KaizenError('cancelled', sentence('The embedder was disposed of.'));
    clearTimeout(this.idling);
    const number = this.numbers++;
    return new Promise<Float32Array[]>((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      signal.addEventListener('abort', () => {
        this.waiting.delete(number);
        reject(signal.reason);
      });
      try {
        this.worker ??= this.start();
        // Whoever waits for an answer keeps the process alive, the thread itself does not.
        this.worker.ref();
        this.worker.postMessage({ number, texts } satisfies WorkerQuestion);
      } catch (error) {
        this.waiting.delete(number);
        reject(failed(sentence('its thread does not start.'), error));
      }
    });
  }

  private start(): Worker {
    const task: WorkerTask = { directory: this.directory, checksums: checksumsOf(this.manifest) };
    const worker = new Worker(this.script, { workerData: task, stdout: true });
    // What the library prints would end up in the middle of MCP on standard output.
    worker.stdout.resume();
    worker.on('message', (answer: WorkerAnswer) => this.take(answer));
    worker.once('error', (error) => this.end(failed(sentence('its thread ended: {0}.', error.message), error), worker));
    worker.once('exit', (code) => this.end(failed(sentence('its thread ended with code {0}.', code)), worker));
    return worker;
  }

  private take(answer: WorkerAnswer): void {
    const waiting = this.waiting.get(answer.number);
    this.waiting.delete(answer.number);
    if ('vectors' in answer) waiting?.resolve(answer.vectors);
    else {
      const fault = saidElsewhere(answer.fault);
      waiting?.reject(failed(fault));
      // What could not be loaded is loaded anew the next time.
      this.end(failed(fault));
    }
    if (this.waiting.size > 0 || !this.worker) return;
    this.worker.unref();
    this.idling = setTimeout(() => this.end(failed(sentence('it was ended.'))), this.idle);
    this.idling.unref();
  }

  /** Ends the thread, or takes note of the end of one. */
  private end(error: KaizenError, worker = this.worker): void {
    if (worker !== this.worker) return;
    clearTimeout(this.idling);
    this.worker = undefined;
    void worker?.terminate();
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

function failed(why: Sentence | string, cause?: unknown): KaizenError {
  const hint = sentence('Install the local model again, or take another provider of embeddings.');
  return new KaizenError('embedding_failed', sentence('The local model makes no embeddings: {0}', why), hint, {
    cause,
  });
}
