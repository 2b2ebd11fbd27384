import { isScalar, type Node, type YAMLSeq } from 'yaml';
import type { Splice } from './splice';
import { writeFlowItem } from './write-foreign';

interface Item {
  value: string | undefined;
  start: number;
  end: number;
}

/**
 * Makes a list of YAML hold other items and leaves those that stay as they are written: replaces items, takes some away,
 * and puts new ones at the end. Undefined where it has to be written anew, because its order is another one.
 */
export function editList(
  text: string,
  list: YAMLSeq,
  values: readonly string[],
  toText: (offset: number) => number,
  lineEnd: string,
): Splice[] | undefined {
  const items = list.items.map((item): Item => {
    const [start, end] = (item as Node).range!;
    const value = isScalar(item) ? String(item.value ?? '') : undefined;
    return { value, start: toText(start), end: toText(end) };
  });
  if (items.length === 0 || values.length === 0) return undefined;
  const kept = subsequence(items, values);
  const inPlace = items.filter(({ value }, index) => value === values[index]).length;
  if (items.length === values.length && inPlace >= (kept?.size ?? 0)) return replaced(items, values);
  if (!kept) return undefined;
  const added = values.slice(kept.size);
  return list.flow ? inFlow(items, kept, added) : inLines(text, items, kept, added, lineEnd);
}

function replaced(items: readonly Item[], values: readonly string[]): Splice[] {
  return items.flatMap(({ value, start, end }, index) =>
    value === values[index] ? [] : [{ start, end, text: writeFlowItem(values[index]!) }],
  );
}

/** The items that stay: they are the first values, in order. */
function subsequence(items: readonly Item[], values: readonly string[]): Set<Item> | undefined {
  const kept = new Set<Item>();
  for (const item of items) {
    if (item.value !== undefined && item.value === values[kept.size]) kept.add(item);
  }
  const isElsewhere = items.some((item) => !kept.has(item) && values.slice(kept.size).includes(item.value ?? ''));
  return kept.size === 0 || isElsewhere ? undefined : kept;
}

/** `[a, b]`: an item goes with the comma before it, the first with the one behind it. */
function inFlow(items: readonly Item[], kept: ReadonlySet<Item>, added: readonly string[]): Splice[] {
  const splices: Splice[] = [];
  const first = items.findIndex((item) => kept.has(item));
  if (first > 0) splices.push({ start: items[0]!.start, end: items[first]!.start, text: '' });
  let last = items[first]!;
  for (const item of items.slice(first + 1)) {
    if (kept.has(item)) last = item;
    else splices.push({ start: items[items.indexOf(item) - 1]!.end, end: item.end, text: '' });
  }
  if (added.length > 0) {
    const text = added.map((value) => `, ${writeFlowItem(value)}`).join('');
    splices.push({ start: last.end, end: last.end, text });
  }
  return splices;
}

/** An item a line: it goes with its line. */
function inLines(
  text: string,
  items: readonly Item[],
  kept: ReadonlySet<Item>,
  added: readonly string[],
  lineEnd: string,
): Splice[] | undefined {
  const splices: Splice[] = [];
  let mark: string | undefined;
  let behind = 0;
  for (const item of items) {
    const start = text.lastIndexOf('\n', item.start - 1) + 1;
    const before = text.slice(start, item.start);
    if (!/^[ \t]*-[ \t]+$/.test(before)) return undefined;
    const newline = text[item.end - 1] === '\n' ? item.end - 1 : text.indexOf('\n', item.end);
    const end = newline === -1 ? text.length : newline + 1;
    if (kept.has(item)) {
      mark = before;
      behind = end;
    } else {
      splices.push({ start, end, text: '' });
    }
  }
  if (added.length > 0) {
    const lines = added.map((value) => `${mark}${writeFlowItem(value)}${lineEnd}`).join('');
    splices.push({ start: behind, end: behind, text: lines });
  }
  return splices;
}
