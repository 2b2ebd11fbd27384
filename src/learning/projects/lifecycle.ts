import { KaizenError } from '../../core/errors';
import { type Sentence, sentence } from '../../core/sentence';
import type { ProjectRecord } from '../records-model';
import { type ProjectStatus, TRANSITIONS, type Transition } from '../vocabulary';

interface Step {
  from: ProjectStatus;
  to: ProjectStatus;
}

/** Seed 003, 3.4 and appendix G: the only ways there are. */
const STEPS: Readonly<Record<Transition, Step>> = {
  activate: { from: 'planning', to: 'active' },
  complete: { from: 'active', to: 'completed' },
  abandon: { from: 'active', to: 'abandoned' },
  reopen: { from: 'completed', to: 'active' },
};

/** Where a transition leads. */
export interface Way {
  transition: Transition;
  to: ProjectStatus;
}

/** Says who went on, when (ISO 8601) and why. */
export interface TransitionNote {
  at: string;
  author: string;
  reason: string;
}

/** The transitions that lead on from here, in the seed's order, with where each leads. */
export function waysFrom(status: ProjectStatus): Way[] {
  return TRANSITIONS.filter((transition) => STEPS[transition].from === status).map((transition) => ({
    transition,
    to: STEPS[transition].to,
  }));
}

/**
 * The project after the transition, which is recorded in its history. It starts when it is activated and ends when it is
 * completed or abandoned; reopened, it has not ended: when it had, its history says. What was captured stays.
 * Throws `invalid_transition` with the transitions that are allowed.
 */
export function transitioned(project: ProjectRecord, transition: Transition, note: TransitionNote): ProjectRecord {
  const { from, to } = STEPS[transition];
  if (project.status !== from) throw invalidTransition(project, transition);
  const { at: timestamp, reason, author } = note;
  return {
    ...project,
    ...datesOf(project, transition, timestamp),
    status: to,
    status_history: [
      ...project.status_history,
      { from_status: from, to_status: to, transition, timestamp, reason, author },
    ],
    updated_at: timestamp,
  };
}

function datesOf(
  { start_date }: ProjectRecord,
  transition: Transition,
  at: string,
): Pick<ProjectRecord, 'start_date' | 'end_date' | 'completed_at'> {
  switch (transition) {
    case 'activate':
      return { start_date: start_date ?? at };
    case 'complete':
      return { end_date: at, completed_at: at };
    case 'abandon':
      return { end_date: at };
    case 'reopen':
      return { end_date: undefined, completed_at: undefined };
  }
}

/** As they stand in a message. */
const TRANSITION_NAMES: Readonly<Record<Transition, Sentence>> = {
  activate: sentence('"activate"'),
  complete: sentence('"complete"'),
  abandon: sentence('"abandon"'),
  reopen: sentence('"reopen"'),
};

const STATUS_NAMES: Readonly<Record<ProjectStatus, Sentence>> = {
  planning: sentence('planning'),
  active: sentence('active'),
  completed: sentence('completed'),
  abandoned: sentence('abandoned'),
};

/** What `STEPS` has, said whole: its words are others' words, too, and mean something else there. */
const LEADS_ON: Readonly<Record<ProjectStatus, Sentence>> = {
  planning: sentence('Allowed from planning: activate.'),
  active: sentence('Allowed from active: complete, abandon.'),
  completed: sentence('Allowed from completed: reopen.'),
  abandoned: sentence('Nothing leads on from abandoned. Capture a new project.'),
};

function invalidTransition({ name, status }: ProjectRecord, transition: Transition): KaizenError {
  return new KaizenError(
    'invalid_transition',
    sentence(
      'The transition {0} is not possible for the project "{1}", which is {2}.',
      TRANSITION_NAMES[transition],
      name,
      STATUS_NAMES[status],
    ),
    LEADS_ON[status],
  );
}
