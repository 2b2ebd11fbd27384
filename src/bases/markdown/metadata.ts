import { isBlank, Lines } from '../../markdown';
import type { MetadataValue } from '../model';

/** A metadata list right under a heading. */
export interface MetadataBlock {
  values: Map<string, MetadataValue>;
  /** Behind the line of `<!-- content -->`. */
  end: number;
  faults: MetadataFault[];
}

export interface MetadataFault {
  line: number;
  message: string;
}

const MAX_KEYS = 100;
const MAX_VALUE = 4_000;
const MAX_ITEMS = 200;
/** A list that goes on for longer is no metadata. */
const MAX_LINES = 400;
/** Told of one list. */
const MAX_FAULTS = 20;

const CONTENT_MARK = /^<!--[ \t]{0,20}content[ \t]{0,20}-->[ \t]*$/i;
const LONGEST_LINE = MAX_VALUE + 200;
const PAIR = /^[-*+][ \t]+([\p{L}_][\p{L}\p{M}\p{N}_.-]{0,63})[ \t]{0,20}:(?:[ \t](.*))?$/su;
const ITEM = /^[-*+][ \t](.*)$/s;

/**
 * Reads the list `- key: value` under a heading up to `<!-- content -->` (seed 002's hybrid schema). The comment makes
 * it metadata: a list without it is content, and the answer undefined. Blank lines may stand around the items, and a
 * value may be a list of its own: in brackets, or as items that are indented. `from` is behind the heading, `line` the
 * number of the line there, `end` where the next heading begins.
 */
export function readMetadata(text: string, from: number, line: number, end: number): MetadataBlock | undefined {
  const lines = new Lines(text, from, line);
  const items: { line: number; text: string; isNested: boolean }[] = [];
  while (lines.advance() && lines.start < end && items.length <= MAX_LINES) {
    const { first } = lines;
    if (first === lines.end) continue;
    if (lines.end - first > LONGEST_LINE) return undefined;
    const content = text.slice(first, lines.end).trimEnd();
    const indent = lines.column(first);
    if (indent < 4 && CONTENT_MARK.test(content)) return items.length > 0 ? blockOf(items, lines.next) : undefined;
    const isItem = /^[-*+]/.test(content) && isBlank(content.charCodeAt(1));
    if (!isItem || (indent >= 2 && items.length === 0)) return undefined;
    items.push({ line: lines.number, text: content, isNested: indent >= 2 });
  }
  return undefined;
}

/**
 * Whether a list under a heading is metadata but for the missing `<!-- content -->`: it names an id together with
 * another of the schema's keys, and nothing else stands in it.
 */
export function looksLikeMetadata(text: string, from: number, end: number): boolean {
  const lines = new Lines(text, from);
  const keys = new Set<string>();
  while (lines.advance() && lines.start < end && keys.size < 20) {
    const { first } = lines;
    if (first === lines.end) {
      if (keys.size > 0) break;
      continue;
    }
    const match = PAIR.exec(text.slice(first, Math.min(lines.end, first + LONGEST_LINE)));
    if (!match || keys.has(match[1]!)) return false;
    keys.add(match[1]!);
  }
  return keys.has('id') && (keys.has('type') || keys.has('status'));
}

function blockOf(items: readonly { line: number; text: string; isNested: boolean }[], end: number): MetadataBlock {
  const values = new Map<string, MetadataValue>();
  const faults: MetadataFault[] = [];
  /** The key whose value the nested items below it are. */
  let open: string | undefined;
  for (const { line, text, isNested } of items) {
    if (isNested && open !== undefined) {
      const list = values.get(open);
      const item = unquoted(ITEM.exec(text)?.[1] ?? '');
      const before = Array.isArray(list) ? list : [];
      if (before.length < MAX_ITEMS) values.set(open, [...before, item]);
      continue;
    }
    open = undefined;
    const match = PAIR.exec(text);
    if (!match) {
      faults.push({ line, message: 'This is not "- key: value", so it is left out of the metadata.' });
      continue;
    }
    const [, key = '', value = ''] = match;
    if (values.has(key)) {
      faults.push({ line, message: `The key "${key}" stands here twice. The first one counts.` });
    } else if (values.size >= MAX_KEYS) {
      faults.push({ line, message: `There are more than ${MAX_KEYS} keys. "${key}" is left out.` });
    } else {
      values.set(key, metadataValue(value));
      if (value.trim() === '') open = key;
    }
  }
  return { values, end, faults: faults.slice(0, MAX_FAULTS) };
}

/** A text, or a list: `[a, "b, c"]`. A link `[a](b)` or `[[a]]` is text. */
function metadataValue(written: string): MetadataValue {
  const value = written.trim().slice(0, MAX_VALUE);
  if (!value.startsWith('[') || !value.endsWith(']') || value.startsWith('[[')) return unquoted(value);
  const inside = value.slice(1, -1);
  if (inside.trim() === '') return [];
  return splitItems(inside).map(unquoted).slice(0, MAX_ITEMS);
}

/** Commas separate, but not inside quotes. */
function splitItems(text: string): string[] {
  const items: string[] = [];
  let quote = '';
  let from = 0;
  let isBeginning = true;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (isBeginning && (character === '"' || character === "'")) {
      quote = text.indexOf(character, at + 1) === -1 ? '' : character;
      isBeginning = false;
    } else if (character === ',') {
      items.push(text.slice(from, at));
      from = at + 1;
      isBeginning = true;
    } else if (!isBlank(text.charCodeAt(at))) {
      isBeginning = false;
    }
  }
  items.push(text.slice(from));
  return items.filter((item, index) => item.trim() !== '' || index < items.length - 1);
}

function unquoted(text: string): string {
  const value = text.trim();
  const quote = value[0];
  const isQuoted = value.length >= 2 && (quote === '"' || quote === "'") && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1) : value;
}
