import { type Sentence, sentence } from '../../core/sentence';
import { isObject } from '../fields';
import { firstValue, linesOf, parsed } from './json-text';
import type { FileReading, Leftover, RuleDraft, RuleFile } from './model';
import { segment } from './naming';
import { cutToFit, LONGEST_CONTENT, storable } from './storable';

const CATEGORY = 'memory';
const LONGEST_KEYWORD = 140;

interface Entity {
  name: string;
  entityType: string;
  observations: Set<string>;
  line: number;
}

interface Relation {
  from: string;
  to: string;
  relationType: string;
  line: number;
}

/**
 * Reads what the public memory server keeps (npm `@modelcontextprotocol/server-memory`): JSON Lines of entities and
 * relations, or both in one object, as its tool `read_graph` gives them. Each entity becomes an entry with its
 * observations and the relations that lead from it; a relation from what is no entity stands with what it leads to. In
 * steps, but for one object, which is parsed at once.
 */
export function* readMemoryFile({ path, text }: RuleFile): Generator<void, FileReading> {
  const leftovers: Leftover[] = [];
  const entities = new Map<string, Entity>();
  const relations: Relation[] = [];
  const leave = (line: number, why: Sentence) => leftovers.push({ path, line, endLine: line, why });
  for (const { value, line } of itemsOf(text, leave)) {
    yield;
    const entity = entityOf(value, line);
    const relation = entity ? undefined : relationOf(value, line);
    const known = entity && entities.get(entity.name);
    if (known) for (const each of entity.observations) known.observations.add(each);
    else if (entity) entities.set(entity.name, entity);
    else if (relation) relations.push(relation);
    else leave(line, sentence('It is neither an entity nor a relation.'));
  }
  const related = new Map<string, string[]>();
  for (const { from, to, relationType, line } of relations) {
    const [name, said] = entities.has(from)
      ? [from, `${relationType} → ${to}`]
      : [to, `${from} ${relationType} → ${to}`];
    if (!entities.has(name)) leave(line, sentence('Neither "{0}" nor "{1}" is an entity.', shown(from), shown(to)));
    else {
      const lines = related.get(name);
      if (lines) lines.push(said);
      else related.set(name, [said]);
    }
    yield;
  }
  const drafts: RuleDraft[] = [];
  for (const entity of entities.values()) {
    drafts.push(...draftsOf(entity, related.get(entity.name) ?? [], path));
    yield;
  }
  return {
    drafts,
    leftovers,
    notes: [],
    ...(drafts.length === 0 ? { reason: sentence('It holds no entities.') } : {}),
  };
}

/** Whether a text begins as such a file does. */
export function looksLikeMemory(text: string): boolean {
  if (/^\s*\{\s*"(?:entities|relations)"\s*:\s*\[/.test(text)) return true;
  const first = /^\s*\{/.test(text) ? firstValue(text) : undefined;
  return first !== undefined && (entityOf(first, 1) !== undefined || relationOf(first, 1) !== undefined);
}

function* itemsOf(
  text: string,
  leave: (line: number, why: Sentence) => void,
): Generator<{ value: unknown; line: number }> {
  const isOne = /^\uFEFF?\s*\{\s*"(?:entities|relations)"/.test(text);
  const whole = isOne ? parsed(text.replace(/^\uFEFF/, '')) : undefined;
  if (isObject(whole) && Array.isArray(whole.entities)) {
    const typed = (type: string, items: unknown) =>
      (Array.isArray(items) ? items : []).map((item) => ({
        value: isObject(item) ? { ...item, type } : item,
        line: 1,
      }));
    yield* typed('entity', whole.entities);
    yield* typed('relation', whole.relations);
    return;
  }
  for (const { raw, line } of linesOf(text)) {
    if (raw.trim() === '') continue;
    const value = parsed(raw);
    if (value === undefined) leave(line, sentence('It is no JSON.'));
    else yield { value, line };
  }
}

function entityOf(value: unknown, line: number): Entity | undefined {
  if (!isObject(value) || value.type !== 'entity' || typeof value.name !== 'string' || value.name.trim() === '')
    return undefined;
  const { name, entityType, observations } = value;
  const list = Array.isArray(observations) ? observations : [observations];
  const said = list.filter((each) => each !== null && each !== undefined).map(saidAs);
  return { name, entityType: typeof entityType === 'string' ? entityType : '', observations: new Set(said), line };
}

/** What is no text, a number for instance, is one as JSON writes it. */
function saidAs(observation: unknown): string {
  return typeof observation === 'string' ? observation : JSON.stringify(observation);
}

function relationOf(value: unknown, line: number): Relation | undefined {
  if (!isObject(value) || value.type !== 'relation') return undefined;
  const { from, to, relationType } = value;
  if (typeof from !== 'string' || typeof to !== 'string' || typeof relationType !== 'string') return undefined;
  return { from, to, relationType, line };
}

function draftsOf(
  { name, entityType, observations, line }: Entity,
  related: readonly string[],
  path: string,
): RuleDraft[] {
  const lines = [...observations, ...related].map((each) => `- ${storable(each).replace(/\r\n?|\n/g, '\n  ')}`);
  const type = segment(entityType);
  const keyword = keywordOf(name);
  const metaknowledge: Record<string, string> = { SOURCE: path };
  if (entityType.trim() !== '') metaknowledge.ENTITY_TYPE = storable(entityType).slice(0, 1_000);
  if (keyword !== name) metaknowledge.TITLE = storable(name).slice(0, 8_000);
  const category = type === '' ? CATEGORY : `${CATEGORY}.${type}`;
  const parts = packed(lines.length === 0 ? [storable(name)] : lines);
  return parts.map((content, index) => ({
    category,
    keyword: index === 0 ? keyword : `${keyword}_${index + 1}`,
    content,
    metaknowledge,
    path,
    line,
    ...(parts.length > 1 ? { partOf: `${path}, line ${line}: ${keyword}` } : {}),
  }));
}

/** As many whole lines as an entry holds; a longer one is cut. */
function packed(lines: readonly string[]): string[] {
  const packs: string[] = [];
  for (const line of lines) {
    for (const part of cutToFit(line)) {
      const last = packs.at(-1);
      if (last !== undefined && last.length + part.length < LONGEST_CONTENT)
        packs[packs.length - 1] = `${last}\n${part}`;
      else packs.push(part);
    }
  }
  return packs;
}

/** An entity's name is told apart by every character, and so is a keyword: it stays what it is where it can. */
function keywordOf(name: string): string {
  const line = storable(name)
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return (
    line
      .slice(0, LONGEST_KEYWORD)
      .replace(/[\uD800-\uDBFF]$/, '')
      .trim() || 'entity'
  );
}

function shown(name: string): string {
  return name.replace(/\p{Cc}/gu, ' ').slice(0, 80);
}
