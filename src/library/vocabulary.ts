/** The words of seed 003, sections 4.1, 4.6 and 4.8: what documents, chunks and assessments are called and counted by. */

/** Classification of documents. Others are allowed: `document_type` is free text, these are what the product gives itself. */
export const DOCUMENT_TYPES = [
  'standard',
  'handbook',
  'guide',
  'web',
  'report',
  'paper',
  'internal',
  'vendor',
] as const;

export const SOURCE_TYPES = ['document', 'web'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** What a source's bytes are read as. */
export const SOURCE_FORMATS = ['pdf', 'docx', 'web', 'markdown'] as const;
export type SourceFormat = (typeof SOURCE_FORMATS)[number];

export const CHUNK_TYPES = ['definition', 'requirement', 'guidance', 'content'] as const;
export type ChunkType = (typeof CHUNK_TYPES)[number];

export const PROCESSING_STATES = ['pending', 'processing', 'complete', 'failed'] as const;
export type ProcessingStatus = (typeof PROCESSING_STATES)[number];

/** Seed 003, 4.8 and appendix A. */
export const AUTHORITY_LEVELS = {
  normative: 1.0,
  authoritative: 0.85,
  reputable: 0.7,
  informative: 0.5,
  unverified: 0.3,
} as const;
export type AuthorityLevel = keyof typeof AUTHORITY_LEVELS;

/** Most authoritative first. */
export const AUTHORITY_NAMES = Object.keys(AUTHORITY_LEVELS) as readonly AuthorityLevel[];

export const WORKFLOWS = ['rcca', 'trade_study', 'exploration', 'planning', 'general'] as const;
export type Workflow = (typeof WORKFLOWS)[number];

/** Of `knowledge_preflight`; seed 003, 5.3.2. */
export const WORKFLOW_TYPES = ['rcca', 'trade_study', 'exploration', 'planning', 'gap_analysis'] as const;
export type WorkflowType = (typeof WORKFLOW_TYPES)[number];

export interface CoverageWeights {
  coverage: number;
  authority: number;
  recency: number;
  confidence: number;
}

/** Seed 003, 4.8 and appendix F; `general` is its `default`. */
export const WORKFLOW_WEIGHTS: Readonly<Record<Workflow, CoverageWeights>> = {
  rcca: { coverage: 0.2, authority: 0.4, recency: 0.1, confidence: 0.3 },
  trade_study: { coverage: 0.3, authority: 0.3, recency: 0.2, confidence: 0.2 },
  exploration: { coverage: 0.4, authority: 0.2, recency: 0.2, confidence: 0.2 },
  planning: { coverage: 0.3, authority: 0.25, recency: 0.25, confidence: 0.2 },
  general: { coverage: 0.25, authority: 0.25, recency: 0.25, confidence: 0.25 },
};

/** How many relevant chunks a depth asks for; seed 003, 4.8. */
export const DEPTH_THRESHOLDS = { surface: 3, working: 10, expert: 25 } as const;
export type Depth = keyof typeof DEPTH_THRESHOLDS;

export const REQUIRED_AUTHORITIES = ['any', 'reputable', 'authoritative', 'normative'] as const;
export type RequiredAuthority = (typeof REQUIRED_AUTHORITIES)[number];

export const RECENCY_REQUIREMENTS = ['any', 'recent_5y', 'recent_2y', 'current'] as const;
export type RecencyRequirement = (typeof RECENCY_REQUIREMENTS)[number];

export const COVERAGE_LEVELS = ['very_high', 'high', 'medium', 'low', 'very_low'] as const;
export type CoverageLevel = (typeof COVERAGE_LEVELS)[number];

export const RECOMMENDATIONS = ['proceed', 'acquire_web', 'request_docs', 'caveat'] as const;
export type Recommendation = (typeof RECOMMENDATIONS)[number];

export const GAP_TYPES = ['missing_topic', 'insufficient_depth', 'no_authority', 'stale'] as const;
export type GapType = (typeof GAP_TYPES)[number];

export const IMPORTANCES = ['critical', 'important', 'nice_to_have'] as const;
export type Importance = (typeof IMPORTANCES)[number];

export const ACQUISITION_ACTIONS = ['web_search', 'web_crawl', 'request_document', 'none'] as const;
export type AcquisitionAction = (typeof ACQUISITION_ACTIONS)[number];

/** Seed 003, 5.3.4. */
export const REQUESTED_TYPES = [
  'standard',
  'handbook',
  'guide',
  'report',
  'paper',
  'internal',
  'vendor',
  'any',
] as const;
export type RequestedType = (typeof REQUESTED_TYPES)[number];

export const URGENCIES = ['blocking', 'important', 'nice_to_have'] as const;
export type Urgency = (typeof URGENCIES)[number];
