import { entryUri } from '../core/knowledge-uri';
import type { EntryKey } from '../knowledge';
import type { Location } from '../notes';

/** What a person can point an agent to. */
export type Reference = EntryKey | { scope_id: string; category: string } | { scope_id: string };

/**
 * Text that an agent understands, for its chat: what is meant, and the call that gets it. The agent reads it, whatever
 * the person's language is, so it stays English. Names are quoted as JSON, so that none of them can end early.
 */
export function referenceFor(references: readonly Reference[]): string {
  const entries = references.filter((reference): reference is EntryKey => 'keyword' in reference);
  const places = references.filter((reference) => !('keyword' in reference));
  return [...entriesReference(entries), ...places.map(placeReference)].join('\n\n');
}

/** One call gets all entries of a scope. */
function entriesReference(entries: readonly EntryKey[]): string[] {
  const scopes = [...new Set(entries.map(({ scope_id }) => scope_id))];
  return scopes.map((scope_id) => {
    const own = entries.filter((entry) => entry.scope_id === scope_id);
    const distinct = (part: 'keyword' | 'category') => JSON.stringify([...new Set(own.map((entry) => entry[part]))]);
    const call = `get_knowledge(scope_id=${JSON.stringify(scope_id)}, keywords=${distinct('keyword')}, categories=${distinct('category')})`;
    const what = own.length === 1 ? 'Kaizen knowledge entry' : 'Kaizen knowledge entries';
    return [...own.map(entryUri), `(${what}; get ${own.length === 1 ? 'it' : 'them'} with ${call})`].join('\n');
  });
}

function placeReference(place: { scope_id: string; category?: string }): string {
  const scope = JSON.stringify(place.scope_id);
  if (place.category === undefined) {
    return `Kaizen knowledge scope ${scope} (see what is in it with get_categories(scope_id=${scope}))`;
  }
  const category = JSON.stringify(place.category);
  return `Kaizen knowledge category ${category} in the scope ${scope} (see what is in it with get_keywords(scope_id=${scope}, categories=[${category}]))`;
}

/** The same for nodes of knowledge bases: one call gets twenty at most, as agents may ask for. */
export function nodeReference(nodes: readonly { id: string; path: string }[]): string {
  if (nodes.length === 0) return '';
  const calls: string[] = [];
  for (let first = 0; first < nodes.length; first += 20) {
    const some = nodes.slice(first, first + 20);
    const what = some.length === 1 ? 'Kaizen knowledge node; get it' : 'Kaizen knowledge nodes; get them';
    const call = `retrieve_knowledge(ids=${JSON.stringify(some.map(({ id }) => id))})`;
    calls.push([...some.map(({ path }) => JSON.stringify(path)), `(${what} with ${call})`].join('\n'));
  }
  return calls.join('\n\n');
}

/** The same for notes; where each lies is said, so that it is looked for nowhere else. */
export function noteReference(notes: readonly { zettel_id: string; title: string; location: Location }[]): string {
  return notes
    .map(({ zettel_id, title, location }) => {
      const source = location === 'registry' ? 'registry' : 'local';
      const call = `get(zettel_id=${JSON.stringify(zettel_id)}, source=${JSON.stringify(source)})`;
      return `${JSON.stringify(title)}\n(Kaizen note; get it with ${call})`;
    })
    .join('\n\n');
}

/** The same for captured records, each a resource of its own. */
export function learnedReference(records: readonly { kind: string; uri: string; title: string }[]): string {
  return records
    .map(
      ({ kind, uri, title }) => `${JSON.stringify(title)}\n${uri}\n(captured ${kind} of Kaizen; read it as a resource)`,
    )
    .join('\n\n');
}
