import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const DIMENSIONS = 64;
/** Words that mean the same have one place in the vectors. */
const MEANINGS = [
  ['rollback', 'undo', 'revert', 'back'],
  ['car', 'vehicle', 'automobile'],
  ['login', 'authentication'],
];

export interface Asked {
  path: string;
  headers: IncomingHttpHeaders;
  model: string;
  input: string[];
  dimensions?: number;
}

/** An OpenAI-compatible server of embeddings on this machine, whose model knows a few synonyms. */
export class EmbeddingServer {
  /** All questions that were well formed, in order. */
  readonly asked: Asked[] = [];
  /** Answers instead of the model: returns true when it has answered. */
  misbehave: (asked: Asked, response: ServerResponse) => boolean | Promise<boolean> = () => false;
  /** Floats in base64 instead of numbers. */
  base64 = false;
  dimensions = DIMENSIONS;
  /** Questions under way at once, at most. */
  atOnce = 0;
  private underWay = 0;
  private readonly server = createServer((request, response) => void this.answer(request, response));

  async start(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  /** The base address. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** All texts that were sent. */
  get texts(): string[] {
    return this.asked.flatMap(({ input }) => input);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.atOnce = Math.max(this.atOnce, ++this.underWay);
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Omit<Asked, 'path' | 'headers'>;
      const asked = { ...body, path: request.url ?? '', headers: request.headers };
      this.asked.push(asked);
      if (await this.misbehave(asked, response)) return;
      const data = asked.input.map((text, index) => ({ index, embedding: this.embedding(text) }));
      // In any order: they carry their numbers.
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: data.reverse() }));
    } finally {
      this.underWay--;
    }
  }

  private embedding(text: string): number[] | string {
    const vector = vectorOf(text, this.dimensions);
    return this.base64 ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector;
  }
}

/** The same for texts of the same words, near for texts that share words or synonyms. Not normalised. */
export function vectorOf(text: string, dimensions = DIMENSIONS): number[] {
  const vector = new Array<number>(dimensions).fill(0.02);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const meaning = MEANINGS.find((words) => words.includes(word))?.[0] ?? word;
    for (let spin = 0; spin < 4; spin++) {
      let hash = 2166136261 + spin * 97;
      for (let i = 0; i < meaning.length; i++) hash = Math.imul(hash ^ meaning.charCodeAt(i), 16777619);
      vector[(hash >>> 8) % dimensions]! += hash & 1 ? 1 : -1;
    }
  }
  return vector;
}
