import type { Clock } from '../core/clock';
import type { Store } from '../store';
import { ACCEPTING_MS, renewClaim } from './proposals';

/** Often enough that a claim holds although one renewal fails. */
const RENEW_MS = ACCEPTING_MS / 3;

/**
 * Does `work` and keeps the claim on a proposal alive meanwhile, so that nobody else takes it for cut off however long the
 * work is: reading a book, or fetching many pages. When the process is killed, the claim runs out by itself.
 * @param since when it was claimed, in milliseconds of `clock`
 */
export async function whileClaimed<T>(
  { store, clock }: { store: Store; clock: Clock },
  id: number,
  since: number,
  work: () => Promise<T>,
): Promise<T> {
  let held = since;
  let renewing: Promise<unknown> = Promise.resolve();
  const renew = async () => {
    const now = clock.now();
    if (await store.write((transaction) => renewClaim(transaction, id, held, now))) held = now;
  };
  const timer = setInterval(() => {
    // What cannot be written now is tried again the next time.
    renewing = renewing.then(renew).catch(() => {});
  }, RENEW_MS);
  timer.unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
    // What comes after it, letting go or settling, shall be the last word.
    await renewing;
  }
}
