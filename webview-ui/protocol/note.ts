import * as z from 'zod';
import { LONGEST_NOTE } from './limits';
import { type RatingState, ratingRequests } from './rating';

const word = z.string().max(200);
const line = z.string().max(2_000);
const offset = z.int().nonnegative();
const space = z.enum(['project', 'user']);

/** A relationship of the front matter: its type, and the other end as it is written, with its space where it names one. */
const formLink = z.strictObject({ type: word, target: line });

/** The front matter as the form edits it; empty where it says nothing. */
const fields = z.strictObject({
  title: line,
  entry_type: word,
  tags: z.array(line).max(1_000),
  source_type: word,
  source_url: z.string().max(10_000),
  relationships: z.array(formLink).max(5_000),
});

/** What the note page says to the extension. */
export const noteRequest = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  /**
   * The form's values, where they differ from the document at `version`. Each edit is answered by `document`; one that
   * comes too late, because the document has moved on, changes nothing.
   */
  z.strictObject({
    type: z.literal('edit'),
    version: z.int().nonnegative(),
    content: z.string().max(LONGEST_NOTE).optional(),
    fields: fields.partial().optional(),
  }),
  z.strictObject({ type: z.literal('undo') }),
  z.strictObject({ type: z.literal('redo') }),
  /** All that was typed is in the document, or on its way there. */
  z.strictObject({ type: z.literal('flushed') }),
  z.strictObject({ type: z.literal('openAsText'), offset: offset.optional() }),
  /** Commands for this note; they ask what they need. */
  z.strictObject({
    type: z.literal('run'),
    command: z.enum(['rename', 'move', 'publish', 'graph', 'copyReference', 'addToCollection', 'changes']),
  }),
  /** Where a link leads: `target` as it is written, with its space where it names one, and its section. */
  z.strictObject({ type: z.literal('openLink'), target: line }),
  z.strictObject({ type: z.literal('openFile'), space, file: line }),
  /** Makes the note that a link to `target` asks for. */
  z.strictObject({ type: z.literal('create'), target: line }),
  /** What a link may lead to; answered by `completions` of the same number. */
  z.strictObject({ type: z.literal('complete'), number: z.int().nonnegative(), typed: line, section: z.boolean() }),
  ...ratingRequests,
]);
export type NoteRequest = z.output<typeof noteRequest>;

export type FormLink = z.output<typeof formLink>;
export type FormFields = z.output<typeof fields>;
export type Space = z.output<typeof space>;

/** What a link leads to. */
export type LinkState = 'note' | 'collection' | 'registry' | 'file' | 'broken' | 'unknown';

/** A stretch of the content: plain text, code, or a link; what is not a link has no target. */
export interface Passage {
  text: string;
  link?: { target: string; state: LinkState; title?: string };
}

/** What is wrong with the document. */
export interface Problem {
  /** In the person's language. */
  message: string;
  /** From 1. */
  line: number;
  /** In the document. */
  offset: number;
  isGrave: boolean;
  /** The field that it is about. */
  field?: string;
  /** The target of a link that leads nowhere. */
  broken?: string;
}

/** The document as the form shows it. Line breaks are `\n`, whatever the document's are. */
export interface DocumentMessage {
  type: 'document';
  version: number;
  /** What became of the edit that this answers: `refused` when it came too late. */
  answer?: 'applied' | 'refused';
  /** Absent when it is what the page has already. */
  content?: string;
  fields: FormFields;
  zettel_id: string;
  created_at?: string;
  updated_at?: string;
  /** The registry's version that the note was published as or downloaded from. */
  note_version?: string;
  /** Front matter that cannot be read can only be edited as text. */
  isReadable: boolean;
  passages: Passage[];
  problems: Problem[];
  /** What the relationships of the front matter lead to, in their order. */
  ends: { state: LinkState; title?: string }[];
}

/** A note that links to this one. */
export interface Backlink {
  space: Space;
  file: string;
  zettel_id: string;
  title: string;
  types: string[];
}

/** What stands around the document. */
export interface SurroundingsMessage {
  type: 'surroundings';
  space: Space;
  category: string;
  file: string;
  readOnly: boolean;
  /** Whether all notes were read, so that what is not here is nowhere. */
  isKnown: boolean;
  hasRegistry: boolean;
  /** Why nothing is known of what stands around the document. */
  problem?: string;
  backlinks: Backlink[];
  collections: { space: Space; file: string; name: string }[];
  /** Most frequent first. */
  tags: string[];
  entryTypes: readonly string[];
  sourceTypes: readonly string[];
  relationshipTypes: readonly string[];
}

export interface CompletionItem {
  /** What takes the place of what was typed. */
  text: string;
  label: string;
  description: string;
}

/** What the extension says to the note page. */
export type NoteMessage =
  | DocumentMessage
  | SurroundingsMessage
  | { type: 'completions'; number: number; items: CompletionItem[] }
  /** Absent for what is not known yet. */
  | { type: 'rating'; rating?: RatingState }
  /** Asks for `flushed`. */
  | { type: 'flush' };
