import { randomUUID } from 'node:crypto';
import { type ErrorCode, KaizenError } from '../../core/errors';
import { learningUri, parseLearningUri } from '../../core/knowledge-uri';
import { type Sentence, sentence } from '../../core/sentence';
import type { LearnedRecord, LearnedRecords } from '../records-model';
import { LEARNED_KINDS, type LearnedKind } from '../vocabulary';

const PREFIXES: Readonly<Record<LearnedKind, string>> = {
  project: 'proj',
  template: 'tmpl',
  pattern: 'pat',
  decision: 'dec',
  lesson: 'less',
};

const UNKNOWN: Readonly<Record<LearnedKind, ErrorCode>> = {
  project: 'unknown_project',
  template: 'unknown_template',
  pattern: 'unknown_pattern',
  decision: 'unknown_decision',
  lesson: 'unknown_lesson',
};

const LONGEST_SLUG = 40;

/** `proj-new-payment-service-1a2b3c4d`: tells a person what it is, is safe in a path, and is not used twice. */
export function newId(kind: LearnedKind, title: string): string {
  const slug = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, LONGEST_SLUG)
    .replace(/-$/, '');
  return [PREFIXES[kind], slug, randomUUID().slice(0, 8)].filter(Boolean).join('-');
}

export function titleOf(record: LearnedRecord): string {
  return 'title' in record ? record.title : record.name;
}

/** What a captured record's address or bare id may name, the likeliest first; nothing for the address of something else. */
export function namedBy(artifact: string): { kind: LearnedKind; id: string }[] {
  const address = parseLearningUri(artifact);
  if (address) return isKind(address.kind) ? [{ kind: address.kind, id: address.id }] : [];
  if (artifact.includes('://')) return [];
  const isLikely = (kind: LearnedKind) => artifact.startsWith(`${PREFIXES[kind]}-`);
  return [...LEARNED_KINDS]
    .sort((a, b) => Number(isLikely(b)) - Number(isLikely(a)))
    .map((kind) => ({ kind, id: artifact }));
}

export function isKind(text: string): text is LearnedKind {
  return (LEARNED_KINDS as readonly string[]).includes(text);
}

/** The id of a record that is given by its id or its address; as it is for one that names none of this kind. */
export function idOf(kind: LearnedKind, artifact: string): string {
  const address = parseLearningUri(artifact);
  return address?.kind === kind ? address.id : artifact;
}

export function uriOf(kind: LearnedKind, { id }: { id: string }): string {
  return learningUri(kind, id);
}

/** A kind within a sentence. */
export const KIND_NAMES: Readonly<Record<LearnedKind, Sentence>> = {
  project: sentence('project'),
  template: sentence('template'),
  pattern: sentence('pattern'),
  decision: sentence('decision'),
  lesson: sentence('lesson'),
};

export function unknownRecord(kind: LearnedKind, id: string): KaizenError {
  return new KaizenError(
    UNKNOWN[kind],
    sentence('There is no {0} "{1}".', KIND_NAMES[kind], id),
    sentence('It may have been deleted. Look at the {0}s that there are.', KIND_NAMES[kind]),
  );
}

/** Personal is what only its owner is answered; what has no owner is everybody's. */
export function isVisibleTo(person: string, record: LearnedRecords[LearnedKind]): boolean {
  if (!('visibility' in record) || record.visibility !== 'personal') return true;
  return record.owner === undefined || record.owner === person;
}
