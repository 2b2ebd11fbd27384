/** The words of the knowledge protocol (seed 000, "Terminology"). */

export const TIERS = ['GENERAL', 'PRODUCT', 'GROUP', 'PROJECT'] as const;
export type Tier = (typeof TIERS)[number];

export const RISK_LEVELS = ['WARNING', 'DANGER', 'LAST TIME'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** A risk indicator in an entry's content. Offsets are UTF-16 code units, `end` exclusive, the indicator included. */
export interface Risk {
  level: RiskLevel;
  text: string;
  range: { start: number; end: number };
}

export type Metaknowledge = Record<string, string>;

export interface Scope {
  id: string;
  tier: Tier;
  name: string;
  description?: string;
  /** Ids of the scopes that this one names as parents, sorted. GENERAL is above all of them, named or not. */
  parents: string[];
}

export interface ScopeDefinition {
  scope_id: string;
  tier: Tier;
  name?: string | undefined;
  description?: string | undefined;
  parents?: string[] | undefined;
}

/** One row of `list_scopes`. */
export interface ScopeListing {
  scope_id: string;
  tier: Tier;
  name: string;
  description?: string;
  parents: string[];
  entry_count: number;
  is_current_project: boolean;
}

/** One row of `get_categories` (seed 000; `tier` and `description` from seed 001). */
export interface CategoryListing {
  name: string;
  subcategories: string[];
  has_entries: boolean;
  tier: Tier;
  description?: string;
}

/** Where an entry stands: one entry for each triple. */
export interface EntryKey {
  scope_id: string;
  category: string;
  keyword: string;
}

/** One row of `get_knowledge`: the entry that answers for a keyword. */
export interface ResolvedEntry {
  keyword: string;
  content: string;
  source_tier: Tier;
  metaknowledge: Metaknowledge;
  category: string;
  source_scope: string;
  risks: Risk[];
  /** Other categories of the winning scope that hold the keyword; absent when there are none. */
  also_in?: string[];
  /** Risks of the entries of `also_in`, which hold as well; absent when there are none, and where all entries are given. */
  other_risks?: { category: string; level: Risk['level']; text: string }[];
}

/** A part of a long list. */
export interface Page {
  /** How many to leave out at the beginning. */
  offset: number;
  /** How many to give at most. */
  limit: number;
}

/** An entry as it is stored in one scope, before inheritance. */
export interface StoredEntry extends EntryKey {
  content: string;
  metaknowledge: Metaknowledge;
  risks: Risk[];
  updated_at: string;
  author: string;
}

/** What an entry says, without who said it and when. */
export interface EntryText extends EntryKey {
  content: string;
  metaknowledge: Metaknowledge;
}

/** Who changes something and why. */
export interface Change {
  /** The MCP client's name, or the person's. */
  author: string;
  project_context?: string | undefined;
  reason?: string | undefined;
  /** Whether an agent makes it; a person does otherwise. */
  by_agent?: boolean | undefined;
  /** The entry is changed only if this is the number of its last revision, 0 for none; `conflict` is thrown otherwise. */
  base_revision?: number | undefined;
  /** Checks everything and answers as it would, but changes nothing. For `storeIfMissing`, `storeOverwrite`, `delete` and `defineScope`. */
  rehearse?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export type RevisionAction = 'create' | 'update' | 'delete' | 'restore';

/** One change of an entry. `content` is null after a deletion, `previous_content` before the first creation. */
export interface Revision {
  number: number;
  action: RevisionAction;
  at: string;
  author: string;
  by_agent: boolean;
  project_context: string;
  reason: string | null;
  content: string | null;
  metaknowledge: Metaknowledge | null;
  previous_content: string | null;
  previous_metaknowledge: Metaknowledge | null;
}

/** Who changed an entry last, without what they changed. */
export interface LatestRevision extends EntryKey, Pick<Revision, 'number' | 'author' | 'by_agent'> {}

/** A revision together with the entry that it belongs to. */
export interface EntryChange extends EntryKey, Revision {
  /** Whether nothing newer was written to the entry since: only such a change can be undone. */
  is_latest: boolean;
}

export interface ChangeQuery {
  /** ISO 8601; only what was changed at or after that time. */
  since?: string | undefined;
  /** Only by agents, or only by people. */
  by_agent?: boolean | undefined;
  /** 1 to 1,000; 100 unless told. */
  limit?: number | undefined;
}

/** Where else a keyword stands. */
export interface EntryPlace extends EntryKey {
  tier: Tier;
}

/** An entry's place in the inheritance: what it overrides, and what overrides it, nearest first. */
export interface Standing {
  overrides: EntryPlace[];
  overridden_by: EntryPlace[];
  /** The keyword in other categories of the entry's own scope: neither overrides the other. */
  beside: EntryPlace[];
}

/** An entry that is in effect for a keyword in a scope, and what it overrides. */
export interface EffectiveEntry extends ResolvedEntry {
  overrides: EntryPlace[];
}

/** A hit of `find`. */
export interface FoundEntry extends StoredEntry {
  tier: Tier;
}

/** A rule that holds for a file (metaknowledge APPLIES_TO and MATCHES). */
export interface FileRule extends ResolvedEntry {
  /** The globs that the entry names. */
  applies_to: string[];
  /** The regular expression of MATCHES, where it has one; see `findOccurrences`. */
  matches?: string;
  /** The number of the entry's last revision: an acknowledgement holds until it changes. */
  revision: number;
}

/** A rule with a risk that holds for a file. */
export type FileWarning = FileRule;

export interface OccurrenceOptions {
  /** Searching ends after so many; 200 unless told. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Where a regular expression matches a text. */
export interface Occurrences {
  /** Offsets in UTF-16 code units, in order, `end` exclusive. */
  ranges: { start: number; end: number }[];
  /**
   * Why the text, or a part of it, was not searched. What is said about the text then stands at its first line, unless
   * something was found. Without it and without ranges, the expression does not occur.
   */
  unsearched?: 'broken_pattern' | 'too_large' | 'cancelled';
}

/** Something in APPLIES_TO or MATCHES that cannot be read, in words. */
export interface ApplicabilityFault {
  key: 'APPLIES_TO' | 'MATCHES';
  message: string;
}

/** An entry that the dashboard names. */
export interface EntryMention extends EntryPlace {
  updated_at: string;
  /** When an agent was last given it; null when none was since counting began. */
  last_read_at: string | null;
}

export interface KnowledgeStatistics {
  tiers: { tier: Tier; scopes: number; entries: number }[];
  /** Top-level categories over all scopes (the part before the first dot), most entries first. */
  categories: { category: string; entries: number; entries_with_risk: number }[];
  /** How many risk indicators stand in all entries together. */
  risks: Record<RiskLevel, number>;
  /** One row for each UTC day with changes, oldest first, over the days asked for. */
  activity: { day: string; by_people: number; by_agents: number }[];
  /** Not changed for the longest time, oldest first; at most `limit`. */
  stale: EntryMention[];
  stale_count: number;
  /** Never given to an agent since counting began, oldest first; at most `limit`. None as long as nothing was counted. */
  never_read: EntryMention[];
  never_read_count: number;
  /** Since when reads are counted; null when none was counted yet. */
  reads_since: string | null;
}

export interface StatisticsOptions {
  /** Days of activity, 90 unless told. */
  days?: number | undefined;
  /** An entry is stale when it was not changed for so many days; 180 unless told. */
  stale_days?: number | undefined;
  /** 1 to 1,000; 50 unless told. */
  limit?: number | undefined;
}

/**
 * What somebody who stored an entry would want to know, in words: metaknowledge that warns nobody although it looks as if
 * it did, and what of APPLIES_TO and MATCHES cannot be read. Absent where there is nothing; nothing is refused for it.
 */
export interface StoredNotices {
  notices?: string[];
}

export type StoreIfMissingResult =
  | ({ success: true } & StoredNotices)
  | { success: false; existing_content: string; existing_metaknowledge: Metaknowledge };

export interface StoreOverwriteResult extends StoredNotices {
  success: true;
  previous_content: string | null;
  previous_metaknowledge: Metaknowledge | null;
  /** What tied the entry to files or texts (APPLIES_TO, MATCHES) and was not given again; absent where nothing was. */
  untied?: Metaknowledge;
}

export interface EntryInput {
  target_scope_id: string;
  category: string;
  keyword: string;
  content: string;
  metaknowledge?: Metaknowledge | undefined;
}

/**
 * The knowledge protocol over the workspace's and the shared store: scopes, entries, inheritance, risks, revisions.
 * Reads are synchronous and answer from memory; writes are durable when their promise resolves.
 * Every method throws KaizenError for bad arguments and unknown scopes, and has then changed nothing.
 */
export interface KnowledgePart {
  listScopes(): ScopeListing[];
  /** Throws `unknown_scope`, naming the nearest known ids. */
  scope(scopeId: string): Scope;
  /** The scope itself and those it inherits from, most specific first. */
  chain(scopeId: string): Scope[];
  defineScope(definition: ScopeDefinition, change: Change): Promise<Scope>;
  /** Needs `confirmed` when the scope holds entries or children (`confirmation_required` otherwise). */
  deleteScope(scopeId: string, options: { confirmed: boolean }, change: Change): Promise<void>;

  getCategories(scopeId: string): CategoryListing[];
  getKeywords(scopeId: string, categories: string[]): Record<string, string[]>;
  getKnowledge(scopeId: string, keywords: string[], categories?: string[]): ResolvedEntry[];
  /** The entries that hold for the scope and carry a risk, sorted by keyword. */
  getRisks(scopeId: string): ResolvedEntry[];
  /** The same, read in short turns, however many they are; what changes meanwhile may be there or not. */
  gatherRisks(scopeId: string): Promise<ResolvedEntry[]>;

  storeIfMissing(entry: EntryInput, change: Change): Promise<StoreIfMissingResult>;
  storeOverwrite(entry: EntryInput, change: Change): Promise<StoreOverwriteResult>;
  delete(key: EntryKey, change: Change): Promise<void>;

  /** Categories that hold entries in this scope itself, with their number. */
  ownCategories(scopeId: string): { category: string; entries: number }[];
  /**
   * How many risk indicators stand in the entries of each category of this scope, or of all scopes; categories without
   * one are left out.
   */
  riskCounts(scopeId?: string): { scope_id: string; category: string; risks: number }[];
  /** Entries of one category in this scope itself, sorted by keyword; of many, a page costs no more than its entries. */
  ownEntries(scopeId: string, category: string, page?: Page): StoredEntry[];
  entry(key: EntryKey): StoredEntry | undefined;
  /** The entries at these places, in their order; those that do not exist are left out. One question to each store. */
  entriesAt(keys: readonly EntryKey[]): FoundEntry[];
  /**
   * What the entries of this scope itself say, in the order of category and keyword: up to `limit` of those behind
   * `after`, or the first ones. All of them, page by page, cost a few microseconds each.
   */
  entryTexts(scopeId: string, after: Pick<EntryKey, 'category' | 'keyword'> | undefined, limit: number): EntryText[];
  /** Entries of all scopes whose keyword begins with exactly this text, by keyword; from an index, in microseconds. */
  keywordsFrom(beginning: string, limit: number): EntryKey[];
  /** Oldest first; empty when the entry never existed. */
  history(key: EntryKey): Revision[];
  /** The last revision of each of these entries, in no order; none of those that never existed. One question to each store. */
  latestRevisions(keys: readonly EntryKey[]): LatestRevision[];
  /** Brings back what the entry held after that revision; this is a new revision. */
  restore(key: EntryKey, revision: number, change: Change): Promise<StoredEntry>;
  /**
   * Takes back revision `revision`, as a new revision: what it made is deleted, anything else says again what it said
   * before. Throws `conflict` when it is not the entry's last one.
   */
  undo(key: EntryKey, revision: number, change: Change): Promise<void>;
  /**
   * To another scope, category or keyword; both ends get a revision whose reason names the other. Whoever is killed
   * in a move from one store to the other leaves the entry in both places. Throws `conflict` when `to` is taken,
   * `unknown_entry` when there is nothing at `from`, `invalid_argument` when both are the same.
   */
  move(from: EntryKey, to: EntryKey, change: Change): Promise<StoredEntry>;
  /**
   * Sets, or with an empty text removes, what a category of this scope is about. A category that then has neither
   * entries nor a description is gone. No revision is made of it.
   */
  describeCategory(scopeId: string, category: string, description: string, change: Change): Promise<void>;

  /**
   * Changes of entries in all scopes, newest first; those of one millisecond always in the same order. What is left of
   * the entries of a deleted scope is not among them. Throws `invalid_argument` for a time or a limit that is none.
   */
  changes(query?: ChangeQuery): EntryChange[];
  /**
   * Where else the entry's keyword stands along a chain: the next one first, so what holds in the end is the last of
   * `overridden_by`, or stands beside that. Seen from `viewpoint`'s chain when the entry's scope is in
   * it (groups beside it count then), else from its own. For a place that holds no entry, as if it did.
   */
  standing(key: EntryKey, viewpoint?: string): Standing;
  /**
   * The entries that are in effect in a scope for these keywords, each keyword once and its entries by category: all of
   * the most specific scope that holds it. `getKnowledge` gives one of them.
   */
  effectiveFor(scopeId: string, keywords: readonly string[]): ResolvedEntry[];
  /** Categories of the entries that are in effect in a scope, with their number, sorted. */
  effectiveCategories(scopeId: string): { category: string; entries: number }[];
  /**
   * The entries that are in effect in a scope and stand in exactly this category, sorted by keyword. `overrides` are the
   * places of the keyword in less specific scopes of the chain.
   */
  effectiveEntries(scopeId: string, category: string, page?: Page): EffectiveEntry[];
  /**
   * Entries of all scopes in whose keyword, category, scope, content or metaknowledge every word occurs, whatever its
   * case. First those whose keyword is the query, begins with it or holds its words, then those found by category and
   * scope, then by their text; among equals PROJECT first, then by keyword. Without a word those changed last.
   * 50 unless told, 1,000 at most; a query may have 1,000 characters. Below 20 ms at 10,000 entries.
   */
  find(query: string, limit?: number): FoundEntry[];
  /**
   * Rules with a risk that hold for a scope and for the file at `path` (relative to the workspace folder, `/` between
   * its parts), gravest first. Costs a fraction of a millisecond at 10,000 entries. Where thousands apply, a `limit`
   * keeps it so: the gravest are given.
   */
  warningsFor(scopeId: string, path: string, limit?: number): FileWarning[];
  /** Reads what `warningsFor` looks things up in, with pauses: its next call then holds the event loop for no time. */
  prepareWarnings(scopeId: string): Promise<void>;
  /** As `warningsFor`, and behind them the rules without a risk that name the file, sorted by keyword. */
  rulesFor(scopeId: string, path: string): FileRule[];
  /**
   * Where the regular expression of MATCHES occurs: line by line, case as written (`(?i)` ignores it), each occurrence
   * within one line. Takes time in proportion to the text, whatever the pattern (RE2), and yields to the event loop.
   * Texts beyond 1 MB and lines beyond 1,000 characters are not searched. Never throws.
   */
  findOccurrences(text: string, pattern: string, options?: OccurrenceOptions): Promise<Occurrences>;
  /** What is wrong with an entry's APPLIES_TO and MATCHES; nothing when it has none. */
  applicabilityFaults(metaknowledge: Metaknowledge): ApplicabilityFault[];
  /** Metaknowledge keys that entries use, most frequent first; counted over the 10,000 newest entries of each store. */
  metaknowledgeKeys(): string[];
  /** Numbers for the dashboard; yields to the event loop while it counts. */
  statistics(options?: StatisticsOptions): Promise<KnowledgeStatistics>;
  /** Notes that an agent was given these entries. Kept in memory and written now and then; never throws. */
  noteReads(entries: readonly ResolvedEntry[]): void;
}
