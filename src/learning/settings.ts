/** Seed 003, section 9: its switches and weights, under its names (lower case) and with its defaults. */
export interface LearningSettings {
  feedback_implicit_tracking: boolean;
  feedback_prompt_on_completion: boolean;
  score_search_boost_enabled: boolean;
  /** With `score_effectiveness_weight`: what counts how much in ranking; 0 to 1 each. */
  score_semantic_weight: number;
  /** Zero turns off what was learned. */
  score_effectiveness_weight: number;
  score_propagation_enabled: boolean;
  staleness_decay_enabled: boolean;
}

export const DEFAULT_LEARNING_SETTINGS: LearningSettings = {
  feedback_implicit_tracking: true,
  feedback_prompt_on_completion: true,
  score_search_boost_enabled: true,
  score_semantic_weight: 0.7,
  score_effectiveness_weight: 0.3,
  score_propagation_enabled: true,
  staleness_decay_enabled: true,
};
