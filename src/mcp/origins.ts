import type { EntryKey, KnowledgePart, ResolvedEntry } from '../knowledge';

/** Who wrote what an answer quotes, where that was no person of the team by their own hand. */
export interface Origin {
  by: 'agent';
  /** The MCP client's name. */
  author: string;
}

/** The origin of entries whose last change an agent made; one question to each store. */
export function originsOf(knowledge: KnowledgePart, keys: readonly EntryKey[]): Map<string, Origin> {
  const latest = knowledge.latestRevisions(keys).filter(({ by_agent }) => by_agent);
  return new Map(latest.map(({ author, ...key }) => [keyOf(key), { by: 'agent', author }]));
}

/** The entries, each that an agent wrote with its origin: additive, so that the seed's form stays. */
export function withOrigins<Entry extends ResolvedEntry>(
  knowledge: KnowledgePart,
  entries: readonly Entry[],
): (Entry & { origin?: Origin })[] {
  const keyed = entries.map((entry) => {
    const { source_scope, category, keyword } = entry;
    return { entry, key: { scope_id: source_scope, category, keyword } };
  });
  const origins = originsOf(
    knowledge,
    keyed.map(({ key }) => key),
  );
  return keyed.map(({ entry, key }) => {
    const origin = origins.get(keyOf(key));
    return origin ? { ...entry, origin } : entry;
  });
}

function keyOf({ scope_id, category, keyword }: EntryKey): string {
  return JSON.stringify([scope_id, category, keyword]);
}
