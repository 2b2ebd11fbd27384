import { describeError } from '../../core/errors';
import {
  freshness,
  type GuardIndex,
  type GuardPlace,
  type HookEvent,
  openGuardIndex,
  stampsGrew,
} from '../../guard/hooks';

export interface CurrentIndex {
  index: GuardIndex;
  /** Why it is not what the stores say now, in words. */
  outdated?: string | undefined;
}

/** Events that say something of what carries over between sessions; to the others only rules matter. */
const WITH_BRIEF: ReadonlySet<HookEvent> = new Set(['session-start', 'stop']);

/**
 * What is known for these stores: the kept index where it still holds, else what the stores say, which is kept for the
 * next call. Where the stores cannot be opened, the kept one is better than none; `anew` says that it turned out to be
 * damaged. Throws what the stores say.
 */
export async function currentIndex(place: GuardPlace, event: HookEvent, anew = false): Promise<CurrentIndex> {
  const kept = anew ? undefined : openGuardIndex(place);
  if (kept) {
    const { holds, stamps } = await freshness(kept, place.data);
    if (holds === 'all' && stamps && stampsGrew(kept.stamps, stamps)) await keep(place, { ...kept, stamps });
    if (holds === 'all' || (holds === 'rules' && !WITH_BRIEF.has(event))) return { index: kept };
  }
  try {
    const index = await readStores(place);
    await keep(place, index);
    return { index };
  } catch (error) {
    if (!kept) throw error;
    return { index: kept, outdated: describeError(error) };
  }
}

/** Slow: opens the databases. Nothing is made or counted beside that. */
async function readStores({ data, shared, project }: GuardPlace): Promise<GuardIndex> {
  const { Kaizen } = await import('../../kaizen');
  const kaizen = new Kaizen({ data, shared, project, keepIndex: false, onReport: () => {}, onLog: () => {} });
  try {
    return await kaizen.guardIndex({ project, shared });
  } finally {
    await kaizen.close();
  }
}

/** Where it cannot be kept, the next call is as slow, and that is all. */
async function keep(place: GuardPlace, index: GuardIndex): Promise<void> {
  const { writeGuardIndex } = await import('../../guard/kept/index-writing');
  await writeGuardIndex(place, index).catch(() => {});
}
