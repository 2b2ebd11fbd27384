/** So long a question waits for files that are still being looked through. */
const WAIT_MS = 2_000;

interface LookedThrough {
  start(): void;
  ready(ms: number): Promise<boolean>;
  onDidChangeState(listener: () => void): { dispose(): void };
}

/**
 * Waits until files were looked through once. Who waited in vain says so to those that ask next: they do not wait again
 * before something has changed.
 */
export class FirstLook {
  private waiting: Promise<boolean> | undefined;

  constructor(private readonly part: LookedThrough) {
    part.onDidChangeState(() => {
      this.waiting = undefined;
    });
  }

  /** True when everything is known. */
  done(): Promise<boolean> {
    if (!this.waiting) {
      this.part.start();
      this.waiting = this.part.ready(WAIT_MS);
    }
    return this.waiting;
  }
}
