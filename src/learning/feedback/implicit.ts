import { type Clock, isoDate, isoTime } from '../../core/clock';
import { compareText } from '../../core/text';
import { READS_TOPIC } from '../../knowledge';
import { findSecrets } from '../../safety';
import type { Store, Transaction } from '../../store';
import type { AskedDay, AskedQuery, ImplicitUse, LearningCounts, UseCount } from '../feedback-model';
import {
  type CountedQuery,
  type CountedUses,
  readDays,
  readQueries,
  readUses,
  useOf,
  writeDays,
  writeQueries,
  writeUses,
} from './count-rows';
import { DEFAULT_LISTED, listed } from './limits';
import { mergeCounts } from './merging';

/** What is counted is written down this long after the first count that was not, so at most so often. */
const FLUSH_MS = 30_000;
/** Counted at once; what goes beyond waits for nobody and is left out. */
const MAX_PENDING = 5_000;
/** UTF-16 code units of a question that are kept. */
const MAX_QUERY = 300;
/** A best result below this has nothing to do with the question; see docs/search.md for what scores mean. */
const ANSWERED_FROM = 0.3;
/** When the store closes, somebody else's lock is waited for only so long. */
const LAST_FLUSH_MS = 1_000;
const LOOK_EACH_MS = 20;
/** Its version changes whenever everything may be another. */
const EVERYTHING = '*';

interface Used {
  used: number;
  lastUsed: number | undefined;
}

const NEVER_USED: Used = Object.freeze({ used: 0, lastUsed: undefined });

export interface ImplicitCountsOptions {
  store: Store;
  clock: Clock;
  /** Whether anything may be counted now. */
  mayCount: () => boolean;
  /** Whether it is another person's own, of which nobody is told. */
  isHidden: (artifact: string) => boolean;
}

/**
 * What is counted without anybody saying anything (tier 1): what was given to somebody, what was used, what was asked.
 * A count is a number in memory; it is written down now and then, without anybody waiting for it, and what cannot be
 * written is lost without a word.
 */
export class ImplicitCounts {
  private pending = new Map<string, CountedUses>();
  /** What a write under way holds, until it is done. */
  private written = new Map<string, CountedUses>();
  private pendingQueries = new Map<string, CountedQuery>();
  private pendingDays = new Map<string, AskedDay>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  /** Of the store: what was ever used. */
  private readonly usedBefore = new Map<string, Used>();
  private seen = -1;
  private seenAll = -1;
  private readUntil = 0;
  private lookedAt = Number.NEGATIVE_INFINITY;

  private readonly store: Store;
  private readonly clock: Clock;

  constructor(private readonly options: ImplicitCountsOptions) {
    this.store = options.store;
    this.clock = options.clock;
  }

  noteUse(use: ImplicitUse, artifacts: Iterable<string>): void {
    if (!this.options.mayCount()) return;
    const now = this.clock.now();
    for (const artifact of artifacts) {
      let counted = this.pending.get(artifact);
      if (!counted) {
        if (this.pending.size >= MAX_PENDING) continue;
        counted = { retrieved: 0, used: 0, lastRetrieved: 0, lastUsed: 0 };
        this.pending.set(artifact, counted);
      }
      counted[use]++;
      counted[use === 'used' ? 'lastUsed' : 'lastRetrieved'] = now;
    }
    this.flushLater();
  }

  noteQuery({ tool, query, results, best }: { tool: string; query: string; results: number; best: number }): void {
    if (!this.options.mayCount()) return;
    const text = wellFormed(query.slice(0, MAX_QUERY))
      .replace(/[\s\0]+/g, ' ')
      .trim();
    if (text === '') return;
    const now = this.clock.now();
    const key = `${tool}\0${text.toLowerCase()}`;
    let counted = this.pendingQueries.get(key);
    if (!counted) {
      if (this.pendingQueries.size >= MAX_PENDING) return;
      counted = { tool, query: text, times: 0, unanswered: 0, results: 0, best: 0, firstAt: now, lastAt: now };
      this.pendingQueries.set(key, counted);
    }
    const isUnanswered = results === 0 || best < ANSWERED_FROM;
    counted.times++;
    if (isUnanswered) counted.unanswered++;
    this.countDay(tool, now, isUnanswered);
    counted.results = results;
    counted.best = Math.min(1, Math.max(0, best));
    counted.lastAt = now;
    this.flushLater();
  }

  isUsed(artifact: string): boolean {
    this.glance();
    return this.usedBefore.has(artifact) || this.pending.has(artifact) || this.written.has(artifact);
  }

  /** How often it was used and when last, what is not written down yet included. */
  usedOf(artifact: string): Used {
    this.glance();
    const before = this.usedBefore.get(artifact);
    const written = this.written.get(artifact);
    const pending = this.pending.get(artifact);
    if (!before && !written && !pending) return NEVER_USED;
    const used = (before?.used ?? 0) + (written?.used ?? 0) + (pending?.used ?? 0);
    const lastUsed = Math.max(before?.lastUsed ?? 0, written?.lastUsed ?? 0, pending?.lastUsed ?? 0);
    return { used, lastUsed: lastUsed > 0 ? lastUsed : undefined };
  }

  /** What was counted of one artifact; undefined when nothing was. */
  countOf(artifact: string): UseCount | undefined {
    const stored = readUses(this.store.read(), 'WHERE artifact = ?', [artifact])[0];
    let [retrieved, used, lastRetrieved, lastUsed] = stored
      ? [stored.retrieved, stored.used, stored.last_retrieved ?? 0, stored.last_used ?? 0]
      : [0, 0, 0, 0];
    for (const each of [this.written.get(artifact), this.pending.get(artifact)]) {
      if (!each) continue;
      retrieved += each.retrieved;
      used += each.used;
      lastRetrieved = Math.max(lastRetrieved, each.lastRetrieved);
      lastUsed = Math.max(lastUsed, each.lastUsed);
    }
    if (retrieved === 0 && used === 0) return undefined;
    return {
      ...{ artifact, retrieved, used },
      ...(lastRetrieved > 0 ? { last_retrieved: isoTime(lastRetrieved) } : {}),
      ...(lastUsed > 0 ? { last_used: isoTime(lastUsed) } : {}),
    };
  }

  /** What was given and used most; as far as it is written down. */
  uses(limit = DEFAULT_LISTED): UseCount[] {
    const order = 'ORDER BY used + retrieved DESC, used DESC, artifact LIMIT ?';
    return this.shown(readUses(this.store.read(), order, [listed(limit)]).map(useOf));
  }

  /** Addresses of what was used. */
  everUsed(): string[] {
    this.glance();
    const pending = [...this.pending, ...this.written].filter(([, { used }]) => used > 0);
    return [...new Set([...this.usedBefore.keys(), ...pending.map(([artifact]) => artifact)])];
  }

  /** What was asked most, or what most often remained unanswered; as far as it is written down. */
  queries(limit = DEFAULT_LISTED, which: { unanswered?: boolean } = {}): AskedQuery[] {
    return readQueries(this.store.read(), listed(limit), which);
  }

  /** How often each tool was asked on each day (UTC), the last days first; as far as it is written down. */
  days(limit = DEFAULT_LISTED): AskedDay[] {
    return readDays(this.store.read(), listed(limit));
  }

  /** What was given most often and not used once; as far as it is written down. */
  neverUsed(limit = DEFAULT_LISTED): UseCount[] {
    const unused = 'WHERE used = 0 ORDER BY retrieved DESC, artifact LIMIT ?';
    return this.shown(readUses(this.store.read(), unused, [listed(limit)]).map(useOf));
  }

  /** Everything that is written down, in an order that is always the same. */
  exportCounts(): LearningCounts {
    const reader = this.store.read();
    return {
      uses: readUses(reader, 'ORDER BY artifact', []).map(useOf),
      queries: readQueries(reader, -1).sort((a, b) => compareText(a.tool, b.tool) || compareText(a.query, b.query)),
      days: readDays(reader, -1).sort((a, b) => compareText(a.day, b.day) || compareText(a.tool, b.tool)),
    };
  }

  /**
   * Takes what `exportCounts` gave, of each count the greater one: taken twice it is there once. Answers how many changed.
   */
  importCounts(transaction: Transaction, counts: LearningCounts): number {
    const changed = mergeCounts(transaction, counts, this.clock.now());
    if (changed > 0) {
      transaction.touch(READS_TOPIC);
      this.lookedAt = Number.NEGATIVE_INFINITY;
    }
    return changed;
  }

  /** Writes down what was counted so far. Never rejects. */
  flush(signal?: AbortSignal): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.pending.size === 0 && this.pendingQueries.size === 0) return this.writing;
    const queries = [...this.pendingQueries];
    this.pendingQueries = new Map();
    const days = [...this.pendingDays.values()];
    this.pendingDays = new Map();
    for (const [artifact, counted] of this.pending) {
      const before = this.written.get(artifact);
      this.written.set(artifact, before ? sum(before, counted) : counted);
    }
    this.pending = new Map();
    const write = (transaction: Transaction, kept: typeof queries) => {
      writeUses(transaction, this.written, this.clock.now());
      writeQueries(transaction, kept);
      writeDays(transaction, days);
      transaction.touch(READS_TOPIC);
      // From here on it is in the store, for whoever looks.
      this.written = new Map();
      this.lookedAt = Number.NEGATIVE_INFINITY;
    };
    // Read-only, full, held or closed: the counts are worth no error and no second try.
    this.writing = this.writing
      .then(async () => {
        const kept = await withoutSecretOnes(queries);
        await this.store.write((transaction) => write(transaction, kept), signal);
      })
      .catch(() => this.written.clear());
    return this.writing;
  }

  /** Writes down the rest, unless somebody else holds the store for long. */
  close(): Promise<void> {
    return this.flush(AbortSignal.timeout(LAST_FLUSH_MS));
  }

  /** Without what is another person's own. */
  private shown(uses: UseCount[]): UseCount[] {
    return uses.filter(({ artifact }) => !this.options.isHidden(artifact));
  }

  private countDay(tool: string, now: number, isUnanswered: boolean): void {
    const day = isoDate(now);
    const key = `${day}\0${tool}`;
    const counted = this.pendingDays.get(key) ?? { day, tool, times: 0, unanswered: 0 };
    counted.times++;
    if (isUnanswered) counted.unanswered++;
    this.pendingDays.set(key, counted);
  }

  private flushLater(): void {
    if (this.timer || (this.pending.size === 0 && this.pendingQueries.size === 0)) return;
    this.timer = setTimeout(() => void this.flush(), FLUSH_MS);
    // Counting alone keeps no process alive.
    this.timer.unref();
  }

  /** Counts of other processes as well, now and then. */
  private glance(): void {
    const now = performance.now();
    if (now - this.lookedAt < LOOK_EACH_MS) return;
    this.lookedAt = now;
    const reader = this.store.read();
    const version = reader.versionOf(READS_TOPIC);
    if (version === this.seen) return;
    const all = reader.versionOf(EVERYTHING);
    if (all !== this.seenAll) {
      this.usedBefore.clear();
      this.readUntil = 0;
      this.seenAll = all;
    }
    for (const row of readUses(reader, 'WHERE used > 0 AND changed_at >= ?', [this.readUntil])) {
      this.usedBefore.set(row.artifact, { used: row.used, lastUsed: row.last_used ?? undefined });
      this.readUntil = Math.max(this.readUntil, row.changed_at);
    }
    this.seen = version;
  }
}

/** Nobody asks to have a question kept, so one that holds a secret is left out: nobody is told of it either. */
async function withoutSecretOnes<Row extends readonly [string, CountedQuery]>(queries: readonly Row[]): Promise<Row[]> {
  const kept: Row[] = [];
  for (const each of queries) if ((await findSecrets(each[1].query)).length === 0) kept.push(each);
  return kept;
}

function sum(one: CountedUses, other: CountedUses): CountedUses {
  return {
    retrieved: one.retrieved + other.retrieved,
    used: one.used + other.used,
    lastRetrieved: Math.max(one.lastRetrieved, other.lastRetrieved),
    lastUsed: Math.max(one.lastUsed, other.lastUsed),
  };
}

/** What was cut in the middle of a character has no UTF-8. */
function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '');
}
