import { setTimeout as delay } from 'node:timers/promises';

/** Longer than the editor's timers take to run on a busy machine, too short to be seen. */
const MOMENT_MS = 30;

/**
 * Lets a tree answer what stands below a line a moment late. VS Code asks about lines that are unfolded side by side at
 * once, and runs a timer for each: where the answer, and with it the question about an unfolded line below them, comes
 * before the last of those timers, the lines of the later timers take that question's answer for their own, and are
 * shown with nothing below them until the view is read anew (`TreeDataSource.getChildren`, seen in 1.139).
 */
export class Unfolding {
  private waited = false;
  private ended: NodeJS.Immediate | undefined;

  /** Waits a moment; once for lines that are answered one right after the other, as those of one question are. */
  async pause(): Promise<void> {
    if (!this.waited) await delay(MOMENT_MS);
    this.waited = true;
    clearImmediate(this.ended);
    this.ended = setImmediate(() => {
      this.waited = false;
    });
  }
}
