import assert from 'node:assert/strict';
import { learningOptionsOf } from '../../src/cli/learning-options';

describe('The environment variables of learning', () => {
  it('are those of the seed', () => {
    assert.deepEqual(learningOptionsOf({}), {});
    assert.deepEqual(learningOptionsOf({ SCORE_SEMANTIC_WEIGHT: '', FEEDBACK_IMPLICIT_TRACKING: '' }), {});
    const { learning } = learningOptionsOf({
      FEEDBACK_IMPLICIT_TRACKING: 'false',
      FEEDBACK_PROMPT_ON_COMPLETION: '0',
      SCORE_SEARCH_BOOST_ENABLED: 'TRUE',
      SCORE_SEMANTIC_WEIGHT: '0.6',
      SCORE_EFFECTIVENESS_WEIGHT: '0',
      SCORE_PROPAGATION_ENABLED: '1',
      STALENESS_DECAY_ENABLED: 'False',
    });
    assert.deepEqual(learning, {
      feedback_implicit_tracking: false,
      feedback_prompt_on_completion: false,
      score_search_boost_enabled: true,
      score_semantic_weight: 0.6,
      score_effectiveness_weight: 0,
      score_propagation_enabled: true,
      staleness_decay_enabled: false,
    });
  });

  it('are named when they are wrong', () => {
    const refused = (environment: NodeJS.ProcessEnv, message: RegExp) =>
      assert.throws(() => learningOptionsOf(environment), message);
    refused({ SCORE_SEMANTIC_WEIGHT: '1.5' }, /SCORE_SEMANTIC_WEIGHT needs a number from 0 to 1/);
    refused({ SCORE_EFFECTIVENESS_WEIGHT: 'much' }, /SCORE_EFFECTIVENESS_WEIGHT needs a number/);
    refused({ STALENESS_DECAY_ENABLED: 'maybe' }, /STALENESS_DECAY_ENABLED takes true or false/);
  });
});
