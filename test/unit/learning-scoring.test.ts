import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  addSample,
  type Evidence,
  factorConfidence,
  factorScore,
  noSums,
  propagationWeight,
  rawScore,
  samplesOf,
} from '../../src/learning/scoring/factors';
import { confidenceBand, scoreBand } from '../../src/learning/scoring/interpretation';
import { combinedScore, gentleBoost } from '../../src/learning/scoring/ranking';
import { simpleScore } from '../../src/learning/scoring/simple';
import { stalenessPenalty } from '../../src/learning/scoring/staleness';
import { DEFAULT_LEARNING_SETTINGS, type LearningSettings } from '../../src/learning/settings';
import {
  FEEDBACK_TIERS,
  FEEDBACK_TYPES,
  FEEDBACK_WEIGHTS,
  SCORE_FACTOR_WEIGHTS,
  SCORE_FACTORS,
} from '../../src/learning/vocabulary';

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 0, 31, 12);

const share = fc.double({ min: 0, max: 1, noNaN: true });
const settings = (changed: Partial<LearningSettings> = {}) => ({ ...DEFAULT_LEARNING_SETTINGS, ...changed });
const close = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

const evidence: fc.Arbitrary<Evidence> = fc.record({
  feedback_type: fc.constantFrom(...FEEDBACK_TYPES),
  feedback_tier: fc.constantFrom(...FEEDBACK_TIERS),
  rating: fc.option(share, { nil: undefined }),
  specific_data: fc.record(
    {
      relevance: share,
      completeness: share,
      accuracy: share,
      usefulness: share,
      estimate_delta_percent: fc.integer({ min: -1_000, max: 1_000 }),
      modifications_made: fc.array(fc.string(), { maxLength: 12 }),
    },
    { requiredKeys: [] },
  ),
  propagated_from: fc.option(fc.constant('proj-a-00000000'), { nil: undefined }),
  propagation_weight: fc.option(fc.double({ min: 0.3, max: 1, noNaN: true }), { nil: undefined }),
});

function scoreOfAll(all: readonly Evidence[]): { raw: number; samples: number } {
  const sums = noSums();
  for (const each of all) for (const sample of samplesOf(each)) addSample(sums, sample);
  const samples = SCORE_FACTORS.reduce((count, factor) => count + sums[factor].samples, 0);
  return { raw: rawScore((factor) => factorScore(sums[factor]).score), samples };
}

const given = (changed: Partial<Evidence>): Evidence => ({
  feedback_type: 'rating',
  feedback_tier: 'detailed',
  rating: undefined,
  specific_data: {},
  propagated_from: undefined,
  propagation_weight: undefined,
  ...changed,
});

describe('The simple score', () => {
  it('is what the formula of the seed gives', () => {
    const none = { positive: 0, negative: 0, used: 0, recentRatings: [] };
    assert.deepEqual(simpleScore(none), { score: 0.5, confidence: 0 });
    assert.deepEqual(simpleScore({ ...none, positive: 3, negative: 1 }), { score: 0.75, confidence: 0.4 });
    close(simpleScore({ ...none, positive: 3, negative: 1, recentRatings: [0.9, 0.7] }).score, 0.75 * 0.4 + 0.8 * 0.6);
    close(simpleScore({ ...none, recentRatings: [1] }).score, 0.5 * 0.4 + 0.6);
    assert.equal(simpleScore({ ...none, positive: 2, used: 3 }).confidence, 0.5);
    assert.equal(simpleScore({ ...none, used: 99 }).confidence, 1);
  });

  it('stays between 0 and 1, and whatever is better never lowers it', () => {
    const counts = fc.record({ positive: fc.nat(50), negative: fc.nat(50), used: fc.nat(50) });
    fc.assert(
      fc.property(counts, fc.array(share, { maxLength: 10 }), (all, recentRatings) => {
        const { score, confidence } = simpleScore({ ...all, recentRatings });
        assert.ok(score >= 0 && score <= 1 + 1e-12 && confidence >= 0 && confidence <= 1);
        assert.ok(simpleScore({ ...all, positive: all.positive + 1, recentRatings }).score >= score - 1e-12);
        assert.ok(simpleScore({ ...all, negative: all.negative + 1, recentRatings }).score <= score + 1e-12);
        const better = recentRatings.map((rating) => Math.min(1, rating + 0.1));
        assert.ok(simpleScore({ ...all, recentRatings: better }).score >= score - 1e-12);
        close(simpleScore({ ...all, recentRatings: [...recentRatings].reverse() }).score, score);
      }),
    );
  });
});

describe('The score by factors', () => {
  it('weighs the factors as the seed does', () => {
    assert.deepEqual(SCORE_FACTOR_WEIGHTS, {
      relevance: 0.15,
      effectiveness: 0.3,
      accuracy: 0.2,
      completeness: 0.15,
      user_rating: 0.2,
    });
    close(scoreOfAll([]).raw, 0.5);
    close(scoreOfAll([given({ feedback_type: 'project_success' })]).raw, 0.5 * 0.7 + 0.3);
  });

  it('takes each kind of feedback for what it says', () => {
    const samples = (changed: Partial<Evidence>) =>
      samplesOf(given(changed)).map(({ factor, value, weight }) => [factor, Math.round(value * 1e9) / 1e9, weight]);
    assert.deepEqual(samples({ feedback_type: 'helpful', feedback_tier: 'quick' }), [['user_rating', 1, 0.4]]);
    assert.deepEqual(samples({ feedback_type: 'not_helpful', feedback_tier: 'quick' }), [['user_rating', 0, 0.4]]);
    assert.deepEqual(samples({ rating: 0.7, feedback_tier: 'quick' }), [['user_rating', 0.7, 0.4]]);
    const aspects = { relevance: 0.1, completeness: 0.2, accuracy: 0.3, usefulness: 0.4 };
    assert.deepEqual(samples({ feedback_type: 'aspects', specific_data: aspects }), [
      ['relevance', 0.1, 1],
      ['completeness', 0.2, 1],
      ['accuracy', 0.3, 1],
      ['effectiveness', 0.4, 1],
    ]);
    for (const type of ['tasks_complete', 'risks_identified', 'dependencies_accurate'] as const) {
      assert.deepEqual(samples({ feedback_type: type }), [['completeness', 1, 1]]);
    }
    for (const type of ['tasks_incomplete', 'risks_missed', 'dependencies_missed'] as const) {
      assert.deepEqual(samples({ feedback_type: type }), [['completeness', 0, 1]]);
    }
    assert.deepEqual(samples({ feedback_type: 'estimates_accurate' }), [['accuracy', 1, 1]]);
    const off = (delta?: number) =>
      samples({ feedback_type: 'estimates_inaccurate', specific_data: { estimate_delta_percent: delta } });
    assert.deepEqual(off(25), [['accuracy', 0.75, 1]]);
    assert.deepEqual(off(-25), [['accuracy', 0.75, 1]]);
    assert.deepEqual(off(180), [['accuracy', 0, 1]]);
    assert.deepEqual(off(), [['accuracy', 0, 1]]);
    assert.deepEqual(samples({ feedback_type: 'used_as_is' }), [['relevance', 1, 1]]);
    const modified = (count: number) =>
      samples({ feedback_type: 'needed_modification', specific_data: { modifications_made: Array(count).fill('x') } });
    assert.deepEqual(modified(0), [['relevance', 0.9, 1]]);
    assert.deepEqual(modified(3), [['relevance', 0.7, 1]]);
    assert.deepEqual(modified(30), [['relevance', 0.3, 1]]);
    assert.deepEqual(samples({ feedback_type: 'project_success' }), [['effectiveness', 1, 1]]);
    assert.deepEqual(samples({ feedback_type: 'project_partial' }), [['effectiveness', 0.5, 1]]);
    assert.deepEqual(samples({ feedback_type: 'project_failure' }), [['effectiveness', 0, 1]]);
    assert.deepEqual(samples({ feedback_type: 'project_success', rating: 0.8 }), [['effectiveness', 0.8, 1]]);
    assert.deepEqual(samples({ feedback_type: 'risks_missed', rating: 0.6 }), [
      ['completeness', 0, 1],
      ['effectiveness', 0.6, 1],
    ]);
    assert.deepEqual(samples({ feedback_type: 'used', feedback_tier: 'implicit' }), [['relevance', 1, 0.1]]);
    assert.deepEqual(samples({ feedback_type: 'retrieved', feedback_tier: 'implicit' }), []);
    assert.deepEqual(samples({ feedback_type: 'suggestion' }), []);
    const propagated = { propagated_from: 'proj-a-00000000', propagation_weight: 0.6 };
    assert.deepEqual(samples({ feedback_type: 'risks_missed', rating: 0.8, ...propagated }), [
      ['effectiveness', 0.8, 0.6],
    ]);
    const quick = { feedback_type: 'helpful', feedback_tier: 'quick', rating: 1, ...propagated } as const;
    assert.deepEqual(samples(quick), [['effectiveness', 1, FEEDBACK_WEIGHTS.quick * 0.6]]);
  });

  it('stays between 0 and 1, whatever is given', () => {
    fc.assert(
      fc.property(fc.array(evidence, { maxLength: 60 }), (all) => {
        const { raw, samples } = scoreOfAll(all);
        assert.ok(raw >= 0 && raw <= 1);
        const confidence = factorConfidence(samples);
        assert.ok(confidence >= 0 && confidence <= 1);
        assert.equal(confidence === 1, samples >= 20);
      }),
    );
  });

  it('is the same in whichever order feedback came', () => {
    fc.assert(
      fc.property(fc.array(evidence, { maxLength: 30 }), fc.infiniteStream(fc.nat()), (all, order) => {
        const keys = all.map(() => order.next().value as number);
        const shuffled = all.map((each, at) => ({ each, key: keys[at]! })).sort((a, b) => a.key - b.key);
        close(scoreOfAll(shuffled.map(({ each }) => each)).raw, scoreOfAll(all).raw);
      }),
    );
  });

  it('is never lowered by the best feedback, and never raised by the worst', () => {
    const best: Evidence[] = [
      given({ feedback_type: 'helpful' }),
      given({ rating: 1 }),
      given({ feedback_type: 'tasks_complete' }),
      given({ feedback_type: 'estimates_accurate' }),
      given({ feedback_type: 'project_success', rating: 1 }),
      given({ feedback_type: 'used_as_is', rating: 1 }),
    ];
    const worst: Evidence[] = [
      given({ feedback_type: 'not_helpful' }),
      given({ rating: 0 }),
      given({ feedback_type: 'risks_missed', rating: 0 }),
      given({ feedback_type: 'estimates_inaccurate' }),
      given({ feedback_type: 'project_failure' }),
    ];
    const tier = fc.constantFrom(...FEEDBACK_TIERS);
    fc.assert(
      fc.property(
        fc.array(evidence, { maxLength: 30 }),
        fc.constantFrom(...best),
        fc.constantFrom(...worst),
        tier,
        (all, good, bad, feedback_tier) => {
          const { raw } = scoreOfAll(all);
          assert.ok(scoreOfAll([...all, { ...good, feedback_tier }]).raw >= raw - 1e-12);
          // Without samples a factor is neutral: what is bad lowers it then, too.
          assert.ok(scoreOfAll([...all, { ...bad, feedback_tier }]).raw <= raw + 1e-12);
        },
      ),
    );
  });

  it('never falls when one rating was better than it was', () => {
    fc.assert(
      fc.property(fc.array(evidence, { maxLength: 20 }), evidence, share, share, (all, one, a, b) => {
        const low = scoreOfAll([...all, { ...one, rating: Math.min(a, b) }]).raw;
        const high = scoreOfAll([...all, { ...one, rating: Math.max(a, b) }]).raw;
        assert.ok(high >= low - 1e-12);
      }),
    );
  });
});

describe('Propagation', () => {
  it('weighs what a project says by how much of the template was modified', () => {
    const weights = [0, 1, 3, 7, 8, 100].map(propagationWeight);
    for (const [at, expected] of [1, 0.9, 0.7, 0.3, 0.3, 0.3].entries()) close(weights[at]!, expected);
    fc.assert(
      fc.property(fc.nat(1_000), (count) => {
        const weight = propagationWeight(count);
        assert.ok(weight >= 0.3 && weight <= 1 && propagationWeight(count + 1) <= weight);
      }),
    );
  });
});

describe('Staleness', () => {
  const aged = (ms: number) => stalenessPenalty(NOW, NOW - ms);

  it('steps at the borders of days', () => {
    const steps = [
      [0, 0],
      [30 * DAY_MS - 1, 0],
      [30 * DAY_MS, 0.05],
      [90 * DAY_MS - 1, 0.05],
      [90 * DAY_MS, 0.1],
      [180 * DAY_MS - 1, 0.1],
      [180 * DAY_MS, 0.2],
      [365 * DAY_MS - 1, 0.2],
      [365 * DAY_MS, 0.3],
      [10_000 * DAY_MS, 0.3],
    ] as const;
    for (const [ms, penalty] of steps) assert.equal(aged(ms), penalty, `${ms / DAY_MS} days`);
  });

  it('goes by the most recent activity, and is greatest without any', () => {
    assert.equal(stalenessPenalty(NOW), 0.3);
    assert.equal(stalenessPenalty(NOW, undefined, undefined), 0.3);
    assert.equal(stalenessPenalty(NOW, NOW - 400 * DAY_MS, NOW - 40 * DAY_MS), 0.05);
    assert.equal(stalenessPenalty(NOW, undefined, NOW + DAY_MS), 0);
  });

  it('never falls as time goes by', () => {
    fc.assert(
      fc.property(fc.nat(500 * DAY_MS), fc.nat(500 * DAY_MS), (a, b) => {
        assert.ok(aged(Math.max(a, b)) >= aged(Math.min(a, b)));
        assert.ok(aged(a) >= 0 && aged(a) <= 0.3);
      }),
    );
  });
});

describe('What a score is called', () => {
  it('goes by bands that begin at their lower border', () => {
    const bands = [
      [0, 'poor', 1, 0.5],
      [0.199, 'poor', 1, 0.5],
      [0.2, 'limited', 2, 0.8],
      [0.399, 'limited', 2, 0.8],
      [0.4, 'moderate', 3, 1],
      [0.5, 'moderate', 3, 1],
      [0.599, 'moderate', 3, 1],
      [0.6, 'effective', 4, 1.2],
      [0.799, 'effective', 4, 1.2],
      [0.8, 'highly_effective', 5, 1.5],
      [1, 'highly_effective', 5, 1.5],
    ] as const;
    for (const [score, level, stars, boost] of bands) {
      const band = scoreBand(score);
      assert.deepEqual([band.level, band.stars, band.boost], [level, stars, boost], String(score));
    }
  });

  it('takes a sum that is meant to be on a border for on it', () => {
    // One *helpful* and nothing else: 0.5 × 0.8 + 0.2, which is 0.6 only on paper.
    const { raw } = scoreOfAll([given({ feedback_type: 'helpful', feedback_tier: 'quick' })]);
    close(raw, 0.6);
    assert.equal(scoreBand(raw).level, 'effective');
    assert.equal(scoreBand(0.3 + 0.3 - 1e-16).level, 'effective');
  });

  it('has bands for confidence as well', () => {
    const bands = [
      [0, 'unvalidated'],
      [0.199, 'unvalidated'],
      [0.2, 'limited_data'],
      [0.499, 'limited_data'],
      [0.5, 'moderately_validated'],
      [0.799, 'moderately_validated'],
      [0.8, 'well_established'],
      [1, 'well_established'],
    ] as const;
    for (const [confidence, level] of bands) assert.equal(confidenceBand(confidence).level, level, String(confidence));
  });
});

describe('Ranking by what was learned', () => {
  const effectiveness = (score: number) => ({ score, boost: scoreBand(score).boost });

  it('adds effectiveness with its boost to the semantic score, by the weights', () => {
    close(combinedScore(0.92, effectiveness(0.85), settings()), 0.92 * 0.7 + 0.85 * 1.5 * 0.3);
    close(combinedScore(0.5, effectiveness(0.1), settings()), 0.5 * 0.7 + 0.1 * 0.5 * 0.3);
    const other = settings({ score_semantic_weight: 0.4, score_effectiveness_weight: 0.6 });
    close(combinedScore(0.5, effectiveness(0.7), other), 0.5 * 0.4 + 0.7 * 1.2 * 0.6);
  });

  it('is the semantic score alone where boosting is off or has no weight', () => {
    for (const off of [{ score_search_boost_enabled: false }, { score_effectiveness_weight: 0 }]) {
      assert.equal(combinedScore(0.37, effectiveness(0.95), settings(off)), 0.37);
      assert.equal(gentleBoost({ boost: 1.5, confidence: 1 }, settings(off)), 1);
    }
  });

  it('rises with either score', () => {
    fc.assert(
      fc.property(share, share, share, share, (a, b, c, d) => {
        const low = combinedScore(Math.min(a, b), effectiveness(Math.min(c, d)), settings());
        assert.ok(combinedScore(Math.max(a, b), effectiveness(Math.max(c, d)), settings()) >= low - 1e-12);
      }),
    );
  });

  it('boosts gently: the less the less it rests on, and nothing at all that nobody rated', () => {
    assert.equal(gentleBoost({ boost: 1, confidence: 1 }, settings()), 1);
    assert.equal(gentleBoost({ boost: 1.5, confidence: 0 }, settings()), 1);
    close(gentleBoost({ boost: 1.5, confidence: 1 }, settings()), 1.5);
    close(gentleBoost({ boost: 0.5, confidence: 1 }, settings()), 0.5);
    const some = gentleBoost({ boost: 1.5, confidence: 0.4 }, settings());
    assert.ok(some > 1 && some < 1.5);
    assert.ok(gentleBoost({ boost: 1.5, confidence: 0.4 }, settings({ score_effectiveness_weight: 0.6 })) > some);
  });
});
