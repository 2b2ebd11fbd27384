/** Names and constants of seed 003, sections 4.3 to 4.5, 4.8 and 6. */

/** What was captured; each has an address `knowledge://learning/<kind>/<id>`. */
export const LEARNED_KINDS = ['project', 'template', 'pattern', 'decision', 'lesson'] as const;
export type LearnedKind = (typeof LEARNED_KINDS)[number];

export const PROJECT_STATUSES = ['planning', 'active', 'completed', 'abandoned'] as const;
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

/** Seed 003, 3.4 and appendix G. */
export const TRANSITIONS = ['activate', 'complete', 'abandon', 'reopen'] as const;
export type Transition = (typeof TRANSITIONS)[number];

export const VISIBILITIES = ['personal', 'team', 'organization'] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export const TASK_STATUSES = ['planned', 'in_progress', 'completed', 'skipped', 'blocked'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export const COMPLEXITIES = ['low', 'medium', 'high'] as const;
export type Complexity = (typeof COMPLEXITIES)[number];

export const DEPENDENCY_TYPES = ['finish_to_start', 'start_to_start'] as const;
export type DependencyType = (typeof DEPENDENCY_TYPES)[number];

export const OUTCOME_STATUSES = ['completed', 'partial', 'abandoned'] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

export const PATTERN_TYPES = ['antipattern', 'best_practice', 'failure_mode', 'design_pattern'] as const;
export type PatternType = (typeof PATTERN_TYPES)[number];

export const PATTERN_DOMAINS = [
  'architecture',
  'requirements',
  'verification',
  'process',
  'safety',
  'reliability',
  'integration',
  'planning',
] as const;
export type PatternDomain = (typeof PATTERN_DOMAINS)[number];

export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What feedback can be about (5.5.1). A `chunk` is any passage with a knowledge URI: of the library, an entry, a node, a note, a lesson. */
export const ARTIFACT_TYPES = ['template', 'pattern', 'project', 'decision', 'chunk'] as const;
export type ArtifactType = (typeof ARTIFACT_TYPES)[number];

export const FEEDBACK_TIERS = ['implicit', 'quick', 'detailed'] as const;
export type FeedbackTier = (typeof FEEDBACK_TIERS)[number];

export const OUTCOME_TYPES = [
  'tasks_complete',
  'tasks_incomplete',
  'estimates_accurate',
  'estimates_inaccurate',
  'risks_identified',
  'risks_missed',
  'used_as_is',
  'needed_modification',
  'project_success',
  'project_partial',
  'project_failure',
] as const;
export type OutcomeType = (typeof OUTCOME_TYPES)[number];

export const FEEDBACK_TYPES = [
  'helpful',
  'not_helpful',
  'rating',
  ...OUTCOME_TYPES,
  'dependencies_accurate',
  'dependencies_missed',
  'retrieved',
  'used',
  /** Not in the seed's list, which has no type for its own operations rate_specific and suggest_improvement. */
  'aspects',
  'suggestion',
] as const;
export type FeedbackType = (typeof FEEDBACK_TYPES)[number];

export const FEEDBACK_SOURCES = ['user', 'automated', 'outcome_tracking'] as const;
export type FeedbackSource = (typeof FEEDBACK_SOURCES)[number];

export const SCORE_FACTORS = ['relevance', 'effectiveness', 'accuracy', 'completeness', 'user_rating'] as const;
export type ScoreFactor = (typeof SCORE_FACTORS)[number];

export const SCORE_FACTOR_WEIGHTS: Readonly<Record<ScoreFactor, number>> = {
  relevance: 0.15,
  effectiveness: 0.3,
  accuracy: 0.2,
  completeness: 0.15,
  user_rating: 0.2,
};

export const FEEDBACK_WEIGHTS: Readonly<Record<FeedbackTier, number>> = { detailed: 1.0, quick: 0.4, implicit: 0.1 };

/** Days since the last activity, exclusive, and the penalty until then; beyond the last 0.3. */
export const STALENESS_DECAY: readonly (readonly [belowDays: number, penalty: number])[] = [
  [30, 0],
  [90, 0.05],
  [180, 0.1],
  [365, 0.2],
];
export const MAX_STALENESS = 0.3;

/** From this score on; the last band begins at 0, and the first includes 1. Appendix B. */
export const SCORE_BANDS = [
  { from: 0.8, level: 'highly_effective', stars: 5, boost: 1.5 },
  { from: 0.6, level: 'effective', stars: 4, boost: 1.2 },
  { from: 0.4, level: 'moderate', stars: 3, boost: 1.0 },
  { from: 0.2, level: 'limited', stars: 2, boost: 0.8 },
  { from: 0, level: 'poor', stars: 1, boost: 0.5 },
] as const;
export type ScoreLevel = (typeof SCORE_BANDS)[number]['level'];

/** Appendix C. */
export const CONFIDENCE_BANDS = [
  { from: 0.8, level: 'well_established', says: 'Based on 20+ data points' },
  { from: 0.5, level: 'moderately_validated', says: 'Based on 10-20 data points' },
  { from: 0.2, level: 'limited_data', says: 'Based on 3-10 data points' },
  { from: 0, level: 'unvalidated', says: 'Based on 0-3 data points' },
] as const;
export type ConfidenceLevel = (typeof CONFIDENCE_BANDS)[number]['level'];

/** Before anybody has said or shown how something served. */
export const NEUTRAL = 0.5;
/** Samples for full confidence: of the simple score (2b), and of the factors together (3). */
export const SIMPLE_CONFIDENCE_SAMPLES = 10;
export const FACTOR_CONFIDENCE_SAMPLES = 20;
