import type {
  ArtifactType,
  ConfidenceLevel,
  FeedbackSource,
  FeedbackTier,
  FeedbackType,
  OutcomeType,
  ScoreFactor,
  ScoreLevel,
} from './vocabulary';

/** Seed 003, 4.5.1. Times are ISO 8601. */
export interface FeedbackRecord {
  id: string;
  /** Knowledge URI of what is rated. */
  artifact: string;
  artifact_type: ArtifactType;
  usage_context: string;
  project_id?: string | undefined;
  feedback_type: FeedbackType;
  feedback_tier: FeedbackTier;
  /** 0 to 1. */
  rating?: number | undefined;
  comment?: string | undefined;
  specific_data: Readonly<Record<string, unknown>>;
  corrections: readonly string[];
  suggested_improvements: readonly string[];
  feedback_source: FeedbackSource;
  author: string;
  created_at: string;
  /** Of one that came by propagation: the project that it came from (`personal` for another person's own), and its weight there (6.3). */
  propagated_from?: string | undefined;
  propagation_weight?: number | undefined;
}

/** `knowledge_feedback` (5.5.1): one of its four operations, as the tool has them. */
export type FeedbackInput = {
  /** A knowledge URI, the id of a captured record, or the id of a chunk of the library. */
  artifact_id: string;
  artifact_type: ArtifactType;
  usage_context?: string | undefined;
  comment?: string | undefined;
} & (
  | { operation: 'rate'; rating?: number | undefined; helpful?: boolean | undefined }
  | {
      operation: 'rate_specific';
      aspect_ratings: {
        relevance?: number | undefined;
        completeness?: number | undefined;
        accuracy?: number | undefined;
        usefulness?: number | undefined;
      };
    }
  | {
      operation: 'report_outcome';
      outcome_type: OutcomeType;
      rating?: number | undefined;
      outcome_details?: OutcomeDetails | undefined;
    }
  | {
      operation: 'suggest_improvement';
      suggestions?: readonly string[] | undefined;
      missing_elements?: readonly string[] | undefined;
    }
);

export interface OutcomeDetails {
  tasks_added?: number | undefined;
  tasks_removed?: number | undefined;
  estimate_delta_percent?: number | undefined;
  risks_that_occurred?: readonly string[] | undefined;
  risks_missed?: readonly string[] | undefined;
  modifications_made?: readonly string[] | undefined;
}

/** Seed 003, 5.8 (Feedback Response). */
export interface FeedbackResult {
  feedback_id: string;
  artifact: string;
  score_update: {
    previous_score: number;
    new_score: number;
    previous_confidence: number;
    new_confidence: number;
    factors_updated: readonly ScoreFactor[];
  };
  propagation: { propagated_to: readonly string[]; note: string };
}

/** What ranking asks of an artifact. */
export interface Effectiveness {
  /** 0 to 1, staleness taken off; 0.5 for what nobody rated. */
  score: number;
  /** 0 to 1. */
  confidence: number;
  /** The band that the score is in, and what that multiplies it by in ranking. */
  level: ScoreLevel;
  boost: number;
  /** Pieces of feedback that it rests on, propagated ones included. */
  ratings: number;
}

/** One factor with what it rests on. */
export interface FactorScore {
  /** 0 to 1: the weighted mean of its samples, 0.5 without any. */
  score: number;
  /** Of all its samples together. */
  weight: number;
  samples: number;
}

/** Seed 003, 4.5.2 and 4.5.3 together: the simple score stays visible beside the one that counts. */
export interface ArtifactScore {
  artifact: string;
  artifact_type: ArtifactType;
  factors: Readonly<Record<ScoreFactor, FactorScore>>;
  /** The factors by their weights. */
  raw_score: number;
  /** With the staleness penalty taken off. */
  composite_score: number;
  confidence: number;
  /** `ratings` are the recent ones that it is made of, newest first. */
  simple: { score: number; confidence: number; ratings: readonly number[] };
  times_retrieved: number;
  times_used: number;
  times_feedback_received: number;
  positive_feedback: number;
  negative_feedback: number;
  last_retrieved?: string | undefined;
  last_used?: string | undefined;
  last_feedback?: string | undefined;
  last_positive_use?: string | undefined;
  last_negative_feedback?: string | undefined;
  /** 0 to 0.3. */
  staleness_penalty: number;
  level: ScoreLevel;
  stars: number;
  boost: number;
  confidence_level: ConfidenceLevel;
  created_at: string;
  updated_at: string;
}

/** `stalest`: those from which age takes something off, most first. */
export type ScoreOrder = 'best' | 'worst' | 'stalest';

export interface ScoreCounts {
  /** Things that were rated or used. */
  artifacts: number;
  /** How many of them are in each level. */
  levels: Readonly<Partial<Record<ScoreLevel, number>>>;
  /** From how many age takes something off. */
  stale: number;
  /** Pieces of feedback that count. */
  feedback: number;
}

/** Enough to recompute a score by hand: every number with where it comes from. */
export interface ScoreExplanation {
  score: ArtifactScore;
  /** In order: what was given, with which weight, into which factor. */
  samples: readonly ExplainedSample[];
  /** Each a sum that can be followed: `effectiveness = (1 × 1 + 0.5 × 0.4) / (1 + 0.4) = 0.857143`. */
  steps: readonly string[];
  /** The same sums without words around them, for who has words of another language. */
  sums: readonly ScoreSum[];
  age: ScoreAge;
}

export interface ScoreSum {
  of: ScoreFactor | 'raw' | 'staleness' | 'score' | 'confidence' | 'simple' | 'simple_confidence';
  /** Empty where nothing was summed: a factor without samples, what follows from age. */
  formula: string;
  value: number;
}

/** What the staleness penalty goes by. */
export interface ScoreAge {
  /** The later one of the last use and the last feedback, or the capture; `nothing` does not age, `off` by the settings. */
  since: 'used' | 'feedback' | 'captured' | 'nothing' | 'off';
  /** Whole days; 0 where nothing ages. */
  days: number;
}

export interface ExplainedSample {
  factor: ScoreFactor;
  /** 0 to 1. */
  value: number;
  /** Of each time: the tier's, times that of the propagation. */
  weight: number;
  /** How often; more than once only for uses, which are counted. */
  times: number;
  /** Undefined for uses, which nobody gave. */
  feedback_id?: string | undefined;
  feedback_type: FeedbackType;
  tier: FeedbackTier;
  author?: string | undefined;
  /** The project that it was propagated from; `personal` for another person's own. */
  propagated_from?: string | undefined;
  /** Of uses, the last one. */
  at: string;
}

/** What was counted without anybody saying anything (tier 1). */
export type ImplicitUse = 'retrieved' | 'used';

/** How often something was given to somebody, as far as it was counted. */
export interface UseCount {
  artifact: string;
  retrieved: number;
  used: number;
  last_retrieved?: string | undefined;
  last_used?: string | undefined;
}

/** What was asked, as far as it was counted; equal but for case and white space is the same. */
export interface AskedQuery {
  tool: string;
  query: string;
  times: number;
  /** How often nothing was found that had to do with it. */
  unanswered: number;
  /** Of the last time: how many results, and how good the best was, 0 to 1. */
  last_results: number;
  last_best: number;
  first_asked: string;
  last_asked: string;
}

/** How often a tool was asked on a day (UTC, `2026-05-04`). */
export interface AskedDay {
  day: string;
  tool: string;
  times: number;
  /** How often nothing was found that had to do with it. */
  unanswered: number;
}

/** All that was counted, for a file. */
export interface LearningCounts {
  uses: readonly UseCount[];
  queries: readonly AskedQuery[];
  days: readonly AskedDay[];
}
