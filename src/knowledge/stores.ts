import { type BigIntStats, statSync } from 'node:fs';
import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
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

/**
 * Runs `action` while no other process can write to either store. The shared one is always taken first.
 * Throws `invalid_argument` where both turn out to lie in one directory, which would wait for itself.
 */
export function holdingBoth<T>(
  { workspace, shared }: Stores,
  action: (commits: { workspace: Commit; shared: Commit }) => T,
  signal?: AbortSignal,
): Promise<T> {
  return shared.holding((commitShared) => {
    if (workspace === shared) return action({ workspace: commitShared, shared: commitShared });
    requireApart(workspace.directory, shared.directory);
    return workspace.holding((commitWorkspace) => action({ workspace: commitWorkspace, shared: commitShared }), signal);
  }, signal);
}

/**
 * Names that differ may lead to one directory all the same, where the system does not tell upper case from lower. Whether
 * they do is certain once it is there, as it is when one of its locks is held.
 */
function requireApart(workspace: string, shared: string): void {
  const [one, other] = [workspace, shared].map(statOf);
  if (!one || !other || one.dev !== other.dev || one.ino !== other.ino) return;
  throw new KaizenError(
    'invalid_argument',
    sentence("The workspace's store {0} and the shared store {1} are one folder under two names.", workspace, shared),
    sentence('Give both the same name, or each a folder of its own.'),
  );
}

/** Undefined where it is not there, and where it cannot be told: what is done with it then says why. */
function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}
