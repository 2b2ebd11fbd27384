import { isObject } from '../fields';
import { RECORD_KINDS } from '../records';
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
 * that are in use. Other fields become metaknowledge; what has no text is told.
 */
export function readForeignLines({ path, text }: RuleFile): FileReading {
  const leftovers: Leftover[] = [];
  const drafts: RuleDraft[] = [];
  for (const { value, line } of itemsOf(text)) {
    const read = isObject(value) ? draftsOf(value, path, line) : undefined;
    if (read && read.length > 0) drafts.push(...read);
    else {
      const why = value === undefined ? 'It is no JSON.' : 'It is no object with a text.';
      leftovers.push({ path, line, endLine: line, why });
    }
  }
  const reason = drafts.length === 0 ? { reason: 'No line holds an object with a text.' } : {};
  return { drafts, leftovers, notes: [], ...reason };
}

/** Whether a text begins with an object that has a text and a name, and is none of Kaizen's own. */
export function looksLikeForeignLines(text: string): boolean {
  const [first] = itemsOf(text.slice(0, 1_000_000));
  if (!first || !isObject(first.value)) return false;
  const { type } = first.value;
  if (type === 'kaizen' || (RECORD_KINDS as readonly unknown[]).includes(type)) return false;
  return pick(first.value, CONTENT) !== undefined && pick(first.value, NAME) !== undefined;
}

function itemsOf(text: string): { value: unknown; line: number }[] {
  const whole = text.replace(/^\uFEFF/, '');
  if (whole.trimStart().startsWith('[')) {
    const list = parsed(whole);
    if (Array.isArray(list)) return list.map((value: unknown) => ({ value, line: 1 }));
  }
  return whole
    .split('\n')
    .flatMap((raw, index) => (raw.trim() === '' ? [] : [{ value: parsed(raw), line: index + 1 }]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
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
  return cutToFit(content).map((part, index) => ({
    category,
    keyword: index === 0 ? keyword : `${keyword}_${index + 1}`,
    content: part,
    metaknowledge,
    path,
    line,
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
