import type { KnowledgePart } from '../../knowledge';
import { effectiveTreeOfHits, treeOfHits } from './branches';
import { type KnowledgeNode, keyId } from './nodes';

/** What a filter leaves of the tree. */
export interface Filtered {
  nodes: KnowledgeNode[];
  query: string;
  found: number;
  /** Of how many entries. */
  total: number;
  /** Whether there may be more than are shown. */
  limited: boolean;
}

/** More are of no use to a person, who types another word then. */
const MOST_HITS = 500;

/** Lets others have their turn between finding and putting together.
 * @param project whose effective knowledge is filtered; everything is when it is left out */
export async function filteredKnowledge(knowledge: KnowledgePart, query: string, project?: string): Promise<Filtered> {
  const hits = knowledge.find(query, MOST_HITS);
  const limited = hits.length === MOST_HITS;
  await new Promise((resolve) => setImmediate(resolve));
  const scopes = knowledge.listScopes();
  if (project === undefined) {
    const total = scopes.reduce((sum, { entry_count }) => sum + entry_count, 0);
    return { nodes: treeOfHits(hits, scopes), query, found: hits.length, total, limited };
  }
  const wanted = new Set(hits.map(keyId));
  const effective = knowledge
    .effectiveFor(
      project,
      hits.map(({ keyword }) => keyword),
    )
    .flatMap((entry) => {
      const key = { ...entry, scope_id: entry.source_scope };
      return wanted.has(keyId(key)) ? [{ ...entry, overrides: knowledge.standing(key, project).overrides }] : [];
    });
  const categories = knowledge.effectiveCategories(project);
  const total = categories.reduce((sum, { entries }) => sum + entries, 0);
  return { nodes: effectiveTreeOfHits(effective, project), query, found: effective.length, total, limited };
}
