import type { DomDocument, DomElement } from './dom';

/** A cell, or one of a row above that reaches down, in its place. */
interface Placed {
  cell: DomElement;
  /** From 0. */
  column: number;
  width: number;
  isFromAbove: boolean;
}

/** What is longer stands in the first of its rows only: repeated in each it would be all that the table says. */
const LONGEST_REPEATED = 200;
/** As browsers take it (HTML, 4.9.11). */
const WIDEST = 1_000;

/**
 * Where the cells of a table stand, row by row (HTML, 4.9.12). Undefined for a table with more columns, or more cells in
 * all, than are given.
 */
export function placeCells(
  rows: readonly DomElement[],
  most: { columns: number; cells: number },
): Placed[][] | undefined {
  const places: Placed[][] = [];
  let hanging: { placed: Placed; rows: number }[] = [];
  let count = 0;
  for (const [index, row] of rows.entries()) {
    // Nothing reaches from the head into the body.
    if (rows[index - 1]?.parentNode !== row.parentNode) hanging = [];
    const own: Placed[] = hanging.map(({ placed }) => ({ ...placed, isFromAbove: true }));
    const taken = new Set(hanging.flatMap(({ placed }) => columnsOf(placed)));
    hanging = hanging.map((each) => ({ ...each, rows: each.rows - 1 })).filter((each) => each.rows > 0);
    let column = 0;
    for (const cell of row.children) {
      while (taken.has(column)) column++;
      const width = spanOf(cell, 'colspan');
      if (column + width > most.columns) return undefined;
      const placed = { cell, column, width, isFromAbove: false };
      own.push(placed);
      const below = cell.getAttribute('rowspan') === '0' ? rows.length : spanOf(cell, 'rowspan') - 1;
      if (below > 0) hanging.push({ placed, rows: below });
      column += width;
    }
    count += own.length;
    if (count > most.cells) return undefined;
    places.push(own.sort((a, b) => a.column - b.column));
  }
  return places;
}

/** How many columns a table has. */
export function columnCount(places: readonly (readonly Placed[])[]): number {
  return places.reduce((most, row) => row.reduce((end, { column, width }) => Math.max(end, column + width), most), 0);
}

/**
 * Gives each row a cell for each of its columns: what reaches over rows says its text in each of them, what reaches over
 * columns (`colspan` stays) in the first.
 */
export function spread(
  rows: readonly DomElement[],
  places: readonly (readonly Placed[])[],
  document: DomDocument,
): void {
  for (const [index, row] of rows.entries()) {
    const placed = places[index]!;
    for (const [at, { cell, isFromAbove, width }] of placed.entries()) {
      if (!isFromAbove) continue;
      const next = placed.slice(at + 1).find((each) => !each.isFromAbove);
      const isShort = cell.textContent.length <= LONGEST_REPEATED;
      const copy = isShort ? (cell.cloneNode(true) as DomElement) : document.createElement('td');
      copy.setAttribute('colspan', String(width));
      row.insertBefore(copy, next?.cell ?? null);
    }
  }
}

/** Of `colspan` or `rowspan`: 1 or more. */
export function spanOf(cell: DomElement, name: 'colspan' | 'rowspan'): number {
  const value = Number.parseInt(cell.getAttribute(name) ?? '1', 10);
  return value >= 1 ? Math.min(WIDEST, value) : 1;
}

function columnsOf({ column, width }: Placed): number[] {
  return Array.from({ length: width }, (_, index) => column + index);
}
