import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { within } from '../../core/within';
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
/** Somebody waits for the vector of a question, and gets an answer by words when it takes longer. */
const QUERY_TIMEOUT_MS = 10_000;
/** Stands for a text that the server does not take. */
const NOTHING = new Float32Array(0);

/** Asks an OpenAI-compatible API: OpenAI, Ollama, LM Studio, llama.cpp and others. Throws `invalid_argument`. */
export function endpointEmbedder(
  { url, model, key, dimensions }: EndpointOptions,
  { timeout = 60_000, retries = 4, firstPause = 500 }: EndpointPatience = {},
): Embedder {
  if (model.trim() === '') throw new KaizenError('invalid_argument', sentence('The model for embeddings has no name.'));
  const asking: Asking = { url: embeddingsAddress(url), key: key?.trim() || undefined, timeout, retries, firstPause };
  if (asking.key && !/^[\x21-\x7e]+$/.test(asking.key)) {
    throw new KaizenError('invalid_argument', sentence('The key for embeddings holds a character that no key has.'));
  }
  return new EndpointEmbedder(asking, model.trim(), dimensions);
}

/** One call of `embed`. */
interface Call {
  readonly asking: Asking;
  readonly signal: AbortSignal;
  /** Whether the server took any text of it. */
  answered: boolean;
  /** Of its vectors. */
  length?: number;
}

class EndpointEmbedder implements Embedder {
  readonly id: string;
  private readonly gone = new AbortController();
  /** Of the vectors of the answers so far. */
  private length: number | undefined;
  private exchanged = false;

  constructor(
    private readonly asking: Asking,
    private readonly model: string,
    private readonly dimensions: number | undefined,
  ) {
    this.id = `endpoint/${model}@${shownAddress(asking.url)}#${dimensions ?? 'all'}`;
  }

  async embed(texts: readonly string[], { use, signal }: { use: Use; signal?: AbortSignal }): Promise<Float32Array[]> {
    const prefix = prefixOf(this.model, use);
    const batches = inBatches(texts.map((text) => prefix + cut(text, LONGEST_TEXT)));
    const isQuery = use === 'query';
    const asking = isQuery ? { ...this.asking, retries: 0 } : this.asking;
    const milliseconds = isQuery ? Math.min(asking.timeout, QUERY_TIMEOUT_MS) : undefined;
    const late = () =>
      failed(
        asking,
        sentence('no answer within {0} seconds.', milliseconds! / 1000),
        sentence('It is tried again later.'),
      );
    const signals = [this.gone.signal, signal];
    // With the first failure all ends: the other requests would go on for nobody.
    return within({ milliseconds, late, signals }, async (ending) => {
      const call: Call = { asking, signal: ending, answered: false };
      const vectors: Float32Array[][] = [];
      let next = 0;
      const worker = async () => {
        for (let mine = next++; mine < batches.length; mine = next++) {
          vectors[mine] = await this.embedBatch(batches[mine]!, call);
        }
      };
      await Promise.all(Array.from({ length: Math.min(REQUESTS_AT_ONCE, batches.length) }, worker));
      return vectors.flat();
    });
  }

  dispose(): void {
    this.gone.abort(new KaizenError('cancelled', sentence('The embedder was disposed of.')));
  }

  /** Splits a batch that is refused, until only the texts are left out that the server does not take. */
  private async embedBatch(batch: readonly string[], call: Call): Promise<Float32Array[]> {
    try {
      return await this.request(batch, call);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await this.requireAnswer(error, call);
    }
    if (batch.length === 1) return [await this.embedShorter(batch[0]!, call)];
    const middle = Math.ceil(batch.length / 2);
    const first = await this.embedBatch(batch.slice(0, middle), call);
    return [...first, ...(await this.embedBatch(batch.slice(middle), call))];
  }

  /** A server that takes no text at all refuses more than a text: a wrong model, a wrong number of dimensions. */
  private async requireAnswer(refusal: Refused, call: Call): Promise<void> {
    if (call.answered) return;
    try {
      await this.request(['text'], call);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      throw failed(this.asking, refusal.said, sentence('Check the name of the model and its dimensions.'));
    }
  }

  private async embedShorter(text: string, call: Call): Promise<Float32Array> {
    for (let length = Math.floor(text.length / 2); length >= SHORTEST_TRY; length = Math.floor(length / 2)) {
      try {
        const [vector] = await this.request([cut(text, length)], call);
        return vector!;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
      }
    }
    return NOTHING;
  }

  private async request(input: readonly string[], call: Call): Promise<Float32Array[]> {
    const { model, dimensions } = this;
    const answer = await ask(call.asking, { model, input, ...(dimensions ? { dimensions } : {}) }, call.signal);
    try {
      const vectors = await readVectors(answer, input.length, call.signal);
      for (const { length } of vectors) this.checkLength(length, call);
      call.answered = true;
      return vectors;
    } catch (error) {
      if (!(error instanceof UnusableAnswer)) throw error;
      throw failed(
        this.asking,
        sentence('the answer cannot be used. {0}', error.said),
        sentence('Check the address and the model.'),
      );
    }
  }

  /**
   * Another length than before is told; the next call takes the model as it is then. Only once: with a server that goes
   * back and forth between two, all texts would be embedded again and again.
   */
  private checkLength(length: number, call: Call): void {
    const wanted = this.dimensions ?? call.length ?? this.length ?? length;
    call.length = length;
    if (length === wanted || !this.exchanged) this.length = length;
    if (length === wanted) return;
    this.exchanged = true;
    throw new UnusableAnswer(sentence('A vector has {0} dimensions, not {1}.', length, wanted));
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
