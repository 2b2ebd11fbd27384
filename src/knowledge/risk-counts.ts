import type { Scope } from './model';
import { type Stores, scopesOf } from './stores';

/** See `KnowledgePart.riskCounts`. By the index of the entries with a risk: what carries none costs nothing. */
export function countRisks(
  stores: Stores,
  scopes: ReadonlyMap<string, Scope>,
): { scope_id: string; category: string; risks: number }[] {
  return scopesOf(stores, scopes).flatMap(({ store, ids }) =>
    store.read().all<{ scope_id: string; category: string; risks: number }>(
      `SELECT c.scope_id, c.name AS category, sum(e.risks) AS risks
       FROM entry e JOIN category c ON c.id = e.category_id
       WHERE e.risks > 0 AND e.scope_id IN (SELECT value FROM json_each(?)) GROUP BY c.id`,
      [JSON.stringify(ids)],
    ),
  );
}
