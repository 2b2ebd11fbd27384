import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Disposable } from '../../../core/disposable';
import { describeError, KaizenError } from '../../../core/errors';
import { libraryUri } from '../../../core/knowledge-uri';
import { realPath } from '../../../core/locations';
import { Turns } from '../../../core/turns';
import {
  createEmbedder,
  createSearchIndex,
  createSemanticIndex,
  type EmbeddingOptions,
  type EmbeddingState,
  embeddedText,
  HybridSearch,
  Passages,
  SegmentCache,
} from '../../../search';
import { type Reader, Store } from '../../../store';
import type { DocumentMetadata, DocumentRequest, KnowledgeChunk } from '../../model';
import { checkContent, checkedDocument, checkedRequest } from '../checks';
import { chosenOf } from '../choosing';
import { chunkOf } from '../chunk-record';
import { KEEPING_LIMITS } from '../limits';
import type {
  ChunkAnswer,
  ChunkFilter,
  ChunkHit,
  DocumentContent,
  KeeperChange,
  KeeperCounts,
  KeeperSurroundings,
  LibraryKeeper,
} from '../model';
import * as catalogue from './catalogue';
import { headingsOf } from './chunk-passages';
import { ContentFiles } from './content-files';
import { ChunkIndexing, type Indexable } from './indexing';
import { KeptRows } from './kept-rows';
import { LOCAL_LIMITS } from './limits';
import { documentOf, isNormative, parsePassageUri } from './passage-uri';
import { librarySchema } from './schema';

const CONTENT = 'content';
const SEGMENTS = 'library-segments';

/** A library in a directory. Throws `store_*`. */
export async function openDirectory(directory: string, surroundings: KeeperSurroundings): Promise<LibraryKeeper> {
  const keeper = new DirectoryKeeper(directory, surroundings);
  try {
    await keeper.open();
  } catch (error) {
    await keeper.close();
    throw error;
  }
  return keeper;
}

/**
 * Metadata and document requests are in a store; what a document says is in a file of its own, written before the store
 * names it and deleted once the store does not any more. So a process may end at any moment: what is left over then is
 * an orphan, and is deleted when somebody opens the library. In memory there is the index alone.
 */
class DirectoryKeeper implements LibraryKeeper {
  readonly kind = 'directory';
  private store: Store | undefined;
  private opening: Promise<Store | undefined> | undefined;
  private embeddingOptions: EmbeddingOptions;
  /** Why the embedder that was asked for could not be made. */
  private embeddingProblem: string | undefined;
  private readonly contents: ContentFiles;
  private readonly rows = new KeptRows(() => this.reader());
  private readonly index = createSearchIndex();
  private readonly semantic;
  private readonly passages: Passages;
  private readonly hybrid: HybridSearch;
  private readonly indexing: ChunkIndexing;
  private readonly listeners = new Set<(change: KeeperChange) => void>();
  private readonly progressListeners = new Set<() => void>();
  private readonly listening: Disposable[] = [];
  private tidying: Promise<void> | undefined;
  private isClosed = false;

  constructor(
    readonly place: string,
    private readonly surroundings: KeeperSurroundings,
  ) {
    const { cacheDirectory, embeddingsDirectory, embeddings, log } = surroundings;
    this.contents = new ContentFiles(join(place, CONTENT));
    this.semantic = createSemanticIndex({ cacheDirectory: embeddingsDirectory, log });
    const cache = cacheDirectory === undefined ? undefined : new SegmentCache(join(cacheDirectory, SEGMENTS), log);
    void cache?.tidy();
    this.passages = new Passages(this.index, this.semantic, cache, ({ uri }) => this.textOf(uri));
    this.hybrid = new HybridSearch(this.index, this.semantic, () => this.embeddingProblem);
    this.indexing = new ChunkIndexing({
      passages: this.passages,
      name: `library:${createHash('sha256').update(realPath(place)).digest('hex').slice(0, 16)}`,
      shelfmarks: (turns) => catalogue.allShelfmarks(() => this.reader(), turns),
      shelfmark: (id) => catalogue.shelfmark(this.reader(), id),
      content: (id, turns) => this.indexable(id, turns),
      textOf: (uri) => this.textOf(uri),
      onProgress: () => this.progressed(),
      log,
    });
    this.embeddingOptions = embeddings ?? { provider: 'none' };
    this.listening.push(this.semantic.onDidChange(() => this.progressed()));
    this.embed();
  }

  async open(): Promise<void> {
    await this.opened();
  }

  get embeddings(): EmbeddingState {
    if (this.embeddingProblem === undefined) return this.semantic.state;
    return { provider: this.embeddingOptions.provider, done: 0, total: 0, problem: this.embeddingProblem };
  }

  get indexed(): number | undefined {
    return this.store === undefined || this.indexing.isSettled ? undefined : this.index.size;
  }

  async ready(ms: number, signal?: AbortSignal): Promise<boolean> {
    if (!(await this.opened())) return true;
    await this.look();
    return this.indexing.settled(ms, signal);
  }

  async counts(): Promise<KeeperCounts> {
    const store = await this.opened();
    if (!store) return { documents: 0, chunks: 0, tokens: 0, size: 0 };
    const { size, ...counts } = catalogue.count(store.read());
    return { ...counts, size: size + this.sizeOfStore() };
  }

  async documents(): Promise<DocumentMetadata[]> {
    if (!(await this.opened())) return [];
    return catalogue.allDocuments(() => this.reader(), new Turns());
  }

  async document(documentId: string): Promise<DocumentMetadata | undefined> {
    const store = await this.opened();
    return store && catalogue.shelved(store.read(), documentId)?.document;
  }

  async documentWithHash(contentHash: string): Promise<DocumentMetadata | undefined> {
    const store = await this.opened();
    return store && catalogue.documentWithHash(store.read(), contentHash);
  }

  async content(documentId: string): Promise<DocumentContent | undefined> {
    const turns = new Turns();
    return this.reading(documentId, ({ document, content }) => this.contents.content(content, document, turns));
  }

  async text(documentId: string): Promise<string | undefined> {
    const turns = new Turns();
    return this.reading(documentId, ({ content }) => this.contents.text(content, turns));
  }

  async chunk(documentId: string, chunkId: string): Promise<KnowledgeChunk | undefined> {
    const found = await this.reading(documentId, async ({ document, content }) => {
      const chunk = this.contents.chunk(content, chunkId);
      if (chunk) return chunkOf(chunk.record, chunk.content, document);
      return this.contents.has(content.file) ? NOTHING : undefined;
    });
    return found === NOTHING ? undefined : found;
  }

  async documentOf(chunkId: string): Promise<string | undefined> {
    if (!(await this.opened())) return undefined;
    const turns = new Turns();
    for (const { document_id, chunks } of await catalogue.allShelfmarks(() => this.reader(), turns)) {
      if (chunks > 0 && (await this.chunk(document_id, chunkId))) return document_id;
      await turns.pause();
    }
    return undefined;
  }

  async put(document: DocumentMetadata, content?: DocumentContent, expected?: string | null): Promise<void> {
    const { document_id } = document;
    const metadata = checkedDocument(document);
    const turns = new Turns();
    if (content) await checkContent(content, document_id, turns);
    const store = await this.writable();
    const written = content && (await this.contents.write(document_id, content, turns));
    const file = written && {
      ...written,
      chunks: content.chunks.length,
      tokens: content.chunks.reduce((sum, { token_count }) => sum + token_count, 0),
    };
    let old: string | undefined;
    try {
      old = await store.write((transaction) => {
        if (file && !this.contents.has(file.file)) {
          throw new KaizenError('store_io', `The file ${file.file} is gone before it was used.`, 'Try again.');
        }
        return catalogue.shelve(transaction, { document, metadata }, file, expected);
      });
    } catch (error) {
      if (file) await this.contents.remove(file.file);
      throw error;
    }
    this.indexing.note([document_id]);
    if (old !== undefined) await this.contents.remove(old);
  }

  async remove(documentIds: readonly string[]): Promise<void> {
    if (documentIds.length === 0 || !(await this.opened())) return;
    const store = await this.writable();
    const files = await store.write((transaction) => catalogue.unshelve(transaction, documentIds));
    this.indexing.note(documentIds);
    for (const file of files) await this.contents.remove(file);
  }

  async search(
    query: string,
    { limit, filter = {}, choose, signal }: Parameters<LibraryKeeper['search']>[1],
  ): Promise<ChunkAnswer> {
    const store = await this.opened();
    if (!store || limit < 1) return { hits: [], total: 0 };
    await this.look();
    await this.indexing.settled(LOCAL_LIMITS.patience, signal);
    const turns = new Turns(signal);
    const chosen = await this.rows.chosen(filter, turns);
    if (chosen?.size === 0) return { hits: [], total: 0 };
    const type = this.hybrid.isSetUp ? 'hybrid' : 'keyword';
    const { hits, total, note } = await this.hybrid.find(query, type, {
      limit: Math.min(limit, KEEPING_LIMITS.hits),
      ...narrowing(chosen, filter),
      admit: (uris) => uris,
      signal,
    });
    const remarks = [this.whyNotAll(store), note].filter((remark) => remark !== undefined);
    return {
      hits: await this.withChunks(chosenOf(hits, addressOf, choose), turns),
      total,
      ...(remarks.length > 0 ? { message: remarks.join(' ') } : {}),
    };
  }

  async requests(): Promise<DocumentRequest[]> {
    const store = await this.opened();
    return store ? catalogue.allRequests(store.read()) : [];
  }

  async putRequest(request: DocumentRequest): Promise<void> {
    const json = checkedRequest(request);
    const store = await this.writable();
    await store.write((transaction) => catalogue.putRequest(transaction, request, json));
  }

  useEmbeddings(options: EmbeddingOptions | undefined): void {
    this.embeddingOptions = options ?? { provider: 'none' };
    if (this.isClosed) return;
    this.embed();
    if (this.store) this.indexing.note(undefined);
    this.progressed();
  }

  onDidChange(listener: (change: KeeperChange) => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  onDidProgress(listener: () => void): Disposable {
    this.progressListeners.add(listener);
    return { dispose: () => void this.progressListeners.delete(listener) };
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    for (const each of this.listening.splice(0)) each.dispose();
    this.listeners.clear();
    this.progressListeners.clear();
    await this.opening?.catch(() => undefined);
    await this.indexing.close();
    await this.semantic.close();
    await this.tidying;
    this.contents.close();
    await this.store?.close();
  }

  // ── The store ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Undefined where there is no library, and none may be made. */
  private async opened(): Promise<Store | undefined> {
    if (this.isClosed) throw new KaizenError('store_closed', 'The library was closed.');
    if (this.store) return this.store;
    if (this.surroundings.mayCreate === false && !isStoreIn(this.place)) return undefined;
    this.opening ??= this.openStore().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  private async openStore(): Promise<Store> {
    const { clock, log } = this.surroundings;
    const store = await Store.open(this.place, { schemas: [librarySchema], clock, onReport: log });
    if (this.isClosed) {
      await store.close();
      throw new KaizenError('store_closed', 'The library was closed.');
    }
    this.store = store;
    this.listening.push(store.onDidChange((topics) => this.changed(topics)));
    this.indexing.start();
    if (this.surroundings.mayCreate !== false) this.tidying = this.tidy(store);
    return store;
  }

  private async writable(): Promise<Store> {
    const store = await this.opened();
    if (store) return store;
    const hint = 'Choose a folder that has one, or open it where one may be made.';
    throw new KaizenError('read_only', `There is no library in ${this.place}.`, hint);
  }

  private reader(): Reader {
    if (!this.store) throw new KaizenError('store_closed', 'The library was closed.');
    return this.store.read();
  }

  private changed(topics: ReadonlySet<string>): void {
    const ids = [...topics].flatMap((topic) => catalogue.documentOfTopic(topic) ?? []);
    const documents = topics.has('*') ? undefined : ids;
    if (documents === undefined || documents.length > 0) this.indexing.note(documents);
    const requests = topics.has('*') || topics.has(catalogue.REQUESTS_TOPIC);
    for (const listener of [...this.listeners]) listener({ documents, requests });
  }

  /** What other processes have written is noted when this resolves. */
  private async look(): Promise<void> {
    this.reader();
    await new Promise((resolve) => setImmediate(resolve));
  }

  private sizeOfStore(): number {
    let bytes = 0;
    for (const entry of readdirSync(this.place, { withFileTypes: true })) {
      if (entry.isFile()) bytes += statSync(join(this.place, entry.name), { throwIfNoEntry: false })?.size ?? 0;
    }
    return bytes;
  }

  /** Never rejects: what stays is found the next time. */
  private async tidy(store: Store): Promise<void> {
    const isNamed = (file: string) => {
      // Who is closed deletes nothing.
      if (this.isClosed) return true;
      return catalogue.isNamed(store.read(), file.slice(0, file.indexOf('.')), file);
    };
    await this.contents.tidy(isNamed).catch((error) => {
      if (!this.isClosed) this.surroundings.log(`The library could not be tidied: ${describeError(error)}`);
    });
  }

  // ── What documents say ───────────────────────────────────────────────────────────────────────────────────────────

  /** Takes from a document's content; looks the document up anew when its file was replaced just then. */
  private async reading<T>(
    documentId: string,
    take: (found: Required<catalogue.Shelved> & { content: object }) => Promise<T | undefined>,
  ): Promise<T | undefined> {
    const store = await this.opened();
    if (!store) return undefined;
    for (let attempt = 1; ; attempt++) {
      const found = catalogue.shelved(store.read(), documentId);
      if (!found?.content) return undefined;
      const { document, content } = found;
      const taken = await take({ document, content });
      if (taken !== undefined) return taken;
      const isSame = catalogue.shelved(store.read(), documentId)?.content?.file === content.file;
      if (!isSame && attempt < LOCAL_LIMITS.attempts) continue;
      const file = join(this.place, CONTENT, content.file);
      throw new KaizenError('store_damaged', `The file ${file} is gone.`, 'Read the source again to mend it.');
    }
  }

  private async indexable(documentId: string, turns: Turns): Promise<Indexable | undefined> {
    for (;;) {
      const mark = catalogue.shelfmark(this.reader(), documentId);
      if (!mark) return undefined;
      const document = catalogue.shelved(this.reader(), documentId)?.document;
      const said = await this.reading(documentId, ({ document, content }) =>
        this.contents.content(content, document, turns),
      );
      // What belongs to another revision is not to pass for this one.
      if (catalogue.shelfmark(this.reader(), documentId)?.stamp !== mark.stamp) continue;
      return document && said && { ...said, document, stamp: mark.stamp };
    }
  }

  /** For the index of meaning: read from the disk whenever it is asked for. */
  private textOf(uri: string): { uri: string; text: string } {
    const read = () => this.readText(uri);
    return {
      uri,
      get text() {
        return read();
      },
    };
  }

  /** Empty for what is gone by now. */
  private readText(uri: string): string {
    const { document_id, chunk_id } = parsePassageUri(uri);
    try {
      const found = this.rows.shelved(document_id);
      const chunk = found?.content && this.contents.chunk(found.content, chunk_id);
      if (!chunk) return '';
      return embeddedText({ uri, ...headingsOf(chunk.record, found.document.title), body: chunk.content }).text;
    } catch {
      return '';
    }
  }

  private async withChunks(
    hits: readonly (Omit<ChunkHit, 'chunk' | 'byMeaning'> & { uri: string; byMeaning?: boolean })[],
    turns: Turns,
  ): Promise<ChunkHit[]> {
    const found: ChunkHit[] = [];
    let reader = this.reader();
    for (const { uri, score, matched, byMeaning = false } of hits) {
      const { document_id, chunk_id } = parsePassageUri(uri);
      const shelved = this.rows.shelved(document_id, reader);
      try {
        const chunk = shelved?.content && this.contents.chunk(shelved.content, chunk_id);
        if (chunk) {
          const { record, content } = chunk;
          found.push({ chunk: chunkOf(record, content, shelved.document), score, matched, byMeaning });
        } else {
          // Another process has replaced the document since; the index hears of it.
          reader = this.reader();
        }
      } catch (error) {
        this.surroundings.log(describeError(error));
      }
      await turns.pause();
    }
    return found;
  }

  // ── Searching ────────────────────────────────────────────────────────────────────────────────────────────────────

  private embed(): void {
    this.embeddingProblem = undefined;
    let embedder: ReturnType<typeof createEmbedder>;
    try {
      embedder = createEmbedder(this.embeddingOptions, { modelsDirectory: this.surroundings.modelsDirectory });
    } catch (error) {
      this.embeddingProblem = describeError(error);
    }
    this.passages.embed(embedder !== undefined);
    this.semantic.use(embedder);
  }

  private whyNotAll(store: Store): string | undefined {
    if (this.indexing.isSettled) return undefined;
    const { chunks } = catalogue.count(store.read());
    return `The index is still being read: ${Math.min(this.index.size, chunks)} of ${chunks} passages were searched.`;
  }

  private progressed(): void {
    for (const listener of [...this.progressListeners]) listener();
  }
}

function addressOf({ uri }: { uri: string }): string {
  const { document_id, chunk_id } = parsePassageUri(uri);
  return libraryUri(document_id, chunk_id);
}

/** There is such a chunk in no revision of the document that can be read. */
const NOTHING = Symbol('nothing');

function narrowing(chosen: ReadonlySet<string> | undefined, { normative_only = false }: ChunkFilter) {
  if (!chosen && !normative_only) return {};
  return {
    filter: { ...(chosen ? { space: [...chosen] } : {}), ...(normative_only ? { status: ['normative'] } : {}) },
    near: (uri: string) => (chosen?.has(documentOf(uri)) ?? true) && (!normative_only || isNormative(uri)),
  };
}

/** Whether a store is there: one is as soon as it has a journal. */
function isStoreIn(directory: string): boolean {
  try {
    return readdirSync(directory).some((name) => /^journal-\d+$/.test(name));
  } catch {
    return false;
  }
}
