/** Well below what a person notices, and the time in which others wait for the event loop. */
const LONGEST_TURN_MS = 12;

/** Long work in short turns: `await turns.pause()` now and then lets others run whenever a turn was long enough. */
export class Turns {
  private started = performance.now();

  constructor(private readonly signal?: AbortSignal) {}

  /** Throws the signal's reason once it is aborted. */
  async pause(): Promise<void> {
    this.signal?.throwIfAborted();
    if (performance.now() - this.started < LONGEST_TURN_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.signal?.throwIfAborted();
    this.started = performance.now();
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
