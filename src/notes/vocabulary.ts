/** The words of notes (seed 004): zettels as Markdown files in two spaces, and a registry that a team shares. */

import type { Sentence } from '../core/sentence';
import type { FaultCode } from '../frontmatter';

export const SPACES = ['project', 'user'] as const;
/** `project` lies in the workspace and in its git, `user` goes with the person through all projects. */
export type Space = (typeof SPACES)[number];
/** Where a note was found or is to be written (`source_location`). */
export type Location = Space | 'registry';

export const SOURCES = ['local', 'registry'] as const;
/** Where to look; never guessed: looking in the registry is a network call. `local` is project, then user. */
export type Source = (typeof SOURCES)[number];

export const ENTRY_TYPES = [
  'api_fact',
  'pattern',
  'concept',
  'learning',
  'experiment',
  'reference',
  'template',
  'workflow',
] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

/** The folder that a note of each type is made in unless another is named (seed 004, "Project Structure"). */
export const CATEGORY_OF: Readonly<Record<EntryType, string>> = {
  api_fact: 'apis',
  pattern: 'patterns',
  concept: 'concepts',
  learning: 'learnings',
  experiment: 'experiments',
  reference: 'references',
  template: 'templates',
  workflow: 'workflows',
};

export const SOURCE_TYPES = ['youtube', 'docs', 'experiment', 'manual', 'chat', 'book', 'article', 'course'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

export const RELATIONSHIP_TYPES = [
  'references',
  'contradicts',
  'extends',
  'implements',
  'supersedes',
  'depends_on',
  'related',
  'example_of',
] as const;
export type RelationshipType = (typeof RELATIONSHIP_TYPES)[number];

export const COLLECTION_TYPES = ['topic', 'project', 'learning_path', 'reference', 'archive'] as const;
export type CollectionType = (typeof COLLECTION_TYPES)[number];

/** What the front matter says (seed 004, "Frontmatter Fields"). */
export interface NoteFields {
  /** A safe file name, unique in its space; the file is called so. */
  zettel_id: string;
  title: string;
  /** Undefined where the file does not say one of them; that is a problem of it. */
  entry_type?: EntryType | undefined;
  tags: readonly string[];
  source_type?: SourceType | undefined;
  source_url?: string | undefined;
  /** ISO 8601. */
  created_at?: string | undefined;
  updated_at?: string | undefined;
  /** The registry's version that this text was published as or downloaded from. */
  version?: string | undefined;
}

/** Offsets in UTF-16 code units of the whole file, `end` exclusive. */
export interface Range {
  start: number;
  end: number;
}

/**
 * A link as the file has it: `[[target#section|alias]]` in the text, or one of the lists below `relationships` in the
 * front matter. The target may name where it lies: `[[user:042-x]]`, `[[registry:042-x]]`.
 */
export interface NoteLink {
  type: RelationshipType;
  origin: 'wikilink' | 'front_matter';
  /** As written, without space, section and alias: an id, a file's name, or a path that ends in one. */
  target: string;
  location?: Location | undefined;
  section?: string | undefined;
  alias?: string | undefined;
  /** `![[…]]` */
  isEmbed: boolean;
  /** The whole link. */
  range: Range;
  /** The target alone, without space, section and alias: what a rename replaces. */
  targetRange: Range;
  /** From 0. */
  line: number;
}

export interface NoteHeading {
  title: string;
  /** 1 to 6. */
  level: number;
  /** From 0. */
  line: number;
}

export type NoteProblemCode =
  | 'missing_field'
  | 'bad_value'
  | 'front_matter'
  | 'bad_id'
  | 'duplicate_id'
  | 'id_and_name_differ'
  | 'broken_link'
  | 'not_utf8'
  | 'too_large'
  | 'unreadable'
  | 'outside_root'
  | 'too_many_files'
  | 'too_deep';

/** Something that a person should know about a note or a space. */
export interface NoteProblem {
  space: Space;
  /** Absent when it is about the space as a whole. */
  file?: string | undefined;
  /** From 0. */
  line?: number | undefined;
  range?: Range | undefined;
  code: NoteProblemCode;
  message: Sentence | string;
  /** The field, the id, the link's target: for messages in the person's language. */
  detail?: string | undefined;
  /** Of `front_matter`: what kind of fault it is. */
  fault?: FaultCode | undefined;
}

/** What a file says when it is read on its own, whatever others say. */
export interface ParsedNote {
  fields: NoteFields;
  /** Whether the front matter says the id; otherwise it is the file's name. */
  isIdDeclared: boolean;
  /** Front matter keys that the seed does not know, as text: kept whatever is written. */
  others: Readonly<Record<string, string | string[]>>;
  /** Where the text below the front matter begins. */
  bodyStart: number;
  links: readonly NoteLink[];
  headings: readonly NoteHeading[];
  problems: readonly Omit<NoteProblem, 'space' | 'file'>[];
}

/** A note of a space, without its text. */
export interface Note extends NoteFields {
  /** `knowledge://notes/<space>/<zettel_id>`, percent-encoded. */
  uri: string;
  space: Space;
  /** The folder in its space, `/` between its parts; empty for the space's root. */
  category: string;
  /** Relative to the space's root, `/` between its parts. */
  file: string;
  /** SHA-256, hex, of the file's bytes. */
  content_hash: string;
  isIdDeclared: boolean;
  links: readonly NoteLink[];
  headings: readonly NoteHeading[];
  /** Of the file on its own, duplicate ids and broken links included. */
  problems: readonly NoteProblem[];
}

export interface NoteText {
  note: Note;
  /** The whole file. */
  text: string;
  /** Below the front matter. */
  body: string;
}

/** A note with another one that holds the same kind of link to it. */
export interface Relationship {
  zettel_id: string;
  relationship_type: RelationshipType;
  direction: 'outgoing' | 'incoming';
  /** Where the other end was found; absent when nothing has this id. */
  source_location?: Location | undefined;
  title?: string | undefined;
  /** Nothing was found under it where was looked. */
  missing?: boolean | undefined;
  /** Who and when, where the registry holds it. */
  created_by?: string | undefined;
  created_at?: string | undefined;
}

export interface Collection {
  /** Made of its name; a safe file name. */
  id: string;
  name: string;
  description: string;
  collection_type: CollectionType;
  /** In its order. */
  zettel_ids: readonly string[];
  location: Location;
  /** Relative to the space's root. */
  file?: string | undefined;
}

export interface CollectionInput {
  name: string;
  description: string;
  zettel_ids: readonly string[];
  collection_type: CollectionType;
}
