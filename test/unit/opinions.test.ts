import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { FeedbackRecord } from '../../src/learning';
import { combinedScore, isBoosting } from '../../src/learning/scoring/ranking';
import { DEFAULT_LEARNING_SETTINGS } from '../../src/learning/settings';
import {
  quickOf,
  type Ranker,
  rankedBy,
  shareOfStars,
  starsOfShare,
  thumbIn,
} from '../../src/vscode/learning/opinions';
import { entryRequest } from '../../webview-ui/protocol/entry';
import { noteRequest } from '../../webview-ui/protocol/note';
import { scoreRequest } from '../../webview-ui/protocol/score';

const record = (feedback_type: FeedbackRecord['feedback_type'], more: Partial<FeedbackRecord> = {}) =>
  ({ feedback_type, feedback_tier: 'quick', ...more }) as FeedbackRecord;

describe('what a person said with one click', () => {
  it('is the last of what was said so, whatever was said in another way', () => {
    assert.equal(thumbIn([]), undefined);
    assert.equal(thumbIn([record('aspects', { feedback_tier: 'detailed' })]), undefined);
    assert.equal(thumbIn([record('helpful'), record('suggestion', { feedback_tier: 'detailed' })]), 'helpful');
    assert.equal(thumbIn([record('helpful'), record('not_helpful')]), 'not_helpful');
    assert.equal(thumbIn([record('not_helpful'), record('rating', { rating: 0.5 })]), 'helpful');
    assert.equal(thumbIn([record('helpful'), record('rating', { rating: 0.4 })]), 'not_helpful');
    assert.equal(quickOf([record('helpful'), record('aspects', { feedback_tier: 'detailed' })]).length, 1);
  });

  it('takes stars for shares, and shares for stars', () => {
    assert.deepEqual([1, 2, 3, 4, 5].map(shareOfStars), [0, 0.25, 0.5, 0.75, 1]);
    for (const stars of [1, 2, 3, 4, 5]) assert.equal(starsOfShare(shareOfStars(stars)), stars);
    assert.deepEqual([0.6, 0.9, 7, -1].map(starsOfShare), [3, 5, 5, 1]);
  });

  it('is asked for by every page in the same words, and by nothing else', () => {
    for (const protocol of [entryRequest, noteRequest, scoreRequest]) {
      assert.ok(protocol.safeParse({ type: 'rate', helpful: false }).success);
      assert.ok(protocol.safeParse({ type: 'takeBackRating' }).success);
      assert.ok(protocol.safeParse({ type: 'explainScore' }).success);
      assert.ok(!protocol.safeParse({ type: 'rate', helpful: 'yes' }).success);
      assert.ok(!protocol.safeParse({ type: 'rate', helpful: true, artifact: 'knowledge://other' }).success);
    }
    assert.ok(!scoreRequest.safeParse({ type: 'takeBack', feedback: '' }).success);
  });
});

describe('the order of what was found for a person', () => {
  const ranker = (
    scores: Record<string, { score: number; boost: number }>,
    settings = DEFAULT_LEARNING_SETTINGS,
  ): Ranker => ({
    isRanking: isBoosting(settings),
    combinedScore: (fit, effectiveness) => combinedScore(fit, effectiveness, settings),
    effectivenessOf: (artifact) => scores[artifact] ?? { score: 0.5, boost: 1 },
  });
  const of = ({ artifact, fit }: { artifact: string; fit: number }) => ({ artifact, fit });

  it('has what helped before what fits a little better, and what did not behind', () => {
    const found = [
      { artifact: 'a', fit: 0.8 },
      { artifact: 'b', fit: 0.75 },
      { artifact: 'c', fit: 0.7 },
    ];
    const learning = ranker({ a: { score: 0.1, boost: 0.5 }, c: { score: 0.9, boost: 1.5 } });
    assert.deepEqual(
      rankedBy(learning, found, of).map(({ artifact }) => artifact),
      ['c', 'b', 'a'],
    );
  });

  it('is that of the search where nobody rated anything, or what was learned has no weight', () => {
    const hits = fc
      .array(fc.double({ min: 0, max: 1, noNaN: true }))
      .map((fits) => fits.sort((a, b) => b - a).map((fit, at) => ({ artifact: String(at), fit })));
    const off = { ...DEFAULT_LEARNING_SETTINGS, score_effectiveness_weight: 0 };
    fc.assert(
      fc.property(hits, (found) => {
        assert.deepEqual(rankedBy(ranker({}), found, of), found);
        assert.deepEqual(rankedBy(ranker({ 0: { score: 0, boost: 0.5 } }, off), found, of), found);
      }),
    );
  });
});
