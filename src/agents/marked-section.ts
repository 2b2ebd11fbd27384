import { type Sentence, sentence } from '../core/sentence';
import { countLines, scanBlocks } from '../markdown';

/**
 * A section of Kaizen's in a Markdown file of somebody's: from a mark to a mark, each alone on its line. What is outside
 * of the marks stays byte for byte, and a file without the section again is what it was before: the section takes with
 * it the blank line that was put before it, and a file that did not end with a line break does not end with one after
 * the section either.
 */

/** What sections are called in their marks: instructions for agents, and exported knowledge (`<!-- kaizen:knowledge:begin -->`). */
export type SectionName = 'kaizen' | 'kaizen:knowledge';

/** Where the section is: from its first mark up to behind its last one. */
export interface MarkedSection {
  start: number;
  end: number;
  /** Between the marks, with `\n` between lines whatever the file has. */
  body: string;
}

interface Mark {
  kind: 'begin' | 'end';
  start: number;
  end: number;
}

/** Alone on its line; anywhere else it is talked about. */
const MARKS: Record<SectionName, RegExp> = {
  kaizen: /(?<=^|[\r\n\uFEFF])<!--[ \t]*kaizen:(begin|end)[ \t]*-->[ \t]*(?=[\r\n]|$)/g,
  'kaizen:knowledge': /(?<=^|[\r\n\uFEFF])<!--[ \t]*kaizen:knowledge:(begin|end)[ \t]*-->[ \t]*(?=[\r\n]|$)/g,
};

/** `<!-- kaizen:begin -->` */
export function markOf(kind: 'begin' | 'end', name: SectionName = 'kaizen'): string {
  return `<!-- ${name}:${kind} -->`;
}

/**
 * The section of a text; undefined where there is none, and a sentence where the marks are damaged, or the end of the
 * text cannot take a section. Takes time in proportion to the text.
 */
export function findSection(
  text: string,
  name: SectionName = 'kaizen',
): MarkedSection | { unreadable: Sentence } | undefined {
  const [opening, closing] = [markOf('begin', name), markOf('end', name)];
  const marks = [...text.matchAll(MARKS[name])].map(
    ({ 0: mark, 1: kind, index }): Mark => ({ kind: kind as Mark['kind'], start: index, end: index + mark.length }),
  );
  const [begin, end, ...more] = marks;
  if (begin === undefined) return takesSection(text) ? undefined : { unreadable: UNCLOSED };
  const line = (mark: Mark) => countLines(text, mark.start + 1);
  const lines = marks.map(line).join(', ');
  if (!standInText(text, marks)) {
    return {
      unreadable: sentence(
        "Marks of Kaizen's stand in a block of code or in a comment (line {0}). Take them out of it, or delete them.",
        lines,
      ),
    };
  }
  if (end === undefined) {
    const [has, lacks] = begin.kind === 'begin' ? [opening, closing] : [closing, opening];
    return {
      unreadable: sentence(
        'It has {0} (line {1}) without {2}. Put the other mark back, or delete this one with what belongs to it.',
        has,
        line(begin),
        lacks,
      ),
    };
  }
  if (more.length > 0 || begin.kind !== 'begin' || end.kind !== 'end') {
    return {
      unreadable: sentence(
        "Kaizen's marks are not one pair (line {0}). Leave one section, from {1} to {2}.",
        lines,
        opening,
        closing,
      ),
    };
  }
  const body = text.slice(begin.end, end.start).replace(/^[\r\n]+|[\r\n]+$/g, '');
  return { start: begin.start, end: end.end, body: body.replaceAll('\r\n', '\n') };
}

const UNCLOSED = sentence(
  'A block of code, a comment or a tag in it is not closed, so that what is put below would belong to it. Close it first.',
);

/** Whether any mark of a section, damaged or not, stands alone on a line of the text. */
export function hasMark(text: string, name: SectionName): boolean {
  return text.search(MARKS[name]) >= 0;
}

/** The text with the section, at its end where it has none; `text` undefined where there is no file yet. `body` has `\n` between its lines. */
export function withSection(text: string | undefined, body: string, name: SectionName = 'kaizen'): string {
  if (text === undefined) return `${sectionOf(body, '\n', name)}\n`;
  const found = findSection(text, name);
  if (found !== undefined) {
    if ('unreadable' in found) throw new TypeError(String(found.unreadable));
    if (found.body === body) return text;
    const own = sectionOf(body, lineBreakOf(text.slice(found.start, found.end)), name);
    return text.slice(0, found.start) + own + text.slice(found.end);
  }
  const eol = lineBreakOf(text);
  const section = sectionOf(body, eol, name);
  if (text === '' || text === '\uFEFF') return `${text}${section}`;
  return text.endsWith('\n') ? `${text}${eol}${section}${eol}` : `${text}${eol}${eol}${section}`;
}

/** The text without its section; undefined where nothing else was in the file. As it is where it has none. */
export function withoutSection(text: string, name: SectionName = 'kaizen'): string | undefined {
  const found = findSection(text, name);
  if (found === undefined || 'unreadable' in found) return text;
  const before = text.slice(0, found.start);
  const after = text.slice(found.end);
  const eol = lineBreakOf(text.slice(found.start, found.end));
  const isFirst = before === '' || before === '\uFEFF';
  if (after === '') return before.endsWith(eol + eol) ? before.slice(0, -2 * eol.length) : before;
  const rest = after.replace(/^\r?\n/, '');
  if (isFirst) return rest === '' ? undefined : before + rest.replace(/^\r?\n/, '');
  const isParted = before.endsWith(eol) && before.slice(0, -eol.length).endsWith('\n');
  return (isParted ? before.slice(0, -eol.length) : before) + rest;
}

function sectionOf(body: string, eol: string, name: SectionName): string {
  return [markOf('begin', name), ...body.split('\n'), markOf('end', name)].join(eol);
}

/** The text's first one; a line feed where it has none. */
function lineBreakOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** Whether what is put below the text would be the document's own. */
function takesSection(text: string): boolean {
  const eol = text === '' || text === '\uFEFF' ? '' : '\n\n';
  return standInText(`${text}${eol}# --`, [
    { kind: 'begin', start: text.length + eol.length, end: text.length + eol.length },
  ]);
}

/** Whether headings in the place of the marks would be headings of the document. */
function standInText(text: string, marks: readonly Mark[]): boolean {
  let probe = '';
  let last = 0;
  for (const { start } of marks) {
    // As long as what they stand for begins, so that offsets stay.
    probe += `${text.slice(last, start)}# --`;
    last = start + 4;
  }
  const from = text.startsWith('\uFEFF') ? 1 : 0;
  const scan = scanBlocks(probe + text.slice(last), from, 0);
  for (let step = scan.next(); ; step = scan.next()) {
    if (!step.done) continue;
    const headings = new Set(step.value.headings.map(({ start }) => start));
    return marks.every(({ start }) => headings.has(start));
  }
}
