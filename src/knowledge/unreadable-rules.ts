import type { Reader } from '../store';
import { applicabilityFaults } from './applicability';
import type { ApplicabilityFault, EntryKey, Metaknowledge } from './model';

/** An entry with a risk that says where it holds in a way that nobody can read. */
export interface UnreadableRule extends EntryKey {
  content: string;
  metaknowledge: Metaknowledge;
  /** At least one. */
  faults: ApplicabilityFault[];
}

/** Of one store, whatever scope they stand in and whether or not something overrides them; by scope, category and keyword. */
export function unreadableRules(reader: Pick<Reader, 'all'>): UnreadableRule[] {
  const rows = reader.all<EntryKey & { content: string; metaknowledge: string }>(
    `SELECT e.scope_id, c.name AS category, e.keyword, e.content, e.metaknowledge
     FROM entry e JOIN category c ON c.id = e.category_id
     WHERE e.risks > 0 AND coalesce(json_extract(e.metaknowledge, '$.MATCHES'),
       json_extract(e.metaknowledge, '$.APPLIES_TO')) IS NOT NULL
     ORDER BY e.scope_id, c.name, e.keyword`,
  );
  return rows.flatMap(({ metaknowledge: text, ...entry }) => {
    const metaknowledge = JSON.parse(text) as Metaknowledge;
    const faults = applicabilityFaults(metaknowledge);
    return faults.length > 0 ? [{ ...entry, metaknowledge, faults }] : [];
  });
}
