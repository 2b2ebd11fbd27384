import type { Disposable } from '../core/disposable';
import type { MatchedWord } from '../search';
import type {
  ArtifactScore,
  AskedDay,
  AskedQuery,
  Effectiveness,
  FeedbackInput,
  FeedbackRecord,
  FeedbackResult,
  ImplicitUse,
  LearningCounts,
  ScoreCounts,
  ScoreExplanation,
  ScoreOrder,
  UseCount,
} from './feedback-model';
import type { LearnedRecord, LearnedRecords } from './records-model';
import type { LearningSettings } from './settings';
import type { ArtifactType, LearnedKind, ProjectStatus } from './vocabulary';
import type {
  ExploreRequest,
  Findings,
  LearningWrite,
  PlanningRequest,
  RccaRequest,
  TradeRequest,
} from './workflows-model';

export * from './feedback-model';
export * from './records-model';
export * from './settings';
export * from './vocabulary';
export * from './workflows-model';

/** Who changes something. */
export interface LearningChange {
  author: string;
  by_agent?: boolean | undefined;
  /** Checks everything as writing it would, but changes nothing. */
  rehearse?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** Who says something of what was used. */
export interface FeedbackChange extends LearningChange {
  /**
   * A person has one opinion: a quick rating takes the place of the person's quick ratings of the same thing, ratings of
   * aspects that of earlier ones. False unless told, so that each counts, as agents' do.
   */
  instead?: boolean | undefined;
}

/** What a write came to, and how it is taken back. */
export interface LearningWritten<K extends LearnedKind = LearnedKind> {
  kind: K;
  record: LearnedRecords[K];
  /** What else it changed: lessons captured with an outcome, feedback that it gave. */
  also: readonly { kind: LearnedKind | 'feedback'; id: string }[];
  /** For `undo`. */
  revision: number;
  /** What to know about it, in a sentence. */
  hint?: string | undefined;
}

export interface RecordFilter {
  status?: readonly ProjectStatus[] | undefined;
  project_type?: string | undefined;
  domain?: string | undefined;
}

/** A captured record with its address. */
export type FoundRecord = {
  [K in LearnedKind]: { kind: K; id: string; uri: string; record: LearnedRecords[K] };
}[LearnedKind];

export interface RecordSearch extends RecordFilter {
  query: string;
  /** All unless told. */
  kinds?: readonly LearnedKind[] | undefined;
  /** 1 to 1,000; 10 unless told. */
  limit?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** A record that was found by its words; `score` is 0 to 1 (`SearchHit.score`). */
export type RecordHit = FoundRecord & { score: number; matched: readonly MatchedWord[] };

/** Every change of a captured record, newest first: what it was before and what it is now. */
export interface LearningRevision {
  revision: number;
  kind: LearnedKind;
  id: string;
  title: string;
  operation: LearningWrite['operation'] | 'undo' | 'import';
  author: string;
  by_agent: boolean;
  at: string;
  before: LearnedRecord | null;
  after: LearnedRecord | null;
}

/** What a file of captured records and feedback holds. */
export interface LearningExport {
  records: readonly { kind: LearnedKind; record: LearnedRecord }[];
  feedback: readonly FeedbackRecord[];
  /** Where it was asked for. */
  counts?: LearningCounts | undefined;
}

export interface LearningExportOptions {
  /** What is personal as well; otherwise it is left out, with the feedback on it. */
  personal?: boolean | undefined;
  /** All unless told. */
  kinds?: readonly LearnedKind[] | undefined;
  /** True unless told. */
  feedback?: boolean | undefined;
  /**
   * What was given, used and asked; false unless told. What was asked is personal: the questions themselves are left out
   * unless that is asked for.
   */
  counts?: boolean | undefined;
}

export interface LearningImported {
  added: number;
  updated: number;
  unchanged: number;
  /** What is there already, differs and was kept. */
  kept: readonly { kind: LearnedKind; id: string; title: string }[];
  /** Pieces of feedback that were not there. */
  feedback: number;
  /** Counts that are greater now. */
  counts: number;
  /** For `undo` of all records; undefined where none has changed. Feedback stays. */
  revision?: number | undefined;
}

/**
 * Plans, outcomes, lessons, decisions and patterns, what was said of everything that was used, and what works: seed 003,
 * phases 2a to 3. Lives in the shared store. Reads answer from memory.
 */
export interface LearningPart {
  onDidChange(listener: (change: { records: boolean; scores: boolean }) => void): Disposable;

  // --- captured records ---
  get<K extends LearnedKind>(kind: K, id: string): LearnedRecords[K] | undefined;
  /** By its knowledge URI or its bare id; undefined for what is not there. */
  find(artifact: string): FoundRecord | undefined;
  /**
   * Whether a record is there that this person does not see, as it is another's own. To nobody it is told what it is: this
   * is for those who must not take it for gone.
   */
  isHidden(artifact: string): boolean;
  /** The record as Markdown, as resources, the editor and search have it; undefined for what is not there. */
  markdown(artifact: string): string | undefined;
  /** By words, best first. */
  search(search: RecordSearch): Promise<RecordHit[]>;
  /** Newest first, patterns of the product last. */
  list<K extends LearnedKind>(kind: K, filter?: RecordFilter): LearnedRecords[K][];
  /**
   * Throws `unknown_project`, `unknown_template` …; `invalid_transition` with the transitions that are allowed;
   * `invalid_project` where tasks do not go together; `invalid_argument`; `learning_full`.
   */
  write(write: LearningWrite, change: LearningChange): Promise<LearningWritten>;
  revisions(options?: { kind?: LearnedKind; id?: string; limit?: number }): LearningRevision[];
  /**
   * Puts back what was before a revision, in all records that it changed; feedback that it gave counts no longer. An
   * undo is a revision itself. Throws `unknown_revision`, and `conflict` when a record was changed since.
   */
  undo(revision: number, change: LearningChange): Promise<void>;

  // --- feedback and scores ---
  readonly settings: LearningSettings;
  /** Those that are left out have their defaults. Throws `invalid_argument` for a weight beyond 0 to 1. */
  useSettings(settings: Partial<LearningSettings>): void;
  /** Throws `invalid_argument`, `unknown_artifact`, `unknown_template` and the like; `learning_full` beyond 200,000. */
  feedback(input: FeedbackInput, change: FeedbackChange): Promise<FeedbackResult>;
  /** Feedback with these ids counts no longer, nor does what was propagated of it. Unknown ids are no error. */
  takeBack(ids: readonly string[], change: LearningChange): Promise<void>;
  /** Oldest first. */
  feedbackOn(artifact: string): FeedbackRecord[];
  /** What a person said of this very thing by hand and did not take back, oldest first; not what agents said. */
  saidBy(author: string, artifact: string): FeedbackRecord[];
  /** The address of what is meant by an id, and its type. Throws `unknown_artifact` and the like. */
  resolve(
    id: string,
    type?: ArtifactType,
    signal?: AbortSignal,
  ): Promise<{ artifact: string; artifact_type: ArtifactType }>;
  /** Counted in memory and written down now and then: costs an answer nothing. */
  noteUse(use: ImplicitUse, artifacts: Iterable<string>): void;
  /** Counted in the same way: what was asked, and how good the best answer was (0 for nothing). */
  noteQuery(query: { tool: string; query: string; results: number; best: number }): void;
  /** What was given and used most; as far as it is written down. 100 unless told. */
  uses(limit?: number): UseCount[];
  /** What was asked most, or what most often remained unanswered; as far as it is written down. 100 unless told. */
  queries(limit?: number, which?: { unanswered?: boolean }): AskedQuery[];
  /** How often each tool was asked on each day, the last days first; as far as it is written down. 100 unless told. */
  days(limit?: number): AskedDay[];
  /** What was given most often and not used once; as far as it is written down. 100 unless told. */
  neverUsed(limit?: number): UseCount[];
  /** Never waits, never throws. */
  effectivenessOf(artifact: string): Effectiveness;
  /** Where a result ranks by the settings (seed 003, 6.5): 0 and more. */
  combinedScore(semantic: number, effectiveness: Pick<Effectiveness, 'score' | 'boost'>): number;
  /** What the odds of a recommendation are multiplied by: 1 where nothing was learned, or boosting is off. */
  gentleBoost(effectiveness: Pick<Effectiveness, 'boost' | 'confidence'>): number;
  /** Whether what was learned changes an order, by the settings. */
  readonly isRanking: boolean;
  /** Addresses of the library's passages on which there is feedback. Never throws. */
  ratedPassages(): ReadonlySet<string>;
  scoreOf(artifact: string): ArtifactScore;
  /**
   * Of everything that was rated or used: best first unless told, then what rests on more. 100 unless told, 1,000 at most.
   * In short turns, as the next two.
   */
  scores(limit?: number, order?: ScoreOrder, signal?: AbortSignal): Promise<ArtifactScore[]>;
  /** Of all of them; and how much feedback there is. */
  scoreCounts(signal?: AbortSignal): Promise<ScoreCounts>;
  explain(artifact: string): ScoreExplanation;
  /** Makes all scores anew from what is stored. Answers how many there are, and which of them were different before. */
  recalculate(signal?: AbortSignal): Promise<{ artifacts: number; changed: string[] }>;
  /** All feedback that counts, oldest first. */
  exportFeedback(): FeedbackRecord[];
  /** Takes what `exportFeedback` gave, all or nothing; what is there already stays as it is. Answers how many were new. */
  importFeedback(records: readonly FeedbackRecord[], change: LearningChange): Promise<number>;
  /** Feedback follows an artifact that has another address now. */
  moved(from: string, to: string, change: LearningChange): Promise<void>;
  /** Reads all feedback and captured records in short turns, so that the first answer need not. Never rejects. */
  warm(): Promise<void>;
  /** Writes down what was counted so far. Never rejects. */
  flush(): Promise<void>;

  // --- exchange ---
  /** What was captured, without what came with the product, and all feedback. */
  export(options?: LearningExportOptions): LearningExport;
  /** The same in short turns. */
  exportInTurns(options: LearningExportOptions, signal?: AbortSignal): Promise<LearningExport>;
  /**
   * Takes what `export` gave, read from JSON by now. All of it is checked before the first is stored: where something is
   * wrong, `invalid_argument` says where, and nothing has changed. What is there already and differs stays, unless it is
   * to be overwritten. What is personal becomes the importing person's. In short turns.
   */
  import(
    file: unknown,
    options: { overwrite?: boolean | undefined },
    change: LearningChange,
  ): Promise<LearningImported>;

  /** Writes down what was counted. */
  close(): Promise<void>;
}

/** Finding what helps, over all knowledge there is (seed 003, 5.4). */
export interface WorkflowsPart {
  rcca(request: RccaRequest, signal?: AbortSignal): Promise<Findings>;
  trade(request: TradeRequest, signal?: AbortSignal): Promise<Findings>;
  explore(request: ExploreRequest, signal?: AbortSignal): Promise<Findings>;
  plan(request: PlanningRequest, signal?: AbortSignal): Promise<Findings>;
}
