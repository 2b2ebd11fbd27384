import { KaizenError } from '../../core/errors';
import { KNOWLEDGE_SCHEME } from '../../core/knowledge-uri';
import { type Sentence, sentence } from '../../core/sentence';
import { compareText } from '../../core/text';
import type { Turns } from '../../core/turns';
import type { Relation } from '../../relations';
import { PROVENANCES, RELATION_TYPES } from '../../relations';
import { flag, id, list, number, object, oneOf, type Shape, text, time, wrong } from '../exchange/shapes';
import type { LearningExport } from '../model';
import { kindsOf } from './collections';
import type { Collection } from './model';

/** One file with what was learned: JSON with a version, records, feedback, counts and relations. */
export interface LearnedFile extends Partial<LearningExport> {
  relations?: readonly Relation[] | undefined;
}

export const FORMAT = 'kaizen-learning';
export const VERSION = 1;
const MOST_RELATIONS = 200_000;

const uri: Shape<string> = (value, where) => {
  const read = text(16_384, { min: 1, singleLine: true })(value, where);
  if (!read.startsWith(`${KNOWLEDGE_SCHEME}://`)) throw wrong(where, sentence('is no address'));
  return read;
};

const relation: Shape<Relation> = object<Relation>({
  id,
  source: uri,
  target: uri,
  type: oneOf(RELATION_TYPES),
  confidence: number(1),
  bidirectional: flag,
  context: text(4_096),
  created_by: oneOf(PROVENANCES),
  evidence: list(uri, 50),
  author: text(200, { min: 1, singleLine: true }),
  created_at: time,
  origin: () => 'stored',
});

/** One line for each record, so that two files can be compared. In short turns. */
export async function writeLearned(file: LearnedFile, turns: Turns): Promise<string> {
  const pieces: string[] = [`{\n"format": "${FORMAT}",\n"version": ${VERSION}`];
  const add = async (name: string, items: readonly unknown[] | undefined) => {
    if (items === undefined) return;
    pieces.push(`,\n"${name}": [`);
    for (const [at, item] of items.entries()) {
      pieces.push(`${at === 0 ? '' : ','}\n${inOrder(item)}`);
      await turns.pause();
    }
    pieces.push(items.length > 0 ? '\n]' : ']');
  };
  await add('records', file.records);
  await add('feedback', file.feedback);
  if (file.counts) pieces.push(`,\n"counts": ${inOrder(file.counts)}`);
  await add('relations', file.relations);
  pieces.push('\n}\n');
  return pieces.join('');
}

/**
 * Reads what is said of the collections that are meant; relations are checked, the rest is by whoever stores it. Throws
 * `invalid_argument`.
 */
export async function readLearned(
  file: unknown,
  collections: ReadonlySet<Collection>,
  turns: Turns,
): Promise<{ learned: { records: unknown; feedback: unknown; counts: unknown }; relations: Relation[] }> {
  const { records, feedback, counts, relations } = fieldsOf(file);
  const kinds = new Set<unknown>(kindsOf(collections));
  const isMeant = (record: unknown) => {
    const kind = typeof record === 'object' && record !== null && 'kind' in record ? record.kind : undefined;
    // What is no record is left to be told where it is checked.
    return typeof kind !== 'string' || kinds.has(kind) || kindsOf(collections).length === 5;
  };
  const read: Relation[] = [];
  if (collections.has('relationships')) {
    const given = list((item) => item, MOST_RELATIONS)(relations ?? [], 'relations');
    for (const [at, each] of given.entries()) {
      const checked = relation(each, `relations[${at}]`);
      if (checked.source === checked.target) throw wrong(`relations[${at}]`, sentence('leads to itself'));
      read.push(checked);
      await turns.pause();
    }
  }
  return {
    learned: {
      records: Array.isArray(records) ? records.filter(isMeant) : records,
      feedback: collections.has('feedback') ? feedback : [],
      counts: collections.has('scores') ? counts : undefined,
    },
    relations: read,
  };
}

/** JSON with the names of each object sorted: which of them was set first depends on the store. */
export function inOrder(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => compareText(a, b)))
      : each,
  );
}

/** JSON of any form; as `writeLearned` gives it, a line after the other, in short turns. Throws `invalid_argument`. */
export async function parseLearned(text: string, turns: Turns): Promise<unknown> {
  const json = text.replace(/^\uFEFF/, '');
  const file = await parseLines(json, turns).catch((error) => {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  });
  if (file) return file;
  try {
    return JSON.parse(json);
  } catch {
    throw notOurs(sentence('holds no JSON.'));
  }
}

/** Undefined for what `writeLearned` did not give. */
async function parseLines(json: string, turns: Turns): Promise<Record<string, unknown> | undefined> {
  if (!json.startsWith('{\n"')) return undefined;
  const file: Record<string, unknown> = {};
  let items: unknown[] | undefined;
  let at = 2;
  while (at < json.length) {
    const end = json.indexOf('\n', at);
    if (end < 0) return undefined;
    const line = json.slice(at, json[end - 1] === ',' ? end - 1 : end);
    at = end + 1;
    if (items) {
      if (line === ']') items = undefined;
      else items.push(JSON.parse(line));
    } else if (line === '}') {
      return json.slice(at).trim() === '' ? file : undefined;
    } else {
      const [, name, value] = /^"(\w+)": (.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined || name in file) return undefined;
      if (value === '[') {
        items = [];
        file[name] = items;
      } else {
        file[name] = JSON.parse(value);
      }
    }
    await turns.pause();
  }
  return undefined;
}

function fieldsOf(file: unknown): Record<string, unknown> {
  if (typeof file !== 'object' || file === null || Array.isArray(file))
    throw notOurs(sentence('holds no JSON object.'));
  const { format, version, ...fields } = file as Record<string, unknown>;
  if (format !== FORMAT) throw notOurs(sentence('is not one that export wrote.'));
  if (version !== VERSION) {
    throw new KaizenError(
      'invalid_argument',
      sentence(
        'The file is of version {0}; this Kaizen reads version {1}.',
        String(JSON.stringify(version)).slice(0, 20),
        VERSION,
      ),
      sentence('Import it with the version of Kaizen that wrote it, or a later one.'),
    );
  }
  return fields;
}

function notOurs(why: Sentence): KaizenError {
  return new KaizenError('invalid_argument', sentence('The file {0}', why), sentence('Nothing was imported.'));
}
