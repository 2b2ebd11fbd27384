import type { Body, Point } from './layout';

/** Larger than the largest node, so that only neighbouring cells need a look. */
const CELL = 48;

/** Which node is at a point: a grid of the shown ones, made anew when they have moved. */
export class HitIndex {
  private readonly cells = new Map<string, number[]>();

  constructor(
    private readonly bodies: readonly Body[],
    shown: Uint8Array,
  ) {
    bodies.forEach(({ x, y }, index) => {
      if (shown[index] !== 1) return;
      const cell = cellOf(Math.floor(x / CELL), Math.floor(y / CELL));
      const there = this.cells.get(cell);
      if (there) there.push(index);
      else this.cells.set(cell, [index]);
    });
  }

  /** The nearest node whose rim is no farther than `reach` from the point, which may be one cell at most. */
  at({ x, y }: Point, reach: number): number | undefined {
    let found: number | undefined;
    let nearest = Infinity;
    const [column, row] = [Math.floor(x / CELL), Math.floor(y / CELL)];
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const index of this.cells.get(cellOf(column + dx, row + dy)) ?? []) {
          const body = this.bodies[index] as Body;
          const distance = Math.hypot(body.x - x, body.y - y);
          if (distance > body.radius + Math.min(reach, CELL - body.radius) || distance >= nearest) continue;
          nearest = distance;
          found = index;
        }
      }
    }
    return found;
  }
}

function cellOf(column: number, row: number): string {
  return `${column} ${row}`;
}
