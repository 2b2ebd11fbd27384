import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Disposable } from '../../../core/disposable';
import { errorSaid } from '../../../core/errors';
import { libraryUri } from '../../../core/knowledge-uri';
import { realPath } from '../../../core/locations';
import { inOneLine, type Sentence, sentence } from '../../../core/sentence';
import { Turns } from '../../../core/turns';
import {
  createEmbedder,
  createSearchIndex,
  createSemanticIndex,
  type EmbeddingOptions,
  type EmbeddingState,
  HybridSearch,
  Passages,
  SegmentCache,
} from '../../../search';
import { chosenOf } from '../choosing';
import { KEEPING_LIMITS } from '../limits';
import type { ChunkAnswer, ChunkFilter, KeeperSurroundings, LibraryKeeper } from '../model';
import * as catalogue from './catalogue';
import type { DocumentReading } from './document-reading';
import type { DocumentStore } from './document-store';
import { ChunkIndexing } from './indexing';
import { LOCAL_LIMITS } from './limits';
import { documentOf, isNormative, parsePassageUri } from './passage-uri';

const SEGMENTS = 'library-segments';

export interface ChunkSearchOptions {
  place: string;
  store: DocumentStore;
  reading: DocumentReading;
  surroundings: KeeperSurroundings;
  /** The index or the embeddings have come further. */
  onProgress(): void;
}

/** The index of a library in a directory, by words and by meaning: kept up to date, and searched. */
export class ChunkSearch {
  private readonly index = createSearchIndex();
  private readonly semantic;
  private readonly passages: Passages;
  private readonly hybrid: HybridSearch;
  private readonly indexing: ChunkIndexing;
  private readonly listening: Disposable;
  private embeddingOptions: EmbeddingOptions;
  /** Why the embedder that was asked for could not be made. */
  private embeddingProblem: Sentence | string | undefined;

  constructor(private readonly options: ChunkSearchOptions) {
    const { place, store, reading, surroundings, onProgress } = options;
    const { cacheDirectory, embeddingsDirectory, embeddings, log } = surroundings;
    this.semantic = createSemanticIndex({ cacheDirectory: embeddingsDirectory, log });
    const cache = cacheDirectory === undefined ? undefined : new SegmentCache(join(cacheDirectory, SEGMENTS), log);
    void cache?.tidy();
    this.passages = new Passages(this.index, this.semantic, cache, ({ uri }) => reading.textOf(uri));
    this.hybrid = new HybridSearch(this.index, this.semantic, () => this.embeddingProblem);
    this.indexing = new ChunkIndexing({
      passages: this.passages,
      name: `library:${createHash('sha256').update(realPath(place)).digest('hex').slice(0, 16)}`,
      shelfmarks: (turns) => catalogue.allShelfmarks(() => store.reader(), turns),
      shelfmark: (id) => catalogue.shelfmark(store.reader(), id),
      content: (id, turns) => reading.indexable(id, turns),
      textOf: (uri) => reading.textOf(uri),
      onProgress,
      log,
    });
    this.embeddingOptions = embeddings ?? { provider: 'none' };
    this.listening = this.semantic.onDidChange(onProgress);
    this.embed();
  }

  get embeddings(): EmbeddingState {
    if (this.embeddingProblem === undefined) return this.semantic.state;
    return { provider: this.embeddingOptions.provider, done: 0, total: 0, problem: this.embeddingProblem };
  }

  /** See `LibraryKeeper.indexed`. */
  get indexed(): number | undefined {
    return this.indexing.isSettled ? undefined : this.index.size;
  }

  /** The store is open. */
  start(): void {
    this.indexing.start();
  }

  /** Documents that are others now, or all of them. */
  note(documentIds: readonly string[] | undefined): void {
    this.indexing.note(documentIds);
  }

  /** The document of an indexed chunk; see `ChunkIndexing.documentWith`. */
  documentWith(chunkId: string, turns: Turns): Promise<string | undefined> {
    return this.indexing.documentWith(chunkId, turns);
  }

  /** Waits until everything is indexed or the time is over. True when it is. */
  settled(ms: number, signal?: AbortSignal): Promise<boolean> {
    return this.indexing.settled(ms, signal);
  }

  async search(
    query: string,
    { limit, filter = {}, choose, signal }: Parameters<LibraryKeeper['search']>[1],
  ): Promise<ChunkAnswer> {
    const { store, reading } = this.options;
    await store.look();
    await this.indexing.settled(LOCAL_LIMITS.patience, signal);
    const turns = new Turns(signal);
    const chosen = await reading.rows.chosen(filter, turns);
    if (chosen?.size === 0) return { hits: [], total: 0 };
    const type = this.hybrid.isSetUp ? 'hybrid' : 'keyword';
    const { hits, total, note } = await this.hybrid.find(query, type, {
      limit: Math.min(limit, KEEPING_LIMITS.hits),
      ...narrowing(chosen, filter),
      admit: (uris) => uris,
      signal,
    });
    const remarks = [this.whyNotAll(), note].filter((remark) => remark !== undefined);
    return {
      hits: await reading.withChunks(chosenOf(hits, addressOf, choose), turns),
      total,
      ...(remarks.length > 0 ? { message: inOneLine(remarks) } : {}),
    };
  }

  useEmbeddings(options: EmbeddingOptions | undefined): void {
    this.embeddingOptions = options ?? { provider: 'none' };
    this.embed();
    if (this.options.store.isOpen) this.indexing.note(undefined);
    this.options.onProgress();
  }

  /** Puts on the disk what is not there yet, and stops. The store is still open. */
  async close(): Promise<void> {
    this.listening.dispose();
    await this.indexing.close();
    await this.semantic.close();
  }

  private embed(): void {
    this.embeddingProblem = undefined;
    let embedder: ReturnType<typeof createEmbedder>;
    try {
      embedder = createEmbedder(this.embeddingOptions, {
        modelsDirectory: this.options.surroundings.modelsDirectory,
      });
    } catch (error) {
      this.embeddingProblem = errorSaid(error);
    }
    this.passages.embed(embedder !== undefined);
    this.semantic.use(embedder);
  }

  private whyNotAll(): Sentence | undefined {
    if (this.indexing.isSettled) return undefined;
    const { chunks } = catalogue.count(this.options.store.reader());
    return sentence(
      'The index is still being read: {0} of {1} passages were searched.',
      Math.min(this.index.size, chunks),
      chunks,
    );
  }
}

function addressOf({ uri }: { uri: string }): string {
  const { document_id, chunk_id } = parsePassageUri(uri);
  return libraryUri(document_id, chunk_id);
}

function narrowing(chosen: ReadonlySet<string> | undefined, { normative_only = false }: ChunkFilter) {
  if (!chosen && !normative_only) return {};
  return {
    filter: { ...(chosen ? { space: [...chosen] } : {}), ...(normative_only ? { status: ['normative'] } : {}) },
    near: (uri: string) => (chosen?.has(documentOf(uri)) ?? true) && (!normative_only || isNormative(uri)),
  };
}
