import type { Clock } from '../core/clock';
import type { Store } from '../store';
import { ACCEPTING_MS, renewClaim } from './proposals';

/** Often enough that a claim holds although one renewal fails. */
const RENEW_MS = ACCEPTING_MS / 3;

/** On a proposal. */
export interface Claim {
  id: number;
  /** When it was made, or renewed last, in milliseconds. */
  since: number;
}

/**
 * Does `work` and keeps the claim on a proposal alive meanwhile, so that nobody else takes it for cut off however long the
 * work is: reading a book, or fetching many pages. When the process is killed, the claim runs out by itself.
 */
export async function whileClaimed<T>(
  { store, clock }: { store: Store; clock: Clock },
  claim: Claim,
  work: () => Promise<T>,
): Promise<T> {
  let renewing: Promise<unknown> = Promise.resolve();
  const renew = async () => {
    const now = clock.now();
    const isOurs = await store.write((transaction) => renewClaim(transaction, claim.id, claim.since, now));
    if (isOurs) claim.since = now;
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
