// From lines to what they are parts of: paragraphs, items, code, tables.
import type { BlockLine, Cell, PageLine } from './layout';
import type { Page } from './running';
import { readTable } from './tables';
import { halfPoints, type Typography } from './typography';

export type Block =
  | { kind: 'text' | 'item' | 'code' | 'contents'; lines: BlockLine[] }
  | { kind: 'table'; lines: BlockLine[]; rows: string[][] };

const BULLET = /^[•●○◦▪▫■□‣⁃∙·–—*\u{F0A7}\u{F0B7}\u{F0D8}-]$/u;
const ITEM =
  /^(?:[•●○◦▪▫■□‣⁃∙·\u{F0A7}\u{F0B7}\u{F0D8}]\s*|[–—*-]\s+|\(?[a-z]{1,2}\)\s+|\(?\d{1,3}\)\s+|\d{1,2}\.\s+|\([ivx]{1,5}\)\s+)(?=\S)/iu;
export const NUMBERED = /^(?:\d{1,3}(?:\.\d{1,3}){1,6}|[A-Z](?:\.\d{1,3}){1,6})\.?\s+\S/;
/** A capital would be somebody's initial. */
const LETTER = /^[a-z]\.\s+\p{L}{2}/u;
const ANNEX = /^(?:annex|appendix|anhang|anlage)\s+[A-Z]\b/i;
const CONTENTS = /(?:[.…]\s?){4,}\s*(?:\d{1,4}|[ivxlc]{1,6})$/i;
const SENTENCE_END = /[.:;!?。：！？]["”’)\]]?$/u;
/** Footnotes are smaller than the text by so much at least. */
const NOTE_SIZE = 0.95;
/** In sizes beyond the usual distance: what is further down begins something else. */
const FURTHER = 1.28;

export function findBlocks(pages: readonly Page[], typography: Typography, titles: ReadonlySet<string>): Block[] {
  const all: BlockLine[] = pages.flatMap(({ page, lines: own }) => own.map((line) => ({ ...withMarkers(line), page })));
  const { lines, notes } = withoutNotes(all, typography);
  const blocks: Block[] = [];
  // A sentence that goes on over the page is not interrupted by the notes below it.
  const push = (block: Block) => {
    while (notes.length > 0 && notes[0]!.lines[0]!.page < block.lines[0]!.page) blocks.push(notes.shift()!);
    blocks.push(block);
  };
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    const code = typography.isMono ? 0 : codeLength(lines, at, typography);
    if (code > 0) {
      push({ kind: 'code', lines: lines.slice(at, at + code) });
      at += code;
      continue;
    }
    const table = readTable(lines, at);
    if (table) {
      push({ kind: 'table', lines: lines.slice(at, at + table.length), rows: table.rows });
      at += table.length;
      continue;
    }
    at++;
    if (CONTENTS.test(line.text)) {
      push({ kind: 'contents', lines: [line] });
      continue;
    }
    const last = blocks.at(-1);
    if (last && (last.kind === 'text' || last.kind === 'item') && goesOn(last, line, typography, titles))
      last.lines.push(line);
    else push({ kind: isItem(line.text) ? 'item' : 'text', lines: [line] });
  }
  return [...blocks, ...notes];
}

/** Footnotes, each a block: small lines at the end of a column, from one with a raised mark on. */
function withoutNotes(all: readonly BlockLine[], { size }: Typography): { lines: BlockLine[]; notes: Block[] } {
  const columns = new Map<PageLine['column'], BlockLine[]>();
  for (const line of all) {
    const own = columns.get(line.column) ?? [];
    own.push(line);
    columns.set(line.column, own);
  }
  const taken = new Set<BlockLine>();
  const notes: Block[] = [];
  for (const own of columns.values()) {
    let from = own.length;
    while (from > 0 && own[from - 1]!.size < NOTE_SIZE * size) from--;
    const first = own.findIndex((line, index) => index >= from && line.isNote);
    if (first === -1) continue;
    for (const line of own.slice(first)) {
      taken.add(line);
      if (line.isNote) notes.push({ kind: 'text', lines: [line] });
      else notes.at(-1)!.lines.push(line);
    }
  }
  return { lines: all.filter((line) => !taken.has(line)), notes };
}

/** A bullet or a number and what stands behind it at a tab are one. */
function withMarkers(line: PageLine): PageLine {
  const [marker, text] = line.cells;
  if (!marker || !text || !(BULLET.test(marker.text) || (line.cells.length === 2 && isMarker(marker)))) return line;
  const merged: Cell = { text: `${marker.text} ${text.text}`, x: marker.x, right: text.right };
  return { ...line, cells: [merged, ...line.cells.slice(2)] };
}

function isItem(text: string): boolean {
  return ITEM.test(text) || LETTER.test(text);
}

function isMarker({ text }: Cell): boolean {
  return /^(?:\(?(?:\d{1,3}|[a-z]{1,2}|[ivx]{1,5})[.)]|\d{1,3}|(?:\d{1,3}|[A-Z])(?:\.\d{1,3}){1,6}\.?)$/i.test(text);
}

/** How many lines of code begin here; a single one has to stand apart, since a word in a sentence is written so too. */
function codeLength(lines: readonly BlockLine[], from: number, { leading }: Typography): number {
  let at = from;
  while (lines[at]?.isMono && lines[at]!.page === lines[from]!.page) at++;
  if (at - from !== 1) return at - from;
  const isApart = (above: BlockLine | undefined, line: BlockLine | undefined) =>
    !above || !line || above.page !== line.page || line.y - above.y > FURTHER * leading * above.size;
  return isApart(lines[from - 1], lines[from]) && isApart(lines[from], lines[at]) ? 1 : 0;
}

function goesOn(block: Block, line: BlockLine, typography: Typography, titles: ReadonlySet<string>): boolean {
  const above = block.lines.at(-1)!;
  if (Math.abs(halfPoints(above.size) - halfPoints(line.size)) > 0.08 * above.size) return false;
  if (titles.size > 0 && block.lines.length <= 3 && titles.has(titleKey(block.lines.map(({ text }) => text).join(' '))))
    return false;
  const isElsewhere = above.page !== line.page || line.y < above.y || line.x > above.column.right;
  const endsSentence = SENTENCE_END.test(above.text);
  if (isItem(line.text) && (!isElsewhere || endsSentence)) return false;
  const { left, right } = above.column;
  const short = 0.12 * (right - left);
  const isShort = above.isRightToLeft ? above.x > left + short : above.right < right - short;
  if (isElsewhere) {
    const isFull = !isShort && above.font === line.font;
    return !endsSentence && (isFull || /^\p{Ll}/u.test(line.text) || /\p{Ll}[-\u00AD]$/u.test(above.text));
  }
  if (line.y - above.y > FURTHER * typography.leading * line.size) return false;
  if ((isShort || endsSentence) && (NUMBERED.test(line.text) || ANNEX.test(line.text))) return false;
  if (isShort && endsSentence && /^[\p{Lu}\p{Lo}\d"“(]/u.test(line.text)) return false;
  // A heading right above its paragraph.
  if (block.lines.length <= 2 && above.font !== typography.font && line.font === typography.font && isShort)
    return false;
  // The first line of a paragraph stands further in.
  const isIndented = line.x > above.x + 0.8 * line.size && above.x < above.column.left + 0.3 * line.size;
  return !(isIndented && block.kind === 'text' && block.lines.length > 1 && endsSentence);
}

/** What two writings of a title have in common: neither blanks nor marks nor case. */
export function titleKey(title: string): string {
  return title
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
