import type { ArtifactScore, ExplainedSample } from '../feedback-model';
import {
  FACTOR_CONFIDENCE_SAMPLES,
  SCORE_FACTOR_WEIGHTS,
  SCORE_FACTORS,
  SIMPLE_CONFIDENCE_SAMPLES,
} from '../vocabulary';
import { confidenceBand } from './interpretation';
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

/**
 * How a score came about, a sum in each line, from the samples to the boost: whoever has the samples and a pencil gets
 * the same. Numbers are rounded to six decimals.
 */
export function stepsOf(score: ArtifactScore, samples: readonly ExplainedSample[], activity: Activity): string[] {
  const steps: string[] = [];
  for (const factor of SCORE_FACTORS) {
    const own = samples.filter((sample) => sample.factor === factor);
    steps.push(
      `${factor} = ${factorSum(own)}${shown(score.factors[factor].score)}${own.length === 0 ? ' (neutral: no samples)' : ''}`,
    );
  }
  const weighed = SCORE_FACTORS.map((each) => `${shown(score.factors[each].score)} × ${SCORE_FACTOR_WEIGHTS[each]}`);
  steps.push(`raw = ${weighed.join(' + ')} = ${shown(score.raw_score)}`);
  steps.push(`staleness = ${shown(score.staleness_penalty)}: ${reasonOf(activity)}`);
  steps.push(
    `score = ${shown(score.raw_score)} × (1 - ${shown(score.staleness_penalty)}) = ${shown(score.composite_score)}`,
  );
  const counts = SCORE_FACTORS.map((each) => score.factors[each].samples);
  const count = counts.reduce((sum, each) => sum + each, 0);
  steps.push(
    `confidence = min(1, (${counts.join(' + ')}) / ${FACTOR_CONFIDENCE_SAMPLES}) = min(1, ${count} / ${FACTOR_CONFIDENCE_SAMPLES}) = ${shown(score.confidence)} (${score.confidence_level}: ${confidenceBand(score.confidence).says})`,
  );
  steps.push(`level = ${score.level}, ${score.stars} of 5 stars; in ranking the score counts × ${score.boost}`);
  steps.push(simpleStep(score));
  return steps;
}

function factorSum(samples: readonly ExplainedSample[]): string {
  const count = samples.length;
  if (count === 0) return '';
  if (count > MAX_WRITTEN_OUT) {
    const total = samples.reduce((sum, { value, weight, times }) => sum + value * weight * times, 0);
    const weight = samples.reduce((sum, { weight: each, times }) => sum + each * times, 0);
    return `Σ value × weight / Σ weight, of ${count} = ${shown(total)} / ${shown(weight)} = `;
  }
  const often = (times: number) => (times === 1 ? '' : ` × ${times}`);
  const above = samples.map(({ value, weight, times }) => `${shown(value)} × ${shown(weight)}${often(times)}`);
  const below = samples.map(({ weight, times }) => `${shown(weight)}${often(times)}`);
  return `(${above.join(' + ')}) / (${below.join(' + ')}) = `;
}

function reasonOf({ now, decays, used, feedback, captured }: Activity): string {
  if (!decays) return 'the decay is switched off';
  const ago = (what: string, ms: number) => `${Math.max(0, daysBetween(ms, now))} days since ${what}`;
  if (used !== undefined && (feedback === undefined || used >= feedback)) return ago('it was last used', used);
  if (feedback !== undefined) return ago('the last feedback', feedback);
  return captured === undefined ? 'nobody rated or used it, so that nothing ages' : ago('it was captured', captured);
}

function simpleStep({
  simple,
  positive_feedback: positive,
  negative_feedback: negative,
  times_used: used,
}: ArtifactScore): string {
  return `simple score, for comparison = ${shown(simple.score)} (${positive} positive, ${negative} negative, mean of the last ratings × 0.6 where there are any); its confidence = min(1, (${positive} + ${negative} + ${used}) / ${SIMPLE_CONFIDENCE_SAMPLES}) = ${shown(simple.confidence)}`;
}

function shown(value: number): string {
  return String(Math.round(value * 1e6) / 1e6);
}
