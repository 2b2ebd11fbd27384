import assert from 'node:assert/strict';
import type { LearningPart } from '../../src/learning';
import { BY_TESTER, useHalls } from '../support/hall';

const DAY_MINUTES = 24 * 60;

describe('lists of scores', () => {
  const open = useHalls();

  /** What was said of some entries, the first one longest ago. */
  async function rated() {
    const hall = await open({ countReads: true });
    await hall.define('g', 'GENERAL');
    const uris: string[] = [];
    for (const [keyword, ratings] of [
      ['good', [1, 1]],
      ['fair', [0.6]],
      ['bad', [0, 0, 0]],
    ] as const) {
      await hall.put('g', 'a', keyword);
      const artifact_id = `knowledge://scopes/g/a/${keyword}`;
      for (const rating of ratings) {
        await hall.learning.feedback({ operation: 'rate', artifact_id, artifact_type: 'chunk', rating }, BY_TESTER);
      }
      uris.push(artifact_id);
      hall.clock.advanceMinutes(100 * DAY_MINUTES);
    }
    const [good = '', fair = '', bad = ''] = uris;
    return { ...hall, good, fair, bad };
  }

  const addresses = async (learning: LearningPart, ...asked: Parameters<LearningPart['scores']>) =>
    (await learning.scores(...asked)).map(({ artifact }) => artifact);

  it('are in the order that is asked for, and as long as that', async () => {
    const { learning, good, fair, bad } = await rated();
    const whole = await learning.scores(10);
    assert.deepEqual(
      whole,
      whole.map(({ artifact }) => learning.scoreOf(artifact)),
    );
    const byScore = [...whole].sort((a, b) => b.composite_score - a.composite_score).map(({ artifact }) => artifact);
    assert.deepEqual([...byScore].sort(), [good, fair, bad].sort());
    assert.deepEqual(await addresses(learning, 10), byScore);
    assert.deepEqual(await addresses(learning, 10, 'worst'), [...byScore].reverse());
    assert.deepEqual(await addresses(learning, 10, 'stalest'), [good, fair, bad]);
    assert.deepEqual(await addresses(learning, 1, 'worst'), [byScore.at(-1)]);
  });

  it('leave out of the stale ones what age took nothing from', async () => {
    const { learning, clock, good, bad } = await rated();
    await learning.feedback({ operation: 'rate', artifact_id: bad, artifact_type: 'chunk', rating: 0 }, BY_TESTER);
    assert.ok(!(await addresses(learning, 10, 'stalest')).includes(bad));
    const { stale, artifacts, feedback, levels } = await learning.scoreCounts();
    assert.deepEqual([stale, artifacts, feedback], [2, 3, 7]);
    assert.equal(
      Object.values(levels).reduce((sum, count) => sum + count, 0),
      3,
    );
    clock.advanceMinutes(-1);
    assert.equal((await addresses(learning, 10, 'stalest'))[0], good);
  });

  it('stop when nobody waits for them any more', async () => {
    const { learning } = await rated();
    await assert.rejects(learning.scores(10, 'best', AbortSignal.abort(new Error('Nobody waits.'))), /Nobody waits/);
  });
});
