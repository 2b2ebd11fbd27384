/** A text that wants to stand somewhere on the screen. */
export interface Label {
  node: number;
  text: string;
  /** The middle of its upper edge. */
  x: number;
  y: number;
  width: number;
  /** It is drawn whatever it covers: the node under the pointer, the selected one. */
  isDue: boolean;
}

export const LABEL_HEIGHT = 16;
const CELL = 64;
const MOST_CHARACTERS = 36;

/** As much of a name as there is room for beside a node. */
export function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= MOST_CHARACTERS
    ? text
    : `${characters
        .slice(0, MOST_CHARACTERS - 1)
        .join('')
        .trimEnd()}…`;
}

/** A node on the screen, which no name of another one is to cover. */
export interface Obstacle {
  node: number;
  x: number;
  y: number;
  radius: number;
}

/**
 * Those of the labels that can be drawn without covering each other or an obstacle; earlier ones go before later ones.
 */
export function withoutOverlap(labels: readonly Label[], obstacles: readonly Obstacle[] = []): Label[] {
  const cells = new Map<string, Label[]>();
  for (const { node, x, y, radius } of obstacles) {
    // As a label that is as high and wide as the node, in cells as the others.
    const label = { node, text: '', x, y: y - LABEL_HEIGHT / 2, width: 2 * radius - 4, isDue: false };
    for (const cell of cellsOf(label)) add(cells, cell, label);
  }
  const placed: Label[] = [];
  for (const label of labels) {
    const around = cellsOf(label);
    const isFree = around.every(
      (cell) => !cells.get(cell)?.some((other) => other.node !== label.node && overlaps(label, other)),
    );
    if (!isFree && !label.isDue) continue;
    placed.push(label);
    for (const cell of around) add(cells, cell, label);
  }
  return placed;
}

function add(cells: Map<string, Label[]>, cell: string, label: Label): void {
  const there = cells.get(cell);
  if (there) there.push(label);
  else cells.set(cell, [label]);
}

function overlaps(a: Label, b: Label): boolean {
  return Math.abs(a.x - b.x) < (a.width + b.width) / 2 + 4 && Math.abs(a.y - b.y) < LABEL_HEIGHT;
}

function cellsOf({ x, y, width }: Label): string[] {
  const cells: string[] = [];
  const at = (value: number) => Math.floor(value / CELL);
  for (let column = at(x - width / 2 - 4); column <= at(x + width / 2 + 4); column++) {
    for (let row = at(y); row <= at(y + LABEL_HEIGHT); row++) cells.push(`${column} ${row}`);
  }
  return cells;
}
