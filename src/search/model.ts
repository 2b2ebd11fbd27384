import type { Sentence } from '../core/sentence';
import type { Turns } from '../core/turns';

/** What search knows: passages and facets. It knows no domain; sources are what other rooms name their passages by. */

/** By what hits are narrowed. All of them are optional but `kind`; comparisons are exact, case counts. */
export interface Facets {
  /** What the passage is: `entry`, `node`. */
  kind: string;
  /** Scope id of an entry. */
  scope?: string;
  /** Name of the knowledge base, or of another place that has passages of its own. */
  space?: string;
  type?: string;
  status?: string;
  tags?: readonly string[];
  /** BCP 47 primary language, where it is known. */
  language?: string;
  /** Path of the file within its space, `/` between its parts. */
  path?: string;
}

/** One piece of knowledge: whatever has a knowledge URI gives it a title, a text and a few facets. */
export interface Passage {
  /** What a hit names; unique over all sources. */
  uri: string;
  title: string;
  /** Titles of the headings above it, outermost first. */
  headings: readonly string[];
  keywords: readonly string[];
  body: string;
  facets: Facets;
  /** A hash of everything above, by which whoever owns the source tells what has changed. */
  fingerprint: string;
}

/** The fields of a passage that are searched, in the order of their weight. */
export const FIELDS = ['title', 'keywords', 'headings', 'body'] as const;
export type Field = (typeof FIELDS)[number];

/** Only passages with one of the named values in each named facet; of a path, those that begin with it. */
export interface FacetFilter {
  sources?: readonly string[] | undefined;
  kind?: readonly string[] | undefined;
  scope?: readonly string[] | undefined;
  space?: readonly string[] | undefined;
  type?: readonly string[] | undefined;
  status?: readonly string[] | undefined;
  tags?: readonly string[] | undefined;
  language?: readonly string[] | undefined;
  path?: readonly string[] | undefined;
}

/**
 * How a query is read. `words`: plain words, any of which may occur (agents). `query`: as people write it, with
 * `"exact phrases"`, `tag:`, `type:`, `status:`, `in:` (a path or a space), `-word`, and the last word taken as a beginning.
 */
export type QuerySyntax = 'words' | 'query';

export interface SearchOptions {
  syntax?: QuerySyntax | undefined;
  /** 10 unless told, 1,000 at most. */
  limit?: number | undefined;
  filter?: FacetFilter | undefined;
}

/** A word of the query that a hit was found by. */
export interface MatchedWord {
  /** As it stands in the query. */
  word: string;
  /** The known word that was taken for an unknown one. */
  corrected?: string;
  /** Where it occurs, most weighty first. */
  fields: readonly Field[];
  /** Its share of the query's weight (idf), 0 to 1. */
  weight: number;
}

export interface SearchHit {
  uri: string;
  /** The source that the passage belongs to. */
  source: string;
  title: string;
  facets: Facets;
  /**
   * 0 to 1, comparable across queries: at least 0.9 is directly about the query, 0.7 important, 0.5 possibly useful
   * (seed 002, "Relevance Thresholds"). See docs/search.md for the calibration.
   */
  score: number;
  /** The BM25F rank score, comparable within one query only. */
  rank: number;
  /** Heaviest first. */
  matched: readonly MatchedWord[];
}

export interface SearchAnswer {
  /** Best first; equals by uri. */
  hits: SearchHit[];
  /** How many passages matched in all, before `limit`; of a query of very many frequent words at least so many. */
  total: number;
}

/**
 * The passages of one source. Indexing is synchronous and costs about 20 to 60 µs a passage, some 10 ms one of 100,000
 * characters, of which no more are searched: give it in batches.
 */
export interface Segment {
  readonly source: string;
  /** Number of passages. */
  readonly size: number;
  /** Adds passages; one with a known uri replaces what was there. */
  set(passages: Iterable<Passage>): void;
  /** Unknown uris are no error. */
  remove(uris: Iterable<string>): void;
  /** The fingerprint that the passage was given; undefined when it is not there. */
  fingerprint(uri: string): string | undefined;
  uris(): Iterable<string>;
  /** For the disk, made in short turns: `SearchIndex.restore` takes it back, in any process of the same version. */
  toBytes(): Promise<Uint8Array>;
}

/** An inverted index in memory over the passages of several sources; statistics are those of all of them together. */
export interface SearchIndex {
  /** Number of passages. */
  readonly size: number;
  /** The source's segment; an empty one when it is new. */
  segment(source: string): Segment;
  /**
   * Takes a segment from bytes, in short turns. False, and nothing is changed, when they are damaged or of another version.
   */
  restore(source: string, bytes: Uint8Array): Promise<boolean>;
  /** Forgets a source with all its passages. */
  drop(source: string): void;
  /**
   * Does what restoring and many removals have postponed, in short turns: a change that does not wait for it may take
   * some ten milliseconds more at 100,000 passages. Nothing that is found depends on it.
   */
  settle(turns: Turns): Promise<void>;
  /** Deterministic. Never throws for what a query holds; one longer than 4,096 characters is cut. */
  search(query: string, options?: SearchOptions): SearchAnswer;
}

/** What an index is a part of that holds only those passages of it that may be among the best: scores are then the whole's. */
export interface WholeCollection {
  passages: number;
  /** In how many of its passages a word with this stem occurs; undefined where only the part can tell. */
  frequency(stem: string): number | undefined;
}

/** Whether by words, by meaning, or by both. */
export const SEARCH_TYPES = ['semantic', 'keyword', 'hybrid'] as const;
export type SearchType = (typeof SEARCH_TYPES)[number];

/** A part of a text that shows why it was found. Offsets are UTF-16 code units in `text`, `end` exclusive, in order. */
export interface Snippet {
  text: string;
  marks: { start: number; end: number }[];
}

/** Makes vectors of texts. */
export interface Embedder {
  /** Names provider, model and dimensions: vectors of different ids are never compared. */
  readonly id: string;
  /**
   * One normalised vector a text, in order, all of one length; one of length 0 for a text that cannot be embedded.
   * Throws KaizenError `embedding_failed` after its retries.
   */
  embed(texts: readonly string[], options: { use: 'query' | 'passage'; signal?: AbortSignal }): Promise<Float32Array[]>;
  dispose(): void;
}

/** Which embedder is wanted. The key is a secret: it is never logged and never part of an error. */
export type EmbeddingOptions =
  | { provider: 'none' }
  | {
      provider: 'endpoint';
      /** Base address of an OpenAI-compatible API, such as `http://127.0.0.1:11434/v1`. */
      url: string;
      model: string;
      key?: string | undefined;
      /** Asked of models that can shorten their vectors. */
      dimensions?: number | undefined;
    }
  | { provider: 'local' };

/** A text to be found by meaning. It is kept as given: `text` may be a getter, which is asked when there is an embedder. */
export interface EmbeddedText {
  readonly uri: string;
  readonly text: string;
}

export interface SemanticHit {
  uri: string;
  /** Cosine of the angle, -1 to 1. Comparable within one query of one model only. */
  similarity: number;
  /** 0 to 1 as `SearchHit.score`: how far it stands out from what has nothing to do with the query. */
  score: number;
}

/** How far vectors have come. */
export type EmbeddingState =
  | { provider: 'none' }
  | {
      provider: string;
      /** Vectors there are, of how many texts. */
      done: number;
      total: number;
      /** Why it does not go on, in words for a person. */
      problem?: Sentence | string;
    };

/** Search by meaning over the same uris as `SearchIndex`; without an embedder it has no vectors and says so. */
export interface SemanticIndex {
  readonly state: EmbeddingState;
  /** Called when `state` has changed. */
  onDidChange(listener: () => void): { dispose(): void };
  /**
   * Another embedder, or none; the index disposes of it when it needs it no more. Vectors of texts that it embedded
   * before come from the cache.
   */
  use(embedder: Embedder | undefined): void;
  /** Texts of a source, added or changed; vectors are made in the background, by content hash and never twice. */
  set(source: string, texts: readonly EmbeddedText[]): void;
  remove(source: string, uris: Iterable<string>): void;
  drop(source: string): void;
  /** Best first. Empty without an embedder, and as long as there are no vectors. Throws as `Embedder.embed` does. */
  search(
    query: string,
    options: { limit: number; accept?: (uri: string) => boolean; signal?: AbortSignal },
  ): Promise<SemanticHit[]>;
  /** Waits for what is under way and lets go of everything. */
  close(): Promise<void>;
}
