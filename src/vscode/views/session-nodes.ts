import type { ProjectContext, SessionSummary, TaskState, TaskStatus } from '../../continuity';
import type { KaizenParts } from '../../kaizen';
import { matchesAll } from './filter';

interface Placed {
  id: string;
  parent?: SessionNode | undefined;
}

/** A task with what there is to say about it. */
export interface TaskNode extends Placed {
  kind: 'task';
  name: string;
  domain: string | null;
  state: TaskState;
  status: string | null;
  blocker: string | null;
  /** When it was completed, `YYYY-MM-DD`. */
  date: string | null;
}

export type SessionNode =
  | (Placed & { kind: 'overview'; overview: ProjectContext })
  | (Placed & { kind: 'progress'; overall: string; sprint: string | null; groups: TaskGroup[] })
  | (Placed & { kind: 'tasks' } & TaskGroup)
  | TaskNode
  | (Placed & { kind: 'sessions'; sessions: SessionSummary[] })
  | (Placed & { kind: 'session'; session: SessionSummary })
  | (Placed & { kind: 'fact'; fact: Fact; text: string });

/** What a line below the overview or a session says. */
export type Fact = 'purpose' | 'tech' | 'compliance' | 'constraint' | 'done' | 'next';

type TaskGroup = { state: TaskState; tasks: TaskDetails[] };
type TaskDetails = Omit<TaskNode, 'kind' | 'id' | 'parent'>;

/** What is known about a project's work. */
export interface Work {
  overview: ProjectContext;
  progress: TaskStatus;
  sessions: SessionSummary[];
}

/** More than the view shows at once; the project's page has the rest. */
const SHOWN_SESSIONS = 100;

export function readWork({ continuity }: KaizenParts, project: string): Work {
  return {
    overview: continuity.projectOverview(project),
    progress: continuity.getProgressStatus(project),
    sessions: continuity.getSessionHistory(project, SHOWN_SESSIONS),
  };
}

/** How many tasks and sessions hold the words, of how many. */
export interface Counted {
  found: number;
  total: number;
}

/** The sections that have something to show; with words, only the tasks and sessions that hold each of them. */
export function sectionsOf(
  { overview, progress, sessions }: Work,
  words: readonly string[],
): { nodes: SessionNode[] } & Counted {
  const nodes: SessionNode[] = [];
  const groups = groupsOf(progress);
  const all = groups.flatMap(({ tasks }) => tasks);
  const found = groups
    .map(({ state, tasks }) => ({ state, tasks: tasks.filter((task) => matchesAll(words, textsOf(task))) }))
    .filter(({ tasks }) => tasks.length > 0);
  const told = sessions.filter((session) => matchesAll(words, sessionTexts(session)));
  if (words.length === 0 && factsOf(overview).length + (overview.current_phase ? 1 : 0) > 0) {
    nodes.push({ kind: 'overview', id: 'overview', overview });
  }
  if (found.length > 0) {
    const { overall_progress: overall, current_sprint: sprint } = progress;
    nodes.push({ kind: 'progress', id: 'progress', overall, sprint, groups: found });
  }
  if (told.length > 0) nodes.push({ kind: 'sessions', id: 'sessions', sessions: told });
  const left = found.reduce((sum, { tasks }) => sum + tasks.length, 0) + told.length;
  return { nodes, found: left, total: all.length + sessions.length };
}

export function childrenOf(node: SessionNode): SessionNode[] {
  switch (node.kind) {
    case 'overview':
      return factsOf(node.overview).map(([fact, text], index) => factNode(node, fact, text, index));
    case 'progress':
      return node.groups.map((group) => ({ kind: 'tasks', id: `tasks/${group.state}`, parent: node, ...group }));
    case 'tasks':
      return node.tasks.map((task) => ({
        kind: 'task',
        id: `task/${task.name}\u0001${task.domain ?? ''}`,
        parent: node,
        ...task,
      }));
    case 'sessions':
      return node.sessions.map((session, index) => ({
        kind: 'session',
        // Counted from the oldest, so that a new session leaves the others' ids as they are.
        id: `session/${session.date}/${node.sessions.length - index}`,
        parent: node,
        session,
      }));
    case 'session': {
      const done = node.session.tasks_completed.map((text): [Fact, string] => ['done', text]);
      const next: [Fact, string][] = node.session.next_planned ? [['next', node.session.next_planned]] : [];
      return [...done, ...next].map(([fact, text], index) => factNode(node, fact, text, index));
    }
    default:
      return [];
  }
}

function factNode(parent: SessionNode, fact: Fact, text: string, index: number): SessionNode {
  return { kind: 'fact', id: `${parent.id}/${fact}/${index}`, parent, fact, text };
}

function factsOf({ purpose, tech_stack, compliance, key_constraints }: ProjectContext): [Fact, string][] {
  return [
    ...(purpose ? [['purpose', purpose] as [Fact, string]] : []),
    ...tech_stack.map((text): [Fact, string] => ['tech', text]),
    ...compliance.map((text): [Fact, string] => ['compliance', text]),
    ...key_constraints.map((text): [Fact, string] => ['constraint', text]),
  ];
}

function groupsOf({ in_progress_tasks, blocked_tasks, completed_tasks }: TaskStatus): TaskGroup[] {
  const none = { status: null, blocker: null, date: null };
  const groups: TaskGroup[] = [
    { state: 'blocked', tasks: blocked_tasks.map((task) => ({ ...none, ...task, state: 'blocked' })) },
    { state: 'in_progress', tasks: in_progress_tasks.map((task) => ({ ...none, ...task, state: 'in_progress' })) },
    { state: 'completed', tasks: completed_tasks.map((task) => ({ ...none, ...task, state: 'completed' })) },
  ];
  return groups.filter(({ tasks }) => tasks.length > 0);
}

function textsOf({ name, domain, status, blocker }: TaskDetails): (string | null)[] {
  return [name, domain, status, blocker];
}

function sessionTexts({ date, summary, domain, next_planned, tasks_completed }: SessionSummary): (string | null)[] {
  return [date, summary, domain, next_planned, ...tasks_completed];
}
