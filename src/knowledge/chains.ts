import { KaizenError } from '../core/errors';
import { allOf, anyOf, sentence } from '../core/sentence';
import { compareText } from '../core/text';
import type { Scope, Tier } from './model';
import { nearest } from './names';

/** Scopes by their ids. */
export type ScopeMap = ReadonlyMap<string, Scope>;

const RANK: Record<Tier, number> = { PROJECT: 0, GROUP: 1, PRODUCT: 2, GENERAL: 3 };

/**
 * What may stand above a scope of each tier, GENERAL aside, which stands above all of them. A parent's tier is always
 * a higher one, so no cycle can come about.
 */
const PARENT_TIERS: Record<Tier, readonly Tier[]> = {
  GENERAL: [],
  PRODUCT: ['GENERAL'],
  GROUP: ['PRODUCT', 'GENERAL'],
  PROJECT: ['GROUP', 'PRODUCT', 'GENERAL'],
};

/** Whether a scope of tier `tier` may name one of tier `parent` as a parent. */
export function mayInherit(tier: Tier, parent: Tier): boolean {
  return PARENT_TIERS[tier].includes(parent);
}

/**
 * The scope and what it inherits from, most specific first: PROJECT, GROUPs by name, PRODUCT, GENERAL (seed 000,
 * "Inheritance Resolution"). A parent that is gone is passed over.
 */
export function chainOf(scope: Scope, scopes: ScopeMap): Scope[] {
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

/** Throws `conflict` when the id is taken by a scope of another tier. */
export function checkTier(scope: Scope, existing: Scope | undefined): void {
  if (!existing || existing.tier === scope.tier) return;
  throw new KaizenError(
    'conflict',
    sentence('There is a scope "{0}" already, of tier {1}.', scope.id, existing.tier),
    sentence('Ids are unique over all tiers, and the tier of a scope cannot change: choose another id.'),
  );
}

/** Throws unless `scope` may stand among `scopes`, which already hold it as it is to be. */
export function checkScope(scope: Scope, scopes: ScopeMap): void {
  if (scope.tier === 'GENERAL') checkOnlyGeneral(scope, scopes);
  for (const id of scope.parents) checkParent(scope, id, scopes);
  // Redefining a group may give a second product to a project that belongs to it, so those are looked at as well.
  checkProducts(scope, scopes);
  for (const each of scopes.values()) if (each.parents.includes(scope.id)) checkProducts(each, scopes);
}

function checkOnlyGeneral(scope: Scope, scopes: ScopeMap): void {
  for (const other of scopes.values()) {
    if (other.tier !== 'GENERAL' || other.id === scope.id) continue;
    throw new KaizenError(
      'conflict',
      sentence('There is a GENERAL scope already: "{0}".', other.id),
      sentence('At most one can exist; store what holds everywhere in it.'),
    );
  }
}

function checkParent(scope: Scope, id: string, scopes: ScopeMap): void {
  if (id === scope.id) {
    throw new KaizenError(
      'invalid_argument',
      sentence('The scope "{0}" cannot inherit from itself: that would be a cycle.', scope.id),
    );
  }
  const parent = scopes.get(id);
  // The scope itself is no help to who looks for a parent.
  if (!parent)
    throw unknownScope(
      id,
      [...scopes.keys()].filter((known) => known !== scope.id),
    );
  if (mayInherit(scope.tier, parent.tier)) return;
  const allowed = PARENT_TIERS[scope.tier];
  throw new KaizenError(
    'wrong_tier',
    sentence('A {0} scope cannot have the {1} scope "{2}" as a parent.', scope.tier, parent.tier, parent.id),
    allowed.length > 0
      ? sentence('Its parents can be of tier {0}.', allowed.join(', '))
      : sentence('GENERAL stands above all others and has no parents.'),
  );
}

function checkProducts(scope: Scope, scopes: ScopeMap): void {
  const products = chainOf(scope, scopes).filter(({ tier }) => tier === 'PRODUCT');
  if (products.length < 2) return;
  throw new KaizenError(
    'conflict',
    sentence(
      '"{0}" would inherit from {1} products: {2}.',
      scope.id,
      products.length,
      allOf(products.map(({ id }) => `"${id}"`)),
    ),
    sentence('A chain holds at most one PRODUCT: leave one of them out of the parents.'),
  );
}

/** Throws `unknown_scope`, naming the nearest known ids. */
export function requireScope(scopeId: string, scopes: ScopeMap): Scope {
  const scope = scopes.get(scopeId);
  if (!scope) throw unknownScope(scopeId, scopes.keys());
  return scope;
}

/** Says that there is no such scope, and which of the known ones come close. */
function unknownScope(scopeId: string, knownIds: Iterable<string>): KaizenError {
  const known = [...knownIds].sort(compareText);
  const near = nearest(scopeId, known);
  const hint =
    known.length === 0
      ? sentence('No scope is defined yet: define it first.')
      : near.length > 0
        ? sentence('Did you mean {0}?', anyOf(near.map((id) => `"${id}"`)))
        : sentence(
            'Known scopes: {0}.',
            `${known
              .slice(0, 10)
              .map((id) => `"${id}"`)
              .join(', ')}${known.length > 10 ? ', …' : ''}`,
          );
  return new KaizenError('unknown_scope', sentence('There is no scope "{0}".', scopeId), hint);
}
