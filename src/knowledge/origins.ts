import { entryUri } from '../core/knowledge-uri';
import type { EntryKey, KnowledgePart, ResolvedEntry, Revision } from './model';

/** That an agent made an entry's last change; told beside its text, wherever agents may read that. */
export interface EntryOrigin {
  by: 'agent';
  /** The MCP client's name. */
  author: string;
}

type OtherRisk = NonNullable<ResolvedEntry['other_risks']>[number];

/** An entry that answers, with who wrote it and each risk of the entries beside it; nothing for what people wrote. */
export type EntryWithOrigin = Omit<ResolvedEntry, 'other_risks'> & {
  origin?: EntryOrigin;
  other_risks?: (OtherRisk & { origin?: EntryOrigin })[];
};

/** The origin of entries whose last change an agent made, by their address; one question to each store. */
export function originsOf(knowledge: KnowledgePart, keys: readonly EntryKey[]): Map<string, EntryOrigin> {
  const latest = knowledge.latestRevisions(keys).filter(({ by_agent }) => by_agent);
  return new Map(latest.map(({ author, ...key }) => [entryUri(key), { by: 'agent', author }]));
}

/** Of a text that an entry holds or held: who wrote the last of these revisions that says it. */
export function originOfText(revisions: readonly Revision[], content: string): EntryOrigin | undefined {
  const last = revisions.findLast((revision) => revision.content === content);
  return last?.by_agent ? { by: 'agent', author: last.author } : undefined;
}

/** The entries, each with its origin, and so each row of `other_risks`, which is a text of another entry. */
export function withOrigins(knowledge: KnowledgePart, entries: readonly ResolvedEntry[]): EntryWithOrigin[] {
  const keyIn = ({ source_scope: scope_id, keyword }: ResolvedEntry, category: string): EntryKey => {
    return { scope_id, category, keyword };
  };
  const keys = entries.flatMap((entry) => {
    const categories = [entry, ...(entry.other_risks ?? [])].map(({ category }) => category);
    return [...new Set(categories)].map((category) => keyIn(entry, category));
  });
  const origins = originsOf(knowledge, keys);
  const tell = <Row extends { category: string }>(row: Row, entry: ResolvedEntry): Row & { origin?: EntryOrigin } => {
    const origin = origins.get(entryUri(keyIn(entry, row.category)));
    return origin ? { ...row, origin } : row;
  };
  return entries.map((entry) => {
    const others = entry.other_risks?.map((risk) => tell(risk, entry));
    return tell(others ? { ...entry, other_risks: others } : entry, entry);
  });
}
