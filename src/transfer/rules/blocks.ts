import { closesFence, type Fence, isBlank, Lines, openingFence } from '../../markdown';

/** Lines of a section that belong together. Offsets are UTF-16 code units, the last line break left out. */
export interface Block {
  kind: 'text' | 'item' | 'code' | 'quote';
  start: number;
  end: number;
  /** Of its first line, from 0. */
  line: number;
  /** Of an item: columns from the line's beginning to its text. */
  indent: number;
  /** Of an item of an ordered list that goes on: its number there, which it may not be written with (`1.` on each). */
  number?: number;
}

const MARKER = /^(?:[-*+]|\d{1,9}[.)])[ \t]+/;
const LINE_END = /(\r\n|\r|\n)/;
const NUMBER = /^(\d{1,9})([.)])[ \t]/;

/**
 * The blocks of a part of a Markdown text: paragraphs, items of its outermost lists with all that stands in them, code,
 * quotations. Every line that is not blank stands in exactly one. Takes time in proportion to the text.
 */
export function blocksOf(text: string, from: number, to: number, line: number): Block[] {
  const blocks: Block[] = [];
  const part = text.slice(0, to);
  const lines = new Lines(part, from, line);
  let open: Block | undefined;
  let fence: Fence | undefined;
  let blank = true;
  while (lines.advance()) {
    const { first, end, number, start } = lines;
    if (fence) {
      if (open && first < end) open.end = end;
      if (closesFence(fence, part, first, end)) {
        fence = undefined;
        if (open?.kind === 'code') open = undefined;
      }
      continue;
    }
    if (first === end) {
      blank = true;
      continue;
    }
    const column = lines.column(first);
    const goesOn = open?.kind === 'item' && column >= 2 && (column >= open.indent || !blank);
    const opening = openingFence(part, first, end);
    const kind = goesOn ? 'item' : kindOf(part.slice(first, Math.min(end, first + 20)), opening !== undefined);
    // A paragraph goes on until a blank line; so does what stands lazily below an item or a quotation.
    const joins: boolean =
      open !== undefined &&
      (goesOn || (kind === 'text' && !blank) || (kind === open.kind && kind === 'quote' && !blank));
    if (joins) {
      open!.end = end;
    } else {
      const marker = kind === 'item' ? MARKER.exec(part.slice(first, first + 20))?.[0].length : undefined;
      const before = blocks.at(-1);
      open = { kind, start, end, line: number, indent: column + (marker ?? 0) };
      const counted = before && numberBehind(before, open, part);
      if (counted !== undefined) open.number = counted;
      blocks.push(open);
    }
    fence = opening;
    blank = false;
  }
  return blocks;
}

function kindOf(beginning: string, isFence: boolean): Block['kind'] {
  if (isFence) return 'code';
  if (beginning.startsWith('>')) return 'quote';
  return MARKER.test(`${beginning} `) && !/^(?:[-*_][ \t]*){3,}$/.test(beginning) ? 'item' : 'text';
}

/** Which item of its list an item is, where the block before it is one of the same list; undefined where it opens a list. */
function numberBehind(before: Block, block: Block, text: string): number | undefined {
  const [[earlier, first], [written, mark]] = [numberOf(before, text), numberOf(block, text)];
  if (earlier === undefined || written === undefined || first !== mark) return undefined;
  // The same number again counts onward, unless the one before it was meant.
  return written === earlier && before.number !== earlier ? (before.number ?? earlier) + 1 : written;
}

/** As it is written, with the mark behind it; of a bullet, and of what is no item, nothing. */
function numberOf({ kind, start }: Block, text: string): [number?, string?] {
  const [, number, mark] = (kind === 'item' && NUMBER.exec(text.slice(start, start + 40).trimStart())) || [];
  return number === undefined ? [] : [Number(number), mark];
}

/** The text of one item without its marker, its further lines no further in than they have to be. */
export function itemText(text: string, { start, end, indent }: Block): string {
  const [first = '', ...more] = text.slice(start, end).split(LINE_END);
  return [first.trimStart().replace(MARKER, ''), ...dedentedLines(more, indent)].join('');
}

/** As `itemText`, but with its number where it has one: the order, and what refers to a step, would say nothing without. */
export function numberedItemText(text: string, block: Block): string {
  const [first = '', ...more] = text.slice(block.start, block.end).split(LINE_END);
  const item = first.trimStart();
  if (!NUMBER.test(item)) return itemText(text, block);
  const column = block.indent - MARKER.exec(item)![0].length;
  return withNumber([item, ...dedentedLines(more, column)].join(''), block);
}

/**
 * The text from the first of some blocks to the end of the last. Where it begins within a list whose numbers are not the
 * written ones, the items have their numbers: who reads the part alone could not count them.
 */
export function textOf(text: string, blocks: readonly Block[]): string {
  let at = blocks[0]!.start;
  let isWithin = true;
  const parts: string[] = [];
  for (const block of blocks) {
    isWithin &&= block.number !== undefined;
    if (!isWithin) break;
    parts.push(text.slice(at, block.start), withNumber(text.slice(block.start, block.end), block));
    at = block.end;
  }
  return [...parts, text.slice(at, blocks.at(-1)!.end)].join('');
}

/** What is below the first line stays as far in as the number grows wider. */
function withNumber(item: string, { number }: Block): string {
  const written = /\d+/.exec(item)?.[0] ?? '';
  if (number === undefined || Number(written) === number) return item;
  const [first = '', ...more] = item.split(LINE_END);
  const wider = ' '.repeat(Math.max(0, String(number).length - written.length));
  return [
    first.replace(written, String(number)),
    ...more.map((line, index) => (index % 2 === 1 && /^[ \t]*\S/.test(line) ? wider + line : line)),
  ].join('');
}

/** Every other one is what ends a line, and stays. */
function dedentedLines(lines: readonly string[], columns: number): string[] {
  return lines.map((each, index) => (index % 2 === 0 ? each : dedented(each, columns)));
}

function dedented(line: string, columns: number): string {
  let at = 0;
  for (let column = 0; column < columns && at < line.length && isBlank(line.charCodeAt(at)); at++) {
    column += line[at] === '\t' ? 4 - (column % 4) : 1;
  }
  return line.slice(at);
}
