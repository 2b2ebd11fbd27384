import { isUnchanged } from '../../store/stamps';
import type { GuardIndex } from '../model';

/** Journals that grew by more since an index was made are better not looked through again and again. */
const MUCH = 64 * 1024;

/** What of an index tells whether it still holds. */
export type Standing = Pick<GuardIndex, 'shared' | 'stamps' | 'topics'>;

export interface Freshness {
  /** What of the index is what the stores say now: all of it, the rules but not the brief, or nothing that is known. */
  holds: 'all' | 'rules' | 'nothing';
  /** Where the stores stand now; undefined where that cannot be told. */
  stamps: GuardIndex['stamps'] | undefined;
}

/** By the journals of the stores alone. `data` is the workspace store's directory. Throws what the system says where they may not be read. */
export async function freshness(index: Standing, data: string): Promise<Freshness> {
  const { stamps } = index;
  if (isUnchanged(data, stamps.workspace) && (index.shared === data || isUnchanged(index.shared, stamps.shared))) {
    return { holds: 'all', stamps };
  }
  const { storedSince } = await import('../../store/stored-since');
  const workspace = storedSince(data, index.stamps.workspace);
  const shared = index.shared === data ? workspace : storedSince(index.shared, index.stamps.shared);
  if (!workspace || !shared) return { holds: 'nothing', stamps: undefined };
  const touched = (topics: readonly string[]) =>
    topics.some((topic) => workspace.topics.has(topic) || shared.topics.has(topic));
  const holds = touched(index.topics.rules) ? 'nothing' : touched(index.topics.brief) ? 'rules' : 'all';
  return { holds, stamps: { workspace: workspace.now, shared: shared.now } };
}

/** Whether so much that does not matter was stored since that the index had better be stamped anew. */
export function stampsGrew(before: GuardIndex['stamps'], now: GuardIndex['stamps']): boolean {
  return (['workspace', 'shared'] as const).some((store) => {
    const [old, current] = [before[store], now[store]];
    return current.generation !== old.generation || current.journal - old.journal > MUCH;
  });
}
