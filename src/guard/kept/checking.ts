import {
  type GuardBrief,
  type GuardIndex,
  type GuardRule,
  type GuardSession,
  INDEX_FORMAT,
  type RuleOutline,
  type StoreStamp,
} from '../model';

/** The shape of a value that was read from a file, asked field by field. */
type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const flag: Check = (value) => typeof value === 'boolean';
const level: Check = (value) => value === 'DANGER' || value === 'WARNING' || value === 'LAST TIME';
const tier: Check = (value) => value === 'GENERAL' || value === 'PRODUCT' || value === 'GROUP' || value === 'PROJECT';

const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

/** For what an index of an older build has not got. */
const orNothing =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

const shaped = <T>(fields: { [Name in keyof T]-?: Check }): Check => {
  const checks = Object.entries(fields) as [string, Check][];
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    checks.every(([name, check]) => check((value as Record<string, unknown>)[name]));
};

const risk = shaped<GuardRule['risks'][number]>({ level, text });
const rule = shaped<GuardRule>({
  keyword: text,
  category: text,
  scope_id: text,
  tier,
  revision: count,
  risks: (value) => listOf(risk)(value) && (value as unknown[]).length > 0,
  content: text,
  reason: orNull(text),
  applies_to: orNull(text),
  matches: orNull(text),
  needs: orNull(text),
  author: text,
  by_agent: flag,
});

const stamp = shaped<StoreStamp>({ generation: count, journal: count, sequence: count, lineage: text });

const origin = orNothing(
  shaped<NonNullable<GuardSession['origin']>>({ by: (value) => value === 'agent', author: text }),
);

const brief = shaped<GuardBrief>({
  overview: orNull(
    shaped<NonNullable<GuardBrief['overview']>>({
      project_id: text,
      purpose: orNull(text),
      tech_stack: listOf(text),
      compliance: listOf(text),
      current_phase: orNull(text),
      key_constraints: listOf(text),
      origin,
    }),
  ),
  sessions: listOf(
    shaped<GuardSession>({
      date: text,
      duration_minutes: orNull(count),
      summary: text,
      tasks_completed: listOf(text),
      domain: orNull(text),
      next_planned: orNull(text),
      origin,
      author: orNothing(text),
    }),
  ),
  progress: orNull(
    shaped<NonNullable<GuardBrief['progress']>>({
      overall_progress: text,
      current_sprint: orNull(text),
      completed_tasks: listOf(shaped({ name: text, domain: orNull(text), date: text, origin })),
      in_progress_tasks: listOf(shaped({ name: text, domain: orNull(text), status: orNull(text), origin })),
      blocked_tasks: listOf(shaped({ name: text, domain: orNull(text), blocker: orNull(text), origin })),
      origin,
    }),
  ),
  open_warnings: listOf(rule),
  open_warnings_count: count,
  entries: count,
  entries_with_risk: count,
});

const head = shaped<IndexHead>({
  format: (value) => value === INDEX_FORMAT,
  project: text,
  shared: text,
  stamps: shaped<GuardIndex['stamps']>({ workspace: stamp, shared: stamp }),
  topics: shaped<GuardIndex['topics']>({ rules: listOf(text), brief: listOf(text) }),
});
const outlines = listOf((value) => value === null || text(value) || listOf(text)(value));

/** What is said of the index as a whole. */
export type IndexHead = Omit<GuardIndex, 'rules' | 'brief'>;

export function isIndexHead(value: unknown): value is IndexHead {
  return head(value);
}

export function areOutlines(value: unknown): value is RuleOutline[] {
  return outlines(value);
}

export function isGuardRule(value: unknown): value is GuardRule {
  return rule(value);
}

export function isGuardBrief(value: unknown): value is GuardBrief {
  return brief(value);
}
