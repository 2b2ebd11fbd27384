import type { Clock } from '../core/clock';
import type { Disposable } from '../core/disposable';
import { describeError, KaizenError } from '../core/errors';
import { parseLibraryUri } from '../core/knowledge-uri';
import { sentence } from '../core/sentence';
import { WriteCheck } from '../safety';
import type { EmbeddingOptions } from '../search';
import type { LockWait } from '../store';
import { Acquiring } from './acquiring/acquiring';
import { DocumentRequests } from './acquiring/document-requests';
import { Assessing } from './assessing/assessing';
import { createExtractor } from './extraction';
import { createWeb } from './fetching';
import { Ingesting } from './ingesting/ingesting';
import { originOf } from './ingesting/origin';
import { openKeeper } from './keeping';
import type { LibraryKeeper } from './keeping/model';
import { type Learned, NOTHING_LEARNED } from './learned';
import type {
  AcquiredPage,
  AcquireRequest,
  AcquireResult,
  CoverageAssessment,
  CoverageRequest,
  DocumentMetadata,
  DocumentRequest,
  DocumentRequestInput,
  IngestRequest,
  IngestResult,
  KnowledgeChunk,
  LibraryAnswer,
  LibraryChange,
  LibraryChangeEvent,
  LibraryPart,
  LibraryPlace,
  LibrarySearch,
  LibraryState,
  LibraryStats,
  MetadataOverrides,
  Preflight,
  PreflightRequest,
  SourceListing,
  SourcesRequest,
  WebSettings,
} from './model';
import { Searching } from './searching/searching';
import { Sources } from './searching/sources';
import type { Surroundings } from './surroundings';

export interface LibraryOptions {
  place: LibraryPlace;
  /** Where what search knows is kept between runs. Without one, it is not. */
  cacheDirectory: string | undefined;
  /** Vectors by the hash of their text. */
  embeddingsDirectory: string;
  modelsDirectory: string;
  embeddings?: EmbeddingOptions | undefined;
  web?: Partial<WebSettings> | undefined;
  workspace?: string | undefined;
  /** What was learned of passages by use; nothing unless told. */
  learned?: Learned | undefined;
  /** Looks at what is read of sources, before it is kept; refuses secrets unless told. */
  check?: WriteCheck | undefined;
  /** False leaves the place as it is: one that is not there is empty then. */
  mayCreate?: boolean | undefined;
  /** A directory that is not there is made by the first write; otherwise when it is opened. */
  createsOnWrite?: boolean | undefined;
  clock: Clock;
  log?: ((message: string) => void) | undefined;
  /** Told when somebody has waited for a second for another process to let go of the library's directory. */
  onWaiting?: ((wait: LockWait) => void) | undefined;
}

/** See `LibraryPart`. Each call goes to who performs it. */
export class Library implements LibraryPart {
  private place: LibraryPlace;
  private embeddings: EmbeddingOptions | undefined;
  private opening: Promise<LibraryKeeper> | undefined;
  private keeper: LibraryKeeper | undefined;
  private problem: string | undefined;
  private toldState = '';
  private counts = { documents: 0, chunks: 0 };
  private readonly listening: Disposable[] = [];
  private readonly changeListeners = new Set<(change: LibraryChangeEvent) => void>();
  private readonly stateListeners = new Set<() => void>();
  private readonly surroundings: Surroundings;
  private readonly ingesting: Ingesting;
  private readonly searching: Searching;
  private readonly listing: Sources;
  private readonly assessing: Assessing;
  private readonly acquiring: Acquiring;
  private readonly documentRequests: DocumentRequests;
  private isClosed = false;

  constructor(private readonly options: LibraryOptions) {
    const { place, embeddings, web, workspace, clock, log = () => {} } = options;
    this.place = place;
    this.embeddings = embeddings;
    this.surroundings = {
      keeper: () => this.open(),
      extractor: createExtractor({ log }),
      web: createWeb(web ?? {}, { clock }),
      learned: options.learned ?? NOTHING_LEARNED,
      check: options.check ?? new WriteCheck(),
      workspace,
      clock,
      log,
    };
    this.documentRequests = new DocumentRequests(this.surroundings);
    this.ingesting = new Ingesting(this.surroundings, this.documentRequests);
    this.searching = new Searching(this.surroundings);
    this.listing = new Sources(this.surroundings);
    this.assessing = new Assessing(this.surroundings);
    this.acquiring = new Acquiring(this.surroundings, { ingesting: this.ingesting, assessing: this.assessing });
  }

  get state(): LibraryState {
    const { keeper, place, problem, counts } = this;
    const kind = 'url' in place ? 'postgres' : 'directory';
    const state = keeper ? 'ready' : problem !== undefined ? 'failed' : this.opening ? 'opening' : 'closed';
    return {
      ...{ place: keeper?.place ?? ('url' in place ? 'PostgreSQL' : place.directory), kind, state, ...counts },
      ...(problem === undefined ? {} : { problem }),
      ...(keeper?.indexed === undefined ? {} : { indexed: keeper.indexed }),
      embeddings: keeper?.embeddings ?? { provider: 'none' },
    };
  }

  onDidChangeState(listener: () => void): Disposable {
    this.stateListeners.add(listener);
    return { dispose: () => void this.stateListeners.delete(listener) };
  }

  onDidChange(listener: (change: LibraryChangeEvent) => void): Disposable {
    this.changeListeners.add(listener);
    return { dispose: () => void this.changeListeners.delete(listener) };
  }

  async ready(ms: number, signal?: AbortSignal): Promise<boolean> {
    return (await this.open()).ready(ms, signal);
  }

  search(request: LibrarySearch): Promise<LibraryAnswer> {
    return this.searching.search(request);
  }

  stats(include?: { domains?: boolean; freshness?: boolean; scores?: boolean }): Promise<LibraryStats> {
    return this.listing.stats(include ?? {});
  }

  sources(request?: SourcesRequest): Promise<SourceListing[]> {
    return this.listing.sources(request ?? {});
  }

  source(documentId: string): Promise<SourceListing> {
    return this.listing.source(documentId);
  }

  async text(documentId: string): Promise<string> {
    const keeper = await this.open();
    return (await keeper.text(documentId)) ?? this.without(documentId);
  }

  async chunks(documentId: string): Promise<KnowledgeChunk[]> {
    const keeper = await this.open();
    const content = await keeper.content(documentId);
    return content ? [...content.chunks] : this.without(documentId);
  }

  async chunk(uri: string): Promise<KnowledgeChunk> {
    const address = parseLibraryUri(uri);
    if (address?.chunk === undefined) {
      const hint = sentence('It looks like this: knowledge://library/<document_id>#<chunk>.');
      throw new KaizenError('invalid_argument', sentence('This is no address of a chunk.'), hint);
    }
    const keeper = await this.open();
    return (await keeper.chunk(address.document_id, address.chunk)) ?? this.without(address.document_id, address.chunk);
  }

  async documentOf(chunkId: string): Promise<string | undefined> {
    return (await this.open()).documentOf(chunkId);
  }

  async check({ source }: IngestRequest, { by_agent: byAgent = false }: LibraryChange): Promise<void> {
    await originOf(source, { workspace: this.surroundings.workspace, byAgent });
  }

  async ingest(request: IngestRequest, change: LibraryChange): Promise<IngestResult> {
    const result = await this.ingesting.ingest(request, change);
    const { status, document } = result;
    // Somebody brings as an answer what was there before it was asked for.
    if (!document || (status !== 'unchanged' && status !== 'duplicate')) return result;
    return { ...result, requests_closed: await this.answered(document, change) };
  }

  refresh(documentIds: readonly string[] | undefined, change: LibraryChange): Promise<AcquiredPage[]> {
    return this.ingesting.refresh(documentIds, change);
  }

  async describe(documentId: string, overrides: MetadataOverrides, change: LibraryChange): Promise<DocumentMetadata> {
    const document = await this.ingesting.describe(documentId, overrides, change);
    await this.answered(document, change);
    return document;
  }

  remove(documentIds: readonly string[], change: LibraryChange): Promise<void> {
    return this.ingesting.remove(documentIds, change);
  }

  assessCoverage(request: CoverageRequest): Promise<CoverageAssessment> {
    return this.assessing.assess(request);
  }

  preflight(request: PreflightRequest): Promise<Preflight> {
    return this.assessing.preflight(request);
  }

  acquire(request: AcquireRequest, change: LibraryChange): Promise<AcquireResult> {
    const { maxPages, relevanceThreshold } = this.surroundings.web.settings;
    const asked = {
      ...request,
      max_pages: request.max_pages ?? maxPages,
      relevance_threshold: request.relevance_threshold ?? relevanceThreshold,
    };
    return this.acquiring.acquire(asked, change);
  }

  requestDocument(input: DocumentRequestInput, change: LibraryChange): Promise<DocumentRequest> {
    return this.documentRequests.add(input, change);
  }

  requests(status?: DocumentRequest['status']): Promise<DocumentRequest[]> {
    return this.documentRequests.list(status);
  }

  settleRequest(
    id: string,
    outcome: { answered_by: string } | 'dismissed' | 'open',
    change: LibraryChange,
  ): Promise<DocumentRequest> {
    return this.documentRequests.settle(id, outcome, change);
  }

  async usePlace(place: LibraryPlace): Promise<void> {
    if (JSON.stringify(place) === JSON.stringify(this.place)) return;
    this.place = place;
    await this.letGo();
    this.changed({ requests: true });
  }

  useWeb(settings: Partial<WebSettings>): void {
    this.surroundings.web.use(settings);
  }

  useEmbeddings(options: EmbeddingOptions | undefined): void {
    this.embeddings = options;
    this.keeper?.useEmbeddings(options);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.surroundings.extractor.close();
    await this.surroundings.web.close();
    await this.letGo();
    this.changeListeners.clear();
    this.stateListeners.clear();
  }

  /** Closes what a document answers by what is known of it now. That it cannot be told undoes nothing. */
  private async answered(document: DocumentMetadata, change: LibraryChange): Promise<string[]> {
    try {
      return await this.documentRequests.closeBy(document, undefined, change);
    } catch (error) {
      this.surroundings.log(
        `The library: whether "${document.title}" was asked for is unknown: ${describeError(error)}`,
      );
      return [];
    }
  }

  private open(): Promise<LibraryKeeper> {
    if (this.isClosed) throw new KaizenError('store_closed', sentence('The library was closed.'));
    this.opening ??= this.openKeeper();
    return this.opening;
  }

  private async openKeeper(): Promise<LibraryKeeper> {
    const { place, options } = this;
    this.stateChanged();
    try {
      const keeper = await openKeeper(place, { ...options, log: this.surroundings.log, embeddings: this.embeddings });
      // By now another place may be wanted.
      if (place !== this.place || this.isClosed) {
        await keeper.close();
        throw new KaizenError('store_closed', sentence('The library was closed.'), sentence('Ask again.'));
      }
      this.keeper = keeper;
      this.problem = undefined;
      this.listening.push(
        keeper.onDidChange((change) => this.changed(change)),
        keeper.onDidProgress(() => this.stateChanged()),
      );
      await this.count();
      this.stateChanged();
      return keeper;
    } catch (error) {
      if (place === this.place) {
        this.opening = undefined;
        this.problem = describeError(error);
        this.stateChanged();
      }
      throw error;
    }
  }

  private async letGo(): Promise<void> {
    const { opening } = this;
    this.opening = undefined;
    this.keeper = undefined;
    this.problem = undefined;
    this.counts = { documents: 0, chunks: 0 };
    for (const each of this.listening.splice(0)) each.dispose();
    await opening?.then((keeper) => keeper.close()).catch(() => undefined);
    this.stateChanged();
  }

  private async count(): Promise<void> {
    const { documents, chunks } = (await this.keeper?.counts()) ?? this.counts;
    this.counts = { documents, chunks };
  }

  private changed(change: LibraryChangeEvent): void {
    for (const listener of this.changeListeners) listener(change);
    this.count().then(
      () => this.stateChanged(),
      (error) => this.surroundings.log(`The library: ${describeError(error)}`),
    );
  }

  /**
   * Tells a state that is another. One that cannot be opened stays failed while it is tried again: whoever asks it when
   * its state changes would otherwise have it tried again and again.
   */
  private stateChanged(): void {
    const now = JSON.stringify(this.state);
    if (now === this.toldState) return;
    this.toldState = now;
    for (const listener of this.stateListeners) listener();
  }

  private without(documentId: string, chunk?: string): never {
    const hint = sentence('knowledge_sources lists the documents that there are.');
    throw new KaizenError(
      'unknown_document',
      chunk === undefined
        ? sentence('The library has no document "{0}".', documentId.slice(0, 120))
        : sentence('The library has no passage in the document "{0}".', documentId.slice(0, 120)),
      hint,
    );
  }
}
