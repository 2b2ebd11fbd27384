import { plainText, titleOf } from '../../markdown';
import { type Block, blocksOf, itemText, numberedItemText, textOf } from './blocks';
import { withPlainLineEnds } from './line-ends';
import { cutToFit, LONGEST_CONTENT } from './storable';

/** A part of a section that becomes an entry. */
export interface Piece {
  text: string;
  /** From 0. */
  line: number;
  /** What it is called by itself; absent where the section's title says it. */
  title?: string;
  /** Where the text begins that it was cut from, from 0; absent where it is no part of one. */
  cutFrom?: number;
}

/** A section with fewer characters is one rule, however it is written. */
const WHOLE = 700;
/** A part without titles of its own has about so many at most. */
const LONG = 2_000;
/** Fewer say nothing alone. */
const SMALL = 40;
const LONGEST_TITLE = 80;
const TITLE_BY_COLON = /^[\p{Lu}\p{N}][^.!?:]*:$/u;
/** A few words and no sentence. */
const PLAIN_TITLE = /^[\p{Lu}\p{N}][^.!?:,;]*[\p{L}\p{N})]$/u;

/**
 * The parts of a section, in their order: the whole of a short one; of a longer one the items of its lists, and what
 * stands below lines that are titles, where they have titles of their own; else as many blocks as make a readable text.
 * Every line that is not blank stands in one of them.
 */
export function piecesOf(text: string, from: number, to: number, line: number): Piece[] {
  const blocks = blocksOf(text, from, to, line);
  if (blocks.length === 0) return [];
  const length = sizeOf(text, blocks[0]!.start, blocks.at(-1)!.end);
  if (length <= WHOLE) return [whole(text, blocks)];
  const titled = titledGroups(text, blocks);
  if (titled) return titled.flatMap((group) => withinLimit(pieceOf(text, group)));
  const pieces = packs(text, blocks).flatMap((group) => withinLimit(pieceOf(text, group)));
  return pieces.length === 1 ? pieces : pieces.map((piece) => ({ ...piece, cutFrom: blocks[0]!.line }));
}

interface Group {
  blocks: Block[];
  title?: string;
  /** Whether it is one item of a list, and no list. */
  isItem?: boolean;
}

function pieceOf(text: string, { blocks, title, isItem }: Group): Piece {
  const piece = isItem ? { text: numberedItemText(text, blocks[0]!), line: blocks[0]!.line } : whole(text, blocks);
  return title === undefined ? piece : { ...piece, title };
}

function whole(text: string, blocks: readonly Block[]): Piece {
  const [first] = blocks;
  return { text: textOf(text, blocks), line: first!.line };
}

/** Undefined where fewer than two parts have titles of their own. */
function titledGroups(text: string, blocks: readonly Block[]): Group[] | undefined {
  const titles = blocks.map((block, index) => titleOfItem(text, block) ?? titleOfLine(text, block, blocks[index + 1]));
  const items = blocks.filter(({ kind }) => kind === 'item').length;
  const titledItems = blocks.filter(({ kind }, index) => kind === 'item' && titles[index] !== undefined).length;
  // A list with a title here and there is one list.
  const apart = titledItems >= 2 && titledItems >= 0.6 * items;
  const isTitled = (index: number) => titles[index] !== undefined && (blocks[index]!.kind !== 'item' || apart);
  if (blocks.filter((_, index) => isTitled(index)).length < 2) return undefined;
  const groups: Group[] = [];
  for (const [index, block] of blocks.entries()) {
    const isItem = block.kind === 'item';
    if (isTitled(index)) groups.push({ blocks: [block], title: titles[index]!, isItem });
    else if (groups.length === 0) groups.push({ blocks: [block] });
    else {
      const open = groups.at(-1)!;
      open.blocks.push(block);
      open.isItem = false;
    }
  }
  return together(text, groups);
}

/** What says nothing alone stays with what follows it. */
function together(text: string, groups: readonly Group[]): Group[] {
  const result: Group[] = [];
  let small: Group | undefined;
  for (const group of groups) {
    const merged: Group = small ? { ...group, blocks: [...small.blocks, ...group.blocks], isItem: false } : group;
    const length = merged.blocks.reduce((sum, { start, end }) => sum + sizeOf(text, start, end), 0);
    small = length < SMALL ? merged : undefined;
    if (!small) result.push(merged);
  }
  const last = result.at(-1);
  if (small && last) result[result.length - 1] = { ...last, blocks: [...last.blocks, ...small.blocks], isItem: false };
  else if (small) result.push(small);
  return result;
}

/** `- **Title**: …`, `**1** **Title** …`, `1. Title:` with something below it. */
function titleOfItem(text: string, block: Block): string | undefined {
  if (block.kind !== 'item') return undefined;
  const item = itemText(text, block);
  const line = firstLine(item).trim();
  const bold = /^(?:\*\*|__)([^*_\n]{2,80}?)(?:\*\*|__)/.exec(line)?.[1];
  const colon = item.trim() !== line && line.length <= LONGEST_TITLE && TITLE_BY_COLON.test(line) ? line : undefined;
  return (bold ?? colon)?.replace(/:\s*$/, '').trim() || undefined;
}

/** A line alone, in bold or with a colon at its end, with something below it; without either, above a list or code. */
function titleOfLine(text: string, block: Block, next: Block | undefined): string | undefined {
  if (block.kind !== 'text') return undefined;
  const lines = text.slice(block.start, block.end);
  const line = firstLine(lines).trim();
  const isAlone = lines.trim() === line;
  if (line.length > LONGEST_TITLE || (isAlone && next === undefined)) return undefined;
  const bold = /^(?:\*\*|__)([^*_]+)(?:\*\*|__):?$/.exec(line)?.[1];
  const colon = isAlone && TITLE_BY_COLON.test(line) ? line : undefined;
  const isPlain = isAlone && (next?.kind === 'item' || next?.kind === 'code') && PLAIN_TITLE.test(line);
  return (bold ?? colon ?? (isPlain ? line : undefined))?.replace(/:\s*$/, '').trim() || undefined;
}

function firstLine(text: string): string {
  return text.split(/[\r\n]/, 1)[0]!;
}

/** Blocks in their order, about as many as are read at once; what explains the next one stays with it. */
function packs(text: string, blocks: readonly Block[]): Group[] {
  const groups: Group[] = [];
  let length = 0;
  for (const [index, block] of blocks.entries()) {
    const size = sizeOf(text, block.start, block.end);
    const open = groups.at(-1);
    // Code belongs to what is said above it.
    if (
      open &&
      (block.kind === 'code' || length < SMALL || length + size <= LONG) &&
      length + size <= LONGEST_CONTENT
    ) {
      open.blocks.push(block);
      length += size;
    } else {
      groups.push({ blocks: [block] });
      length = size;
    }
    const next = blocks[index + 1];
    // A short paragraph before a list or code, at the end of a long part, opens the next one.
    const opens = next && block.kind === 'text' && next.kind !== 'text' && size < 200 && length > LONG / 2;
    const group = groups.at(-1)!;
    if (opens && group.blocks.length > 1 && length + sizeOf(text, next.start, next.end) > LONG) {
      group.blocks.pop();
      groups.push({ blocks: [block] });
      length = size;
    }
  }
  return groups;
}

/** The same wherever lines end otherwise, so that a file falls into the same parts. */
function sizeOf(text: string, start: number, end: number): number {
  return withPlainLineEnds(text.slice(start, end)).length;
}

/** A single block may be longer than an entry can be. */
function withinLimit(piece: Piece): Piece[] {
  let { line } = piece;
  const texts = cutToFit(piece.text);
  const pieces = texts.map((text) => {
    const part = { ...piece, text, line, ...(texts.length > 1 ? { cutFrom: piece.line } : {}) };
    line += text.split('\n').length - 1;
    return part;
  });
  return pieces.filter(({ text }) => text.trim() !== '');
}

/** A title as it is shown. */
export function shownTitle(title: string): string {
  return plainText(titleOf(title)).trim();
}
