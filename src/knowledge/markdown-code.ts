/** Where a line's own text begins: behind the marks of quotes and list items. */
const CONTAINERS = /^(?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*/u;
const FENCE = /^(`{3,}|~{3,})([\s\S]*)$/u;
/** Ends whatever a code span can reach over: a blank line, or a line that begins a new block. */
const BLOCK_END = /\n[ \t]*(?=\r?\n|[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|>|$)/gu;

interface Fence {
  mark: string;
  length: number;
  /** Quotes that it stands in. */
  quotes: number;
  /** Columns that its list item's text is indented by; 0 outside of lists. */
  indent: number;
}

/** Markdown with everything inside fenced code and code spans replaced by spaces, so that offsets stay. */
export function blankCode(content: string): string {
  return content.includes('`') || content.includes('~~~') ? blankSpans(blankFences(content)) : content;
}

/**
 * CommonMark 0.31, 4.5: a fence is closed by one at least as long of the same character, by the end of the quote or
 * list item that it stands in, or by the end of the text.
 */
function blankFences(content: string): string {
  let fence: Fence | undefined;
  return content
    .split('\n')
    .map((line) => {
      if (fence && leaves(fence, line)) fence = undefined;
      const before = (fence ? /^[ \t>]*/u : CONTAINERS).exec(line)![0];
      const match = FENCE.exec(line.slice(before.length));
      const marks = match?.[1] ?? '';
      const info = match?.[2] ?? '';
      if (fence) {
        if (marks[0] === fence.mark && marks.length >= fence.length && info.trim() === '') fence = undefined;
        return blank(line);
      }
      if (!match || (marks[0] === '`' && info.includes('`'))) return line;
      const isInList = /[^ \t>]/u.test(before);
      fence = { mark: marks[0]!, length: marks.length, quotes: quotesIn(before), indent: isInList ? before.length : 0 };
      return blank(line);
    })
    .join('\n');
}

/** Whether the line stands outside of the quote or the list item that the fence is in. */
function leaves(fence: Fence, line: string): boolean {
  const before = /^[ \t>]*/u.exec(line)![0];
  if (quotesIn(before) < fence.quotes) return true;
  return fence.indent > before.length && line.trim() !== '';
}

function quotesIn(before: string): number {
  return before.split('>').length - 1;
}

/** CommonMark 0.31, 6.1: a run of backticks is closed by the next run of the same length in the same block. */
function blankSpans(content: string): string {
  let result = '';
  let at = 0;
  let limit = 0;
  const runs = /`+/gu;
  for (let open = runs.exec(content); open; open = runs.exec(content)) {
    // A backslash makes the first backtick of a run an ordinary character.
    const escaped = isEscaped(content, open.index) ? 1 : 0;
    const from = open.index + escaped;
    const ticks = open[0].length - escaped;
    if (ticks === 0) continue;
    if (from >= limit) limit = blockEnd(content, from);
    const behind = runs.lastIndex;
    let close = runs.exec(content);
    while (close && close.index < limit && close[0].length !== ticks) close = runs.exec(content);
    if (close && close.index < limit) {
      result += content.slice(at, from) + blank(content.slice(from, runs.lastIndex));
      at = runs.lastIndex;
    } else {
      runs.lastIndex = behind;
    }
  }
  return result + content.slice(at);
}

function isEscaped(content: string, offset: number): boolean {
  let backslashes = 0;
  while (content[offset - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}

function blockEnd(content: string, from: number): number {
  BLOCK_END.lastIndex = from;
  return BLOCK_END.exec(content)?.index ?? content.length;
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/gu, (character) => ' '.repeat(character.length));
}
