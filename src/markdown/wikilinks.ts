import type { TextPiece } from './headings';

/** `[[target#section|alias]]` in a text; offsets are UTF-16 code units of all of it, `end` exclusive. */
export interface Wikilink {
  /** The brackets with it, and the mark of an embed. */
  start: number;
  end: number;
  /** From 0. */
  line: number;
  /** `![[…]]` */
  isEmbed: boolean;
  /** What stands between the brackets. */
  innerStart: number;
  innerEnd: number;
}

/** Characters that are looked through in one step. */
const AT_ONCE = 65_536;
/** Longer than any path that an id could end. */
const LONGEST = 1_000;

/**
 * The links between double brackets in the texts of a document, in order; not those in code spans and comments, and none
 * that is longer than a line. Takes time in proportion to the texts, whatever stands in them, in steps.
 */
export function* findWikilinks(text: string, texts: readonly TextPiece[]): Generator<void, Wikilink[]> {
  const links: Wikilink[] = [];
  let pauseAt = AT_ONCE;
  for (let from = 0; from < texts.length; ) {
    let to = from + 1;
    while (to < texts.length && texts[to]!.continues) to++;
    yield* new Inline(text, texts.slice(from, to), links).steps();
    from = to;
    if (texts[to - 1]!.end < pauseAt) continue;
    pauseAt = texts[to - 1]!.end + AT_ONCE;
    yield;
  }
  return links;
}

/** One paragraph: code spans and comments may reach over its lines. */
class Inline {
  /** Where the runs of as many backticks begin that were not passed yet, last first. */
  private runs: Map<number, number[]> | undefined;
  private readonly end: number;
  private hasCommentEnd = true;

  constructor(
    private readonly text: string,
    private readonly pieces: readonly TextPiece[],
    private readonly links: Wikilink[],
  ) {
    this.end = pieces.at(-1)!.end;
  }

  *steps(): Generator<void, void> {
    /** What the code span or the comment before it reached to. */
    let at = 0;
    let pauseAt = this.pieces[0]!.start + AT_ONCE;
    for (const piece of this.pieces) {
      at = Math.max(at, piece.start);
      while (at < piece.end) at = this.step(at, piece);
      if (piece.end < pauseAt) continue;
      pauseAt = piece.end + AT_ONCE;
      yield;
    }
  }

  /** Answers where to go on. */
  private step(at: number, piece: TextPiece): number {
    const { text } = this;
    switch (text[at]) {
      case '\\':
        return at + 2;
      case '`':
        return this.code(at, piece.end);
      case '<':
        return text.startsWith('<!--', at) ? this.comment(at) : at + 1;
      case '[':
        return text[at + 1] === '[' ? this.link(at, piece) : at + 1;
      default:
        return at + 1;
    }
  }

  private code(at: number, end: number): number {
    const behind = endOfRun(this.text, at, end);
    this.runs ??= this.findRuns();
    const same = this.runs.get(behind - at) ?? [];
    while (same.length > 0 && same.at(-1)! < behind) same.pop();
    const closing = same.at(-1);
    return closing === undefined ? behind : closing + behind - at;
  }

  private comment(at: number): number {
    if (!this.hasCommentEnd) return at + 4;
    const end = this.text.slice(at + 4, this.end).indexOf('-->');
    this.hasCommentEnd = end !== -1;
    return end === -1 ? at + 4 : at + 4 + end + 3;
  }

  private link(at: number, { start, end, line }: TextPiece): number {
    const { text } = this;
    const innerStart = at + 2;
    const last = Math.min(end, innerStart + LONGEST);
    let innerEnd = innerStart;
    while (innerEnd < last && !'[]`'.includes(text[innerEnd]!)) innerEnd++;
    // Of `[[[x]]` the inner two brackets are meant.
    if (!text.startsWith(']]', innerEnd) || innerEnd + 2 > end) return Math.max(at + 1, innerEnd - 1);
    const isEmbed = at > start && text[at - 1] === '!' && !isEscaped(text, at - 1, start);
    this.links.push({ start: isEmbed ? at - 1 : at, end: innerEnd + 2, line, isEmbed, innerStart, innerEnd });
    return innerEnd + 2;
  }

  private findRuns(): Map<number, number[]> {
    const runs = new Map<number, number[]>();
    for (const { start, end } of this.pieces.toReversed()) {
      for (let at = end - 1; at >= start; at--) {
        if (this.text[at] !== '`') continue;
        let first = at;
        while (first > start && this.text[first - 1] === '`') first--;
        const same = runs.get(at - first + 1);
        if (same) same.push(first);
        else runs.set(at - first + 1, [first]);
        at = first;
      }
    }
    return runs;
  }
}

function endOfRun(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && text[at] === '`') at++;
  return at;
}

function isEscaped(text: string, at: number, start: number): boolean {
  let backslashes = 0;
  while (at - backslashes - 1 >= start && text[at - backslashes - 1] === '\\') backslashes++;
  return backslashes % 2 === 1;
}
