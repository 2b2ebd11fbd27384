import { Composer, isAlias, isMap, isScalar, isSeq, type Node, Parser } from 'yaml';
import { type FrontMatterFault, fault } from './faults';
import { quoteLoose } from './loose-yaml';
import { scanYaml } from './scan-yaml';
import { findHead } from './split';

/** A text, or a list of texts. */
export type ForeignValue = string | string[];

/** The front matter of a file that others write: notes, rules, instructions. */
export interface ForeignHead {
  values: Map<string, ForeignValue>;
  /** Where the text below it begins. */
  contentStart: number;
  /** What could not be read, with its place in the whole text. */
  faults: FrontMatterFault[];
}

/** Longer front matter is none that describes a file. */
const MAX_HEAD = 64 * 1024;
const MAX_KEYS = 100;
const MAX_ITEMS = 200;
const MAX_VALUE = 4_000;
const OPTIONS = { schema: 'failsafe', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const;

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
  const nothing = (...faults: FrontMatterFault[]): ForeignHead => ({ values: new Map(), contentStart, faults });
  const beginning: [number, number] = [start, Math.min(end, start + 200)];
  // Above a list of keys it was meant to be one; above anything else it is a thematic break.
  if (!closed) return PAIR.test(lineFrom(text, start)) ? nothing(fault('unclosed', ...beginning)) : undefined;
  if (language && !/^ya?ml$/i.test(language)) return nothing(fault('language', ...beginning, language));
  const yaml = text.slice(start, end);
  const first = yaml.split(/[\r\n]+/, 50).find((line) => line.trim() !== '' && !line.startsWith('#'));
  if (first === undefined) return nothing();
  if (!PAIR.test(first.trimEnd())) return undefined;
  if (yaml.length > MAX_HEAD) return nothing(fault('too_long', ...beginning));
  const strict = readMapping(yaml);
  if ('values' in strict) return { values: strict.values, contentStart, faults: [] };
  const loose = readMapping(quoteLoose(yaml));
  if ('values' in loose) return { values: loose.values, contentStart, faults: [] };
  const values = readLines(yaml);
  if (!values) return undefined;
  const { fault: cause } = strict;
  const range = { start: start + cause.range.start, end: start + cause.range.end };
  return { values, contentStart, faults: [{ ...cause, range }] };
}

function lineFrom(text: string, start: number): string {
  return /^[^\r\n]*/.exec(text.slice(start, start + 1_000))![0].trimEnd();
}

/** The values, or why there are none. */
function readMapping(yaml: string): { values: Map<string, ForeignValue> } | { fault: FrontMatterFault } {
  // Comments and lists are nothing to complain of here; what nests without end, or refers to itself, is not read.
  const refused = scanYaml(yaml, 0).find(({ lossy }) => !lossy);
  if (refused) return { fault: refused };
  const [document] = [...new Composer(OPTIONS).compose(new Parser().parse(yaml))];
  const [error] = document?.errors ?? [];
  if (error) return { fault: fault('syntax', error.pos[0], Math.max(error.pos[1], error.pos[0] + 1), error.message) };
  if (!document || !isMap(document.contents)) return { fault: fault('not_a_mapping', 0, yaml.length) };
  const values = new Map<string, ForeignValue>();
  collect(document.contents.items, '', values);
  return { values };
}

function collect(items: readonly { key: unknown; value: unknown }[], prefix: string, into: Map<string, ForeignValue>) {
  for (const { key, value } of items) {
    if (!isScalar(key)) continue;
    const name = prefix + String(key.value ?? '').slice(0, 64);
    if (isMap(value)) collect(value.items, `${name}.`, into);
    else if (into.size < MAX_KEYS && !into.has(name)) into.set(name, readValue(value));
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
function readLines(yaml: string): Map<string, ForeignValue> | undefined {
  const values = new Map<string, ForeignValue>();
  let open: string | undefined;
  let strange = 0;
  let known = 0;
  for (const line of yaml.split(/\r\n|\r|\n/)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const item = /^[ \t]{0,20}-[ \t](.*)$/s.exec(line)?.[1];
    const match = item === undefined ? PAIR.exec(line.trimEnd()) : undefined;
    if (item !== undefined && open !== undefined) {
      const list = values.get(open);
      const items = Array.isArray(list) ? list : [];
      if (items.length < MAX_ITEMS) values.set(open, [...items, unquoted(item.slice(0, MAX_VALUE))]);
      known++;
    } else if (match) {
      const [, key = '', value = ''] = match;
      if (values.size < MAX_KEYS && !values.has(key)) values.set(key, unquoted(value.slice(0, MAX_VALUE)));
      open = value.trim() === '' ? key : undefined;
      known++;
    } else {
      strange++;
    }
  }
  return strange > known ? undefined : values;
}

function unquoted(text: string): string {
  const value = text.trim();
  const [quote] = value;
  const isQuoted = value.length >= 2 && (quote === '"' || quote === "'") && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1) : value;
}
