import type { Disposable } from '../core/disposable';
import type { MatchedWord } from '../search';
import type {
  ArtifactScore,
  Effectiveness,
  FeedbackInput,
  FeedbackRecord,
  FeedbackResult,
  ImplicitUse,
  ScoreExplanation,
} from './feedback-model';
import type { LearnedRecord, LearnedRecords } from './records-model';
import type { LearnedKind, ProjectStatus } from './vocabulary';
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
export type * from './workflows-model';

/** Who changes something. */
export interface LearningChange {
  author: string;
  by_agent?: boolean | undefined;
  /** Checks everything as writing it would, but changes nothing. */
  rehearse?: boolean | undefined;
  signal?: AbortSignal | undefined;
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
  feedback(input: FeedbackInput, change: LearningChange): Promise<FeedbackResult>;
  feedbackOn(artifact: string): FeedbackRecord[];
  /** Counted in memory and written down now and then: costs an answer nothing. */
  noteUse(use: ImplicitUse, artifacts: Iterable<string>): void;
  /** Counted in the same way: what was asked, and how good the best answer was (0 for nothing). */
  noteQuery(query: { tool: string; query: string; results: number; best: number }): void;
  /** Never waits, never throws. */
  effectivenessOf(artifact: string): Effectiveness;
  scoreOf(artifact: string): ArtifactScore;
  explain(artifact: string): ScoreExplanation;

  close(): Promise<void>;
}

/** Finding what helps, over all knowledge there is (seed 003, 5.4). */
export interface WorkflowsPart {
  rcca(request: RccaRequest, signal?: AbortSignal): Promise<Findings>;
  trade(request: TradeRequest, signal?: AbortSignal): Promise<Findings>;
  explore(request: ExploreRequest, signal?: AbortSignal): Promise<Findings>;
  plan(request: PlanningRequest, signal?: AbortSignal): Promise<Findings>;
}
