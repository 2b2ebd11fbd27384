import type { DiscoverySettings } from '../../discovery';

const LEAST_FACTOR = 0.1;
const LARGEST_FACTOR = 10;
const MOST_RESULTS = 50;
const MOST_DAYS = 36_500;

/**
 * The weights and thresholds of `kaizen.discovery.*` as the search takes them, whatever stands in the settings: numbers
 * are brought into their range, what is no number and what belongs to no task type keeps its default. Never throws.
 * @param value gives what is set, by the last part of the setting's name
 * @param taskTypes those that there are
 */
export function discoveryValues(
  value: (name: string) => unknown,
  taskTypes: readonly string[],
): Partial<DiscoverySettings> {
  const number = (name: string, least: number, most: number) => {
    const given = value(name);
    return typeof given === 'number' && Number.isFinite(given) ? Math.min(most, Math.max(least, given)) : undefined;
  };
  const results = number('maxResults', 1, MOST_RESULTS);
  const read = {
    default_max_results: results === undefined ? undefined : Math.round(results),
    min_relevance_threshold: number('minRelevance', 0, 1),
    boost_active_status: number('activeBoost', LEAST_FACTOR, LARGEST_FACTOR),
    boost_recent_update_days: number('recentDays', 0, MOST_DAYS),
    boost_recent_update_factor: number('recentBoost', LEAST_FACTOR, LARGEST_FACTOR),
    boosts: boostsOf(value('boosts'), taskTypes),
  };
  return Object.fromEntries(
    Object.entries(read).filter(([, each]) => each !== undefined),
  ) as Partial<DiscoverySettings>;
}

function boostsOf(value: unknown, taskTypes: readonly string[]): DiscoverySettings['boosts'] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const rows = Object.entries(value)
    .filter(([task]) => taskTypes.includes(task))
    .map(([task, factors]) => [task, factorsOf(factors)]);
  return Object.fromEntries(rows) as DiscoverySettings['boosts'];
}

function factorsOf(value: unknown): Record<string, number> {
  const factors = Object.entries((typeof value === 'object' && value) || {});
  return Object.fromEntries(
    factors.filter(([, factor]) => typeof factor === 'number' && factor >= LEAST_FACTOR && factor <= LARGEST_FACTOR),
  ) as Record<string, number>;
}
