export interface Limits {
  /** No limit unless told. */
  milliseconds?: number | undefined;
  /** What the signal says when the time is over. */
  late?(): Error;
  signals: readonly (AbortSignal | undefined)[];
}

/**
 * Does work with a signal that ends with the first of others, when the time is over, and when the work is over: whatever
 * it left behind, such as an answer that nobody read, ends with it. `AbortSignal.any` with `AbortSignal.timeout` is not
 * enough: Node 20 may collect the latter while somebody waits for it, and the time is never over.
 */
export async function within<T>(
  { milliseconds, late, signals }: Limits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const given = signals.filter((signal) => signal !== undefined);
  const end = ({ target }: Event) => over.abort((target as AbortSignal).reason);
  for (const signal of given) {
    signal.throwIfAborted();
    signal.addEventListener('abort', end);
  }
  const watch = milliseconds === undefined ? undefined : setTimeout(() => over.abort(late?.()), milliseconds);
  try {
    return await work(over.signal);
  } finally {
    clearTimeout(watch);
    for (const signal of given) signal.removeEventListener('abort', end);
    over.abort();
  }
}
