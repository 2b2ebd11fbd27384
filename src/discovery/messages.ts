import type { BaseStatus } from '../bases';
import type { DiscoveryState, Emptiness } from './model';

/** Why there may be less than one would think, if it is not simply so. */
export function emptinessOf(
  { ready, entries, nodes }: Pick<DiscoveryState, 'ready' | 'entries' | 'nodes'>,
  available: number,
  found: number,
): Emptiness | undefined {
  if (!ready) return 'still_indexing';
  if (found > 0) return undefined;
  return available === 0 && entries + nodes === 0 ? 'nothing_indexed' : 'nothing_relevant';
}

export interface Surroundings extends Pick<DiscoveryState, 'entries' | 'nodes' | 'total'> {
  available: number;
  found: number;
  /** Id of what came nearest where nothing is relevant. */
  nearest?: string | undefined;
  bases: readonly Pick<BaseStatus, 'definition' | 'state'>[];
}

/** What an agent is told: the three kinds of emptiness begin with other words. */
export function emptinessMessage(emptiness: Emptiness, around: Surroundings): string {
  const { entries, nodes, total, available, found, nearest, bases } = around;
  switch (emptiness) {
    case 'nothing_indexed':
      return `Nothing indexed: there are no entries and ${withoutNodes(bases)}. Go on with what you know, say so, and propose to write down what you learn.`;
    case 'still_indexing':
      return `Still indexing (${entries + nodes} of ${Math.max(total, entries + nodes)}): ${found > 0 ? 'there may be more' : 'nothing was found so far'}. Ask again in a few seconds.`;
    case 'nothing_relevant':
      return `Nothing relevant among ${available}${nearest === undefined ? '' : ` (nearest: ${nearest})`}. Try search_knowledge with other words; if that finds nothing either, note the gap.`;
  }
}

function withoutNodes(bases: Surroundings['bases']): string {
  const missing = bases.filter(({ state }) => state === 'missing').map(({ definition: { root } }) => root);
  if (missing.length > 0) return `the knowledge base's folder is not there (${missing.join(', ')})`;
  return bases.length > 0 ? 'no document in the knowledge bases' : 'no knowledge bases yet';
}

/** Of sentences, those that are there. */
export function joined(sentences: readonly (string | undefined)[]): { message?: string } {
  const there = sentences.filter((sentence) => sentence !== undefined && sentence !== '');
  return there.length > 0 ? { message: there.join(' ') } : {};
}
