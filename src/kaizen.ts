import { checkContinuityRecords } from './continuity';
import type { Disposable } from './core/disposable';
import { KaizenError } from './core/errors';
import { sentence } from './core/sentence';
import { Turns } from './core/turns';
import { buildGuardIndex, type GuardIndex } from './guard';
import { type SecretsLook, secretsAmong, withoutSecrets } from './imported-secrets';
import {
  checkEntryRecord,
  checkKnowledgeRecords,
  holdingBoth,
  type ImportPlan,
  projectIds,
  requireScope,
  riskLevels,
  type UnreadableRule,
  unreadableRules,
} from './knowledge';
import {
  close,
  type KaizenOptions,
  type KaizenParts,
  listenTo,
  type Opened,
  open,
  requireProject,
  STORE_SCHEMAS,
} from './opening';
import type { SecretPlace, SecretPolicy } from './safety';
import { type Commit, inspectStore, type StoreInspection, type Transaction } from './store';
import { findStoredSecrets, type StoredSecret } from './stored-secrets';
import {
  atLine,
  type EntryRecord,
  emptyImportResult,
  type Holding,
  type HoldingEntry,
  type ImportConflict,
  type ImportOptions,
  type ImportResult,
  type ParsedRecord,
  type TransferRecord,
} from './transfer';
import type { ReviewedDraft, RuleDraft, RulesReading, RulesSource, StoredText } from './transfer/rules';

/** What an import would do: its counts, and every record that differs from what is there. */
export interface ImportPreview {
  result: ImportResult;
  conflicts: ImportConflict[];
}

/** Entries that are read before others have their turn. */
const REVIEWED_AT_ONCE = 500;

/** What a person sets up or adds before a store is opened: the rooms themselves are behind this door. */
export { checkDefinitions, readBasesConfig, suggestBases } from './bases';
export { keepGuardIndex, refreshGuardIndex } from './guard';
export { libraryRoles, setUpLibrary } from './library';
export { type KaizenOptions, type KaizenParts, modelsIn } from './opening';
export { createEmbedder, installLocalModel, isLocalModelInstalled, isLocalModelSound, localModel } from './search';
export { inspectLocks } from './store';

/**
 * What a store's directory holds, as it is on the disk, whatever is wrong with it, and of a sound one its projects and which
 * rules cannot be read. Changes nothing, never throws.
 */
export async function inspectKaizenStore(
  directory: string,
): Promise<StoreInspection & { unreadable: readonly UnreadableRule[]; projects: readonly string[] }> {
  let unreadable: readonly UnreadableRule[] = [];
  let projects: readonly string[] = [];
  const inspection = await inspectStore(directory, STORE_SCHEMAS, (stored) => {
    unreadable = unreadableRules(stored);
    projects = projectIds(stored);
  });
  return { ...inspection, unreadable, projects };
}

/** The hall: opens the stores when they are first needed and hands out the parts that work on them. */
export class Kaizen {
  private opening: Promise<Opened> | undefined;
  private closed = false;

  constructor(private readonly options: KaizenOptions) {}

  /** Scope id of the current project, as given. */
  get project(): string | undefined {
    return this.options.project;
  }

  /** Opens the stores on the first call. A failed opening is tried again on the next. */
  async parts(): Promise<KaizenParts> {
    return this.open();
  }

  /** Calls `listener` after changes by this process or another. Opens the stores. */
  async onDidChange(listener: (topics: ReadonlySet<string>) => void): Promise<Disposable> {
    const { workspace, shared } = await this.open();
    return listenTo([workspace, shared], listener);
  }

  /** Everything that both stores hold, sorted as an export file holds it (docs/import-export.md). */
  async exportRecords(): Promise<TransferRecord[]> {
    const { knowledge, continuity } = await this.open();
    const projects = knowledge.listScopes().filter(({ tier }) => tier === 'PROJECT');
    return [
      ...(await knowledge.exportRecords()),
      ...continuity.exportRecords(new Set(projects.map(({ scope_id }) => scope_id))),
    ];
  }

  /**
   * What holds in a scope: of each keyword what the most specific scope says, with who wrote it last. Throws
   * `unknown_scope`. Yields to the event loop.
   */
  async holding(scopeId: string, signal?: AbortSignal): Promise<Holding> {
    const { knowledge, continuity } = await this.open();
    const chain = knowledge.chain(scopeId);
    const turns = new Turns(signal);
    const written = new Map<string, EntryRecord>();
    for (const record of await knowledge.exportRecords()) {
      if (record.type === 'entry') written.set(JSON.stringify([record.scope, record.category, record.keyword]), record);
    }
    const entries: HoldingEntry[] = [];
    for (const { category } of knowledge.effectiveCategories(scopeId)) {
      await turns.pause();
      for (const {
        keyword,
        content,
        metaknowledge,
        risks,
        source_scope,
        source_tier,
        overrides,
      } of knowledge.effectiveEntries(scopeId, category)) {
        const record = written.get(JSON.stringify([source_scope, category, keyword]));
        // Deleted in between.
        if (!record) continue;
        const { at, author, by_agent } = record;
        const others = [...new Set(overrides.map(({ scope_id }) => scope_id))];
        entries.push({
          ...{ scope: source_scope, tier: source_tier, category, keyword, content, metaknowledge },
          ...{ at, author, by_agent, overrides: others, risks: risks.map(({ level, text }) => ({ level, text })) },
        });
      }
    }
    const isProject = chain[0]?.tier === 'PROJECT';
    const continued = isProject ? continuity.exportRecords(new Set([scopeId])) : [];
    return {
      chain: chain.map(({ id, tier, name, description }) => ({ id, tier, name, description: description ?? null })),
      overview: continued.find((record) => record.type === 'overview'),
      entries,
    };
  }

  /**
   * Stores the records of a file, those of the shared store first, each store's in one transaction (in several where
   * there are many hundreds of entries, all while nobody else can write); what is there already and differs is kept,
   * unless it is to be overwritten (docs/import-export.md). All of them are checked before the first is stored: a
   * KaizenError names the line, and nothing has changed then. An import that the system cuts off is completed by
   * importing once more. Yields to the event loop; `signal` can stop it until the first is stored.
   */
  async importRecords(records: readonly ParsedRecord[], options: ImportOptions): Promise<ImportResult> {
    const opened = await this.open();
    const look = lookIn(opened, records, options, this.options.safety?.policy);
    const checked = await checkRecords(await withoutSecrets(records, look, options));
    const { workspace, shared } = opened;
    return holdingBoth(
      opened,
      async (commits) => {
        const { result, plan, applyContinuity } = await planRecords(opened, checked, options);
        options.signal?.throwIfAborted();
        if (workspace === shared) {
          await applyAll(commits.shared, plan.shared, applyContinuity);
        } else {
          await applyAll(commits.shared, plan.shared);
          await applyAll(commits.workspace, plan.workspace, applyContinuity);
        }
        return result;
      },
      options.signal,
    );
  }

  /** What `importRecords` would do as things are now, and what it would have to decide. Changes nothing. */
  async previewImport(records: readonly ParsedRecord[], options: ImportOptions): Promise<ImportPreview> {
    const checked = await checkRecords(records);
    const conflicts: ImportConflict[] = [];
    const onConflict = (conflict: ImportConflict) => conflicts.push(conflict);
    const { result } = await planRecords(await this.open(), checked, { ...options, onConflict });
    return { result, conflicts };
  }

  /** Where `importRecords` would find secrets as things are now; by their line, as it tells them. Changes nothing. */
  async secretsIn(records: readonly ParsedRecord[], options: ImportOptions): Promise<readonly SecretPlace[]> {
    return secretsAmong(records, lookIn(await this.open(), records, options), options);
  }

  /**
   * What hooks need to know of a project, as things are now. `shared` is the shared store's real path, by which the index
   * is found again. Yields to the event loop.
   */
  async guardIndex(place: { project: string; shared: string }): Promise<GuardIndex> {
    const { knowledge, continuity, workspace, shared } = await this.open();
    const stamps = () => ({ workspace: workspace.stamp(), shared: shared.stamp() });
    return buildGuardIndex({ knowledge, continuity, stamps }, place);
  }

  /**
   * What other tools' files would become (`./transfer/rules`): drafts that break no limit of the stores, and what became of
   * everything else. Opens no store; yields to the event loop.
   */
  async readRules(source: RulesSource, signal?: AbortSignal): Promise<RulesReading> {
    const { readRules } = await import('./transfer/rules');
    return readRules(source, checkEntryRecord, signal);
  }

  /**
   * What other tools keep (`./transfer/rules`), compared with what holds in a scope and flagged, for a person to look
   * through before any of it is imported; the scope may be one that is yet to be defined. Changes nothing; yields to the
   * event loop.
   */
  async reviewRules(drafts: readonly RuleDraft[], scopeId: string, signal?: AbortSignal): Promise<ReviewedDraft[]> {
    const { knowledge } = await this.open();
    const scopes = knowledge.listScopes();
    const isDefined = scopes.some(({ scope_id }) => scope_id === scopeId);
    const general = scopes.filter(({ tier }) => tier === 'GENERAL').map(({ scope_id }) => scope_id);
    const chain = isDefined ? knowledge.chain(scopeId).map(({ id }) => id) : general;
    const stored: StoredText[] = [];
    const turns = new Turns(signal);
    for (const id of chain) {
      let texts: StoredText[] = [];
      do {
        await turns.pause();
        texts = knowledge.entryTexts(id, texts.at(-1), REVIEWED_AT_ONCE);
        stored.push(...texts);
      } while (texts.length === REVIEWED_AT_ONCE);
    }
    const { reviewDrafts } = await import('./transfer/rules');
    return reviewDrafts(drafts, stored, scopeId, riskLevels, signal);
  }

  /** What is stored and looks as if it held a secret, wherever it is. Changes nothing; in short turns. */
  async findSecrets(signal?: AbortSignal): Promise<StoredSecret[]> {
    return findStoredSecrets(await this.open(), await this.exportRecords(), signal);
  }

  /** Waits for writes under way and lets go of every file. */
  async close(): Promise<void> {
    this.closed = true;
    const opened = await this.opening?.catch(() => undefined);
    if (opened) await close(opened);
  }

  private open(): Promise<Opened> {
    if (this.closed) throw new KaizenError('store_closed', sentence('Kaizen was closed.'));
    this.opening ??= open(this.options).then(
      (opened) => {
        if (!this.closed) this.options.onOpened?.();
        return opened;
      },
      (error) => {
        this.opening = undefined;
        throw error;
      },
    );
    return this.opening;
  }
}

/** What an import's secrets are looked for with, as things are now. */
function lookIn(
  opened: Opened,
  records: readonly ParsedRecord[],
  options: ImportOptions,
  policy?: SecretPolicy,
): SecretsLook {
  const kept = async () => {
    const lines = new Set<number>();
    await planRecords(opened, await checkRecords(records), { ...options, onKept: (line) => lines.add(line) });
    return lines;
  };
  return { check: opened.check, policy, kept };
}

/** Needs no store, so that nobody waits for it. */
async function checkRecords(records: readonly ParsedRecord[]) {
  return { knowledge: await checkKnowledgeRecords(records), continuity: checkContinuityRecords(records) };
}

async function planRecords(
  { knowledge, continuity }: Opened,
  checked: Awaited<ReturnType<typeof checkRecords>>,
  options: ImportOptions,
) {
  const result = emptyImportResult();
  const plan = await knowledge.planImport(checked.knowledge, options, result);
  for (const { line, record } of checked.continuity) {
    atLine(line, () => requireProject(requireScope(record.project, plan.scopes)));
  }
  return { result, plan, applyContinuity: continuity.planImport(checked.continuity, options, result) };
}

/**
 * All changes of one store: as one transaction, or where an import has very many entries as several, between which
 * others have their turn. `last` goes with the first of them.
 */
async function applyAll(commit: Commit, steps: ImportPlan['shared'], last?: (transaction: Transaction) => void) {
  const [first, ...more] = steps;
  if (first || last) {
    commit((transaction) => {
      first?.(transaction);
      last?.(transaction);
    });
  }
  for (const step of more) {
    await new Promise((resolve) => setImmediate(resolve));
    commit(step);
  }
}
