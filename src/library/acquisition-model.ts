import type { DocumentMetadata, MetadataOverrides } from './document-model';
import type { RequestedType, SourceFormat, Urgency } from './vocabulary';

/** What comes in: ingesting (seed 003, 5.2.3), acquiring (5.3.3), and requests for documents (5.3.4). */

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
