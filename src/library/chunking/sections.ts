import { atOnce } from '../../core/turns';
import { scanBlocks, titleOf } from '../../markdown';
import type { NormalisedDocument } from '../model';
import { CHUNKING_LIMITS } from './limits';

/** From its heading to the next one, of whatever level. The first has no heading: what stands above them all. */
export interface Section {
  start: number;
  /** Where its own text begins, behind the heading. */
  textStart: number;
  end: number;
  /** 0 for what stands above all headings, and for the document's title. */
  level: number;
  title: string;
  /** `6.4.7`, `A.2`, `Annex A`. */
  number?: string | undefined;
  parent?: Section | undefined;
  /** A paragraph with a number and no heading: it lies in the section above, and is called as that is. */
  isParagraph?: boolean | undefined;
}

interface Mark {
  start: number;
  textStart: number;
  level: number;
  title: string;
}

const ANNEX = /^((annex|appendix|anhang|anlage)\s+[A-Z\d]{1,2})\b[\s.:–—-]*(.*)$/i;
const NAMED =
  /^(?:clause|section|chapter|part|article|kapitel|abschnitt|§)\s+((?:\d{1,3}|[A-Z])(?:\.\d{1,3}){0,8})\b[\s.:–—-]*(.*)$/i;
const DOTTED = /^((?:\d{1,3}|[A-Z])(?:\.\d{1,3}){1,8})\.?(?:\s+|\s*[:–—-]\s+|$)(.*)$/;
const SINGLE = /^(\d{1,3})(?:[.:)]\s+|\s+(?=[\p{Lu}"“]))(.+)$/u;
/** A heading that stands as a paragraph in a text without marks. */
const PLAIN_HEADING =
  /^(?:(?:\d{1,3}|[A-Z])(?:\.\d{1,3}){1,8}\.?\s+[\p{Lu}"“(].{0,110}|\d{1,2}\.?\s+\p{Lu}.{0,70}|(?:Annex|ANNEX|Appendix|APPENDIX)\s+[A-Z]\b.{0,80})$/u;

/** All sections in order, without gaps: each character is in one. */
export function sectionsOf(document: NormalisedDocument): Section[] {
  const { text } = document;
  const marks = marksOf(document);
  const numbers = numbersOf(marks);
  const root: Section = {
    start: 0,
    textStart: 0,
    end: marks[0]?.start ?? text.length,
    level: 0,
    title: document.title ?? '',
  };
  const sections = [root];
  const open: Section[] = [];
  for (const [index, mark] of marks.entries()) {
    const number = numbers.get(mark);
    const level = index === 0 && !number && isTitle(mark, marks, document) ? 0 : depthOf(mark, number, open);
    while (open.length > 0 && open.at(-1)!.level >= level) open.pop();
    const section: Section = {
      start: mark.start,
      textStart: mark.textStart,
      end: marks[index + 1]?.start ?? text.length,
      level,
      title: mark.title,
      number,
      parent: level === 0 ? undefined : (open.at(-1) ?? (root.title === '' ? undefined : root)),
    };
    if (level === 0) open.length = 0;
    open.push(section);
    sections.push(section);
  }
  return sections;
}

/** A number says more of where a heading belongs than its mark does, where the section around it has one too. */
function depthOf({ level }: Mark, number: string | undefined, open: readonly Section[]): number {
  if (!number) return level;
  const around = [...open].reverse().find((section) => section.number && isWithin(number, section.number));
  if (around) return Math.max(level, around.level + 1);
  const beside = [...open].reverse().find((section) => section.number && partsOf(section.number) === partsOf(number));
  return beside ? beside.level : level;
}

function isWithin(number: string, outer: string): boolean {
  const bare = /^(?:annex|appendix|anhang|anlage)\s+(.+)$/i.exec(outer)?.[1] ?? outer;
  return number.startsWith(`${bare}.`);
}

function partsOf(number: string): number {
  return number.split('.').length;
}

/** A document's own title is above all its sections, and none of them. */
function isTitle(mark: Mark, marks: readonly Mark[], { title }: NormalisedDocument): boolean {
  if (mark.level !== 1) return false;
  return !marks.some((each, index) => index > 0 && each.level === 1) || sameWords(mark.title, title ?? '');
}

function sameWords(one: string, other: string): boolean {
  const words = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  return words(one) === words(other);
}

function marksOf(document: NormalisedDocument): Mark[] {
  const { text, outline } = document;
  const { headings } = atOnce(scanBlocks(text, 0, 0));
  const marks: Mark[] = headings.map(({ level, start, end, textStart, textEnd }) => ({
    level,
    start,
    textStart: end,
    title: titleOf(text.slice(textStart, textEnd)),
  }));
  if (document.format === 'pdf') marks.push(...plainHeadings(text));
  marks.push(
    ...outline
      .filter(({ start }) => start >= 0 && start < text.length)
      .map(({ title, depth, start }) => ({ level: Math.max(1, depth), start, textStart: start, title })),
  );
  marks.sort((a, b) => a.start - b.start || a.level - b.level);
  return marks.filter((mark, index) => {
    const before = marks[index - 1];
    // What the outline names, and stands there in the text.
    return (
      !before ||
      mark.start >= before.textStart ||
      (mark.textStart === mark.start && mark.start === before.start && !sameWords(mark.title, before.title))
    );
  });
}

/** Numbered lines that stand alone, of a text in which headings have no mark of their own. */
function plainHeadings(text: string): Mark[] {
  const marks: Mark[] = [];
  for (const match of text.matchAll(/(?:^|\n\n)([^\n]{3,130})(?=\n\n|\n?$)/g)) {
    const line = match[1]!;
    if (!PLAIN_HEADING.test(line) || /[.;,:]$/.test(line)) continue;
    const start = match.index + match[0].length - line.length;
    const number = /^[\dA-Z][\d.]*/.exec(line)?.[0].replace(/\.$/, '') ?? '';
    marks.push({
      level: Math.min(6, number.split('.').length),
      start,
      textStart: start + line.length,
      title: titleOf(line),
    });
  }
  return marks;
}

/** The numbers of those headings that have one. A single one counts where its neighbours are there as well: "3 ways to fail" has none. */
function numbersOf(marks: readonly Mark[]): Map<Mark, string> {
  const found = new Map<Mark, { number: string; isSure: boolean }>();
  for (const mark of marks) {
    const annex = ANNEX.exec(mark.title);
    const dotted = NAMED.exec(mark.title) ?? DOTTED.exec(mark.title);
    const single = SINGLE.exec(mark.title);
    if (annex) found.set(mark, { number: annex[1]!.replace(/\s+/g, ' '), isSure: true });
    else if (dotted) found.set(mark, { number: dotted[1]!, isSure: true });
    else if (single) found.set(mark, { number: single[1]!, isSure: false });
  }
  const all = new Set([...found.values()].map(({ number }) => number));
  const outer = new Set([...all].filter((number) => number.includes('.')).map((number) => number.split('.')[0]));
  const numbers = new Map<Mark, string>();
  for (const [mark, { number, isSure }] of found) {
    const value = Number(number);
    const hasNeighbour = value === 1 || all.has(String(value - 1)) || all.has(String(value + 1)) || outer.has(number);
    if (isSure || hasNeighbour) numbers.set(mark, number);
  }
  return numbers;
}

/** The section and those around it, outermost first, without the document's title. */
export function pathOf(section: Section): Section[] {
  const path: Section[] = [];
  for (let each: Section | undefined = section; each && each.level > 0; each = each.parent) {
    if (!each.isParagraph) path.unshift(each);
  }
  return path.slice(-CHUNKING_LIMITS.hierarchy);
}

/** What it and all around it are called, the document's own title too. */
export function titlesOf(section: Section): string[] {
  const titles: string[] = [];
  for (let each: Section | undefined = section; each; each = each.parent) titles.push(each.title);
  return titles;
}

/** The innermost section that both lie in. */
export function commonSection(one: Section, other: Section): Section | undefined {
  const around = new Set<Section>();
  for (let each: Section | undefined = one; each; each = each.parent) around.add(each);
  for (let each: Section | undefined = other; each; each = each.parent) if (around.has(each)) return each;
  return undefined;
}
