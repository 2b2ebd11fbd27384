import { checkContinuityRecords } from './continuity';
import type { Disposable } from './core/disposable';
import { KaizenError } from './core/errors';
import { checkKnowledgeRecords, holdingBoth, type ImportPlan, requireScope } from './knowledge';
import { close, type KaizenOptions, type KaizenParts, listenTo, type Opened, open, requireProject } from './opening';
import type { Commit, Transaction } from './store';
import {
  atLine,
  emptyImportResult,
  type ImportConflict,
  type ImportOptions,
  type ImportResult,
  type ParsedRecord,
  type TransferRecord,
} from './transfer';

/** What an import would do: its counts, and every record that differs from what is there. */
export interface ImportPreview {
  result: ImportResult;
  conflicts: ImportConflict[];
}

/** What a person sets up or adds before a store is opened: the rooms themselves are behind this door. */
export { checkDefinitions, readBasesConfig, suggestBases } from './bases';
export { libraryRoles, setUpLibrary } from './library';
export { type KaizenOptions, type KaizenParts, modelsIn } from './opening';
export { createEmbedder, installLocalModel, isLocalModelInstalled, isLocalModelSound, localModel } from './search';

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
   * Stores the records of a file, those of the shared store first, each store's in one transaction (in several where
   * there are many hundreds of entries, all while nobody else can write); what is there already and differs is kept,
   * unless it is to be overwritten (docs/import-export.md). All of them are checked before the first is stored: a
   * KaizenError names the line, and nothing has changed then. An import that the system cuts off is completed by
   * importing once more. Yields to the event loop; `signal` can stop it until the first is stored.
   */
  async importRecords(records: readonly ParsedRecord[], options: ImportOptions): Promise<ImportResult> {
    const checked = await checkRecords(records);
    const opened = await this.open();
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

  /** Waits for writes under way and lets go of every file. */
  async close(): Promise<void> {
    this.closed = true;
    const opened = await this.opening?.catch(() => undefined);
    if (opened) await close(opened);
  }

  private open(): Promise<Opened> {
    if (this.closed) throw new KaizenError('store_closed', 'Kaizen was closed.');
    this.opening ??= open(this.options).catch((error) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }
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
