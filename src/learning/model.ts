import type { Disposable } from '../core/disposable';
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
}

export interface RecordFilter {
  status?: readonly ProjectStatus[] | undefined;
  project_type?: string | undefined;
  domain?: string | undefined;
}

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
  /** Newest first. */
  list<K extends LearnedKind>(kind: K, filter?: RecordFilter): LearnedRecords[K][];
  /** Throws `unknown_project`, `unknown_template` …, `invalid_transition` with the transitions that are allowed. */
  write(write: LearningWrite, change: LearningChange): Promise<LearningWritten>;
  revisions(options?: { kind?: LearnedKind; id?: string; limit?: number }): LearningRevision[];
  /** Puts back what was before a revision. Throws `conflict` when it was changed since. */
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

  // --- workflows ---
  rcca(request: RccaRequest, signal?: AbortSignal): Promise<Findings>;
  trade(request: TradeRequest, signal?: AbortSignal): Promise<Findings>;
  explore(request: ExploreRequest, signal?: AbortSignal): Promise<Findings>;
  plan(request: PlanningRequest, signal?: AbortSignal): Promise<Findings>;

  close(): Promise<void>;
}
