import type { ArtifactScore, ExplainedSample, ScoreAge, ScoreSum } from '../feedback-model';
import {
  FACTOR_CONFIDENCE_SAMPLES,
  SCORE_FACTOR_WEIGHTS,
  SCORE_FACTORS,
  SIMPLE_CONFIDENCE_SAMPLES,
} from '../vocabulary';
import { confidenceBand } from './interpretation';
import { simpleFormula } from './simple';
import { daysBetween } from './staleness';

/** More samples of a factor are not written out one by one: they stand in the list. */
const MAX_WRITTEN_OUT = 8;

/** What the penalty follows from. Times in milliseconds since the epoch. */
export interface Activity {
  now: number;
  decays: boolean;
  used: number | undefined;
  feedback: number | undefined;
  captured: number | undefined;
}

/** What the age of a score goes by: the last use or the last feedback, whichever is later. */
export function ageOf({ now, decays, used, feedback, captured }: Activity): ScoreAge {
  if (!decays) return { since: 'off', days: 0 };
  const age = (since: ScoreAge['since'], ms: number): ScoreAge => ({
    since,
    days: Math.max(0, daysBetween(ms, now)),
  });
  if (used !== undefined && (feedback === undefined || used >= feedback)) return age('used', used);
  if (feedback !== undefined) return age('feedback', feedback);
  return captured === undefined ? { since: 'nothing', days: 0 } : age('captured', captured);
}

/**
 * How a score came about, from the samples to the score: whoever has the samples and a pencil gets the same. Numbers are
 * rounded to six decimals.
 */
export function sumsOf(score: ArtifactScore, samples: readonly ExplainedSample[]): ScoreSum[] {
  const { factors, raw_score: raw, staleness_penalty: penalty, simple } = score;
  const { positive_feedback: positive, negative_feedback: negative, times_used: used } = score;
  const counts = SCORE_FACTORS.map((each) => factors[each].samples);
  const count = counts.reduce((sum, each) => sum + each, 0);
  const weighed = SCORE_FACTORS.map((each) => `${shown(factors[each].score)} × ${SCORE_FACTOR_WEIGHTS[each]}`);
  return [
    ...SCORE_FACTORS.map((factor) => {
      const own = samples.filter((sample) => sample.factor === factor);
      return { of: factor, formula: factorSum(own), value: factors[factor].score };
    }),
    { of: 'raw', formula: weighed.join(' + '), value: raw },
    { of: 'staleness', formula: '', value: penalty },
    { of: 'score', formula: `${shown(raw)} × (1 - ${shown(penalty)})`, value: score.composite_score },
    {
      of: 'confidence',
      formula: `min(1, (${counts.join(' + ')}) / ${FACTOR_CONFIDENCE_SAMPLES}) = min(1, ${count} / ${FACTOR_CONFIDENCE_SAMPLES})`,
      value: score.confidence,
    },
    {
      of: 'simple',
      formula: simpleFormula({ positive, negative, recentRatings: simple.ratings }, shown),
      value: simple.score,
    },
    {
      of: 'simple_confidence',
      formula: `min(1, (${positive} + ${negative} + ${used}) / ${SIMPLE_CONFIDENCE_SAMPLES})`,
      value: simple.confidence,
    },
  ];
}

/** The same as sentences, a sum in each, with level and boost. */
export function stepsOf(score: ArtifactScore, sums: readonly ScoreSum[], age: ScoreAge): string[] {
  const sumOf = (name: ScoreSum['of']) => {
    const { formula, value } = sums.find((each) => each.of === name)!;
    return formula === '' ? shown(value) : `${formula} = ${shown(value)}`;
  };
  const { positive_feedback: positive, negative_feedback: negative, simple } = score;
  return [
    ...SCORE_FACTORS.map(
      (factor) => `${factor} = ${sumOf(factor)}${score.factors[factor].samples === 0 ? ' (neutral: no samples)' : ''}`,
    ),
    `raw = ${sumOf('raw')}`,
    `staleness = ${sumOf('staleness')}: ${reasonOf(age)}`,
    `score = ${sumOf('score')}`,
    `confidence = ${sumOf('confidence')} (${score.confidence_level}: ${confidenceBand(score.confidence).says})`,
    `level = ${score.level}, ${score.stars} of 5 stars; in ranking the score counts × ${score.boost}`,
    `simple score, for comparison = ${sumOf('simple')} (${positive} positive, ${negative} negative${simple.ratings.length > 0 ? ', and the last ratings' : ''}); its confidence = ${sumOf('simple_confidence')}`,
  ];
}

function factorSum(samples: readonly ExplainedSample[]): string {
  const count = samples.length;
  if (count === 0) return '';
  if (count > MAX_WRITTEN_OUT) {
    const total = samples.reduce((sum, { value, weight, times }) => sum + value * weight * times, 0);
    const weight = samples.reduce((sum, { weight: each, times }) => sum + each * times, 0);
    return `Σ(v × w) / Σ(w) = ${shown(total)} / ${shown(weight)}`;
  }
  const often = (times: number) => (times === 1 ? '' : ` × ${times}`);
  const above = samples.map(({ value, weight, times }) => `${shown(value)} × ${shown(weight)}${often(times)}`);
  const below = samples.map(({ weight, times }) => `${shown(weight)}${often(times)}`);
  return `(${above.join(' + ')}) / (${below.join(' + ')})`;
}

function reasonOf({ since, days }: ScoreAge): string {
  switch (since) {
    case 'off':
      return 'the decay is switched off';
    case 'nothing':
      return 'nobody rated or used it, so that nothing ages';
    case 'used':
      return `${days} days since it was last used`;
    case 'feedback':
      return `${days} days since the last feedback`;
    case 'captured':
      return `${days} days since it was captured`;
  }
}

function shown(value: number): string {
  return String(Math.round(value * 1e6) / 1e6);
}
