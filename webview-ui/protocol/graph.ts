import * as z from 'zod';

/** What the page draws and what both sides say to each other: nodes of any kind, and typed edges between them. */

/** Of nodes, as many as the page lays out in a few seconds; those with most edges are kept. */
export const MOST_NODES = 5_000;
export const MOST_EDGES = 20_000;

const id = z.string().min(1).max(4_000);

/** What the graph's page says to the extension. */
export const graphRequest = z.discriminatedUnion('type', [
  /** The page is drawn, or drawn again. */
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('open'), id }),
  /** Make what is linked to and is nowhere. */
  z.strictObject({ type: z.literal('create'), id }),
  /** Make something new, linked to nothing. */
  z.strictObject({ type: z.literal('createFirst') }),
]);
export type GraphRequest = z.output<typeof graphRequest>;

/** Names are in the person's language. */
export interface GraphKind {
  id: string;
  name: string;
}

export interface GraphGroup {
  id: string;
  name: string;
  /** What it is a part of: groups of the same place stand together. */
  place: string;
}

export interface GraphEdgeType {
  id: string;
  /** Said of what the edge starts from: `extends`. */
  name: string;
  /** Said of what it ends at: `extended by`. */
  reverse: string;
  isDirected: boolean;
  /** An index into the picture's colours; without one, lines have the colour of all lines. */
  colour?: number | undefined;
}

export interface GraphNode {
  id: string;
  label: string;
  /** Tells apart what has the same label: an id. */
  detail: string;
  /** An index into `kinds`; absent where nobody knows. */
  kind?: number | undefined;
  /** An index into `groups`. */
  group?: number | undefined;
  /** Something links to it, and it is nowhere. */
  missing: boolean;
}

/** Indices into `nodes` and `types`. */
export interface GraphEdge {
  from: number;
  to: number;
  type: number;
  /** It holds both ways: drawn with an arrow at either end. */
  mutual?: boolean | undefined;
}

export interface GraphState {
  kinds: readonly GraphKind[];
  groups: readonly GraphGroup[];
  types: readonly GraphEdgeType[];
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
  /** The words stand on the lines as well, where there is room. */
  hasWords?: boolean | undefined;
  /** Of all nodes that there are; more than `nodes` where there are too many. */
  total: number;
  /** More may come: what the nodes are made of is still being read. */
  isReading: boolean;
  /** False in Restricted Mode, where nothing can be made. */
  writable: boolean;
}

/** What the extension says to the graph's page. */
export type GraphMessage =
  | { type: 'state'; state: GraphState }
  /** Show a node with its neighbours. */
  | { type: 'select'; id: string }
  /** Instead of a graph: what happened and what to do. */
  | { type: 'problem'; message: string };
