import type { Body } from './layout';
import type { Graph } from './model';

export type Direction = 'left' | 'right' | 'up' | 'down';

/** So much more than the distance counts what a node lies beside the way. */
const ASIDE = 2;

/**
 * Where an arrow key leads: the linked node that lies best in that direction, else the nearest other one there; undefined
 * at the rim. Only shown nodes count.
 */
export function nodeTowards(
  graph: Graph,
  bodies: readonly Body[],
  shown: Uint8Array,
  from: number,
  direction: Direction,
): number | undefined {
  return (
    best(graph.neighbours(from), bodies, shown, from, direction) ?? best(bodies.keys(), bodies, shown, from, direction)
  );
}

/** The shown node that is nearest to a point. */
export function nearestTo(
  bodies: readonly Body[],
  shown: Uint8Array,
  at: { x: number; y: number },
): number | undefined {
  let nearest = Infinity;
  let found: number | undefined;
  bodies.forEach(({ x, y }, index) => {
    const distance = Math.hypot(x - at.x, y - at.y);
    if (shown[index] !== 1 || distance >= nearest) return;
    nearest = distance;
    found = index;
  });
  return found;
}

function best(
  candidates: Iterable<number>,
  bodies: readonly Body[],
  shown: Uint8Array,
  from: number,
  direction: Direction,
): number | undefined {
  const start = bodies[from];
  if (!start) return undefined;
  let cheapest = Infinity;
  let found: number | undefined;
  for (const index of candidates) {
    const body = bodies[index];
    if (!body || index === from || shown[index] !== 1) continue;
    const [dx, dy] = [body.x - start.x, body.y - start.y];
    const [ahead, aside] = turned(dx, dy, direction);
    // Within a quarter of the circle: each node lies in one direction.
    if (ahead <= 0 || Math.abs(aside) > ahead) continue;
    const cost = ahead + ASIDE * Math.abs(aside);
    if (cost >= cheapest) continue;
    cheapest = cost;
    found = index;
  }
  return found;
}

function turned(dx: number, dy: number, direction: Direction): [ahead: number, aside: number] {
  switch (direction) {
    case 'left':
      return [-dx, dy];
    case 'right':
      return [dx, dy];
    case 'up':
      return [-dy, dx];
    case 'down':
      return [dy, dx];
  }
}
