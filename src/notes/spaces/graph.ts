import { noteUri } from '../../core/knowledge-uri';
import { compareText } from '../../core/text';
import { idKey } from '../format/ids';
import type { NotesGraph, Relationship } from '../model';
import { folderOf } from './known';
import type { Member } from './member';

/** Notes and what links them; ids that nothing has, and those that lie in the registry, are nodes of their own. */
export function graphOf(members: Iterable<Member>): NotesGraph {
  const nodes: NotesGraph['nodes'][number][] = [];
  const edges: NotesGraph['edges'][number][] = [];
  const places = new Map<Member | string, number>();
  const notes: Member[] = [];
  for (const member of members) {
    const { note } = member.known;
    if (!note) continue;
    places.set(member, nodes.length);
    notes.push(member);
    nodes.push(nodeOf(member, note.fields));
  }
  for (const member of notes) {
    const from = places.get(member)!;
    for (const { type, end, target, location } of member.outgoing) {
      if (end && !end.known.note) continue;
      const isMissing = location !== 'registry';
      const key = end ?? `${isMissing ? 'missing' : 'registry'}:${idKey(target)}`;
      let to = places.get(key);
      if (to === undefined) {
        to = nodes.length;
        places.set(key, to);
        const id = `${isMissing ? 'missing' : 'registry'}:${target}`;
        nodes.push({ id, zettel_id: target, title: target, category: '', missing: isMissing });
      }
      edges.push({ from, to, type });
    }
  }
  return { nodes, edges };
}

/** What a note links to, in its order, then what links to it, by id. Of the spaces alone. */
export function relationshipsOf(member: Member): Relationship[] {
  const outgoing = member.outgoing
    .filter(({ end }) => !end || end.known.note)
    .map(({ type, end, target, location }): Relationship => {
      const relationship = { relationship_type: type, direction: 'outgoing' as const };
      if (end) return { zettel_id: end.id, ...relationship, ...placeOf(end) };
      if (location === 'registry') return { zettel_id: target, ...relationship, source_location: location };
      return { zettel_id: target, ...relationship, missing: true };
    });
  const incoming: Relationship[] = [];
  for (const other of member.incoming) {
    if (!other.known.note) continue;
    for (const { type, end } of other.outgoing) {
      if (end !== member) continue;
      incoming.push({ zettel_id: other.id, relationship_type: type, direction: 'incoming', ...placeOf(other) });
    }
  }
  incoming.sort(
    (a, b) => compareText(a.zettel_id, b.zettel_id) || compareText(a.relationship_type, b.relationship_type),
  );
  return [...outgoing, ...incoming];
}

function placeOf({ space, known, id }: Member): Pick<Relationship, 'source_location' | 'title'> {
  return { source_location: space, title: known.note?.fields.title ?? id };
}

function nodeOf(
  { space, file, id }: Member,
  { title, entry_type }: { title: string; entry_type?: NotesGraph['nodes'][number]['entry_type'] },
): NotesGraph['nodes'][number] {
  return { id: noteUri(space, id), zettel_id: id, title, space, category: folderOf(file), entry_type, missing: false };
}
