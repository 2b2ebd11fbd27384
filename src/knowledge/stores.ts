import type { Commit, Store } from '../store';
import type { ScopeMap } from './chains';
import type { Tier } from './model';

/** PROJECT scopes live in the workspace's store, all others in the shared one. They may be one and the same. */
export interface Stores {
  workspace: Store;
  shared: Store;
}

export function storeOf(stores: Stores, tier: Tier): Store {
  return tier === 'PROJECT' ? stores.workspace : stores.shared;
}

/** Each store once, with the ids of the scopes that live in it. */
export function scopesOf(stores: Stores, scopes: ScopeMap): { store: Store; ids: string[] }[] {
  const { workspace, shared } = stores;
  return [...new Set([workspace, shared])].map((store) => ({
    store,
    ids: [...scopes.values()].filter(({ tier }) => storeOf(stores, tier) === store).map(({ id }) => id),
  }));
}

/** Runs `action` while no other process can write to either store. The shared one is always taken first. */
export function holdingBoth<T>(
  { workspace, shared }: Stores,
  action: (commits: { workspace: Commit; shared: Commit }) => T,
  signal?: AbortSignal,
): Promise<T> {
  return shared.holding((commitShared) => {
    if (workspace === shared) return action({ workspace: commitShared, shared: commitShared });
    return workspace.holding((commitWorkspace) => action({ workspace: commitWorkspace, shared: commitShared }), signal);
  }, signal);
}
