import type { Clock } from '../core/clock';
import { compareText } from '../core/text';
import { Turns } from '../core/turns';
import { type Reader, rehearse, type Transaction } from '../store';
import type { ImportOptions, ImportResult, KnowledgeRecord } from '../transfer';
import { Applicability, applicabilityFaults, untied } from './applicability';
import { findOccurrences } from './applicability-occurrences';
import { requireRevision } from './base-revision';
import { describeCategory } from './categories';
import { readChanges } from './changes';
import { deleteEntries, readCategory, readEntry, unknownEntry, writeEntry } from './entries';
import { readKeywordsFrom, readTexts } from './entry-texts';
import { exportKnowledge } from './export';
import { entriesAt, findEntries } from './find';
import { readHistory, readLatestRevisions } from './history';
import { type ImportPlan, planImport } from './import';
import type { CheckedRecords } from './import-check';
import { MetaknowledgeKeys } from './metaknowledge-keys';
import type {
  ApplicabilityFault,
  CategoryListing,
  Change,
  ChangeQuery,
  EffectiveEntry,
  EntryChange,
  EntryInput,
  EntryKey,
  EntryText,
  FileRule,
  FileWarning,
  FoundEntry,
  KnowledgePart,
  KnowledgeStatistics,
  LatestRevision,
  Metaknowledge,
  OccurrenceOptions,
  Occurrences,
  Page,
  ResolvedEntry,
  Revision,
  Scope,
  ScopeDefinition,
  ScopeListing,
  Standing,
  StatisticsOptions,
  StoredEntry,
  StoreIfMissingResult,
  StoreOverwriteResult,
} from './model';
import { moveEntry } from './move';
import { checkCategory, checkContent, checkKey, checkMetaknowledge } from './names';
import { ReadCounter } from './reads';
import { Resolution } from './resolution';
import { restoreRevision, undoChange } from './restore';
import { countRisks } from './risk-counts';
import { Scopes } from './scopes';
import { countKnowledge } from './statistics';
import { storedNotices } from './stored-notices';
import { type Stores, scopesOf, storeOf } from './stores';

/** Entries with a risk that are read in one go, within a turn. */
const RISKS_AT_ONCE = 250;

/** The knowledge protocol of seed 000; see `KnowledgePart`. */
export class Knowledge implements KnowledgePart {
  readonly scopes: Scopes;
  private readonly resolution: Resolution;
  private readonly applicability: Applicability;
  private readonly metaknowledge: MetaknowledgeKeys;
  private readonly reads: ReadCounter | undefined;

  constructor(
    private readonly stores: Stores,
    private readonly clock: Clock,
    private readonly currentProject: string | undefined,
    { countReads = false }: { countReads?: boolean | undefined } = {},
  ) {
    this.scopes = new Scopes(stores);
    this.resolution = new Resolution(stores, this.scopes);
    this.applicability = new Applicability(stores, this.scopes, this.resolution);
    this.metaknowledge = new MetaknowledgeKeys(stores);
    if (countReads) this.reads = new ReadCounter(stores, clock);
  }

  listScopes(): ScopeListing[] {
    const counts = new Map(
      [this.stores.workspace, this.stores.shared].map((store) => [store, entryCounts(store.read())]),
    );
    return [...this.scopes.all().values()]
      .sort((a, b) => compareText(a.id, b.id))
      .map(({ id, tier, name, description, parents }) => ({
        scope_id: id,
        tier,
        name,
        ...(description ? { description } : {}),
        parents,
        entry_count: counts.get(storeOf(this.stores, tier))?.get(id) ?? 0,
        is_current_project: id === this.currentProject,
      }));
  }

  scope(scopeId: string): Scope {
    return this.scopes.require(scopeId);
  }

  chain(scopeId: string): Scope[] {
    return this.scopes.chain(scopeId);
  }

  defineScope(definition: ScopeDefinition, change: Change): Promise<Scope> {
    return this.scopes.define(definition, change);
  }

  deleteScope(scopeId: string, { confirmed }: { confirmed: boolean }, change: Change): Promise<void> {
    return this.scopes.delete(scopeId, confirmed, change, (transaction) => {
      const reason = change.reason ?? 'The scope was deleted.';
      deleteEntries(transaction, scopeId, { ...change, reason }, this.clock.now());
    });
  }

  getCategories(scopeId: string): CategoryListing[] {
    return this.resolution.categories(scopeId);
  }

  getKeywords(scopeId: string, categories: string[]): Record<string, string[]> {
    return this.resolution.keywords(
      scopeId,
      categories.map((category) => category.trim()),
    );
  }

  getKnowledge(scopeId: string, keywords: string[], categories?: string[]): ResolvedEntry[] {
    return this.resolution.entries(
      scopeId,
      keywords.map((keyword) => keyword.trim()),
      // Models fill optional lists with nothing in them; that must not hide a warning.
      categories?.length ? categories.map((category) => category.trim()) : undefined,
    );
  }

  getRisks(scopeId: string): ResolvedEntry[] {
    return this.effectiveFor(scopeId, this.resolution.keywordsWithRisk(scopeId)).filter(
      ({ risks }) => risks.length > 0,
    );
  }

  async gatherRisks(scopeId: string): Promise<ResolvedEntry[]> {
    const turns = new Turns();
    const keywords = this.resolution.keywordsWithRisk(scopeId);
    const found: ResolvedEntry[] = [];
    for (let from = 0; from < keywords.length; from += RISKS_AT_ONCE) {
      await turns.pause();
      const some = this.effectiveFor(scopeId, keywords.slice(from, from + RISKS_AT_ONCE));
      found.push(...some.filter(({ risks }) => risks.length > 0));
    }
    return found;
  }

  async storeIfMissing(input: EntryInput, change: Change): Promise<StoreIfMissingResult> {
    const { key, state } = checked(input);
    return this.write(key, change, (transaction) => {
      const existing = readEntry(transaction, key);
      if (existing) {
        return { success: false, existing_content: existing.content, existing_metaknowledge: existing.metaknowledge };
      }
      writeEntry(transaction, key, state, 'create', change, this.clock.now());
      return { success: true, ...storedNotices(state) };
    });
  }

  async storeOverwrite(input: EntryInput, change: Change): Promise<StoreOverwriteResult> {
    const { key, state } = checked(input);
    return this.write(key, change, (transaction) => {
      const existing = readEntry(transaction, key);
      writeEntry(transaction, key, state, existing ? 'update' : 'create', change, this.clock.now());
      return {
        success: true,
        previous_content: existing?.content ?? null,
        previous_metaknowledge: existing?.metaknowledge ?? null,
        ...untied(existing?.metaknowledge, state.metaknowledge),
        ...storedNotices(state),
      };
    });
  }

  async delete(input: EntryKey, change: Change): Promise<void> {
    const key = checkKey(input);
    await this.write(key, change, (transaction) => {
      if (!readEntry(transaction, key)) throw unknownEntry(transaction, key);
      writeEntry(transaction, key, null, 'delete', change, this.clock.now());
    });
  }

  ownCategories(scopeId: string): { category: string; entries: number }[] {
    return this.readerOf(scopeId)
      .all<{ category: string; entries: number }>(
        'SELECT name AS category, entries FROM category WHERE scope_id = ? AND entries > 0',
        [scopeId],
      )
      .sort((a, b) => compareText(a.category, b.category));
  }

  riskCounts(scopeId?: string): { scope_id: string; category: string; risks: number }[] {
    const scopes = scopeId === undefined ? this.scopes.all() : new Map([[scopeId, this.scopes.require(scopeId)]]);
    return countRisks(this.stores, scopes);
  }

  ownEntries(scopeId: string, category: string, page?: Page): StoredEntry[] {
    return readCategory(this.readerOf(scopeId), scopeId, category, page);
  }

  entry(input: EntryKey): StoredEntry | undefined {
    const key = checkKey(input);
    return readEntry(this.readerOf(key.scope_id), key);
  }

  entriesAt(keys: readonly EntryKey[]): FoundEntry[] {
    return entriesAt(this.stores, this.scopes.all(), keys);
  }

  entryTexts(scopeId: string, after: Pick<EntryKey, 'category' | 'keyword'> | undefined, limit: number): EntryText[] {
    return readTexts(this.readerOf(scopeId), scopeId, after, limit);
  }

  keywordsFrom(beginning: string, limit: number): EntryKey[] {
    const stores = new Set([this.stores.workspace, this.stores.shared]);
    return readKeywordsFrom(
      [...stores].map((store) => store.read()),
      beginning,
      limit,
    );
  }

  history(input: EntryKey): Revision[] {
    const key = checkKey(input);
    return readHistory(this.readerOf(key.scope_id), key);
  }

  latestRevisions(keys: readonly EntryKey[]): LatestRevision[] {
    return scopesOf(this.stores, this.scopes.all()).flatMap(({ store, ids }) => {
      const here = new Set(ids);
      const wanted = keys.filter(({ scope_id }) => here.has(scope_id));
      return wanted.length === 0 ? [] : readLatestRevisions(store.read(), wanted);
    });
  }

  async restore(input: EntryKey, revision: number, change: Change): Promise<StoredEntry> {
    const key = checkKey(input);
    return this.write(key, change, (transaction) =>
      restoreRevision(transaction, key, revision, change, this.clock.now()),
    );
  }

  statistics(options?: StatisticsOptions): Promise<KnowledgeStatistics> {
    return countKnowledge(this.stores, this.scopes.all(), this.clock.now(), options);
  }

  noteReads(entries: readonly ResolvedEntry[]): void {
    this.reads?.note(entries);
  }

  /** Writes down the reads that were noted; to be called before the stores are closed. Never rejects. */
  async close(): Promise<void> {
    await this.reads?.close();
  }

  async undo(input: EntryKey, revision: number, change: Change): Promise<void> {
    const key = checkKey(input);
    await this.write(key, change, (transaction) => undoChange(transaction, key, revision, change, this.clock.now()));
  }

  async move(from: EntryKey, to: EntryKey, change: Change): Promise<StoredEntry> {
    const now = () => this.clock.now();
    return moveEntry(this.stores, () => this.scopes.all(), checkKey(from), checkKey(to), change, now);
  }

  async describeCategory(scopeId: string, name: string, description: string, change: Change): Promise<void> {
    const category = { scope_id: this.scopes.require(scopeId).id, name: checkCategory(name) };
    const store = storeOf(this.stores, this.scopes.require(scopeId).tier);
    await store.write((transaction) => describeCategory(transaction, category, description), change.signal);
  }

  changes(query: ChangeQuery = {}): EntryChange[] {
    return readChanges(this.stores, this.scopes.all(), query);
  }

  standing(input: EntryKey, viewpoint?: string): Standing {
    const key = checkKey(input);
    const isSeen =
      viewpoint !== undefined &&
      this.scopes.all().has(viewpoint) &&
      this.scopes.chain(viewpoint).some(({ id }) => id === key.scope_id);
    return this.resolution.standing(key, isSeen ? viewpoint : this.scopes.require(key.scope_id).id);
  }

  effectiveFor(scopeId: string, keywords: readonly string[]): ResolvedEntry[] {
    return this.resolution.inEffect(scopeId, keywords);
  }

  effectiveCategories(scopeId: string): { category: string; entries: number }[] {
    return this.resolution.effectiveCategories(scopeId);
  }

  effectiveEntries(scopeId: string, category: string, page?: Page): EffectiveEntry[] {
    return this.resolution.effectiveEntries(scopeId, category.trim(), page);
  }

  find(query: string, limit?: number): FoundEntry[] {
    return findEntries(this.stores, this.scopes.all(), query, limit);
  }

  metaknowledgeKeys(): string[] {
    return this.metaknowledge.keys(this.scopes.all());
  }

  warningsFor(scopeId: string, path: string, limit?: number): FileWarning[] {
    return this.applicability.warnings(scopeId, path, limit);
  }

  prepareWarnings(scopeId: string): Promise<void> {
    return this.applicability.prepare(scopeId);
  }

  rulesFor(scopeId: string, path: string): FileRule[] {
    return this.applicability.allRules(scopeId, path);
  }

  findOccurrences(text: string, pattern: string, options?: OccurrenceOptions): Promise<Occurrences> {
    return findOccurrences(text, pattern, options);
  }

  applicabilityFaults(metaknowledge: Metaknowledge): ApplicabilityFault[] {
    return applicabilityFaults(metaknowledge);
  }

  /** Everything that both stores hold, sorted as a file holds it. */
  exportRecords(): Promise<KnowledgeRecord[]> {
    return exportKnowledge(this.stores, this.scopes.all());
  }

  /** What importing the records would do, counted in `result`. Both stores must be held until it is done. */
  planImport(records: CheckedRecords, options: ImportOptions, result: ImportResult): Promise<ImportPlan> {
    return planImport(this.stores, this.scopes.all(), records, { ...options, at: this.clock.now() }, result);
  }

  private readerOf(scopeId: string): Reader {
    return storeOf(this.stores, this.scopes.require(scopeId).tier).read();
  }

  private write<T>(key: EntryKey, change: Change, action: (transaction: Transaction) => T): Promise<T> {
    const store = storeOf(this.stores, this.scopes.require(key.scope_id).tier);
    const { base_revision: base } = change;
    const checkedAction = (transaction: Transaction) => {
      if (base !== undefined) requireRevision(transaction, key, base);
      return action(transaction);
    };
    return change.rehearse ? rehearse(store, checkedAction, change.signal) : store.write(checkedAction, change.signal);
  }
}

function checked(input: EntryInput) {
  const key = checkKey({ scope_id: input.target_scope_id, category: input.category, keyword: input.keyword });
  const state = {
    content: checkContent(input.content),
    metaknowledge: checkMetaknowledge(input.metaknowledge ?? {}),
  };
  return { key, state };
}

function entryCounts(reader: Reader): Map<string, number> {
  const rows = reader.all<{ scope_id: string; entries: number }>(
    'SELECT scope_id, sum(entries) AS entries FROM category GROUP BY scope_id',
  );
  return new Map(rows.map(({ scope_id, entries }) => [scope_id, entries]));
}
