import { setImmediate as nextTurn } from 'node:timers/promises';
import { isoDate, isoTime } from '../core/clock';
import { KaizenError } from '../core/errors';
import { compareText } from '../core/text';
import type { Store } from '../store';
import type { ScopeMap } from './chains';
import {
  type EntryMention,
  type KnowledgeStatistics,
  RISK_LEVELS,
  type RiskLevel,
  type StatisticsOptions,
  TIERS,
} from './model';
import { countedSince } from './reads';
import { parseRisks } from './risk';
import { type Stores, storeOf } from './stores';

const DAY_MS = 86_400_000;
/** Rows of one question, few enough to be read well within the time below. */
const SLICE_ROWS = 250;
/** Others get their turn after this long. */
const TURN_MS = 10;

interface CategoryCount {
  entries: number;
  entries_with_risk: number;
}

interface MentionRow {
  scope_id: string;
  category: string;
  keyword: string;
  at: number;
  last_at: number | null;
}

/** Counts what both stores hold now; see `KnowledgePart.statistics`. Throws `invalid_argument` for bad options. */
export async function countKnowledge(
  stores: Stores,
  scopes: ScopeMap,
  now: number,
  options: StatisticsOptions = {},
): Promise<KnowledgeStatistics> {
  const days = within('days', options.days ?? 90, 3_650);
  const staleDays = within('stale_days', options.stale_days ?? 180, 36_500);
  const limit = within('limit', options.limit ?? 50, 1_000);
  const count = new Count(scopes, now - staleDays * DAY_MS, limit);
  const firstDay = Math.floor(now / DAY_MS) - days + 1;
  const since: number[] = [];
  for (const store of new Set([stores.workspace, stores.shared])) {
    const ids = new Set([...scopes.values()].filter(({ tier }) => storeOf(stores, tier) === store).map(({ id }) => id));
    const counted = countedSince(store);
    if (counted !== undefined) since.push(counted);
    await count.categoriesOf(store, ids);
    await count.entriesOf(store, ids);
    await count.activityOf(store, firstDay, Math.floor(now / DAY_MS));
  }
  // Only from the later one on is the whole counted.
  return count.result(since.length > 0 ? isoTime(Math.max(...since)) : null);
}

function within(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new KaizenError('invalid_argument', `The ${name} must be a whole number from 1 to ${max}.`);
}

/** Adds up, slice by slice, and lets others have their turn in between. */
class Count {
  private readonly tiers = new Map(TIERS.map((tier) => [tier, { scopes: 0, entries: 0 }]));
  private readonly categories = new Map<string, CategoryCount>();
  private readonly risks = Object.fromEntries(RISK_LEVELS.map((level) => [level, 0])) as Record<RiskLevel, number>;
  private readonly activity = new Map<number, { by_people: number; by_agents: number }>();
  private readonly stale: Oldest;
  private readonly neverRead: Oldest;
  private turnBegan = performance.now();

  constructor(
    private readonly scopes: ScopeMap,
    private readonly staleBefore: number,
    limit: number,
  ) {
    this.stale = new Oldest(limit);
    this.neverRead = new Oldest(limit);
    for (const { tier } of scopes.values()) this.tiers.get(tier)!.scopes++;
  }

  /** Entries by tier and by top-level category. */
  async categoriesOf(store: Store, ids: ReadonlySet<string>): Promise<void> {
    for (let last = 0; ; ) {
      const rows = store
        .read()
        .all<{ id: number; scope_id: string; name: string; entries: number }>(
          `SELECT id, scope_id, name, entries FROM category WHERE id > ? ORDER BY id LIMIT ${SLICE_ROWS}`,
          [last],
        );
      for (const { scope_id, name, entries } of rows) {
        if (entries === 0 || !ids.has(scope_id)) continue;
        this.tiers.get(this.scopes.get(scope_id)!.tier)!.entries += entries;
        this.category(name).entries += entries;
      }
      if (rows.length < SLICE_ROWS) return;
      last = rows.at(-1)!.id;
      await this.othersTurn();
    }
  }

  /** Risks, and what was not changed or not read for long. */
  async entriesOf(store: Store, ids: ReadonlySet<string>): Promise<void> {
    const end = store.read().get<{ id: number | null }>('SELECT max(id) AS id FROM entry')?.id ?? 0;
    for (let from = 0; from < end; from += SLICE_ROWS) {
      const slice = [from, from + SLICE_ROWS];
      const risky = store.read().all<{ scope_id: string; category: string; content: string }>(
        `SELECT e.scope_id, c.name AS category, e.content FROM entry e JOIN category c ON c.id = e.category_id
         WHERE e.id > ? AND e.id <= ? AND e.risks > 0`,
        slice,
      );
      for (const { scope_id, category, content } of risky) {
        if (!ids.has(scope_id)) continue;
        this.category(category).entries_with_risk++;
        for (const { level } of parseRisks(content)) this.risks[level]++;
        await this.othersTurn();
      }
      const rows = store.read().all<MentionRow>(MENTIONS, [...slice, this.staleBefore]);
      for (const row of rows) {
        if (!ids.has(row.scope_id)) continue;
        if (row.at <= this.staleBefore) this.stale.add(row);
        if (row.last_at === null) this.neverRead.add(row);
      }
      await this.othersTurn();
    }
  }

  /** Changes by day, of entries that are gone as well. */
  async activityOf(store: Store, firstDay: number, lastDay: number): Promise<void> {
    for (let day = firstDay; day <= lastDay; day += 7) {
      const end = Math.min(day + 7, lastDay + 1);
      for (const [by, agent] of [
        ['by_people', 0],
        ['by_agents', 1],
      ] as const) {
        const rows = store.read().all<{ day: number; changes: number }>(
          `SELECT at / ${DAY_MS} AS day, count(*) AS changes FROM revision
           WHERE by_agent = ? AND at >= ? AND at < ? GROUP BY 1`,
          [agent, day * DAY_MS, end * DAY_MS],
        );
        for (const row of rows) {
          const total = this.activity.get(row.day) ?? { by_people: 0, by_agents: 0 };
          total[by] += row.changes;
          this.activity.set(row.day, total);
        }
        await this.othersTurn();
      }
    }
  }

  result(readsSince: string | null): KnowledgeStatistics {
    // As long as nothing was counted, nothing is known.
    const neverRead = readsSince === null ? new Oldest(0) : this.neverRead;
    return {
      tiers: TIERS.map((tier) => ({ tier, ...this.tiers.get(tier)! })),
      categories: [...this.categories]
        .map(([category, counts]) => ({ category, ...counts }))
        .sort((a, b) => b.entries - a.entries || compareText(a.category, b.category)),
      risks: this.risks,
      activity: [...this.activity]
        .sort(([a], [b]) => a - b)
        .map(([day, changes]) => ({ day: isoDate(day * DAY_MS), ...changes })),
      stale: this.mentions(this.stale),
      stale_count: this.stale.count,
      never_read: this.mentions(neverRead),
      never_read_count: neverRead.count,
      reads_since: readsSince,
    };
  }

  private category(name: string): CategoryCount {
    const top = name.split('.', 1)[0]!;
    let counts = this.categories.get(top);
    if (!counts) {
      counts = { entries: 0, entries_with_risk: 0 };
      this.categories.set(top, counts);
    }
    return counts;
  }

  private mentions({ rows }: Oldest): EntryMention[] {
    return rows.map(({ scope_id, category, keyword, at, last_at }) => ({
      scope_id,
      category,
      keyword,
      tier: this.scopes.get(scope_id)!.tier,
      updated_at: isoTime(at),
      last_read_at: last_at === null ? null : isoTime(last_at),
    }));
  }

  private async othersTurn(): Promise<void> {
    if (performance.now() - this.turnBegan < TURN_MS) return;
    await nextTurn();
    this.turnBegan = performance.now();
  }
}

/** Entries of a slice that are stale or were never read, with when they were last changed and read. */
const MENTIONS = `
  SELECT * FROM (
    SELECT e.scope_id, c.name AS category, e.keyword, d.last_at,
      (SELECT at FROM revision r WHERE r.scope_id = e.scope_id AND r.category = c.name AND r.keyword = e.keyword
       ORDER BY r.number DESC LIMIT 1) AS at
    FROM entry e JOIN category c ON c.id = e.category_id
    LEFT JOIN entry_read d ON d.scope_id = e.scope_id AND d.category = c.name AND d.keyword = e.keyword
    WHERE e.id > ? AND e.id <= ?)
  WHERE at <= ? OR last_at IS NULL`;

/** The first so many by the time of their last change; counts all. */
class Oldest {
  readonly rows: MentionRow[] = [];
  count = 0;

  constructor(private readonly limit: number) {}

  add(row: MentionRow): void {
    this.count++;
    if (this.rows.length === this.limit && compareRows(row, this.rows.at(-1)!) >= 0) return;
    let at = this.rows.length;
    while (at > 0 && compareRows(row, this.rows[at - 1]!) < 0) at--;
    this.rows.splice(at, 0, row);
    if (this.rows.length > this.limit) this.rows.pop();
  }
}

function compareRows(a: MentionRow, b: MentionRow): number {
  return (
    a.at - b.at ||
    compareText(a.scope_id, b.scope_id) ||
    compareText(a.category, b.category) ||
    compareText(a.keyword, b.keyword)
  );
}
