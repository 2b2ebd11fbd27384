import type { Commit, Store } from './store';
import type { Transaction } from './transaction';

/** Ends a transaction that was only tried. */
class TakenBack extends Error {
  override readonly name = 'TakenBack';
}

/**
 * Runs `change` as `Store.write` would and takes it back: for what it answers, and for what it throws. Nothing is
 * written; the lock is taken all the same, so that the answer is the one that writing would have had.
 */
export function rehearse<T>(store: Store, change: (transaction: Transaction) => T, signal?: AbortSignal): Promise<T> {
  return store.holding((commit) => tryOut(commit, change), signal);
}

/** The same of one of the transactions of `Store.holding`. */
export function tryOut<T>(commit: Commit, change: (transaction: Transaction) => T): T {
  let outcome: { result: T } | undefined;
  try {
    commit((transaction) => {
      outcome = { result: change(transaction) };
      throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack) || !outcome) throw error;
  }
  return outcome!.result;
}
