import { atOnce } from '../../core/turns';
import { scanBlocks } from '../../markdown';

/**
 * What a caret in a note stands in, as far as something can be completed there. Offsets are those of the whole text:
 * `from` to `to` is what a choice replaces, `typed` is what stands there before the caret.
 */
export type Caret =
  /** `[[user:04|` */
  | { kind: 'target'; typed: string; from: number; to: number; prefix: string | undefined; close: string }
  /** `[[042-x#ke|` */
  | { kind: 'section'; typed: string; from: number; to: number; target: string; close: string }
  /** In the front matter. */
  | { kind: 'key'; typed: string; from: number; to: number }
  | { kind: 'relationship'; typed: string; from: number; to: number; indent: string }
  | { kind: 'value'; key: string; typed: string; from: number; to: number; gap: string }
  | { kind: 'item'; key: string; typed: string; from: number; to: number; gap: string };

const PREFIX = /^(project|user|registry):\s*/;

/** Undefined where nothing can be completed: in plain text, in code, in comments. */
export function caretAt(text: string, offset: number): Caret | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = lineEnd(text, offset);
  const before = text.slice(start, offset);
  const after = text.slice(offset, end);
  const head = headOf(text);
  if (head && offset > head.start && start < head.end)
    return offset < head.end ? inHead(text, start, before, after) : undefined;
  return inLink(text, offset, before, after, head?.contentStart ?? 0);
}

function inLink(text: string, offset: number, before: string, after: string, from: number): Caret | undefined {
  const open = /\[\[([^[\]|]*)$/.exec(before);
  if (!open || !isProse(text, offset - open[0].length, from)) return undefined;
  const inner = open[1]!;
  const rest = /^([^[\]|#]*)(\]\]|[|#])?/.exec(after)!;
  const isClosed = rest[2] === ']]';
  // What stands behind the caret belongs to the link only where that has an end.
  const to = rest[2] === undefined ? offset : offset + rest[1]!.length + (isClosed ? 2 : 0);
  const close = rest[2] === '|' || rest[2] === '#' ? '' : ']]';
  const hash = inner.indexOf('#');
  if (hash !== -1) {
    const typed = inner.slice(hash + 1);
    return { kind: 'section', typed, from: offset - typed.length, to, target: inner.slice(0, hash).trim(), close };
  }
  const prefix = PREFIX.exec(inner);
  const typed = inner.slice(prefix?.[0].length ?? 0);
  return { kind: 'target', typed, from: offset - typed.length, to, prefix: prefix?.[1], close };
}

/** Whether links count where this stands. */
function isProse(text: string, offset: number, from: number): boolean {
  // What stands behind the line cannot change what it is.
  const { texts } = atOnce(scanBlocks(text.slice(0, lineEnd(text, offset)), from, 0));
  const piece = texts.findLast(({ start }) => start <= offset);
  if (!piece || offset > piece.end) return false;
  const open = text.slice(piece.start, offset).match(/`+/g) ?? [];
  return open.length % 2 === 0;
}

function inHead(text: string, start: number, before: string, after: string): Caret | undefined {
  const offset = start + before.length;
  const word = /^[^\s,\]]*/.exec(after)![0];
  const to = offset + word.length;
  const key = /^([a-z_]*)$/.exec(before);
  if (key) return /^\s*:/.test(after.slice(word.length)) ? undefined : { kind: 'key', typed: key[1]!, from: start, to };
  const field = /^([a-z_]+):(\s*)(.*)$/.exec(before);
  if (field) return ofField(field[1]!, field[2]!, field[3]!, offset, to);
  const above = keyAbove(text, start);
  const nested = /^([ \t]+)([a-z_]*)$/.exec(before);
  if (nested && above.top === 'relationships') {
    const [, indent, typed] = nested;
    if (/^\s*:/.test(after.slice(word.length))) return undefined;
    return { kind: 'relationship', typed: typed!, from: offset - typed!.length, to, indent: indent! };
  }
  const list = /^[ \t]+([a-z_]+):(\s*)(\[?)(.*)$/.exec(before);
  if (list && above.top === 'relationships') {
    return item(`relationships.${list[1]}`, list[3] === '[' ? list[4]! : `${list[3]}${list[4]}`, offset, to, list[2]!);
  }
  const dashed = /^[ \t]*-([ \t]*)(.*)$/.exec(before);
  if (!dashed) return undefined;
  const under = above.top === 'relationships' ? above.nested && `relationships.${above.nested}` : above.top;
  return under ? item(under, dashed[2]!, offset, to, dashed[1]!) : undefined;
}

function ofField(key: string, gap: string, value: string, offset: number, to: number): Caret | undefined {
  if (value.startsWith('[') || key === 'tags') return item(key, value.replace(/^\[/, ''), offset, to, gap);
  return { kind: 'value', key, typed: value, from: offset - value.length, to, gap };
}

/** The last of what stands between commas. */
function item(key: string, items: string, offset: number, to: number, gap: string): Caret {
  const last = /([^,]*)$/.exec(items)![1]!;
  const typed = last.trimStart().replace(/^["']/, '');
  return { kind: 'item', key, typed, from: offset - typed.length, to, gap: items === '' ? gap : ' ' };
}

/** The keys that a line of the front matter stands below. */
function keyAbove(text: string, start: number): { top?: string; nested?: string } {
  let nested: string | undefined;
  for (let at = start - 1; at > 0; ) {
    const from = text.lastIndexOf('\n', at - 1) + 1;
    const line = text.slice(from, at);
    const key = /^([ \t]*)([a-z_]+):/.exec(line);
    if (key && key[1] === '') return { top: key[2]!, ...(nested && { nested }) };
    if (key) nested ??= key[2];
    else if (/^(?:---|\S)/.test(line) && !line.startsWith('-')) return {};
    at = from - 1;
  }
  return {};
}

/** The front matter, from behind its first line to its last one; what is not closed yet reaches to the end. */
function headOf(text: string): { start: number; end: number; contentStart: number } | undefined {
  const open = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  if (!open) return undefined;
  const start = open[0].length;
  const closing = /^(?:---|\.\.\.)[ \t]*$/m;
  const close = closing.exec(text.slice(start).replaceAll('\r', ' '));
  if (!close) return { start: start - 1, end: text.length + 1, contentStart: text.length };
  const end = start + close.index;
  return { start: start - 1, end, contentStart: Math.min(text.length, lineEnd(text, end) + 1) };
}

function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  const end = at === -1 ? text.length : at;
  return end > offset && text[end - 1] === '\r' ? end - 1 : end;
}
