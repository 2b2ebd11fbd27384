import { setTimeout as sleep } from 'node:timers/promises';
import { errorSaid, isKaizenError } from '../../../core/errors';
import { type Sentence, sentence } from '../../../core/sentence';
import type { Connections } from '../../../postgres';
import {
  backgroundOf,
  byWordsOnly,
  createEmbedder,
  type Embedder,
  type EmbeddingOptions,
  type EmbeddingState,
  embeddedText,
  QueryVectors,
  standingOut,
} from '../../../search';
import { chunkPassage } from '../local/chunk-passages';
import type { ChunkFilter } from '../model';
import { MEANING_LIMITS } from './limits';
import { readPassages, type StoredPassage } from './ranking';
import * as tables from './vector-table';

const NO_PGVECTOR = sentence('the server has no pgvector, which keeps vectors.');
const STEPS = 2_000;

export interface MeaningSurroundings {
  connections: Connections;
  modelsDirectory: string;
  /** Tables may be made. */
  mayCreate: boolean;
  changed(): void;
  log(message: string): void;
}

/**
 * Search by meaning on the server, where it has pgvector. Vectors are made in the background by whoever has an embedder
 * and may write, and used by all who have the same one; each is kept by what was embedded, in a table of its embedder.
 */
export class Meaning {
  private embedder: Embedder | undefined;
  private queries: QueryVectors | undefined;
  private wanted: EmbeddingOptions = { provider: 'none' };
  private problem: Sentence | string | undefined;
  private schema: string | undefined;
  private table: tables.VectorTable | undefined;
  private counts = { done: 0, total: 0 };
  private stopping: AbortController | undefined;
  private working: Promise<void> = Promise.resolve();
  private waiting: AbortController | undefined;

  constructor(private readonly surroundings: MeaningSurroundings) {}

  get state(): EmbeddingState {
    if (this.wanted.provider === 'none') return { provider: 'none' };
    const problem = this.problem === undefined ? {} : { problem: this.problem };
    return { provider: this.wanted.provider, ...this.counts, ...problem };
  }

  use(options: EmbeddingOptions | undefined): void {
    this.stop();
    this.wanted = options ?? { provider: 'none' };
    try {
      this.embedder = createEmbedder(this.wanted, { modelsDirectory: this.surroundings.modelsDirectory });
    } catch (error) {
      this.problem = errorSaid(error);
    }
    const { embedder } = this;
    if (!embedder) return;
    this.queries = new QueryVectors(embedder, MEANING_LIMITS.spared, () => this.wake());
    const stopping = new AbortController();
    this.stopping = stopping;
    this.working = this.working.then(() => this.work(embedder, stopping.signal));
  }

  /** There are passages that may have no vector. */
  wake(): void {
    this.waiting?.abort();
  }

  /** Why it is searched by words alone, or not among all; undefined where it is among all, or nobody asked for it. */
  whyNot(): Sentence | undefined {
    if (this.wanted.provider === 'none') return undefined;
    const { done, total } = this.counts;
    if (!this.table || done === 0) {
      const reason =
        this.problem ?? (total === 0 ? undefined : sentence('vectors of {0} texts are still being made.', total));
      return byWordsOnly(reason ?? sentence('the library has not been looked at yet.'));
    }
    if (done >= total) return undefined;
    return sentence(
      'Searched by meaning among {0} of {1} texts: vectors of the others are still being made.',
      done,
      total,
    );
  }

  get isThere(): boolean {
    return this.table !== undefined && this.counts.done > 0;
  }

  /** Best first; scores as everywhere (docs/search.md). Throws as `Embedder.embed` and a call do. */
  async search(
    query: string,
    { limit, filter, signal }: { limit: number; filter: ChunkFilter; signal: AbortSignal | undefined },
  ): Promise<{ key: string; score: number }[]> {
    const { queries, table } = this;
    if (!queries || !table || query.trim() === '') return [];
    const vector = await queries.of(query, signal);
    if (vector.length !== table.dimensions) return [];
    const most = Math.max(MEANING_LIMITS.nearest, limit);
    const { near, some } = await this.surroundings.connections.call(
      async (session) => ({
        near: await tables.nearest(session, table, vector, filter, most),
        some: await tables.someSimilarities(session, table, vector),
      }),
      { signal, reads: true },
    );
    const histogram = new Uint32Array(STEPS);
    for (const similarity of some) {
      const step = Math.floor(((similarity + 1) / 2) * STEPS);
      histogram[Math.max(0, Math.min(STEPS - 1, step))]!++;
    }
    const background = backgroundOf(histogram, some.length);
    return near.slice(0, limit).map(({ key, similarity }) => ({ key, score: standingOut(similarity, background) }));
  }

  async close(): Promise<void> {
    this.stop();
    await this.working;
  }

  private stop(): void {
    this.stopping?.abort();
    this.wake();
    this.embedder?.dispose();
    this.embedder = undefined;
    this.queries = undefined;
    this.problem = undefined;
    this.table = undefined;
    this.counts = { done: 0, total: 0 };
  }

  private async work(embedder: Embedder, signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        const isDone = await this.makeSome(embedder, signal);
        if (signal.aborted) return;
        failures = 0;
        if (this.problem !== undefined) {
          this.problem = undefined;
          this.surroundings.changed();
        }
        if (isDone) await this.pause(MEANING_LIMITS.lookEvery, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.problem = error instanceof Unmakeable ? error.said : errorSaid(error);
        this.surroundings.changed();
        const { pauses } = MEANING_LIMITS;
        await this.pause(pauses[Math.min(failures++, pauses.length - 1)]!, signal);
      }
    }
  }

  private async pause(ms: number, signal: AbortSignal): Promise<void> {
    this.waiting = new AbortController();
    const either = AbortSignal.any([signal, this.waiting.signal]);
    await sleep(ms, undefined, { signal: either, ref: false }).catch(() => {});
    this.waiting = undefined;
  }

  /** The next vectors; true when none is missing. */
  private async makeSome(embedder: Embedder, signal: AbortSignal): Promise<boolean> {
    const { connections } = this.surroundings;
    await this.findTable(embedder);
    signal.throwIfAborted();
    if (!(await connections.call((session) => tables.mayAdd(session, this.table), { reads: true }))) {
      if (!this.table)
        throw new Unmakeable(sentence('there are no vectors of this model, and this role may not make them.'));
      await this.count(signal);
      return true;
    }
    const missing = await connections.call(
      async (session) => {
        const found = await tables.missingIn(session, this.table, MEANING_LIMITS.textsAtOnce);
        const passages = await readPassages(
          session,
          found.map(({ key }) => key),
        );
        const hashes = new Map(found.map(({ key, hash }) => [key, hash]));
        return passages.map((passage) => ({ text: textOf(passage), hash: hashes.get(passage.key)! }));
      },
      { signal, reads: true },
    );
    if (missing.length === 0) {
      await this.count(signal);
      return true;
    }
    if (this.counts.total === 0) await this.count(signal);
    const texts = missing.map(({ text }) => text);
    const vectors = await embedder.embed(texts, { use: 'passage', signal });
    signal.throwIfAborted();
    const dimensions = vectors.find(({ length }) => length > 0)?.length ?? this.table?.dimensions;
    if (dimensions === undefined) return true;
    await this.useDimensions(embedder, dimensions);
    const made = missing.map(({ hash }, index) => ({ hash, vector: vectors[index]! }));
    await connections.call((session) => tables.addVectors(session, this.table!, made), { signal });
    await this.count(signal);
    return false;
  }

  private async findTable(embedder: Embedder): Promise<void> {
    if (this.table) return;
    const { connections, mayCreate } = this.surroundings;
    this.schema ??= await connections.call(tables.findPgvector, { reads: true });
    if (this.schema === undefined) {
      const isAvailable = await connections.call(tables.hasPgvector, { reads: true });
      if (!isAvailable) throw new Unmakeable(NO_PGVECTOR);
      if (mayCreate) {
        await connections.call(tables.createPgvector, { patience: 30_000 }).catch((error) => {
          if (!isKaizenError(error) || error.code !== 'registry_refused') throw error;
          throw new Unmakeable(
            sentence('this role may not add pgvector to the database: CREATE EXTENSION vector does it.'),
          );
        });
      }
      this.schema = await connections.call(tables.findPgvector, { reads: true });
      if (this.schema === undefined) throw new Unmakeable(NO_PGVECTOR);
    }
    const { schema } = this;
    const table = await connections.call((session) => tables.findTable(session, schema, embedder.id), { reads: true });
    if (!table || this.embedder !== embedder) return;
    this.table = table;
    if (mayCreate) await connections.call((session) => tables.dropUnused(session, table)).catch(() => undefined);
  }

  private async useDimensions(embedder: Embedder, dimensions: number): Promise<void> {
    if (this.table?.dimensions === dimensions) return;
    const { schema } = this;
    this.table = await this.surroundings.connections.call(
      (session) => tables.makeTable(session, schema!, embedder.id, dimensions),
      { patience: 30_000 },
    );
  }

  private async count(signal: AbortSignal): Promise<void> {
    const { table } = this;
    const counts = await this.surroundings.connections.call((session) => tables.countVectors(session, table), {
      signal,
      reads: true,
    });
    signal.throwIfAborted();
    const isNew = counts.done !== this.counts.done || counts.total !== this.counts.total;
    this.counts = counts;
    if (isNew) this.surroundings.changed();
  }
}

/** What is missing on the server or of rights, in words for a person. */
class Unmakeable extends Error {
  override readonly name = 'Unmakeable';

  constructor(readonly said: Sentence) {
    super(String(said));
  }
}

function textOf({ record, content, document }: StoredPassage): string {
  return embeddedText(chunkPassage(record, content, document, '')).text;
}
