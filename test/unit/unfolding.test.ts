import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { Unfolding } from '../../src/vscode/views/unfolding';

describe('what stands below a line', () => {
  /** How many turns of the event loop an answer takes. */
  async function turns(answer: () => Promise<void>): Promise<number> {
    let count = 0;
    let handle = setImmediate(function next() {
      count++;
      handle = setImmediate(next);
    });
    await answer();
    clearImmediate(handle);
    return count;
  }

  it('is answered after the timers that the editor runs for lines beside it', async () => {
    const unfolding = new Unfolding();
    let timers = 0;
    for (let line = 0; line < 4; line++) setTimeout(() => timers++, 0);
    await unfolding.pause();
    assert.equal(timers, 4);
  });

  it('is answered late once for all lines of one question', async () => {
    const unfolding = new Unfolding();
    await unfolding.pause();
    assert.equal(
      await turns(async () => {
        for (let line = 0; line < 500; line++) await unfolding.pause();
      }),
      0,
    );
  });

  it('is answered late again for the question after it', async () => {
    const unfolding = new Unfolding();
    await unfolding.pause();
    await delay(1);
    assert.ok((await turns(() => unfolding.pause())) > 0);
  });
});
