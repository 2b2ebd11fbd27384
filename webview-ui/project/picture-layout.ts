import type { ChainScope } from '../protocol/project';

export interface Box {
  scope: ChainScope;
  /** The place in the chain, from 1: of one keyword, what the lowest number says holds. */
  precedence: number;
  x: number;
  y: number;
}

/** The rows of one tier. */
export interface Band {
  tier: ChainScope['tier'];
  y: number;
  height: number;
}

export interface Picture {
  width: number;
  height: number;
  boxWidth: number;
  boxes: Box[];
  bands: Band[];
  /** SVG paths from each scope down to those that it inherits from. */
  lines: string[];
}

/** A box is as wide as there is room for, within these bounds. */
const BOX_WIDTH = { min: 156, max: 216 };
export const BOX_HEIGHT = 66;
const GAP_X = 22;
/** Between two rows: room for lines that turn. */
const GAP_Y = 38;
/** Left of the boxes, for the tiers' names. */
const LABEL_WIDTH = 96;
const PADDING = 12;
const CORNER = 7;
/** So far beside the middle lines reach and leave a group that stands below or above another one. */
const BESIDE = 16;
const ARROW = 5;

interface Row {
  boxes: Box[];
  y: number;
  boxWidth: number;
}
interface Point {
  x: number;
  y: number;
}

/**
 * Places the scopes of a chain: a row for each tier, the most specific on top, groups in the order in which they win
 * and on as many rows as they need in that width.
 * @param chain most specific first
 */
export function layOut(chain: readonly ChainScope[], available: number): Picture {
  const room = available - LABEL_WIDTH - 2 * PADDING + GAP_X;
  const columns = Math.max(1, Math.floor(room / (BOX_WIDTH.min + GAP_X)));
  const rows: Row[] = [];
  const bands: Band[] = [];
  const groups = chain.filter(({ tier }) => tier === 'GROUP').length;
  const inGrid = Math.min(columns, Math.max(1, groups));
  const boxWidth = Math.max(BOX_WIDTH.min, Math.min(BOX_WIDTH.max, Math.floor(room / inGrid) - GAP_X));
  const gridWidth = inGrid * (boxWidth + GAP_X) - GAP_X;
  const width = Math.max(available, LABEL_WIDTH + gridWidth + 2 * PADDING);
  const left = LABEL_WIDTH + (width - LABEL_WIDTH - gridWidth) / 2;
  let y = 0;
  for (const tier of ['PROJECT', 'GROUP', 'PRODUCT', 'GENERAL'] as const) {
    const scopes = chain.map((scope, index) => ({ scope, precedence: index + 1 })).filter((e) => e.scope.tier === tier);
    if (scopes.length === 0) continue;
    const top = y;
    for (let from = 0; from < scopes.length; from += inGrid) {
      const rowY = y + PADDING;
      const middle = left + (gridWidth - boxWidth) / 2;
      const boxes = scopes.slice(from, from + inGrid).map((each, column) => ({
        ...each,
        x: tier === 'GROUP' ? left + column * (boxWidth + GAP_X) : middle,
        y: rowY,
      }));
      rows.push({ boxes, y: rowY, boxWidth });
      y = rowY + BOX_HEIGHT + GAP_Y - PADDING;
    }
    bands.push({ tier, y: top, height: y - GAP_Y + PADDING + PADDING - top });
    y += PADDING;
  }
  const last = bands.at(-1);
  return {
    width,
    height: last ? last.y + last.height : 0,
    boxWidth,
    boxes: rows.flatMap(({ boxes }) => boxes),
    bands,
    lines: linesOf(chain, rows),
  };
}

function linesOf(chain: readonly ChainScope[], rows: readonly Row[]): string[] {
  const rowOf = (id: string) => rows.findIndex(({ boxes }) => boxes.some(({ scope }) => scope.scope_id === id));
  const general = chain.find(({ tier }) => tier === 'GENERAL')?.scope_id;
  return chain.flatMap((scope) => {
    if (scope.scope_id === general) return [];
    const named = scope.parents.filter((id) => rowOf(id) >= 0);
    // GENERAL stands above all; a line says so where no other way leads to it.
    const parents = named.length > 0 || !general ? named : [general];
    return parents.map((id) => lineBetween(rows, rowOf(scope.scope_id), scope.scope_id, rowOf(id), id));
  });
}

/** Runs between rows, and through gaps between the boxes of rows on its way. */
function lineBetween(rows: readonly Row[], fromRow: number, fromId: string, toRow: number, toId: string): string {
  const { boxWidth } = rows[fromRow]!;
  const from = boxOf(rows[fromRow]!, fromId);
  const to = boxOf(rows[toRow]!, toId);
  // What goes into a group and what comes from the one above it are two lines, and not one from group to group.
  const beside = rows.filter((row) => isGroups(row)).length > 1 ? BESIDE : 0;
  const target = to.x + boxWidth / 2 - (isGroups(rows[toRow]!) ? beside : 0);
  const start = from.x + boxWidth / 2 + (isGroups(rows[fromRow]!) ? beside : 0);
  // Lines to groups turn higher than lines past them, so that the two can be told apart.
  const turn = to.scope.tier === 'GROUP' ? 0.36 : 0.64;
  const above = (row: number) => {
    const gap = rows[row]!.y - rows[row - 1]!.y - BOX_HEIGHT;
    return rows[row]!.y - gap + gap * turn;
  };
  const points: Point[] = [{ x: start, y: from.y + BOX_HEIGHT }];
  for (let row = fromRow + 1; row <= toRow; row++) {
    const { x } = points.at(-1)!;
    const next = row === toRow ? target : gapNear(rows[row]!, x, target);
    points.push({ x, y: above(row) }, { x: next, y: above(row) });
  }
  points.push({ x: target, y: to.y - ARROW });
  return pathOf(points);
}

function isGroups({ boxes }: Row): boolean {
  return boxes[0]?.scope.tier === 'GROUP';
}

function boxOf(row: Row, id: string): Box {
  return row.boxes.find(({ scope }) => scope.scope_id === id)!;
}

function gapNear({ boxes, boxWidth }: Row, from: number, to: number): number {
  const gaps = [...boxes.map(({ x }) => x - GAP_X / 2), boxes.at(-1)!.x + boxWidth + GAP_X / 2];
  const way = (gap: number) => Math.abs(gap - from) + Math.abs(gap - to);
  return gaps.reduce((best, gap) => (way(gap) < way(best) ? gap : best));
}

/** Straight lines with rounded corners. */
function pathOf(points: readonly Point[]): string {
  const corners = points.filter((point, index) => {
    const before = points[index - 1];
    const after = points[index + 1];
    if (!before || !after) return true;
    const straight = (before.x === point.x && point.x === after.x) || (before.y === point.y && point.y === after.y);
    return !straight;
  });
  const parts = corners.map((point, index) => {
    const before = corners[index - 1];
    const after = corners[index + 1];
    if (!before) return `M${at(point)}`;
    if (!after) return `L${at(point)}`;
    const near = Math.min(CORNER, distance(before, point) / 2, distance(point, after) / 2);
    return `L${at(towards(point, before, near))}Q${at(point)} ${at(towards(point, after, near))}`;
  });
  return parts.join('');
}

function at({ x, y }: Point): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function distance(a: Point, b: Point): number {
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y);
}

function towards(from: Point, to: Point, by: number): Point {
  const all = distance(from, to) || 1;
  return { x: from.x + ((to.x - from.x) * by) / all, y: from.y + ((to.y - from.y) * by) / all };
}
