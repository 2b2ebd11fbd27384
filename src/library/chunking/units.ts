import { sentenceStarts } from '../../core/sentences';
import { estimateTokens } from '../../core/tokens';
import { closesFence, type Fence, Lines, openingFence } from '../../markdown';
import { CHUNKING_LIMITS } from './limits';
import type { Section } from './sections';

export type UnitKind = 'heading' | 'prose' | 'code' | 'table';

/** What is not parted: a heading, a sentence, a table, a block of code, or a part of one that is too large. */
export interface Unit {
  start: number;
  end: number;
  kind: UnitKind;
  tokens: number;
  /** Whether a paragraph, an item, a table or code begins here, and no further sentence of one. */
  opens: boolean;
}

interface Block {
  start: number;
  end: number;
  kind: UnitKind;
}

const ITEM = /^\s*(?:[-+*]|\d{1,9}[.)]|\(?[a-z]{1,2}\))\s+\S/i;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const DELIMITER = /^\s*\|?\s*:?-{1,}:?\s*(?:\|\s*:?-{1,}:?\s*)*\|?\s*$/;

/** The units of a section's text, in order; together they have all of it but blanks. */
export function unitsOf(text: string, section: Section): Unit[] {
  const units: Unit[] = [];
  const { start, textStart, end } = section;
  const headingEnd = trimmedEnd(text, start, textStart);
  if (headingEnd > start)
    split(text, { start: trimmedStart(text, start, headingEnd), end: headingEnd, kind: 'heading' }, units);
  for (const block of blocksOf(text, textStart, end)) split(text, block, units);
  return units;
}

function* blocksOf(text: string, from: number, end: number): Generator<Block> {
  const lines = new Lines(text.slice(from, end));
  const source = lines.text;
  let open: Block | undefined;
  let fence: Fence | undefined;
  const place = (block: Block): Block => ({ ...block, start: block.start + from, end: block.end + from });
  while (lines.advance()) {
    const { start, end: lineEnd } = lines;
    const { first } = lines;
    if (fence && open) {
      open.end = lineEnd;
      if (closesFence(fence, source, first, lineEnd)) {
        yield place(open);
        fence = undefined;
        open = undefined;
      }
      continue;
    }
    if (first === lineEnd) {
      if (open) yield place(open);
      open = undefined;
      continue;
    }
    const opening = openingFence(source, first, lineEnd);
    if (opening) {
      if (open) yield place(open);
      fence = opening;
      open = { start, end: lineEnd, kind: 'code' };
      continue;
    }
    const line = source.slice(start, Math.min(lineEnd, start + 2_000));
    const isRow = TABLE_ROW.test(line) || (open?.kind === 'table' && line.includes('|'));
    if (
      open &&
      !isRow &&
      open.kind === 'prose' &&
      DELIMITER.test(line) &&
      line.includes('|') &&
      headOf(source, open).includes('|')
    ) {
      // A table without bars at its edges: the line above is its head.
      open.kind = 'table';
      open.end = lineEnd;
      continue;
    }
    const kind = isRow ? 'table' : 'prose';
    if (open && (open.kind !== kind || ITEM.test(line))) {
      yield place(open);
      open = undefined;
    }
    if (open) open.end = lineEnd;
    else open = { start, end: lineEnd, kind };
  }
  if (open) yield place(open);
}

function headOf(source: string, { start, end }: Block): string {
  const head = source.slice(start, end);
  return head.includes('\n') ? '' : head;
}

function split(text: string, block: Block, units: Unit[]): void {
  const end = trimmedEnd(text, block.start, block.end);
  // The first line of code keeps what it is indented by.
  const start = block.kind === 'prose' ? trimmedStart(text, block.start, end) : block.start;
  if (start >= end) return;
  const pieces = block.kind === 'prose' ? cut(sentenceStarts(text, start, end), end) : [{ start, end }];
  for (const [index, piece] of pieces.entries()) {
    addPiece(
      text,
      { ...piece, end: trimmedEnd(text, piece.start, piece.end), kind: block.kind, opens: index === 0 },
      units,
    );
  }
}

function cut(starts: readonly number[], end: number): { start: number; end: number }[] {
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? end }));
}

/** A piece that is too large is parted at its lines, then at clauses, at words, and in the end anywhere. */
function addPiece(text: string, piece: Omit<Unit, 'tokens'>, units: Unit[]): void {
  const tokens = estimateTokens(text.slice(piece.start, piece.end));
  if (tokens <= CHUNKING_LIMITS.most) {
    if (piece.end > piece.start) units.push({ ...piece, tokens });
    return;
  }
  for (const separator of [/\n/g, /[;:,、；，](?:\s|(?<=[、；，]))/g, /\s+/g]) {
    const parts = partsAt(text, piece, separator);
    if (parts.length < 2) continue;
    for (const [index, part] of grouped(text, parts).entries()) {
      addPiece(text, { ...part, kind: piece.kind, opens: piece.opens && index === 0 }, units);
    }
    return;
  }
  const middle = halfway(text, piece.start, piece.end);
  addPiece(text, { ...piece, end: middle }, units);
  addPiece(text, { ...piece, start: middle, opens: false }, units);
}

function partsAt(
  text: string,
  { start, end }: { start: number; end: number },
  separator: RegExp,
): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = [];
  let from = start;
  for (const match of text.slice(start, end).matchAll(separator)) {
    const to = start + match.index + match[0].length;
    if (to >= end) break;
    parts.push({ start: from, end: to });
    from = to;
  }
  parts.push({ start: from, end });
  return parts;
}

/** Neighbouring parts together, as long as they stay below what a chunk is cut at. */
function grouped(text: string, parts: readonly { start: number; end: number }[]): { start: number; end: number }[] {
  const groups: { start: number; end: number }[] = [];
  let tokens = 0;
  for (const part of parts) {
    const own = estimateTokens(text.slice(part.start, part.end));
    const last = groups.at(-1);
    if (last && tokens + own <= CHUNKING_LIMITS.aim) {
      last.end = part.end;
      tokens += own;
    } else {
      groups.push({ ...part });
      tokens = own;
    }
  }
  return groups
    .map(({ start, end }) => ({ start: blanksAfter(text, start, end), end: trimmedEnd(text, start, end) }))
    .filter(({ start, end }) => end > start);
}

/** Lines of blanks go, what the first line is indented by stays. */
function blanksAfter(text: string, start: number, end: number): number {
  const blank = /^(?:[^\S\n]*\n)+/.exec(text.slice(start, end));
  return start + (blank?.[0].length ?? 0);
}

/** Not between the two halves of a character. */
function halfway(text: string, start: number, end: number): number {
  const middle = start + Math.floor((end - start) / 2);
  return /[\uDC00-\uDFFF]/.test(text[middle]!) && middle + 1 < end ? middle + 1 : middle;
}

export function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /\s/.test(text[at - 1]!)) at--;
  return at;
}

function trimmedStart(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && /\s/.test(text[at]!)) at++;
  return at;
}
