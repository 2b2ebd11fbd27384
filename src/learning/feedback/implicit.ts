import { type Clock, isoDate, isoTime } from '../../core/clock';
import { compareText } from '../../core/text';
import { READS_TOPIC } from '../../knowledge';
import { findSecrets } from '../../safety';
import type { Reader, Store, Transaction } from '../../store';
import type { AskedDay, AskedQuery, ImplicitUse, LearningCounts, UseCount } from '../feedback-model';
import { mergeCounts } from './merging';

/** What is counted is written down this long after the first count that was not, so at most so often. */
const FLUSH_MS = 30_000;
/** Counted at once; what goes beyond waits for nobody and is left out. */
const MAX_PENDING = 5_000;
/** Beyond so many rows those go that were retrieved longest ago; what was used stays, for scores are made of it. */
const MAX_ROWS = 20_000;
const MAX_QUERIES = 5_000;
/** Two years of five tools. */
const MAX_DAYS = 3_650;
/** UTF-16 code units of a question that are kept. */
const MAX_QUERY = 300;
/** A best result below this has nothing to do with the question; see docs/search.md for what scores mean. */
const ANSWERED_FROM = 0.3;
/** When the store closes, somebody else's lock is waited for only so long. */
const LAST_FLUSH_MS = 1_000;
const LOOK_EACH_MS = 20;
/** Its version changes whenever everything may be another. */
const EVERYTHING = '*';

interface Counted {
  retrieved: number;
  used: number;
  /** Milliseconds since the epoch; 0 for never. */
  lastRetrieved: number;
  lastUsed: number;
}

interface CountedQuery {
  tool: string;
  query: string;
  times: number;
  unanswered: number;
  results: number;
  best: number;
  firstAt: number;
  lastAt: number;
}

interface Used {
  used: number;
  lastUsed: number | undefined;
}

const NEVER_USED: Used = Object.freeze({ used: 0, lastUsed: undefined });

/**
 * What is counted without anybody saying anything (tier 1): what was given to somebody, what was used, what was asked.
 * A count is a number in memory; it is written down now and then, without anybody waiting for it, and what cannot be
 * written is lost without a word.
 */
export class ImplicitCounts {
  private pending = new Map<string, Counted>();
  /** What a write under way holds, until it is done. */
  private written = new Map<string, Counted>();
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

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {}

  noteUse(use: ImplicitUse, artifacts: Iterable<string>): void {
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

  /** Most given first; as far as it is written down. */
  uses(limit: number): UseCount[] {
    const order = 'ORDER BY used + retrieved DESC, used DESC, artifact LIMIT ?';
    return readUses(this.store.read(), order, [limit]).map(useOf);
  }

  /** Addresses of what was used. */
  everUsed(): string[] {
    this.glance();
    const pending = [...this.pending, ...this.written].filter(([, { used }]) => used > 0);
    return [...new Set([...this.usedBefore.keys(), ...pending.map(([artifact]) => artifact)])];
  }

  /** What remained unanswered most often first, then what was asked most often; as far as it is written down. */
  queries(limit: number, { unanswered = false } = {}): AskedQuery[] {
    return this.store
      .read()
      .all<Omit<AskedQuery, 'first_asked' | 'last_asked'> & { first_at: number; last_at: number }>(
        `SELECT tool, query, times, unanswered, last_results, last_best, first_at, last_at FROM learning_query
         ${unanswered ? 'WHERE unanswered > 0' : ''}
         ORDER BY ${unanswered ? 'unanswered DESC,' : ''} times DESC, last_at DESC, tool, asked LIMIT ?`,
        [limit],
      )
      .map(({ first_at, last_at, ...rest }) => ({
        ...rest,
        first_asked: isoTime(first_at),
        last_asked: isoTime(last_at),
      }));
  }

  /** How often each tool was asked on each day (UTC), the last days first; as far as it is written down. */
  days(limit: number): AskedDay[] {
    return this.store
      .read()
      .all<AskedDay>('SELECT day, tool, times, unanswered FROM learning_day ORDER BY day DESC, tool LIMIT ?', [limit]);
  }

  /** What was given most often and not used once; as far as it is written down. */
  neverUsed(limit: number): UseCount[] {
    return readUses(this.store.read(), 'WHERE used = 0 ORDER BY retrieved DESC, artifact LIMIT ?', [limit]).map(useOf);
  }

  /** Everything that is written down, in an order that is always the same. */
  all(): LearningCounts {
    return {
      uses: readUses(this.store.read(), 'ORDER BY artifact', []).map(useOf),
      queries: this.queries(-1).sort((a, b) => compareText(a.tool, b.tool) || compareText(a.query, b.query)),
      days: this.days(-1).sort((a, b) => compareText(a.day, b.day) || compareText(a.tool, b.tool)),
    };
  }

  /** Takes what `all` gave, of each count the greater one: taken twice it is there once. Answers how many changed. */
  take(transaction: Transaction, counts: LearningCounts): number {
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

interface UseRow {
  artifact: string;
  retrieved: number;
  used: number;
  last_retrieved: number | null;
  last_used: number | null;
  changed_at: number;
}

function readUses(reader: Reader, rest: string, parameters: readonly (string | number)[]): UseRow[] {
  return reader.all<UseRow>(
    `SELECT artifact, retrieved, used, last_retrieved, last_used, changed_at FROM learning_use ${rest}`,
    parameters,
  );
}

function useOf({ artifact, retrieved, used, last_retrieved, last_used }: UseRow): UseCount {
  return {
    ...{ artifact, retrieved, used },
    ...(last_retrieved === null ? {} : { last_retrieved: isoTime(last_retrieved) }),
    ...(last_used === null ? {} : { last_used: isoTime(last_used) }),
  };
}

function sum(one: Counted, other: Counted): Counted {
  return {
    retrieved: one.retrieved + other.retrieved,
    used: one.used + other.used,
    lastRetrieved: Math.max(one.lastRetrieved, other.lastRetrieved),
    lastUsed: Math.max(one.lastUsed, other.lastUsed),
  };
}

function writeUses(transaction: Transaction, uses: ReadonlyMap<string, Counted>, now: number): void {
  if (uses.size === 0) return;
  // A clock that was set back must hide no row from those who read what is new.
  const latest = transaction.get<{ at: number | null }>('SELECT max(changed_at) AS at FROM learning_use')?.at ?? 0;
  const rows = [...uses].map(([artifact, { retrieved, used, lastRetrieved, lastUsed }]) => [
    ...[artifact, retrieved, used, lastRetrieved || null, lastUsed || null],
  ]);
  transaction.run(
    `INSERT INTO learning_use (artifact, retrieved, used, last_retrieved, last_used, changed_at)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, ?2 FROM json_each(?1) WHERE true
     ON CONFLICT DO UPDATE SET retrieved = retrieved + excluded.retrieved, used = used + excluded.used,
       last_retrieved = coalesce(max(last_retrieved, excluded.last_retrieved), last_retrieved, excluded.last_retrieved),
       last_used = coalesce(max(last_used, excluded.last_used), last_used, excluded.last_used),
       changed_at = excluded.changed_at`,
    [JSON.stringify(rows), Math.max(now, latest)],
  );
  transaction.run(
    `DELETE FROM learning_use WHERE used = 0 AND artifact IN
       (SELECT artifact FROM learning_use WHERE used = 0 ORDER BY changed_at DESC, artifact LIMIT -1 OFFSET ${MAX_ROWS})`,
  );
}

function writeQueries(transaction: Transaction, queries: readonly (readonly [string, CountedQuery])[]): void {
  if (queries.length === 0) return;
  const rows = queries.map(([key, { tool, query, times, unanswered, results, best, firstAt, lastAt }]) => [
    ...[tool, key.slice(tool.length + 1), query, times, unanswered, results, best, firstAt, lastAt],
  ]);
  transaction.run(
    `INSERT INTO learning_query (tool, asked, query, times, unanswered, last_results, last_best, first_at, last_at)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
       value ->> 8 FROM json_each(?1) WHERE true
     ON CONFLICT DO UPDATE SET query = excluded.query, times = times + excluded.times,
       unanswered = unanswered + excluded.unanswered, last_results = excluded.last_results,
       last_best = excluded.last_best, last_at = max(last_at, excluded.last_at)`,
    [JSON.stringify(rows)],
  );
  transaction.run(
    `DELETE FROM learning_query WHERE (tool, asked) IN
       (SELECT tool, asked FROM learning_query ORDER BY last_at DESC, tool, asked LIMIT -1 OFFSET ${MAX_QUERIES})`,
  );
}

function writeDays(transaction: Transaction, days: readonly AskedDay[]): void {
  if (days.length === 0) return;
  transaction.run(
    `INSERT INTO learning_day (day, tool, times, unanswered)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?1) WHERE true
     ON CONFLICT DO UPDATE SET times = times + excluded.times, unanswered = unanswered + excluded.unanswered`,
    [JSON.stringify(days.map(({ day, tool, times, unanswered }) => [day, tool, times, unanswered]))],
  );
  transaction.run(
    `DELETE FROM learning_day WHERE (day, tool) IN
       (SELECT day, tool FROM learning_day ORDER BY day DESC, tool LIMIT -1 OFFSET ${MAX_DAYS})`,
  );
}

/** What was cut in the middle of a character has no UTF-8. */
function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '');
}
