import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import type { Session } from '../../postgres';
import { COLLECTION_TYPES, type Collection, type CollectionInput } from '../vocabulary';

interface CollectionRow {
  id: string;
  name: string;
  description: string;
  collection_type: string;
  zettel_ids: string[];
}

const MOST = 1_000;
const MAX_ENTRIES = 10_000;

const SELECT = `
  SELECT c.id, c.name, c.description, c.collection_type,
    coalesce((
      SELECT array_agg(m.zettel_id ORDER BY m.position)
      FROM kaizen.knowledge_collection_entries m WHERE m.collection_id = c.id
    ), '{}') AS zettel_ids
  FROM kaizen.knowledge_collections c`;

/** Sorted by name. */
export async function listCollections(session: Session): Promise<Collection[]> {
  const rows = await session.query<CollectionRow>(`${SELECT} ORDER BY lower(c.name), c.id LIMIT ${MOST}`);
  return rows.map(collectionOf);
}

/** By its id first, then by its name without regard to case. */
export async function findCollection(session: Session, idOrName: string): Promise<Collection | undefined> {
  const [row] = await session.query<CollectionRow>(
    `${SELECT} WHERE c.id = $1 OR lower(c.name) = lower($1) ORDER BY c.id = $1 DESC, c.id LIMIT 1`,
    [idOrName],
  );
  return row && collectionOf(row);
}

/** See `Registry.createCollection`; the id is made by the caller. */
export async function addCollection(
  session: Session,
  id: string,
  input: CollectionInput,
  author: string,
): Promise<Collection> {
  const { name, description, collection_type, zettel_ids } = input;
  if (zettel_ids.length > MAX_ENTRIES) {
    throw new KaizenError(
      'invalid_argument',
      sentence('A collection has at most {0} notes.', MAX_ENTRIES),
      sentence('Make several.'),
    );
  }
  const added = await session.change(
    `INSERT INTO kaizen.knowledge_collections (id, name, description, collection_type, created_by)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    [id, name, description, collection_type, author],
  );
  if (added === 0) {
    throw new KaizenError(
      'conflict',
      sentence('The registry has a collection "{0}" already.', name),
      sentence('Give it another name, or look at it with get_collection.'),
    );
  }
  await session.change(
    `INSERT INTO kaizen.knowledge_collection_entries (collection_id, position, zettel_id)
     SELECT $1, position, zettel_id FROM unnest($2::text[]) WITH ORDINALITY AS entries (zettel_id, position)`,
    [id, zettel_ids],
  );
  return { id, name, description, collection_type, zettel_ids, location: 'registry' };
}

function collectionOf({ collection_type, ...row }: CollectionRow): Collection {
  const type = COLLECTION_TYPES.find((type) => type === collection_type) ?? 'topic';
  return { ...row, collection_type: type, location: 'registry' };
}
