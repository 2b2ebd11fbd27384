import type { GraphEdge, GraphNode } from '../protocol/graph';
import type { Graph } from './model';

/** Neighbours of neighbours, no further: beyond three steps nearly everything is near. */
export const MOST_STEPS = 3;

/** What the person wants to see. Kinds and types are named by their ids, so that a choice outlives the graph. */
export interface Filters {
  /** Words that label, id, place or group hold. */
  text: string;
  /** All, a whole place, or one group. */
  where: { place: string } | { group: string } | undefined;
  hiddenKinds: readonly string[];
  hiddenTypes: readonly string[];
  /** Only what is linked with this node over so many steps. */
  around: { id: string; steps: number } | undefined;
  /** Nodes that nothing shown links to or from. */
  hidesUnlinked: boolean;
  hidesMissing: boolean;
}

/** The kind of what has none, among `hiddenKinds`. */
export const NO_KIND = '';

export const EVERYTHING: Filters = {
  text: '',
  where: undefined,
  hiddenKinds: [],
  hiddenTypes: [],
  around: undefined,
  hidesUnlinked: false,
  hidesMissing: false,
};

/** What is drawn and listed. 1 stands for yes. */
export interface Shown {
  nodes: Uint8Array;
  edges: Uint8Array;
  /** Whether a node holds the words searched for; the picture draws others faintly. Undefined when nothing is searched. */
  matches: Uint8Array | undefined;
  /** Nodes to be listed, in their order. */
  listed: readonly number[];
}

/** Applies the filters; a node that is gone filters nothing. */
export function applyFilters(graph: Graph, filters: Filters): Shown {
  const nodes = Uint8Array.from(graph.nodes, (node) => Number(isWanted(graph, node, filters)));
  const types = graph.types.map(({ id }) => !filters.hiddenTypes.includes(id));
  const isDrawn = ({ from, to, type }: GraphEdge) => types[type] && nodes[from] === 1 && nodes[to] === 1;
  const edges = Uint8Array.from(graph.edges, (edge) => Number(isDrawn(edge)));

  const centre = graph.indexOf(filters.around?.id);
  if (centre !== undefined && filters.around) {
    // Whoever asks for its neighbours wants to see it, whatever is hidden.
    nodes[centre] = 1;
    graph.edges.forEach((edge, index) => {
      edges[index] = Number(isDrawn(edge));
    });
    const near = withinSteps(graph, centre, filters.around.steps, edges);
    near.forEach((isNear, index) => {
      if (!isNear) nodes[index] = 0;
    });
    graph.edges.forEach((edge, index) => {
      edges[index] = Number(isDrawn(edge));
    });
  }
  if (filters.hidesUnlinked) {
    graph.linksOf.forEach((links, index) => {
      if (index !== centre && !links.some(({ edge, other }) => edges[edge] === 1 && other !== index)) nodes[index] = 0;
    });
  }

  const matches = matching(graph, filters.text);
  const listed = graph.inOrder.filter((index) => nodes[index] === 1 && (!matches || matches[index] === 1));
  return { nodes, edges, matches, listed };
}

/** Which nodes can be reached from one over at most so many of the edges given, in either direction; itself included. */
function withinSteps(graph: Graph, start: number, steps: number, edges: Uint8Array): Uint8Array {
  const reached = new Uint8Array(graph.nodes.length);
  reached[start] = 1;
  let front = [start];
  for (let step = 0; step < steps && front.length > 0; step++) {
    const next: number[] = [];
    for (const index of front) {
      for (const { edge, other } of graph.links(index)) {
        if (edges[edge] !== 1 || reached[other] === 1) continue;
        reached[other] = 1;
        next.push(other);
      }
    }
    front = next;
  }
  return reached;
}

function isWanted(graph: Graph, node: GraphNode, { where, hiddenKinds, hidesMissing }: Filters): boolean {
  if (node.missing) return !hidesMissing && where === undefined;
  const kind = node.kind === undefined ? NO_KIND : graph.kinds[node.kind]?.id;
  if (hiddenKinds.includes(kind ?? NO_KIND)) return false;
  if (!where) return true;
  const group = node.group === undefined ? undefined : graph.groups[node.group];
  return 'group' in where ? group?.id === where.group : group?.place === where.place;
}

function matching(graph: Graph, text: string): Uint8Array | undefined {
  const words = folded(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  return Uint8Array.from(graph.nodes, ({ label, detail, group }) => {
    const where = group === undefined ? undefined : graph.groups[group];
    const all = folded(`${label} ${detail} ${where?.place ?? ''} ${where?.name ?? ''}`);
    return Number(words.every((word) => all.includes(word)));
  });
}

/** Without regard to case and accents. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}
