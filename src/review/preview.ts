import type { BasesPart, NodeUpdate } from '../bases';
import type { ContinuityPart, ProjectContext, TaskInput, TaskStatus } from '../continuity';
import { isKaizenError } from '../core/errors';
import type { EntryInput, EntryKey, KnowledgePart, Scope, ScopeDefinition } from '../knowledge';
import type { LearningPart } from '../learning';
import type { NotesPart } from '../notes';
import { feedbackPreview, learningPreview } from './learning-proposals';
import { libraryPreview } from './library-proposals';
import { document, field, list, text } from './markdown';
import { entryKeyOf, type ProposalPreview, type ProposedWrite } from './model';
import { notePreviewOf } from './note-proposals';
import { relationPreview } from './relation-proposals';

/** What the parts hold now that a proposal is about; what cannot be found any more counts as nothing. */
interface Parts {
  knowledge: KnowledgePart;
  continuity: ContinuityPart;
  bases: BasesPart;
  notes: NotesPart;
  learning: LearningPart;
}

/**
 * Renders a write as two texts to compare: entries as their documents, a node's update and a note as whole files,
 * everything else as a list that can be read.
 */
export async function previewOf(
  write: ProposedWrite,
  { knowledge, continuity, bases, notes, learning }: Parts,
): Promise<ProposalPreview> {
  switch (write.operation) {
    case 'store':
      return {
        title: write.input.keyword,
        before: await storedEntry(knowledge, entryKeyOf(write)!),
        after: await entryText(write.input),
      };
    case 'delete':
      return { title: write.input.keyword, before: await storedEntry(knowledge, write.input), after: '' };
    case 'define_scope': {
      const { scope_id } = write.input;
      const existing = orUndefined(() => knowledge.scope(scope_id));
      return {
        title: scope_id,
        before: existing ? scopeText(existing) : '',
        after: scopeText(redefined(existing, write.input)),
      };
    }
    case 'store_overview': {
      const { project_id } = write.input;
      const existing = orUndefined(() => continuity.projectOverview(project_id));
      const after = { ...emptyOverview(project_id), ...existing, ...given(write.input) };
      return { title: project_id, before: existing ? overviewText(existing) : '', after: overviewText(after) };
    }
    case 'store_session': {
      const { project_id, summary, tasks_completed, domain, next_planned, ended } = write.input;
      const after = document(`Session of ${project_id}`, [
        ...(ended ? [field('Ended', ended.at), field('Minutes', ended.duration_minutes)] : []),
        field('Domain', domain),
        text('Summary', summary),
        list('Completed', tasks_completed),
        text('Next', next_planned),
      ]);
      return { title: project_id, before: '', after };
    }
    case 'update_progress': {
      const { project_id, overall_progress, current_sprint, tasks = [] } = write.input;
      const status = orUndefined(() => continuity.getProgressStatus(project_id));
      const before = (status ? tasksOf(status) : []).filter((task) => tasks.some(({ name }) => name === task.name));
      const sprint = current_sprint ?? status?.current_sprint;
      return {
        title: project_id,
        before: status ? progressText(project_id, status.overall_progress, status.current_sprint, before) : '',
        after: progressText(project_id, overall_progress ?? status?.overall_progress, sprint, tasks),
      };
    }
    case 'update_node':
      return { title: write.input.node_id, ...(await updatedFile(bases, write.input)) };
    case 'write_note':
      return notePreviewOf(notes, write.input);
    case 'write_library':
      return libraryPreview(write.input);
    case 'write_relation':
      return relationPreview(write.input);
    case 'write_learning':
      return learningPreview(learning, write.input);
    case 'give_feedback':
      return feedbackPreview(write.input);
  }
}

/** Of a node that is gone, or whose base is not configured here, the content alone. */
async function updatedFile(bases: BasesPart, update: NodeUpdate): Promise<{ before: string; after: string }> {
  try {
    const preview = await bases.previewUpdate(update);
    if (preview) return preview;
  } catch (error) {
    // Accepting will say what stands in the way.
    if (!isKaizenError(error)) throw error;
  }
  return { before: '', after: update.content };
}

async function storedEntry(knowledge: KnowledgePart, key: EntryKey): Promise<string> {
  const entry = orUndefined(() => knowledge.entry(key));
  return entry ? entryText(entry) : '';
}

async function entryText({
  content,
  metaknowledge = {},
}: Pick<EntryInput, 'content' | 'metaknowledge'>): Promise<string> {
  const { formatEntryText } = await import('../frontmatter');
  return formatEntryText({ content, metaknowledge });
}

/** As defining it would leave it: what is left out keeps its value. */
function redefined(existing: Scope | undefined, definition: ScopeDefinition): Scope {
  const description = definition.description ?? existing?.description;
  return {
    id: definition.scope_id,
    tier: definition.tier,
    name: definition.name ?? existing?.name ?? definition.scope_id,
    parents: [...new Set(definition.parents ?? existing?.parents ?? [])].sort(),
    ...(description ? { description } : {}),
  };
}

function scopeText({ id, tier, name, description, parents }: Scope): string {
  return document(`Scope ${id}`, [
    field('Tier', tier),
    field('Name', name),
    list('Inherits from', parents),
    text('Description', description),
  ]);
}

function overviewText(overview: ProjectContext): string {
  return document(`Overview of ${overview.project_id}`, [
    text('Purpose', overview.purpose),
    list('Tech stack', overview.tech_stack),
    list('Compliance', overview.compliance),
    text('Current phase', overview.current_phase),
    list('Key constraints', overview.key_constraints),
  ]);
}

function emptyOverview(project_id: string): ProjectContext {
  return { project_id, purpose: null, tech_stack: [], compliance: [], current_phase: null, key_constraints: [] };
}

/** A field that is given but undefined must not hide what is there. */
function given<T extends object>(input: T): Partial<T> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function progressText(
  project: string,
  overall: string | undefined,
  sprint: string | null | undefined,
  tasks: readonly TaskInput[],
): string {
  const lines = tasks.map(({ name, domain, state, status, blocker }) => {
    const why = (status ?? blocker ?? '').replace(/\s+/g, ' ').trim();
    return `${name}${domain ? ` (${domain})` : ''} – ${STATES[state]}${why ? `: ${why}` : ''}`;
  });
  return document(`Progress of ${project}`, [
    field('Overall', overall),
    field('Sprint', sprint),
    list('Tasks', lines.sort()),
  ]);
}

const STATES: Record<TaskInput['state'], string> = {
  in_progress: 'in progress',
  blocked: 'blocked',
  completed: 'completed',
};

function tasksOf({ in_progress_tasks, blocked_tasks, completed_tasks }: TaskStatus): TaskInput[] {
  return [
    ...in_progress_tasks.map(({ name, domain, status }) => task(name, domain, 'in_progress', { status })),
    ...blocked_tasks.map(({ name, domain, blocker }) => task(name, domain, 'blocked', { blocker })),
    ...completed_tasks.map(({ name, domain }) => task(name, domain, 'completed', {})),
  ];
}

function task(
  name: string,
  domain: string | null,
  state: TaskInput['state'],
  more: { status?: string | null; blocker?: string | null },
): TaskInput {
  return {
    name,
    domain: domain ?? undefined,
    state,
    status: more.status ?? undefined,
    blocker: more.blocker ?? undefined,
  };
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // The scope was deleted meanwhile: accepting will say so.
    return undefined;
  }
}
