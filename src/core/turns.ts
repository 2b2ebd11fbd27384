/** Well below what a person notices: the time in which others wait for the event loop. */
const LONGEST_TURN_MS = 8;

/** There is one event loop: all works in it share each of its rounds, so that many take no longer than one. */
let roundBegan = performance.now();
let nextRound: Promise<void> | undefined;

/** Long work in short turns: `await turns.pause()` now and then lets others run whenever a turn was long enough. */
export class Turns {
  constructor(private readonly signal?: AbortSignal) {}

  /** Throws the signal's reason once it is aborted. */
  async pause(): Promise<void> {
    this.signal?.throwIfAborted();
    if (performance.now() - roundBegan < LONGEST_TURN_MS) return;
    nextRound ??= new Promise((resolve) => {
      setImmediate(() => {
        roundBegan = performance.now();
        nextRound = undefined;
        resolve();
      });
    });
    await nextRound;
    this.signal?.throwIfAborted();
  }
}

/** Takes all steps of long work, with a turn for others between them; its result. */
export async function inTurns<Result>(steps: Generator<void, Result>, turns: Turns): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await turns.pause();
  }
}

/** Takes all steps of work that is known to be short. */
export function atOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
