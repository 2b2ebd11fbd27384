import type { AcquiredPage, Freshness, LibraryChange, SourceListing } from '../../library';
import type { RelationsImported } from '../../relations';
import type { ArtifactScore, AskedQuery, UseCount } from '../feedback-model';
import type { LearningChange, LearningImported } from '../model';
import type { LearnedKind, ScoreLevel } from '../vocabulary';

/** Looking after all knowledge there is (seed 003, 5.7.1). */

export interface HealthOptions {
  /** What to do about what is not as it should be; true unless told. */
  include_recommendations?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

export interface HealthReport {
  /** `problems`: something cannot be read or searched; `attention`: something should be looked at. */
  status: 'healthy' | 'attention' | 'problems';
  /** ISO 8601. */
  assessed_at: string;
  library: LibraryHealth;
  knowledge: { scopes: number; entries: number; stale: number; never_read: number; risks: number };
  bases: { bases: number; nodes: number; problems: number };
  notes: { spaces: number; notes: number; problems: number };
  learning: Readonly<Record<LearnedKind, number>> & {
    feedback: number;
    /** Things that were rated or used, by the level of their score. */
    scores: Readonly<Partial<Record<ScoreLevel, number>>>;
  };
  /** At most 1,000 are counted. */
  relations: number;
  findings: readonly HealthFinding[];
  recommendations?: readonly Recommendation[] | undefined;
}

export interface LibraryHealth {
  state: string;
  documents: number;
  chunks: number;
  failed: number;
  stale: number;
  open_requests: number;
}

export interface HealthFinding {
  severity: 'problem' | 'attention';
  area: 'library' | 'knowledge' | 'bases' | 'notes' | 'learning';
  /** A sentence. */
  message: string;
}

export interface Recommendation {
  /** 1 comes first. */
  priority: number;
  /** A sentence. */
  action: string;
  /** The tool and operation that does it, where there is one. */
  tool?: string | undefined;
}

export interface UsageAnalytics {
  /** What was asked and not found, most often first. */
  unanswered: readonly AskedQuery[];
  /** What was asked most. */
  asked: readonly AskedQuery[];
  used_most: readonly UseCount[];
  /** What was given and neither used nor rated, most often first. */
  never_used: readonly UseCount[];
  /** Most asked first. */
  by_tool: readonly { tool: string; times: number; unanswered: number }[];
  /** Newest first, UTC. */
  by_day: readonly { day: string; times: number; unanswered: number; tools: Readonly<Record<string, number>> }[];
  totals: { asked: number; unanswered: number };
}

export interface StaleOptions {
  /** 1 to 36,500; 365 unless told. */
  max_age_days?: number | undefined;
  /** Of each kind, 1 to 1,000; 100 unless told. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Something that nobody has looked at for long. */
export interface StaleItem {
  uri: string;
  kind: 'document' | 'entry' | 'node' | 'note';
  title: string;
  /** When it was published, looked at or changed last: ISO 8601, as exact as it is known. */
  date: string;
  age_days: number;
  /** What the date says: `published`, `looked at`, `changed`, `checked`. */
  by: 'published' | 'looked_at' | 'changed' | 'checked';
  freshness?: Freshness | undefined;
  /** Of a web page: what `refresh_web` takes. */
  source_id?: string | undefined;
}

export interface StaleContent {
  max_age_days: number;
  /** Oldest first. */
  documents: readonly StaleItem[];
  entries: readonly StaleItem[];
  nodes: readonly StaleItem[];
  notes: readonly StaleItem[];
  /** Scores from which age takes something off, most first. */
  scores: readonly Pick<
    ArtifactScore,
    'artifact' | 'artifact_type' | 'staleness_penalty' | 'composite_score' | 'last_used' | 'last_feedback'
  >[];
  /** Of each, all that there are, beyond the limit as well. */
  counts: { documents: number; entries: number; nodes: number; notes: number; scores: number };
  /** Documents of which no date is known. */
  undated_documents: number;
  /** What could not be looked at, in a sentence. */
  message?: string | undefined;
}

export interface RefreshReport {
  pages: readonly AcquiredPage[];
  checked: number;
  updated: number;
  failed: number;
}

/** Seed 003, 8.1, without what the library keeps itself. `scores` are the counts that they are made of beside feedback. */
export const COLLECTIONS = [
  'projects',
  'templates',
  'patterns',
  'decisions',
  'lessons',
  'feedback',
  'scores',
  'relationships',
] as const;
export type Collection = (typeof COLLECTIONS)[number];

export interface ExchangeOptions {
  /** All unless told. */
  collections?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
}

export interface ExportOptions extends ExchangeOptions {
  /** `json` unless told. */
  format?: 'json' | 'parquet' | undefined;
  /** What is personal as well, and what was asked; otherwise it is left out with all that names it. */
  personal?: boolean | undefined;
}

export interface Exported {
  /** The file: JSON, or a table of Parquet. The same knowledge always gives the same. */
  content: string | Buffer;
  counts: Readonly<Partial<Record<Collection, number>>>;
}

export interface ImportOptions extends ExchangeOptions {
  /** Take the file where it differs from what is here. */
  overwrite?: boolean | undefined;
}

export interface Imported extends LearningImported {
  relationships: RelationsImported;
}

/**
 * What is looked after: reports on all knowledge, sources that are looked at again, and files with everything that was
 * learned. Nothing is opened or counted before it is asked for.
 */
export interface AdministrationPart {
  /** Never throws for a part that cannot be opened: that is a finding. */
  health(options?: HealthOptions): Promise<HealthReport>;
  /** As far as it is counted. Of each list 1 to 1,000; 20 unless told. */
  usage(limit?: number): Promise<UsageAnalytics>;
  stale(options?: StaleOptions): Promise<StaleContent>;
  /**
   * Looks at web sources again, and reads those that have changed; all of them unless told, by document id or address.
   * Throws `unknown_document`, and `invalid_argument` for what is no web page; nothing is fetched then. What is wrong with
   * one page is told, and the rest goes on.
   */
  refreshWeb(sources: readonly string[] | undefined, change: LibraryChange): Promise<RefreshReport>;
  /** Those that `refreshWeb` would look at. Throws as it does. */
  webSources(sources: readonly string[] | undefined, signal?: AbortSignal): Promise<SourceListing[]>;
  /** Throws `invalid_argument` for a collection that there is not. */
  export(options?: ExportOptions): Promise<Exported>;
  /**
   * Writes what `export` gives to a file of the workspace folder: agents name no others. Throws `outside_root`, and
   * `conflict` where there is something of this name.
   */
  exportTo(path: string, options?: ExportOptions): Promise<{ path: string; counts: Exported['counts'] }>;
  /**
   * Takes in what `export` gave; which format it has is told by its beginning. All of it is checked before the first is stored: where something is wrong,
   * `invalid_argument` says where, and nothing has changed. Records and feedback come first, in the shared store, then
   * relations, in the stores that they belong to; an import that the system cuts off is completed by importing again:
   * what is there already is not there twice.
   */
  import(content: string | Buffer, options: ImportOptions, change: LearningChange): Promise<Imported>;
  /** The same of a file of the workspace folder. Throws `outside_root`, `unreadable_source`. */
  importFrom(path: string, options: ImportOptions, change: LearningChange): Promise<Imported>;
}
