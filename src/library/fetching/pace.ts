interface Waiter {
  interval: number;
  go(): void;
}

/** Lets the requests to one host go one after the other, with a pause between their beginnings. */
class HostPace {
  private readonly waiting: Waiter[] = [];
  private free = 0;
  private timer: NodeJS.Timeout | undefined;

  /** Nobody waits, and the next may go at once. */
  get isIdle(): boolean {
    return this.waiting.length === 0 && performance.now() >= this.free;
  }

  /** In the order of the calls; the next one goes `interval` milliseconds later at the earliest. */
  wait(interval: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return void reject(signal.reason);
      const giveUp = () => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1);
        // For nobody: a process that has done its work would not end.
        if (this.waiting.length === 0) this.rest();
        reject(signal.reason);
      };
      const waiter: Waiter = {
        interval,
        go: () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.waiting.push(waiter);
      this.letGo();
    });
  }

  private rest(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private letGo(): void {
    while (this.waiting.length > 0 && this.timer === undefined) {
      const pause = this.free - performance.now();
      if (pause > 0) {
        this.timer = setTimeout(() => {
          this.timer = undefined;
          this.letGo();
        }, pause);
        return;
      }
      const waiter = this.waiting.shift()!;
      this.free = performance.now() + waiter.interval;
      waiter.go();
    }
  }
}

/** The pace of each host (CRAWL4AI_RATE_LIMIT_RPS of seed 003, 9.1). */
export class Paces {
  private readonly hosts = new Map<string, HostPace>();

  constructor(private readonly most: number) {}

  /** Waits for the host's turn. Rejects with the signal's reason. */
  wait(host: string, interval: number, signal: AbortSignal): Promise<void> {
    let pace = this.hosts.get(host);
    if (!pace) {
      this.forgetIdle();
      pace = new HostPace();
      this.hosts.set(host, pace);
    }
    return pace.wait(interval, signal);
  }

  private forgetIdle(): void {
    if (this.hosts.size < this.most) return;
    for (const [host, pace] of this.hosts) if (pace.isIdle) this.hosts.delete(host);
  }
}
