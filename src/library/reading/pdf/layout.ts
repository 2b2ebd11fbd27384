// From the pieces of text of a page, each with its place, to lines in the order in which they are read.

/** What is written in one go, in one font. Points, `y` downward from the page's upper edge. */
export interface Piece {
  text: string;
  x: number;
  right: number;
  /** Of the baseline. */
  y: number;
  size: number;
  font: string;
  isMono: boolean;
  /** A blank stood in front of it. */
  afterBlank: boolean;
}

/** A part of a line without a gap in it: in a table a cell, else most often the whole line. */
export interface Cell {
  text: string;
  x: number;
  right: number;
}

export interface PageLine {
  /** 1 or more, from left to right. */
  cells: readonly Cell[];
  text: string;
  x: number;
  right: number;
  y: number;
  size: number;
  font: string;
  isMono: boolean;
  /** Begins with the raised mark of a footnote. */
  isNote: boolean;
  /** Most of it is written from right to left. */
  isRightToLeft: boolean;
  /** The column that it stands in. */
  column: { left: number; right: number };
}

/** A line with the page that it stands on. */
export interface BlockLine extends PageLine {
  page: number;
}

interface Segment extends Cell {
  /** The raised number or sign that it begins with. */
  note?: string | undefined;
  y: number;
  size: number;
  fonts: Map<string, number>;
  isMono: boolean;
  /** Which piece of the page it begins with: programs write a column after the other, and a table row by row. */
  order: number;
}

/** In sizes of the font: a wider gap parts cells or columns. */
const GAP = 1;
/** A narrower one is within a word. */
const BLANK = 0.15;
/** How far a line's pieces may stand from its baseline: indices and exponents. */
const OFF_BASELINE = 0.45;
/** What is written raised is so much smaller than what stands beside it, and higher by this much of its size. */
const SMALLER = 0.85;
const RAISED = 0.15;
/** A raised mark, until the page's footnotes are known: no text has these characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what marks it.
const RAISED_MARK = /\u0001([^\u0002]*)\u0002/g;
/** A column has at least so many lines. */
const COLUMN_LINES = 5;
const BINS = 240;
const MOST_COLUMN_SPLITS = 2;

export function layOut(pieces: readonly Piece[]): PageLine[] {
  const lines: PageLine[] = [];
  read(withNoteMarks(segmentsOf(pieces)), 0, lines);
  return lines;
}

/** What of a page's raised numbers refers to its footnotes is written as `[1]`; others are exponents. */
function withNoteMarks(segments: Segment[]): Segment[] {
  const notes = new Set(segments.map(({ note }) => note));
  for (const segment of segments) {
    segment.text = segment.text.replaceAll(RAISED_MARK, (_all, mark: string) => (notes.has(mark) ? `[${mark}]` : mark));
    if (segment.note !== undefined) segment.text = `[${segment.note}] ${segment.text}`;
  }
  return segments;
}

function isRaised(piece: Piece, beside: { size: number; y: number }): boolean {
  return (
    piece.size < SMALLER * beside.size &&
    beside.y - piece.y > RAISED * beside.size &&
    /^(?:\d{1,3}|[*†‡§])$/.test(piece.text)
  );
}

function segmentsOf(pieces: readonly Piece[]): Segment[] {
  const segments: Segment[] = [];
  let open: Segment | undefined;
  for (const [order, piece] of pieces.entries()) {
    const opening = pieces[order - 1];
    if (open && opening && open.order === order - 1 && isRaised(opening, piece) && continues(open, piece)) {
      Object.assign(open, { note: open.text, text: piece.text, y: piece.y, size: piece.size, right: piece.right });
      open.isMono = piece.isMono;
      open.fonts.clear();
      countFont(open, piece);
      continue;
    }
    if (open && isRaised(piece, open) && continues(open, piece)) {
      open.text += `\u0001${piece.text}\u0002`;
      open.right = Math.max(open.right, piece.right);
      continue;
    }
    if (open && continues(open, piece)) {
      const isApart = piece.afterBlank || piece.x - open.right > BLANK * Math.max(open.size, piece.size);
      open.text += (isApart && !/\s$/.test(open.text) ? ' ' : '') + piece.text;
      open.right = Math.max(open.right, piece.right);
      if (piece.size > open.size) {
        open.size = piece.size;
        open.y = piece.y;
      }
      open.isMono &&= piece.isMono;
      countFont(open, piece);
      continue;
    }
    const { text, x, right, y, size, isMono } = piece;
    open = { text, x, right, y, size, isMono, order, fonts: new Map() };
    countFont(open, piece);
    segments.push(open);
  }
  for (const segment of segments) segment.text = segment.text.trim();
  return segments.filter(({ text }) => text !== '');
}

function continues(open: Segment, piece: Piece): boolean {
  const size = Math.max(open.size, piece.size);
  if (Math.abs(piece.y - open.y) > OFF_BASELINE * size) return false;
  const gap = piece.x - open.right;
  return gap > -0.5 * size && gap < GAP * size;
}

function countFont(segment: Segment, { font, text }: Piece): void {
  segment.fonts.set(font, (segment.fonts.get(font) ?? 0) + text.length);
}

function read(segments: readonly Segment[], splits: number, lines: PageLine[]): void {
  if (segments.length === 0) return;
  const gutter = splits < MOST_COLUMN_SPLITS ? findGutter(segments) : undefined;
  if (gutter === undefined) {
    linesOf(segments, lines);
    return;
  }
  // What reaches across, a title or a wide figure, parts what stands above it from what stands below.
  let left: Segment[] = [];
  let right: Segment[] = [];
  let across: Segment[] = [];
  const endColumns = () => {
    read(left, splits + 1, lines);
    read(right, splits + 1, lines);
    left = [];
    right = [];
  };
  const endAcross = () => {
    linesOf(across, lines);
    across = [];
  };
  for (const segment of [...segments].sort((a, b) => a.y - b.y || a.x - b.x)) {
    if (segment.right <= gutter) {
      endAcross();
      left.push(segment);
    } else if (segment.x >= gutter) {
      endAcross();
      right.push(segment);
    } else {
      endColumns();
      across.push(segment);
    }
  }
  endColumns();
  endAcross();
}

/** Where between two columns nothing stands: an x, or undefined for a page of one column. */
function findGutter(segments: readonly Segment[]): number | undefined {
  if (segments.length < 2 * COLUMN_LINES) return undefined;
  let minimum = Number.POSITIVE_INFINITY;
  let maximum = Number.NEGATIVE_INFINITY;
  for (const { x, right } of segments) {
    minimum = Math.min(minimum, x);
    maximum = Math.max(maximum, right);
  }
  const width = maximum - minimum;
  if (!(width > 0)) return undefined;
  const bin = (x: number) => Math.max(0, Math.min(BINS - 1, Math.floor(((x - minimum) / width) * BINS)));
  const covered = new Uint32Array(BINS);
  for (const { x, right } of segments) {
    if (right - x > 0.6 * width) continue;
    for (let at = bin(x + 1); at <= bin(right - 1); at++) covered[at]!++;
  }
  // Titles in the middle reach across, and single lines of what is no text.
  const crossing = Math.max(4, segments.length * 0.06);
  let best: { start: number; length: number } | undefined;
  let start = -1;
  const [first, last] = [Math.floor(BINS * 0.2), Math.ceil(BINS * 0.8)];
  for (let at = first; at <= last; at++) {
    if (at < last && covered[at]! <= crossing) {
      if (start === -1) start = at;
    } else if (start !== -1) {
      if (!best || at - start > best.length) best = { start, length: at - start };
      start = -1;
    }
  }
  if (!best) return undefined;
  const gutter = minimum + ((best.start + best.length / 2) / BINS) * width;
  return isBetweenColumns(segments, gutter, minimum, maximum) ? gutter : undefined;
}

/** Columns are filled with text, and were written one after the other; a table was written row by row. */
function isBetweenColumns(segments: readonly Segment[], gutter: number, minimum: number, maximum: number): boolean {
  const left = segments.filter(({ right }) => right <= gutter);
  const right = segments.filter(({ x }) => x >= gutter);
  const fewer = Math.min(left.length, right.length);
  if (fewer < COLUMN_LINES) return false;
  const isFilled = (side: Segment[], width: number) => {
    const widths = side.map((segment) => segment.right - segment.x).sort((a, b) => a - b);
    return widths[Math.floor(widths.length / 2)]! > 0.55 * width;
  };
  if (!isFilled(left, gutter - minimum) || !isFilled(right, maximum - gutter)) return false;
  let changes = 0;
  let side: boolean | undefined;
  for (const segment of segments) {
    if (segment.x < gutter && segment.right > gutter) continue;
    const isLeft = segment.right <= gutter;
    if (side !== undefined && side !== isLeft) changes++;
    side = isLeft;
  }
  return changes <= Math.max(2, fewer * 0.4);
}

function linesOf(segments: readonly Segment[], lines: PageLine[]): void {
  if (segments.length === 0) return;
  const column = { left: Number.POSITIVE_INFINITY, right: Number.NEGATIVE_INFINITY };
  const sorted = [...segments].sort((a, b) => a.y - b.y || a.x - b.x);
  let row: Segment[] = [];
  const endRow = () => {
    if (row.length === 0) return;
    row.sort((a, b) => a.x - b.x);
    lines.push(lineOf(row, column));
    row = [];
  };
  for (const segment of sorted) {
    column.left = Math.min(column.left, segment.x);
    column.right = Math.max(column.right, segment.right);
    const first = row[0];
    if (first && Math.abs(segment.y - first.y) > OFF_BASELINE * Math.max(first.size, segment.size)) endRow();
    row.push(segment);
  }
  endRow();
}

function lineOf(row: readonly Segment[], column: PageLine['column']): PageLine {
  const fonts = new Map<string, number>();
  for (const segment of row) for (const [font, count] of segment.fonts) fonts.set(font, (fonts.get(font) ?? 0) + count);
  const [font] = [...fonts].reduce((most, each) => (each[1] > most[1] ? each : most));
  const isRightToLeft = readsFromRight(row.map(({ text }) => text).join(''));
  return {
    cells: row.map(({ text, x, right }) => ({ text, x, right })),
    text: (isRightToLeft ? fromRight(row) : row).map(({ text }) => text).join(' '),
    x: row[0]!.x,
    right: Math.max(...row.map(({ right }) => right)),
    y: row[0]!.y,
    size: Math.max(...row.map(({ size }) => size)),
    font,
    isMono: row.every(({ isMono }) => isMono),
    isNote: row[0]!.note !== undefined,
    isRightToLeft,
    column,
  };
}

const FROM_RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/gu;

function readsFromRight(text: string): boolean {
  const count = text.match(FROM_RIGHT)?.length ?? 0;
  return count > 0 && 2 * count > (text.match(/\p{L}/gu)?.length ?? 0);
}

/** What is written from the left within such a line keeps its own order. */
function fromRight(row: readonly Segment[]): Segment[] {
  const ordered: Segment[] = [];
  let fromLeft: Segment[] = [];
  for (const segment of [...row].reverse()) {
    if (/\p{L}/u.test(segment.text) && segment.text.search(FROM_RIGHT) === -1) fromLeft.unshift(segment);
    else {
      ordered.push(...fromLeft, segment);
      fromLeft = [];
    }
  }
  return [...ordered, ...fromLeft];
}
