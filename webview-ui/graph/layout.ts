import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type Simulation,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force';
import type { Graph } from './model';

/** Where a node is, in the graph's own units. */
export interface Point {
  x: number;
  y: number;
}

/** A node of the simulation: where it is and how large. */
export interface Body extends SimulationNodeDatum {
  x: number;
  y: number;
  radius: number;
}

/** Steps until everything rests; d3's own pace, and a faster one for many nodes. */
const PACE = 300;
const FAST_PACE = 160;
const MANY = 800;

/** Between the rims of linked nodes, in a graph of names alone and in one with words on its lines. */
const CLOSE = 54;
const WORDS = 120;

/** How warm a graph is that has changed a little: what stays moves little. */
const WARM = 0.25;
/** While a node is dragged. */
const DRAGGED = 0.2;
const AT_REST = 0.001;

/**
 * Places nodes by forces, from places that depend on nothing but the graph: the same graph is the same picture. d3-force
 * draws its random numbers from a generator of its own with a fixed seed. Nothing runs by itself; whoever draws calls
 * `advance` for as long as `isMoving`.
 */
export class Layout {
  readonly bodies: readonly Body[];
  private readonly simulation: Simulation<Body, SimulationLinkDatum<Body>>;

  /** @param known where nodes were before, by id; they begin there, and new ones beside their neighbours */
  constructor(
    private readonly graph: Graph,
    known: ReadonlyMap<string, Point> = new Map(),
  ) {
    const count = graph.nodes.length;
    const bodies = graph.nodes.map((_, index) => {
      const radius = radiusOf(graph.links(index).length);
      // d3-force places what has no place yet on a spiral, by its index.
      return { radius, ...startOf(graph, index, known) } as Body;
    });
    this.bodies = bodies;
    const links = graph.edges
      .filter(({ from, to }) => from !== to)
      .map(({ from, to }) => ({ source: from, target: to }));
    this.simulation = forceSimulation<Body, SimulationLinkDatum<Body>>(bodies)
      .force(
        'links',
        forceLink<Body, SimulationLinkDatum<Body>>(links).distance(
          distanceOf(graph.hasWords && count <= MANY ? WORDS : CLOSE),
        ),
      )
      .force(
        'apart',
        forceManyBody<Body>()
          .strength(count > MANY ? -160 : -260)
          .distanceMax(700)
          .theta(1),
      )
      .force('x', forceX<Body>().strength(0.055))
      .force('y', forceY<Body>().strength(0.055))
      .force('room', forceCollide<Body>(({ radius }) => radius + 6).iterations(1))
      .alphaDecay(1 - AT_REST ** (1 / (count > MANY ? FAST_PACE : PACE)))
      .stop();
    const isKnown = graph.nodes.map(({ id }) => known.has(id));
    if (count > 0 && isKnown.every(Boolean)) this.simulation.alpha(0);
    else if (isKnown.filter(Boolean).length * 2 > count) this.simulation.alpha(WARM);
  }

  get isMoving(): boolean {
    return this.simulation.alpha() >= AT_REST || this.simulation.alphaTarget() > 0;
  }

  /** Goes on for about so many milliseconds, one step at least, unless everything rests. */
  advance(milliseconds: number): void {
    const until = performance.now() + milliseconds;
    while (this.isMoving) {
      this.simulation.tick();
      if (performance.now() >= until) return;
    }
  }

  /** Goes on until everything rests. */
  settle(): void {
    while (this.isMoving) this.simulation.tick();
  }

  /** Holds a node at a place; others make room. */
  drag(index: number, { x, y }: Point): void {
    const body = this.bodies[index];
    if (!body) return;
    [body.fx, body.fy] = [x, y];
    this.simulation.alphaTarget(DRAGGED).alpha(Math.max(this.simulation.alpha(), DRAGGED));
  }

  /** Puts a node at a place, and nothing else moves. */
  place(index: number, { x, y }: Point): void {
    const body = this.bodies[index];
    if (body) [body.x, body.y] = [x, y];
  }

  release(index: number): void {
    const body = this.bodies[index];
    if (!body) return;
    [body.fx, body.fy] = [null, null];
    this.simulation.alphaTarget(0);
  }

  /** Where each node is, by id. */
  places(): Map<string, Point> {
    return new Map(this.bodies.map(({ x, y }, index) => [this.graph.node(index).id, { x, y }]));
  }
}

/** What is linked much is larger. */
function radiusOf(links: number): number {
  return 5 + Math.min(9, 1.5 * Math.sqrt(links));
}

function distanceOf(apart: number): (link: SimulationLinkDatum<Body>) => number {
  return ({ source, target }) => apart + (source as Body).radius + (target as Body).radius;
}

function startOf(graph: Graph, index: number, known: ReadonlyMap<string, Point>): Partial<Point> {
  const own = known.get(graph.node(index).id);
  if (own) return { x: own.x, y: own.y };
  const near = [...graph.neighbours(index)]
    .map((other) => known.get(graph.node(other).id))
    .filter((at) => at !== undefined);
  if (near.length === 0) return {};
  const middle = (axis: 'x' | 'y') => near.reduce((sum, at) => sum + at[axis], 0) / near.length;
  // Not upon each other: several new ones may have the same neighbours.
  const angle = index * 2.4;
  return { x: middle('x') + 24 * Math.cos(angle), y: middle('y') + 24 * Math.sin(angle) };
}
