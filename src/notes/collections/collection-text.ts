import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import { editHead, faultSentence, type HeadChange, lineAt, writeForeignScalar } from '../../frontmatter';
import { lineEndOf } from '../format/edit';
import { parseCollection } from '../format/parse';
import type { CollectionInput, NoteLink } from '../vocabulary';

/** A note of a collection as a link has it (`042-x`, `user:042-x`), and its title. */
export interface CollectionMember {
  target: string;
  title: string;
}

const ORDER = ['name', 'description', 'collection_type', 'created_at'];

/** A new collection's file: what it is in the front matter, below it a list with a link a line. */
export function formatCollection(
  { name, description, collection_type }: Omit<CollectionInput, 'zettel_ids'>,
  members: readonly CollectionMember[],
  createdAt: string,
): string {
  const head = { name, description, collection_type, created_at: createdAt };
  const lines = Object.entries(head)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}: ${writeForeignScalar(value)}`);
  return ['---', ...lines, '---', '', ...members.map(lineOf), ...(members.length === 0 ? [] : [''])].join('\n');
}

/**
 * The file of a collection with other members, in this order. Lines of those that stay are kept as they are written, and
 * take each other's places where the order is another one; new lines come behind that of the member before. Text between
 * them stays where it is.
 */
export function replaceMembers(text: string, members: readonly CollectionMember[]): string {
  const { links, bodyStart } = parseCollection(text, '');
  const pieces = piecesOf(text, bodyStart, links);
  const lineEnd = lineEndOf(text);
  const wanted = new Set(members.map(({ target }) => target));
  const lines = new Map<string, string>();
  for (const { line, member } of pieces) {
    if (member !== undefined && wanted.has(member) && !lines.has(member)) lines.set(member, line);
  }
  // What comes before the first line that stays, then what takes the place of each.
  const groups: string[][] = Array.from({ length: lines.size + 1 }, () => []);
  let group = 0;
  for (const { target, title } of members) {
    const line = lines.get(target);
    if (line !== undefined) group++;
    groups[group]!.push(line ?? lineOf({ target, title }));
  }
  const [leading = [], ...places] = groups;
  places[0]?.unshift(...leading);
  const seen = new Set<string>();
  const body = pieces.flatMap(({ line, member }) => {
    if (member === undefined) return [line];
    if (!wanted.has(member) || seen.has(member)) return [];
    seen.add(member);
    return (places[seen.size - 1] ?? []).map((each) => each + lineEnd);
  });
  if (places.length === 0 && leading.length > 0) {
    if (body.length > 0 && !/[\r\n]$/.test(body.at(-1)!)) body.push(lineEnd);
    body.push(...leading.map((line) => line + lineEnd));
  }
  return text.slice(0, bodyStart) + body.join('');
}

/** The lines below the front matter, those of members without their ends; a line with several members is divided. */
function piecesOf(text: string, bodyStart: number, links: readonly NoteLink[]): { line: string; member?: string }[] {
  const above = text.slice(0, bodyStart).split(/\r\n|\r|\n/).length - 1;
  const targets = new Map<number, string[]>();
  for (const link of links) {
    const at = link.line - above;
    targets.set(at, [...(targets.get(at) ?? []), targetOf(link)]);
  }
  const lines = text.slice(bodyStart).match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
  return lines.flatMap((line, at): { line: string; member?: string }[] => {
    const [member, ...more] = targets.get(at) ?? [];
    if (member === undefined) return [{ line }];
    if (more.length === 0) return [{ line: line.replace(/[\r\n]+$/, ''), member }];
    return [member, ...more].map((target) => ({ line: lineOf({ target, title: '' }), member: target }));
  });
}

/** The file of a collection that says other things of itself. Throws `unreadable_note`, with the line. */
export function editCollection(text: string, patch: Partial<Omit<CollectionInput, 'zettel_ids'>>): string {
  const changes = Object.entries(patch).flatMap(([key, value]): HeadChange[] =>
    value === undefined ? [] : [{ key, value: value === '' ? undefined : value }],
  );
  const edited = editHead(text, changes, ORDER);
  if ('text' in edited) return edited.text;
  const { fault } = edited;
  throw new KaizenError(
    'unreadable_note',
    sentence(
      'The front matter cannot be edited, because of its line {0}: {1}',
      lineAt(text, fault.range.start + 1),
      faultSentence(fault),
    ),
    sentence('Correct it by hand, and try again. Nothing was changed.'),
  );
}

/** As a collection has it. */
export function targetOf({ target, location }: Pick<NoteLink, 'target' | 'location'>): string {
  return location ? `${location}:${target}` : target;
}

/** A title is shown and means nothing more: no link, no tag, no code begins in it. */
function lineOf({ target, title }: CollectionMember): string {
  const shown = title
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`[\]<>]/g, '\\$&');
  return shown === '' ? `- [[${target}]]` : `- [[${target}]] ${shown}`;
}
