import { parseTime } from '../core/clock';
import { KaizenError } from '../core/errors';
import { KNOWLEDGE_SCHEME } from '../core/knowledge-uri';
import { sentence } from '../core/sentence';
import { checkText } from '../core/text';
import type { Relation, RelationInput } from './model';
import { PROVENANCES, RELATION_TYPES } from './vocabulary';

export const MAX_CONTEXT = 4_096;
export const MAX_EVIDENCE = 50;
/** Characters: a file's path may have 4,096, each of which may be percent-encoded. */
const MAX_URI = 16_384;

/** A relation's input with everything that may be left out. Its ends and evidence are still to be looked up. */
export type CheckedInput = RelationInput & { context: string | undefined; evidence: readonly string[] | undefined };

/** Throws `invalid_argument`. */
export function checkInput(input: RelationInput): CheckedInput {
  const { type, confidence, created_by, evidence } = input;
  requireOneOf(RELATION_TYPES, type, 'type');
  if (created_by !== undefined) requireOneOf(PROVENANCES, created_by, 'provenance');
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1)) {
    throw new KaizenError('invalid_argument', sentence('The confidence must be 0 to 1.'));
  }
  if (evidence !== undefined && evidence.length > MAX_EVIDENCE) throw tooMuchEvidence();
  const context = input.context === undefined ? undefined : checkText(input.context.trim(), CONTEXT);
  return { ...input, context, evidence };
}

export function tooMuchEvidence(): KaizenError {
  return new KaizenError('invalid_argument', sentence('A relation has at most {0} pieces of evidence.', MAX_EVIDENCE));
}

/** What a file says of a relation. Throws `invalid_argument`. */
export function checkStored(relation: Relation): void {
  checkInput(relation);
  checkAuthor(relation.author);
  const { id, source, target, evidence, created_at } = relation;
  checkText(id, { name: 'id', min: 1, max: 100, singleLine: true });
  for (const uri of [source, target, ...evidence]) {
    if (isAddress(checkReference(uri))) continue;
    throw new KaizenError('invalid_argument', sentence('"{0}" is no address.', uri.slice(0, 120)));
  }
  if (source === target)
    throw new KaizenError('invalid_argument', sentence('Both ends are {0}.', source.slice(0, 120)));
  if (parseTime(created_at) === undefined) {
    throw new KaizenError('invalid_argument', sentence('"{0}" is no time.', created_at.slice(0, 60)));
  }
}

const CONTEXT = { name: sentence('context'), max: MAX_CONTEXT };

export function checkAuthor(author: string): string {
  return checkText(author, { name: sentence('author'), min: 1, max: 200, singleLine: true });
}

/** An address or an id, trimmed. Throws `invalid_argument`. */
export function checkReference(reference: string): string {
  return checkText(reference.trim(), { name: sentence('address'), min: 1, max: MAX_URI, singleLine: true });
}

export function isAddress(reference: string): boolean {
  return reference.startsWith(`${KNOWLEDGE_SCHEME}://`);
}

/** Throws `invalid_argument`, naming those that there are. */
export function requireOneOf(known: readonly string[], word: string, what: string): void {
  if (known.includes(word)) return;
  throw new KaizenError(
    'invalid_argument',
    `There is no ${what} "${String(word).slice(0, 60)}" of relations.`,
    `Known are: ${known.join(', ')}.`,
  );
}

/** A whole number within bounds, or `fallback`. Throws `invalid_argument`. */
export function checkCount(count: number | undefined, name: string, fallback: number, most: number): number {
  if (count === undefined) return fallback;
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  throw new KaizenError('invalid_argument', `The ${name} must be 1 to ${most.toLocaleString('en')}.`);
}

export function checkMinimum(confidence: number | undefined): void {
  if (confidence === undefined || (confidence >= 0 && confidence <= 1)) return;
  throw new KaizenError('invalid_argument', 'The minimum confidence must be 0 to 1.');
}
