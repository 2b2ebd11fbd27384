import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import type { Session } from '../../postgres';
import { RELATIONSHIP_TYPES, type Relationship, type RelationshipType } from '../vocabulary';
import { milliseconds, timeOf } from './rows';

interface LinkRow {
  other: string;
  relationship_type: string;
  is_outgoing: boolean;
  created_by: string;
  created_ms: number;
  title: string | null;
}

/** Of one note, so many at most. */
const MOST = 2_000;

/** Outgoing, then incoming. */
export async function listRelationships(session: Session, zettelId: string): Promise<Relationship[]> {
  const rows = await session.query<LinkRow>(
    `SELECT link.*, e.title FROM (
       SELECT to_zettel_id AS other, relationship_type, true AS is_outgoing, created_by,
         ${milliseconds('created_at')} AS created_ms
       FROM kaizen.knowledge_relationships WHERE from_zettel_id = $1
       UNION ALL
       SELECT from_zettel_id, relationship_type, false, created_by, ${milliseconds('created_at')}
       FROM kaizen.knowledge_relationships WHERE to_zettel_id = $1
     ) link LEFT JOIN kaizen.knowledge_entries e ON e.zettel_id = link.other
     ORDER BY link.is_outgoing DESC, link.relationship_type, link.other LIMIT ${MOST}`,
    [zettelId],
  );
  return rows.flatMap((row): Relationship[] => {
    const type = RELATIONSHIP_TYPES.find((type) => type === row.relationship_type);
    if (type === undefined) return [];
    return [
      {
        zettel_id: row.other,
        relationship_type: type,
        direction: row.is_outgoing ? 'outgoing' : 'incoming',
        ...(row.title === null ? { missing: true } : { source_location: 'registry', title: row.title }),
        created_by: row.created_by,
        created_at: timeOf(row.created_ms),
      },
    ];
  });
}

/** See `Registry.link`. */
export async function addRelationship(
  session: Session,
  [from, to, type]: readonly [string, string, RelationshipType],
  author: string,
): Promise<boolean> {
  const [entry] = await session.query('SELECT 1 FROM kaizen.knowledge_entries WHERE zettel_id = $1', [from]);
  if (!entry) {
    throw new KaizenError(
      'unknown_note',
      sentence('The registry has no note "{0}".', from),
      sentence('Publish it first, or look it up.'),
    );
  }
  const added = await session.change(
    `INSERT INTO kaizen.knowledge_relationships
       (from_zettel_id, to_zettel_id, relationship_type, is_published, created_by)
     VALUES ($1, $2, $3, false, $4) ON CONFLICT DO NOTHING`,
    [from, to, type, author],
  );
  return added > 0;
}

/** Throws `conflict` for one that the published text says itself: it would come back with the next version. */
export async function removeRelationship(
  session: Session,
  link: readonly [string, string, RelationshipType],
): Promise<boolean> {
  const [row] = await session.query<{ is_published: boolean }>(
    `SELECT is_published FROM kaizen.knowledge_relationships
     WHERE from_zettel_id = $1 AND to_zettel_id = $2 AND relationship_type = $3`,
    link,
  );
  if (!row) return false;
  if (row.is_published) {
    throw new KaizenError(
      'conflict',
      sentence('The published text of "{0}" itself says that it {1} "{2}".', link[0], link[2], link[1]),
      sentence('Take the link out of the note and publish it again.'),
    );
  }
  const removed = await session.change(
    `DELETE FROM kaizen.knowledge_relationships
     WHERE from_zettel_id = $1 AND to_zettel_id = $2 AND relationship_type = $3 AND NOT is_published`,
    link,
  );
  return removed > 0;
}
