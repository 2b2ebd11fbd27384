import { type Clock, isoTime } from '../core/clock';
import { READS_TOPIC } from '../knowledge';
import type { Store, Transaction } from '../store';
import type { Usage } from './model';

/** What is counted is written down this long after the first count that was not, so at most so often. */
const FLUSH_MS = 30_000;
/** Counted at once; what goes beyond waits for nobody and is left out. */
const MAX_PENDING = 2_000;
/** Beyond so many rows those go that were used longest ago. */
const MAX_ROWS = 5_000;
/** When the store closes, somebody else's lock is waited for only so long. */
const LAST_FLUSH_MS = 1_000;
const DEFAULT_ROWS = 50;

/** What agents were given: it was recommended to them, or they retrieved it. */
export type Use = 'recommended' | 'retrieved';

interface Counted {
  title: string;
  recommended: number;
  retrieved: number;
  lastAt: number;
}

/**
 * Counts what agents were given. Counting costs an answer nothing but a note in memory: it is written down now and then,
 * without anybody waiting for it, and what cannot be written is lost without a word.
 */
export class UsageCounter {
  private readonly pending = new Map<string, Counted>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  note(use: Use, items: Iterable<{ uri: string; title: string }>): void {
    const lastAt = this.clock.now();
    for (const { uri, title } of items) {
      const counted = this.pending.get(uri);
      if (!counted && this.pending.size >= MAX_PENDING) continue;
      const { recommended, retrieved } = counted ?? { recommended: 0, retrieved: 0 };
      const now = { recommended, retrieved, title, lastAt };
      now[use]++;
      this.pending.set(uri, now);
    }
    if (this.timer || this.pending.size === 0) return;
    this.timer = setTimeout(() => void this.flush(), FLUSH_MS);
    // Counting alone keeps no process alive.
    this.timer.unref();
  }

  /** Writes down what was counted so far. Never rejects. */
  flush(signal?: AbortSignal): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const rows = [...this.pending].map(([uri, { title, recommended, retrieved, lastAt }]) => [
      uri,
      title,
      recommended,
      retrieved,
      lastAt,
    ]);
    this.pending.clear();
    if (rows.length > 0) {
      const write = (transaction: Transaction) => writeRows(transaction, JSON.stringify(rows));
      // Read-only, full, held or closed: the counts are worth no error and no second try.
      this.writing = this.writing.then(() => this.store.write(write, signal)).catch(() => undefined);
    }
    return this.writing;
  }

  /** Writes down the rest, unless somebody else holds the store for long. */
  close(): Promise<void> {
    return this.flush(AbortSignal.timeout(LAST_FLUSH_MS));
  }
}

function writeRows(transaction: Transaction, rows: string): void {
  transaction.run(
    `INSERT INTO discovery_usage (uri, title, recommended, retrieved, last_at)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?1) WHERE true
     ON CONFLICT DO UPDATE SET title = excluded.title, recommended = recommended + excluded.recommended,
       retrieved = retrieved + excluded.retrieved, last_at = max(last_at, excluded.last_at)`,
    [rows],
  );
  transaction.run(
    `DELETE FROM discovery_usage WHERE uri IN
       (SELECT uri FROM discovery_usage ORDER BY last_at DESC, uri LIMIT -1 OFFSET ${MAX_ROWS})`,
  );
  transaction.touch(READS_TOPIC);
}

/** Most used first, counting both; among equals what was retrieved more often, then what was used last. */
export function readUsage(store: Store, limit = DEFAULT_ROWS): Usage[] {
  return store
    .read()
    .all<Omit<Usage, 'last_at'> & { last_at: number }>(
      `SELECT uri, title, recommended, retrieved, last_at FROM discovery_usage
       ORDER BY retrieved + recommended DESC, retrieved DESC, last_at DESC, uri LIMIT ?`,
      [Math.max(0, Math.min(Math.floor(limit), MAX_ROWS))],
    )
    .map((row) => ({ ...row, last_at: isoTime(row.last_at) }));
}
