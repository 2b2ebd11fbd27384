import type { Clock } from '../core/clock';
import type { Store, Transaction } from '../store';
import { inChunks, type Row, runForAll } from './bulk';
import type { EntryKey, ResolvedEntry, Tier } from './model';
import { READS_TOPIC } from './schema';
import { type Stores, storeOf } from './stores';

interface Read extends EntryKey {
  tier: Tier;
  reads: number;
  lastAt: number;
}

/** What is counted is written down this long after the first read that was not, so at most so often. */
const FLUSH_MS = 30_000;
/** Entries that are counted at once; what goes beyond waits for nobody and is left out. */
const MAX_PENDING = 10_000;
/** Rows that each writing looks through for entries that are gone. */
const SWEPT_ROWS = 1_000;
/** When the stores close, somebody else's lock is waited for only so long. */
const LAST_FLUSH_MS = 1_000;

const FIRST_KEY: readonly string[] = ['', '', ''];

/**
 * Counts which entries agents were given. Counting costs a read nothing but a note in memory: it is written down now
 * and then, without anybody waiting for it, and what cannot be written is lost without a word.
 */
export class ReadCounter {
  private readonly pending = new Map<string, Read>();
  /** When the first read was counted here. */
  private since: number | undefined;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  /** For each store the row up to which entries that are gone were looked for. */
  private readonly swept = new Map<Store, readonly string[]>();

  constructor(
    private readonly stores: Stores,
    private readonly clock: Clock,
  ) {}

  note(entries: readonly ResolvedEntry[]): void {
    const lastAt = this.clock.now();
    for (const { source_scope: scope_id, source_tier: tier, category, keyword } of entries) {
      // No name holds a control character.
      const id = `${scope_id}\0${category}\0${keyword}`;
      const read = this.pending.get(id);
      if (read) {
        read.reads++;
        read.lastAt = lastAt;
      } else if (this.pending.size < MAX_PENDING) {
        this.pending.set(id, { scope_id, category, keyword, tier, reads: 1, lastAt });
      }
    }
    if (this.timer || this.pending.size === 0) return;
    this.since ??= lastAt;
    this.timer = setTimeout(() => void this.flush(), FLUSH_MS);
    // Counting alone keeps no process alive.
    this.timer.unref();
  }

  /** Writes down what was counted so far: one transaction for each store. Never rejects. */
  flush(signal?: AbortSignal): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const reads = [...this.pending.values()];
    this.pending.clear();
    if (reads.length > 0) this.writing = this.writing.then(() => this.writeAll(reads, signal));
    return this.writing;
  }

  /** Writes down the rest, unless somebody else holds a store for long. */
  close(): Promise<void> {
    return this.flush(AbortSignal.timeout(LAST_FLUSH_MS));
  }

  private async writeAll(reads: readonly Read[], signal: AbortSignal | undefined): Promise<void> {
    const { workspace, shared } = this.stores;
    for (const store of new Set([workspace, shared])) {
      const own = reads.filter(({ tier }) => storeOf(this.stores, tier) === store);
      try {
        // Both stores say since when reads are counted, whichever was read first.
        if (own.length === 0 && countedSince(store) !== undefined) continue;
        await store.write((transaction) => this.write(store, transaction, own), signal);
      } catch {
        // Read-only, full, held or closed: the counts are worth no error and no second try.
      }
    }
  }

  private write(store: Store, transaction: Transaction, reads: readonly Read[]): void {
    transaction.run('INSERT INTO read_counting (since) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM read_counting)', [
      this.since ?? this.clock.now(),
    ]);
    runForAll(
      transaction,
      `INSERT INTO entry_read (scope_id, category, keyword, reads, last_at)
       SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?1) WHERE true
       ON CONFLICT DO UPDATE SET reads = reads + excluded.reads, last_at = max(last_at, excluded.last_at)`,
      reads.map(({ scope_id, category, keyword, reads, lastAt }): Row => [scope_id, category, keyword, reads, lastAt]),
    );
    this.sweep(store, transaction);
    transaction.touch(READS_TOPIC);
  }

  /** Removes rows of entries that are gone, a part of the table at a time and round again, so that it cannot grow for ever. */
  private sweep(store: Store, transaction: Transaction): void {
    const rows = transaction.all<EntryKey & { gone: number }>(
      `SELECT d.scope_id, d.category, d.keyword, e.id IS NULL AS gone
       FROM entry_read d
       LEFT JOIN category c ON c.scope_id = d.scope_id AND c.name = d.category
       LEFT JOIN entry e ON e.category_id = c.id AND e.keyword = d.keyword
       WHERE (d.scope_id, d.category, d.keyword) > (?, ?, ?)
       ORDER BY d.scope_id, d.category, d.keyword LIMIT ${SWEPT_ROWS}`,
      [...(this.swept.get(store) ?? FIRST_KEY)],
    );
    const keys = rows.map(({ scope_id, category, keyword }) => [scope_id, category, keyword]);
    this.swept.set(store, (rows.length === SWEPT_ROWS && keys.at(-1)) || FIRST_KEY);
    const gone = keys.filter((_key, index) => rows[index]?.gone === 1);
    for (const chunk of inChunks(gone)) {
      transaction.run(
        `DELETE FROM entry_read WHERE (scope_id, category, keyword) IN
           (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?1))`,
        [chunk],
      );
    }
  }
}

/** Since when reads of what the store holds are counted, in milliseconds since the epoch. */
export function countedSince(store: Store): number | undefined {
  return store.read().get<{ since: number }>('SELECT since FROM read_counting')?.since;
}
