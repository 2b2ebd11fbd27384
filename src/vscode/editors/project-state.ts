import type {
  BoardTask,
  ChainScope,
  ListField,
  ParentChoice,
  ProjectDetails,
  TextField,
} from '../../../webview-ui/protocol/project';
import { type ContinuityPart, statedProgress } from '../../continuity';
import type { KaizenParts } from '../../kaizen';
import type { KnowledgePart, ResolvedEntry } from '../../knowledge';

const SHOWN_SESSIONS = 20;

type Parts = Pick<KaizenParts, 'knowledge' | 'continuity'>;

/** All that the project's page shows; null as long as no PROJECT scope of that id is defined. */
export async function readProject(parts: Parts, projectId: string): Promise<ProjectDetails | null> {
  const { knowledge, continuity } = parts;
  const isDefined = () =>
    knowledge.listScopes().some(({ scope_id, tier }) => scope_id === projectId && tier === 'PROJECT');
  if (!isDefined()) return null;
  // What takes its time comes first: all the rest is of one moment, and the newest one.
  const risks = await knowledge.gatherRisks(projectId);
  if (!isDefined()) return null;
  const tasks = readTasks(continuity, projectId);
  const sessions = continuity.getSessionHistory(projectId, SHOWN_SESSIONS);
  const domains = [...tasks, ...sessions].flatMap(({ domain }) => domain ?? []);
  return {
    ...readFields(parts, projectId),
    chain: readChain(knowledge, projectId, risks),
    choices: readChoices(knowledge),
    tasks,
    sessions,
    domains: [...new Set(domains)].sort((a, b) => a.localeCompare(b)),
  };
}

/** What can be edited in place, as it is stored. Throws unless `projectId` names a PROJECT scope. */
export function readFields(
  { knowledge, continuity }: Parts,
  projectId: string,
): { texts: Record<TextField, string>; lists: Record<ListField, string[]> } {
  const scope = knowledge.scope(projectId);
  const overview = continuity.projectOverview(projectId);
  const progress = continuity.getProgressStatus(projectId);
  return {
    texts: {
      name: scope.name,
      description: scope.description ?? '',
      purpose: overview.purpose ?? '',
      current_phase: overview.current_phase ?? '',
      overall_progress: statedProgress(progress),
      current_sprint: progress.current_sprint ?? '',
    },
    lists: {
      parents: scope.parents,
      tech_stack: overview.tech_stack,
      compliance: overview.compliance,
      key_constraints: overview.key_constraints,
    },
  };
}

function readTasks(continuity: ContinuityPart, projectId: string): BoardTask[] {
  const { in_progress_tasks, blocked_tasks, completed_tasks } = continuity.getProgressStatus(projectId);
  return [
    ...in_progress_tasks.map(
      ({ name, domain, status }): BoardTask => ({ name, domain, state: 'in_progress', note: status, date: null }),
    ),
    ...blocked_tasks.map(
      ({ name, domain, blocker }): BoardTask => ({ name, domain, state: 'blocked', note: blocker, date: null }),
    ),
    ...completed_tasks
      .map(({ name, domain, date }): BoardTask => ({ name, domain, state: 'completed', note: null, date }))
      .reverse(),
  ];
}

function readChain(knowledge: KnowledgePart, projectId: string, held: readonly ResolvedEntry[]): ChainScope[] {
  const counts = new Map(knowledge.listScopes().map(({ scope_id, entry_count }) => [scope_id, entry_count]));
  const risks = new Map<string, number>();
  for (const { source_scope } of held) risks.set(source_scope, (risks.get(source_scope) ?? 0) + 1);
  return knowledge.chain(projectId).map(({ id, ...scope }) => ({
    ...scope,
    scope_id: id,
    entries: counts.get(id) ?? 0,
    risks: risks.get(id) ?? 0,
  }));
}

/** Products first, each tier by name. */
function readChoices(knowledge: KnowledgePart): ParentChoice[] {
  const ofTier = (wanted: ParentChoice['tier']) =>
    knowledge
      .listScopes()
      .filter(({ tier }) => tier === wanted)
      .map(({ scope_id, name }) => ({ scope_id, tier: wanted, name, products: productsOf(knowledge, scope_id) }))
      .sort((a, b) => a.name.localeCompare(b.name));
  return [...ofTier('PRODUCT'), ...ofTier('GROUP')];
}

/** Ids of the products in a scope's chain, itself included. */
export function productsOf(knowledge: KnowledgePart, scopeId: string): string[] {
  return knowledge
    .chain(scopeId)
    .filter(({ tier }) => tier === 'PRODUCT')
    .map(({ id }) => id);
}
