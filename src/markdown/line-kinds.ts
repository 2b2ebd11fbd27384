import { isBlank } from './lines';

/** A block of code between two fences. */
export interface Fence {
  mark: string;
  length: number;
}

/** What an item of a list looks like in its first line. */
export interface ItemStart {
  /** Columns from the marker's first character to where its content stands. */
  width: number;
  /** Whether it may stand right below a paragraph's line. */
  interrupts: boolean;
  /** Where its content begins. */
  content: number;
}

/** An HTML block: where it ends, or that a blank line ends it. `Infinity` when nothing does. */
export type HtmlEnd = { offset: number } | 'blank';

/** Level of an ATX heading that begins at `first`, 0 when there is none. */
export function atxLevel(text: string, first: number, end: number): number {
  let level = 0;
  while (first + level < end && level < 7 && text[first + level] === '#') level++;
  if (level === 0 || level > 6) return 0;
  return first + level === end || isBlank(text.charCodeAt(first + level)) ? level : 0;
}

/** The fence that opens at `first`. */
export function openingFence(text: string, first: number, end: number): Fence | undefined {
  const mark = text[first];
  if (mark !== '`' && mark !== '~') return undefined;
  const length = runLength(text, first, end);
  if (length < 3) return undefined;
  // What looks like code in a line of text, as in ``` `a` ```, is no fence.
  if (mark === '`' && text.slice(first + length, end).includes('`')) return undefined;
  return { mark, length };
}

export function closesFence({ mark, length }: Fence, text: string, first: number, end: number): boolean {
  if (text[first] !== mark) return false;
  const run = runLength(text, first, end);
  return run >= length && isBlankUntil(text, first + run, end);
}

/** 1 for a line of `=`, 2 for one of `-`, below a paragraph; 0 for any other. */
export function underlineLevel(text: string, first: number, end: number): 0 | 1 | 2 {
  const mark = text[first];
  if (mark !== '=' && mark !== '-') return 0;
  if (!isBlankUntil(text, first + runLength(text, first, end), end)) return 0;
  return mark === '=' ? 1 : 2;
}

/** `***`, `- - -`, `___`: three or more of one mark, with nothing else but spaces. */
export function isThematicBreak(text: string, first: number, end: number): boolean {
  const mark = text[first];
  if (mark !== '*' && mark !== '-' && mark !== '_') return false;
  let count = 0;
  for (let at = first; at < end; at++) {
    if (text[at] === mark) count++;
    else if (!isBlank(text.charCodeAt(at))) return false;
  }
  return count >= 3;
}

const MARKER = /(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|$)/y;

export function itemStart(text: string, first: number, end: number): ItemStart | undefined {
  // A marker has at most ten characters: more of the line is not looked at.
  MARKER.lastIndex = 0;
  const match = MARKER.exec(text.slice(first, Math.min(end, first + 11)));
  if (!match) return undefined;
  const marker = match[0].length;
  let content = first + marker;
  while (content < end && isBlank(text.charCodeAt(content))) content++;
  const isEmpty = content === end;
  const blanks = content - first - marker;
  const [, ordinal] = match;
  return {
    width: marker + (isEmpty || blanks > 4 ? 1 : blanks),
    interrupts: !isEmpty && (ordinal === undefined || Number(ordinal) === 1),
    content,
  };
}

const RAW = /^<(?:script|pre|style|textarea)(?=[\s>]|$)/i;
const RAW_END = /<\/(?:script|pre|style|textarea)>/gi;
const BLOCK_TAG =
  /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?=[\s/>]|$)/i;
/** A tag alone on its line. */
const LONE_TAG = /^<(?:[a-z][\w-]{0,50}(?:\s[^<>]{0,500})?\/?|\/[a-z][\w-]{0,50}\s{0,10})>[ \t]*$/i;
const LONGEST_LONE_TAG = 600;
const MARKED: readonly (readonly [opening: string, closing: string])[] = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<![CDATA[', ']]>'],
];

/**
 * The HTML block that begins at `first`, as CommonMark tells them apart. `afterText` when a paragraph's line stands
 * above, which a lone tag does not end.
 */
export function htmlStart(text: string, first: number, end: number, afterText: boolean): HtmlEnd | undefined {
  if (text[first] !== '<') return undefined;
  for (const [opening, closing] of MARKED) {
    if (text.startsWith(opening, first)) return { offset: indexOrEnd(text.indexOf(closing, first + opening.length)) };
  }
  const beginning = text.slice(first, Math.min(end, first + LONGEST_LONE_TAG));
  if (/^<![a-z]/i.test(beginning)) return { offset: indexOrEnd(text.indexOf('>', first)) };
  if (RAW.test(beginning)) {
    RAW_END.lastIndex = first;
    return { offset: indexOrEnd(RAW_END.exec(text)?.index ?? -1) };
  }
  if (BLOCK_TAG.test(beginning)) return 'blank';
  const isWhole = end - first < LONGEST_LONE_TAG;
  return !afterText && isWhole && LONE_TAG.test(beginning) ? 'blank' : undefined;
}

function indexOrEnd(index: number): number {
  return index === -1 ? Number.POSITIVE_INFINITY : index;
}

function runLength(text: string, first: number, end: number): number {
  const mark = text[first];
  let at = first;
  while (at < end && text[at] === mark) at++;
  return at - first;
}

function isBlankUntil(text: string, from: number, end: number): boolean {
  for (let at = from; at < end; at++) if (!isBlank(text.charCodeAt(at))) return false;
  return true;
}
