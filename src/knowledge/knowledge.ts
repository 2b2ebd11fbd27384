import type { Clock } from '../core/clock';
import { KaizenError } from '../core/errors';
import { compareText } from '../core/text';
import type { Reader, Transaction } from '../store';
import type { ImportOptions, ImportResult, KnowledgeRecord } from '../transfer';
import { deleteEntries, readCategory, readEntry, readHistory, unknownEntry, writeEntry } from './entries';
import { exportKnowledge } from './export';
import { type ImportPlan, planImport } from './import';
import type { CheckedRecords } from './import-check';
import type {
  CategoryListing,
  Change,
  EntryInput,
  EntryKey,
  KnowledgePart,
  ResolvedEntry,
  Revision,
  Scope,
  ScopeDefinition,
  ScopeListing,
  StoredEntry,
  StoreIfMissingResult,
  StoreOverwriteResult,
} from './model';
import { checkContent, checkKey, checkMetaknowledge } from './names';
import { Resolution } from './resolution';
import { Scopes } from './scopes';
import { type Stores, storeOf } from './stores';

/** The knowledge protocol of seed 000; see `KnowledgePart`. */
export class Knowledge implements KnowledgePart {
  readonly scopes: Scopes;
  private readonly resolution: Resolution;

  constructor(
    private readonly stores: Stores,
    private readonly clock: Clock,
    private readonly currentProject: string | undefined,
  ) {
    this.scopes = new Scopes(stores);
    this.resolution = new Resolution(stores, this.scopes);
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
    return this.getKnowledge(scopeId, this.resolution.keywordsWithRisk(scopeId)).filter(
      ({ risks }) => risks.length > 0,
    );
  }

  async storeIfMissing(input: EntryInput, change: Change): Promise<StoreIfMissingResult> {
    const { key, state } = checked(input);
    return this.write(key, change, (transaction) => {
      const existing = readEntry(transaction, key);
      if (existing) {
        return { success: false, existing_content: existing.content, existing_metaknowledge: existing.metaknowledge };
      }
      writeEntry(transaction, key, state, 'create', change, this.clock.now());
      return { success: true };
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

  ownEntries(scopeId: string, category: string): StoredEntry[] {
    return readCategory(this.readerOf(scopeId), scopeId, category);
  }

  entry(input: EntryKey): StoredEntry | undefined {
    const key = checkKey(input);
    return readEntry(this.readerOf(key.scope_id), key);
  }

  history(input: EntryKey): Revision[] {
    const key = checkKey(input);
    return readHistory(this.readerOf(key.scope_id), key);
  }

  async restore(input: EntryKey, revision: number, change: Change): Promise<StoredEntry> {
    const key = checkKey(input);
    return this.write(key, change, (transaction) => {
      const history = readHistory(transaction, key);
      const wanted = history.find(({ number }) => number === revision);
      if (!wanted) {
        throw new KaizenError(
          'invalid_argument',
          `The entry "${key.keyword}" has no revision ${revision}.`,
          history.length > 0 ? `It has revisions 1 to ${history.length}.` : 'It was never stored.',
        );
      }
      if (wanted.content === null || wanted.metaknowledge === null) {
        throw new KaizenError(
          'invalid_argument',
          `Revision ${revision} of "${key.keyword}" is a deletion, so there is nothing to bring back from it.`,
          `Restore revision ${revision - 1} to have what was deleted.`,
        );
      }
      const state = { content: wanted.content, metaknowledge: wanted.metaknowledge };
      const reason = change.reason ?? `Restored revision ${revision}.`;
      writeEntry(transaction, key, state, 'restore', { ...change, reason }, this.clock.now());
      return readEntry(transaction, key)!;
    });
  }

  /** Everything that both stores hold, sorted as a file holds it. */
  exportRecords(): KnowledgeRecord[] {
    return exportKnowledge(this.stores, this.scopes.all());
  }

  /** What importing the records would do, counted in `result`. Both stores must be held until it is done. */
  planImport(records: CheckedRecords, options: ImportOptions, result: ImportResult): ImportPlan {
    return planImport(this.stores, this.scopes.all(), records, { ...options, at: this.clock.now() }, result);
  }

  private readerOf(scopeId: string): Reader {
    return storeOf(this.stores, this.scopes.require(scopeId).tier).read();
  }

  private write<T>(key: EntryKey, change: Change, action: (transaction: Transaction) => T): Promise<T> {
    return storeOf(this.stores, this.scopes.require(key.scope_id).tier).write(action, change.signal);
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
