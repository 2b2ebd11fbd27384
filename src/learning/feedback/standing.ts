import { isoTime } from '../../core/clock';
import type { ArtifactScore, Effectiveness, FactorScore, UseCount } from '../feedback-model';
import { addSample, factorConfidence, factorScore, noSums, rawScore } from '../scoring/factors';
import { confidenceBand, scoreBand } from '../scoring/interpretation';
import { simpleScore } from '../scoring/simple';
import { stalenessPenalty } from '../scoring/staleness';
import { type ArtifactType, FEEDBACK_WEIGHTS, NEUTRAL, SCORE_FACTORS, type ScoreFactor } from '../vocabulary';
import { newTally, type Tally } from './tally';

/** What a score is made of, all of it as it is now. Times in milliseconds since the epoch. */
export interface Standing {
  artifact: string;
  artifact_type: ArtifactType;
  tally: Tally | undefined;
  /** Uses that were counted. */
  used: number;
  lastUsed: number | undefined;
  /** When it was captured; undefined for what is no captured record. */
  capturedAt: number | undefined;
  now: number;
  /** Whether age takes anything off. */
  decays: boolean;
}

const NEUTRAL_BAND = scoreBand(NEUTRAL);

/** Of what nobody rated or used: one object for all of it. */
export const UNRATED: Effectiveness = Object.freeze({
  score: NEUTRAL,
  confidence: 0,
  level: NEUTRAL_BAND.level,
  boost: NEUTRAL_BAND.boost,
  ratings: 0,
});

/** What each counted use says: it was relevant. */
export const USE_SAMPLE = { factor: 'relevance', value: 1, weight: FEEDBACK_WEIGHTS.implicit } as const;

/** The part of a score that ranking asks for. */
export function effectivenessOf(standing: Standing): Effectiveness {
  const { tally, used, capturedAt } = standing;
  if (!tally && used === 0 && capturedAt === undefined) return UNRATED;
  const penalty = penaltyOf(standing);
  const told = tally?.told;
  if (told && told.used === used && told.penalty === penalty) return told.effectiveness;
  const { raw, samples } = rawOf(standing);
  const score = raw * (1 - penalty);
  const { level, boost } = scoreBand(score);
  const confidence = factorConfidence(samples);
  const effectiveness = { score, confidence, level, boost, ratings: tally?.received ?? 0 };
  if (tally) tally.told = { effectiveness, used, penalty };
  return effectiveness;
}

/** The whole of it. */
export function scoreOf(standing: Standing, counted: UseCount | undefined): ArtifactScore {
  const { artifact, artifact_type, tally = newTally(artifact_type), used, lastUsed, capturedAt, now } = standing;
  const { factors, raw, samples } = rawOf(standing);
  const penalty = penaltyOf(standing);
  const composite = raw * (1 - penalty);
  const { level, stars, boost } = scoreBand(composite);
  const confidence = factorConfidence(samples);
  const timesUsed = used + tally.used;
  const recentRatings = tally.ratings.map(({ rating }) => rating);
  const lastUse = latest(lastUsed, tally.lastUsed);
  const lastRetrieved = latest(counted?.last_retrieved && Date.parse(counted.last_retrieved), tally.lastRetrieved);
  const lastFeedback = tally.received > 0 ? tally.lastAt : undefined;
  const first = capturedAt ?? (Number.isFinite(tally.firstAt) ? tally.firstAt : undefined);
  const at = (name: string, ms: number | undefined) => (ms === undefined ? {} : { [name]: isoTime(ms) });
  return {
    ...{
      artifact,
      artifact_type: tally.artifact_type,
      factors,
      raw_score: raw,
      composite_score: composite,
      confidence,
    },
    simple: {
      ...simpleScore({ positive: tally.positive, negative: tally.negative, used: timesUsed, recentRatings }),
      ratings: recentRatings,
    },
    times_retrieved: (counted?.retrieved ?? 0) + tally.retrieved,
    times_used: timesUsed,
    times_feedback_received: tally.received,
    positive_feedback: tally.positive,
    negative_feedback: tally.negative,
    ...at('last_retrieved', lastRetrieved),
    ...at('last_used', lastUse),
    ...at('last_feedback', lastFeedback),
    ...at('last_positive_use', tally.lastPositive),
    ...at('last_negative_feedback', tally.lastNegative),
    staleness_penalty: penalty,
    ...{ level, stars, boost, confidence_level: confidenceBand(confidence).level },
    created_at: isoTime(first ?? now),
    updated_at: isoTime(latest(lastFeedback, lastUse, lastRetrieved, first) ?? now),
  };
}

/** Before age takes anything off, 0 to 1. */
export function rawScoreOf(standing: Standing): number {
  return rawOf(standing).raw;
}

/** Before age takes anything off. */
interface Raw {
  factors: Record<ScoreFactor, FactorScore>;
  raw: number;
  samples: number;
}

function rawOf({ tally, used }: Standing): Raw {
  const sums = tally?.sums ?? noSums();
  const factors = {} as Record<ScoreFactor, FactorScore>;
  let samples = 0;
  for (const factor of SCORE_FACTORS) {
    let sum = sums[factor];
    if (used > 0 && factor === USE_SAMPLE.factor) {
      const withUses = { [factor]: { ...sum } } as typeof sums;
      addSample(withUses, USE_SAMPLE, used);
      sum = withUses[factor];
    }
    factors[factor] = factorScore(sum);
    samples += sum.samples;
  }
  const raw = rawScore((factor) => factors[factor].score);
  return { factors, raw, samples };
}

/** By the last use and the last feedback; by when it was captured where there is neither, and nothing is taken off the rest. */
export function penaltyOf({ tally, lastUsed, capturedAt, now, decays }: Standing): number {
  if (!decays) return 0;
  const used = latest(lastUsed, tally?.lastUsed);
  const given = tally && tally.received > 0 ? tally.lastAt : undefined;
  if (used === undefined && given === undefined) {
    return capturedAt === undefined ? 0 : stalenessPenalty(now, capturedAt);
  }
  return stalenessPenalty(now, used, given);
}

function latest(...times: readonly (number | '' | undefined)[]): number | undefined {
  let last: number | undefined;
  for (const each of times) if (typeof each === 'number' && (last === undefined || each > last)) last = each;
  return last;
}
