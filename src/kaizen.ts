import { join } from 'node:path';
import { type BaseDefinition, type BasesPart, openBases } from './bases';
import { Continuity, type ContinuityPart, checkContinuityRecords, continuitySchema } from './continuity';
import { type Clock, systemClock } from './core/clock';
import type { Disposable } from './core/disposable';
import { describeError, isKaizenError, KaizenError } from './core/errors';
import { realPath } from './core/locations';
import { type DiscoveryPart, type DiscoverySettings, discoverySchema, openDiscovery } from './discovery';
import {
  checkKnowledgeRecords,
  holdingBoth,
  type ImportPlan,
  Knowledge,
  type KnowledgePart,
  knowledgeSchema,
  requireScope,
  type Scope,
  type ScopeDefinition,
} from './knowledge';
import { Review, type ReviewPart, reviewSchema } from './review';
import type { EmbeddingOptions } from './search';
import { type Commit, Store, type Transaction } from './store';
import {
  atLine,
  emptyImportResult,
  type ImportConflict,
  type ImportOptions,
  type ImportResult,
  type ParsedRecord,
  type TransferRecord,
} from './transfer';

export interface KaizenOptions {
  /** Directory of the workspace's store: PROJECT scopes and continuity. Made when it is missing. */
  data: string;
  /** Directory of the shared store: GENERAL, PRODUCT and GROUP scopes. Made when it is missing. */
  shared: string;
  /** Scope id of the current project. */
  project?: string | undefined;
  /** Define the current project's PROJECT scope when it does not exist. */
  defineProject?: boolean;
  /** Define the GENERAL scope `general` when there is none. */
  ensureGeneral?: boolean;
  /** Write down which entries agents were given, now and then. Nothing is counted otherwise. */
  countReads?: boolean;
  /** The workspace folder, absolute: the files that agents name are relative to it. */
  workspace?: string | undefined;
  /** The markdown knowledge bases. */
  bases?: readonly BaseDefinition[];
  /** Follow the files of the bases by the system's own means; otherwise somebody calls `bases.touched`. */
  watchBases?: boolean;
  /** Where what bases and search know is kept between runs; beside the workspace's store unless told. */
  indexDirectory?: string | undefined;
  /** Weights and thresholds of `discover_context`. */
  discovery?: Partial<DiscoverySettings> | undefined;
  /** Search by meaning as well; none unless told. */
  embeddings?: EmbeddingOptions | undefined;
  clock?: Clock;
  /** Told in words for a person when damage was found and what was done about it. */
  onReport?: (message: string) => void;
  /** Told what bases and search could not do and go on without, for a log; `onReport` unless told. */
  onLog?: (message: string) => void;
}

/** What an import would do: its counts, and every record that differs from what is there. */
export interface ImportPreview {
  result: ImportResult;
  conflicts: ImportConflict[];
}

/** What a person sets up or adds before a store is opened: the rooms themselves are behind this door. */
export { readBasesConfig, suggestBases } from './bases';
export { createEmbedder, installLocalModel, isLocalModelInstalled, localModel } from './search';

/** What the doors work with, once the stores are open. */
export interface KaizenParts {
  knowledge: KnowledgePart;
  continuity: ContinuityPart;
  review: ReviewPart;
  bases: BasesPart;
  discovery: DiscoveryPart;
}

interface Opened {
  workspace: Store;
  shared: Store;
  knowledge: Knowledge;
  continuity: Continuity;
  review: Review;
  bases: BasesPart;
  discovery: DiscoveryPart;
}

/** Derived data, which may be deleted at any time: what bases and search know, beside the store that it belongs to. */
const INDEX = 'index';
/** Vectors by the hash of their text, and the local model: one for all workspaces. */
const EMBEDDINGS = 'embeddings';
const MODELS = 'models';

/** Where the local model is kept beside the shared store. */
export function modelsIn(shared: string): string {
  return join(shared, MODELS);
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
    await opened?.discovery.close();
    await opened?.bases.close();
    await opened?.knowledge.close();
    if (opened) await Promise.all([...new Set([opened.workspace, opened.shared])].map((store) => store.close()));
  }

  private open(): Promise<Opened> {
    if (this.closed) throw new KaizenError('store_closed', 'Kaizen was closed.');
    this.opening ??= this.openStores().catch((error) => {
      this.opening = undefined;
      throw error;
    });
    return this.opening;
  }

  private async openStores(): Promise<Opened> {
    const { data, shared: sharedDirectory, clock = systemClock, project, countReads, onReport } = this.options;
    const log = this.options.onLog ?? onReport;
    const storeOptions = {
      schemas: [knowledgeSchema, continuitySchema, reviewSchema, discoverySchema],
      clock,
      ...(onReport ? { onReport } : {}),
    };
    const stores = [await Store.open(data, storeOptions)];
    try {
      // Two stores on one directory would wait for each other's lock for ever.
      if (realPath(data) !== realPath(sharedDirectory)) {
        stores.push(await Store.open(sharedDirectory, storeOptions));
      }
      const [workspace, shared = workspace] = stores as [Store, Store?];
      const knowledge = new Knowledge({ workspace, shared }, clock, project, { countReads });
      const continuity = new Continuity(workspace, clock, (projectId) => requireProject(knowledge.scope(projectId)));
      const bases = openBases({
        definitions: this.options.bases ?? [],
        cacheDirectory: this.options.indexDirectory ?? join(data, INDEX),
        watch: this.options.watchBases ?? false,
        clock,
        ...(log ? { log } : {}),
      });
      const discovery = openDiscovery({
        store: workspace,
        knowledge,
        bases,
        project,
        workspace: this.options.workspace,
        cacheDirectory: this.options.indexDirectory ?? join(data, INDEX),
        embeddingsDirectory: join(sharedDirectory, EMBEDDINGS),
        modelsDirectory: modelsIn(sharedDirectory),
        embeddings: this.options.embeddings,
        settings: this.options.discovery,
        countUsage: countReads ?? false,
        clock,
        onEntriesChanged: (listener) => listenTo([workspace, shared], listener),
        ...(log ? { log } : {}),
      });
      const review = new Review(workspace, { knowledge, continuity, bases }, clock);
      const opened = { workspace, shared, knowledge, continuity, review, bases, discovery };
      await this.defineDefaults(opened);
      return opened;
    } catch (error) {
      // The next call opens them anew: nothing may stay behind of each try.
      await Promise.all(stores.map((store) => store.close()));
      throw error;
    }
  }

  private async defineDefaults({ knowledge }: Opened): Promise<void> {
    const { project, defineProject, ensureGeneral, onReport } = this.options;
    const scopes = knowledge.listScopes();
    const missing: ScopeDefinition[] = [];
    if (ensureGeneral && !scopes.some(({ tier, scope_id }) => tier === 'GENERAL' || scope_id === 'general')) {
      const description = 'What holds everywhere.';
      missing.push({ scope_id: 'general', tier: 'GENERAL', name: 'General', description });
    }
    const current = scopes.find(({ scope_id }) => scope_id === project);
    if (defineProject && project !== undefined && current === undefined) {
      missing.push({ scope_id: project, tier: 'PROJECT' });
    }
    if (defineProject && current !== undefined && current.tier !== 'PROJECT') {
      onReport?.(`The current project "${project}" is a ${current.tier} scope: it has no sessions and no progress.`);
    }
    try {
      for (const definition of missing) await knowledge.defineScope(definition, { author: 'kaizen' });
    } catch (error) {
      // What can only be read is to be read all the same.
      if (!isKaizenError(error) || (error.code !== 'read_only' && error.code !== 'store_full')) throw error;
      onReport?.(describeError(error));
    }
  }
}

function listenTo(stores: readonly Store[], listener: (topics: ReadonlySet<string>) => void): Disposable {
  const registrations = [...new Set(stores)].map((store) => store.onDidChange(listener));
  return {
    dispose: () => {
      for (const registration of registrations) registration.dispose();
    },
  };
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

function requireProject({ id, tier }: Scope): void {
  if (tier === 'PROJECT') return;
  throw new KaizenError(
    'wrong_tier',
    `"${id}" is a ${tier} scope, not a project.`,
    'Overviews, sessions and progress belong to PROJECT scopes.',
  );
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
