import {
  freshness,
  type GuardIndex,
  type GuardPlace,
  type HookEvent,
  type OpenGuardIndex,
  stampsGrew,
} from '../../guard/hooks';

export interface CurrentIndex {
  index: GuardIndex;
  /** Why it is not what the stores say now, in words. */
  outdated?: string | undefined;
}

/** The one that asks. */
export interface Caller {
  event: HookEvent;
  /** Aborted when it can wait no longer. */
  signal: AbortSignal;
}

/** Events that say something of what carries over between sessions; to the others only rules matter. */
const WITH_BRIEF: ReadonlySet<HookEvent> = new Set(['session-start', 'stop']);

/** Whether it says what the stores say now, as far as it matters to the event. */
export async function holds(kept: OpenGuardIndex, place: GuardPlace, event: HookEvent): Promise<boolean> {
  const { holds: part, stamps } = await freshness(kept, place.data);
  if (part === 'all' && stamps && stampsGrew(kept.stamps, stamps)) {
    const { stampAnew } = await import('./keeping-index');
    await stampAnew(place, { ...kept, stamps });
  }
  return part === 'all' || (part === 'rules' && !WITH_BRIEF.has(event));
}
