import { Composer, isAlias, isMap, isScalar, isSeq, type Node, type Pair, Parser } from 'yaml';
import { type FrontMatterFault, fault } from './faults';
import { scanYaml } from './scan-yaml';

/** Every scalar is text: `2024-01-10` and `yes` stay what was typed. */
const OPTIONS = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;

export interface YamlMapping {
  metaknowledge: Record<string, string>;
  faults: FrontMatterFault[];
}

/**
 * Reads a mapping of text to text. Lists become text with commas, a mapping in the mapping becomes keys with dots, both
 * with a fault that says so. `offset` is where the YAML stands in its document. Never throws, and runs nothing.
 */
export function readYaml(text: string, offset: number): YamlMapping {
  const faults = scanYaml(text, offset);
  if (faults.some(({ lossy }) => !lossy)) return { metaknowledge: {}, faults };
  const [document] = [...new Composer(OPTIONS).compose(new Parser().parse(text))];
  if (!document || (document.contents === null && document.errors.length === 0)) return { metaknowledge: {}, faults };
  for (const { message, pos } of document.errors.slice(0, 5)) {
    faults.push(fault('syntax', offset + pos[0], offset + Math.max(pos[1], pos[0] + 1), message));
  }
  if (document.errors.length > 0) return { metaknowledge: {}, faults };
  if (!isMap(document.contents)) {
    const [start, end] = rangeOf(document.contents, text);
    faults.push(fault('not_a_mapping', offset + start, offset + end));
    return { metaknowledge: {}, faults };
  }
  const reading = new Reading(text, offset, faults);
  reading.mapping(document.contents.items as Pair[], '');
  // `Object.fromEntries` and not assignment, so that a key `__proto__` stays a key.
  return { metaknowledge: Object.fromEntries(reading.pairs), faults };
}

class Reading {
  readonly pairs = new Map<string, string>();

  constructor(
    private readonly text: string,
    private readonly offset: number,
    private readonly faults: FrontMatterFault[],
  ) {}

  mapping(items: readonly Pair[], prefix: string): void {
    for (const { key, value } of items) {
      const name = isScalar(key) ? String(key.value ?? '') : undefined;
      if (name === undefined) {
        this.refuse('bad_key', key ?? value);
        continue;
      }
      const full = prefix + name;
      if (isMap(value)) {
        this.refuse('nested', key, full);
        this.mapping(value.items as Pair[], `${full}.`);
        continue;
      }
      if (this.pairs.has(full)) {
        this.refuse('duplicate_key', key, full);
        continue;
      }
      if (isSeq(value)) this.refuse('list', value, full);
      this.pairs.set(full, textOf(value));
    }
  }

  private refuse(code: 'bad_key' | 'nested' | 'duplicate_key' | 'list', node: unknown, detail = ''): void {
    const [start, end] = rangeOf(node, this.text);
    this.faults.push(fault(code, this.offset + start, this.offset + end, detail));
  }
}

/** A list is its items with commas between them; what nests deeper stands there as JSON. */
function textOf(value: unknown): string {
  if (isScalar(value)) return String(value.value ?? '');
  if (!isSeq(value)) return '';
  return value.items
    .map((item) => (isScalar(item) ? String(item.value ?? '') : JSON.stringify(plain(item))))
    .join(', ');
}

function plain(node: unknown): unknown {
  if (isSeq(node)) return node.items.map(plain);
  if (isMap(node)) return Object.fromEntries(node.items.map(({ key, value }) => [textOf(key), plain(value)]));
  return isAlias(node) ? '' : textOf(node);
}

function rangeOf(node: unknown, text: string): [start: number, end: number] {
  const range = (node as Node | null)?.range;
  return range ? [range[0], Math.max(range[1], range[0] + 1)] : [0, text.length];
}
