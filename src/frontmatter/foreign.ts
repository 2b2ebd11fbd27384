import { isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';
import { composeHead } from './compose-head';
import { type FrontMatterFault, fault } from './faults';
import { findHead } from './split';

/** A text, or a list of texts. */
export type ForeignValue = string | string[];

/** Where a key and its value stand in the whole text, and each item of a list. Offsets are UTF-16 code units. */
export interface ForeignPlace {
  key: { start: number; end: number };
  /** Empty, behind the key, where there is none. */
  value: { start: number; end: number };
  items: readonly { start: number; end: number }[];
}

/** The front matter of a file that others write: notes, rules, instructions. */
export interface ForeignHead {
  values: Map<string, ForeignValue>;
  /** Of each of the values. */
  places: Map<string, ForeignPlace>;
  /** Where the text below it begins. */
  contentStart: number;
  /** What could not be read, with its place in the whole text. */
  faults: FrontMatterFault[];
  /** Why other libraries cannot read it, where all of it could be read nevertheless. */
  loose?: FrontMatterFault;
}

/** Longer front matter is none that describes a file. */
const MAX_HEAD = 64 * 1024;
const MAX_KEYS = 100;
const MAX_ITEMS = 200;
const MAX_VALUE = 4_000;

const PAIR = /^([\p{L}_][\p{L}\p{N}_.-]{0,63})[ \t]*:(?:[ \t](.*))?$/su;

/**
 * Reads the front matter of a file from elsewhere as far as it can be understood: values that YAML refuses although
 * everybody writes them (`globs: *.ts`, `description: Use when: …`) are taken as they stand, and what is no YAML at all is
 * read line by line, with a fault that says so. Undefined when the text has none, or only a thematic break that looks
 * like its beginning. Every scalar is text; a mapping in the mapping becomes keys with dots. Never throws, runs nothing.
 */
export function readForeignHead(text: string): ForeignHead | undefined {
  const head = findHead(text);
  if (!head) return undefined;
  const { start, end, contentStart, language, closed } = head;
  const nothing = (...faults: FrontMatterFault[]): ForeignHead => ({
    values: new Map(),
    places: new Map(),
    contentStart,
    faults,
  });
  const beginning: [number, number] = [start, Math.min(end, start + 200)];
  // Above a list of keys it was meant to be one; above anything else it is a thematic break.
  if (!closed) return PAIR.test(lineFrom(text, start)) ? nothing(fault('unclosed', ...beginning)) : undefined;
  if (language && !/^ya?ml$/i.test(language)) return nothing(fault('language', ...beginning, language));
  const yaml = text.slice(start, end);
  const first = yaml.split(/[\r\n]+/, 50).find((line) => line.trim() !== '' && !line.startsWith('#'));
  if (first === undefined) return nothing();
  if (!PAIR.test(first.trimEnd())) return undefined;
  if (yaml.length > MAX_HEAD) return nothing(fault('too_long', ...beginning));
  const composed = composeHead(yaml);
  if ('map' in composed) {
    const collecting = new Collecting(composed.toSource, start);
    collecting.collect(composed.map.items, '');
    const { values, places } = collecting;
    const loose = composed.loose ? placed(composed.loose, start) : collecting.twice;
    return { values, places, contentStart, faults: [], ...(loose ? { loose } : {}) };
  }
  const read = readLines(yaml, start);
  if (!read) return undefined;
  return { ...read, contentStart, faults: [placed(composed.fault, start)] };
}

function placed(cause: FrontMatterFault, start: number): FrontMatterFault {
  return { ...cause, range: { start: start + cause.range.start, end: start + cause.range.end } };
}

function lineFrom(text: string, start: number): string {
  return /^[^\r\n]*/.exec(text.slice(start, start + 1_000))![0].trimEnd();
}

class Collecting {
  readonly values = new Map<string, ForeignValue>();
  readonly places = new Map<string, ForeignPlace>();
  /** A key that stood there before: the first one counts. */
  twice: FrontMatterFault | undefined;

  constructor(
    private readonly toSource: (offset: number) => number,
    private readonly offset: number,
  ) {}

  collect(items: readonly { key: unknown; value: unknown }[], prefix: string): void {
    for (const { key, value } of items) {
      if (!isScalar(key)) continue;
      const name = prefix + String(key.value ?? '').slice(0, 64);
      if (this.values.has(name)) {
        const { start, end } = this.range(key);
        this.twice ??= fault('duplicate_key', start, end, name);
      }
      if (isMap(value)) this.collect(value.items, `${name}.`);
      else if (this.values.size < MAX_KEYS && !this.values.has(name)) {
        this.values.set(name, readValue(value));
        const at = this.range(key);
        const items = isSeq(value) ? value.items.slice(0, MAX_ITEMS) : [];
        this.places.set(name, {
          key: at,
          value: this.range(value, at.end),
          items: items.map((item) => this.range(item, at.end)),
        });
      }
    }
  }

  private range(node: unknown, otherwise = 0): { start: number; end: number } {
    const range = (node as Node | null)?.range;
    if (!range) return { start: otherwise, end: otherwise };
    return { start: this.offset + this.toSource(range[0]), end: this.offset + this.toSource(range[1]) };
  }
}

function readValue(value: unknown): ForeignValue {
  return isSeq(value) ? value.items.slice(0, MAX_ITEMS).map(textOf) : textOf(value);
}

function textOf(value: unknown): string {
  if (isScalar(value)) return String(value.value ?? '').slice(0, MAX_VALUE);
  if (value === null || isAlias(value)) return '';
  return JSON.stringify((value as Node).toJSON()).slice(0, MAX_VALUE);
}

/**
 * What can be told without YAML: `key: value` on a line of its own, and the items of a list below a key. Undefined when
 * most lines are neither: it is a text between two thematic breaks.
 */
function readLines(yaml: string, offset: number): Pick<ForeignHead, 'values' | 'places'> | undefined {
  const values = new Map<string, ForeignValue>();
  const places = new Map<string, ForeignPlace & { items: { start: number; end: number }[] }>();
  let open: string | undefined;
  let strange = 0;
  let known = 0;
  for (const { 0: line, index } of yaml.matchAll(/[^\r\n]+/g)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const end = offset + index + line.trimEnd().length;
    const item = /^[ \t]{0,20}-[ \t](.*)$/s.exec(line)?.[1];
    const match = item === undefined ? PAIR.exec(line.trimEnd()) : undefined;
    if (item !== undefined && open !== undefined) {
      const list = values.get(open);
      const items = Array.isArray(list) ? list : [];
      if (items.length < MAX_ITEMS) {
        values.set(open, [...items, unquoted(item.slice(0, MAX_VALUE))]);
        places.get(open)?.items.push({ start: end - item.trim().length, end });
      }
      known++;
    } else if (match) {
      const [, key = '', value = ''] = match;
      if (values.size < MAX_KEYS && !values.has(key)) {
        values.set(key, unquoted(value.slice(0, MAX_VALUE)));
        const start = offset + index;
        const valueStart = end - value.trim().length;
        places.set(key, { key: { start, end: start + key.length }, value: { start: valueStart, end }, items: [] });
      }
      open = value.trim() === '' ? key : undefined;
      known++;
    } else {
      strange++;
    }
  }
  return strange > known ? undefined : { values, places };
}

function unquoted(text: string): string {
  const value = text.trim();
  const [quote] = value;
  const isQuoted = value.length >= 2 && (quote === '"' || quote === "'") && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1) : value;
}
