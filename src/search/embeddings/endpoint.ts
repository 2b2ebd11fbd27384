import { KaizenError } from '../../core/errors';
import type { Embedder } from '../model';
import { embeddingsAddress, shownAddress } from './endpoint-address';
import { readVectors, UnusableAnswer } from './endpoint-answer';
import { type Asking, ask, failed, Refused } from './endpoint-request';
import { prefixOf, type Use } from './prefixes';

export interface EndpointOptions {
  url: string;
  model: string;
  key?: string | undefined;
  dimensions?: number | undefined;
}

/** What tests make shorter. */
export interface EndpointPatience {
  timeout?: number;
  retries?: number;
  firstPause?: number;
}

/** One request holds at most so many texts and so many of their characters (about 15,000 tokens). */
const BATCH_TEXTS = 32;
const BATCH_CHARACTERS = 60_000;
const REQUESTS_AT_ONCE = 3;
/** About 2,000 tokens. What stands beyond it is not embedded; passages are far shorter. */
const LONGEST_TEXT = 8000;
/** A text that is refused is tried again at half its length down to this. */
const SHORTEST_TRY = 500;
/** Somebody waits for a question, and gets an answer by words when it takes longer. */
const QUERY_TIMEOUT_MS = 10_000;
/** Stands for a text that the server does not take. */
const NOTHING = new Float32Array(0);

/** Asks an OpenAI-compatible API: OpenAI, Ollama, LM Studio, llama.cpp and others. Throws `invalid_argument`. */
export function endpointEmbedder(
  { url, model, key, dimensions }: EndpointOptions,
  { timeout = 60_000, retries = 4, firstPause = 500 }: EndpointPatience = {},
): Embedder {
  if (model.trim() === '') throw new KaizenError('invalid_argument', 'The model for embeddings has no name.');
  const asking: Asking = { url: embeddingsAddress(url), key: key?.trim() || undefined, timeout, retries, firstPause };
  if (asking.key && !/^[\x21-\x7e]+$/.test(asking.key)) {
    throw new KaizenError('invalid_argument', 'The key for embeddings holds a character that no key has.');
  }
  return new EndpointEmbedder(asking, model.trim(), dimensions);
}

class EndpointEmbedder implements Embedder {
  readonly id: string;
  private readonly gone = new AbortController();
  /** Of the first answer: all others must have as many. */
  private length: number | undefined;

  constructor(
    private readonly asking: Asking,
    private readonly model: string,
    private readonly dimensions: number | undefined,
  ) {
    this.id = `endpoint/${model}@${shownAddress(asking.url)}#${dimensions ?? 'all'}`;
  }

  async embed(texts: readonly string[], { use, signal }: { use: Use; signal?: AbortSignal }): Promise<Float32Array[]> {
    const stop = new AbortController();
    const signals = AbortSignal.any([stop.signal, this.gone.signal, ...(signal ? [signal] : [])]);
    const prefix = prefixOf(this.model, use);
    const prepared = texts.map((text) => prefix + cut(text, LONGEST_TEXT));
    const batches = inBatches(prepared);
    const asking = use === 'query' ? this.impatient() : this.asking;
    const vectors: Float32Array[][] = [];
    let next = 0;
    const worker = async () => {
      for (let mine = next++; mine < batches.length; mine = next++) {
        vectors[mine] = await this.embedBatch(batches[mine]!, asking, signals);
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(REQUESTS_AT_ONCE, batches.length) }, worker));
    } catch (error) {
      // The others would go on for nobody.
      stop.abort(error);
      throw error;
    }
    return vectors.flat();
  }

  dispose(): void {
    this.gone.abort(new KaizenError('cancelled', 'The embedder was disposed of.'));
  }

  private impatient(): Asking {
    return { ...this.asking, retries: 0, timeout: Math.min(this.asking.timeout, QUERY_TIMEOUT_MS) };
  }

  /** Splits a batch that is refused, until only the texts are left out that the server does not take. */
  private async embedBatch(batch: readonly string[], asking: Asking, signal: AbortSignal): Promise<Float32Array[]> {
    try {
      return await this.request(batch, asking, signal);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await this.requireAnswer(error, asking, signal);
    }
    if (batch.length === 1) return [await this.embedShorter(batch[0]!, asking, signal)];
    const middle = Math.ceil(batch.length / 2);
    const first = await this.embedBatch(batch.slice(0, middle), asking, signal);
    return [...first, ...(await this.embedBatch(batch.slice(middle), asking, signal))];
  }

  /** A server that never answered refuses more than a text: a wrong model, a wrong number of dimensions. */
  private async requireAnswer(refusal: Refused, asking: Asking, signal: AbortSignal): Promise<void> {
    if (this.length !== undefined) return;
    try {
      await this.request(['text'], asking, signal);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      throw failed(this.asking, refusal.said, 'Check the name of the model and its dimensions.');
    }
  }

  private async embedShorter(text: string, asking: Asking, signal: AbortSignal): Promise<Float32Array> {
    for (let length = Math.floor(text.length / 2); length >= SHORTEST_TRY; length = Math.floor(length / 2)) {
      try {
        const [vector] = await this.request([cut(text, length)], asking, signal);
        return vector!;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
      }
    }
    return NOTHING;
  }

  private async request(input: readonly string[], asking: Asking, signal: AbortSignal): Promise<Float32Array[]> {
    const { model, dimensions } = this;
    const answer = await ask(asking, { model, input, ...(dimensions ? { dimensions } : {}) }, signal);
    try {
      const vectors = readVectors(answer, input.length);
      for (const { length } of vectors) this.checkLength(length);
      return vectors;
    } catch (error) {
      if (!(error instanceof UnusableAnswer)) throw error;
      throw failed(this.asking, `the answer cannot be used. ${error.message}`, 'Check the address and the model.');
    }
  }

  private checkLength(length: number): void {
    this.length ??= length;
    const wanted = this.dimensions ?? this.length;
    if (length !== wanted) throw new UnusableAnswer(`A vector has ${length} dimensions, not ${wanted}.`);
  }
}

/** Not through the middle of a surrogate pair. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

function inBatches(texts: readonly string[]): string[][] {
  const batches: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    if (!last || last.length >= BATCH_TEXTS || characters + text.length > BATCH_CHARACTERS) {
      batches.push([text]);
      characters = text.length;
    } else {
      last.push(text);
      characters += text.length;
    }
  }
  return batches;
}
