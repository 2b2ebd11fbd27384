import type { BaseStatus } from '../bases';
import type { Sentence } from '../core/sentence';
import type { DiscoveryState, Emptiness, NoteSearchRequest } from './model';

/** Why there may be less than one would think, if it is not simply so. */
export function emptinessOf(
  { ready, entries, nodes, notes }: Pick<DiscoveryState, 'ready' | 'entries' | 'nodes' | 'notes'>,
  available: number,
  found: number,
): Emptiness | undefined {
  if (!ready) return 'still_indexing';
  if (found > 0) return undefined;
  return available === 0 && entries + nodes + notes === 0 ? 'nothing_indexed' : 'nothing_relevant';
}

export interface Surroundings extends Pick<DiscoveryState, 'entries' | 'nodes' | 'notes' | 'total'> {
  available: number;
  found: number;
  /** Id of what came nearest where nothing is relevant. */
  nearest?: string | undefined;
  bases: readonly Pick<BaseStatus, 'definition' | 'state'>[];
  /** Whether there are folders for notes. */
  hasSpaces: boolean;
}

/** What an agent is told: the three kinds of emptiness begin with other words. */
export function emptinessMessage(emptiness: Emptiness, around: Surroundings): string {
  const { entries, nodes, notes, total, available, found, nearest, bases, hasSpaces } = around;
  const indexed = entries + nodes + notes;
  switch (emptiness) {
    case 'nothing_indexed':
      return `Nothing indexed: there are no entries${hasSpaces ? ', no notes' : ''} and ${withoutNodes(bases)}. Go on with what you know, say so, and propose to write down what you learn.`;
    case 'still_indexing':
      return `Still indexing (${indexed} of ${Math.max(total, indexed)}): ${found > 0 ? 'there may be more' : 'nothing was found so far'}. Ask again in a few seconds.`;
    case 'nothing_relevant':
      return `Nothing relevant among ${available}${nearest === undefined ? '' : ` (nearest: ${nearest})`}. Try search_knowledge with other words; if that finds nothing either, note the gap.`;
  }
}

function withoutNodes(bases: Surroundings['bases']): string {
  const missing = bases.filter(({ state }) => state === 'missing').map(({ definition: { root } }) => root);
  if (missing.length > 0) return `the knowledge base's folder is not there (${missing.join(', ')})`;
  return bases.length > 0 ? 'no document in the knowledge bases' : 'no knowledge bases yet';
}

export interface NotesAround extends Pick<NoteSearchRequest, 'sources'> {
  /** Whether the spaces have been indexed. */
  ready: boolean;
  notes: number;
  roots: readonly string[];
  hasRegistry: boolean;
  found: number;
}

/** The same for a search of notes: in what was searched, and where else one could look. */
export function notesMessage({ ready, notes, roots, hasRegistry, found, sources }: NotesAround): string | undefined {
  const isLocal = sources.includes('local');
  const isShared = sources.includes('registry');
  if (isLocal && !ready) {
    return `Still indexing (${notes} notes so far): ${found > 0 ? 'there may be more' : 'nothing was found so far'}. Ask again in a few seconds.`;
  }
  if (found > 0) return undefined;
  const elsewhere =
    isLocal && !isShared && hasRegistry
      ? ' With source ["local", "registry"] the team\'s registry is asked as well.'
      : '';
  if (isLocal && !isShared && notes === 0) {
    const where = roots.length > 0 ? ` in ${roots.join(' or ')}` : ': no folder for them is set up';
    return `Nothing indexed: there are no notes${where}.${elsewhere}`;
  }
  const among = [...(isLocal ? [`${notes} notes`] : []), ...(isShared ? ["the registry's"] : [])].join(' and ');
  return `Nothing relevant among ${among}. Try other words, or fewer filters.${elsewhere}`;
}

/** Of sentences, those that are there. */
export function joined(sentences: readonly (Sentence | string | undefined)[]): { message?: string } {
  const there = sentences.filter((sentence) => sentence !== undefined && sentence !== '');
  return there.length > 0 ? { message: there.join(' ') } : {};
}
