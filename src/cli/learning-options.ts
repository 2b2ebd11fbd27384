import type { KaizenOptions } from '../kaizen';
import type { LearningSettings } from '../learning';
import { UsageError } from './command';

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

const WORDS: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

/**
 * What is learned from and what counts how much, by the environment variables of seed 003, 9.1. One that is empty counts
 * as unset. Throws a UsageError for a word that is none of them.
 */
export function learningOptionsOf(environment: NodeJS.ProcessEnv = process.env): Pick<KaizenOptions, 'learning'> {
  const settings: Partial<LearningSettings> = {};
  for (const name of SWITCHES) {
    const word = environment[name.toUpperCase()];
    if (!word) continue;
    const value = WORDS[word.toLowerCase()];
    if (value === undefined) throw new UsageError(`${name.toUpperCase()} takes true or false, not "${word}".`);
    settings[name] = value;
  }
  for (const name of WEIGHTS) {
    const word = environment[name.toUpperCase()];
    if (!word) continue;
    const weight = Number(word);
    if (!/^\d(\.\d{1,9})?$/.test(word) || weight > 1) {
      throw new UsageError(`${name.toUpperCase()} needs a number from 0 to 1, not "${word}".`);
    }
    settings[name] = weight;
  }
  return Object.keys(settings).length > 0 ? { learning: settings } : {};
}
