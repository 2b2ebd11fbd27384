import type { FactorScore, FeedbackRecord } from '../feedback-model';
import {
  FACTOR_CONFIDENCE_SAMPLES,
  FEEDBACK_WEIGHTS,
  type FeedbackType,
  NEUTRAL,
  SCORE_FACTOR_WEIGHTS,
  SCORE_FACTORS,
  type ScoreFactor,
} from '../vocabulary';

/** What one piece of feedback says of one factor. */
export interface Sample {
  factor: ScoreFactor;
  /** 0 to 1. */
  value: number;
  /** The tier's, times that of its propagation. */
  weight: number;
}

/** What of a record of feedback says anything of scores. */
export type Evidence = Pick<
  FeedbackRecord,
  'feedback_type' | 'feedback_tier' | 'rating' | 'specific_data' | 'propagated_from' | 'propagation_weight'
>;

/** The least that an artifact is still relevant which had to be modified, and what each modification takes off. */
const LEAST_RELEVANCE = 0.3;
const PER_MODIFICATION = 0.1;

/** How well an outcome says that it went, where nobody rated it. */
const WORKED: Partial<Record<FeedbackType, number>> = {
  helpful: 1,
  not_helpful: 0,
  project_success: 1,
  project_partial: 0.5,
  project_failure: 0,
};

/** The factors that aspect ratings (5.5.1, `rate_specific`) are of. */
export const ASPECTS = {
  relevance: 'relevance',
  completeness: 'completeness',
  accuracy: 'accuracy',
  usefulness: 'effectiveness',
} as const satisfies Record<string, ScoreFactor>;

/** How well it went, 0 to 1: as rated, otherwise as the type says; undefined where neither says anything of it. */
export function workedOf({ rating, feedback_type }: Pick<Evidence, 'rating' | 'feedback_type'>): number | undefined {
  return rating ?? WORKED[feedback_type];
}

/** What the record says of which factor, with which weight; nothing for what is only counted or suggested. */
export function samplesOf(evidence: Evidence): Sample[] {
  const weight = FEEDBACK_WEIGHTS[evidence.feedback_tier] * (evidence.propagation_weight ?? 1);
  const sample = (factor: ScoreFactor, value: number): Sample => ({ factor, value: share(value), weight });
  // What a project says of its template is how well it worked, and no more (6.3).
  if (evidence.propagated_from !== undefined) {
    const worked = workedOf(evidence);
    return worked === undefined ? [] : [sample('effectiveness', worked)];
  }
  return sampled(evidence).map(([factor, value]) => sample(factor, value));
}

function sampled({ feedback_type: type, rating, specific_data: data }: Evidence): [ScoreFactor, number][] {
  // An outcome that was rated as well says how well it worked.
  const rated: [ScoreFactor, number][] = rating === undefined ? [] : [['effectiveness', rating]];
  switch (type) {
    case 'helpful':
    case 'not_helpful':
    case 'rating':
      return [['user_rating', rating ?? WORKED[type] ?? NEUTRAL]];
    case 'aspects':
      return Object.entries(ASPECTS).flatMap(([aspect, factor]): [ScoreFactor, number][] => {
        const value = data[aspect];
        return typeof value === 'number' ? [[factor, value]] : [];
      });
    case 'tasks_complete':
    case 'risks_identified':
    case 'dependencies_accurate':
      return [['completeness', 1], ...rated];
    case 'tasks_incomplete':
    case 'risks_missed':
    case 'dependencies_missed':
      return [['completeness', 0], ...rated];
    case 'estimates_accurate':
      return [['accuracy', 1], ...rated];
    case 'estimates_inaccurate':
      return [['accuracy', nearness(data.estimate_delta_percent)], ...rated];
    case 'used_as_is':
      return [['relevance', 1], ...rated];
    case 'needed_modification':
      return [['relevance', keptRelevance(data.modifications_made)], ...rated];
    case 'project_success':
    case 'project_partial':
    case 'project_failure':
      return [['effectiveness', rating ?? WORKED[type] ?? NEUTRAL]];
    case 'used':
      return [['relevance', 1]];
    case 'retrieved':
    case 'suggestion':
      return [];
  }
}

function nearness(deltaPercent: unknown): number {
  return typeof deltaPercent === 'number' ? Math.max(0, 1 - Math.abs(deltaPercent) / 100) : 0;
}

/** Modified, and nobody said how: in one place at least. */
function keptRelevance(modifications: unknown): number {
  const count = Array.isArray(modifications) ? modifications.length : 0;
  return Math.max(LEAST_RELEVANCE, 1 - PER_MODIFICATION * Math.max(1, count));
}

/** How much of what a project says counts for the template that it was made from (seed 003, 6.3). */
export function propagationWeight(modifications: number): number {
  return Math.max(LEAST_RELEVANCE, 1 - PER_MODIFICATION * modifications);
}

/** Sums of one factor's samples. */
export interface FactorSum {
  /** Of value × weight. */
  total: number;
  weight: number;
  samples: number;
}

export type FactorSums = Record<ScoreFactor, FactorSum>;

export function noSums(): FactorSums {
  const sums = SCORE_FACTORS.map((factor) => [factor, { total: 0, weight: 0, samples: 0 }]);
  return Object.fromEntries(sums) as FactorSums;
}

export function addSample(sums: FactorSums, { factor, value, weight }: Sample, times = 1): void {
  const sum = sums[factor];
  sum.total += value * weight * times;
  sum.weight += weight * times;
  sum.samples += times;
}

/** The weighted mean of the samples; neutral without any. */
export function factorScore({ total, weight, samples }: FactorSum): FactorScore {
  return { score: weight > 0 ? share(total / weight) : NEUTRAL, weight, samples };
}

/** The factors by their weights, before age takes anything off (seed 003, 6.2.2). */
export function rawScore(scoreOf: (factor: ScoreFactor) => number): number {
  let raw = 0;
  for (const factor of SCORE_FACTORS) raw += scoreOf(factor) * SCORE_FACTOR_WEIGHTS[factor];
  return share(raw);
}

/** Seed 003, 4.5.3. */
export function factorConfidence(samples: number): number {
  return Math.min(1, samples / FACTOR_CONFIDENCE_SAMPLES);
}

/** Sums of floating-point numbers may leave 0 to 1 by a hair. */
function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}
