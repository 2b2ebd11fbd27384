import { isDeepStrictEqual } from 'node:util';
import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { type Sentence, sentence } from '../core/sentence';
import { countLines } from '../markdown';
import { faultInWords } from './json-faults';

/**
 * Members and elements of a client's configuration, JSON with comments and trailing commas: put in, replaced and taken
 * out so that everything else stays byte for byte, and so that taking out what was put in gives the bytes from before.
 *
 * jsonc-parser's own `modify` puts a new member between a value and the comment behind it; here it comes behind the
 * comment. What is put into an object or an array that was there and empty is followed by a blank line: by it, taking out
 * tells what was there (it stays) from what was made for the member (it goes as well).
 */

/** Keys of objects; of an array a number, or -1 for a new last element. */
export type JsonPath = readonly (string | number)[];

/** A file's text, read: `root` is undefined where there is nothing but white space. */
export interface JsonDocument {
  text: string;
  root: Node | undefined;
}

const BOM = '\uFEFF';

/**
 * Reads JSON with comments and trailing commas whose root is an object. Answers a sentence where it is none, or where an
 * object has a key twice: of which one would be read is the client's secret. `holdsNothing`: there is nothing in it.
 */
export function readJson(text: string): JsonDocument | { unreadable: Sentence; holdsNothing?: boolean } {
  if (withoutMark(text).trim() === '') return { text, root: undefined };
  try {
    return readObject(text);
  } catch (error) {
    if (error instanceof RangeError)
      return { unreadable: sentence('It is nested too deep to be a configuration. Mend it first.') };
    throw error;
  }
}

function readObject(text: string): JsonDocument | { unreadable: Sentence; holdsNothing?: boolean } {
  const errors: ParseError[] = [];
  const root = parseTree(blankMark(text), errors, { allowTrailingComma: true, disallowComments: false });
  const [first] = errors;
  if (first !== undefined) {
    if (skip(text, text.startsWith(BOM) ? 1 : 0, SPACE_OR_COMMENT) === text.length)
      return {
        unreadable: sentence('It holds nothing but comments. Write {} below them first, or remove the file.'),
        holdsNothing: true,
      };
    const [what, line] = [faultInWords(first.error), countLines(text, first.offset + 1)];
    return { unreadable: sentence('It is not JSON: {0}, in line {1}. Mend it first.', what, line) };
  }
  if (root?.type !== 'object') return { unreadable: sentence('It is JSON, but not an object. Mend it first.') };
  const twice = duplicateKey(root);
  if (twice !== undefined)
    return { unreadable: sentence('It has the key {0} twice in one place. Mend it first.', JSON.stringify(twice)) };
  return { text, root };
}

/** The value at a path, as JSON.parse would give it; undefined where there is none. Of a text that `readJson` takes. */
export function jsonAt(text: string, path: JsonPath): unknown {
  const document = readJson(text);
  if ('unreadable' in document || document.root === undefined) return undefined;
  const node = nodeAt(document.root, path);
  return node === undefined ? undefined : plainValue(node);
}

/**
 * The text with `value` at the path: replaced where there is one, else put in last, with the objects that are missing on
 * the way there. An undefined or blank text becomes an object of its own. Takes a text that `readJson` takes; throws a
 * TypeError where something on the way is neither object nor array.
 */
export function withJson(text: string | undefined, path: JsonPath, value: unknown): string {
  const document = text === undefined ? undefined : read(text);
  if (document?.root === undefined) {
    const made = format(wrap(path, value), '', '  ', '\n');
    // A file that Kaizen makes ends with a line break; what is put into an empty one does not: by this they are told apart.
    return text === undefined ? `${made}\n` : `${text}${made}`;
  }
  const style = styleOf(document.text);
  let node = document.root;
  for (const [depth, key] of path.entries()) {
    const next = childOf(node, key);
    if (next === undefined) return putIn(document.text, node, key, wrap(path.slice(depth + 1), value), style);
    node = next;
  }
  if (isDeepStrictEqual(plainValue(node), value)) return document.text;
  const indent = indentAt(document.text, node.offset);
  return splice(document.text, node.offset, node.offset + node.length, format(value, indent, style.unit, style.eol));
}

/**
 * The text without what is at the path, and without the objects and arrays that were made for it and are empty now.
 * Undefined where nothing is left of a file that was made for it. The text as it is where there is nothing at the path.
 */
export function withoutJson(text: string, path: JsonPath): string | undefined {
  const document = read(text);
  const node = document.root && nodeAt(document.root, path);
  if (node === undefined) return text;
  let member = node.parent?.type === 'property' ? node.parent : node;
  for (;;) {
    const container = member.parent;
    if (container === undefined) break;
    const after = takeOut(text, container, member);
    if (after !== undefined) return after;
    // It was made for its only member: it goes as a whole.
    member = container.parent?.type === 'property' ? container.parent : container;
  }
  // What is left of the root's file: nothing but white space, or comments, in which case the object stays.
  const { offset, length } = member;
  const rest = text.slice(0, offset) + text.slice(offset + length);
  if (withoutMark(rest).trim() !== '') return splice(text, offset, offset + length, '{}');
  return rest === '\n' && offset === 0 ? undefined : rest;
}

function read(text: string): JsonDocument {
  const document = readJson(text);
  if ('unreadable' in document) throw new TypeError(String(document.unreadable));
  return document;
}

/** jsonc-parser takes a byte order mark for a fault; a space keeps the offsets. */
function blankMark(text: string): string {
  return text.startsWith(BOM) ? ` ${text.slice(1)}` : text;
}

function withoutMark(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}

function duplicateKey(node: Node): string | undefined {
  if (node.type === 'object') {
    const keys = new Set<string>();
    for (const { children } of node.children ?? []) {
      const key = String(children?.[0]?.value);
      if (keys.has(key)) return key;
      keys.add(key);
    }
  }
  for (const child of node.children ?? []) {
    const twice = duplicateKey(child);
    if (twice !== undefined) return twice;
  }
  return undefined;
}

function nodeAt(root: Node, path: JsonPath): Node | undefined {
  return path.reduce<Node | undefined>((node, key) => node && childOf(node, key), root);
}

/** Undefined where there is no such child. Throws a TypeError where the node can have none. */
function childOf(node: Node, key: string | number): Node | undefined {
  const children = node.children ?? [];
  if (node.type === 'array' && typeof key === 'number') return key < 0 ? undefined : children[key];
  if (node.type === 'object' && typeof key === 'string') {
    return children.find((property) => property.children?.[0]?.value === key)?.children?.[1];
  }
  throw new TypeError(`A value stands where ${JSON.stringify(key)} was looked for.`);
}

function plainValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plainValue);
  if (node.type !== 'object') return node.value;
  const pairs = (node.children ?? []).map(({ children = [] }) => [String(children[0]?.value), children[1]] as const);
  return Object.fromEntries(pairs.map(([key, value]) => [key, value && plainValue(value)]));
}

/** What stands at the first key of a path so that the value stands at its end. */
function wrap(path: JsonPath, value: unknown): unknown {
  return path.reduceRight((inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }), value);
}

interface Style {
  eol: string;
  /** One step of indentation. */
  unit: string;
}

function styleOf(text: string): Style {
  const eol = /\r\n|\n/.exec(text)?.[0] ?? '\n';
  const unit = /(?:^|\n)([ \t]+)"/.exec(text)?.[1] ?? '  ';
  return { eol, unit };
}

/** The white space that the line of an offset begins with. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))![0];
}

/** JSON of a value whose first line stands behind `indent`. */
function format(value: unknown, indent: string, unit: string, eol: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`);
}

function splice(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

function putIn(text: string, container: Node, key: string | number, value: unknown, { eol, unit }: Style): string {
  const outer = indentAt(text, container.offset);
  const children = container.children ?? [];
  const last = children.at(-1);
  const isOnOwnLine = last !== undefined && text.slice(0, last.offset).trimEnd().length <= lineStart(text, last.offset);
  const indent = isOnOwnLine ? indentAt(text, last.offset) : outer + unit;
  const name = typeof key === 'string' ? `${JSON.stringify(key)}: ` : '';
  const member = `${eol}${indent}${name}${format(value, indent, unit, eol)}`;
  if (last === undefined)
    return splice(text, container.offset + 1, container.offset + 1, `${member}${eol}${eol}${outer}`);
  const end = last.offset + last.length;
  const comma = commaAfter(text, end);
  // Behind the comment that the last member has on its line.
  const at = endOfRemark(text, comma === undefined ? end : comma + 1);
  const put = splice(text, at, at, comma === undefined ? member : `${member},`);
  return comma === undefined ? splice(put, end, end, ',') : put;
}

/** The text without a member; undefined where the container goes with it. */
function takeOut(text: string, container: Node, member: Node): string | undefined {
  const children = container.children ?? [];
  const at = children.indexOf(member);
  const end = member.offset + member.length;
  const comma = commaAfter(text, end);
  const start = startOfLead(text, member.offset);
  if (children.length > 1) {
    const previous = children[at - 1];
    const without = splice(text, start, comma === undefined ? end : comma + 1, '');
    if (comma !== undefined || previous === undefined) return without;
    const before = commaAfter(text, previous.offset + previous.length);
    return before === undefined ? without : splice(without, before, before + 1, '');
  }
  const inside =
    text.slice(container.offset + 1, start) +
    text.slice(comma === undefined ? end : comma + 1, container.offset + container.length - 1);
  const blank = /^(?:\r\n|\n){2}[ \t]*/.exec(text.slice(end))?.[0];
  if (blank !== undefined && comma === undefined) {
    const outer = indentAt(text, container.offset);
    const eol = blank.startsWith('\r') ? '\r\n' : '\n';
    const added = `${eol}${eol}${outer}`;
    if (text.startsWith(added, end)) return splice(text, start, end + added.length, '');
  }
  // Somebody's comment keeps the container.
  if (inside.trim() !== '') return splice(text, start, comma === undefined ? end : comma + 1, '');
  return undefined;
}

/** Offset of the comma behind a value, white space and comments passed over. */
function commaAfter(text: string, from: number): number | undefined {
  const at = skip(text, from, SPACE_OR_COMMENT);
  return text[at] === ',' ? at : undefined;
}

const SPACE_OR_COMMENT = /(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
/** On one line. */
const REMARKS = /(?:[ \t]*(?:\/\*(?:(?!\*\/)[^\r\n])*\*\/|\/\/[^\r\n]*))*/y;

function endOfRemark(text: string, from: number): number {
  return skip(text, from, REMARKS);
}

function skip(text: string, from: number, pattern: RegExp): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(text)?.[0].length ?? 0);
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Where the one line break and the indentation begin that stand before a member; its own offset where there are none. */
function startOfLead(text: string, offset: number): number {
  const lead = /(?:\r\n|\n)[ \t]*$/.exec(text.slice(Math.max(0, offset - 1_000), offset))?.[0] ?? '';
  return offset - lead.length;
}
