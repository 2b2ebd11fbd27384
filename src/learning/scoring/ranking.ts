import type { Effectiveness } from '../feedback-model';
import type { LearningSettings } from '../settings';

/** Whether what was learned changes an order at all. */
export function isBoosting({ score_search_boost_enabled, score_effectiveness_weight }: LearningSettings): boolean {
  return score_search_boost_enabled && score_effectiveness_weight > 0;
}

/**
 * Where a result ranks (seed 003, 6.5): `semantic × 0.7 + effectiveness × boost × 0.3`, the weights being settings. The
 * semantic score alone where boosting is off or what was learned has no weight. From 0 on; above 1 for what is found as
 * surely as can be and is highly effective (1.15 by the seed's weights), so that the order goes on there.
 */
export function combinedScore(
  semantic: number,
  { score, boost }: Pick<Effectiveness, 'score' | 'boost'>,
  settings: LearningSettings,
): number {
  if (!isBoosting(settings)) return semantic;
  return semantic * settings.score_semantic_weight + score * boost * settings.score_effectiveness_weight;
}

/** The seed's weight of effectiveness, by which the gentle boost is as it is meant. */
const USUAL_WEIGHT = 0.3;

/**
 * What the odds of a recommendation are multiplied by: the band's boost, the less the less it rests on, and by the same
 * setting as above. 1 for what nobody rated.
 */
export function gentleBoost(
  { boost, confidence }: Pick<Effectiveness, 'boost' | 'confidence'>,
  settings: LearningSettings,
): number {
  if (!isBoosting(settings)) return 1;
  return boost ** (confidence * (settings.score_effectiveness_weight / USUAL_WEIGHT));
}
