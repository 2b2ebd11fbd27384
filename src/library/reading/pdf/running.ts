import type { Cell, PageLine } from './layout';

/** A page's lines, from 1, with its height in points. */
export interface Page {
  page: number;
  height: number;
  lines: PageLine[];
}

/** Share of a page's height, above and below, in which headers and footers stand. */
const MARGIN = 0.2;
/** Lines of a header or a footer at most. */
const OUTERMOST = 3;
/** On so many pages at least, of two on both. */
const REPEATED = 3;
/** … and on this share of those between its first and its last: every second page has another one. */
const SHARE = 0.4;
const SAME_HEIGHT = 4;

/**
 * Takes headers, footers and page numbers out of the pages: what stands at the same height on several pages near the edge
 * and says the same but for its numbers. How many lines it took.
 */
export function dropRunningLines(pages: readonly Page[]): number {
  // Cell by cell: what stands left and right in a header is one line on one page and two on another.
  const repeated = new Map<string, { pages: Set<number>; texts: string[] }>();
  for (const page of pages) {
    for (const line of outermost(page)) {
      for (const cell of line.cells) {
        const key = keyOf(cell, line, page);
        const found = repeated.get(key) ?? { pages: new Set(), texts: [] };
        found.pages.add(page.page);
        found.texts.push(cell.text);
        repeated.set(key, found);
      }
    }
  }
  const running = new Set<string>();
  for (const [key, { pages: on, texts }] of repeated) if (isRunning([...on], texts, pages.length)) running.add(key);
  let count = 0;
  for (const page of pages) {
    const dropped = new Set(
      outermost(page).filter(
        (line) =>
          line.cells.every((cell) => running.has(keyOf(cell, line, page))) || isOwnNumber(line, page, pages.length),
      ),
    );
    count += dropped.size;
    if (dropped.size > 0) page.lines = page.lines.filter((line) => !dropped.has(line));
  }
  return count;
}

function outermost({ lines, height }: Page): PageLine[] {
  const sorted = [...lines].sort((a, b) => a.y - b.y);
  const above = sorted.filter(({ y }) => y < height * MARGIN).slice(0, OUTERMOST);
  const below = sorted.filter(({ y }) => y > height * (1 - MARGIN)).slice(-OUTERMOST);
  return [...new Set([...above, ...below])];
}

function keyOf({ text }: Cell, { y }: PageLine, { height }: Page): string {
  const place = y < height / 2 ? y : height - y;
  const said = text
    .replace(/\d+/g, '#')
    .replace(/^[ivxlc]+$/i, '#')
    .replace(/\s+/g, ' ');
  return `${y < height / 2 ? 'above' : 'below'} ${Math.round(place / SAME_HEIGHT)} ${said}`;
}

function isRunning(on: readonly number[], texts: readonly string[], count: number): boolean {
  if (on.length < Math.min(REPEATED, Math.max(2, count))) return false;
  // They are in order.
  const span = on.at(-1)! - on[0]! + 1;
  if (on.length < span * SHARE) return false;
  // Numbered clauses say the same but for their numbers too.
  return !texts.every((text) => /^\d+(\.\d+)+\s/.test(text));
}

/** Of a short document too: nothing but the number that the page has. */
function isOwnNumber(line: PageLine, { page, lines, height }: Page, count: number): boolean {
  const alone = /^(?:page\s+|seite\s+|[-–—]\s*)?(\d{1,4})(?:\s*(?:of|von|\/)\s*(\d{1,4}))?(?:\s*[-–—])?$/i.exec(
    line.text,
  );
  if (!alone || Number(alone[1]) !== page || lines.length < 2) return false;
  if (alone[2] !== undefined && Number(alone[2]) !== count) return false;
  const isFirst = lines.every(({ y }) => y >= line.y);
  const isLast = lines.every(({ y }) => y <= line.y);
  return (isFirst && line.y < height * MARGIN) || (isLast && line.y > height * (1 - MARGIN));
}
