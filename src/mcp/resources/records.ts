import { KaizenError } from '../../core/errors';
import { learningUri } from '../../core/knowledge-uri';
import { compareText } from '../../core/text';
import { LEARNED_KINDS, type LearnedKind, type LearnedRecord, type LearningPart } from '../../learning';
import type { Metadata } from './metadata';

/** A captured record as it is listed. */
export interface ListedRecord {
  kind: LearnedKind;
  id: string;
  uri: string;
  title: string;
  record: LearnedRecord;
}

/** By kind and place. */
export function recordsOf(learning: Pick<LearningPart, 'list'>): ListedRecord[] {
  return everyRecord(learning).sort((a, b) => compareText(a.kind, b.kind) || compareText(placeOf(a), placeOf(b)));
}

/** In no order. */
export function everyRecord(learning: Pick<LearningPart, 'list'>): ListedRecord[] {
  return LEARNED_KINDS.flatMap((kind) => learning.list(kind).map((record) => listed(kind, record)));
}

/** Where it stands among those of its kind: by its title, and by its id where several have the same. */
export function placeOf({ title, id }: Pick<ListedRecord, 'title' | 'id'>): string {
  return `${title}\n${id}`;
}

/** A record as Markdown. Throws `unknown_artifact`. */
export function readRecord(
  learning: Pick<LearningPart, 'find' | 'markdown'>,
  kind: string,
  id: string,
): { text: string; metadata: Metadata } {
  const uri = learningUri(kind, id);
  const found = learning.find(uri);
  const text = learning.markdown(uri);
  if (found !== undefined && text !== undefined) {
    return { text, metadata: recordMetadata(listed(found.kind, found.record)) };
  }
  const known = `There are ${LEARNED_KINDS.join(', ')}.`;
  const isKind = (LEARNED_KINDS as readonly string[]).includes(kind);
  throw new KaizenError('unknown_artifact', `There is no ${kind} "${id}".`, isKind ? undefined : known);
}

export function recordMetadata({ kind, uri, record }: ListedRecord): Metadata {
  const { updated_at, author } = record;
  const status = 'status' in record ? { status: record.status } : {};
  const isBuiltIn = 'is_built_in' in record && record.is_built_in;
  return { id: uri, type: kind, ...status, ...(isBuiltIn ? {} : { updated_at, author }) };
}

function listed(kind: LearnedKind, record: LearnedRecord): ListedRecord {
  const title = 'title' in record ? record.title : record.name;
  return { kind, id: record.id, uri: learningUri(kind, record.id), title, record };
}
