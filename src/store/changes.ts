import { type FSWatcher, watch } from 'node:fs';
import type { Disposable } from '../core/disposable';
import { describeError } from '../core/errors';

export type ChangeListener = (topics: ReadonlySet<string>) => void;

/** The topic of a change that may concern everything. */
const EVERYTHING = '*';
const POLL_MS = 1_000;
const WATCH_DELAY_MS = 15;
/** Beyond so many topics, all of them count as just changed: there is one for each entry that was written. */
const MAX_VERSIONS = 20_000;

/** What changed: versions of topics for caches, and word for listeners, whichever process made the change. */
export class Changes {
  private readonly versions = new Map<string, number>();
  private count = 0;
  /** No topic is older than the last time that everything was read anew. */
  private everything = 0;
  private readonly listeners = new Set<ChangeListener>();
  private pending: Set<string> | undefined;
  private watching: Disposable | undefined;
  /** What went wrong when last looked, so as not to say it again each second. */
  private complaint: string | undefined;

  /** `look` reads what other processes wrote; what it finds comes back by `note`. */
  constructor(
    private readonly directory: string,
    private readonly look: () => void,
    private readonly onReport: (message: string) => void,
  ) {}

  /** Grows whenever a transaction touched the topic. */
  versionOf(topic: string): number {
    return Math.max(this.versions.get(topic) ?? 0, this.everything);
  }

  note(topics: ReadonlySet<string>): void {
    if (topics.size === 0) return;
    const change = ++this.count;
    if (this.versions.size > MAX_VERSIONS) {
      this.versions.clear();
      this.everything = change;
    }
    for (const topic of topics) this.versions.set(topic, change);
    this.announce(topics);
  }

  noteEverything(): void {
    this.everything = ++this.count;
    this.announce(new Set([EVERYTHING]));
  }

  /** As long as somebody listens, the directory is watched for what other processes write. */
  listen(listener: ChangeListener): Disposable {
    this.listeners.add(listener);
    this.watching ??= this.watch();
    return {
      dispose: () => {
        this.listeners.delete(listener);
        if (this.listeners.size === 0) this.close();
      },
    };
  }

  /** There is a directory by now, in which there was none. */
  directoryMade(): void {
    if (!this.watching) return;
    this.watching.dispose();
    this.watching = this.watch();
  }

  close(): void {
    this.listeners.clear();
    this.watching?.dispose();
    this.watching = undefined;
  }

  /** Listeners hear of changes after the call that made or found them, several at once as one. */
  private announce(topics: ReadonlySet<string>): void {
    if (this.listeners.size === 0) return;
    if (this.pending) {
      for (const topic of topics) this.pending.add(topic);
      return;
    }
    const pending = new Set(topics);
    this.pending = pending;
    setImmediate(() => {
      this.pending = undefined;
      for (const listener of [...this.listeners]) {
        const complaint = this.attempt('could not be shown', () => listener(pending));
        if (complaint !== undefined) this.onReport(complaint);
      }
    });
  }

  /** By the system's word where it gives it, by a look each second at the latest. */
  private watch(): Disposable {
    const look = () => {
      const complaint = this.attempt('could not be read again', this.look);
      if (complaint !== undefined && complaint !== this.complaint) this.onReport(complaint);
      this.complaint = complaint;
    };
    const poll = setInterval(look, POLL_MS);
    poll.unref();
    let delay: NodeJS.Timeout | undefined;
    let watcher: FSWatcher | undefined;
    try {
      watcher = watch(this.directory, { persistent: false }, (_event, name) => {
        if (name && !String(name).startsWith('journal-')) return;
        delay ??= setTimeout(() => {
          delay = undefined;
          look();
        }, WATCH_DELAY_MS);
      });
      watcher.on('error', () => watcher?.close());
    } catch {
      // Out of watches, a file system without them, or no directory yet: the poll has to do.
    }
    return {
      dispose: () => {
        clearInterval(poll);
        clearTimeout(delay);
        watcher?.close();
      },
    };
  }

  /** Returns what went wrong, in words for a person. */
  private attempt(what: string, action: () => void): string | undefined {
    try {
      action();
      return undefined;
    } catch (error) {
      return `What changed in ${this.directory} ${what}: ${describeError(error)}`;
    }
  }
}
