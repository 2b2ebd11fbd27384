import type { Clock } from '../core/clock';
import type { Disposable } from '../core/disposable';
import { Turns } from '../core/turns';
import type { Store } from '../store';
import { Exchange } from './exchange/exchange';
import { Feedback } from './feedback';
import type { OtherArtifacts } from './feedback/artifacts';
import { FEEDBACK_CHANGED_TOPIC, FEEDBACK_TOPIC } from './feedback/rows';
import type {
  ArtifactScore,
  ArtifactType,
  AskedDay,
  AskedQuery,
  Effectiveness,
  FeedbackChange,
  FeedbackInput,
  FeedbackRecord,
  FeedbackResult,
  FoundRecord,
  ImplicitUse,
  LearnedKind,
  LearnedRecords,
  LearningChange,
  LearningExport,
  LearningExportOptions,
  LearningImported,
  LearningPart,
  LearningRevision,
  LearningSettings,
  LearningWrite,
  LearningWritten,
  RecordFilter,
  RecordHit,
  RecordSearch,
  ScoreCounts,
  ScoreExplanation,
  ScoreOrder,
  UseCount,
} from './model';
import { BUILT_IN_PATTERNS } from './patterns/built-in';
import { Records } from './records/captured';
import { RECORDS_TOPIC } from './schema';

export interface LearningOptions extends OtherArtifacts {
  /** The shared store. */
  store: Store;
  clock: Clock;
  /** Whose records are captured, and whose personal ones are answered: the person whose machine this is. */
  person: string;
  settings?: Partial<LearningSettings> | undefined;
  /** Whether what is given and asked may be counted at all. */
  counts: boolean;
  log?: ((message: string) => void) | undefined;
}

/** Any change, as far as the store can tell. */
const EVERYTHING = '*';

/** See `LearningPart`. Captured records and feedback on everything know each other only through it. */
export class Learning implements LearningPart {
  private readonly store: Store;
  private readonly records: Records;
  private readonly said: Feedback;
  private readonly exchange: Exchange;

  constructor(options: LearningOptions) {
    this.store = options.store;
    this.records = new Records({ ...options, builtIn: BUILT_IN_PATTERNS });
    this.said = new Feedback({ ...options, records: () => this.records });
    this.exchange = new Exchange(options.store, this.records, this.said.keeping, this.said.counts);
  }

  onDidChange(listener: (change: { records: boolean; scores: boolean }) => void): Disposable {
    return this.store.onDidChange((topics) => {
      const isTouched = (...names: string[]) => [EVERYTHING, ...names].some((name) => topics.has(name));
      const change = {
        records: isTouched(RECORDS_TOPIC),
        scores: isTouched(FEEDBACK_TOPIC, FEEDBACK_CHANGED_TOPIC),
      };
      if (change.records || change.scores) listener(change);
    });
  }

  // ── Captured records ─────────────────────────────────────────────────────────────────────────────────────────────

  get<K extends LearnedKind>(kind: K, id: string): LearnedRecords[K] | undefined {
    return this.records.get(kind, id);
  }

  find(artifact: string): FoundRecord | undefined {
    return this.records.find(artifact);
  }

  isHidden(artifact: string): boolean {
    return this.records.isHidden(artifact);
  }

  markdown(artifact: string): string | undefined {
    return this.records.markdown(artifact);
  }

  search(search: RecordSearch): Promise<RecordHit[]> {
    return this.records.search(search);
  }

  list<K extends LearnedKind>(kind: K, filter?: RecordFilter): LearnedRecords[K][] {
    return this.records.list(kind, filter);
  }

  write(write: LearningWrite, change: LearningChange): Promise<LearningWritten> {
    return this.records.write(write, change, this.said.giving, this.said.counts);
  }

  revisions(options?: { kind?: LearnedKind; id?: string; limit?: number }): LearningRevision[] {
    return this.records.revisions(options);
  }

  undo(revision: number, change: LearningChange): Promise<void> {
    return this.records.undo(revision, change, this.said.giving);
  }

  // ── Feedback and scores ──────────────────────────────────────────────────────────────────────────────────────────

  get settings(): LearningSettings {
    return this.said.settings;
  }

  useSettings(settings: Partial<LearningSettings>): void {
    this.said.useSettings(settings);
  }

  feedback(input: FeedbackInput, change: FeedbackChange): Promise<FeedbackResult> {
    return this.said.giving.feedback(input, change);
  }

  takeBack(ids: readonly string[], change: LearningChange): Promise<void> {
    return this.said.giving.takeBack(ids, change);
  }

  feedbackOn(artifact: string): FeedbackRecord[] {
    return this.said.keeping.feedbackOn(artifact);
  }

  saidBy(author: string, artifact: string): FeedbackRecord[] {
    return this.said.keeping.saidBy(author, artifact);
  }

  resolve(
    id: string,
    type?: ArtifactType,
    signal?: AbortSignal,
  ): Promise<{ artifact: string; artifact_type: ArtifactType }> {
    return this.said.artifacts.resolve(id, type, signal);
  }

  noteUse(use: ImplicitUse, artifacts: Iterable<string>): void {
    this.said.counts.noteUse(use, artifacts);
  }

  noteQuery(query: { tool: string; query: string; results: number; best: number }): void {
    this.said.counts.noteQuery(query);
  }

  uses(limit?: number): UseCount[] {
    return this.said.counts.uses(limit);
  }

  queries(limit?: number, which?: { unanswered?: boolean }): AskedQuery[] {
    return this.said.counts.queries(limit, which);
  }

  days(limit?: number): AskedDay[] {
    return this.said.counts.days(limit);
  }

  neverUsed(limit?: number): UseCount[] {
    return this.said.counts.neverUsed(limit);
  }

  effectivenessOf(artifact: string): Effectiveness {
    return this.said.scores.effectivenessOf(artifact);
  }

  combinedScore(semantic: number, effectiveness: Pick<Effectiveness, 'score' | 'boost'>): number {
    return this.said.scores.combinedScore(semantic, effectiveness);
  }

  gentleBoost(effectiveness: Pick<Effectiveness, 'boost' | 'confidence'>): number {
    return this.said.scores.gentleBoost(effectiveness);
  }

  get isRanking(): boolean {
    return this.said.scores.isRanking;
  }

  ratedPassages(): ReadonlySet<string> {
    return this.said.scores.ratedPassages();
  }

  scoreOf(artifact: string): ArtifactScore {
    return this.said.scores.scoreOf(artifact);
  }

  scores(limit?: number, order?: ScoreOrder, signal?: AbortSignal): Promise<ArtifactScore[]> {
    return this.said.scores.scores(limit, order, signal);
  }

  scoreCounts(signal?: AbortSignal): Promise<ScoreCounts> {
    return this.said.scores.scoreCounts(signal);
  }

  explain(artifact: string): ScoreExplanation {
    return this.said.scores.explain(artifact);
  }

  recalculate(signal?: AbortSignal): Promise<{ artifacts: number; changed: string[] }> {
    return this.said.scores.recalculate(signal);
  }

  exportFeedback(): FeedbackRecord[] {
    return this.said.keeping.exportFeedback();
  }

  importFeedback(records: readonly FeedbackRecord[], change: LearningChange): Promise<number> {
    return this.said.keeping.takeIn(records, change);
  }

  moved(from: string, to: string, { signal }: LearningChange): Promise<void> {
    return this.said.keeping.moved(from, to, signal);
  }

  async warm(): Promise<void> {
    await this.said.scores.warm();
    await this.records.warm();
  }

  flush(): Promise<void> {
    return this.said.counts.flush();
  }

  // ── Exchange ─────────────────────────────────────────────────────────────────────────────────────────────────────

  export(options?: LearningExportOptions): LearningExport {
    return this.exchange.export(options);
  }

  exportInTurns(options: LearningExportOptions, signal?: AbortSignal): Promise<LearningExport> {
    return this.exchange.exportInTurns(options, new Turns(signal));
  }

  import(
    file: unknown,
    options: { overwrite?: boolean | undefined },
    change: LearningChange,
  ): Promise<LearningImported> {
    return this.exchange.import(file, options, change);
  }

  close(): Promise<void> {
    return this.said.counts.close();
  }
}
