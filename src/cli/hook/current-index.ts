import { type GuardPlace, openGuardIndex } from '../../guard/hooks';
import { type Caller, type CurrentIndex, holds } from './holding';

/**
 * What is known for these stores: the kept index where it still holds, else what the stores say, which is kept for the
 * next call. Of calls that come at once one reads the stores, and the others answer from what it leaves. Where the stores
 * cannot be opened, or not in time, the kept one is better than none; `anew` says that it turned out to be damaged. Throws
 * what the stores say, and the signal's reason.
 */
export async function currentIndex(place: GuardPlace, caller: Caller, anew = false): Promise<CurrentIndex> {
  const kept = anew ? undefined : openGuardIndex(place);
  if (kept && (await holds(kept, place, caller.event))) return { index: kept };
  const { Making } = await import('./making-index');
  return new Making(place, caller, kept).index();
}
