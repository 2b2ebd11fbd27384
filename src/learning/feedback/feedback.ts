import { randomUUID } from 'node:crypto';
import { type Clock, isoTime } from '../../core/clock';
import { describeError, isKaizenError, KaizenError } from '../../core/errors';
import { learningUri } from '../../core/knowledge-uri';
import { checkText } from '../../core/text';
import { Turns } from '../../core/turns';
import { rehearse, type Store, type Transaction } from '../../store';
import type {
  ArtifactScore,
  AskedDay,
  AskedQuery,
  Effectiveness,
  ExplainedSample,
  FeedbackInput,
  FeedbackRecord,
  FeedbackResult,
  ImplicitUse,
  LearningCounts,
  ScoreExplanation,
  UseCount,
} from '../feedback-model';
import type { LearnedRecords } from '../records-model';
import { stepsOf } from '../scoring/explaining';
import { samplesOf } from '../scoring/factors';
import { combinedScore, gentleBoost, isBoosting } from '../scoring/ranking';
import { DEFAULT_LEARNING_SETTINGS, type LearningSettings } from '../settings';
import type { CapturedRecords, OutcomeFeedback } from '../surroundings';
import { type ArtifactType, SCORE_FACTORS, type ScoreFactor } from '../vocabulary';
import { Artifacts, type OtherArtifacts } from './artifacts';
import { ImplicitCounts } from './implicit';
import { givenBy } from './inputs';
import { propagated } from './propagation';
import { allFeedback, feedbackOn, insertFeedback, knownIds, moveFeedback, setWithdrawn } from './rows';
import { isDocument, ScoreTable } from './score-table';
import { effectivenessOf, type Standing, scoreOf, UNRATED, USE_SAMPLE } from './scores';
import { addTo, copyOf, newTally, type Tally } from './tally';

export interface FeedbackSurroundings extends OtherArtifacts {
  /** The shared store. */
  store: Store;
  clock: Clock;
  /** Asked for when it is needed first: captured records are opened with feedback and not before it. */
  records: () => CapturedRecords;
  settings?: Partial<LearningSettings> | undefined;
  /** Whether what is given and asked may be counted at all; the setting decides where it may. */
  counts: boolean;
  log?: ((message: string) => void) | undefined;
}

/** Who gives feedback, and how. */
interface FeedbackChange {
  author: string;
  by_agent?: boolean | undefined;
  /** Checks everything as giving it would, but changes nothing. */
  rehearse?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

const MAX_AUTHOR = 200;
const MAX_LISTED = 1_000;
const DEFAULT_LISTED = 100;

/**
 * What was said of everything that is used, what was counted without anybody saying anything, and the scores that follow
 * from both (seed 003, 4.5 and 6). Scores are made in memory, of the stored feedback and counts: nothing that ranks waits.
 */
export class Feedback implements OutcomeFeedback {
  private readonly table: ScoreTable;
  private readonly counts: ImplicitCounts;
  private readonly artifacts: Artifacts;
  private current: LearningSettings;
  private complaint: string | undefined;

  constructor(private readonly around: FeedbackSurroundings) {
    const { store, clock, records } = around;
    this.table = new ScoreTable(store);
    this.counts = new ImplicitCounts(store, clock);
    this.artifacts = new Artifacts(records, around);
    this.current = settingsFrom(around.settings);
  }

  get settings(): LearningSettings {
    return this.current;
  }

  /** Those that are left out have their defaults. */
  useSettings(settings: Partial<LearningSettings>): void {
    this.current = settingsFrom(settings);
  }

  // ── Giving ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * Records feedback, and what it says of the template that a project was made from. Throws `invalid_argument`,
   * `unknown_artifact`, `unknown_template` and the like.
   */
  async feedback(input: FeedbackInput, change: FeedbackChange): Promise<FeedbackResult> {
    const { author, by_agent: byAgent, signal } = change;
    const given = givenBy(input);
    const { artifact, artifact_type } = await this.artifacts.resolve(input.artifact_id, input.artifact_type, signal);
    const found = this.artifacts.record(artifact);
    const project = found?.kind === 'project' ? found.record : undefined;
    const record = {
      ...given,
      ...{ artifact, artifact_type, project_id: project?.id },
      feedback_source: byAgent ? ('automated' as const) : ('user' as const),
      ...{ author: checkedAuthor(author), created_at: isoTime(this.around.clock.now()) },
    };
    const write = (transaction: Transaction): FeedbackResult => {
      this.table.look(transaction);
      const before = this.table.tallyOf(artifact);
      const { records, note } = this.insert(transaction, record, project);
      const [first, ...others] = records as [FeedbackRecord, ...FeedbackRecord[]];
      const after = before ? copyOf(before) : newTally(artifact_type);
      addTo(after, { ...first, at: Date.parse(first.created_at) });
      const score = (tally: Tally | undefined) => effectivenessOf(this.standing(artifact, artifact_type, tally));
      const [previous, next] = [score(before), score(after)];
      return {
        feedback_id: first.id,
        artifact,
        score_update: {
          previous_score: previous.score,
          new_score: next.score,
          previous_confidence: previous.confidence,
          new_confidence: next.confidence,
          factors_updated: factorsOf(first),
        },
        propagation: { propagated_to: others.map((each) => each.artifact), note },
      };
    };
    const { store } = this.around;
    return change.rehearse ? rehearse(store, write, signal) : store.write(write, signal);
  }

  give(
    transaction: Transaction,
    input: FeedbackInput,
    { author, at, project }: { author: string; at: number; project: LearnedRecords['project'] },
  ): readonly string[] {
    this.table.look(transaction);
    const record = {
      ...givenBy(input),
      ...{ artifact: learningUri('project', project.id), artifact_type: 'project' as const, project_id: project.id },
      ...{ feedback_source: 'outcome_tracking' as const, author: checkedAuthor(author), created_at: isoTime(at) },
    };
    return this.insert(transaction, record, project).records.map(({ id }) => id);
  }

  withdraw(transaction: Transaction, ids: readonly string[], withdrawn: boolean): void {
    this.table.look(transaction);
    setWithdrawn(transaction, ids, withdrawn);
    this.table.lookSoon();
  }

  /** Takes feedback back, with what was propagated of it where its id is among them. Unknown ids are no error. */
  async takeBack(ids: readonly string[], { signal }: Pick<FeedbackChange, 'signal'>): Promise<void> {
    await this.around.store.write((transaction) => this.withdraw(transaction, ids, true), signal);
  }

  // ── Counting ─────────────────────────────────────────────────────────────────────────────────────────────────────

  noteUse(use: ImplicitUse, artifacts: Iterable<string>): void {
    if (this.mayCount) this.counts.noteUse(use, artifacts);
  }

  noteQuery(query: { tool: string; query: string; results: number; best: number }): void {
    if (this.mayCount) this.counts.noteQuery(query);
  }

  /** What was given and used most; as far as it is written down. */
  uses(limit = DEFAULT_LISTED): UseCount[] {
    return this.counts.uses(listed(limit));
  }

  /** What was asked most, or what most often remained unanswered; as far as it is written down. */
  queries(limit = DEFAULT_LISTED, which: { unanswered?: boolean } = {}): AskedQuery[] {
    return this.counts.queries(listed(limit), which);
  }

  /** How often each tool was asked on each day, the last days first; as far as it is written down. */
  days(limit = DEFAULT_LISTED): AskedDay[] {
    return this.counts.days(listed(limit));
  }

  /** What was given most often and not used once; as far as it is written down. */
  neverUsed(limit = DEFAULT_LISTED): UseCount[] {
    return this.counts.neverUsed(listed(limit));
  }

  /** All that is written down. */
  exportCounts(): LearningCounts {
    return this.counts.all();
  }

  /** Takes what `exportCounts` gave, of each count the greater one. Answers how many changed. */
  importCounts(transaction: Transaction, counts: LearningCounts): number {
    return this.counts.take(transaction, counts);
  }

  /** Writes down what was counted so far. Never rejects. */
  flush(): Promise<void> {
    return this.counts.flush();
  }

  // ── Scores ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Never waits, never throws. `artifact` is a knowledge URI. */
  effectivenessOf(artifact: string): Effectiveness {
    try {
      const tally = this.table.tallyOf(artifact);
      // Nearly all of what a ranking asks about, nobody has rated.
      if (!tally && !this.counts.isUsed(artifact) && !this.artifacts.isRecord(artifact)) return UNRATED;
      return effectivenessOf(this.standing(artifact, 'chunk', tally));
    } catch (error) {
      this.complain(error);
      return UNRATED;
    }
  }

  /** Where a result ranks by the settings: 0 and more. */
  combinedScore(semantic: number, effectiveness: Pick<Effectiveness, 'score' | 'boost'>): number {
    return combinedScore(semantic, effectiveness, this.current);
  }

  /** What the odds of a recommendation are multiplied by. */
  gentleBoost(effectiveness: Pick<Effectiveness, 'boost' | 'confidence'>): number {
    return gentleBoost(effectiveness, this.current);
  }

  /** Whether what was learned changes an order, by the settings. */
  get isRanking(): boolean {
    return isBoosting(this.current);
  }

  /** Addresses of the library's passages on which there is feedback. Never throws. */
  ratedPassages(): ReadonlySet<string> {
    try {
      return this.table.ratedPassages();
    } catch (error) {
      this.complain(error);
      return NONE;
    }
  }

  /** `artifact` is a knowledge URI, or the id of a captured record. */
  scoreOf(artifact: string): ArtifactScore {
    const { artifact: uri, artifact_type } = this.artifacts.atHand(artifact);
    this.table.look(this.around.store.read());
    return scoreOf(this.standing(uri, artifact_type, this.table.tallyOf(uri)), this.counts.countOf(uri));
  }

  /** As `scoreOf`, with all that it is made of. */
  explain(artifact: string): ScoreExplanation {
    const score = this.scoreOf(artifact);
    const standing = this.standing(score.artifact, score.artifact_type, this.table.tallyOf(score.artifact));
    const samples: ExplainedSample[] = this.feedbackOn(score.artifact).flatMap((record) =>
      samplesOf(record).map((sample) => ({
        ...sample,
        times: 1,
        ...{ feedback_id: record.id, feedback_type: record.feedback_type, tier: record.feedback_tier },
        ...{ author: record.author, propagated_from: record.propagated_from, at: record.created_at },
      })),
    );
    const { used, lastUsed, tally, capturedAt, now, decays } = standing;
    if (used > 0) {
      const at = isoTime(lastUsed ?? now);
      samples.push({ ...USE_SAMPLE, times: used, feedback_type: 'used', tier: 'implicit', at });
    }
    const steps = stepsOf(score, samples, {
      ...{ now, decays, captured: capturedAt },
      used: score.last_used === undefined ? undefined : Date.parse(score.last_used),
      feedback: tally && tally.received > 0 ? tally.lastAt : undefined,
    });
    return { score, samples, steps };
  }

  /** Oldest first; of a document of the library what was said of its passages as well. */
  feedbackOn(artifact: string): FeedbackRecord[] {
    const { artifact: uri } = this.artifacts.atHand(artifact);
    return feedbackOn(this.around.store.read(), uri, { withPassages: isDocument(uri) });
  }

  /** Of everything that was rated or used: best first, then what rests on more. */
  scores(limit = DEFAULT_LISTED): ArtifactScore[] {
    const artifacts = new Set([...this.table.artifacts(), ...this.counts.everUsed()]);
    return [...artifacts]
      .map((artifact) => this.scoreOf(artifact))
      .sort((a, b) => b.composite_score - a.composite_score || b.confidence - a.confidence)
      .slice(0, listed(limit));
  }

  /** Makes all scores anew from what is stored. Answers how many there are, and which of them were different before. */
  recalculate(): { artifacts: number; changed: string[] } {
    const rawOf = (artifact: string) => this.scoreOf(artifact).raw_score;
    const before = new Map(this.table.artifacts().map((artifact) => [artifact, rawOf(artifact)]));
    this.table.rebuild();
    const artifacts = this.table.artifacts();
    const changed = artifacts.filter((artifact) => before.get(artifact) !== rawOf(artifact));
    return { artifacts: artifacts.length, changed };
  }

  /** The address of what is meant by an id, and its type. Throws as `feedback`. */
  resolve(id: string, type?: ArtifactType, signal?: AbortSignal) {
    return this.artifacts.resolve(id, type, signal);
  }

  // ── Keeping ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** All that counts, oldest first. */
  exportFeedback(): FeedbackRecord[] {
    return allFeedback(this.around.store.read());
  }

  /** Takes what `exportFeedback` gave; what is there already stays as it is. Answers how many were new. */
  importFeedback(transaction: Transaction, records: readonly FeedbackRecord[]): number {
    this.table.look(transaction);
    const ids = records.map(({ id }) => id);
    const known = knownIds(transaction, ids);
    const fresh = records.filter(({ id }) => !known.has(id) && known.add(id));
    insertFeedback(transaction, fresh);
    this.table.lookSoon();
    return fresh.length;
  }

  /** As `importFeedback`, in a transaction of its own. */
  takeIn(records: readonly FeedbackRecord[], change: Pick<FeedbackChange, 'rehearse' | 'signal'>): Promise<number> {
    const { store } = this.around;
    const write = (transaction: Transaction) => this.importFeedback(transaction, records);
    return change.rehearse ? rehearse(store, write, change.signal) : store.write(write, change.signal);
  }

  /** Follows an artifact that has another address now. */
  async moved(from: string, to: string, signal?: AbortSignal): Promise<void> {
    this.table.look(this.around.store.read());
    if (!this.table.tallyOf(from)) return;
    await this.around.store.write((transaction) => {
      this.table.look(transaction);
      moveFeedback(transaction, from, to);
    }, signal);
    this.table.lookSoon();
  }

  /** Reads all feedback in short turns, so that the first answer that ranks by it need not. Never rejects. */
  async warm(): Promise<void> {
    const turns = new Turns();
    try {
      while (this.table.readPage(this.around.store.read())) await turns.pause();
    } catch (error) {
      this.complain(error);
    }
  }

  /** Writes down the rest of what was counted. */
  close(): Promise<void> {
    return this.counts.close();
  }

  // ── Inside ───────────────────────────────────────────────────────────────────────────────────────────────────────

  private get mayCount(): boolean {
    return this.around.counts && this.current.feedback_implicit_tracking;
  }

  private insert(
    transaction: Transaction,
    given: Omit<FeedbackRecord, 'id'>,
    project: LearnedRecords['project'] | undefined,
  ): { records: FeedbackRecord[]; note: string } {
    const { record, note } = propagated(given, project, {
      enabled: this.current.score_propagation_enabled,
      hasTemplate: (id) => this.around.records().get('template', id) !== undefined,
    });
    const records = [given, ...(record ? [record] : [])].map((each) => ({ ...each, id: newId() }));
    insertFeedback(transaction, records);
    this.table.lookSoon();
    return { records, note };
  }

  private standing(artifact: string, type: ArtifactType, tally: Tally | undefined): Standing {
    const record = this.artifacts.record(artifact);
    const { used, lastUsed } = this.counts.usedOf(artifact);
    return {
      artifact,
      artifact_type: tally?.artifact_type ?? type,
      tally,
      used,
      lastUsed,
      capturedAt: record && Date.parse(record.record.created_at),
      now: this.around.clock.now(),
      decays: this.current.staleness_decay_enabled,
    };
  }

  /** Once each: what ranks asks hundreds of times. */
  private complain(error: unknown): void {
    // Who asks while everything is being closed needs no word of it.
    if (isKaizenError(error) && error.code === 'store_closed') return;
    const complaint = describeError(error);
    if (complaint !== this.complaint) this.around.log?.(`What was learned could not be read: ${complaint}`);
    this.complaint = complaint;
  }
}

const NONE: ReadonlySet<string> = new Set();

function settingsFrom(settings: Partial<LearningSettings> = {}): LearningSettings {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  const all = { ...DEFAULT_LEARNING_SETTINGS, ...given };
  for (const name of ['score_semantic_weight', 'score_effectiveness_weight'] as const) {
    const weight = all[name];
    if (!(weight >= 0 && weight <= 1)) {
      throw new KaizenError('invalid_argument', `${name} is to be a number from 0 to 1, not ${weight}.`);
    }
  }
  return all;
}

function checkedAuthor(author: string): string {
  return checkText(author, { name: 'author', max: MAX_AUTHOR, singleLine: true });
}

function newId(): string {
  return `fb-${randomUUID()}`;
}

function listed(limit: number): number {
  return Math.min(MAX_LISTED, Math.max(0, Math.trunc(limit)));
}

function factorsOf(record: FeedbackRecord): ScoreFactor[] {
  const touched = new Set(samplesOf(record).map(({ factor }) => factor));
  return SCORE_FACTORS.filter((factor) => touched.has(factor));
}
