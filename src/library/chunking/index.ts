import { createHash } from 'node:crypto';
import type { ChunkDraft, NormalisedDocument } from '../model';
import { classify } from './classifying';
import { clausesOf } from './clauses';
import { CHUNKING_LIMITS } from './limits';
import { joinSmall, type Pack, packSection } from './packing';
import { findReferences } from './references';
import { pathOf, type Section, sectionsOf } from './sections';
import { type Unit, unitsOf } from './units';

export { CHUNKING_LIMITS } from './limits';

/**
 * Cuts a document where its sections and sentences end: 200 to 500 tokens each, tables and code whole where they fit. Chunks
 * are in order and do not overlap; what is in none is blank. None has more than 500 tokens. One that is shorter than
 * 200 is a section, or the rest of one, whose neighbours are cited otherwise or are too long to be joined with it.
 * Takes time in proportion to the text.
 */
export function chunksOf(document: NormalisedDocument): ChunkDraft[] {
  const { text } = document;
  const packs = joinSmall(text, packsOf(document));
  const pages = new Pages(document.pages);
  return packs.map((pack, index) => draftOf(text, pack, parentOf(pack, index, packs), pages));
}

/** A heading that only further headings stand below begins what stands below the first of those. */
function packsOf(document: NormalisedDocument): Pack[] {
  const { text } = document;
  const packs: Pack[] = [];
  let above: Unit[] = [];
  const sections = sectionsOf(document);
  for (const [index, section] of sections.entries()) {
    const units = [...above, ...unitsOf(text, section)];
    const isOpening = units.every(({ kind }) => kind === 'heading') && sections[index + 1]?.parent === section;
    above = isOpening ? units : [];
    if (isOpening) continue;
    for (const clause of clausesOf(text, section, units))
      packs.push(...packSection(text, clause.section, clause.units));
  }
  return packs;
}

function draftOf(text: string, pack: Pack, parent: number | undefined, pages: Pages): ChunkDraft {
  const { start, end, section, tokens } = pack;
  const content = text.slice(start, end);
  const path = pathOf(section);
  return {
    content,
    content_hash: createHash('sha256').update(content).digest('hex'),
    token_count: tokens,
    section_hierarchy: path.map((each) => each.number ?? shown(each.title)),
    section_title: shown(section.title),
    parent,
    ...classify(text, pack),
    page_numbers: pages.between(start, end),
    clause_number: section.number,
    char_start: start,
    char_end: end,
    references: referencesOf(text, pack),
  };
}

function shown(title: string): string {
  return title.slice(0, CHUNKING_LIMITS.title).replace(/\p{Cs}$/u, '');
}

/** Without what its own headings begin with: `Annex A` does not refer to itself. */
function referencesOf(text: string, { start, end, units }: Pack): string[] {
  const headings = units.filter(({ kind }) => kind === 'heading').map((unit) => text.slice(unit.start, unit.end));
  const own = headings.map((heading) => heading.replace(/^[#\s]+/, ''));
  return findReferences(text.slice(start, end)).filter((each) => !own.some((heading) => heading.startsWith(each)));
}

/** The chunk that the section above begins in; further up where that is the chunk itself. */
function parentOf({ section }: Pack, index: number, packs: readonly Pack[]): number | undefined {
  for (let above: Section | undefined = section.parent; above; above = above.parent) {
    const opening = firstBehind(packs, above.start);
    if (opening < index) return opening;
  }
  return undefined;
}

/** The first that ends behind an offset: by halving. */
function firstBehind(packs: readonly Pack[], offset: number): number {
  let low = 0;
  let high = packs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (packs[middle]!.end <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

class Pages {
  constructor(private readonly pages: NormalisedDocument['pages']) {}

  /** The pages that a piece of the text stands on. */
  between(start: number, end: number): number[] {
    const numbers: number[] = [];
    for (let at = this.indexOf(start); at < this.pages.length && this.pages[at]!.start < end; at++) {
      const next = this.pages[at + 1]?.start ?? Number.POSITIVE_INFINITY;
      if (next > Math.max(start, this.pages[at]!.start)) numbers.push(this.pages[at]!.page);
    }
    return numbers;
  }

  /** Of the page that an offset is on. */
  private indexOf(offset: number): number {
    let low = 0;
    let high = this.pages.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.pages[middle]!.start <= offset) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}
