import * as z from 'zod';
import { LONGEST_CONTENT } from './limits';
import { type RatingState, ratingRequests } from './rating';

/** More than an entry may hold, so that what is too long can be typed, told and cut. */
const contentText = z.string().max(LONGEST_CONTENT);
const row = z.strictObject({ key: z.string().max(10_000), value: contentText });
const entryKey = z.strictObject({
  scope_id: z.string().max(200),
  category: z.string().max(1_000),
  keyword: z.string().max(1_000),
});
const revisionNumber = z.int().positive();

/** What the entry page says to the extension. */
export const entryRequest = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  /**
   * The form's values, where they differ from the document at `version`. Each edit is answered by `document`; one that
   * comes too late, because the document has moved on, changes nothing.
   */
  z.strictObject({
    type: z.literal('edit'),
    version: z.int().nonnegative(),
    content: contentText.optional(),
    rows: z.array(row).max(1_000).optional(),
  }),
  z.strictObject({ type: z.literal('undo') }),
  z.strictObject({ type: z.literal('redo') }),
  /** All that was typed is in the document, or on its way there. */
  z.strictObject({ type: z.literal('flushed') }),
  z.strictObject({ type: z.literal('openAsText'), offset: z.int().nonnegative().optional() }),
  z.strictObject({ type: z.literal('copyReference') }),
  z.strictObject({ type: z.literal('openEntry'), key: entryKey }),
  /** Whether the history is open: it is read only then. */
  z.strictObject({ type: z.literal('history'), open: z.boolean() }),
  /** With what the document holds now, or with what the entry held before that revision. */
  z.strictObject({ type: z.literal('compare'), revision: revisionNumber, with: z.enum(['document', 'before']) }),
  /** Puts what the entry held after the revision into the document. */
  z.strictObject({ type: z.literal('restore'), revision: revisionNumber }),
  ...ratingRequests,
]);
export type EntryRequest = z.output<typeof entryRequest>;

export type EntryKey = z.output<typeof entryKey>;
export type Row = z.output<typeof row>;
export type Tier = 'GENERAL' | 'PRODUCT' | 'GROUP' | 'PROJECT';
export type RiskLevel = 'WARNING' | 'DANGER' | 'LAST TIME';

export interface Risk {
  level: RiskLevel;
  text: string;
}

/** A stretch of the content as it is read: a risk, code, in which nothing is a risk, or plain text. */
export interface Passage {
  text: string;
  kind: 'text' | 'code' | RiskLevel;
}

/** Why the front matter cannot be read; `line` counts from 1, `offset` in the document. */
export interface Fault {
  message: string;
  line: number;
  offset: number;
}

/** The document as the form shows it. Line breaks are `\n`, whatever the document's are. */
export interface DocumentMessage {
  type: 'document';
  version: number;
  /** What became of the edit that this answers: `refused` when it came too late. */
  answer?: 'applied' | 'refused';
  /** Absent when they are what the page has already. */
  content?: string;
  rows?: Row[];
  risks: Risk[];
  passages: Passage[];
  faults: Fault[];
}

export interface Place extends EntryKey {
  tier: Tier;
  scope_name: string;
}

/** What stands around the document. */
export interface SurroundingsMessage {
  type: 'surroundings';
  key: EntryKey;
  /** Absent when the scope is not there any more. */
  scope?: { name: string; tier: Tier };
  /** `new`: never stored; `deleted`: stored once, and not now; `unknown`: nobody can say, for the reason in `problem`. */
  stored: 'stored' | 'new' | 'deleted' | 'unknown';
  /** Why nothing is known of what stands around the document. */
  problem?: string;
  readOnly: boolean;
  /** The current project, when there is one. */
  project?: { id: string; name: string; inherits: boolean };
  overrides: Place[];
  overridden_by: Place[];
  /** The keyword in other categories of the same scope: both hold. */
  beside: Place[];
  /** Keys of metaknowledge that entries use, most frequent first. */
  knownKeys: string[];
}

export interface HistoryItem {
  number: number;
  action: 'create' | 'update' | 'delete' | 'restore';
  /** ISO 8601. */
  at: string;
  author: string;
  by_agent: boolean;
  reason: string | null;
  /** Whether there is something to compare with or to restore. */
  has_content: boolean;
  /** Lines of content that the revision added and took away. */
  added: number;
  removed: number;
}

/** What the extension says to the entry page. */
export type EntryMessage =
  | DocumentMessage
  | SurroundingsMessage
  /** Newest first. */
  | { type: 'history'; revisions: HistoryItem[]; total: number }
  /** Absent for what is not stored. */
  | { type: 'rating'; rating?: RatingState }
  /** Asks for `flushed`. */
  | { type: 'flush' };
