import { compareText } from '../core/text';
import type { Scope } from './model';
import { type Stores, scopesOf } from './stores';

/** The keywords that are in effect in each category of a chain: both sorted. */
export type EffectiveIndex = ReadonlyMap<string, readonly string[]>;

/**
 * Each keyword of the chain under the categories in which it is in effect: all those of the first scope that holds it,
 * in the chain's order. An entry in another category of the same scope stands beside it and is not overridden.
 *
 * Every keyword comes out of SQLite in one text for its category: a row for each would cost several times as much.
 */
export function readEffective(stores: Stores, chain: readonly Scope[]): EffectiveIndex {
  const rank = new Map(chain.map(({ id }, index) => [id, index]));
  const scopes = new Map(chain.map((scope) => [scope.id, scope]));
  const held = scopesOf(stores, scopes)
    .flatMap(({ store, ids }) =>
      store.read().all<{ scope_id: string; category: string; keywords: string }>(
        `SELECT c.scope_id, c.name AS category,
           (SELECT json_group_array(e.keyword) FROM entry e WHERE e.category_id = c.id) AS keywords
         FROM category c WHERE c.entries > 0 AND c.scope_id IN (SELECT value FROM json_each(?))`,
        [JSON.stringify(ids)],
      ),
    )
    .sort((a, b) => rank.get(a.scope_id)! - rank.get(b.scope_id)! || compareText(a.category, b.category));
  const seen = new Map<string, string>();
  const effective = new Map<string, string[]>();
  for (const { scope_id, category, keywords } of held) {
    const fresh = (JSON.parse(keywords) as string[]).filter((keyword) => (seen.get(keyword) ?? scope_id) === scope_id);
    if (fresh.length === 0) continue;
    for (const keyword of fresh) seen.set(keyword, scope_id);
    const others = effective.get(category);
    if (others) others.push(...fresh);
    else effective.set(category, fresh);
  }
  const sorted = [...effective].sort(([a], [b]) => compareText(a, b));
  for (const [, keywords] of sorted) keywords.sort(compareText);
  return new Map(sorted);
}
