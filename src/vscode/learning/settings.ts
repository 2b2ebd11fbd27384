import * as vscode from 'vscode';
import type { LearningSettings } from '../../learning';

export const LEARNING_SETTING = 'kaizen.learning';

const SWITCHES = [
  'feedback_implicit_tracking',
  'feedback_prompt_on_completion',
  'score_search_boost_enabled',
  'score_propagation_enabled',
  'staleness_decay_enabled',
] as const satisfies readonly (keyof LearningSettings)[];

const WEIGHTS = [
  'score_semantic_weight',
  'score_effectiveness_weight',
] as const satisfies readonly (keyof LearningSettings)[];

/**
 * What is learned from and what counts how much (seed 003, 9.1), as the settings say; what is no switch or no weight
 * from 0 to 1 is left out. Nothing is counted in Restricted Mode, where nothing is written.
 */
export function configuredLearning(): Partial<LearningSettings> {
  const configured = vscode.workspace.getConfiguration(LEARNING_SETTING);
  const settings: Partial<LearningSettings> = {};
  for (const name of SWITCHES) {
    const value = configured.get<unknown>(name);
    if (typeof value === 'boolean') settings[name] = value;
  }
  for (const name of WEIGHTS) {
    const value = configured.get<unknown>(name);
    if (typeof value === 'number' && value >= 0 && value <= 1) settings[name] = value;
  }
  return vscode.workspace.isTrusted ? settings : { ...settings, feedback_implicit_tracking: false };
}

/** Whether a finished project is followed by the question how well it went. */
export function asksOnCompletion(): boolean {
  return configuredLearning().feedback_prompt_on_completion !== false;
}
