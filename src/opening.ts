import { join } from 'node:path';
import { type BaseDefinition, type BasesPart, openBases } from './bases';
import { Continuity, type ContinuityPart, continuitySchema } from './continuity';
import { type Clock, systemClock } from './core/clock';
import type { Disposable } from './core/disposable';
import { describeError, isKaizenError, KaizenError } from './core/errors';
import { libraryUri } from './core/knowledge-uri';
import { isSamePlace } from './core/locations';
import { personName } from './core/person';
import { sentence } from './core/sentence';
import { type DiscoveryPart, type DiscoverySettings, discoverySchema, openDiscovery } from './discovery';
import { openEnds } from './ends';
import { Knowledge, type KnowledgePart, knowledgeSchema, type Scope, type ScopeDefinition } from './knowledge';
import {
  type AdministrationPart,
  type LearningPart,
  type LearningSettings,
  learningSchema,
  openAdministration,
  openLearning,
  openWorkflows,
  type WorkflowsPart,
} from './learning';
import { type LibraryPart, type LibraryPlace, openLibrary, type WebSettings } from './library';
import { type NoteSpaces, type NotesPart, notesSchema, openNotes, type RegistryOptions } from './notes';
import { openRelations, type RelationsPart, relationsSchema } from './relations';
import { Review, type ReviewPart, reviewSchema } from './review';
import { WriteCheck, type WriteSafetyOptions } from './safety';
import type { EmbeddingOptions } from './search';
import { type LockWait, type Schema, Store } from './store';
import { checkedParts, checkedReview } from './write-doors';

export interface KaizenOptions {
  /** Directory of the workspace's store: PROJECT scopes and continuity. */
  data: string;
  /** Directory of the shared store: GENERAL, PRODUCT and GROUP scopes. */
  shared: string;
  /** Stores that are missing are made by the first write to each; otherwise when they are opened. */
  createsOnWrite?: boolean;
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
  /** Follow the files of bases by the system's own means; otherwise somebody calls `bases.touched`. */
  watchBases?: boolean;
  /** Follow those of notes; as `watchBases` unless told. */
  watchNotes?: boolean;
  /** Where notes lie; the project's space in the workspace folder, unless told. No user's space unless told. */
  notes?: NoteSpaces | undefined;
  /** Where notes are published to and searched, when somebody asks for it. */
  registry?: RegistryOptions | undefined;
  /** Where the library is; a directory beside the shared store unless told. */
  library?: LibraryPlace | undefined;
  /** How the library asks the web. */
  web?: Partial<WebSettings> | undefined;
  /** Keep what bases and search know between runs; true unless told. Where it is not kept, what was kept is left alone. */
  keepIndex?: boolean;
  /** Where that is kept; beside the workspace's store unless told. */
  indexDirectory?: string | undefined;
  /** Weights and thresholds of `discover_context`. */
  discovery?: Partial<DiscoverySettings> | undefined;
  /** Search by meaning as well; none unless told. */
  embeddings?: EmbeddingOptions | undefined;
  /** What is learned from, and what counts how much in ranking. */
  learning?: Partial<LearningSettings> | undefined;
  /** Whose records are captured, and whose personal ones are answered; the account's name unless told. */
  person?: string | undefined;
  clock?: Clock;
  /** Told once the stores are open. */
  onOpened?: () => void;
  /** What becomes of secrets in what is written. They are refused unless told. */
  safety?: WriteSafetyOptions | undefined;
  /** Told in words for a person when damage was found and what was done about it. */
  onReport?: (message: string) => void;
  /** Told when somebody has waited for a second for another process to let go of a store, once for each such wait. */
  onWaiting?: (wait: LockWait) => void;
  /** Told what bases and search could not do and go on without, for a log; `onReport` unless told. */
  onLog?: (message: string) => void;
}

/** What the doors work with, once the stores are open. */
export interface KaizenParts {
  knowledge: KnowledgePart;
  continuity: ContinuityPart;
  review: ReviewPart;
  bases: BasesPart;
  notes: NotesPart;
  library: LibraryPart;
  relations: RelationsPart;
  learning: LearningPart;
  workflows: WorkflowsPart;
  administration: AdministrationPart;
  discovery: DiscoveryPart;
}

/** The parts with all that the hall itself does with them, and their stores, which may be one. */
export interface Opened extends KaizenParts {
  check: WriteCheck;
  workspace: Store;
  shared: Store;
  knowledge: Knowledge;
  continuity: Continuity;
}

/** Derived data, which may be deleted at any time: what bases and search know, beside the store that it belongs to. */
const INDEX = 'index';
/** Vectors by the hash of their text, and the local model: one for all workspaces. */
const EMBEDDINGS = 'embeddings';
const MODELS = 'models';
/** Sources and what they say: one for all workspaces, and large, so that it is no part of the shared store itself. */
const LIBRARY = 'library';

/** The tables of a store, the workspace's and the shared one alike. */
export const STORE_SCHEMAS: readonly Schema[] = [
  knowledgeSchema,
  continuitySchema,
  reviewSchema,
  discoverySchema,
  notesSchema,
  relationsSchema,
  learningSchema,
];

/** Where the local model is kept beside the shared store. */
export function modelsIn(shared: string): string {
  return join(shared, MODELS);
}

/** Opens the stores and the parts that work on them, and defines the scopes that are to be there. */
export async function open(options: KaizenOptions): Promise<Opened> {
  const { data, shared: sharedDirectory, clock = systemClock, onReport, onWaiting, createsOnWrite = false } = options;
  const storeOptions = {
    schemas: STORE_SCHEMAS,
    createsOnWrite,
    clock,
    ...(onReport ? { onReport } : {}),
    ...(onWaiting ? { onWaiting } : {}),
  };
  const stores = [await Store.open(data, storeOptions)];
  try {
    // Two stores on one directory would wait for each other's lock for ever.
    if (!isSamePlace(data, sharedDirectory)) stores.push(await Store.open(sharedDirectory, storeOptions));
    const [workspace, shared = workspace] = stores as [Store, Store?];
    const opened = partsOn(workspace, shared, clock, options);
    await defineDefaults(opened.knowledge, options);
    void opened.learning.warm();
    return opened;
  } catch (error) {
    // The next call opens them anew: nothing may stay behind of each try.
    await Promise.all(stores.map((store) => store.close()));
    throw error;
  }
}

/** Waits for writes under way and lets go of every file. */
export async function close({
  discovery,
  learning,
  library,
  notes,
  bases,
  knowledge,
  relations,
  workspace,
  shared,
}: Opened): Promise<void> {
  // What relations still have to follow, they ask the other parts about.
  await relations.close();
  await discovery.close();
  await learning.close();
  await library.close();
  await notes.close();
  await bases.close();
  await knowledge.close();
  await Promise.all([...new Set([workspace, shared])].map((store) => store.close()));
}

/** Tells of the changes of all stores, by this process or another. */
export function listenTo(stores: readonly Store[], listener: (topics: ReadonlySet<string>) => void): Disposable {
  const registrations = [...new Set(stores)].map((store) => store.onDidChange(listener));
  return {
    dispose: () => {
      for (const registration of registrations) registration.dispose();
    },
  };
}

/** Throws `wrong_tier`. */
export function requireProject({ id, tier }: Scope): void {
  if (tier === 'PROJECT') return;
  throw new KaizenError(
    'wrong_tier',
    sentence('"{0}" is a {1} scope, not a project.', id, tier),
    sentence('Overviews, sessions and progress belong to PROJECT scopes.'),
  );
}

function partsOn(workspace: Store, shared: Store, clock: Clock, options: KaizenOptions): Opened {
  const { project, countReads = false, keepIndex = true } = options;
  const log = options.onLog ?? options.onReport;
  const common = {
    cacheDirectory: keepIndex ? (options.indexDirectory ?? join(options.data, INDEX)) : undefined,
    clock,
    ...(log ? { log } : {}),
  };
  const knowledge = new Knowledge({ workspace, shared }, clock, project, { countReads });
  const continuity = new Continuity(workspace, clock, (projectId) => requireProject(knowledge.scope(projectId)));
  const learning = openLearning({
    store: shared,
    clock,
    person: options.person ?? personName(),
    settings: options.learning,
    counts: countReads,
    exists: async (uri, signal) => (await ends.resolve(uri, signal)) !== 'gone',
    passageUri: async (id) => {
      const document = await library.documentOf(id);
      return document === undefined ? undefined : libraryUri(document, id);
    },
    ...(log ? { log } : {}),
  });
  const check = new WriteCheck(options.safety);
  const bases = openBases({ ...common, definitions: options.bases ?? [], watch: options.watchBases ?? false });
  const notes = openNotes({
    ...common,
    check,
    spaces: options.notes ?? {},
    registry: options.registry,
    workspace: options.workspace,
    store: workspace,
    watch: options.watchNotes ?? options.watchBases ?? false,
  });
  const onEntriesChanged = (listener: (topics: ReadonlySet<string>) => void) => listenTo([workspace, shared], listener);
  const discovery = openDiscovery({
    ...common,
    store: workspace,
    knowledge,
    bases,
    notes,
    project,
    workspace: options.workspace,
    embeddingsDirectory: join(options.shared, EMBEDDINGS),
    modelsDirectory: modelsIn(options.shared),
    embeddings: options.embeddings,
    settings: options.discovery,
    countUsage: countReads,
    learned: learning,
    onEntriesChanged,
  });
  const library = openLibrary({
    ...common,
    check,
    onWaiting: options.onWaiting,
    place: options.library ?? { directory: join(options.shared, LIBRARY) },
    embeddingsDirectory: join(options.shared, EMBEDDINGS),
    modelsDirectory: modelsIn(options.shared),
    embeddings: options.embeddings,
    web: options.web,
    learned: learning,
    workspace: options.workspace,
    mayCreate: keepIndex,
    createsOnWrite: options.createsOnWrite,
  });
  const ends = openEnds({ knowledge, bases, notes, library, learning, onEntriesChanged });
  const stores = { workspace, shared };
  const relations = openRelations({ stores, ends, clock, follows: keepIndex, ...(log ? { log } : {}) });
  if (keepIndex) {
    ends.onDidChange(({ moved = [] }) => {
      for (const { from, to } of moved) {
        learning.moved(from, to, { author: 'kaizen' }).catch((error) => log?.(describeError(error)));
      }
    });
  }
  // From here on nobody has the parts themselves, which write without a look at what it is.
  const parts = checkedParts({ knowledge, continuity, bases, notes, library, relations, learning }, check);
  const review = checkedReview(new Review(workspace, parts, clock), check);
  const workflows = openWorkflows({
    learning,
    library,
    relations,
    knowledge: (query, limit, signal) => discovery.passages(query, limit, signal),
  });
  const administration = openAdministration({
    ...parts,
    clock,
    workspace: options.workspace,
  });
  return { ...parts, check, workspace, shared, review, workflows, administration, discovery };
}

async function defineDefaults(knowledge: Knowledge, options: KaizenOptions): Promise<void> {
  const { project, defineProject, ensureGeneral, onReport } = options;
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
