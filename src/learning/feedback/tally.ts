import type { Effectiveness } from '../feedback-model';
import { addSample, type FactorSums, noSums, samplesOf } from '../scoring/factors';
import { RECENT_RATINGS } from '../scoring/simple';
import { type ArtifactType, SCORE_FACTORS } from '../vocabulary';
import type { FeedbackRow } from './rows';

/** From here on a rating is a good one, below the other a bad one: the borders of *effective* and *limited*. */
const GOOD = 0.6;
const BAD = 0.4;

interface RecentRating {
  at: number;
  id: string;
  rating: number;
}

/** All feedback on one artifact, added up: sums only, so that in whichever order it came makes no difference. */
export interface Tally {
  artifact_type: ArtifactType;
  sums: FactorSums;
  /** Its own; what was propagated counts in the factors alone, as in the seed. */
  positive: number;
  negative: number;
  received: number;
  /** Uses that were given as feedback, beside those that are counted. */
  used: number;
  retrieved: number;
  /** The last ones, newest first; equally new ones by id. */
  ratings: readonly RecentRating[];
  /** Times in milliseconds since the epoch. */
  firstAt: number;
  lastAt: number;
  lastUsed?: number | undefined;
  lastRetrieved?: number | undefined;
  lastPositive?: number | undefined;
  lastNegative?: number | undefined;
  /** What ranking was told last, and from what it was made beside the sums: a ranking asks for it hundreds of times. */
  told?: { effectiveness: Effectiveness; used: number; penalty: number } | undefined;
}

export function newTally(artifactType: ArtifactType): Tally {
  return {
    artifact_type: artifactType,
    sums: noSums(),
    positive: 0,
    negative: 0,
    received: 0,
    used: 0,
    retrieved: 0,
    ratings: [],
    firstAt: Number.POSITIVE_INFINITY,
    lastAt: Number.NEGATIVE_INFINITY,
    lastUsed: undefined,
    lastRetrieved: undefined,
    lastPositive: undefined,
    lastNegative: undefined,
    told: undefined,
  };
}

export function copyOf(tally: Tally): Tally {
  return { ...tally, sums: structuredClone(tally.sums), told: undefined };
}

export function addTo(tally: Tally, row: FeedbackRow): void {
  for (const sample of samplesOf(row)) addSample(tally.sums, sample);
  tally.told = undefined;
  const { feedback_type: type, rating, at } = row;
  tally.firstAt = Math.min(tally.firstAt, at);
  if (type === 'retrieved') {
    tally.retrieved++;
    tally.lastRetrieved = later(tally.lastRetrieved, at);
    return;
  }
  if (type === 'used') {
    tally.used++;
    tally.lastUsed = later(tally.lastUsed, at);
    return;
  }
  tally.received++;
  tally.lastAt = Math.max(tally.lastAt, at);
  const isPositive = type === 'helpful' || type === 'project_success';
  const isNegative = type === 'not_helpful' || type === 'project_failure';
  if (isPositive || (!isNegative && rating !== undefined && rating >= GOOD)) {
    tally.lastPositive = later(tally.lastPositive, at);
  } else if (isNegative || (rating !== undefined && rating < BAD)) {
    tally.lastNegative = later(tally.lastNegative, at);
  }
  if (row.propagated_from !== undefined) return;
  if (isPositive) tally.positive++;
  if (isNegative) tally.negative++;
  if (rating !== undefined) tally.ratings = withRating(tally.ratings, { at, id: row.id, rating });
}

/** Adds what another says, as if each piece of it were added by itself. */
export function addTally(tally: Tally, other: Tally): void {
  for (const factor of SCORE_FACTORS) {
    const [sum, more] = [tally.sums[factor], other.sums[factor]];
    sum.total += more.total;
    sum.weight += more.weight;
    sum.samples += more.samples;
  }
  tally.told = undefined;
  for (const count of ['positive', 'negative', 'received', 'used', 'retrieved'] as const) tally[count] += other[count];
  tally.firstAt = Math.min(tally.firstAt, other.firstAt);
  tally.lastAt = Math.max(tally.lastAt, other.lastAt);
  for (const last of ['lastUsed', 'lastRetrieved', 'lastPositive', 'lastNegative'] as const) {
    const at = other[last];
    if (at !== undefined) tally[last] = later(tally[last], at);
  }
  for (const rating of other.ratings) tally.ratings = withRating(tally.ratings, rating);
}

function later(one: number | undefined, other: number): number {
  return one === undefined ? other : Math.max(one, other);
}

function withRating(ratings: readonly RecentRating[], added: RecentRating): readonly RecentRating[] {
  const after = ({ at, id }: RecentRating) => at < added.at || (at === added.at && id < added.id);
  const place = ratings.findIndex(after);
  if (place < 0) return ratings.length < RECENT_RATINGS ? [...ratings, added] : ratings;
  return [...ratings.slice(0, place), added, ...ratings.slice(place, RECENT_RATINGS - 1)];
}
