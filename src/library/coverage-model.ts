import type {
  AcquisitionAction,
  CoverageLevel,
  CoverageWeights,
  Depth,
  GapType,
  Importance,
  RecencyRequirement,
  Recommendation,
  RequiredAuthority,
  Workflow,
  WorkflowType,
} from './vocabulary';

/** What an assessment is asked and says: apart from the rest of the model, for the page that draws it (seed 003, 4.6 and 5.3). */

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

export interface KnowledgeGap {
  gap_type: GapType;
  description: string;
  importance: Importance;
  suggested_sources: readonly string[];
  search_queries: readonly string[];
}

export interface AcquisitionRecommendation {
  action: AcquisitionAction;
  /** 1 is highest, 5 lowest. */
  priority: number;
  rationale: string;
  suggested_queries: readonly string[];
  suggested_urls: readonly string[];
  suggested_domains: readonly string[];
  document_type: string;
  document_description: string;
  example_documents: readonly string[];
}

/** Seed 003, 4.6.1. Scores are 0 to 1. */
export interface CoverageAssessment {
  topic: string;
  workflow_context?: Workflow | undefined;
  coverage_score: number;
  confidence_score: number;
  authority_score: number;
  recency_score: number;
  overall_score: number;
  overall_level: CoverageLevel;
  weights: CoverageWeights;
  recommendation: Recommendation;
  recommendation_rationale: string;
  gaps: readonly KnowledgeGap[];
  sources_found: number;
  chunks_found: number;
  /** Words of the topic that occur in no passage, heaviest first. */
  missing_words: readonly string[];
  source_types: Readonly<Record<string, number>>;
  most_authoritative: readonly string[];
  oldest_source_date?: string | undefined;
  newest_source_date?: string | undefined;
  acquisition_recommendations: readonly AcquisitionRecommendation[];
  can_proceed_with_caveats: boolean;
  caveats_if_proceeding: readonly string[];
  /** What the scores rest on: the best chunks, as citations. */
  evidence: readonly Citation[];
  assessed_at: string;
}

export interface Citation {
  uri: string;
  document_id: string;
  document_title: string;
  section_title: string;
  clause_number?: string | undefined;
  page_numbers: readonly number[];
  score: number;
}

export interface Preflight {
  workflow_type: WorkflowType;
  ready: boolean;
  overall_score: number;
  overall_level: CoverageLevel;
  recommendation: Recommendation;
  recommendation_rationale: string;
  topics: readonly CoverageAssessment[];
  /** Topics that were read from the description, not given. */
  derived_topics: readonly string[];
  standards: readonly { standard: string; found: boolean; documents: readonly string[] }[];
  gaps: readonly KnowledgeGap[];
  acquisition_recommendations: readonly AcquisitionRecommendation[];
  can_proceed_with_caveats: boolean;
  caveats_if_proceeding: readonly string[];
  assessed_at: string;
}
