const TAB_STOP = 4;
const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;

/**
 * Goes through a text line by line. Lines end as in VS Code: LF, CR LF or CR. Takes time in proportion to what was gone
 * through. Offsets are UTF-16 code units.
 */
export class Lines {
  /** Of the current line, from 0. */
  number: number;
  start: number;
  /** Before the line break. */
  end: number;
  /** Of the next line. */
  next: number;

  /** Begins before the line at `from`, which has the number `number`. */
  constructor(
    readonly text: string,
    from = 0,
    number = 0,
  ) {
    this.number = number - 1;
    this.start = from;
    this.end = from;
    this.next = from;
  }

  /** False behind the last line. A text that ends with a line break has no empty line behind it. */
  advance(): boolean {
    const { text } = this;
    if (this.next >= text.length) return false;
    this.number++;
    this.start = this.next;
    let end = this.start;
    while (end < text.length && !isBreak(text.charCodeAt(end))) end++;
    this.end = end;
    const isPair = text.charCodeAt(end) === CR && text.charCodeAt(end + 1) === LF;
    this.next = Math.min(text.length, end + (isPair ? 2 : 1));
    return true;
  }

  /** Offset of the first character that is not white space; `end` on a blank line. */
  get first(): number {
    let at = this.start;
    while (at < this.end && isBlank(this.text.charCodeAt(at))) at++;
    return at;
  }

  /** The column of an offset of this line, tabs counted. */
  column(offset: number): number {
    let column = 0;
    for (let at = this.start; at < offset; at++) {
      column += this.text.charCodeAt(at) === TAB ? TAB_STOP - (column % TAB_STOP) : 1;
    }
    return column;
  }
}

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

function isBreak(code: number): boolean {
  return code === LF || code === CR;
}

/** Where the first line of a text begins that is not blank; the end of the text when all are. */
export function firstText(text: string): number {
  let lineStart = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isBreak(code)) lineStart = at + 1;
    else if (!isBlank(code)) return lineStart;
  }
  return text.length;
}

/** The line, from 0, that begins at an offset; a byte order mark before it is no line. */
export function lineStartingAt(text: string, offset: number): number {
  return offset === 1 && text.startsWith('\uFEFF') ? 0 : countLines(text, offset);
}

/** How many lines begin before an offset. */
export function countLines(text: string, offset: number): number {
  const lines = new Lines(text);
  let count = 0;
  while (lines.next < offset && lines.advance()) count++;
  return count;
}
