import assert from 'node:assert/strict';
import { Turns } from '../../src/core/turns';

describe('Long work in turns', () => {
  const spin = (ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end; );
  };

  it('leaves the event loop to others, however many work at once', async () => {
    let longest = 0;
    let isDone = false;
    let last = performance.now();
    const beat = () => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      if (!isDone) setImmediate(beat);
    };
    setImmediate(beat);
    const work = async (turns: Turns) => {
      for (let step = 0; step < 30; step++) {
        spin(0.5);
        await turns.pause();
      }
    };
    const shared = new Turns();
    await Promise.all(Array.from({ length: 40 }, (_, at) => work(at % 2 === 0 ? shared : new Turns())));
    isDone = true;
    // Each with a turn of its own takes hundreds of milliseconds.
    assert.ok(longest < 100, `others waited for ${longest} ms`);
  });

  it('ends when it is given up', async () => {
    const ending = new AbortController();
    const turns = new Turns(ending.signal);
    await turns.pause();
    ending.abort();
    await assert.rejects(turns.pause(), { name: 'AbortError' });
  });
});
