import { KaizenError } from '../core/errors';
import { sentence } from '../core/sentence';
import { Lock, type LockWait } from './lock';

/** Lets in one after another who comes by this name to this directory, in whatever process. */
export class Turnstile {
  private readonly lock: Lock;
  private queue: Promise<unknown> = Promise.resolve();

  /**
   * Nothing is written before somebody comes.
   * @param onWaiting told when somebody has waited for another process for a second, once for each such wait
   * @param prepare called before somebody is let in or waits, to make a directory that is not there
   */
  constructor(
    directory: string,
    name: string,
    onWaiting?: (wait: LockWait) => void,
    private readonly prepare = () => {},
  ) {
    this.lock = new Lock(directory, name, onWaiting);
  }

  /**
   * Runs `action` after what was asked for earlier, while nobody else is in. `signal` ends the wait (`cancelled`), never
   * an action under way. Throws `read_only`, `store_full` or `store_io` where the directory cannot be written.
   */
  run<T>(action: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    if (!signal) return this.inTurn(action);
    let begun = false;
    return new Promise((resolve, reject) => {
      // Waiting for one's turn in this process can be given up like waiting for another process.
      const cancel = () => begun || reject(cancelled(signal));
      signal.addEventListener('abort', cancel, { once: true });
      this.inTurn(() => {
        begun = true;
        return action();
      }, signal)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', cancel));
    });
  }

  /** Resolves when everybody was let in who had come by then. */
  async idle(): Promise<void> {
    await this.queue;
  }

  /** Takes away what it left in the directory, when nobody is in any more. */
  async close(): Promise<void> {
    await this.queue;
    this.lock.dispose();
  }

  private inTurn<T>(action: () => T | Promise<T>, signal?: AbortSignal): Promise<T> {
    const turn = this.queue.then(async () => {
      this.prepare();
      try {
        await this.lock.acquire(signal);
      } catch (error) {
        throw signal?.aborted ? cancelled(signal) : error;
      }
      try {
        if (signal?.aborted) throw cancelled(signal);
        return await action();
      } finally {
        this.lock.release();
      }
    });
    this.queue = turn.catch(() => {});
    return turn;
  }
}

function cancelled(signal: AbortSignal): KaizenError {
  return new KaizenError('cancelled', sentence('The change was cancelled before it was made.'), undefined, {
    cause: signal.reason,
  });
}
