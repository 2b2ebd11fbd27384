import { isKaizenError } from '../../core/errors';
import type { End, Relation, RelationQuery } from '../../relations';
import type { ArtifactType } from '../vocabulary';
import { AUTHORITY, type Passage } from './evidence';
import type { Inquiry } from './inquiry';

/** Relations that are looked at of each passage. */
const MOST = 50;

export interface RelatedPassage {
  relation: Relation;
  /** At its other end. */
  passage: Passage;
  /** What was found by words, and that the relation leads to. */
  near: Passage;
}

/**
 * What recorded relations lead to from passages. It fits as the passage does, times the relation's confidence. A store
 * that cannot be read is no reason to answer nothing.
 */
export async function relatedBy(
  inquiry: Inquiry,
  passages: readonly Passage[],
  query: Pick<RelationQuery, 'types' | 'direction'>,
): Promise<RelatedPassage[]> {
  const found: RelatedPassage[] = [];
  const seen = new Set<string>();
  for (const near of passages) {
    for (const relation of await relationsOf(inquiry, near.uri, query)) {
      const other = relation.source === near.uri ? relation.target : relation.source;
      if (seen.has(relation.id) || other === near.uri) continue;
      seen.add(relation.id);
      const end = await inquiry.world.relations.resolve(other, inquiry.signal);
      if (end) found.push({ relation, near, passage: ofEnd(inquiry, end, near.semantic * relation.confidence) });
    }
  }
  return found;
}

/** None of an address that relations do not know. */
export async function relationsOf(
  { world, signal, turns }: Inquiry,
  uri: string,
  query: Pick<RelationQuery, 'types' | 'direction'>,
): Promise<Relation[]> {
  await turns.pause();
  try {
    return await world.relations.find({ uri, limit: MOST, ...query, ...(signal ? { signal } : {}) });
  } catch (error) {
    signal?.throwIfAborted();
    if (!isKaizenError(error)) throw error;
    return [];
  }
}

const RECORD_TYPES: Readonly<Record<string, ArtifactType>> = {
  project: 'project',
  template: 'template',
  pattern: 'pattern',
  decision: 'decision',
};

const PLACES: Readonly<Record<string, string>> = {
  entry: 'knowledge',
  node: 'bases',
  note: 'notes',
  document: 'library',
  chunk: 'library',
};

/** An end of a relation as a passage; of a captured record with all that it says. */
export function ofEnd({ world, evidence }: Inquiry, { uri, title, kind }: End, semantic: number): Passage {
  const record = world.learning.find(uri);
  if (record) return evidence.ofRecord(record, semantic);
  return {
    id: uri,
    uri,
    title,
    kind,
    artifact_type: RECORD_TYPES[kind] ?? 'chunk',
    text: title,
    semantic,
    matched: [],
    source: { where: PLACES[kind] ?? 'learning', title },
    authority: AUTHORITY.captured,
  };
}
