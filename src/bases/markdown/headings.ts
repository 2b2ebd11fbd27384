import {
  atxLevel,
  closesFence,
  type Fence,
  type HtmlEnd,
  htmlStart,
  isThematicBreak,
  itemStart,
  openingFence,
  underlineLevel,
} from './line-kinds';
import { Lines } from './lines';

/** A heading of the document itself: none in a list, a quotation, a block of code or HTML. */
export interface Heading {
  /** 1 to 6. */
  level: number;
  /** Of its first line, from 0. */
  line: number;
  /** Of its first line. */
  start: number;
  /** Behind the break of its last line. */
  end: number;
  /** The number of the line at `end`. */
  endLine: number;
  /** Its text with its markup, hashes included where they are. */
  textStart: number;
  textEnd: number;
  isUnderlined: boolean;
}

/** What is longer and underlined is a paragraph above a thematic break. */
const LONGEST_UNDERLINED = 300;

/**
 * Finds the headings of a Markdown text, ATX and setext, as CommonMark sees them; of what stands in lists and quotations
 * it knows only how far that reaches. Takes time in proportion to the text and never throws. `from` and `line`: where to
 * begin, behind the front matter.
 */
export function findHeadings(text: string, from: number, line: number): Heading[] {
  return new Scan(text, from, line).run();
}

class Scan {
  private readonly headings: Heading[] = [];
  private readonly lines: Lines;
  private fence: Fence | undefined;
  private html: HtmlEnd | undefined;
  /** The paragraph that the next line may underline. */
  private paragraph: { start: number; end: number; line: number } | undefined;
  /** Columns that a line of the open list item is indented by at least. */
  private item: number | undefined;
  private itemFence: Fence | undefined;
  /** Whether the last line was text of an item or a quotation, which goes on without its mark. */
  private isLazy = false;

  constructor(
    private readonly text: string,
    from: number,
    line: number,
  ) {
    this.lines = new Lines(text, from, line);
  }

  run(): Heading[] {
    while (this.lines.advance()) this.line();
    return this.headings;
  }

  private line(): void {
    const { text, lines } = this;
    const { first, end } = lines;
    const indent = lines.column(first);
    if (this.fence) {
      if (indent < 4 && closesFence(this.fence, text, first, end)) this.fence = undefined;
      return;
    }
    if (this.html) {
      if (this.html === 'blank' ? first === end : this.html.offset < lines.next) this.html = undefined;
      return;
    }
    if (first === end) {
      this.paragraph = undefined;
      this.isLazy = false;
      return;
    }
    if (this.item !== undefined && indent >= this.item) {
      this.inItem(first);
      return;
    }
    if (indent >= 4) {
      // Of a paragraph it is one more line; otherwise code.
      if (this.paragraph) this.paragraph.end = end;
      else if (!this.isLazy) this.item = undefined;
      return;
    }
    this.block(first, indent);
  }

  private block(first: number, indent: number): void {
    const { text, lines, paragraph, isLazy } = this;
    const { start, end, next, number } = lines;
    const level = atxLevel(text, first, end);
    if (level > 0) {
      this.leave();
      this.add(level, { start, line: number, textStart: first + level, textEnd: end, isUnderlined: false });
      return;
    }
    const fence = openingFence(text, first, end);
    if (fence) {
      this.leave();
      this.fence = fence;
      return;
    }
    const underline = paragraph ? underlineLevel(text, first, end) : 0;
    if (paragraph && underline > 0 && paragraph.end - paragraph.start <= LONGEST_UNDERLINED) {
      this.leave();
      const { start: textStart, end: textEnd, line } = paragraph;
      this.add(underline, { start: textStart, line, textStart, textEnd, isUnderlined: true });
      return;
    }
    if (isThematicBreak(text, first, end)) {
      this.leave();
      return;
    }
    if (text[first] === '>') {
      this.leave();
      this.isLazy = text.slice(first + 1, Math.min(end, first + 1_000)).trim() !== '';
      return;
    }
    const item = itemStart(text, first, end);
    if (item && (item.interrupts || !(paragraph || isLazy))) {
      this.leave();
      this.item = indent + item.width;
      this.inItem(item.content);
      // Far behind its marker it is code, which does not go on by itself.
      if (lines.column(item.content) > this.item) this.isLazy = false;
      return;
    }
    const html = htmlStart(text, first, end, paragraph !== undefined || isLazy);
    if (html) {
      this.leave();
      if (html === 'blank' || html.offset >= next) this.html = html;
      return;
    }
    if (isLazy) return;
    if (paragraph) {
      paragraph.end = end;
      return;
    }
    this.leave();
    this.paragraph = { start, end, line: number };
  }

  /** A line that belongs to the open item, whose text begins at `first`. */
  private inItem(first: number): void {
    const { text } = this;
    const { end } = this.lines;
    this.paragraph = undefined;
    if (this.itemFence) {
      if (closesFence(this.itemFence, text, first, end)) this.itemFence = undefined;
      this.isLazy = false;
      return;
    }
    this.itemFence = openingFence(text, first, end);
    this.isLazy = !this.itemFence && first < end && atxLevel(text, first, end) === 0;
  }

  private leave(): void {
    this.paragraph = undefined;
    this.item = undefined;
    this.itemFence = undefined;
    this.isLazy = false;
  }

  private add(level: number, heading: Omit<Heading, 'level' | 'end' | 'endLine'>): void {
    const { next, number } = this.lines;
    this.headings.push({ level, ...heading, end: next, endLine: number + 1 });
  }
}
