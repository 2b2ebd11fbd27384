import type { BlockLine } from './layout';

/** Rows apart by more than this, in sizes, are not of one table. */
const FURTHEST = 4;
const LEAST_ROWS = 3;
/** Of the distance from row to row: closer is the second line of a cell. */
const TIGHT = 0.9;
const MOST_COLUMNS = 30;

/**
 * The table that begins with a line: how many lines, and their cells by columns. Undefined where there is none: a table has
 * three lines with gaps at least, and the gaps stand below each other.
 */
export function readTable(lines: readonly BlockLine[], from: number): { length: number; rows: string[][] } | undefined {
  if (lines[from]!.cells.length < 2) return undefined;
  let end = from + 1;
  while (end < lines.length && isNext(lines[end - 1]!, lines[end]!)) end++;
  const tight = TIGHT * usualDistance(lines.slice(from, end));
  // A last line without a gap is text below the table, unless it stands as close as a cell's second line.
  while (end > from && lines[end - 1]!.cells.length < 2 && !(distanceOf(lines, end - 1) < tight)) end--;
  const own = lines.slice(from, end);
  const withGaps = own.filter(({ cells }) => cells.length >= 2);
  if (withGaps.length < LEAST_ROWS || withGaps.length < own.length * 0.5) return undefined;
  const columns = findColumns(withGaps);
  if (columns.length < 2 || columns.length > MOST_COLUMNS) return undefined;
  const filled = withGaps.filter(
    (line) => new Set(line.cells.map((cell) => columnOf(cell.x, columns))).size === line.cells.length,
  );
  if (filled.length < withGaps.length * 0.8) return undefined;
  return { length: own.length, rows: rowsOf(own, columns, tight) };
}

function isNext(above: BlockLine, line: BlockLine): boolean {
  if (line.page !== above.page || line.column.left !== above.column.left) return false;
  const distance = (line.y - above.y) / line.size;
  if (!(distance > 0 && distance < FURTHEST)) return false;
  // A line of one cell belongs to the table as far as it does not reach over its gaps.
  return (
    line.cells.length >= 2 || (line.right - line.x < 0.5 * (line.column.right - line.column.left) && distance < 1.6)
  );
}

interface Column {
  left: number;
  right: number;
}

/** What of the lines lies above each other, taken together. */
function findColumns(lines: readonly BlockLine[]): Column[] {
  const cells = lines.flatMap((line) => line.cells).sort((a, b) => a.x - b.x);
  const columns: Column[] = [];
  for (const { x, right } of cells) {
    const last = columns.at(-1);
    if (last && x < last.right - 0.5) last.right = Math.max(last.right, right);
    else columns.push({ left: x, right });
  }
  return columns;
}

function columnOf(x: number, columns: readonly Column[]): number {
  let column = 0;
  while (column + 1 < columns.length && columns[column + 1]!.left <= x + 1) column++;
  return column;
}

/** From row to row, in points. */
function usualDistance(lines: readonly BlockLine[]): number {
  const distances = lines.map((_, index) => (lines[index]!.cells.length >= 2 ? distanceOf(lines, index) : Number.NaN));
  const rows = distances.filter((distance) => distance > 0).sort((a, b) => a - b);
  return rows[Math.floor(rows.length / 2)] ?? 0;
}

function distanceOf(lines: readonly BlockLine[], index: number): number {
  return lines[index]!.y - (lines[index - 1]?.y ?? Number.NaN);
}

function rowsOf(lines: readonly BlockLine[], columns: readonly Column[], tight: number): string[][] {
  const rows: string[][] = [];
  // A caption beside the table is no first column of it.
  const begun = lines.filter(({ cells }) => columnOf(cells[0]!.x, columns) === 0).length;
  const isNamedByFirst = begun >= lines.length / 2;
  for (const [index, line] of lines.entries()) {
    const row = columns.map(() => '');
    for (const cell of line.cells) {
      const column = columnOf(cell.x, columns);
      row[column] = row[column] === '' ? cell.text : `${row[column]} ${cell.text}`;
    }
    const above = rows.at(-1);
    // What has nothing in its first column goes on with the row above, and what stands closer to it than rows do.
    const goesOn = (row[0] === '' && isNamedByFirst) || (line.cells.length < 2 && distanceOf(lines, index) < tight);
    if (above && goesOn) for (const [column, text] of row.entries()) above[column] = `${above[column]} ${text}`.trim();
    else rows.push(row);
  }
  return rows;
}
