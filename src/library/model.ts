import type { Disposable } from '../core/disposable';
import type { EmbeddingOptions, EmbeddingState } from '../search';
import type {
  AcquiredPage,
  AcquireRequest,
  AcquireResult,
  DocumentRequest,
  DocumentRequestInput,
  IngestRequest,
  IngestResult,
} from './acquisition-model';
import type { CoverageAssessment, CoverageRequest, Preflight, PreflightRequest } from './coverage-model';
import type { DocumentMetadata, KnowledgeChunk, MetadataOverrides } from './document-model';
import type { LibraryAnswer, LibrarySearch, LibraryStats, SourceListing, SourcesRequest } from './search-model';

export * from './acquisition-model';
export * from './coverage-model';
export * from './document-model';
export * from './search-model';
export * from './vocabulary';

/** Who changes the library. */
export interface LibraryChange {
  author: string;
  by_agent?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Called while it goes on, often. */
  onProgress?: ((progress: LibraryProgress) => void) | undefined;
}

export interface LibraryProgress {
  /** What is being done, in English: `Reading page 120 of 1,000`. */
  message: string;
  /** 0 to 1, where it can be told. */
  done?: number | undefined;
}

/** How the web is asked. */
export interface WebSettings {
  /** False: nothing is ever fetched. */
  enabled: boolean;
  /** Requests a second and host; 2 unless told (CRAWL4AI_RATE_LIMIT_RPS). */
  rateLimit: number;
  /** Hosts and their subdomains that may be asked; all unless told. */
  allowedDomains: readonly string[];
  /** Addresses of private networks and of this machine may be asked. */
  allowPrivateAddresses: boolean;
  /** `environment`: as HTTPS_PROXY, HTTP_PROXY and NO_PROXY say; else none is asked (an editor has its own way). */
  proxy?: 'environment' | undefined;
  /** What acquiring takes unless the request says otherwise: pages, and how relevant each must be (seed 003, 9.1). */
  maxPages?: number | undefined;
  relevanceThreshold?: number | undefined;
  /** Where `search_queries` go. */
  search?: { kind: 'searxng' | 'brave'; url: string; key?: string | undefined } | undefined;
}

/** Where the library is kept. */
export type LibraryPlace = { directory: string } | { url: string; allowUnverifiedTls?: boolean | undefined };

export interface LibraryState {
  /** A directory, or `host:port/database as user`. */
  place: string;
  kind: 'directory' | 'postgres';
  state: 'closed' | 'opening' | 'ready' | 'failed';
  /** Why it could not be opened. */
  problem?: string | undefined;
  documents: number;
  chunks: number;
  /** Chunks that the index has, while it is being read. */
  indexed?: number | undefined;
  embeddings: EmbeddingState;
}

/** Documents or requests of the library are others now, by this process or another. */
export interface LibraryChangeEvent {
  /** All may be when it is undefined. */
  documents?: readonly string[] | undefined;
  requests: boolean;
}

/**
 * Sources and what they say, kept in a directory or on PostgreSQL; which of it a person or an agent needs, whether that
 * is enough, and bringing in what is missing. Nothing is opened before it is asked for the first time.
 */
export interface LibraryPart {
  readonly state: LibraryState;
  onDidChangeState(listener: () => void): Disposable;
  onDidChange(listener: (change: LibraryChangeEvent) => void): Disposable;
  /** Opens it and reads its index, or waits for that, at most so long. True when all can be searched. */
  ready(ms: number, signal?: AbortSignal): Promise<boolean>;

  search(request: LibrarySearch): Promise<LibraryAnswer>;
  stats(include?: { domains?: boolean; freshness?: boolean; scores?: boolean }): Promise<LibraryStats>;
  sources(request?: SourcesRequest): Promise<SourceListing[]>;
  /** Throws `unknown_document`. */
  source(documentId: string): Promise<SourceListing>;
  /** The document's stored text, Markdown. Throws `unknown_document`. */
  text(documentId: string): Promise<string>;
  /** In the order of the text. Throws `unknown_document`. */
  chunks(documentId: string): Promise<KnowledgeChunk[]>;
  /** By `knowledge://library/<document_id>#<chunk>`. Throws `unknown_document`. */
  chunk(uri: string): Promise<KnowledgeChunk>;
  /** The document that has the chunk with this id; undefined where none has. */
  documentOf(chunkId: string): Promise<string | undefined>;

  /**
   * What can be told of an ingestion before anything is read or fetched: throws `invalid_argument`, and `outside_root` for
   * a file that an agent may not name.
   */
  check(request: IngestRequest, change: LibraryChange): Promise<void>;
  /** Throws `unreadable_source`, `fetch_refused`, `fetch_failed`, `invalid_argument`, `cancelled`; nothing is half stored. */
  ingest(request: IngestRequest, change: LibraryChange): Promise<IngestResult>;
  /** Looks whether sources have changed, and reads those that have again; all of them unless told. */
  refresh(documentIds: readonly string[] | undefined, change: LibraryChange): Promise<AcquiredPage[]>;
  /** What is said of a source. Throws `unknown_document`. */
  describe(documentId: string, overrides: MetadataOverrides, change: LibraryChange): Promise<DocumentMetadata>;
  /** Takes sources out with all their chunks. Throws `unknown_document`; nothing has changed then. */
  remove(documentIds: readonly string[], change: LibraryChange): Promise<void>;

  assessCoverage(request: CoverageRequest): Promise<CoverageAssessment>;
  preflight(request: PreflightRequest): Promise<Preflight>;
  acquire(request: AcquireRequest, change: LibraryChange): Promise<AcquireResult>;

  requestDocument(input: DocumentRequestInput, change: LibraryChange): Promise<DocumentRequest>;
  /** Open ones first, by urgency, then by time. */
  requests(status?: DocumentRequest['status']): Promise<DocumentRequest[]>;
  /** Throws `unknown_request`. */
  settleRequest(
    id: string,
    outcome: { answered_by: string } | 'dismissed' | 'open',
    change: LibraryChange,
  ): Promise<DocumentRequest>;

  /** Another place, other settings, another embedder from now on. */
  usePlace(place: LibraryPlace): Promise<void>;
  useWeb(settings: Partial<WebSettings>): void;
  useEmbeddings(options: EmbeddingOptions | undefined): void;
  close(): Promise<void>;
}
