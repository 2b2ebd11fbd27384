import type { AskedDay } from '../feedback-model';
import type { UsageAnalytics } from './model';
import type { Surroundings } from './surroundings';

const MOST = 1_000;

/** See `AdministrationPart.usage`. */
export async function usageAnalytics({ learning }: Surroundings, limit: number): Promise<UsageAnalytics> {
  await learning.flush();
  const days = learning.days(MOST);
  const rated = (artifact: string) => learning.effectivenessOf(artifact).ratings > 0;
  return {
    unanswered: learning.queries(limit, { unanswered: true }),
    asked: learning.queries(limit),
    used_most: learning
      .uses(MOST)
      .filter(({ used }) => used > 0)
      .sort((a, b) => b.used - a.used || b.retrieved - a.retrieved)
      .slice(0, limit),
    never_used: learning
      .neverUsed(MOST)
      .filter(({ artifact }) => !rated(artifact))
      .slice(0, limit),
    by_tool: byTool(days),
    by_day: byDay(days).slice(0, limit),
    totals: { asked: sum(days, 'times'), unanswered: sum(days, 'unanswered') },
  };
}

function byTool(days: readonly AskedDay[]): UsageAnalytics['by_tool'] {
  const tools = [...new Set(days.map(({ tool }) => tool))].sort();
  return tools
    .map((tool) => {
      const own = days.filter((each) => each.tool === tool);
      return { tool, times: sum(own, 'times'), unanswered: sum(own, 'unanswered') };
    })
    .sort((a, b) => b.times - a.times);
}

function byDay(days: readonly AskedDay[]): UsageAnalytics['by_day'] {
  // Newest first, as they come.
  return [...new Set(days.map(({ day }) => day))].map((day) => {
    const own = days.filter((each) => each.day === day);
    const tools = Object.fromEntries(own.map(({ tool, times }) => [tool, times]));
    return { day, times: sum(own, 'times'), unanswered: sum(own, 'unanswered'), tools };
  });
}

function sum(days: readonly AskedDay[], of: 'times' | 'unanswered'): number {
  return days.reduce((total, day) => total + day[of], 0);
}
