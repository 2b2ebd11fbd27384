import { isKaizenError } from '../core/errors';
import type { Relation, RelationChange, RelationsPart } from '../relations';
import { document, field, list, text } from './markdown';
import type { ProposalPreview, RelationWrite } from './model';

const MAX_TITLE = 120;

/** What a write is about, on one line: both ends, and what the one is to the other. */
export function relationTitle({ ends, ...write }: RelationWrite): string {
  const said = write.action === 'add' ? write.input : write.relation;
  if (!said) return 'id' in write ? write.id : '';
  const { source, target, type } = said;
  return `${onOneLine(ends?.source ?? source)} → ${onOneLine(ends?.target ?? target)} (${type})`;
}

/** The write as it waits: checked as making it would, with what its ends are called. Throws as `RelationsPart`. */
export async function keptRelation(
  relations: RelationsPart,
  write: RelationWrite,
  change: RelationChange,
): Promise<RelationWrite> {
  const rehearsal = { ...change, rehearse: true };
  if (write.action === 'remove') {
    const relation = await relations.remove(write.id, rehearsal);
    return { ...write, relation, ends: await titles(relations, relation) };
  }
  const { source, target } = (await relations.add(write.input, rehearsal)).relation;
  // An agent's words for the ends may mean something else by then.
  return { ...write, input: { ...write.input, source, target }, ends: await titles(relations, { source, target }) };
}

/** Doing it once more after it was cut off changes nothing. */
export async function performRelationWrite(
  relations: RelationsPart,
  write: RelationWrite,
  change: RelationChange,
): Promise<void> {
  if (write.action === 'add') await relations.add(write.input, change);
  else await relations.remove(write.id, change);
}

/** Whether a removal that was cut off had been made; what only adds can be done again. */
export async function isRelationWritten(relations: RelationsPart, write: RelationWrite): Promise<boolean> {
  if (write.action === 'add') return false;
  try {
    await relations.remove(write.id, { author: 'kaizen', rehearse: true });
    return false;
  } catch (error) {
    if (isKaizenError(error) && error.code === 'unknown_relation') return true;
    throw error;
  }
}

/** What would be said, or is said no longer, for a person to read. */
export function relationPreview(write: RelationWrite): ProposalPreview {
  const said = document('Relation', linesOf(write));
  const title = relationTitle(write);
  return write.action === 'add' ? { title, before: '', after: said } : { title, before: said, after: '' };
}

function linesOf({ ends, ...write }: RelationWrite): string[] {
  const said = write.action === 'add' ? write.input : write.relation;
  if (!said) return [];
  const { source, target, type, confidence, bidirectional, context, created_by, evidence = [] } = said;
  return [
    field('From', named(ends?.source, source)),
    field('Type', bidirectional ? `${type}, both ways` : type),
    field('To', named(ends?.target, target)),
    field('Confidence', confidence),
    field('Known as', created_by),
    text('Why', context),
    list('Evidence', evidence),
  ];
}

function named(title: string | undefined, uri: string): string {
  return title === undefined ? uri : `${onOneLine(title)} (${uri})`;
}

async function titles(
  relations: RelationsPart,
  { source, target }: Pick<Relation, 'source' | 'target'>,
): Promise<NonNullable<RelationWrite['ends']>> {
  const titleOf = async (uri: string) => (await relations.resolve(uri))?.title ?? uri;
  return { source: await titleOf(source), target: await titleOf(target) };
}

function onOneLine(words: string): string {
  const line = words.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length <= MAX_TITLE ? line : `${line.slice(0, MAX_TITLE - 1).trimEnd()}…`;
}
