import type { GuardIndex, GuardPlace } from '../../guard/hooks';
import { claimBuilding, writeGuardIndex } from '../../guard/kept/index-writing';

/** By one of those that come at once. */
export async function stampAnew(place: GuardPlace, index: GuardIndex): Promise<void> {
  const claim = claimBuilding(place);
  if (typeof claim === 'string') return;
  await keep(place, index);
  claim.release();
}

/** Slow: opens the databases. Nothing is made or counted beside that. */
export async function readStores({ data, shared, project }: GuardPlace): Promise<GuardIndex> {
  const { Kaizen } = await import('../../kaizen');
  const kaizen = new Kaizen({ data, shared, project, keepIndex: false, onReport: () => {}, onLog: () => {} });
  try {
    return await kaizen.guardIndex({ project, shared });
  } finally {
    await kaizen.close();
  }
}

/** Where it cannot be kept, the next call is as slow, and that is all. */
export async function keep(place: GuardPlace, index: GuardIndex): Promise<void> {
  await writeGuardIndex(place, index).catch(() => {});
}
