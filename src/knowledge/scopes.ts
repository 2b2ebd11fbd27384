import { KaizenError } from '../core/errors';
import { compareText } from '../core/text';
import type { Transaction } from '../store';
import type { Change, Scope, ScopeDefinition, Tier } from './model';
import { checkScopeDescription, checkScopeId, checkScopeName, nearest } from './names';
import { entriesTopic, SCOPES_TOPIC } from './schema';
import { holdingBoth, type Stores, storeOf } from './stores';

const RANK: Record<Tier, number> = { PROJECT: 0, GROUP: 1, PRODUCT: 2, GENERAL: 3 };

/** What may stand above a scope of each tier, GENERAL aside, which stands above all of them. */
const PARENT_TIERS: Record<Tier, readonly Tier[]> = {
  GENERAL: [],
  PRODUCT: ['GENERAL'],
  GROUP: ['PRODUCT', 'GENERAL'],
  PROJECT: ['GROUP', 'PRODUCT', 'GENERAL'],
};

/** The scopes of both stores and the chains that they form (seed 000, "Inheritance Resolution"). */
export class Scopes {
  private cached: { version: number; scopes: Map<string, Scope>; chains: Map<string, Scope[]> } | undefined;

  constructor(private readonly stores: Stores) {}

  all(): ReadonlyMap<string, Scope> {
    return this.current().scopes;
  }

  /** Throws `unknown_scope`, naming the nearest known ids. */
  require(scopeId: string): Scope {
    const scope = this.all().get(scopeId);
    if (!scope) throw this.unknown(scopeId);
    return scope;
  }

  /** The scope and what it inherits from, most specific first: PROJECT, GROUPs by name, PRODUCT, GENERAL. */
  chain(scopeId: string): Scope[] {
    const { scopes, chains } = this.current();
    let chain = chains.get(scopeId);
    if (!chain) {
      const scope = scopes.get(scopeId);
      if (!scope) throw this.unknown(scopeId);
      chain = chainOf(scope, scopes);
      chains.set(scopeId, chain);
    }
    return chain;
  }

  children(scopeId: string): Scope[] {
    return [...this.all().values()].filter((scope) => scope.parents.includes(scopeId));
  }

  /** What is left out keeps its value when the scope exists; the tier of a scope never changes. */
  define(definition: ScopeDefinition, change: Change): Promise<Scope> {
    const id = checkScopeId(definition.scope_id);
    const name = definition.name === undefined ? undefined : checkScopeName(definition.name);
    const description =
      definition.description === undefined ? undefined : checkScopeDescription(definition.description);
    return holdingBoth(
      this.stores,
      (commits) => {
        const existing = this.all().get(id);
        const scope: Scope = {
          id,
          tier: definition.tier,
          name: name ?? existing?.name ?? id,
          parents: [...new Set(definition.parents ?? existing?.parents ?? [])].sort(compareText),
        };
        const text = description ?? existing?.description;
        if (text) scope.description = text;
        this.check(scope, existing);
        const commit = scope.tier === 'PROJECT' ? commits.workspace : commits.shared;
        commit((transaction) => write(transaction, scope));
        return scope;
      },
      change.signal,
    );
  }

  private check(scope: Scope, existing: Scope | undefined): void {
    const scopes = this.all();
    if (existing && existing.tier !== scope.tier) {
      throw new KaizenError(
        'conflict',
        `There is a scope "${scope.id}" already, of tier ${existing.tier}.`,
        'Ids are unique over all tiers, and the tier of a scope cannot change: choose another id.',
      );
    }
    if (scope.tier === 'GENERAL') {
      const other = [...scopes.values()].find(({ tier, id }) => tier === 'GENERAL' && id !== scope.id);
      if (other) {
        throw new KaizenError(
          'conflict',
          `There is a GENERAL scope already: "${other.id}".`,
          'At most one can exist; store what holds everywhere in it.',
        );
      }
    }
    const parents = scope.parents.map((id) => {
      if (id === scope.id) {
        throw new KaizenError(
          'invalid_argument',
          `The scope "${scope.id}" cannot inherit from itself: that would be a cycle.`,
        );
      }
      return this.require(id);
    });
    for (const parent of parents) {
      if (!PARENT_TIERS[scope.tier].includes(parent.tier)) {
        const allowed = PARENT_TIERS[scope.tier];
        throw new KaizenError(
          'wrong_tier',
          `A ${scope.tier} scope cannot have the ${parent.tier} scope "${parent.id}" as a parent.`,
          allowed.length > 0
            ? `Its parents can be of tier ${allowed.join(', ')}.`
            : 'GENERAL stands above all others and has no parents.',
        );
      }
    }
    // Redefining a group may give a second product to a project that belongs to it, so those are looked at as well.
    const changed = new Map(scopes).set(scope.id, scope);
    const affected = [scope, ...[...scopes.values()].filter(({ parents }) => parents.includes(scope.id))];
    for (const each of affected) {
      const products = chainOf(each, changed).filter(({ tier }) => tier === 'PRODUCT');
      if (products.length > 1) {
        throw new KaizenError(
          'conflict',
          `"${each.id}" would inherit from ${products.length} products: ${products.map(({ id }) => `"${id}"`).join(' and ')}.`,
          'A chain holds at most one PRODUCT: leave one of them out of the parents.',
        );
      }
    }
  }

  /** Throws `confirmation_required` when the scope holds entries or has children and `confirmed` is not set. */
  delete(
    scopeId: string,
    confirmed: boolean,
    change: Change,
    deleteEntries: (transaction: Transaction) => void,
  ): Promise<void> {
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
            entries > 0 ? `${entries} ${entries === 1 ? 'entry' : 'entries'}` : '',
            children.length > 0
              ? `${children.length === 1 ? 'the child' : 'the children'} ${children.map(({ id }) => `"${id}"`).join(', ')}`
              : '',
          ].filter(Boolean);
          throw new KaizenError(
            'confirmation_required',
            `The scope "${scopeId}" holds ${held.join(' and ')}.`,
            'Confirm to delete it with its entries; children stay and no longer inherit from it.',
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
          transaction.touch(entriesTopic(scopeId));
        });
      },
      change.signal,
    );
  }

  unknown(scopeId: string): KaizenError {
    const known = [...this.all().keys()].sort(compareText);
    const near = nearest(scopeId, known);
    const hint =
      known.length === 0
        ? 'No scope is defined yet: define one first (define_scope).'
        : near.length > 0
          ? `Did you mean ${near.map((id) => `"${id}"`).join(' or ')}?`
          : `Known scopes: ${known
              .slice(0, 10)
              .map((id) => `"${id}"`)
              .join(', ')}${known.length > 10 ? ', …' : ''}.`;
    return new KaizenError('unknown_scope', `There is no scope "${scopeId}".`, hint);
  }

  private current(): { scopes: Map<string, Scope>; chains: Map<string, Scope[]> } {
    const { workspace, shared } = this.stores;
    const version = workspace.read().versionOf(SCOPES_TOPIC) + shared.read().versionOf(SCOPES_TOPIC);
    if (this.cached?.version !== version) {
      // A shared scope that took an id of this workspace's in another window gives way to it.
      const scopes = new Map([...readAll(shared), ...readAll(workspace)].map((scope) => [scope.id, scope]));
      this.cached = { version, scopes, chains: new Map() };
    }
    return this.cached;
  }
}

function readAll(store: Stores['workspace']): Scope[] {
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

function write(transaction: Transaction, scope: Scope): void {
  transaction.run(
    `INSERT INTO scope (id, tier, name, description) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description`,
    [scope.id, scope.tier, scope.name, scope.description ?? null],
  );
  transaction.run('DELETE FROM scope_parent WHERE scope_id = ?', [scope.id]);
  for (const parent of scope.parents) {
    transaction.run('INSERT INTO scope_parent (scope_id, parent_id) VALUES (?, ?)', [scope.id, parent]);
  }
  transaction.touch(SCOPES_TOPIC);
}

/** A parent that is gone (deleted in another workspace's window) is passed over. */
function chainOf(scope: Scope, scopes: ReadonlyMap<string, Scope>): Scope[] {
  const found = new Map<string, Scope>([[scope.id, scope]]);
  const visit = (each: Scope) => {
    for (const id of each.parents) {
      const parent = scopes.get(id);
      if (!parent || found.has(id)) continue;
      found.set(id, parent);
      visit(parent);
    }
  };
  visit(scope);
  if (scope.tier !== 'GENERAL') {
    for (const each of scopes.values()) if (each.tier === 'GENERAL') found.set(each.id, each);
  }
  return [...found.values()].sort(
    (a, b) => RANK[a.tier] - RANK[b.tier] || compareText(a.name, b.name) || compareText(a.id, b.id),
  );
}
