import { inTurns, type Turns } from '../core/turns';
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
import { isBlank, Lines } from './lines';

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

/** What a line has of a paragraph, a heading or an item of a list: text, and no code, comment or script. */
export interface TextPiece {
  start: number;
  end: number;
  /** From 0. */
  line: number;
  /** Whether it goes on with the text of the piece before it. */
  continues: boolean;
}

export interface BlockScan {
  headings: Heading[];
  texts: TextPiece[];
}

/** What is longer and underlined is a paragraph above a thematic break. */
const LONGEST_UNDERLINED = 300;
/** Characters that are looked through, in some milliseconds, before the turn may end. */
const AT_ONCE = 16_384;

/**
 * Finds the headings of a Markdown text, ATX and setext, as CommonMark sees them; of what stands in lists and quotations
 * it knows only how far that reaches. Takes time in proportion to the text, and never throws for what stands in it.
 * `from` and `line`: where to begin, behind the front matter.
 */
export async function findHeadings(text: string, from: number, line: number, turns: Turns): Promise<Heading[]> {
  return inTurns(new Scan(text, from, line).steps(), turns);
}

/**
 * The headings, as `findHeadings`, and all text that inline Markdown may stand in. Steps of a few milliseconds each, so
 * that others can have their turn in between.
 */
export function* scanBlocks(text: string, from: number, line: number): Generator<void, BlockScan> {
  const texts: TextPiece[] = [];
  const headings = yield* new Scan(text, from, line, texts).steps();
  return { headings, texts };
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
  /** The line of an item that has nothing behind its marker. */
  private emptyItem = Number.NaN;
  private isQuoted = false;
  /** A fence that is open in the item or the quotation. */
  private innerFence: Fence | undefined;
  /** Whether the last line was text of an item or a quotation, which goes on without its mark. */
  private isLazy = false;

  constructor(
    private readonly text: string,
    from: number,
    line: number,
    private readonly texts?: TextPiece[],
  ) {
    this.lines = new Lines(text, from, line);
  }

  /** Each looks through some milliseconds' worth of text. */
  *steps(): Generator<void, Heading[]> {
    let pauseAt = this.lines.next + AT_ONCE;
    while (this.lines.advance()) {
      this.line();
      if (this.lines.next < pauseAt) continue;
      pauseAt = this.lines.next + AT_ONCE;
      yield;
    }
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
      this.insideHtml(this.html, first);
      return;
    }
    if (first === end) {
      // What has not begun by its second line does not begin.
      if (this.isQuoted || this.emptyItem === lines.number - 1) this.leave();
      this.paragraph = undefined;
      this.isLazy = false;
      return;
    }
    if (this.item !== undefined && indent >= this.item) {
      this.inside(first);
      return;
    }
    if (indent >= 4) {
      // Of a paragraph it is one more line; otherwise code.
      if (this.paragraph) this.paragraph.end = end;
      else if (!this.isLazy) this.item = undefined;
      if (this.paragraph || this.isLazy) this.piece(first, true);
      return;
    }
    this.block(first, indent);
  }

  private block(first: number, indent: number): void {
    const { text, lines, paragraph, isLazy } = this;
    const { start, end, number } = lines;
    const level = atxLevel(text, first, end);
    if (level > 0) {
      this.leave();
      this.add(level, { start, line: number, textStart: first + level, textEnd: end, isUnderlined: false });
      this.piece(first + level, false);
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
      if (!this.isQuoted) this.leave();
      this.isQuoted = true;
      this.inside(firstText(text, first + 1, end), indent + 2);
      return;
    }
    const item = itemStart(text, first, end);
    if (item && (item.interrupts || !paragraph)) {
      this.leave();
      if (item.content === end) this.emptyItem = number;
      this.item = indent + item.width;
      this.inside(item.content, this.item);
      return;
    }
    const html = htmlStart(text, first, end, paragraph !== undefined || isLazy);
    if (html) {
      this.leave();
      this.html = html;
      this.insideHtml(html, first);
      return;
    }
    this.piece(first, isLazy || paragraph !== undefined);
    if (isLazy) return;
    if (paragraph) {
      paragraph.end = end;
      return;
    }
    this.leave();
    this.paragraph = { start, end, line: number };
  }

  /** A line of an HTML block: what stands behind a comment's end is text again, what tags stand around is. */
  private insideHtml(html: HtmlEnd, first: number): void {
    const { lines } = this;
    if (html === 'blank') {
      if (first === lines.end) this.html = undefined;
      else this.piece(first, true);
    } else if (html.offset < lines.next) {
      this.html = undefined;
      this.piece(html.offset, false);
    }
  }

  /** A line of an item or a quotation whose text begins at `first`; where it opens one, its text stands at `column`. */
  private inside(first: number, column = Number.POSITIVE_INFINITY): void {
    const { text, lines } = this;
    const { end } = lines;
    this.paragraph = undefined;
    if (this.innerFence) {
      if (closesFence(this.innerFence, text, first, end)) this.innerFence = undefined;
      this.isLazy = false;
      return;
    }
    this.innerFence = openingFence(text, first, end);
    const goesOn = this.isLazy && !itemStart(text, first, end);
    // Headings and code do not go on by themselves; four columns further in, it is code.
    const isCode = !this.isLazy && lines.column(first) - column >= 4;
    this.isLazy = !this.innerFence && first < end && atxLevel(text, first, end) === 0 && !isCode;
    if (!this.innerFence && !isCode) this.piece(first, goesOn);
  }

  private piece(start: number, continues: boolean): void {
    const { end, number } = this.lines;
    if (start < end) this.texts?.push({ start, end, line: number, continues });
  }

  private leave(): void {
    this.paragraph = undefined;
    this.item = undefined;
    this.isQuoted = false;
    this.innerFence = undefined;
    this.isLazy = false;
  }

  private add(level: number, heading: Omit<Heading, 'level' | 'end' | 'endLine'>): void {
    const { next, number } = this.lines;
    this.headings.push({ level, ...heading, end: next, endLine: number + 1 });
  }
}

function firstText(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(text.charCodeAt(at))) at++;
  return at;
}
