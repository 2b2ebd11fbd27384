import type { BasesPart, KnowledgeNode } from '../bases';
import { isKaizenError } from '../core/errors';
import { noteUri, parseNoteUri } from '../core/knowledge-uri';
import { Turns } from '../core/turns';
import type { Note, NotesPart, RelationshipType } from '../notes';
import type { Relation, RelationSource } from '../relations';
import type { FirstLook } from './first-look';

/** What notes say of each other: `[[links]]` in their texts, and `relationships` in their front matter. */
export function statedByNotes(notes: NotesPart, look: FirstLook): RelationSource {
  const relation = (source: Note, type: RelationshipType, target: string): Relation => ({
    ...stated(source.uri, type, target),
    created_by: isDeclared(notes, source, type, target) ? 'manual' : 'extracted',
    author: source.file,
    created_at: source.created_at ?? source.updated_at ?? '',
    origin: 'note',
  });
  return {
    relationsOf: async (uri, signal) => {
      if (uri !== undefined && !parseNoteUri(uri)) return [];
      await look.done();
      if (uri === undefined) return allOfNotes(notes, relation, signal);
      const note = notes.noteByUri(uri);
      if (!note) return [];
      return notes.relationships(note).flatMap((found) => {
        const { zettel_id, relationship_type, direction, source_location: space, missing } = found;
        if (missing || space === undefined || space === 'registry') return [];
        const other = noteUri(space, zettel_id);
        if (other === note.uri) return [];
        if (direction === 'outgoing') return relation(note, relationship_type, other);
        const from = notes.noteByUri(other);
        return from ? relation(from, relationship_type, note.uri) : [];
      });
    },
  };
}

async function allOfNotes(
  notes: NotesPart,
  relation: (source: Note, type: RelationshipType, target: string) => Relation,
  signal: AbortSignal | undefined,
): Promise<Relation[]> {
  const turns = new Turns(signal);
  const { nodes, edges } = notes.graph();
  const found: Relation[] = [];
  for (const { from, to, type } of edges) {
    const source = notes.noteByUri(nodes[from]!.id);
    const target = nodes[to]!;
    // What is missing, or lies in the registry, has no address.
    if (source && target.space !== undefined && target.id !== source.uri) found.push(relation(source, type, target.id));
    await turns.pause();
  }
  return found;
}

/** Whether a person has put it into the front matter, rather than only mentioned the other note. */
function isDeclared(notes: NotesPart, source: Note, type: RelationshipType, target: string): boolean {
  if (type !== 'references') return true;
  return source.links.some((link) => {
    if (link.origin !== 'front_matter' || link.type !== type) return false;
    const end = notes.resolveLink(source, link);
    return end.kind === 'note' && end.note.uri === target;
  });
}

/** What nodes of knowledge bases wait for: `blocked_by` (seed 002). */
export function statedByNodes(bases: BasesPart, look: FirstLook): RelationSource {
  const relation = (source: KnowledgeNode, target: KnowledgeNode): Relation => ({
    ...stated(source.uri, 'blocked_by', target.uri),
    created_by: 'manual',
    author: source.file,
    created_at: '',
    origin: 'node',
  });
  const neighbours = async (node: KnowledgeNode, direction: 'upstream' | 'both') => {
    const { upstream, downstream } = await bases.dependencies(node.uri, { direction, depth: 1 });
    const nodeOf = ({ id, status }: { id: string; status: string }) => (status === MISSING ? [] : named(bases, id));
    return [
      ...upstream.flatMap(nodeOf).map((other) => relation(node, other)),
      ...downstream.flatMap(nodeOf).map((other) => relation(other, node)),
    ].filter(({ source, target }) => source !== target);
  };
  return {
    relationsOf: async (uri, signal) => {
      if (uri !== undefined && /^knowledge:\/\/(scopes|notes|library|learning|proposals)\//.test(uri)) return [];
      await look.done();
      if (uri !== undefined) {
        const node = bases.nodeByUri(uri);
        return node ? neighbours(node, 'both') : [];
      }
      const turns = new Turns(signal);
      const found: Relation[] = [];
      for (const node of bases.nodes()) {
        if (node.blocked_by.length > 0) found.push(...(await neighbours(node, 'upstream')));
        await turns.pause();
      }
      return found;
    },
  };
}

/** How the knowledge bases say that nothing has an id. */
const MISSING = 'missing';

function named(bases: BasesPart, id: string): KnowledgeNode[] {
  try {
    return [bases.node(id)];
  } catch (error) {
    // Gone, or in several knowledge bases, since it was answered.
    if (isKaizenError(error)) return [];
    throw error;
  }
}

function stated(source: string, type: Relation['type'], target: string) {
  const id = `${source}|${type}|${target}`;
  return { id, source, target, type, confidence: 1, bidirectional: false, context: '', evidence: [] };
}
