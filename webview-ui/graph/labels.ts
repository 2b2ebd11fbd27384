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

/** Those of the labels that can be drawn without covering each other; earlier ones go before later ones. */
export function withoutOverlap(labels: readonly Label[]): Label[] {
  const cells = new Map<string, Label[]>();
  const placed: Label[] = [];
  for (const label of labels) {
    const around = cellsOf(label);
    const isFree = around.every((cell) => !cells.get(cell)?.some((other) => overlaps(label, other)));
    if (!isFree && !label.isDue) continue;
    placed.push(label);
    for (const cell of around) {
      const there = cells.get(cell);
      if (there) there.push(label);
      else cells.set(cell, [label]);
    }
  }
  return placed;
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
