import type { NormalisedDocument } from '../../model';
import { READING_LIMITS } from '../limits';
import { cleanTitle, escapeLine } from '../plain-lines';
import { type Block, findBlocks, titleKey } from './blocks';
import { findHeadings } from './headings';
import type { BlockLine } from './layout';
import type { OutlineEntry } from './outline';
import type { Page } from './running';
import { readTypography, type Typography } from './typography';

type Written = Pick<NormalisedDocument, 'title' | 'text' | 'pages' | 'outline'>;

/** Writes the pages' lines as Markdown, with where each page begins in it and what of the outline does not show in it. */
export function writeDocument(pages: readonly Page[], outline: readonly OutlineEntry[]): Written {
  const typography = readTypography(pages);
  const titles = new Set(outline.map(({ title }) => titleKey(title)));
  const blocks = findBlocks(pages, typography, titles);
  const { levels, missing } = findHeadings(blocks, typography, outline);
  const writing = new Writing(typography);
  for (const block of blocks) writing.block(block, levels.get(block));
  const heights = new Map(pages.map(({ page, height }) => [page, height]));
  const text = writing.text();
  return {
    title: titleOf(blocks, typography),
    text,
    pages: pages.map(({ page }) => ({ page, start: writing.startOf(page) })),
    outline: missing
      .map(({ title, depth, page, top }) => {
        const y = top === undefined ? 0 : (heights.get(page) ?? top) - top;
        return { title, depth, start: writing.placeOf(page, y) };
      })
      .sort((a, b) => a.start - b.start),
  };
}

/** The largest of what stands on the first page, where it is larger than the text. */
function titleOf(blocks: readonly Block[], { size }: Typography): string | undefined {
  const first = blocks[0]?.lines[0]?.page;
  let largest: Block | undefined;
  for (const block of blocks) {
    if (block.lines[0]!.page !== first) break;
    if (block.kind !== 'text' || block.lines.length > 4) continue;
    if (!largest || block.lines[0]!.size > largest.lines[0]!.size * 1.02) largest = block;
  }
  if (!largest || largest.lines[0]!.size < size * 1.15) return undefined;
  const title = largest.lines.map(({ text }) => text).join(' ');
  return /\p{L}{2}/u.test(title) ? cleanTitle(title, READING_LIMITS.title) : undefined;
}

class Writing {
  private readonly parts: string[] = [];
  private length = 0;
  private readonly starts = new Map<number, number>();
  /** Where on its page each block begins. */
  private readonly places = new Map<number, { y: number; start: number }[]>();
  private last: Block['kind'] | undefined;

  constructor(private readonly typography: Typography) {}

  text(): string {
    return this.parts.length === 0 ? '' : `${this.parts.join('')}\n`;
  }

  /** A page without text begins where the next one does. */
  startOf(page: number): number {
    const own = this.starts.get(page);
    if (own !== undefined) return own;
    let next = Number.POSITIVE_INFINITY;
    for (const [other, start] of this.starts) if (other > page) next = Math.min(next, start);
    const end = this.length === 0 ? 0 : this.length + 1;
    return Math.min(next, end);
  }

  /** Of the first block that is not above this height; else where the next page begins. */
  placeOf(page: number, y: number): number {
    const places = this.places.get(page) ?? [];
    return places.find((place) => place.y >= y - 2)?.start ?? this.startOf(page + (places.length > 0 ? 1 : 0));
  }

  block(block: Block, level: number | undefined): void {
    const first = block.lines[0]!;
    const isRow =
      (block.kind === 'item' && this.last === 'item') || (block.kind === 'contents' && this.last === 'contents');
    if (this.length > 0) this.add(isRow ? '\n' : '\n\n');
    this.last = level === undefined ? block.kind : undefined;
    this.begin(first);
    if (level !== undefined) {
      this.add(`${'#'.repeat(level)} `);
      this.add(this.joined(block.lines));
    } else if (block.kind === 'table') this.add(tableOf(block.rows));
    else if (block.kind === 'code') this.code(block.lines);
    else if (block.kind === 'contents') this.add(escapeLine(first.text.replace(/\s*(?:[.…]\s?){4,}\s*/, ' … ')));
    else this.prose(block);
  }

  private begin(line: BlockLine): void {
    this.page(line.page);
    const places = this.places.get(line.page) ?? [];
    // The upper edge of its first line.
    places.push({ y: line.y - line.size, start: this.length });
    this.places.set(line.page, places);
  }

  private page(page: number): void {
    if (!this.starts.has(page)) this.starts.set(page, this.length);
  }

  private add(text: string): void {
    this.parts.push(text);
    this.length += text.length;
  }

  private prose(block: Block): void {
    // Page by page, so that each knows where it begins.
    const [first] = block.lines;
    const text = this.joined(block.lines);
    const marked = block.kind === 'item' ? itemOf(text) : escapeLine(text);
    const before = marked.length - text.length;
    const start = this.length;
    for (const { page, at } of this.turns)
      if (page !== first!.page && !this.starts.has(page)) this.starts.set(page, start + at + before);
    this.add(marked);
  }

  /** Where in the text that was joined last the pages turn. */
  private turns: { page: number; at: number }[] = [];

  private joined(lines: readonly BlockLine[]): string {
    this.turns = [];
    let text = '';
    let page: number | undefined;
    for (const line of lines) {
      text = text === '' ? line.text : this.join(text, line.text);
      if (line.page !== page) this.turns.push({ page: line.page, at: text.length - line.text.length });
      page = line.page;
    }
    return text.replaceAll('\u00AD', '');
  }

  private join(text: string, next: string): string {
    if (text.endsWith('\u00AD')) return text.slice(0, -1) + next;
    const parted = /(\p{L}+)[-‐]$/u.exec(text.slice(-60));
    const follows = /^\p{Ll}[\p{L}]*/u.exec(next);
    if (parted && follows) {
      const { words } = this.typography;
      const [whole, hyphenated] = [`${parted[1]}${follows[0]}`, `${parted[1]}-${follows[0]}`].map((word) =>
        word.toLowerCase(),
      );
      return words.has(hyphenated!) && !words.has(whole!) ? text + next : text.slice(0, -1) + next;
    }
    if (/[\p{L}\p{N}][-‐]$/u.test(text) && /^[\p{L}\p{N}]/u.test(next)) return text + next;
    const isTight =
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u.test(text) &&
      /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(next);
    return isTight ? text + next : `${text} ${next}`;
  }

  private code(lines: readonly BlockLine[]): void {
    const left = Math.min(...lines.map(({ x }) => x));
    const widths = lines.map(({ x, right, text }) => (right - x) / Math.max(1, text.length)).sort((a, b) => a - b);
    const width = widths[Math.floor(widths.length / 2)] || 6;
    const rows: string[] = [];
    for (const [index, line] of lines.entries()) {
      const above = lines[index - 1];
      if (above && line.y - above.y > 1.7 * this.typography.leading * line.size) rows.push('');
      rows.push(' '.repeat(Math.min(80, Math.max(0, Math.round((line.x - left) / width)))) + line.text);
    }
    let fence = '```';
    while (rows.some((row) => row.includes(fence))) fence += '`';
    this.add([fence, ...rows, fence].join('\n'));
  }
}

function itemOf(text: string): string {
  return /^[•●○◦▪▫■□‣⁃∙·–—*\u{F0A7}\u{F0B7}\u{F0D8}-]/u.test(text) ? `- ${text.slice(1).trimStart()}` : text;
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => `| ${row.map((cell) => cell.replace(/\|/g, '\\|')).join(' | ')} |`);
  return [lines[0], `|${' --- |'.repeat(rows[0]!.length)}`, ...lines.slice(1)].join('\n');
}
