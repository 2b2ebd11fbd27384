import type { Disposable } from '../core/disposable';
import { describeError, errorSaid } from '../core/errors';
import { noteUri } from '../core/knowledge-uri';
import type { Sentence } from '../core/sentence';
import { createEmbedder, createSearchIndex, type EmbeddingOptions, type EmbeddingState } from '../search';
import { CurrentFile } from './current-file';
import { createEngine, type Engine } from './engine';
import { describeFile } from './file-description';
import { foundWith } from './found';
import { emptinessMessage, emptinessOf, joined, notesMessage } from './messages';
import type {
  DiscoverRequest,
  DiscoverResult,
  DiscoveryPart,
  DiscoverySettings,
  DiscoveryState,
  ForFile,
  Found,
  FoundPassage,
  KnowledgeSearchAnswer,
  KnowledgeSearchRequest,
  NoteSearchAnswer,
  NoteSearchRequest,
  RankedText,
  RetrieveRequest,
  RetrieveResult,
  Usage,
} from './model';
import type { DiscoveryOptions } from './options';
import { checkDiscoverRequest, checkNoteSearch, checkSearchRequest } from './requests';
import { settingsFrom } from './settings';
import { entriesSource, notesSource } from './sources';
import { entrySubject, type Subject, titleOf } from './subject';
import { readUsage, UsageCounter, type Use } from './usage';

/** Questions wait so long for what is being indexed. */
const PATIENCE_MS = 2_000;

/** See `DiscoveryPart`. */
export class Discovery implements DiscoveryPart {
  private engine: Engine | undefined;
  private settings: DiscoverySettings;
  private embeddings: EmbeddingOptions;
  /** Why the embedder that was asked for could not be made. */
  private embeddingProblem: Sentence | string | undefined;
  private readonly usages: UsageCounter | undefined;
  private readonly listeners = new Set<() => void>();
  private closed = false;

  constructor(private readonly options: DiscoveryOptions) {
    this.settings = settingsFrom(options.settings);
    this.embeddings = options.embeddings ?? { provider: 'none' };
    if (options.countUsage) this.usages = new UsageCounter(options.store, options.clock);
  }

  start(): void {
    if (!this.closed) this.opened().indexing.start();
  }

  get state(): DiscoveryState {
    const { knowledge, bases, notes } = this.options;
    const { engine } = this;
    if (!engine) return { ready: false, entries: 0, nodes: 0, notes: 0, total: 0, embeddings: { provider: 'none' } };
    const entriesPrefix = entriesSource('');
    const notesPrefix = notesSource('');
    let entries = 0;
    let nodes = 0;
    let noted = 0;
    for (const source of engine.passages.sources) {
      const { size } = engine.index.segment(source);
      if (source.startsWith(entriesPrefix)) entries += size;
      else if (source.startsWith(notesPrefix)) noted += size;
      else nodes += size;
    }
    const stored = knowledge.listScopes().reduce((sum, { entry_count }) => sum + entry_count, 0);
    return {
      ready: engine.indexing.isReady,
      entries,
      nodes,
      notes: noted,
      total: stored + bases.size + notes.size,
      embeddings: this.embeddingState(engine),
    };
  }

  onDidChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  }

  configure(settings: Partial<DiscoverySettings>): void {
    this.settings = settingsFrom(settings);
  }

  useEmbeddings(options: EmbeddingOptions): void {
    this.embeddings = options;
    if (!this.engine || this.closed) return;
    this.embedWith(this.engine);
    this.engine.indexing.again();
    this.announce();
  }

  async discover(request: DiscoverRequest, signal?: AbortSignal): Promise<DiscoverResult> {
    checkDiscoverRequest(request);
    const { indexing, recommending } = this.opened();
    await indexing.settled(PATIENCE_MS, signal);
    const recommended = await recommending.recommend(request, this.settings, signal);
    const { recommendations, warnings, available, unfitting, unmentioned, nearest, note } = recommended;
    signal?.throwIfAborted();
    const given = [...warnings, ...recommendations].map(({ subject }) => subject);
    this.count('recommended', given);
    this.learn(
      'discover_context',
      request.task_description,
      [...warnings, ...recommendations].map(({ subject: { uri }, relevance_score: score }) => ({ uri, score })),
    );
    return {
      recommendations: recommendations.map(withoutSubject),
      total_available: available,
      warnings: warnings.map(withoutSubject),
      ...joined([
        this.emptiness(available, given.length + unfitting, nearest),
        unfitting > 0 ? `${unfitting} more would be relevant and did not fit the token budget.` : undefined,
        unmentioned > 0 ? `${unmentioned} more rules with a risk touch the task; the gravest are given.` : undefined,
        note,
      ]),
    };
  }

  async search(request: KnowledgeSearchRequest, signal?: AbortSignal): Promise<KnowledgeSearchAnswer> {
    checkSearchRequest(request);
    const { indexing, searching } = this.opened();
    await indexing.settled(PATIENCE_MS, signal);
    const { results, uris, total, used, note } = await searching.search(request, signal);
    this.learn(
      'search_knowledge',
      request.query,
      uris.map((uri, at) => ({ uri, score: results[at]?.score ?? 0 })),
    );
    const { entries, nodes, notes } = this.state;
    return {
      results,
      total,
      search_type_used: used,
      ...joined([this.emptiness(entries + nodes + notes, results.length), note]),
    };
  }

  async passages(query: string, limit: number, signal?: AbortSignal): Promise<FoundPassage[]> {
    checkSearchRequest({ query, max_results: limit });
    const { indexing, searching } = this.opened();
    await indexing.settled(PATIENCE_MS, signal);
    return searching.passages(query, limit, signal);
  }

  async searchNotes(request: NoteSearchRequest, signal?: AbortSignal): Promise<NoteSearchAnswer> {
    checkNoteSearch(request);
    const { indexing, searchingNotes } = this.opened();
    if (request.sources.includes('local')) await indexing.notesSettled(PATIENCE_MS, signal);
    const { results, total, remarks } = await searchingNotes.search(request, signal);
    this.learn(
      'search',
      request.query,
      results.map(({ source_location: space, zettel_id, relevance_score: score }) => ({
        uri: space === 'registry' ? undefined : noteUri(space, zettel_id),
        score,
      })),
    );
    const { notes } = this.options;
    const spaces = notes.spaces();
    const around = {
      ready: indexing.areNotesReady,
      notes: this.state.notes,
      roots: spaces.map(({ root }) => root),
      hasRegistry: notes.hasRegistry,
      found: results.length,
      sources: request.sources,
    };
    return { results, total, ...joined([notesMessage(around), ...remarks]) };
  }

  rank(query: string, texts: readonly RankedText[]): string[] {
    const index = createSearchIndex();
    index.segment('texts').set(
      texts.map(({ id, ...text }) => ({
        uri: id,
        headings: [],
        facets: { kind: 'text', space: 'texts' },
        fingerprint: '',
        ...text,
      })),
    );
    return index
      .search(query, { limit: texts.length })
      .hits.filter(({ matched }) => matched.length > 0)
      .map(({ uri }) => uri);
  }

  async retrieve(request: RetrieveRequest, signal?: AbortSignal): Promise<RetrieveResult> {
    const { indexing, retrieving } = this.opened();
    // Ids come from the bases and the stores; only what is being read for the first time is waited for.
    if (!indexing.isReady) await indexing.settled(PATIENCE_MS, signal);
    const { nodes, subjects, total_tokens, notes } = await retrieving.retrieve(request, signal);
    this.count('retrieved', subjects);
    this.options.learned?.noteUse(
      'retrieved',
      subjects.map(({ uri }) => uri),
    );
    if (this.usages) {
      this.options.knowledge.noteReads(subjects.flatMap((each) => (each.kind === 'entry' ? [each.entry] : [])));
    }
    return { nodes, total_tokens, ...joined(notes) };
  }

  async find(query: string, limit?: number): Promise<Found[]> {
    this.start();
    return this.opened().people.find(query, limit);
  }

  async forFile({ path, text }: { path: string; text: string }, limit?: number): Promise<ForFile> {
    const { indexing, recommending, viewpoint } = this.opened();
    await indexing.settled(PATIENCE_MS);
    const { knowledge, workspace } = this.options;
    const scopeId = viewpoint.scopeId();
    const file = new CurrentFile(path, workspace);
    const rules = scopeId === undefined ? [] : knowledge.rulesFor(scopeId, file.path);
    const task = describeFile(file.path, text);
    const request = { task_description: task, current_file: path, max_results: limit };
    const { recommendations, warnings } = await recommending.recommend(request, this.settings);
    const named = new Set(rules.map((rule) => entrySubject(rule).uri));
    const others = [...warnings, ...recommendations].filter(({ subject }) => !named.has(subject.uri));
    const found = others.map(({ subject, relevance_score: score }) => ({ subject, score }));
    return { rules, recommendations: await foundWith(found, this.options, task, 'words') };
  }

  usage(limit?: number): Usage[] {
    return readUsage(this.options.store, limit);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    this.listeners.clear();
    const { engine } = this;
    engine?.named.dispose();
    await engine?.indexing.close();
    await engine?.semantic.close();
    await this.usages?.close();
  }

  private opened(): Engine {
    if (this.engine) return this.engine;
    const engine = createEngine(
      this.options,
      () => this.announce(),
      () => this.embeddingProblem,
    );
    this.engine = engine;
    engine.semantic.onDidChange(() => this.announce());
    this.embedWith(engine);
    return engine;
  }

  private embedWith({ semantic, passages }: Engine): void {
    this.embeddingProblem = undefined;
    let embedder: ReturnType<typeof createEmbedder>;
    try {
      embedder = createEmbedder(this.embeddings, { modelsDirectory: this.options.modelsDirectory });
    } catch (error) {
      this.embeddingProblem = errorSaid(error);
    }
    passages.embed(embedder !== undefined);
    semantic.use(embedder);
  }

  private embeddingState({ semantic }: Engine): EmbeddingState {
    if (this.embeddingProblem === undefined) return semantic.state;
    return { provider: this.embeddings.provider, done: 0, total: 0, problem: this.embeddingProblem };
  }

  private emptiness(available: number, found: number, nearest?: string): string | undefined {
    const { state } = this;
    const emptiness = emptinessOf(state, available, found);
    const bases = this.options.bases.statuses();
    return (
      emptiness &&
      emptinessMessage(emptiness, {
        ...{ ...state, available, found, nearest, bases },
        hasSpaces: this.options.notes.spaces().length > 0,
      })
    );
  }

  private count(use: Use, subjects: readonly Subject[]): void {
    this.usages?.note(
      use,
      subjects.map((subject) => ({ uri: subject.uri, title: titleOf(subject) })),
    );
  }

  /** What was asked, how good the answers were, and what was given; of the registry's notes there is nothing to learn. */
  private learn(tool: string, query: string, given: readonly { uri: string | undefined; score: number }[]): void {
    const { learned } = this.options;
    if (!learned) return;
    const best = given.reduce((most, { score }) => Math.max(most, score), 0);
    learned.noteQuery({ tool, query, results: given.length, best });
    learned.noteUse(
      'retrieved',
      given.flatMap(({ uri }) => uri ?? []),
    );
  }

  private announce(): void {
    for (const listener of [...this.listeners]) {
      try {
        listener();
      } catch (error) {
        // Whoever listens is not to stop the indexing.
        this.options.log?.(`What was indexed could not be shown: ${describeError(error)}`);
      }
    }
  }
}

function withoutSubject<T extends { subject: Subject }>({ subject: _, ...rest }: T): Omit<T, 'subject'> {
  return rest;
}
