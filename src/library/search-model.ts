import type { Sentence } from '../core/sentence';
import type { Snippet } from '../search';
import type { DocumentMetadata, KnowledgeChunk } from './document-model';
import type { SourceType } from './vocabulary';

/** Searching (seed 003, 5.2.1 and 6.5), sources and statistics (5.2.2 and 5.2.4). */

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
  message?: Sentence | string | undefined;
}

/** Of a search's results; seed 003, 5.8. */
export interface CoverageSummary {
  coverage_score: number;
  authority_score: number;
  recommendation: 'results_sufficient' | 'results_limited' | 'acquire_more' | 'nothing_found';
}

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

export interface SourceListing extends Omit<DocumentMetadata, 'remarks'> {
  remarks: readonly (Sentence | string)[];
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
