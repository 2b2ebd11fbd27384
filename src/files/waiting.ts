import type { Disposable } from '../core/disposable';

/** What settles, telling of each step. */
export interface Settling {
  isSettled(): boolean;
  onDidChange(listener: () => void): Disposable;
}

/** Resolves once it is settled, or when the time is over: whether it is then. Rejects with the signal's reason. */
export async function untilSettled(
  { isSettled, onDidChange }: Settling,
  ms: number,
  signal?: AbortSignal,
): Promise<boolean> {
  signal?.throwIfAborted();
  if (isSettled()) return true;
  return new Promise((resolve, reject) => {
    const end = () => {
      registration.dispose();
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason);
      else resolve(isSettled());
    };
    const registration = onDidChange(() => {
      if (isSettled()) end();
    });
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

/** Waits no longer once the signal is aborted: rejects with its reason, while the work goes on. */
export async function unlessAborted<Result>(work: Promise<Result>, signal?: AbortSignal): Promise<Result> {
  if (!signal) return work;
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', abort));
}
