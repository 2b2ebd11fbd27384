import type { FileRule, Risk } from '../knowledge';
import type { EntryType, Location, Source } from '../notes';
import type { EmbeddingOptions, EmbeddingState, SearchType, Snippet } from '../search';

/** Finding what a task needs, over entries and nodes (seed 002) and notes (seed 004). */

export const TASK_TYPES = ['implement', 'debug', 'refactor', 'document', 'review', 'design', 'test'] as const;
export type TaskType = (typeof TASK_TYPES)[number];

export { SEARCH_TYPES, type SearchType } from '../search';

/** Weights and thresholds (seed 002, "Configuration Schema" and "Boost Matrix"). */
export interface DiscoverySettings {
  /** 5 */
  default_max_results: number;
  /** 0.3: nothing below it is recommended. */
  min_relevance_threshold: number;
  /** 1.2 */
  boost_active_status: number;
  /** 30 */
  boost_recent_update_days: number;
  /** 1.1 */
  boost_recent_update_factor: number;
  /** Factor of each node type for each task type; 1 where nothing is said. */
  boosts: Record<TaskType, Record<string, number>>;
}

export interface DiscoverRequest {
  task_description: string;
  task_type?: TaskType | undefined;
  current_file?: string | undefined;
  /** 1 to 50. */
  max_results?: number | undefined;
  /** Recommendations are taken, best first, as long as their estimated tokens fit. */
  token_budget?: number | undefined;
}

export interface Recommendation {
  /** What `retrieve` takes. */
  id: string;
  path: string;
  title: string;
  type: string;
  relevance_score: number;
  reason: string;
  estimated_tokens: number;
}

/** A rule with a risk that touches the task. */
export interface DiscoveredWarning {
  id: string;
  title: string;
  risks: Pick<Risk, 'level' | 'text'>[];
  relevance_score: number;
  reason: string;
}

/** Why there may be less than one would think: these three are never mixed up. */
export type Emptiness = 'nothing_indexed' | 'still_indexing' | 'nothing_relevant';

export interface DiscoverResult {
  recommendations: Recommendation[];
  /** Nodes, entries and notes that could have been recommended. */
  total_available: number;
  /** Gravest first; empty when none touches the task. */
  warnings: DiscoveredWarning[];
  /** In words, when there is something to know: see `Emptiness`; a model that is not there; what did not fit the budget. */
  message?: string;
}

export interface KnowledgeSearchRequest {
  query: string;
  search_type?: SearchType | undefined;
  /**
   * Ids of nodes or files' root nodes (with what is below them), names of bases, ids of scopes; `notes`, `notes/<space>`,
   * `notes/<category>`, `notes/<space>/<category>`, addresses of notes.
   */
  scope?: readonly string[] | undefined;
  /** 1 to 100; 10 unless told. */
  max_results?: number | undefined;
}

export interface KnowledgeSearchRow {
  id: string;
  path: string;
  title: string;
  type: string;
  score: number;
  snippet: string;
  reason: string;
}

export interface KnowledgeSearchAnswer {
  results: KnowledgeSearchRow[];
  total: number;
  search_type_used: SearchType;
  message?: string;
}

/** What was found, with all of its text. */
export interface FoundPassage {
  uri: string;
  kind: 'entry' | 'node' | 'note';
  title: string;
  path: string;
  type: string;
  score: number;
  /** Words of the query that it was found by, heaviest first. */
  matched: readonly string[];
  text: string;
}

/** Kiwi's `search` (seed 004). */
export interface NoteSearchRequest {
  query: string;
  /** Required: the registry is a network call. */
  sources: readonly Source[];
  /** A category folder, with what is below it. */
  category?: string | undefined;
  entry_type?: EntryType | undefined;
  /** All of them. */
  tags?: readonly string[] | undefined;
  /** 1 to 100; 10 unless told. */
  limit?: number | undefined;
}

export interface NoteSearchRow {
  zettel_id: string;
  title: string;
  entry_type?: EntryType | undefined;
  tags: readonly string[];
  source_location: Location;
  category: string;
  relevance_score: number;
  snippet: string;
  /** Of the registry's. */
  version?: string | undefined;
}

export interface NoteSearchAnswer {
  /** Project's before user's before the registry's where they are equally good; an id of the spaces is not repeated. */
  results: NoteSearchRow[];
  total: number;
  /** In words: see `Emptiness`; a registry that did not answer while the spaces did. */
  message?: string;
}

/** One thing a person's search found. */
export interface Found {
  uri: string;
  kind: 'entry' | 'node' | 'note';
  title: string;
  path: string;
  type: string;
  score: number;
  snippet: Snippet;
}

export interface RetrieveRequest {
  /** Ids of nodes, entries and notes, as answers have them; at most 20. */
  ids: readonly string[];
  include_children?: boolean | undefined;
  format?: 'markdown' | 'json' | 'plain' | undefined;
}

export interface RetrievedNode {
  id: string;
  path: string;
  title: string;
  metadata: Record<string, unknown>;
  content: string;
  children: RetrievedNode[];
}

export interface RetrieveResult {
  nodes: RetrievedNode[];
  total_tokens: number;
  /** Which ids were not found, and what is near them. */
  message?: string;
}

/** How often agents were given a node, an entry or a note. */
export interface Usage {
  uri: string;
  title: string;
  recommended: number;
  retrieved: number;
  /** ISO 8601. */
  last_at: string;
}

export interface DiscoveryState {
  /** Whether everything that there is has been indexed once. */
  ready: boolean;
  /** How many of each are indexed. */
  entries: number;
  nodes: number;
  notes: number;
  /** How many of all there are, as far as is known. */
  total: number;
  embeddings: EmbeddingState;
}

/** A text to be found by `rank`. */
export interface RankedText {
  id: string;
  title: string;
  keywords: readonly string[];
  body: string;
}

/** What an agent would be told for a file: the rules that name it, and what is about it. */
export interface ForFile {
  rules: FileRule[];
  recommendations: Found[];
}

/**
 * One search over all that is known. Indexing begins with `start` or the first question, in short turns; questions wait
 * for it for two seconds and then answer from what there is, saying so.
 */
export interface DiscoveryPart {
  start(): void;
  readonly state: DiscoveryState;
  onDidChange(listener: () => void): { dispose(): void };
  /** Replaces the settings; what is left out is as seed 002 has it. Throws `invalid_argument` for a bad value. */
  configure(settings: Partial<DiscoverySettings>): void;
  /**
   * Another embedder from now on, or none; vectors that were made before come from the cache. Does not throw: what is
   * wrong with it is the `problem` of `state.embeddings`.
   */
  useEmbeddings(options: EmbeddingOptions): void;

  discover(request: DiscoverRequest, signal?: AbortSignal): Promise<DiscoverResult>;
  search(request: KnowledgeSearchRequest, signal?: AbortSignal): Promise<KnowledgeSearchAnswer>;
  /** As `search`, for other parts: with texts, and counted by nobody. 1 to 100. Best first. */
  passages(query: string, limit: number, signal?: AbortSignal): Promise<FoundPassage[]>;
  /**
   * Over the notes of the named sources only. Throws what the registry throws when it alone was asked; otherwise the
   * spaces answer and `message` says it.
   */
  searchNotes(request: NoteSearchRequest, signal?: AbortSignal): Promise<NoteSearchAnswer>;
  /** Throws `invalid_argument` for more than 20 ids, `unknown_node` when none of them is known. */
  retrieve(request: RetrieveRequest, signal?: AbortSignal): Promise<RetrieveResult>;

  /**
   * For people, with their query syntax and for every key stroke: over entries of all scopes, all nodes and all notes, from
   * what is indexed, in milliseconds. Entries whose keyword, and notes whose id, is the query, or begins with it, come
   * first. 50 unless told, 200 at most.
   */
  find(query: string, limit?: number): Promise<Found[]>;
  /**
   * What `discover` would give for a file, described by its path, its headings or comments and the names in it: rules that
   * name it, warnings, and as many recommendations as a task gets unless told. Counts nothing.
   */
  forFile(file: { path: string; text: string }, limit?: number): Promise<ForFile>;

  /** Ids of the texts that a query is about, best first: for texts that are no knowledge, such as help. Asks nobody. */
  rank(query: string, texts: readonly RankedText[]): string[];

  /** Most used first. */
  usage(limit?: number): Usage[];
  /** Writes the segments' cache, counts what is not yet counted, lets go of everything. */
  close(): Promise<void>;
}
