import type { AgentWrites } from '../mcp';

const FROM_LOOSE_TO_STRICT: readonly AgentWrites[] = ['allow', 'review', 'deny'];

/**
 * The strictest of what person and workspace have set, so that no folder, and no agent that edits its settings, can
 * loosen what the person wants. What is misspelt counts as `deny`.
 * @param values of the setting `kaizen.agentWrites`; undefined where it is not set
 */
export function strictestOf(values: readonly unknown[]): AgentWrites {
  const ranks = values
    .filter((value) => value !== undefined)
    .map((value) => {
      const rank = FROM_LOOSE_TO_STRICT.indexOf(value as AgentWrites);
      return rank < 0 ? FROM_LOOSE_TO_STRICT.length - 1 : rank;
    });
  return FROM_LOOSE_TO_STRICT[Math.max(0, ...ranks)]!;
}
