import { readForeignHead } from '../../frontmatter';
import type { NoteLink, RelationshipType } from '../vocabulary';

/**
 * The list of a type below `relationships` in a front matter as it is written, what is no link included, without these
 * links of it.
 */
export function relationshipListWithout(text: string, type: RelationshipType, links: readonly NoteLink[]): string[] {
  const key = `relationships.${type}`;
  const head = readForeignHead(text);
  const value = head?.values.get(key) ?? [];
  const { items = [], value: whole } = head?.places.get(key) ?? {};
  const [values, places] = typeof value === 'string' ? [[value], [whole]] : [value, items];
  const left = new Set(links.map(({ range }) => range.start));
  return values.filter((item, at) => item.trim() !== '' && !left.has(places[at]?.start ?? -1));
}
