import { KaizenError } from '../core/errors';
import { type DiscoverySettings, TASK_TYPES, type TaskType } from './model';

/** Seed 002, "Configuration Schema" and "Boost Matrix". */
export const DEFAULT_SETTINGS: DiscoverySettings = {
  default_max_results: 5,
  min_relevance_threshold: 0.3,
  boost_active_status: 1.2,
  boost_recent_update_days: 30,
  boost_recent_update_factor: 1.1,
  boosts: {
    implement: { guideline: 1.5, protocol: 1.2, context: 1.3, agent_skill: 1.0 },
    debug: { guideline: 1.0, protocol: 1.3, context: 1.5, agent_skill: 0.8 },
    refactor: { guideline: 1.3, protocol: 1.1, context: 1.4, agent_skill: 0.9 },
    document: { guideline: 1.2, protocol: 1.0, context: 1.5, agent_skill: 0.7 },
    review: { guideline: 1.4, protocol: 1.5, context: 1.2, agent_skill: 0.8 },
    design: { guideline: 1.3, protocol: 1.4, context: 1.5, agent_skill: 1.1 },
    test: { guideline: 1.2, protocol: 1.3, context: 1.2, agent_skill: 1.0 },
  },
};

export const MAX_RESULTS = 50;
const LARGEST_FACTOR = 10;
const MOST_DAYS = 36_500;

/** The seed's settings with what is said otherwise; a task type's factors are taken over one by one. Throws `invalid_argument`. */
export function settingsFrom(given: Partial<DiscoverySettings> = {}): DiscoverySettings {
  const settings = { ...DEFAULT_SETTINGS };
  for (const name of Object.keys(DEFAULT_SETTINGS) as (keyof DiscoverySettings)[]) {
    const value = given[name];
    if (value === undefined || name === 'boosts') continue;
    settings[name] = value as number;
  }
  requireNumber('default_max_results', settings.default_max_results, 1, MAX_RESULTS, true);
  requireNumber('min_relevance_threshold', settings.min_relevance_threshold, 0, 1);
  requireFactor('boost_active_status', settings.boost_active_status);
  requireNumber('boost_recent_update_days', settings.boost_recent_update_days, 0, MOST_DAYS);
  requireFactor('boost_recent_update_factor', settings.boost_recent_update_factor);
  return { ...settings, boosts: boostsFrom(given.boosts ?? {}) };
}

function boostsFrom(given: Partial<DiscoverySettings['boosts']>): DiscoverySettings['boosts'] {
  const unknown = Object.keys(given).find((name) => !TASK_TYPES.includes(name as TaskType));
  if (unknown !== undefined) {
    throw new KaizenError(
      'invalid_argument',
      `"${unknown}" in boosts is not a task type.`,
      `Use ${TASK_TYPES.join(', ')}.`,
    );
  }
  const all = TASK_TYPES.map((taskType) => {
    const factors = { ...DEFAULT_SETTINGS.boosts[taskType], ...given[taskType] };
    for (const [type, factor] of Object.entries(factors)) requireFactor(`boosts.${taskType}.${type}`, factor);
    return [taskType, factors] as const;
  });
  return Object.fromEntries(all) as DiscoverySettings['boosts'];
}

function requireFactor(name: string, value: number): void {
  requireNumber(name, value, 1 / LARGEST_FACTOR, LARGEST_FACTOR);
}

function requireNumber(name: string, value: number, min: number, max: number, whole = false): void {
  if (Number.isFinite(value) && value >= min && value <= max && (!whole || Number.isInteger(value))) return;
  throw new KaizenError(
    'invalid_argument',
    `The discovery setting ${name} is ${String(value)}.`,
    `Use a ${whole ? 'whole ' : ''}number from ${min} to ${max}.`,
  );
}
