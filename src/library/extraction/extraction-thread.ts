import { Worker } from 'node:worker_threads';
import { type ErrorCode, KaizenError } from '../../core/errors';
import { joinInTurns } from '../../core/joining';
import { type Sentence, saidElsewhere, sentence } from '../../core/sentence';
import { Turns } from '../../core/turns';
import type { ChunkDraft, Extracted, NormalisedDocument } from '../model';
import { EXTRACTION_LIMITS } from './limits';
import type {
  ExtractionFailure,
  ExtractionInput,
  ExtractionMessage,
  ExtractionRequest,
  Extractor,
  PieceTaken,
  PlacedChunk,
} from './model';

type Limits = Record<'heap' | 'growth' | 'silence' | 'idle', number>;

export interface ThreadOptions {
  log(message: string): void;
  /** The thread's program; beside the bundle that this is in unless told. */
  script?: string | undefined;
  /** Other limits than `EXTRACTION_LIMITS`: for tests. */
  limits?: Partial<Limits> | undefined;
}

type Progress = (page: number, pages: number) => void;

interface Job {
  input: ExtractionInput;
  onProgress: Progress | undefined;
  resolve(extracted: Extracted): void;
  reject(error: unknown): void;
  /** What has come so far. */
  text: string[];
  chunks: PlacedChunk[];
}

const STUCK_HINT = sentence('Open it and print it to a new PDF, or save its text, and add that.');

/** The thread, and who waits for it: one source at a time, in order. */
export class ExtractionThread implements Extractor {
  private readonly waiting: Job[] = [];
  private running: { id: number; job: Job } | undefined;
  private worker: Worker | undefined;
  private ids = 0;
  private idling: NodeJS.Timeout | undefined;
  private silence: NodeJS.Timeout | undefined;
  private watching: NodeJS.Timeout | undefined;
  private isClosed = false;
  private readonly limits: Limits;

  constructor(private readonly options: ThreadOptions & { script: string }) {
    this.limits = { ...EXTRACTION_LIMITS, ...options.limits };
  }

  async extract(
    input: ExtractionInput,
    { signal, onProgress }: { signal?: AbortSignal | undefined; onProgress?: Progress | undefined } = {},
  ): Promise<Extracted> {
    signal?.throwIfAborted();
    if (this.isClosed) throw closed();
    if (this.waiting.length >= EXTRACTION_LIMITS.waiting) {
      const most = EXTRACTION_LIMITS.waiting.toLocaleString('en');
      throw new KaizenError(
        'invalid_argument',
        sentence('{0} sources are waiting to be read.', most),
        sentence('Add more once they were.'),
      );
    }
    return new Promise<Extracted>((resolve, reject) => {
      const job: Job = { input, onProgress, text: [], chunks: [], resolve, reject };
      const onAbort = () => this.cancel(job, signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      const done = () => signal?.removeEventListener('abort', onAbort);
      job.resolve = (extracted) => {
        done();
        resolve(extracted);
      };
      job.reject = (error) => {
        done();
        reject(error);
      };
      this.waiting.push(job);
      this.next();
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const job of this.waiting.splice(0)) job.reject(closed());
    this.running?.job.reject(closed());
    this.running = undefined;
    await this.end();
  }

  private cancel(job: Job, reason: unknown): void {
    const place = this.waiting.indexOf(job);
    if (place !== -1) this.waiting.splice(place, 1);
    job.reject(reason);
    if (this.running?.job !== job) return;
    // A parser does not listen while it parses: the thread ends, and another one is started for the next source.
    this.running = undefined;
    void this.end();
    this.next();
  }

  private next(): void {
    if (this.running || this.isClosed) return;
    const job = this.waiting.shift();
    if (!job) {
      this.rest();
      return;
    }
    clearTimeout(this.idling);
    const id = this.ids++;
    this.running = { id, job };
    void this.give(id, job);
  }

  private async give(id: number, job: Job): Promise<void> {
    try {
      // The thread gets bytes of its own, and the caller keeps its.
      const bytes = await joinInTurns([job.input.bytes], job.input.bytes.length, new Turns());
      if (this.running?.id !== id) return;
      this.worker ??= this.start();
      // Whoever waits for an answer keeps the process alive, the thread itself does not.
      this.worker.ref();
      this.listen();
      this.watchMemory(id);
      const request: ExtractionRequest = { id, input: { ...job.input, bytes } };
      this.worker.postMessage(request, [bytes.buffer]);
    } catch (error) {
      this.finish(id, (failed) => failed.reject(error));
    }
  }

  private start(): Worker {
    const worker = new Worker(this.options.script, {
      resourceLimits: { maxOldGenerationSizeMb: this.limits.heap },
      stdout: true,
      stderr: true,
      // What the process was started with is meant for the process.
      execArgv: [],
    });
    // What parsers print would end up in the middle of MCP on standard output.
    worker.stdout.resume();
    worker.stderr.resume();
    worker.on('message', (message: ExtractionMessage) => this.take(worker, message));
    worker.once('error', (error) => this.ended(worker, error));
    worker.once('exit', () => this.ended(worker));
    return worker;
  }

  private take(worker: Worker, message: ExtractionMessage): void {
    const { running } = this;
    if (worker !== this.worker || !running || running.id !== message.id) return;
    const { job, id } = running;
    this.listen();
    if ('progress' in message) job.onProgress?.(message.progress.page, message.progress.pages);
    else if ('text' in message) {
      job.text.push(message.text);
      this.askForNext(worker, id);
    } else if ('chunks' in message) {
      job.chunks.push(...message.chunks);
      this.askForNext(worker, id);
    } else if ('error' in message) {
      const error = errorOf(message.error, job.input.name);
      this.finish(id, (failed) => failed.reject(error));
    } else {
      const { document } = message;
      // Who was cancelled meanwhile has been told so, and another result is not heard.
      this.finish(id, (done) => void whole(done, document).then(done.resolve, done.reject));
    }
  }

  /** In the next round of the event loop, so that others have their turn. */
  private askForNext(worker: Worker, id: number): void {
    setImmediate(() => {
      const taken: PieceTaken = { taken: id };
      if (worker === this.worker) worker.postMessage(taken);
    });
  }

  private finish(id: number, settle: (job: Job) => void): void {
    if (this.running?.id !== id) return;
    const { job } = this.running;
    this.running = undefined;
    clearTimeout(this.silence);
    clearInterval(this.watching);
    settle(job);
    this.next();
  }

  /** The thread ended by itself: it had too little memory, or something in it threw. */
  private ended(worker: Worker, error?: Error): void {
    if (worker !== this.worker) return;
    this.worker = undefined;
    if (!this.running) return;
    const { id, job } = this.running;
    const isMemory = (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
    this.options.log(`Reading ${job.input.name} ended its thread: ${error?.message ?? 'it left'}.`);
    const refusal = isMemory
      ? tooHungry(job.input.name, this.limits.heap, error)
      : unreadable(job.input.name, sentence('cannot be read: reading it ended without a result'), STUCK_HINT, error);
    this.finish(id, (failed) => failed.reject(refusal));
  }

  /** What a compressed part of a source becomes is kept in buffers, of which the limits of a thread know nothing. */
  private watchMemory(id: number): void {
    const before = process.memoryUsage.rss();
    clearInterval(this.watching);
    this.watching = setInterval(() => {
      const { running } = this;
      const grown = (process.memoryUsage.rss() - before) / 1024 / 1024;
      if (running?.id !== id || grown <= this.limits.growth) return;
      void this.end();
      const refusal = tooHungry(running.job.input.name, this.limits.growth);
      this.finish(id, (failed) => failed.reject(refusal));
    }, EXTRACTION_LIMITS.growthLookedAt);
    this.watching.unref();
  }

  /** Each word from the thread gives it the full time again. */
  private listen(): void {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      const { running } = this;
      if (!running) return;
      void this.end();
      const seconds = Math.round(this.limits.silence / 1_000);
      const error = unreadable(
        running.job.input.name,
        sentence('cannot be read: reading it got stuck for {0} s', seconds),
        STUCK_HINT,
      );
      this.finish(running.id, (failed) => failed.reject(error));
    }, this.limits.silence);
  }

  private rest(): void {
    if (!this.worker) return;
    this.worker.unref();
    clearTimeout(this.idling);
    this.idling = setTimeout(() => void this.end(), this.limits.idle);
    this.idling.unref();
  }

  private async end(): Promise<void> {
    clearTimeout(this.idling);
    clearTimeout(this.silence);
    clearInterval(this.watching);
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }
}

async function whole({ text: parts, chunks: placed }: Job, rest: Omit<NormalisedDocument, 'text'>): Promise<Extracted> {
  const text = parts.join('');
  const chunks: ChunkDraft[] = [];
  const turns = new Turns();
  for (const chunk of placed) {
    chunks.push({ ...chunk, content: text.slice(chunk.char_start, chunk.char_end) });
    await turns.pause();
  }
  return { document: { ...rest, text }, chunks };
}

function errorOf({ code, said }: ExtractionFailure, name: string): KaizenError {
  const [message, hint] = said.map(saidElsewhere) as [Sentence | string, (Sentence | string)?];
  if (code !== '') return new KaizenError(code as ErrorCode, message, hint);
  return unreadable(name, sentence('cannot be read: {0}', String(message).replace(/\.$/, '')), STUCK_HINT);
}

function tooHungry(name: string, most: number, cause?: unknown): KaizenError {
  return unreadable(
    name,
    sentence('needs more than {0} MB of memory to be read', most.toLocaleString('en')),
    STUCK_HINT,
    cause,
  );
}

function unreadable(name: string, because: Sentence, hint: Sentence, cause?: unknown): KaizenError {
  return new KaizenError('unreadable_source', sentence('{0} {1}.', name, because), hint, { cause });
}

function closed(): KaizenError {
  return new KaizenError('cancelled', sentence('The library was closed.'));
}
