import type { AcquiredPage, LibraryChange, SourceListing } from '../../library';
import type { RelationsImported } from '../../relations';
import type { LearningChange, LearningImported } from '../model';
import type { HealthOptions, HealthReport, StaleContent, StaleOptions, UsageAnalytics } from './reports-model';

/** Looking after all knowledge there is (seed 003, 5.7.1). */

export * from './reports-model';

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
