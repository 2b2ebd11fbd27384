import assert from 'node:assert/strict';
import { Turns } from '../../src/core/turns';

describe('Long work in turns', () => {
  const spin = (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end; );
  };

  it('leaves the event loop to others, however many work at once', async () => {
    let most = 0;
    let steps = 0;
    let isDone = false;
    const beat = () => {
      most = Math.max(most, steps);
      steps = 0;
      if (!isDone) setImmediate(beat);
    };
    setImmediate(beat);
    const work = async (turns: Turns) => {
      for (let step = 0; step < 40; step++) {
        spin(0.5);
        steps++;
        await turns.pause();
      }
    };
    const shared = new Turns();
    await Promise.all(Array.from({ length: 40 }, (_, at) => work(at % 2 === 0 ? shared : new Turns())));
    isDone = true;
    // One step of each, and what is left of the turn; not a turn of each, which is hundreds of steps.
    assert.ok(most < 100, `${most} steps of half a millisecond in one round`);
  });

  it('ends when it is given up', async () => {
    const ending = new AbortController();
    const turns = new Turns(ending.signal);
    await turns.pause();
    ending.abort();
    await assert.rejects(turns.pause(), { name: 'AbortError' });
  });
});
