import { isoTime } from '../../core/clock';
import { describeError } from '../../core/errors';
import { LEARNED_KINDS, type LearnedKind } from '../vocabulary';
import type { HealthFinding, HealthOptions, HealthReport, LibraryHealth, Recommendation } from './model';
import type { Surroundings } from './surroundings';

const READY_MS = 2_000;
/** Neither changed for so long: seed 003, 5.7.1 (`max_age_days`). */
const STALE_DAYS = 365;
const MOST = 1_000;
/** Questions that a sentence names. */
const NAMED = 3;

/** See `AdministrationPart.health`. */
export async function healthReport(around: Surroundings, options: HealthOptions): Promise<HealthReport> {
  const { include_recommendations = true, signal } = options;
  const findings: HealthFinding[] = [];
  const recommendations: Omit<Recommendation, 'priority'>[] = [];
  const library = await libraryHealth(around, findings, recommendations, signal);
  const knowledge = await knowledgeHealth(around, findings, recommendations);
  const files = filesHealth(around, findings, recommendations);
  const learning = await learningHealth(around, findings, recommendations);
  const relations = (await around.relations.find({ limit: MOST, signal })).length;
  const status = findings.some(({ severity }) => severity === 'problem')
    ? 'problems'
    : findings.length > 0
      ? 'attention'
      : 'healthy';
  return {
    status,
    assessed_at: isoTime(around.clock.now()),
    ...{ library, knowledge, ...files, learning, relations, findings },
    ...(include_recommendations
      ? { recommendations: recommendations.map((each, at) => ({ priority: at + 1, ...each })) }
      : {}),
  };
}

type Recommendations = Omit<Recommendation, 'priority'>[];

async function libraryHealth(
  { library }: Surroundings,
  findings: HealthFinding[],
  recommendations: Recommendations,
  signal: AbortSignal | undefined,
): Promise<LibraryHealth> {
  const nothing = { documents: 0, chunks: 0, failed: 0, stale: 0, open_requests: 0 };
  try {
    await library.ready(READY_MS, signal);
    const stats = await library.stats({ freshness: true });
    const failed = stats.by_status.failed ?? 0;
    const stale = stats.freshness?.stale ?? 0;
    for (const message of stats.health) {
      findings.push({
        severity: /not go on|could not/.test(message) ? 'problem' : 'attention',
        area: 'library',
        code: 'library_says',
        message,
      });
    }
    if (failed > 0) {
      recommendations.push({
        code: 'sources_failed',
        action: 'Look at the sources that could not be read.',
        tool: 'knowledge_sources',
      });
    }
    if (stale > 0) {
      recommendations.push({
        code: 'sources_stale',
        action: 'Have stale web pages looked at again, and replace stale documents.',
        tool: 'knowledge_admin refresh_web',
      });
    }
    if (stats.open_requests > 0) {
      const message = `${counted(stats.open_requests, 'document is', 'documents are')} asked for and not there yet.`;
      const code = 'documents_asked_for';
      findings.push({ severity: 'attention', area: 'library', code, message, count: stats.open_requests });
      recommendations.push({ code, action: 'Bring in the documents that are asked for.', tool: 'knowledge_ingest' });
    }
    const { documents, chunks, open_requests } = stats;
    return { state: library.state.state, documents, chunks, failed, stale, open_requests };
  } catch (error) {
    signal?.throwIfAborted();
    const code = 'library_unreachable';
    findings.push({ severity: 'problem', area: 'library', code, message: `The library: ${describeError(error)}` });
    recommendations.push({ code, action: 'See to it that the library can be reached.' });
    return { state: library.state.state, ...nothing };
  }
}

async function knowledgeHealth(
  { knowledge }: Surroundings,
  findings: HealthFinding[],
  recommendations: Recommendations,
) {
  const statistics = await knowledge.statistics({ days: 1, stale_days: STALE_DAYS, limit: 1 });
  const { stale_count: stale, never_read_count: never_read, tiers, risks } = statistics;
  const entries = tiers.reduce((sum, tier) => sum + tier.entries, 0);
  if (stale > 0) {
    const message = `${counted(stale, 'entry was', 'entries were')} not changed for ${STALE_DAYS} days.`;
    findings.push({ severity: 'attention', area: 'knowledge', code: 'entries_stale', message, count: stale });
    recommendations.push({
      code: 'entries_stale',
      action: 'Check whether old entries still hold.',
      tool: 'knowledge_admin stale_content',
    });
  }
  return {
    scopes: knowledge.listScopes().length,
    ...{ entries, stale, never_read },
    risks: Object.values(risks).reduce((sum, count) => sum + count, 0),
  };
}

function filesHealth({ bases, notes }: Surroundings, findings: HealthFinding[], recommendations: Recommendations) {
  const statuses = bases.statuses();
  const spaces = notes.spaces();
  const sum = <Item>(items: readonly Item[], of: (item: Item) => number) =>
    items.reduce((total, item) => total + of(item), 0);
  const inBases = sum(statuses, ({ problems }) => problems);
  const inNotes = sum(spaces, ({ problems }) => problems);
  const say = (area: 'bases' | 'notes', problems: number, what: string) => {
    if (problems === 0) return;
    const message = `${counted(problems, 'problem', 'problems')} in the files of ${what}.`;
    const code = area === 'bases' ? 'base_problems' : 'note_problems';
    findings.push({ severity: 'attention', area, code, message, count: problems });
    recommendations.push({ code, action: `Put right what is wrong in the files of ${what}.` });
  };
  say('bases', inBases, 'knowledge bases');
  say('notes', inNotes, 'notes');
  return {
    bases: { bases: statuses.length, nodes: sum(statuses, ({ nodes }) => nodes), problems: inBases },
    notes: { spaces: spaces.length, notes: sum(spaces, (space) => space.notes), problems: inNotes },
  };
}

async function learningHealth({ learning }: Surroundings, findings: HealthFinding[], recommendations: Recommendations) {
  await learning.flush();
  const captured = Object.fromEntries(LEARNED_KINDS.map((kind) => [kind, learning.list(kind).length])) as Record<
    LearnedKind,
    number
  >;
  const { levels: scores, feedback } = await learning.scoreCounts();
  const unanswered = learning.queries(NAMED, { unanswered: true });
  if (unanswered.length > 0) {
    const names = unanswered.map(({ query }) => query.slice(0, 80));
    const message = `Asked and not found: ${names.map((query) => `"${query}"`).join(', ')}.`;
    const code = 'questions_unanswered';
    findings.push({ severity: 'attention', area: 'learning', code, message, names });
    recommendations.push({
      code,
      action: 'Write down or bring in what was asked and not found.',
      tool: 'knowledge_admin usage_analytics',
    });
  }
  const open = learning.list('project', { status: ['completed', 'abandoned'] });
  const bare = open.filter(({ success_rating, outcome_summary }) => success_rating === undefined && !outcome_summary);
  if (bare.length > 0) {
    const message = `${counted(bare.length, 'project is', 'projects are')} over, and nobody said what came of it.`;
    const code = 'projects_without_outcome';
    findings.push({ severity: 'attention', area: 'learning', code, message, count: bare.length });
    recommendations.push({
      code,
      action: 'Capture what came of projects that are over.',
      tool: 'knowledge_planning_support capture_outcome',
    });
  }
  return { ...captured, feedback, scores };
}

function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
