import {
  type GraphEdge,
  type GraphGroup,
  type GraphNode,
  type GraphState,
  MOST_EDGES,
  MOST_NODES,
} from '../../../webview-ui/protocol/graph';
import { ENTRY_TYPES, type EntryType, type NotesGraph, RELATIONSHIP_TYPES, type RelationshipType } from '../../notes';

/** What stands before the id of a node that no file is. */
export const MISSING = 'missing:';
export const REGISTRY = 'registry:';

/** How things are called where the person reads it. */
export interface GraphWords {
  kind(type: EntryType): string;
  place(location: 'project' | 'user' | 'registry'): string;
  outgoing(type: RelationshipType): string;
  incoming(type: RelationshipType): string;
}

/**
 * Notes as nodes and edges of the page. Of too many nodes those stay that have most edges, so that what is left out is
 * what the picture says least about; so the same notes always give the same picture.
 * @param centre stays whatever is left out, with its neighbours
 */
export function graphState(
  graph: NotesGraph,
  words: GraphWords,
  { isReading, writable, centre }: { isReading: boolean; writable: boolean; centre?: string | undefined },
): GraphState {
  const kept = keptNodes(graph, centre);
  const places = new Map(kept.map((node, place) => [node, place]));
  const groups = new Map<string, { place: number; group: GraphGroup }>();
  const nodes = kept.map((index): GraphNode => {
    const { id, zettel_id, title, space, category, entry_type, missing } = graph.nodes[index]!;
    const location = space ?? (id.startsWith(REGISTRY) ? 'registry' : undefined);
    const key = `${location}/${category}`;
    if (location && !groups.has(key)) {
      groups.set(key, { place: groups.size, group: { id: key, name: category, place: words.place(location) } });
    }
    return {
      id,
      label: title || zettel_id,
      detail: zettel_id,
      missing,
      ...(entry_type && { kind: ENTRY_TYPES.indexOf(entry_type) }),
      ...(location && { group: groups.get(key)?.place }),
    };
  });
  const edges: GraphEdge[] = [];
  for (const { from, to, type } of graph.edges) {
    const [start, end] = [places.get(from), places.get(to)];
    if (start === undefined || end === undefined) continue;
    edges.push({ from: start, to: end, type: RELATIONSHIP_TYPES.indexOf(type) });
    if (edges.length >= MOST_EDGES) break;
  }
  return {
    kinds: ENTRY_TYPES.map((id) => ({ id, name: words.kind(id) })),
    groups: [...groups.values()].map(({ group }) => group),
    types: RELATIONSHIP_TYPES.map((id) => ({
      id,
      name: words.outgoing(id),
      reverse: words.incoming(id),
      isDirected: id !== 'related',
    })),
    nodes,
    edges,
    total: graph.nodes.length,
    isReading,
    writable,
  };
}

/** Indices in their order. */
function keptNodes({ nodes, edges }: NotesGraph, centre: string | undefined): number[] {
  const all = [...nodes.keys()];
  if (nodes.length <= MOST_NODES) return all;
  const weights = new Float64Array(nodes.length);
  for (const { from, to } of edges) {
    weights[from]! += 1;
    weights[to]! += 1;
  }
  const middle = nodes.findIndex(({ id }) => id === centre);
  for (const { from, to } of edges) {
    if (from === middle) weights[to] = Number.MAX_VALUE;
    if (to === middle) weights[from] = Number.MAX_VALUE;
  }
  if (middle >= 0) weights[middle] = Infinity;
  const byWeight = all.toSorted((a, b) => (weights[a] === weights[b] ? a - b : weights[b]! - weights[a]!));
  return byWeight.slice(0, MOST_NODES).sort((a, b) => a - b);
}
