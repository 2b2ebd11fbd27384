import type { GraphEdge, GraphEdgeType, GraphGroup, GraphKind, GraphNode, GraphState } from '../protocol/graph';

/** A link as one of its ends sees it. */
export interface Link {
  edge: number;
  /** The node at the other end. */
  other: number;
  isOutgoing: boolean;
}

/** The graph that the extension sent, with what drawing and walking it need. Nodes and edges are known by their index. */
export class Graph {
  readonly kinds: readonly GraphKind[];
  readonly groups: readonly GraphGroup[];
  readonly types: readonly GraphEdgeType[];
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** What edges are called stands on their lines, where there is room. */
  readonly hasWords: boolean;
  /** Of each node: edges in both directions; one to itself counts once. */
  readonly linksOf: readonly (readonly Link[])[];
  /**
   * Of each edge: how far it lies beside the straight line between its ends, so that several between the same two do not
   * cover each other; 0 for an only one.
   */
  readonly lanes: Float32Array;
  /** All nodes as a list has them: by label, then by detail. */
  readonly inOrder: readonly number[];
  private readonly byId: ReadonlyMap<string, number>;

  constructor({ kinds, groups, types, nodes, edges, hasWords = false }: GraphState, language?: string) {
    this.kinds = kinds;
    this.groups = groups;
    this.types = types;
    this.nodes = nodes;
    this.edges = edges;
    this.hasWords = hasWords;
    this.linksOf = linksOf(nodes.length, edges);
    this.lanes = lanesOf(edges);
    this.byId = new Map(nodes.map(({ id }, index) => [id, index]));
    const { compare } = new Intl.Collator(language, { numeric: true });
    this.inOrder = nodes
      .map((_, index) => index)
      .sort((a, b) => {
        const [first, second] = [nodes[a] as GraphNode, nodes[b] as GraphNode];
        return compare(first.label, second.label) || compare(first.detail, second.detail) || a - b;
      });
  }

  indexOf(id: string | undefined): number | undefined {
    return id === undefined ? undefined : this.byId.get(id);
  }

  node(index: number): GraphNode {
    return this.nodes[index] as GraphNode;
  }

  links(index: number): readonly Link[] {
    return this.linksOf[index] ?? [];
  }

  /** Nodes that are linked with this one, each once, without itself. */
  neighbours(index: number): Set<number> {
    const others = new Set(this.links(index).map(({ other }) => other));
    others.delete(index);
    return others;
  }
}

function linksOf(count: number, edges: readonly GraphEdge[]): Link[][] {
  const links: Link[][] = Array.from({ length: count }, () => []);
  edges.forEach(({ from, to }, edge) => {
    links[from]?.push({ edge, other: to, isOutgoing: true });
    if (from !== to) links[to]?.push({ edge, other: from, isOutgoing: false });
  });
  return links;
}

function lanesOf(edges: readonly GraphEdge[]): Float32Array {
  const pairs = new Map<string, number[]>();
  edges.forEach(({ from, to }, edge) => {
    const pair = from < to ? `${from} ${to}` : `${to} ${from}`;
    const together = pairs.get(pair);
    if (together) together.push(edge);
    else pairs.set(pair, [edge]);
  });
  const lanes = new Float32Array(edges.length);
  for (const together of pairs.values()) {
    together.forEach((edge, place) => {
      const { from, to } = edges[edge] as GraphEdge;
      const lane = place - (together.length - 1) / 2;
      // Which side is meant depends on where an edge starts.
      lanes[edge] = from < to ? lane : -lane;
    });
  }
  return lanes;
}
