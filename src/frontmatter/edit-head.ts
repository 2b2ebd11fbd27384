import { isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from 'yaml';
import { type ComposedHead, composeHead } from './compose-head';
import { editList } from './edit-list';
import { type FrontMatterFault, fault } from './faults';
import { type ForeignHead, readForeignHead } from './foreign';
import { type Splice, spliced } from './splice';
import { findHead, type Head } from './split';
import { writeFlowList, writeForeignScalar } from './write-foreign';

export type HeadValue = string | readonly string[];

export interface HeadChange {
  /** With a dot where it stands in a mapping: `relationships.extends`. At most one dot. */
  key: string;
  /** Undefined takes it away. */
  value: HeadValue | undefined;
}

/**
 * Changes values of a front matter and leaves every other byte: order, comments, quotes, line ends and byte order mark.
 * A key that is not there is put behind the nearest of those that come before it in `order`, one that is not in it at
 * the end. A text without front matter gets some. Answers why where the front matter cannot be read or edited safely.
 */
export function editHead(
  text: string,
  changes: readonly HeadChange[],
  order: readonly string[],
): { text: string } | { fault: FrontMatterFault } {
  const before = readForeignHead(text);
  const [unreadable] = before?.faults ?? [];
  if (unreadable) return { fault: unreadable };
  let edited = text;
  for (const change of changes) {
    const splices = new Edit(edited, order).splices(change);
    if (splices === undefined) return { fault: inTheWay(text, before, change.key) };
    edited = spliced(edited, splices);
  }
  // What is written is read again: no style of writing YAML may lose what somebody wrote.
  const strange = firstDifference(before, readForeignHead(edited), changes);
  return strange === undefined ? { text: edited } : { fault: inTheWay(text, before, strange) };
}

function inTheWay(text: string, head: ForeignHead | undefined, key: string): FrontMatterFault {
  const outer = key.split('.')[0]!;
  const place =
    head?.places.get(key) ??
    head?.places.get(outer) ??
    [...(head?.places ?? [])].find(([each]) => each.startsWith(`${key}.`))?.[1];
  const { start, end } = place?.key ?? { start: 0, end: Math.min(3, text.length) };
  return fault('syntax', start, end, `"${key}" is written in a way that cannot be edited safely`);
}

/** A key whose value is another one than was to be. */
function firstDifference(
  before: ForeignHead | undefined,
  after: ForeignHead | undefined,
  changes: readonly HeadChange[],
): string | undefined {
  if (!after || after.faults.length > 0) return changes[0]?.key ?? '';
  const expected = new Map<string, HeadValue>(before?.values);
  for (const { key, value } of changes) {
    if (value === undefined) expected.delete(key);
    else expected.set(key, value);
  }
  const said = (value: HeadValue | undefined) => JSON.stringify(value);
  const keys = new Set([...expected.keys(), ...after.values.keys()]);
  return [...keys].find((key) => said(expected.get(key)) !== said(after.values.get(key)));
}

/** One change of one text. */
class Edit {
  private readonly head: Head | undefined;
  private readonly composed: ComposedHead | undefined;
  private readonly lineEnd: string;

  constructor(
    private readonly text: string,
    private readonly order: readonly string[],
  ) {
    const isHead = readForeignHead(text) !== undefined;
    this.head = isHead ? findHead(text) : undefined;
    this.lineEnd = /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n';
    if (!this.head) return;
    const yaml = text.slice(this.head.start, this.head.end);
    const composed = composeHead(yaml);
    this.composed = 'map' in composed ? composed : undefined;
  }

  /** Undefined where the way it is written does not let us. */
  splices({ key, value }: HeadChange): Splice[] | undefined {
    const { head, composed } = this;
    if (!head) return value === undefined ? [] : [this.newHead(key, value)];
    // Only comments and blank lines.
    if (!composed) return value === undefined ? [] : [this.insertion(head.end, this.lines(key, value))];
    const found = this.find(composed.map, key);
    if (found) return value === undefined ? this.removal(found) : this.replacement(found, value);
    return value === undefined ? [] : this.addition(composed.map, key, value);
  }

  private newHead(key: string, value: HeadValue): Splice {
    const at = this.text.startsWith('\uFEFF') ? 1 : 0;
    const isApart = at === this.text.length || /^[ \t]*\r?\n/.test(this.text.slice(at, at + 1_000));
    const lines = ['---', ...this.lines(key, value), '---', ...(isApart ? [] : [''])];
    return this.insertion(at, lines);
  }

  private insertion(at: number, lines: readonly string[]): Splice {
    return { start: at, end: at, text: lines.map((line) => line + this.lineEnd).join('') };
  }

  /** A new key, with the mapping that it stands in. */
  private lines(key: string, value: HeadValue): string[] {
    const [outer = '', inner] = key.split('.');
    return inner === undefined ? [`${outer}: ${written(value)}`] : [`${outer}:`, `  ${inner}: ${written(value)}`];
  }

  private find(map: YAMLMap, key: string, parents: readonly Pair[] = []): Found | undefined {
    for (const pair of map.items) {
      if (!isScalar(pair.key)) continue;
      const name = String(pair.key.value ?? '');
      if (name === key && !isMap(pair.value)) return { pair, map, parents };
      if (!isMap(pair.value) || !key.startsWith(`${name}.`)) continue;
      const found = this.find(pair.value as YAMLMap, key.slice(name.length + 1), [...parents, pair]);
      if (found) return found;
    }
    return undefined;
  }

  private removal({ pair, map, parents }: Found): Splice[] | undefined {
    const parent = parents.at(-1);
    if (map.items.length === 1 && parent) {
      const above = parents.at(-2)?.value ?? this.composed!.map;
      return this.removal({ pair: parent, map: above as YAMLMap, parents: parents.slice(0, -1) });
    }
    if (map.flow) {
      const index = map.items.indexOf(pair);
      const [previous, next] = [map.items[index - 1], map.items[index + 1]];
      const [start, end] = [this.startOf(pair.key), this.endOf(pair)];
      if (next) return [{ start, end: this.startOf(next.key), text: '' }];
      return [{ start: previous ? this.endOf(previous) : start, end, text: '' }];
    }
    const start = this.lineStart(pair);
    return start === undefined ? undefined : [{ start, end: this.lineEndOf(this.endOf(pair)), text: '' }];
  }

  private replacement({ pair }: Found, value: HeadValue): Splice[] | undefined {
    const { text } = this;
    const node = pair.value as Node | null;
    const colon = this.colonOf(pair);
    if (colon === undefined) return undefined;
    if (isSeq(node) && typeof value !== 'string') {
      const toText = (offset: number) => this.at(offset);
      const edited = editList(text, node, value, toText, this.lineEnd);
      if (edited) return edited;
    }
    const end = Math.max(this.endOf(pair), colon);
    const [first] = node?.range ?? [0];
    const start = node ? Math.max(colon, this.at(first)) : colon;
    if (isScalar(node) && end > start && !text.slice(start, end).endsWith('\n')) {
      return [{ start, end, text: written(value) }];
    }
    if (isSeq(node) && node.flow) return [{ start, end, text: written(value) }];
    // Nothing, a block of text, or a list over several lines: all behind the colon. A comment behind nothing stays.
    const ended = text.slice(colon, end).endsWith('\n');
    const nothing = end === colon || text.slice(colon, end).trim() === '';
    return [
      { start: colon, end: nothing ? colon : end, text: ` ${written(value)}${ended && !nothing ? this.lineEnd : ''}` },
    ];
  }

  private addition(top: YAMLMap, key: string, value: HeadValue): Splice[] | undefined {
    const [outer = '', inner] = key.split('.');
    const parent = inner === undefined ? undefined : top.items.find(({ key: name }) => isNamed(name, outer));
    if (inner === undefined || !parent) return this.addTopLevel(top, key, value);
    const line = `${inner}: ${written(value)}`;
    const map = parent.value;
    if (isMap(map) && map.flow) {
      const last = map.items.at(-1);
      const at = last ? this.endOf(last) : this.at(map.range![0]) + 1;
      return [{ start: at, end: at, text: `${last ? ', ' : ''}${line}` }];
    }
    if (isMap(map)) {
      const last = map.items.at(-1)!;
      const first = this.startOf(map.items[0]!.key);
      const indent = this.text.slice(this.text.lastIndexOf('\n', first - 1) + 1, first);
      if (indent.trim() !== '') return undefined;
      return [this.insertion(this.lineEndOf(this.endOf(last)), [indent + line])];
    }
    const colon = this.colonOf(parent);
    const isNothing = !isSeq(map) && (!isScalar(map) || String(map.value ?? '') === '');
    if (!isNothing || colon === undefined) return undefined;
    return [this.insertion(this.lineEndOf(colon), [`  ${line}`])];
  }

  private addTopLevel(top: YAMLMap, key: string, value: HeadValue): Splice[] | undefined {
    const rank = (name: unknown) => (isScalar(name) ? this.order.indexOf(String(name.value).split('.')[0]!) : -1);
    const own = this.order.indexOf(key.split('.')[0]!);
    const before =
      own === -1 ? top.items.at(-1) : top.items.findLast((pair) => rank(pair.key) !== -1 && rank(pair.key) < own);
    if (before) return [this.insertion(this.lineEndOf(this.endOf(before)), this.lines(key, value))];
    const after = top.items.find((pair) => rank(pair.key) > own);
    const at = after ? this.lineStart(after) : this.lineEndOf(this.endOf(top.items.at(-1)!));
    return at === undefined ? undefined : [this.insertion(at, this.lines(key, value))];
  }

  /** Offset in the text of a place in the YAML that was read. */
  private at(offset: number): number {
    return this.head!.start + this.composed!.toSource(offset);
  }

  private startOf(node: unknown): number {
    return this.at((node as Node).range![0]);
  }

  /** Where the last thing of a pair ends. */
  private endOf(pair: Pair): number {
    return this.at(endOfNode(pair));
  }

  /** Where the line begins that has the key alone before its colon. */
  private lineStart(pair: Pair): number | undefined {
    const key = this.startOf(pair.key);
    const start = this.text.lastIndexOf('\n', key - 1) + 1;
    return this.text.slice(start, key).trim() === '' && this.colonOf(pair) !== undefined ? start : undefined;
  }

  /** Behind the colon of a pair; undefined where something else than blanks stands before it. */
  private colonOf(pair: Pair): number | undefined {
    const end = this.at((pair.key as Node).range![1]);
    const colon = this.text.indexOf(':', end);
    return colon !== -1 && this.text.slice(end, colon).trim() === '' ? colon + 1 : undefined;
  }

  /** Behind the line break of the line that ends at or behind an offset. */
  private lineEndOf(offset: number): number {
    if (this.text[offset - 1] === '\n') return offset;
    const end = this.text.indexOf('\n', offset);
    return end === -1 ? this.text.length : end + 1;
  }
}

interface Found {
  pair: Pair;
  map: YAMLMap;
  parents: readonly Pair[];
}

function isNamed(key: unknown, name: string): boolean {
  return isScalar(key) && String(key.value ?? '') === name;
}

function written(value: HeadValue): string {
  return typeof value === 'string' ? writeForeignScalar(value) : writeFlowList(value);
}

/** Blocks of lines end where the last thing in them does: the library counts comments behind them in. */
function endOfNode(node: unknown): number {
  if (isMap(node) && !node.flow && node.items.length > 0) return endOfNode(node.items.at(-1));
  if (isSeq(node) && !node.flow && node.items.length > 0) return endOfNode(node.items.at(-1));
  if (node !== null && typeof node === 'object' && 'key' in node && 'value' in node && !('range' in node)) {
    const { key, value } = node as Pair;
    return value === null || (isScalar(value) && value.source === '')
      ? Math.max((key as Node).range![1] + 1, (value as Node | null)?.range?.[0] ?? 0)
      : endOfNode(value);
  }
  return (node as Node).range![1];
}
