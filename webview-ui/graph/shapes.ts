/** The shapes that tell kinds apart, the same on the canvas and in the legend. */

type Corner = readonly [x: number, y: number];

function polygon(corners: number, turn = 0, size = 1): Corner[] {
  return Array.from({ length: corners }, (_, corner) => {
    const angle = 2 * Math.PI * (corner / corners + turn) - Math.PI / 2;
    return [size * Math.cos(angle), size * Math.sin(angle)] as const;
  });
}

function star(points: number, inner: number): Corner[] {
  const outside = polygon(points, 0, 1.3);
  const inside = polygon(points, 0.5 / points, inner);
  return outside.flatMap((corner, index) => [corner, inside[index] as Corner]);
}

function cross(length: number, width: number): Corner[] {
  const arm: Corner[] = [
    [-width, -width],
    [-width, -length],
    [width, -length],
  ];
  return [0, 1, 2, 3].flatMap((quarter) => arm.map((corner) => turned(corner, quarter)));
}

function turned([x, y]: Corner, quarters: number): Corner {
  return quarters === 0 ? [x, y] : turned([-y, x], quarters - 1);
}

/** In units of the radius, of about the same area; undefined is a circle. */
const SHAPES: readonly (readonly Corner[] | undefined)[] = [
  undefined,
  polygon(4, 1 / 8, 1.25),
  polygon(4, 0, 1.3),
  polygon(3, 0, 1.4),
  polygon(6, 0, 1.12),
  star(5, 0.62),
  polygon(3, 0.5, 1.4),
  polygon(5, 0, 1.18),
  cross(1.2, 0.45),
  star(4, 0.5),
];

/** Kinds beyond the last begin anew. */
function cornersOf(kind: number): readonly Corner[] | undefined {
  return SHAPES[kind % SHAPES.length];
}

/** Adds the shape of a kind to a path. */
export function addShape(
  path: Path2D | CanvasRenderingContext2D,
  kind: number,
  x: number,
  y: number,
  radius: number,
): void {
  const corners = cornersOf(kind);
  if (!corners) {
    path.moveTo(x + radius, y);
    path.arc(x, y, radius, 0, 2 * Math.PI);
    return;
  }
  corners.forEach(([dx, dy], index) => {
    if (index === 0) path.moveTo(x + dx * radius, y + dy * radius);
    else path.lineTo(x + dx * radius, y + dy * radius);
  });
  path.closePath();
}

/** The same as an SVG path, around the origin. */
export function svgShape(kind: number, radius: number): string {
  const corners = cornersOf(kind);
  if (!corners) return `M${radius} 0A${radius} ${radius} 0 1 1 ${-radius} 0A${radius} ${radius} 0 1 1 ${radius} 0Z`;
  const points = corners.map(([x, y]) => `${(x * radius).toFixed(2)} ${(y * radius).toFixed(2)}`);
  return `M${points.join('L')}Z`;
}

/** How the lines of edge types are broken, in pixels; beyond the last they begin anew. */
const DASHES: readonly (readonly number[])[] = [
  [],
  [7, 3, 2, 3],
  [],
  [6, 4],
  [12, 4],
  [3, 3],
  [1, 3],
  [10, 3, 2, 3, 2, 3],
];

export function dashOf(type: number): readonly number[] {
  return DASHES[type % DASHES.length] ?? [];
}

/** Whether an edge type is drawn with a thicker line: tells two unbroken ones apart. */
export function isBold(type: number): boolean {
  return type % DASHES.length === 2;
}
