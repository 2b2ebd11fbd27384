import { type EffectiveEntry, type FoundEntry, type ScopeListing, type StoredEntry, TIERS } from '../../knowledge';
import { type CategoryNode, type EntryNode, keyId, type ScopeNode, type TierNode } from './nodes';

/** The most specific tier first, as it wins. */
const SHOWN_TIERS = [...TIERS].reverse();

/** The tiers that have scopes. */
export function tierNodes(scopes: readonly ScopeListing[], prefix = ''): TierNode[] {
  return SHOWN_TIERS.filter((tier) => scopes.some((scope) => scope.tier === tier)).map((tier) => ({
    kind: 'tier',
    id: `${prefix}tier/${tier}`,
    tier,
  }));
}

export function scopeNode(scope: ScopeListing, parent: TierNode, prefix = '', risks?: number): ScopeNode {
  return { kind: 'scope', id: `${prefix}scope/${scope.scope_id}`, parent, scope, risks };
}

/** A category as the knowledge lists it, with how many risks stand in it where that is known. */
interface Listed {
  category: string;
  entries: number;
  risks?: number | undefined;
}

export function categoryNode({ category, entries, risks }: Listed, parent: ScopeNode, prefix = ''): CategoryNode {
  const { scope_id } = parent.scope;
  return {
    kind: 'category',
    id: `${prefix}category/${scope_id}\u0001${category}`,
    parent,
    scope_id,
    category,
    entries,
    risks,
  };
}

export function entryNode(
  entry: StoredEntry,
  parent: CategoryNode,
  tier: ScopeListing['tier'],
  prefix = '',
): EntryNode {
  return { kind: 'entry', id: `${prefix}entry/${keyId(entry)}`, parent, entry, tier };
}

export function effectiveCategoryNode(
  { category, entries, risks }: Listed,
  project: string,
  prefix = '',
): CategoryNode {
  const id = `${prefix}effective/${project}\u0001${category}`;
  return { kind: 'category', id, scope_id: project, category, entries, risks, effective: true };
}

/** The entry that holds; what it overrides is below it. */
export function effectiveEntryNode(found: EffectiveEntry, parent: CategoryNode, prefix = ''): EntryNode {
  const { keyword, category, source_scope, source_tier, content, metaknowledge, risks, overrides } = found;
  const entry = { scope_id: source_scope, category, keyword, content, metaknowledge, risks };
  const id = `${prefix}effective-entry/${parent.scope_id}\u0001${keyId(entry)}`;
  return { kind: 'entry', id, parent, entry, tier: source_tier, overrides };
}

export function overriddenNode(entry: StoredEntry, tier: ScopeListing['tier'], parent: EntryNode): EntryNode {
  return { kind: 'entry', id: `${parent.id}\u0001${keyId(entry)}`, parent, entry, tier, overridden: true };
}

/** The tree of what a filter found: only what leads to a hit, everything below known already. */
export function treeOfHits(hits: readonly FoundEntry[], scopes: readonly ScopeListing[]): TierNode[] {
  const byScope = groupBy(hits, ({ scope_id }) => scope_id);
  const held = scopes.filter(({ scope_id }) => byScope.has(scope_id));
  const tiers = tierNodes(held, FILTERED);
  for (const tier of tiers) {
    const own = held.filter((scope) => scope.tier === tier.tier);
    tier.children = own.map((scope) => {
      const found = byScope.get(scope.scope_id) ?? [];
      const node = { ...scopeNode(scope, tier, FILTERED), found: found.length };
      node.children = sortedGroups(found).map(([category, entries]) => {
        const below = categoryNode({ category, entries: entries.length }, node, FILTERED);
        below.children = entries.map((entry) => entryNode(entry, below, scope.tier, FILTERED));
        return below;
      });
      return node;
    });
  }
  return tiers;
}

/** The same for the effective view. */
export function effectiveTreeOfHits(hits: readonly EffectiveEntry[], project: string): CategoryNode[] {
  return sortedGroups(hits).map(([category, entries]) => {
    const node = effectiveCategoryNode({ category, entries: entries.length }, project, FILTERED);
    node.children = entries.map((entry) => effectiveEntryNode(entry, node, FILTERED));
    return node;
  });
}

/** What a filter unfolded is told apart from what the person did. */
const FILTERED = 'filtered/';

/** By category, both sorted by name. */
function sortedGroups<T extends { category: string; keyword: string }>(hits: readonly T[]): [string, T[]][] {
  const groups = [...groupBy(hits, ({ category }) => category)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [, entries] of groups) entries.sort((a, b) => (a.keyword < b.keyword ? -1 : 1));
  return groups;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
