import type { Found } from '../searching';
import { secretOf } from './assignments';

/** The line below a table's headings, as GitHub's Markdown has it: a table has two columns or more. */
const BELOW_HEADINGS = /(?<=\n)[ \t]{0,3}\|?[ \t]{0,20}:?-{1,200}:?[ \t]{0,20}\|[-:|\t ]{0,2000}(?=\r?\n)/g;
/** What a column of secrets is called. Of tokens designers have tables as well. */
const COLUMN = /(?:pass(?:word|wd|phrase|wort)|kennwort|secret|(?:api|access|secret)[ _-]?key)$/i;
/** Lines and characters of a line that are looked at. */
const ROWS = 200;
const LINE = 2_000;

/** Secrets in the columns of Markdown's tables, by the headings of these. */
export function findInTables(text: string): Found[] {
  const found: Found[] = [];
  // What looks like another table within one is a row of it.
  let end = 0;
  for (const { index, 0: line } of text.matchAll(BELOW_HEADINGS)) {
    if (index < end) continue;
    const headings = text.slice(Math.max(0, index - LINE), index - 1);
    const columns = namesOf(headings.slice(headings.lastIndexOf('\n') + 1));
    if (columns.size > 0) end = inRows(text, index + line.length, columns, found);
  }
  return found;
}

function namesOf(headings: string): Map<number, string> {
  const columns = cellsOf(headings).map(({ text }, column) => [column, COLUMN.exec(text)?.[0] ?? ''] as const);
  return new Map(columns.filter(([, name]) => name !== ''));
}

/** Answers where the rows end. */
function inRows(text: string, from: number, columns: ReadonlyMap<number, string>, found: Found[]): number {
  let start = text.indexOf('\n', from) + 1;
  for (let row = 0; start > 0 && row < ROWS; row++) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, Math.min(start + LINE, end === -1 ? text.length : end));
    if (!line.includes('|')) return start;
    const cells = cellsOf(line);
    for (const [column, name] of columns) {
      const cell = cells[column];
      const secret = cell && !/\s/.test(cell.text) && secretOf(name, cell.text, start + cell.start, cell.isQuoted);
      if (secret) found.push(secret);
    }
    start = end + 1;
  }
  return start === 0 ? text.length : start;
}

interface Cell {
  /** Without what makes it stand out. */
  text: string;
  start: number;
  isQuoted: boolean;
}

function cellsOf(line: string): Cell[] {
  let start = 0;
  const cells = line.split('|').map((cell) => {
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
