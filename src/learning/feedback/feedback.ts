import { randomUUID } from 'node:crypto';
import { type Clock, isoTime } from '../../core/clock';
import { describeError, isKaizenError, KaizenError } from '../../core/errors';
import { learningUri } from '../../core/knowledge-uri';
import { sentence } from '../../core/sentence';
import { checkText, compareText } from '../../core/text';
import { atOnce, Turns } from '../../core/turns';
import { type Reader, rehearse, type Store, type Transaction } from '../../store';
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
  ScoreCounts,
  ScoreExplanation,
  ScoreOrder,
  UseCount,
} from '../feedback-model';
import type { LearnedRecords } from '../records-model';
import { ageOf, stepsOf, sumsOf } from '../scoring/explaining';
import { samplesOf } from '../scoring/factors';
import { combinedScore, gentleBoost, isBoosting } from '../scoring/ranking';
import { DEFAULT_LEARNING_SETTINGS, type LearningSettings } from '../settings';
import type { CapturedRecords, FoundRecord, OutcomeFeedback } from '../surroundings';
import { type ArtifactType, SCORE_FACTORS, type ScoreFactor, type ScoreLevel } from '../vocabulary';
import { Artifacts, type OtherArtifacts } from './artifacts';
import { ImplicitCounts } from './implicit';
import { givenBy } from './inputs';
import { propagated } from './propagation';
import {
  countFeedback,
  feedbackAfter,
  feedbackOn,
  hasFeedback,
  insertFeedback,
  knownIds,
  moveFeedback,
  refuseTooMuchFeedback,
  setWithdrawn,
} from './rows';
import { isDocument, ScoreTable } from './score-table';
import { effectivenessOf, penaltyOf, rawScoreOf, type Standing, scoreOf, UNRATED, USE_SAMPLE } from './scores';
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

/** As `FeedbackChange` of the model. */
interface FeedbackChange {
  author: string;
  by_agent?: boolean | undefined;
  /** Checks everything as giving it would, but changes nothing. */
  rehearse?: boolean | undefined;
  /** It takes the place of what the same person said of it in the same way before. */
  instead?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

const MAX_AUTHOR = 200;
const MAX_LISTED = 1_000;
/** Pieces of feedback; some milliseconds. */
const READ_AT_ONCE = 250;

/** What is known of a score without looking into the store. */
interface Ranked {
  artifact: string;
  score: number;
  confidence: number;
  level: ScoreLevel;
  penalty: number;
}

const ORDERS: Readonly<Record<ScoreOrder, (a: Ranked, b: Ranked) => number>> = {
  best: (a, b) => b.score - a.score,
  worst: (a, b) => a.score - b.score,
  stalest: (a, b) => b.penalty - a.penalty,
};

const DEFAULT_LISTED = 100;

/**
 * What was said of everything that is used, what was counted without anybody saying anything, and the scores that follow
 * from both (seed 003, 4.5 and 6). Scores are made in memory, of the stored feedback and counts: nothing that ranks waits.
 */
export class Feedback implements OutcomeFeedback {
  private table: ScoreTable;
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
      const before = this.table.tallyNow(artifact, transaction);
      const isReplacing = change.instead === true && this.withdrawOwn(transaction, record);
      const kept = isReplacing ? this.talliedAnew(transaction, artifact, artifact_type) : before;
      const { records, note } = this.insert(transaction, record, project);
      const [first, ...others] = records as [FeedbackRecord, ...FeedbackRecord[]];
      const after = kept ? copyOf(kept) : newTally(artifact_type);
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
    const record = {
      ...givenBy(input),
      ...{ artifact: learningUri('project', project.id), artifact_type: 'project' as const, project_id: project.id },
      ...{ feedback_source: 'outcome_tracking' as const, author: checkedAuthor(author), created_at: isoTime(at) },
    };
    return this.insert(transaction, record, project).records.map(({ id }) => id);
  }

  withdraw(transaction: Transaction, ids: readonly string[], withdrawn: boolean): void {
    setWithdrawn(transaction, ids, withdrawn);
    this.table.lookSoon();
  }

  /** Takes feedback back, with what was propagated of it. Unknown ids are no error. */
  async takeBack(ids: readonly string[], { signal }: Pick<FeedbackChange, 'signal'>): Promise<void> {
    await this.around.store.write((transaction) => this.withdraw(transaction, withPropagated(ids), true), signal);
  }

  /** What a person said of it by hand and did not take back, oldest first; what agents said for somebody is not the person's. */
  saidBy(author: string, artifact: string): FeedbackRecord[] {
    const { artifact: uri } = this.artifacts.atHand(artifact);
    // Nearly all of what a list asks about, nobody has rated.
    return this.table.tallyOf(uri) ? ownOn(this.around.store.read(), author, uri) : [];
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
    return this.shown(this.counts.uses(listed(limit)));
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
    return this.shown(this.counts.neverUsed(listed(limit)));
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
    const tally = this.table.tallyNow(uri, this.around.store.read());
    return scoreOf(this.standing(uri, artifact_type, tally), this.counts.countOf(uri));
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
    const age = ageOf({
      ...{ now, decays, captured: capturedAt },
      used: score.last_used === undefined ? undefined : Date.parse(score.last_used),
      feedback: tally && tally.received > 0 ? tally.lastAt : undefined,
    });
    const sums = sumsOf(score, samples);
    return { score, samples, steps: stepsOf(score, sums, age), sums, age };
  }

  /** Oldest first; of a document of the library what was said of its passages as well. */
  feedbackOn(artifact: string): FeedbackRecord[] {
    const { artifact: uri } = this.artifacts.atHand(artifact);
    return feedbackOn(this.around.store.read(), uri, { withPassages: isDocument(uri) }).map((each) => this.told(each));
  }

  /** What was said through another person's own project counts; which project that is, and what it was for, is not told. */
  private told(record: FeedbackRecord): FeedbackRecord {
    const { project_id, propagated_from } = record;
    const isSecret = (id: string | undefined) => id !== undefined && this.around.records().isHidden(id);
    if (!isSecret(project_id) && !isSecret(propagated_from)) return record;
    const from = propagated_from === undefined ? undefined : HIDDEN_PROJECT;
    return { ...record, usage_context: '', project_id: undefined, propagated_from: from };
  }

  /**
   * Of everything that was rated or used, in this order; what rests on more before what rests on less. In short turns,
   * as all that looks at all scores.
   */
  async scores(limit = DEFAULT_LISTED, order: ScoreOrder = 'best', signal?: AbortSignal): Promise<ArtifactScore[]> {
    const turns = new Turns(signal);
    const ranked = (await this.ranked(turns)).filter(({ penalty }) => order !== 'stalest' || penalty > 0);
    ranked.sort((a, b) => ORDERS[order](a, b) || b.confidence - a.confidence || compareText(a.artifact, b.artifact));
    const scores: ArtifactScore[] = [];
    for (const { artifact } of ranked.slice(0, listed(limit))) {
      scores.push(this.scoreOf(artifact));
      await turns.pause();
    }
    return scores;
  }

  /** Of how much there is a score, and how much feedback counts. */
  async scoreCounts(signal?: AbortSignal): Promise<ScoreCounts> {
    const ranked = await this.ranked(new Turns(signal));
    const levels: Partial<Record<ScoreLevel, number>> = {};
    for (const { level } of ranked) levels[level] = (levels[level] ?? 0) + 1;
    const stale = ranked.filter(({ penalty }) => penalty > 0).length;
    return { artifacts: ranked.length, levels, stale, feedback: countFeedback(this.around.store.read()) };
  }

  /** What an order needs of each score: whole ones are read from the store, one by one. */
  private async ranked(turns: Turns): Promise<Ranked[]> {
    await this.table.read(turns);
    const ranked: Ranked[] = [];
    for (const artifact of new Set([...this.table.artifacts(), ...this.counts.everUsed()])) {
      await turns.pause();
      if (this.artifacts.isAway(artifact)) continue;
      const standing = this.standing(artifact, 'chunk', this.table.tallyOf(artifact));
      const { score, confidence, level } = effectivenessOf(standing);
      ranked.push({ artifact, score, confidence, level, penalty: penaltyOf(standing) });
    }
    return ranked;
  }

  /** Makes all scores anew from what is stored. Answers how many there are, and which of them were different before. */
  async recalculate(signal?: AbortSignal): Promise<{ artifacts: number; changed: string[] }> {
    const turns = new Turns(signal);
    const [before, fresh] = [this.table, new ScoreTable(this.around.store)];
    await before.read(turns);
    await fresh.read(turns);
    const artifacts = fresh.artifacts();
    const rawIn = (table: ScoreTable, artifact: string) =>
      rawScoreOf(this.standing(artifact, 'chunk', table.tallyOf(artifact)));
    const changed: string[] = [];
    for (const artifact of new Set([...before.artifacts(), ...artifacts])) {
      if (rawIn(before, artifact) !== rawIn(fresh, artifact)) changed.push(artifact);
      await turns.pause();
    }
    this.table = fresh;
    return { artifacts: artifacts.length, changed };
  }

  /** The address of what is meant by an id, and its type. Throws as `feedback`. */
  resolve(id: string, type?: ArtifactType, signal?: AbortSignal) {
    return this.artifacts.resolve(id, type, signal);
  }

  // ── Keeping ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** All that counts, oldest first. */
  exportFeedback(): FeedbackRecord[] {
    return atOnce(this.readAll());
  }

  /** See `FeedbackExchange`. */
  *readAll(): Generator<void, FeedbackRecord[]> {
    const all: FeedbackRecord[] = [];
    let after = 0;
    for (;;) {
      const { records, last } = feedbackAfter(this.around.store.read(), after, READ_AT_ONCE);
      all.push(...records);
      if (last === undefined) break;
      after = last;
      yield;
    }
    return all.sort((a, b) => compareText(a.created_at, b.created_at));
  }

  /** See `FeedbackExchange`. */
  countNew(reader: Reader, records: readonly FeedbackRecord[]): number {
    const ids = records.map(({ id }) => id);
    return ids.length - knownIds(reader, ids).size;
  }

  /** See `FeedbackExchange`. */
  refuseTooMuch(reader: Reader, more: number): void {
    refuseTooMuchFeedback(reader, more);
  }

  /** Takes what `exportFeedback` gave; what is there already stays as it is. Answers how many were new. */
  importFeedback(transaction: Transaction, records: readonly FeedbackRecord[]): number {
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
    if (!hasFeedback(this.around.store.read(), from)) return;
    await this.around.store.write((transaction) => moveFeedback(transaction, from, to), signal);
    this.table.lookSoon();
  }

  /** Reads all feedback in short turns, so that the first answer that ranks by it need not. Never rejects. */
  async warm(): Promise<void> {
    try {
      await this.table.read(new Turns());
    } catch (error) {
      this.complain(error);
    }
  }

  /** Writes down the rest of what was counted. */
  close(): Promise<void> {
    return this.counts.close();
  }

  // ── Inside ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Without what is another person's own. */
  private shown(uses: UseCount[]): UseCount[] {
    return uses.filter(({ artifact }) => !this.artifacts.isHidden(artifact));
  }

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
    const id = newId();
    const records = [{ ...given, id }, ...(record ? [{ ...record, id: propagatedId(id) }] : [])];
    insertFeedback(transaction, records);
    this.table.lookSoon();
    return { records, note };
  }

  /** Whether there was something to be withdrawn. */
  private withdrawOwn(transaction: Transaction, given: Omit<FeedbackRecord, 'id'>): boolean {
    const way = wayOf(given);
    const own = ownOn(transaction, given.author, given.artifact).filter((each) => wayOf(each) === way);
    if (way === undefined || own.length === 0) return false;
    this.withdraw(transaction, withPropagated(own.map(({ id }) => id)), true);
    return true;
  }

  /** Sums cannot be taken apart: they are made anew of what is left. */
  private talliedAnew(reader: Reader, artifact: string, type: ArtifactType): Tally {
    const tally = newTally(type);
    for (const each of feedbackOn(reader, artifact, { withPassages: isDocument(artifact) })) {
      addTo(tally, { ...each, at: Date.parse(each.created_at) });
    }
    return tally;
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
      // What came with the product was captured by nobody: until somebody rates it, it does not age.
      capturedAt: !record || isBuiltIn(record) ? undefined : Date.parse(record.record.created_at),
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
/** Stands for the id of a project that is another person's own. */
const HIDDEN_PROJECT = 'personal';

function settingsFrom(settings: Partial<LearningSettings> = {}): LearningSettings {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
  const all = { ...DEFAULT_LEARNING_SETTINGS, ...given };
  for (const name of ['score_semantic_weight', 'score_effectiveness_weight'] as const) {
    const weight = all[name];
    if (!(weight >= 0 && weight <= 1)) {
      throw new KaizenError('invalid_argument', sentence('{0} is to be a number from 0 to 1, not {1}.', name, weight));
    }
  }
  return all;
}

function checkedAuthor(author: string): string {
  return checkText(author, { name: sentence('author'), max: MAX_AUTHOR, singleLine: true });
}

function isBuiltIn({ kind, record }: FoundRecord): boolean {
  return kind === 'pattern' && record.is_built_in;
}

function newId(): string {
  return `fb-${randomUUID()}`;
}

/** What was propagated of a piece of feedback is found by its id. */
function propagatedId(id: string): string {
  return `${id}.template`;
}

function withPropagated(ids: readonly string[]): string[] {
  return ids.flatMap((id) => [id, propagatedId(id)]);
}

/** What a person said of this very thing by hand; an outcome that was captured is taken back with its capture. */
function ownOn(reader: Reader, author: string, artifact: string): FeedbackRecord[] {
  return feedbackOn(reader, artifact, { withPassages: false }).filter(
    (each) => each.author === author && each.feedback_source === 'user' && each.propagated_from === undefined,
  );
}

/** The ways in which a person has one opinion of a thing: a thumb or stars, and ratings of its aspects. */
function wayOf({ feedback_type: type }: Pick<FeedbackRecord, 'feedback_type'>): 'quick' | 'aspects' | undefined {
  if (type === 'helpful' || type === 'not_helpful' || type === 'rating') return 'quick';
  return type === 'aspects' ? 'aspects' : undefined;
}

function listed(limit: number): number {
  return Math.min(MAX_LISTED, Math.max(0, Math.trunc(limit)));
}

function factorsOf(record: FeedbackRecord): ScoreFactor[] {
  const touched = new Set(samplesOf(record).map(({ factor }) => factor));
  return SCORE_FACTORS.filter((factor) => touched.has(factor));
}
