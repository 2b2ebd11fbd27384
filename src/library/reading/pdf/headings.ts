import { type Block, NUMBERED, titleKey } from './blocks';
import type { OutlineEntry } from './outline';
import { halfPoints, type Typography } from './typography';

/** Levels of Markdown. */
const DEEPEST = 6;
/** By this much larger than the text. */
const LARGER = 1.12;
const LONGEST = 160;
const LONGEST_SAME_SIZE = 90;
const ANNEX = /^(?:annex|appendix|anhang|anlage)\s+[A-Z]\b/i;
const CAPTION = /^(?:figure|fig\.|table|tab\.|abbildung|abb\.|tabelle|listing|source|note|example)\b/i;

export interface FoundHeadings {
  /** Levels from 1, by block. */
  levels: Map<Block, number>;
  /** Entries of the outline that no block shows. */
  missing: OutlineEntry[];
}

/**
 * Which blocks are headings: those that the outline names, those that have a number and stand alone, those that are
 * larger than the text, and lines alone in another font. Levels come from outline and numbers; the others take theirs from
 * headings of the same size.
 */
export function findHeadings(
  blocks: readonly Block[],
  typography: Typography,
  outline: readonly OutlineEntry[],
): FoundHeadings {
  const levels = new Map<Block, number>();
  const missing = matchOutline(blocks, outline, levels);
  const bySize: Block[] = [];
  for (const [index, block] of blocks.entries()) {
    if (levels.has(block) || !couldBe(block)) continue;
    const depth = numberedDepth(block, typography);
    if (depth > 0) levels.set(block, depth);
    else if (standsOut(block, blocks[index + 1], typography)) bySize.push(block);
  }
  placeBySize(bySize, levels, typography);
  return { levels, missing };
}

function matchOutline(
  blocks: readonly Block[],
  outline: readonly OutlineEntry[],
  levels: Map<Block, number>,
): OutlineEntry[] {
  const byPage = new Map<number, Block[]>();
  for (const block of blocks) {
    if (block.kind !== 'text' && block.kind !== 'item') continue;
    const page = block.lines[0]!.page;
    const list = byPage.get(page) ?? [];
    list.push(block);
    byPage.set(page, list);
  }
  return outline.filter(({ title, depth, page }) => {
    const key = titleKey(title);
    if (key === '') return false;
    const near = [...(byPage.get(page) ?? []), ...(byPage.get(page + 1) ?? [])];
    const block = near.find((each) => {
      if (levels.has(each) || each.lines.length > 4) return false;
      const own = titleKey(textOf(each));
      // The number may stand in one of the two only.
      return (
        own === key ||
        (own.endsWith(key) &&
          /^(?:annex|appendix|chapter|section|part|kapitel)?[a-z]?\d{0,8}$/.test(own.slice(0, -key.length)))
      );
    });
    if (block) levels.set(block, Math.min(depth, DEEPEST));
    return !block;
  });
}

function textOf({ lines }: Block): string {
  return lines.map(({ text }) => text).join(' ');
}

function couldBe(block: Block): boolean {
  if ((block.kind !== 'text' && block.kind !== 'item') || block.lines.length > 3) return false;
  const text = textOf(block);
  return text.length <= LONGEST && /\p{L}{2}/u.test(text) && !/[.;,]$/.test(text) && !CAPTION.test(text);
}

/** 0 where it has no number, or is a sentence of the text that begins with one. */
function numberedDepth(block: Block, typography: Typography): number {
  const text = textOf(block);
  const isMarked = isLarger(block, typography) || block.lines[0]!.font !== typography.font;
  if (ANNEX.test(text)) return isMarked || text.length < 60 ? 1 : 0;
  if (NUMBERED.test(text)) {
    const [number, title] = [/^\S+/.exec(text)![0], text.replace(/^\S+\s+/, '')];
    if (text.length > 120 || !/^[\p{Lu}\d"“(]/u.test(title) || !(isMarked || text.length < LONGEST_SAME_SIZE)) return 0;
    return Math.min(number.replace(/\.$/, '').split('.').length, DEEPEST);
  }
  return isMarked && /^\d{1,2}\.?\s+\p{Lu}/u.test(text) && text.length < LONGEST_SAME_SIZE ? 1 : 0;
}

function isLarger({ lines }: Block, { size }: Typography): boolean {
  return halfPoints(lines[0]!.size) >= LARGER * size;
}

function standsOut(block: Block, next: Block | undefined, typography: Typography): boolean {
  if (isLarger(block, typography)) return true;
  const text = textOf(block);
  const [first] = block.lines;
  return (
    block.kind === 'text' &&
    block.lines.length === 1 &&
    text.length < LONGEST_SAME_SIZE &&
    first!.font !== typography.font &&
    !first!.isMono &&
    first!.size >= 0.95 * typography.size &&
    /^[\p{Lu}\d]/u.test(text) &&
    !/[:?!]$/.test(text) &&
    next !== undefined &&
    (next.kind !== 'text' || next.lines[0]!.font === typography.font)
  );
}

function placeBySize(blocks: readonly Block[], levels: Map<Block, number>, { size }: Typography): void {
  const known = new Map<number, number>();
  for (const [block, level] of levels) {
    const own = halfPoints(block.lines[0]!.size);
    if (own > size) known.set(own, Math.min(level, known.get(own) ?? DEEPEST));
  }
  const sizes = [...new Set([...known.keys(), ...blocks.map(({ lines }) => halfPoints(lines[0]!.size))])].sort(
    (a, b) => b - a,
  );
  const placed = new Map<number, number>();
  let level = 0;
  for (const each of sizes) {
    level = known.get(each) ?? Math.min(level + 1, DEEPEST);
    placed.set(each, level);
  }
  for (const block of blocks) levels.set(block, placed.get(halfPoints(block.lines[0]!.size)) ?? DEEPEST);
}
