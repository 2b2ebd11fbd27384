import { type Heading, lineStartingAt, scanBlocks, titleOf } from '../../markdown';

/** What stands between one heading and the next. Offsets are UTF-16 code units. */
export interface Section {
  /** Of the headings above it, the outermost first, its own last; empty for what stands before the first. */
  titles: string[];
  /** How many of them, from the front, name the file as a whole. */
  documentTitles: number;
  start: number;
  end: number;
  /** Of `start`, from 0. */
  line: number;
  /** Of its heading, from 0; undefined before the first. */
  headingLine?: number;
  headingStart: number;
  /** The places, in the list of all, of the sections that it stands in. */
  within: number[];
}

/** The sections of a Markdown text from an offset on, in their order; in steps. */
export function* sectionsOf(text: string, from: number): Generator<void, Section[]> {
  const line = lineStartingAt(text, from);
  const { headings } = yield* scanBlocks(text, from, line);
  const titled = isTitle(headings);
  const first = headings[0];
  const sections: Section[] = [
    {
      titles: [],
      documentTitles: 0,
      start: from,
      end: first?.start ?? text.length,
      line,
      headingStart: from,
      within: [],
    },
  ];
  const above: { level: number; title: string; place: number }[] = [];
  for (const [index, heading] of headings.entries()) {
    yield;
    while (above.length > 0 && above.at(-1)!.level >= heading.level) above.pop();
    const title = titleOf(text.slice(heading.textStart, heading.textEnd));
    above.push({ level: heading.level, title, place: sections.length });
    const next = headings[index + 1];
    sections.push({
      titles: above.map((each) => each.title),
      documentTitles: titled ? 1 : 0,
      start: heading.end,
      end: next?.start ?? text.length,
      line: heading.endLine,
      headingLine: heading.line,
      headingStart: heading.start,
      within: above.slice(0, -1).map(({ place }) => place),
    });
  }
  return sections;
}

/** Whether the first heading is the file's title: the only one of its level, and no other is further out. */
function isTitle(headings: readonly Heading[]): boolean {
  const [first, ...others] = headings;
  return first !== undefined && others.length > 0 && others.every(({ level }) => level > first.level);
}
