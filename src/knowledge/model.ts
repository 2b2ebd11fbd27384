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

/** One row of `get_knowledge`: the entry that wins for a keyword. */
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
}

/** An entry as it is stored in one scope, before inheritance. */
export interface StoredEntry extends EntryKey {
  content: string;
  metaknowledge: Metaknowledge;
  risks: Risk[];
  updated_at: string;
  author: string;
}

/** Who changes something and why. */
export interface Change {
  /** The MCP client's name, or the person's. */
  author: string;
  project_context?: string | undefined;
  reason?: string | undefined;
  signal?: AbortSignal | undefined;
}

export type RevisionAction = 'create' | 'update' | 'delete' | 'restore';

/** One change of an entry. `content` is null after a deletion, `previous_content` before the first creation. */
export interface Revision {
  number: number;
  action: RevisionAction;
  at: string;
  author: string;
  project_context: string;
  reason: string | null;
  content: string | null;
  metaknowledge: Metaknowledge | null;
  previous_content: string | null;
  previous_metaknowledge: Metaknowledge | null;
}

export type StoreIfMissingResult =
  | { success: true }
  | { success: false; existing_content: string; existing_metaknowledge: Metaknowledge };

export interface StoreOverwriteResult {
  success: true;
  previous_content: string | null;
  previous_metaknowledge: Metaknowledge | null;
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

  storeIfMissing(entry: EntryInput, change: Change): Promise<StoreIfMissingResult>;
  storeOverwrite(entry: EntryInput, change: Change): Promise<StoreOverwriteResult>;
  delete(key: EntryKey, change: Change): Promise<void>;

  /** Categories that hold entries in this scope itself, with their number. */
  ownCategories(scopeId: string): { category: string; entries: number }[];
  /** Entries of one category in this scope itself, sorted by keyword. */
  ownEntries(scopeId: string, category: string): StoredEntry[];
  entry(key: EntryKey): StoredEntry | undefined;
  /** Oldest first; empty when the entry never existed. */
  history(key: EntryKey): Revision[];
  /** Brings back what the entry held after that revision; this is a new revision. */
  restore(key: EntryKey, revision: number, change: Change): Promise<StoredEntry>;
}
