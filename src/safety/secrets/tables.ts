import type { Found } from '../searching';
import { isValue, secretOf } from './assignments';

/** The line below a table's headings, as GitHub's Markdown has it, also in quotes and in lists: of two columns or more. */
const BELOW_HEADINGS = /^[ \t>]{0,40}\|?[ \t]{0,20}:?-{1,200}:?[ \t]{0,20}\|[-:|\t ]{0,2000}$/;
/** What a table that is an item of a list begins with, also in quotes; its other lines do not. */
const MARKERS = /^(?:[ \t>]{0,40}(?:[-*+]|\d{1,9}[.)])(?=[ \t])){1,4}/;
/** What a column of secrets is called. Of tokens designers have tables as well. */
const COLUMN =
  /(?<name>pass(?:word|wd|phrase|wort|wörter)|pwd|kennw(?:ort|örter)|secret|(?:api|access|secret)[ _-]?key)s?(?:\s{0,3}\([^()]{1,60}\))?$/i;
/** Characters of a line that are looked at. */
const LINE = 32_768;
/** Characters that are looked through before others have their turn. */
const AT_ONCE = 4_096;

/**
 * Secrets in the columns of Markdown's tables, by the headings of these, which stand as far above as the table is long.
 * In steps.
 */
export function* findInTables(text: string): Generator<void, Found[]> {
  const found: Found[] = [];
  if (!text.includes('|')) return found;
  let pausedAt = 0;
  let above = '';
  // Of the table that a line is in: what looks like another one within it is a row of it.
  let columns: ReadonlyMap<number, string> = new Map();
  for (const { start, end } of linesOf(text)) {
    if (start - pausedAt > AT_ONCE) {
      pausedAt = start;
      yield;
    }
    const line = text.slice(start, Math.min(start + LINE, end));
    if (!line.includes('|')) columns = new Map();
    else if (columns.size > 0) findInRow(line, start, columns, found);
    else if (BELOW_HEADINGS.test(line)) columns = namesOf(above);
    above = line;
  }
  return found;
}

/** Where the lines are, without their ends: LF, CR and LF, or CR alone. */
function* linesOf(text: string): Generator<{ start: number; end: number }> {
  let [feed, carriage] = [-1, -1];
  for (let start = 0; start <= text.length; ) {
    // Each is looked for once.
    if (feed < start) feed = indexOrEnd(text, '\n', start);
    if (carriage < start) carriage = indexOrEnd(text, '\r', start);
    const end = Math.min(feed, carriage);
    yield { start, end };
    start = feed === carriage + 1 ? feed + 1 : end + 1;
  }
}

function indexOrEnd(text: string, sign: string, from: number): number {
  const index = text.indexOf(sign, from);
  return index === -1 ? text.length : index;
}

function namesOf(headings: string): Map<number, string> {
  const names = cellsOf(headings.replace(MARKERS, '')).map(
    ({ text }, column) => [column, COLUMN.exec(text)?.groups?.name ?? ''] as const,
  );
  return new Map(names.filter(([, name]) => name !== ''));
}

function findInRow(line: string, start: number, columns: ReadonlyMap<number, string>, found: Found[]): void {
  const cells = cellsOf(line);
  for (const [column, name] of columns) {
    const cell = cells[column];
    if (!cell || !isValue(cell.text)) continue;
    const secret = secretOf(name, cell.text, start + cell.start, cell.isQuoted);
    if (secret) found.push(secret);
  }
}

interface Cell {
  /** Without what makes it stand out. */
  text: string;
  start: number;
  isQuoted: boolean;
}

function cellsOf(line: string): Cell[] {
  let start = 0;
  // A bar with a backslash before it is a sign of the cell.
  const cells = line.split(/(?<!\\)\|/).map((cell) => {
    const before = /^[\s*_`>]*/.exec(cell)?.[0] ?? '';
    let length = cell.length;
    while (length > before.length && /[\s*_`]/.test(cell[length - 1]!)) length--;
    const at = start + before.length;
    start += cell.length + 1;
    return { text: cell.slice(before.length, length), start: at, isQuoted: before.endsWith('`') };
  });
  // A row may begin with a bar or without.
  return cells[0]?.text === '' ? cells.slice(1) : cells;
}
