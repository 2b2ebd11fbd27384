import type {
  CapturedProject,
  Compared,
  EstimateRow,
  NamedThing,
  ProjectCard,
  ProjectColumn,
  ProjectsState,
  ProjectsView,
  TemplateChoice,
} from '../../../webview-ui/protocol/projects';
import { learningUri } from '../../core/knowledge-uri';
import type { KaizenParts } from '../../kaizen';
import {
  type EstimateFactor,
  estimateToActual,
  type FeedbackRecord,
  type LearningPart,
  PROJECT_STATUSES,
  type ProjectRecord,
  waysFrom,
} from '../../learning';

/** More templates than that are no choice but a search. */
const MOST_TEMPLATES = 300;
/** Types that are compared; those with fewer projects are in what is said of all. */
const MOST_TYPES = 50;

export interface ReadOptions {
  writable: boolean;
  /** Whether the person may be asked how a project went, such as one that they have ended themselves. */
  mayAsk: (project: ProjectRecord) => boolean;
}

export async function readProjects(
  { learning, relations }: Pick<KaizenParts, 'learning' | 'relations'>,
  view: ProjectsView,
  options: ReadOptions,
): Promise<ProjectsState> {
  const projects = learning.list('project');
  const found = view.project === null ? undefined : learning.get('project', view.project);
  return {
    view,
    writable: options.writable,
    total: projects.length,
    columns: columnsOf(projects, view),
    types: namesOf(projects, 'project_type'),
    domains: namesOf(projects, 'domain'),
    ways: Object.fromEntries(PROJECT_STATUSES.map((status) => [status, waysFrom(status)])) as ProjectsState['ways'],
    estimates: estimatesOf(projects),
    templates: templatesOf(learning),
    details: found
      ? {
          ...detailsOf(learning, found, options),
          relations: (await relations.find({ uri: learningUri('project', found.id), limit: 1_000 })).length,
        }
      : null,
  };
}

/** A board where there is nothing to read, as in Restricted Mode before anything was stored. */
export function noProjects(view: ProjectsView, writable: boolean): ProjectsState {
  return {
    view,
    writable,
    total: 0,
    columns: columnsOf([], view),
    types: [],
    domains: [],
    ways: Object.fromEntries(PROJECT_STATUSES.map((status) => [status, waysFrom(status)])) as ProjectsState['ways'],
    estimates: [],
    templates: [],
    details: null,
  };
}

/** The four columns with those that fit the filter, last changed first. */
export function columnsOf(projects: readonly ProjectRecord[], view: ProjectsView): ProjectColumn[] {
  const fitting = projects.filter((project) => fits(project, view));
  return PROJECT_STATUSES.map((status) => {
    const inColumn = fitting
      .filter((project) => project.status === status)
      .sort((a, b) => b.updated_at.localeCompare(a.updated_at) || a.id.localeCompare(b.id));
    return { status, count: inColumn.length, cards: inColumn.slice(0, view.shown[status]).map(cardOf) };
  });
}

/** Every word is to be somewhere in what names the project. */
function fits(project: ProjectRecord, { text, type, domain }: ProjectsView): boolean {
  if (type !== '' && project.project_type !== type) return false;
  if (domain !== '' && project.domain !== domain) return false;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const { id, name, description, project_type, tags, owner = '' } = project;
  const said = [id, name, description, project_type, project.domain, ...tags, owner].join('\n').toLowerCase();
  return words.every((word) => said.includes(word));
}

function cardOf(project: ProjectRecord): ProjectCard {
  const { id, name, project_type, domain, status, visibility, owner, outcome_status, success_rating } = project;
  const counted = project.tasks.filter((task) => task.status !== 'skipped');
  // A reopened project keeps what its outcome said, and has none.
  const hasEnded = status === 'completed' || status === 'abandoned';
  return {
    id,
    name,
    project_type,
    domain,
    status,
    visibility,
    owner: owner ?? null,
    tasks: { done: counted.filter((task) => task.status === 'completed').length, all: counted.length },
    days: compared(project.estimated_duration_days, project.actual_duration_days),
    hours: compared(project.estimated_effort_hours, project.actual_effort_hours),
    outcome: hasEnded ? (outcome_status ?? null) : null,
    success_rating: hasEnded ? (success_rating ?? null) : null,
  };
}

function compared(estimated: number | undefined, actual: number | undefined): Compared {
  return { estimated: estimated ?? null, actual: actual ?? null };
}

function namesOf(projects: readonly ProjectRecord[], key: 'project_type' | 'domain'): string[] {
  return [...new Set(projects.map((project) => project[key]))].sort((a, b) => a.localeCompare(b));
}

/** What completed projects took against what was estimated: of all together, then by type. */
function estimatesOf(projects: readonly ProjectRecord[]): EstimateRow[] {
  const completed = projects.filter(({ status }) => status === 'completed');
  const all = rowOf(null, completed);
  if (!all.duration && !all.effort) return [];
  const ofType = new Map<string, ProjectRecord[]>();
  for (const project of completed) {
    const same = ofType.get(project.project_type);
    if (same) same.push(project);
    else ofType.set(project.project_type, [project]);
  }
  const rows = [...ofType].map(([type, records]) => rowOf(type, records)).filter((row) => row.duration ?? row.effort);
  const weight = ({ duration, effort }: EstimateRow) => Math.max(duration?.projects ?? 0, effort?.projects ?? 0);
  const sorted = rows.sort(
    (a, b) => weight(b) - weight(a) || (a.project_type ?? '').localeCompare(b.project_type ?? ''),
  );
  return [all, ...sorted.slice(0, MOST_TYPES)];
}

function rowOf(project_type: string | null, records: readonly ProjectRecord[]): EstimateRow {
  const { duration, effort } = estimateToActual(records);
  const short = (factor: EstimateFactor | null) =>
    factor && { mean: factor.mean, median: factor.spread.median, projects: factor.projects };
  return { project_type, duration: short(duration), effort: short(effort) };
}

function templatesOf(learning: LearningPart): TemplateChoice[] {
  return learning
    .list('template')
    .slice(0, MOST_TEMPLATES)
    .map(({ id, name, project_type, domain, task_template }) => ({
      id,
      name,
      project_type,
      domain,
      tasks: task_template.length,
    }));
}

function detailsOf(
  learning: LearningPart,
  record: ProjectRecord,
  { writable, mayAsk }: ReadOptions,
): Omit<CapturedProject, 'relations'> {
  const uri = learningUri('project', record.id);
  const template = record.source_template_id ? learning.get('template', record.source_template_id) : undefined;
  const lessons = learning.list('lesson').filter(({ project_id }) => project_id === record.id);
  const score = learning.scoreOf(uri);
  return {
    uri,
    record,
    template: template ? { uri: learningUri('template', template.id), name: template.name } : null,
    lessons: lessons.map(({ id, title }): NamedThing => ({ uri: learningUri('lesson', id), name: title })),
    score:
      score.times_feedback_received > 0
        ? {
            value: score.composite_score,
            level: score.level,
            ratings: score.times_feedback_received,
            confidence: score.confidence,
          }
        : null,
    asks:
      writable &&
      (record.status === 'completed' || record.status === 'abandoned') &&
      record.success_rating === undefined &&
      mayAsk(record) &&
      !learning.feedbackOn(uri).some(isRating),
  };
}

/** Whether somebody said how well it went; that it was completed says nothing of that. */
function isRating({ rating, feedback_type }: FeedbackRecord): boolean {
  return rating !== undefined || feedback_type === 'helpful' || feedback_type === 'not_helpful';
}
