/** A time limit that is set anew for each phase of some work, a limit for all of it, and whoever may cancel it. */
export class Deadline {
  private readonly controller = new AbortController();
  private phase: NodeJS.Timeout | undefined;
  private whole: NodeJS.Timeout | undefined;
  private readonly cancel = () => this.controller.abort(this.given.reason);

  constructor(private readonly given: AbortSignal) {
    if (given.aborted) this.cancel();
    else given.addEventListener('abort', this.cancel, { once: true });
  }

  /** Aborted with the error of the limit that was passed, or with the reason of who cancelled. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** From now on so many milliseconds until the next call. */
  next(milliseconds: number, late: () => Error): void {
    clearTimeout(this.phase);
    this.phase = setTimeout(() => this.controller.abort(late()), milliseconds);
  }

  /** From now on for all that follows. */
  all(milliseconds: number, late: () => Error): void {
    clearTimeout(this.whole);
    this.whole = setTimeout(() => this.controller.abort(late()), milliseconds);
  }

  dispose(): void {
    clearTimeout(this.phase);
    clearTimeout(this.whole);
    this.given.removeEventListener('abort', this.cancel);
  }
}

/** Does work that either of two may end; its signal is aborted with the reason of who did. */
export async function untilEither<Result>(
  one: AbortSignal | undefined,
  other: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  // `AbortSignal.any` would keep something of each call for as long as the library is open.
  const controller = new AbortController();
  const signals = one ? [one, other] : [other];
  const end = ({ target }: Event) => controller.abort((target as AbortSignal).reason);
  for (const signal of signals) signal.throwIfAborted();
  for (const signal of signals) signal.addEventListener('abort', end, { once: true });
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', end);
  }
}
