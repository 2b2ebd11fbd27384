import { KaizenError } from '../core/errors';
import { allOf, type Sentence, sentence } from '../core/sentence';
import { compareText } from '../core/text';
import type { Store, Transaction } from '../store';
import { chainOf, checkScope, checkTier, mayInherit, requireScope, type ScopeMap } from './chains';
import type { Change, Scope, ScopeDefinition, Tier } from './model';
import { checkScopeDescription, checkScopeId, checkScopeName, checkTierName } from './names';
import { SCOPES_TOPIC } from './schema';
import { holdingBoth, type Stores, storeOf } from './stores';

/** The scopes of both stores and the chains that they form (seed 000, "Inheritance Resolution"). */
export class Scopes {
  private cached: { version: number; scopes: Map<string, Scope>; chains: Map<string, Scope[]> } | undefined;

  constructor(private readonly stores: Stores) {}

  all(): ScopeMap {
    return this.current().scopes;
  }

  /** Throws `unknown_scope`, naming the nearest known ids. */
  require(scopeId: string): Scope {
    return requireScope(scopeId, this.all());
  }

  /** The scope and what it inherits from, most specific first: PROJECT, GROUPs by name, PRODUCT, GENERAL. */
  chain(scopeId: string): Scope[] {
    const { scopes, chains } = this.current();
    let chain = chains.get(scopeId);
    if (!chain) {
      chain = chainOf(requireScope(scopeId, scopes), scopes);
      chains.set(scopeId, chain);
    }
    return chain;
  }

  children(scopeId: string): Scope[] {
    return [...this.all().values()].filter((scope) => scope.parents.includes(scopeId));
  }

  /** What is left out keeps its value when the scope exists; the tier of a scope never changes. */
  async define(definition: ScopeDefinition, change: Change): Promise<Scope> {
    const id = checkScopeId(definition.scope_id);
    const tier = checkTierName(definition.tier);
    const name = definition.name === undefined ? undefined : checkScopeName(definition.name);
    const description =
      definition.description === undefined ? undefined : checkScopeDescription(definition.description);
    return holdingBoth(
      this.stores,
      (commits) => {
        const existing = this.all().get(id);
        const scope: Scope = {
          id,
          tier,
          name: name ?? existing?.name ?? id,
          parents: [...new Set(definition.parents ?? existing?.parents ?? [])].sort(compareText),
        };
        const text = description ?? existing?.description;
        if (text) scope.description = text;
        checkTier(scope, existing);
        checkScope(scope, new Map(this.all()).set(id, scope));
        const commit = scope.tier === 'PROJECT' ? commits.workspace : commits.shared;
        if (!change.rehearse) commit((transaction) => writeScope(transaction, scope));
        return scope;
      },
      change.signal,
    );
  }

  /** Throws `confirmation_required` when the scope holds entries or has children and `confirmed` is not set. */
  async delete(
    scopeId: string,
    confirmed: boolean,
    change: Change,
    deleteEntries: (transaction: Transaction) => void,
  ): Promise<void> {
    // Nobody waits for what is not there, and no folder is made for it.
    this.require(scopeId);
    return holdingBoth(
      this.stores,
      (commits) => {
        const scope = this.require(scopeId);
        const children = this.children(scopeId);
        const [count] = storeOf(this.stores, scope.tier)
          .read()
          .all<{ entries: number }>('SELECT coalesce(sum(entries), 0) AS entries FROM category WHERE scope_id = ?', [
            scopeId,
          ]);
        const entries = count?.entries ?? 0;
        if (!confirmed && (entries > 0 || children.length > 0)) {
          const held = [
            ...(entries > 0 ? [entries === 1 ? sentence('1 entry') : sentence('{0} entries', entries)] : []),
            ...(children.length > 0 ? [childrenSaid(children)] : []),
          ];
          throw new KaizenError(
            'confirmation_required',
            sentence('The scope "{0}" holds {1}.', scopeId, allOf(held)),
            sentence('Confirm to delete it with its entries; children stay and no longer inherit from it.'),
          );
        }
        // A child in the other store lets go first: killed in between, nothing points at a scope that is gone.
        const orphan = (transaction: Transaction) => {
          transaction.run('DELETE FROM scope_parent WHERE parent_id = ?', [scopeId]);
          transaction.touch(SCOPES_TOPIC);
        };
        const inWorkspace = scope.tier === 'PROJECT';
        if (!inWorkspace && children.some(({ tier }) => tier === 'PROJECT') && commits.workspace !== commits.shared) {
          commits.workspace(orphan);
        }
        (inWorkspace ? commits.workspace : commits.shared)((transaction) => {
          orphan(transaction);
          deleteEntries(transaction);
          transaction.run('DELETE FROM category WHERE scope_id = ?', [scopeId]);
          transaction.run('DELETE FROM scope WHERE id = ?', [scopeId]);
        });
      },
      change.signal,
    );
  }

  private current(): { scopes: Map<string, Scope>; chains: Map<string, Scope[]> } {
    const { workspace, shared } = this.stores;
    const version = workspace.read().versionOf(SCOPES_TOPIC) + shared.read().versionOf(SCOPES_TOPIC);
    if (this.cached?.version !== version) {
      // A shared scope that took an id of this workspace's in another window gives way to it.
      const scopes = new Map(readScopes(this.stores).map((scope) => [scope.id, scope]));
      // So does a parent that was deleted or is of another tier now, again in another window: it is passed over.
      for (const scope of scopes.values()) {
        scope.parents = scope.parents.filter((id) => mayInherit(scope.tier, scopes.get(id)?.tier ?? scope.tier));
      }
      this.cached = { version, scopes, chains: new Map() };
    }
    return this.cached;
  }
}

/** Each store counts for the scopes that live in it only: it may have served as both in another set-up. */
function readScopes(stores: Stores): Scope[] {
  const { workspace, shared } = stores;
  if (workspace === shared) return readAll(shared);
  return [shared, workspace].flatMap((store) => readAll(store).filter(({ tier }) => storeOf(stores, tier) === store));
}

function readAll(store: Store): Scope[] {
  const reader = store.read();
  const parents = new Map<string, string[]>();
  for (const { scope_id, parent_id } of reader.all<{ scope_id: string; parent_id: string }>(
    'SELECT scope_id, parent_id FROM scope_parent',
  )) {
    const list = parents.get(scope_id);
    if (list) list.push(parent_id);
    else parents.set(scope_id, [parent_id]);
  }
  return reader
    .all<{ id: string; tier: Tier; name: string; description: string | null }>(
      'SELECT id, tier, name, description FROM scope',
    )
    .map(({ id, tier, name, description }) => ({
      id,
      tier,
      name,
      ...(description ? { description } : {}),
      parents: (parents.get(id) ?? []).sort(compareText),
    }));
}

/** Writes the definition as it is. */
export function writeScope(transaction: Transaction, scope: Scope): void {
  transaction.run(
    `INSERT INTO scope (id, tier, name, description) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET tier = excluded.tier, name = excluded.name, description = excluded.description`,
    [scope.id, scope.tier, scope.name, scope.description ?? null],
  );
  transaction.run('DELETE FROM scope_parent WHERE scope_id = ?', [scope.id]);
  for (const parent of scope.parents) {
    transaction.run('INSERT INTO scope_parent (scope_id, parent_id) VALUES (?, ?)', [scope.id, parent]);
  }
  transaction.touch(SCOPES_TOPIC);
}

function childrenSaid(children: readonly Scope[]): Sentence {
  const ids = children.map(({ id }) => `"${id}"`).join(', ');
  return children.length === 1 ? sentence('the child {0}', ids) : sentence('the children {0}', ids);
}
