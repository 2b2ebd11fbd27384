import type { Disposable } from '../core/disposable';
import type { EmbeddingOptions, EmbeddingState, Snippet } from '../search';
import type { CoverageAssessment, Preflight } from './coverage-model';
import type {
  AuthorityLevel,
  ChunkType,
  Depth,
  ProcessingStatus,
  RecencyRequirement,
  RequestedType,
  RequiredAuthority,
  SourceFormat,
  SourceType,
  Urgency,
  Workflow,
  WorkflowType,
} from './vocabulary';

export * from './coverage-model';
export * from './vocabulary';

/** A piece of a document that says something by itself and can be cited. Seed 003, 4.1.1. Times are ISO 8601. */
export interface KnowledgeChunk {
  /** A UUID made of the document and what the chunk says, so that what stays as it is keeps its id. */
  id: string;
  document_id: string;
  document_title: string;
  document_type: string;

  /** `text.slice(char_start, char_end)` of the document's stored text. */
  content: string;
  /** SHA-256 of `content`, hex. */
  content_hash: string;
  token_count: number;

  /** Numbers or titles of the sections that it lies in, outermost first: `["6", "6.4", "6.4.7"]`. */
  section_hierarchy: readonly string[];
  section_title: string;
  parent_chunk_id?: string | undefined;

  chunk_type: ChunkType;
  /** Undefined where it cannot be told. */
  normative?: boolean | undefined;

  /** Of a source with pages, from 1. */
  page_numbers: readonly number[];
  clause_number?: string | undefined;
  /** UTF-16 code units in the document's stored text, end exclusive. */
  char_start: number;
  char_end: number;

  source_type: SourceType;
  source_url?: string | undefined;
  source_domain?: string | undefined;
  crawled_at?: string | undefined;

  authority_score: number;
  /** Absent where it was not assessed. */
  relevance_score?: number | undefined;

  /** Standards, clauses and addresses that it names, as they stand there. */
  references: readonly string[];
  created_at: string;
  updated_at: string;
}

/** Seed 003, 4.1.2, and what keeping a source up to date needs. Times are ISO 8601. */
export interface DocumentMetadata {
  /** Letters, digits and `-`; the same for the same source. */
  document_id: string;
  title: string;
  document_type: string;
  /** An absolute path, a URL, or `content:` for text that was given directly. */
  source_path: string;
  format: SourceFormat;

  version?: string | undefined;
  /** ISO date, as exact as it is known: `2023`, `2023-05`, `2023-05-16`. */
  publication_date?: string | undefined;
  standard_id?: string | undefined;
  /** BCP 47 primary language, where it is known. */
  language?: string | undefined;

  source_type: SourceType;
  source_url?: string | undefined;
  source_domain?: string | undefined;

  authority_level: AuthorityLevel;
  authority_score: number;

  crawled_at?: string | undefined;
  last_verified_at?: string | undefined;
  /** SHA-256 of the source's bytes, hex. */
  content_hash?: string | undefined;
  /** For conditional requests (RFC 9110, 13.1). */
  etag?: string | undefined;
  last_modified?: string | undefined;
  /** Bytes of the source. */
  size: number;
  pages?: number | undefined;

  chunk_count: number;
  token_count: number;
  processing_status: ProcessingStatus;
  /** A sentence, and what to do. */
  processing_error?: string | undefined;
  /** What was lost on the way: pages without text, tables that were flattened. */
  remarks: readonly string[];

  /** What a person or an agent said of it; stays when the source is read again. */
  overrides: MetadataOverrides;
  /** Of the last assessment against a topic, with that topic. */
  relevance?: { score: number; topic: string } | undefined;
  /** Who brought it in. */
  added_by: string;
  created_at: string;
  updated_at: string;
}

/** Seed 003, 5.2.3. */
export interface MetadataOverrides {
  title?: string | undefined;
  document_type?: string | undefined;
  authority_level?: AuthorityLevel | undefined;
  standard_id?: string | undefined;
  version?: string | undefined;
}

/** A source's text in the one form that all sources are brought to. */
export interface NormalisedDocument {
  format: SourceFormat;
  title?: string | undefined;
  /** Markdown with `\n` line ends. All offsets are UTF-16 code units in it. */
  text: string;
  /** Where each page begins, ascending; empty for a source without pages. */
  pages: readonly { page: number; start: number }[];
  /** Headings that the source names and the text does not show (a PDF's outline); offsets in `text`, ascending. */
  outline: readonly { title: string; depth: number; start: number }[];
  version?: string | undefined;
  publication_date?: string | undefined;
  language?: string | undefined;
  /** A web page's own idea of its address (`rel=canonical`), of its own site only. */
  canonical_url?: string | undefined;
  remarks: readonly string[];
}

/** A chunk as its text alone tells: without the document's particulars. */
export interface ChunkDraft {
  content: string;
  content_hash: string;
  token_count: number;
  section_hierarchy: readonly string[];
  section_title: string;
  /** Index of the chunk that opens the section above. */
  parent?: number | undefined;
  chunk_type: ChunkType;
  normative?: boolean | undefined;
  page_numbers: readonly number[];
  clause_number?: string | undefined;
  char_start: number;
  char_end: number;
  references: readonly string[];
}

/** What reading and chunking make of a source's bytes. */
export interface Extracted {
  document: NormalisedDocument;
  chunks: readonly ChunkDraft[];
}

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

// --- searching (seed 003, 5.2.1 and 6.5) ---

export interface LibraryFilter {
  document_type?: readonly string[] | undefined;
  source_type?: 'any' | SourceType | undefined;
  normative_only?: boolean | undefined;
  min_authority?: number | undefined;
  /** Of effectiveness. */
  min_score?: number | undefined;
  documents?: readonly string[] | undefined;
}

export interface LibrarySearch {
  query: string;
  /** 1 to 100; 10 unless told. */
  n_results?: number | undefined;
  filter?: LibraryFilter | undefined;
  /** Of `combined_score`; 0 unless told. */
  score_threshold?: number | undefined;
  /** True unless told. */
  include_coverage_assessment?: boolean | undefined;
  /** True unless told. */
  boost_by_score?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export interface FoundChunk {
  id: string;
  uri: string;
  content: string;
  /** 0 to 1: how well it fits the query, by words and where there is a model by meaning. */
  semantic_score: number;
  /** 0 to 1: what was learned of it; 0.5 as long as nothing was. */
  effectiveness_score: number;
  combined_score: number;
  score_confidence: number;
  snippet: Snippet;
  /** Words of the query that it was found by, heaviest first. */
  matched: readonly string[];
  chunk: KnowledgeChunk;
}

export interface LibraryAnswer {
  query: string;
  total_results: number;
  results: FoundChunk[];
  coverage?: CoverageSummary | undefined;
  /** What was not searched, and why: the index is still being read. */
  message?: string | undefined;
}

/** Of a search's results; seed 003, 5.8. */
export interface CoverageSummary {
  coverage_score: number;
  authority_score: number;
  recommendation: 'results_sufficient' | 'results_limited' | 'acquire_more' | 'nothing_found';
}

// --- sources and statistics (5.2.2, 5.2.4) ---

export interface SourcesRequest {
  source_type?: 'all' | SourceType | undefined;
  document_type?: readonly string[] | undefined;
  sort_by?: 'title' | 'date_added' | 'chunk_count' | 'authority' | 'score' | undefined;
  /** 50 unless told; the tool takes up to 200, those who list all of them more. */
  limit?: number | undefined;
}

/** How fresh a source is; see docs/library.md. */
export interface Freshness {
  /** 0 to 1. */
  score: number;
  level: 'current' | 'recent' | 'ageing' | 'stale' | 'unknown';
  /** What it goes by: when it was published, else when it was last looked at. */
  date?: string | undefined;
}

export interface SourceListing extends DocumentMetadata {
  uri: string;
  freshness: Freshness;
  /** Mean effectiveness of what was rated of it. */
  score: number;
  score_confidence: number;
}

export interface LibraryStats {
  documents: number;
  chunks: number;
  tokens: number;
  /** Bytes that it takes on the disk; undefined where that cannot be told. */
  size?: number | undefined;
  by_source_type: Readonly<Record<string, number>>;
  by_document_type: Readonly<Record<string, number>>;
  by_authority: Readonly<Record<string, number>>;
  by_status: Readonly<Record<string, number>>;
  open_requests: number;
  /** What is not as it should be: failed sources, stale ones. Sentences. */
  health: readonly string[];
  domains?: readonly { domain: string; documents: number; chunks: number }[] | undefined;
  freshness?: Readonly<Record<Freshness['level'], number>> | undefined;
  oldest_source_date?: string | undefined;
  newest_source_date?: string | undefined;
  /** Chunks by the band of their effectiveness; all moderate until something was learned. */
  score_distribution?: Readonly<Record<string, number>> | undefined;
}

// --- ingesting (5.2.3) ---

export interface IngestRequest {
  /** A path, absolute or relative to the workspace; `http(s)://…`; or `content:` and Markdown. */
  source: string;
  source_type?: 'auto' | SourceFormat | undefined;
  metadata_overrides?: MetadataOverrides | undefined;
  assess_relevance?: boolean | undefined;
  relevance_context?: string | undefined;
  /** 0.5 unless told. */
  relevance_threshold?: number | undefined;
  /** Read it again although nothing seems to have changed. */
  force?: boolean | undefined;
}

export interface IngestResult {
  /** `skipped`: below the threshold of relevance. `failed` is thrown, and kept with the source where it has an address. */
  status: 'added' | 'updated' | 'unchanged' | 'duplicate' | 'skipped';
  /** Absent when it was skipped. */
  document?: DocumentMetadata | undefined;
  chunks: { total: number; added: number; kept: number; removed: number };
  relevance?: Relevance | undefined;
  /** Open requests that it answers, closed by it. */
  requests_closed: readonly string[];
  message?: string | undefined;
}

/** How far a text has to do with a topic. */
export interface Relevance {
  /** 0 to 1. */
  score: number;
  topic: string;
  /** Words of the topic that occur and that do not, heaviest first. */
  matched: readonly string[];
  missing: readonly string[];
  /** One sentence. */
  explanation: string;
}

// --- coverage (4.6, 5.3.1, 5.3.2) ---

export interface CoverageRequest {
  topic: string;
  required_depth?: Depth | undefined;
  required_authority?: RequiredAuthority | undefined;
  recency_requirement?: RecencyRequirement | undefined;
  workflow_context?: Workflow | undefined;
  signal?: AbortSignal | undefined;
}

export interface PreflightRequest {
  workflow_type: WorkflowType;
  workflow_description: string;
  key_topics?: readonly string[] | undefined;
  required_standards?: readonly string[] | undefined;
  domain?: string | undefined;
  signal?: AbortSignal | undefined;
}

// --- acquiring (5.3.3, 5.3.4) ---

export interface AcquireRequest {
  topic: string;
  urls?: readonly string[] | undefined;
  search_queries?: readonly string[] | undefined;
  /** 10 unless told, 50 at most. */
  max_pages?: number | undefined;
  /** 0.6 unless told. */
  relevance_threshold?: number | undefined;
  domain_allowlist?: readonly string[] | undefined;
  prefer_authoritative?: boolean | undefined;
}

export interface AcquiredPage {
  url: string;
  status: 'added' | 'updated' | 'unchanged' | 'duplicate' | 'not_relevant' | 'refused' | 'failed';
  document_id?: string | undefined;
  title?: string | undefined;
  relevance?: number | undefined;
  /** Why it was not taken: a sentence. */
  reason?: string | undefined;
}

export interface AcquireResult {
  topic: string;
  pages: readonly AcquiredPage[];
  pages_fetched: number;
  documents_added: number;
  chunks_added: number;
  coverage_before: number;
  coverage_after: number;
  coverage_improvement: number;
  /** Queries that were not asked, since no search endpoint is set up, and sites to look at instead. */
  proposed_queries: readonly string[];
  proposed_sites: readonly string[];
  message?: string | undefined;
}

export interface DocumentRequestInput {
  topic: string;
  rationale: string;
  document_type?: RequestedType | undefined;
  example_documents?: readonly string[] | undefined;
  urgency?: Urgency | undefined;
  workflow_context?: string | undefined;
  can_proceed_without?: boolean | undefined;
  workaround_if_unavailable?: string | undefined;
}

export interface DocumentRequest extends Required<Pick<DocumentRequestInput, 'topic' | 'rationale'>> {
  id: string;
  document_type: RequestedType;
  example_documents: readonly string[];
  urgency: Urgency;
  workflow_context?: string | undefined;
  can_proceed_without: boolean;
  workaround_if_unavailable?: string | undefined;
  status: 'open' | 'answered' | 'dismissed';
  /** The document that answered it. */
  answered_by?: string | undefined;
  requested_by: string;
  created_at: string;
  updated_at: string;
}

// --- settings ---

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
