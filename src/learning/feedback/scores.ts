import { type Clock, isoTime } from '../../core/clock';
import { describeError, isKaizenError } from '../../core/errors';
import { compareText } from '../../core/text';
import { Turns } from '../../core/turns';
import type { Store } from '../../store';
import type {
  ArtifactScore,
  Effectiveness,
  ExplainedSample,
  ScoreCounts,
  ScoreExplanation,
  ScoreOrder,
} from '../feedback-model';
import { ageOf, stepsOf, sumsOf } from '../scoring/explaining';
import { samplesOf } from '../scoring/factors';
import { combinedScore, gentleBoost, isBoosting } from '../scoring/ranking';
import type { LearningSettings } from '../settings';
import type { CapturedRecords, FoundRecord } from '../surroundings';
import type { ArtifactType, ScoreLevel } from '../vocabulary';
import type { Artifacts } from './artifacts';
import type { ImplicitCounts } from './implicit';
import { DEFAULT_LISTED, listed } from './limits';
import { countFeedback } from './rows';
import { ScoreTable } from './score-table';
import { effectivenessOf, penaltyOf, rawScoreOf, type Standing, scoreOf, UNRATED, USE_SAMPLE } from './standing';
import type { Tally } from './tally';
import { toldFeedback } from './telling';

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

const NONE: ReadonlySet<string> = new Set();

export interface ScoresOptions {
  store: Store;
  clock: Clock;
  records: () => CapturedRecords;
  artifacts: Artifacts;
  counts: ImplicitCounts;
  settings: () => LearningSettings;
  log?: ((message: string) => void) | undefined;
}

/**
 * The scores that follow from what was said and what was counted, made in memory: nothing that ranks waits. Whatever looks
 * at all of them does so in short turns.
 */
export class Scores {
  private sums: ScoreTable;
  private complaint: string | undefined;

  constructor(private readonly options: ScoresOptions) {
    this.sums = new ScoreTable(options.store);
  }

  /** The sums of all feedback: another table once they were made anew. */
  get table(): ScoreTable {
    return this.sums;
  }

  /** Never waits, never throws. `artifact` is a knowledge URI. */
  effectivenessOf(artifact: string): Effectiveness {
    const { counts, artifacts } = this.options;
    try {
      const tally = this.sums.tallyOf(artifact);
      // Nearly all of what a ranking asks about, nobody has rated.
      if (!tally && !counts.isUsed(artifact) && !artifacts.isRecord(artifact)) return UNRATED;
      return effectivenessOf(this.standing(artifact, 'chunk', tally));
    } catch (error) {
      this.complain(error);
      return UNRATED;
    }
  }

  /** What it would be if this were all that was said of it. */
  effectivenessBy(tally: Tally | undefined, artifact: string, type: ArtifactType): Effectiveness {
    return effectivenessOf(this.standing(artifact, type, tally));
  }

  /** Where a result ranks by the settings: 0 and more. */
  combinedScore(semantic: number, effectiveness: Pick<Effectiveness, 'score' | 'boost'>): number {
    return combinedScore(semantic, effectiveness, this.options.settings());
  }

  /** What the odds of a recommendation are multiplied by. */
  gentleBoost(effectiveness: Pick<Effectiveness, 'boost' | 'confidence'>): number {
    return gentleBoost(effectiveness, this.options.settings());
  }

  /** Whether what was learned changes an order, by the settings. */
  get isRanking(): boolean {
    return isBoosting(this.options.settings());
  }

  /** Addresses of the library's passages on which there is feedback. Never throws. */
  ratedPassages(): ReadonlySet<string> {
    try {
      return this.sums.ratedPassages();
    } catch (error) {
      this.complain(error);
      return NONE;
    }
  }

  /** `artifact` is a knowledge URI, or the id of a captured record. */
  scoreOf(artifact: string): ArtifactScore {
    const { store, counts, artifacts } = this.options;
    const { artifact: uri, artifact_type } = artifacts.atHand(artifact);
    const tally = this.sums.tallyNow(uri, store.read());
    return scoreOf(this.standing(uri, artifact_type, tally), counts.countOf(uri));
  }

  /** As `scoreOf`, with all that it is made of. */
  explain(artifact: string): ScoreExplanation {
    const { store, records } = this.options;
    const score = this.scoreOf(artifact);
    const standing = this.standing(score.artifact, score.artifact_type, this.sums.tallyOf(score.artifact));
    const samples: ExplainedSample[] = toldFeedback(store.read(), records, score.artifact).flatMap((record) =>
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
    return { artifacts: ranked.length, levels, stale, feedback: countFeedback(this.options.store.read()) };
  }

  /** Makes all scores anew from what is stored. Answers how many there are, and which of them were different before. */
  async recalculate(signal?: AbortSignal): Promise<{ artifacts: number; changed: string[] }> {
    const turns = new Turns(signal);
    const [before, fresh] = [this.sums, new ScoreTable(this.options.store)];
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
    this.sums = fresh;
    return { artifacts: artifacts.length, changed };
  }

  /** Reads all feedback in short turns, so that the first answer that ranks by it need not. Never rejects. */
  async warm(): Promise<void> {
    try {
      await this.sums.read(new Turns());
    } catch (error) {
      this.complain(error);
    }
  }

  /** What an order needs of each score: whole ones are read from the store, one by one. */
  private async ranked(turns: Turns): Promise<Ranked[]> {
    const { artifacts, counts } = this.options;
    await this.sums.read(turns);
    const ranked: Ranked[] = [];
    for (const artifact of new Set([...this.sums.artifacts(), ...counts.everUsed()])) {
      await turns.pause();
      if (artifacts.isAway(artifact)) continue;
      const standing = this.standing(artifact, 'chunk', this.sums.tallyOf(artifact));
      const { score, confidence, level } = effectivenessOf(standing);
      ranked.push({ artifact, score, confidence, level, penalty: penaltyOf(standing) });
    }
    return ranked;
  }

  private standing(artifact: string, type: ArtifactType, tally: Tally | undefined): Standing {
    const { artifacts, counts, clock, settings } = this.options;
    const record = artifacts.record(artifact);
    const { used, lastUsed } = counts.usedOf(artifact);
    return {
      artifact,
      artifact_type: tally?.artifact_type ?? type,
      tally,
      used,
      lastUsed,
      // What came with the product was captured by nobody: until somebody rates it, it does not age.
      capturedAt: !record || isBuiltIn(record) ? undefined : Date.parse(record.record.created_at),
      now: clock.now(),
      decays: settings().staleness_decay_enabled,
    };
  }

  /** Once each: what ranks asks hundreds of times. */
  private complain(error: unknown): void {
    // Who asks while everything is being closed needs no word of it.
    if (isKaizenError(error) && error.code === 'store_closed') return;
    const complaint = describeError(error);
    if (complaint !== this.complaint) this.options.log?.(`What was learned could not be read: ${complaint}`);
    this.complaint = complaint;
  }
}

function isBuiltIn({ kind, record }: FoundRecord): boolean {
  return kind === 'pattern' && record.is_built_in;
}
