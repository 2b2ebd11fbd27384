import { compareText } from '../core/text';
import type { ScopeMap } from './chains';
import { entriesTopic } from './schema';
import { type Stores, scopesOf } from './stores';

/** Entries of each store that are looked at, the latest: suggestions need no more, and it bounds the time that it takes. */
const COUNTED_ENTRIES = 10_000;

/** The metaknowledge keys that entries use, remembered until an entry changes, here or in another process. */
export class MetaknowledgeKeys {
  private remembered: { scopes: ScopeMap; version: number; keys: string[] } | undefined;

  constructor(private readonly stores: Stores) {}

  /** Most frequent first. */
  keys(scopes: ScopeMap): string[] {
    const held = scopesOf(this.stores, scopes);
    let version = 0;
    for (const { store, ids } of held) {
      const reader = store.read();
      for (const id of ids) version += reader.versionOf(entriesTopic(id));
    }
    if (this.remembered?.scopes !== scopes || this.remembered.version !== version) {
      this.remembered = { scopes, version, keys: this.count(held) };
    }
    return this.remembered.keys;
  }

  private count(held: ReturnType<typeof scopesOf>): string[] {
    const counts = new Map<string, number>();
    for (const { store, ids } of held) {
      const rows = store.read().all<{ key: string; entries: number }>(
        `SELECT j.key, count(*) AS entries
         FROM (SELECT metaknowledge FROM entry
               WHERE scope_id IN (SELECT value FROM json_each(?)) AND metaknowledge <> '{}'
               ORDER BY id DESC LIMIT ${COUNTED_ENTRIES}) e, json_each(e.metaknowledge) j
         GROUP BY j.key`,
        [JSON.stringify(ids)],
      );
      for (const { key, entries } of rows) counts.set(key, (counts.get(key) ?? 0) + entries);
    }
    return [...counts].sort(([a, m], [b, n]) => n - m || compareText(a, b)).map(([key]) => key);
  }
}
