import type { Turns } from '../../core/turns';
import { countLines, findHeadings, type Heading } from '../../markdown';
import type { MetadataValue } from '../model';
import { looksLikeMetadata, type MetadataFault, readMetadata } from './metadata';

/** Front matter as the layout needs it. */
export interface Head {
  values: ReadonlyMap<string, MetadataValue>;
  contentStart: number;
}

/**
 * A heading with all that belongs to it but its children: front matter and what stands above the heading, where it is
 * the file's, its metadata and its own content. The sections of a file, in order, are the file.
 */
export interface Section {
  /** Undefined for a file's root without a heading. */
  heading: Heading | undefined;
  /** 1 to 6; 0 without a heading. */
  level: number;
  /** Index of the section above it in the tree; -1 for the root. */
  parent: number;
  /** From the metadata list alone. */
  metadata: ReadonlyMap<string, MetadataValue>;
  /** Of the heading, from 0. */
  line: number;
  endLine: number;
  start: number;
  contentStart: number;
  end: number;
}

export interface Layout {
  /** Root first. */
  sections: Section[];
  faults: MetadataFault[];
  /** The first heading that is no section of its own any more, and how many there are. */
  folded: { line: number; count: number } | undefined;
}

const NO_METADATA: ReadonlyMap<string, MetadataValue> = new Map();
/** What may stand above a file's only top heading without being text: comments, badges, pictures, breaks. */
const DECORATION =
  /<!--[\s\S]*?-->|<\/?[a-z][^<>]*>|\[!\[[^[\]]*\]\([^()]*\)\]\([^()]*\)|!\[[^[\]]*\]\([^()]*\)|^[ ]{0,3}[-*_]{3,}[ \t]*$/gim;
const LONGEST_DECORATION = 10_000;

/**
 * Divides a Markdown text into sections. Its root is its single top heading, or the file itself: where there are several,
 * where text stands above it, or where the front matter has a title and no heading is of level 1. At most `limit`
 * sections: the rest is part of the last one. In `turns`.
 */
export async function layoutOf(
  text: string,
  head: Head | undefined,
  { limit, turns }: { limit: number; turns: Turns },
): Promise<Layout> {
  const begin = head?.contentStart ?? (text.startsWith('\uFEFF') ? 1 : 0);
  // A byte order mark is no line.
  const beginLine = begin <= 1 ? 0 : countLines(text, begin);
  const all = await findHeadings(text, begin, beginLine, turns);
  const hasRoot = hasRootHeading(text, begin, all, head);
  const headings = all.slice(0, hasRoot ? limit : limit - 1);
  const sections: Section[] = [];
  const faults: MetadataFault[] = [];
  if (!hasRoot) {
    const first = all[0];
    const place = {
      start: 0,
      line: 0,
      end: first?.start ?? text.length,
      endLine: first?.line ?? countLines(text, text.length),
    };
    sections.push(section(text, undefined, -1, { from: begin, fromLine: beginLine, ...place }, faults));
  }
  /** Indices of the sections that the next one may stand in. */
  const open: number[] = hasRoot ? [] : [0];
  for (const [index, heading] of headings.entries()) {
    const isLast = index === headings.length - 1;
    const next = isLast ? undefined : headings[index + 1];
    while (open.length > 0 && sections[open.at(-1)!]!.level >= heading.level) open.pop();
    const place = {
      start: hasRoot && index === 0 ? 0 : heading.start,
      from: heading.end,
      fromLine: heading.endLine,
      line: heading.line,
      end: next?.start ?? text.length,
      endLine: next?.line ?? countLines(text, text.length),
    };
    open.push(sections.push(section(text, heading, open.at(-1) ?? -1, place, faults)) - 1);
    await turns.pause();
  }
  const beyond = all[headings.length];
  return { sections, faults, folded: beyond && { line: beyond.line, count: all.length - headings.length } };
}

function hasRootHeading(text: string, begin: number, headings: readonly Heading[], head: Head | undefined): boolean {
  const first = headings[0];
  if (!first || headings.some(({ level }, index) => index > 0 && level <= first.level)) return false;
  if (first.level > 1 && head?.values.has('title')) return false;
  const above = text.slice(begin, first.start);
  return above.trim() === '' || (above.length <= LONGEST_DECORATION && above.replace(DECORATION, '').trim() === '');
}

function section(
  text: string,
  heading: Heading | undefined,
  parent: number,
  place: { start: number; from: number; fromLine: number; line: number; end: number; endLine: number },
  faults: MetadataFault[],
): Section {
  const { start, from, fromLine, line, end, endLine } = place;
  const block = readMetadata(text, from, fromLine, end);
  if (block) faults.push(...block.faults);
  else if (looksLikeMetadata(text, from, end)) {
    const message = 'The list looks like metadata, but no line <!-- content --> ends it, so it is content.';
    faults.push({ line: fromLine, message });
  }
  return {
    heading,
    level: heading?.level ?? 0,
    parent,
    metadata: block?.values ?? NO_METADATA,
    line,
    endLine,
    start,
    contentStart: block?.end ?? from,
    end,
  };
}
