import { sentence } from '../../core/sentence';
import { isObject } from '../fields';
import { RECORD_KINDS } from '../records';
import { firstValue, linesOf, parsed } from './json-text';
import type { FileReading, Leftover, RuleDraft, RuleFile } from './model';
import { segment, slug, slugOfRule } from './naming';
import { categoryOf } from './rule-file';
import { cutToFit, LONGEST_VALUE, storable } from './storable';

const CATEGORY = 'imported';
/** What others call an entry's parts, the most telling first. */
const CONTENT = ['content', 'text', 'body', 'rule', 'memory', 'value', 'observation', 'description', 'document'];
const NAME = ['keyword', 'title', 'name', 'key', 'topic', 'subject', 'id'];
const PLACE = ['category', 'namespace', 'collection', 'group', 'type', 'kind'];

/**
 * Reads JSON Lines from elsewhere, or an array: objects with a text and mostly a name for it, under any of the words
 * that are in use. Other fields become metaknowledge; what has no text is told. In steps, but for an array, which is
 * parsed at once.
 */
export function* readForeignLines({ path, text }: RuleFile): Generator<void, FileReading> {
  const leftovers: Leftover[] = [];
  const drafts: RuleDraft[] = [];
  for (const { value, line } of itemsOf(text)) {
    yield;
    const read = isObject(value) ? draftsOf(value, path, line) : undefined;
    if (read && read.length > 0) drafts.push(...read);
    else {
      const why = value === undefined ? sentence('It is no JSON.') : sentence('It is no object with a text.');
      leftovers.push({ path, line, endLine: line, why });
    }
  }
  const reason = drafts.length === 0 ? { reason: sentence('No line holds an object with a text.') } : {};
  return { drafts, leftovers, notes: [], ...reason };
}

/** Whether a text begins with an object that has a text and a name, and is none of Kaizen's own: no more is looked at. */
export function looksLikeForeignLines(text: string): boolean {
  const first = firstValue(text);
  if (!isObject(first)) return false;
  const { type } = first;
  if (type === 'kaizen' || (RECORD_KINDS as readonly unknown[]).includes(type)) return false;
  return pick(first, CONTENT) !== undefined && pick(first, NAME) !== undefined;
}

function* itemsOf(text: string): Generator<{ value: unknown; line: number }, undefined> {
  const list = /^\s*\[/.test(text) ? parsed(text.replace(/^\uFEFF/, '')) : undefined;
  if (Array.isArray(list)) {
    for (const value of list as unknown[]) yield { value, line: 1 };
    return undefined;
  }
  for (const { raw, line } of linesOf(text)) {
    if (raw.trim() !== '') yield { value: parsed(raw), line };
  }
  return undefined;
}

function draftsOf(object: Record<string, unknown>, path: string, line: number): RuleDraft[] {
  const contentKey = pick(object, CONTENT);
  if (contentKey === undefined) return [];
  const content = storable(String(object[contentKey])).trim();
  const nameKey = pick(
    object,
    NAME.filter((key) => key !== contentKey),
  );
  const placeKey = pick(object, PLACE);
  const name = nameKey === undefined ? '' : String(object[nameKey]);
  const place = placeKey === undefined ? '' : String(object[placeKey]);
  const metaknowledge: Record<string, string> = {};
  for (const [key, value] of fieldsOf(object, new Set([contentKey, placeKey ?? '']))) {
    const said = storable(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, LONGEST_VALUE);
    const label = labelOf(key);
    const isName = key === nameKey && said === name && keywordOf(name) === name;
    if (said !== '' && label !== '' && !isName && Object.keys(metaknowledge).length < 60) metaknowledge[label] ??= said;
  }
  metaknowledge.SOURCE ??= path;
  const category = categoryOf(place.split(/[./:]+/).map(segment)) || CATEGORY;
  const keyword = keywordOf(name) || slugOfRule(content) || 'entry';
  const parts = cutToFit(content);
  return parts.map((part, index) => ({
    category,
    keyword: index === 0 ? keyword : `${keyword}_${index + 1}`,
    content: part,
    metaknowledge,
    path,
    line,
    ...(parts.length > 1 ? { partOf: `${path}, line ${line}: ${keyword}` } : {}),
  }));
}

/** The object's own fields, those of its metadata among them. */
function* fieldsOf(object: Record<string, unknown>, without: ReadonlySet<string>): Generator<[string, unknown]> {
  for (const [key, value] of Object.entries(object)) {
    if (without.has(key) || value === null || value === undefined) continue;
    if (isObject(value) && /^(?:metadata|metaknowledge|meta|properties|labels)$/i.test(key))
      yield* Object.entries(value);
    else
      yield [key, Array.isArray(value) && value.every((each) => typeof each === 'string') ? value.join(', ') : value];
  }
}

function labelOf(key: string): string {
  const label = key
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 100);
  return /^(?:MATCHES)$/.test(label) ? `FILE_${label}` : label;
}

/** A short name on one line is a keyword as it is; a sentence becomes one. */
function keywordOf(name: string): string {
  const line = storable(name)
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return line.length <= 60 ? line : slug(line);
}

function pick(object: Record<string, unknown>, keys: readonly string[]): string | undefined {
  return keys.find((key) => {
    const value = Object.hasOwn(object, key) ? object[key] : undefined;
    return (typeof value === 'string' && value.trim() !== '') || (typeof value === 'number' && key === 'id');
  });
}
