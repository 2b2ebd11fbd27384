import type { FormFields, FormLink } from '../../../webview-ui/protocol/note';
import {
  lineBreakOf,
  offsetIn,
  type Splice,
  spliceBetween,
  withLineFeeds,
} from '../../../webview-ui/protocol/text-splices';
import {
  ENTRY_TYPES,
  type NoteFields,
  type NoteLink,
  type noteFormat,
  RELATIONSHIP_TYPES,
  type RelationshipType,
  SOURCE_TYPES,
} from '../../notes';

type Format = Awaited<ReturnType<typeof noteFormat>>;
type FrontMatterChanges = Parameters<Format['editFrontMatter']>[1];

/** What the form says; what it leaves out stays as the document has it. Line breaks of the content are `\n`. */
export interface NoteValues {
  content?: string | undefined;
  fields?: Partial<FormFields> | undefined;
}

export interface ReadNote {
  fields: NoteFields;
  links: readonly NoteLink[];
  bodyStart: number;
}

/** The text below the front matter as the form shows it: without the blank line that parts the two. */
export function contentOf(text: string, { bodyStart }: Pick<ReadNote, 'bodyStart'>): string {
  return withLineFeeds(text.slice(contentStart(text, bodyStart)));
}

/** The front matter as the form shows it. */
export function formFields({ fields, links }: Pick<ReadNote, 'fields' | 'links'>): FormFields {
  return {
    title: fields.title,
    entry_type: fields.entry_type ?? '',
    tags: [...fields.tags],
    source_type: fields.source_type ?? '',
    source_url: fields.source_url ?? '',
    relationships: links.filter(({ origin }) => origin === 'front_matter').map(formLink),
  };
}

/** A relationship as the form writes it: `user:044-dkim-setup#keys`. */
export function formLink({ type, target, location, section }: NoteLink): FormLink {
  return { type, target: `${location ? `${location}:` : ''}${target}${section === undefined ? '' : `#${section}`}` };
}

/**
 * The smallest changes that make a document say what the form says, in order, not overlapping: an edit of the content
 * leaves the front matter as it is byte for byte, and the other way round. Throws `unreadable_note` where the front matter
 * cannot be edited.
 */
export function editsFor(
  text: string,
  read: ReadNote,
  values: NoteValues,
  editFrontMatter: Format['editFrontMatter'],
): Splice[] {
  return [...headSplices(text, read, values.fields, editFrontMatter), ...contentSplices(text, read, values.content)];
}

function headSplices(
  text: string,
  read: ReadNote,
  fields: Partial<FormFields> | undefined,
  editFrontMatter: Format['editFrontMatter'],
): Splice[] {
  const changes = fields && changesOf(formFields(read), fields);
  if (!changes) return [];
  const edited = editFrontMatter(text, changes);
  // What follows the front matter is what it was.
  const [before, after] = [
    text.slice(0, read.bodyStart),
    edited.slice(0, edited.length - (text.length - read.bodyStart)),
  ];
  const splice = spliceBetween(before, after);
  return splice ? [splice] : [];
}

function contentSplices(text: string, { bodyStart }: ReadNote, wanted: string | undefined): Splice[] {
  if (wanted === undefined) return [];
  const from = contentStart(text, bodyStart);
  const content = text.slice(from);
  const splice = spliceBetween(withLineFeeds(content), wanted);
  if (!splice) return [];
  const [start, end] = [from + offsetIn(content, splice.start), from + offsetIn(content, splice.end)];
  return [{ start, end, text: splice.text.replaceAll('\n', lineBreakOf(text)) }];
}

function contentStart(text: string, bodyStart: number): number {
  if (bodyStart <= 1) return bodyStart;
  return bodyStart + /^(?:[ \t]*\r?\n)?/.exec(text.slice(bodyStart))![0].length;
}

/** Undefined where nothing is to change. What the form may not say is left out. */
function changesOf(now: FormFields, wanted: Partial<FormFields>): FrontMatterChanges | undefined {
  const changes: FrontMatterChanges = {};
  const title = wanted.title?.replace(/\s+/g, ' ').trim();
  if (title && title !== now.title) changes.title = title;
  const type = ENTRY_TYPES.find((each) => each === wanted.entry_type);
  if (type && type !== now.entry_type) changes.entry_type = type;
  if (wanted.source_type !== undefined && wanted.source_type !== now.source_type) {
    changes.source_type = SOURCE_TYPES.find((each) => each === wanted.source_type) ?? null;
  }
  const url = wanted.source_url?.trim();
  if (url !== undefined && url !== now.source_url) changes.source_url = url || null;
  if (wanted.tags && !isSameList(wanted.tags, now.tags)) changes.tags = wanted.tags;
  const relationships = wanted.relationships && changedLists(now.relationships, wanted.relationships);
  if (relationships) changes.relationships = relationships;
  return Object.keys(changes).length === 0 ? undefined : changes;
}

/** The lists that are to be others, by type. */
function changedLists(
  now: readonly FormLink[],
  wanted: readonly FormLink[],
): Partial<Record<RelationshipType, string[]>> | undefined {
  const lists: Partial<Record<RelationshipType, string[]>> = {};
  for (const type of RELATIONSHIP_TYPES) {
    const of = (links: readonly FormLink[]) => links.filter((link) => link.type === type).map(({ target }) => target);
    const list = [...new Set(of(wanted).map((target) => target.trim()))].filter((target) => target !== '');
    if (!isSameList(list, of(now))) lists[type] = list;
  }
  return Object.keys(lists).length === 0 ? undefined : lists;
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}
