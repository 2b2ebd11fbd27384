/** Everything, or these paths below the root. */
export type Todo = 'all' | ReadonlySet<string>;

/** Milliseconds that a hint waits for more of them, and after which it waits no longer. */
const QUIET = 80;
const LONGEST_WAIT = 400;
/** More hints than this are a hint to everything. */
const MAX_PATHS = 1_000;
/** After a pass as much time goes by before hints begin another, and no longer than this. */
const LONGEST_REST = 500;

/** Runs passes over a folder one after another. Hints are collected for a moment, and so are those that come during a pass. */
export class Passes {
  private pending: 'all' | Set<string> = new Set();
  /** Has not begun yet, so that it takes whatever is still to come. */
  private queued: Promise<void> | undefined;
  private last: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private firstHint = 0;
  private restUntil = 0;
  private isClosed = false;

  /** @param pass never rejects */
  constructor(private readonly pass: (todo: Todo) => Promise<void>) {}

  /** Soon; a hint is cheap. */
  hint(todo: 'all' | string): void {
    if (this.isClosed) return;
    this.add(todo);
    const now = performance.now();
    if (this.timer) clearTimeout(this.timer);
    else this.firstHint = now;
    const wait = Math.min(QUIET, Math.max(0, this.firstHint + LONGEST_WAIT - now));
    this.timer = setTimeout(() => void this.run(), Math.max(wait, this.restUntil - now));
    this.timer.unref();
  }

  /** At once, with all that was hinted at; resolves when it is done. */
  async now(todo: 'all' | string): Promise<void> {
    if (this.isClosed) return;
    this.add(todo);
    await this.run();
  }

  /** No pass begins any more; resolves when the one under way is over. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.last;
  }

  private add(todo: 'all' | string): void {
    if (todo === 'all') this.pending = 'all';
    if (this.pending === 'all') return;
    this.pending.add(todo);
    if (this.pending.size > MAX_PATHS) this.pending = 'all';
  }

  private run(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.queued ??= this.last.then(() => this.begin());
    this.last = this.queued;
    return this.queued;
  }

  private async begin(): Promise<void> {
    this.queued = undefined;
    const todo = this.pending;
    this.pending = new Set();
    if (this.isClosed) return;
    const start = performance.now();
    await this.pass(todo);
    const end = performance.now();
    this.restUntil = end + Math.min(end - start, LONGEST_REST);
  }
}
