import {
  type AuthoredSession,
  type ContinuityPart,
  continuityTopic,
  type ProjectContext,
  type TaskStatus,
} from '../continuity';
import { compareText } from '../core/text';
import { Turns } from '../core/turns';
import {
  entriesTopic,
  gravity,
  type KnowledgePart,
  type LatestRevision,
  type ResolvedEntry,
  SCOPES_TOPIC,
  scopeOfRules,
  type Tier,
} from '../knowledge';
import { patternFault } from '../knowledge/applicability-occurrences';
import type { StoreStamp } from '../store';
import { literalOf } from './hooks/patterns';
import { plain } from './hooks/quoting';
import { type GuardBrief, type GuardIndex, type GuardRule, INDEX_FORMAT } from './model';

/** What an index is made of: the parts of an open hall, and where its stores stand. */
export interface GuardSource {
  knowledge: KnowledgePart;
  continuity: ContinuityPart;
  stamps(): { workspace: StoreStamp; shared: StoreStamp };
}

const NEARNESS: Readonly<Record<Tier, number>> = { PROJECT: 0, GROUP: 1, PRODUCT: 2, GENERAL: 3 };

/** Entries that are looked up at once, within a turn. */
const AT_ONCE = 250;
const MAX_RISKS = 5;
const MAX_LINE = 600;
const MAX_CONTENT = 1_000;
const MAX_OPEN_WARNINGS = 100;
const MAX_SESSIONS = 3;
const MAX_TASKS = 50;
const MAX_COMPLETED = 5;

/**
 * What a hook needs to know of a project: made in turns, so that the event loop is never held. What is stored meanwhile
 * may be in it or not; its stamps are from before, so that it is then known to be outdated. `shared` is the shared
 * store's directory.
 */
export async function buildGuardIndex(
  { knowledge, continuity, stamps }: GuardSource,
  { project, shared }: { project: string; shared: string },
): Promise<GuardIndex> {
  const turns = new Turns();
  const stamped = stamps();
  const scope = scopeOfRules(knowledge, project);
  const chain = scope === undefined ? [] : knowledge.chain(scope);
  const entries = scope === undefined ? [] : await knowledge.gatherRisks(scope);
  await turns.pause();
  const all = await guardRules(entries, knowledge, turns);
  const open = all.filter(({ applies_to }) => applies_to === null).sort(gravestFirst);
  await turns.pause();
  const total = scope === undefined ? 0 : countOf(knowledge, scope);
  const topics = [SCOPES_TOPIC, ...chain.map(({ id }) => entriesTopic(id))];
  return {
    format: INDEX_FORMAT,
    project,
    shared,
    stamps: stamped,
    topics: { rules: topics, brief: [...topics, continuityTopic(project)] },
    rules: all.filter(({ applies_to, matches }) => applies_to !== null || matches !== null),
    brief: {
      ...carriedOver(knowledge, continuity, project),
      open_warnings: open.slice(0, MAX_OPEN_WARNINGS),
      open_warnings_count: open.length,
      entries: total,
      entries_with_risk: entries.length,
    },
  };
}

async function guardRules(
  entries: readonly ResolvedEntry[],
  knowledge: KnowledgePart,
  turns: Turns,
): Promise<GuardRule[]> {
  const rules: GuardRule[] = [];
  for (let from = 0; from < entries.length; from += AT_ONCE) {
    const some = entries.slice(from, from + AT_ONCE);
    const keys = some.map(({ source_scope: scope_id, category, keyword }) => ({ scope_id, category, keyword }));
    const revisions = new Map(knowledge.latestRevisions(keys).map((latest) => [placeOf(latest), latest]));
    for (const [at, entry] of some.entries()) {
      const rule = guardRule(entry, revisions.get(placeOf(keys[at]!)));
      if (rule) rules.push(rule);
    }
    await turns.pause();
  }
  return rules;
}

/** Undefined for an entry that was deleted just now. */
function guardRule(entry: ResolvedEntry, latest: LatestRevision | undefined): GuardRule | undefined {
  if (!latest) return undefined;
  const { APPLIES_TO, MATCHES, REASON } = entry.metaknowledge;
  const matches = MATCHES?.trim() || null;
  return {
    keyword: entry.keyword,
    category: entry.category,
    scope_id: entry.source_scope,
    tier: entry.source_tier,
    revision: latest.number,
    risks: entry.risks
      .map(({ level, text }) => ({ level, text: plain(text, MAX_LINE) }))
      .sort((a, b) => gravity([a]) - gravity([b]))
      .slice(0, MAX_RISKS),
    content: plain(entry.content, MAX_CONTENT),
    reason: line(REASON),
    applies_to: APPLIES_TO?.trim() || null,
    matches,
    needs: matches === null ? null : neededBy(matches),
    author: latest.author,
    by_agent: latest.by_agent,
  };
}

/** Nothing for what cannot be read, so that it is not passed over for lack of it. */
function neededBy(matches: string): string | null {
  const literal = literalOf(matches);
  return literal === null || patternFault(matches) !== undefined ? null : literal;
}

function gravestFirst(a: GuardRule, b: GuardRule): number {
  const order = gravity(a.risks) - gravity(b.risks) || NEARNESS[a.tier] - NEARNESS[b.tier];
  return order || compareText(a.keyword, b.keyword) || compareText(a.category, b.category);
}

function countOf(knowledge: KnowledgePart, scope: string): number {
  return knowledge.effectiveCategories(scope).reduce((sum, { entries }) => sum + entries, 0);
}

/** What carries over from one session to the next; nothing where there is no such project. */
function carriedOver(
  knowledge: KnowledgePart,
  continuity: ContinuityPart,
  project: string,
): Pick<GuardBrief, 'overview' | 'sessions' | 'progress'> {
  const isProject = knowledge.listScopes().some(({ scope_id, tier }) => scope_id === project && tier === 'PROJECT');
  if (!isProject) return { overview: null, sessions: [], progress: null };
  return {
    overview: shortOverview(continuity.projectOverview(project)),
    sessions: continuity.authoredSessions(project, MAX_SESSIONS).map(shortSession),
    progress: shortProgress(continuity.getProgressStatus(project)),
  };
}

function shortOverview(overview: ProjectContext): ProjectContext {
  return {
    ...overview,
    purpose: line(overview.purpose),
    tech_stack: overview.tech_stack.slice(0, MAX_TASKS).map(short),
    compliance: overview.compliance.slice(0, MAX_TASKS).map(short),
    current_phase: line(overview.current_phase),
    key_constraints: overview.key_constraints.slice(0, MAX_TASKS).map(short),
  };
}

function shortSession(session: AuthoredSession): AuthoredSession {
  return {
    ...session,
    summary: plain(session.summary, MAX_CONTENT),
    tasks_completed: session.tasks_completed.slice(0, MAX_TASKS).map(short),
    next_planned: line(session.next_planned),
  };
}

function shortProgress(progress: TaskStatus): TaskStatus {
  return {
    ...progress,
    completed_tasks: progress.completed_tasks.slice(-MAX_COMPLETED),
    in_progress_tasks: progress.in_progress_tasks.slice(-MAX_TASKS),
    blocked_tasks: progress.blocked_tasks.slice(-MAX_TASKS),
  };
}

function short(text: string): string {
  return plain(text, MAX_LINE);
}

function line(text: string | null | undefined): string | null {
  return (text && short(text)) || null;
}

function placeOf({ scope_id, category, keyword }: { scope_id: string; category: string; keyword: string }): string {
  return `${scope_id}\0${category}\0${keyword}`;
}
