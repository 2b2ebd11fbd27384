import { KaizenError } from '../../core/errors';
import { sentence } from '../../core/sentence';
import type { FeedbackInput } from '../feedback-model';
import { checkDays, checkHours, checkLong, checkOneOf, checkRating, checkTexts } from '../records/checks';
import { uriOf } from '../records/kinds';
import { lessonsOf } from '../records/lessons';
import { type Plan, putting, type Writing } from '../records/writing';
import type { ProjectRecord } from '../records-model';
import { OUTCOME_STATUSES, type OutcomeStatus, type OutcomeType, type Transition } from '../vocabulary';
import type { OutcomeInput } from '../workflows-model';
import { transitioned } from './lifecycle';

const SAYS: Readonly<Record<OutcomeStatus, { transition: Transition; feedback: OutcomeType }>> = {
  completed: { transition: 'complete', feedback: 'project_success' },
  partial: { transition: 'complete', feedback: 'project_partial' },
  abandoned: { transition: 'abandon', feedback: 'project_failure' },
};

/** Throws `unknown_project`, `invalid_transition`, and `invalid_argument` for one that is abandoned without a reason. */
export function planTransition(
  projectId: string,
  transition: Exclude<Transition, 'complete'>,
  reason: string | undefined,
  writing: Writing,
): Plan {
  const project = writing.require('project', projectId);
  // What is not allowed is said before what is missing for it.
  const after = transitioned(project, transition, noteOf(writing, checkLong(reason, sentence('reason'))));
  if (transition === 'abandon' && !reason?.trim()) {
    throw new KaizenError(
      'invalid_argument',
      sentence('To abandon a project, transition_project needs `reason`.'),
      sentence('Say why it ends: others plan by it.'),
    );
  }
  return putting('project', after);
}

/**
 * Ends a project with what came of it, which takes the place of what an earlier outcome said: the project's history
 * keeps that. One in planning is activated first. Its lessons become records of their own, and the outcome is feedback
 * on the project. Throws `unknown_project`, `invalid_transition`, `invalid_argument`.
 */
export function planOutcome(projectId: string, outcome: OutcomeInput, writing: Writing): Plan {
  const found = writing.require('project', projectId);
  const status = checkOneOf(outcome.status ?? 'completed', OUTCOME_STATUSES, sentence('status of an outcome'));
  const { transition, feedback } = SAYS[status];
  const summary = checkLong(outcome.outcome_summary, sentence('outcome summary'));
  const active =
    found.status === 'planning' ? transitioned(found, 'activate', noteOf(writing, 'Its outcome was captured.')) : found;
  const ended = transitioned(active, transition, noteOf(writing, status === 'completed' ? '' : summary));
  if (status === 'abandoned' && summary === '') {
    throw new KaizenError(
      'invalid_argument',
      sentence('To abandon a project, capture_outcome needs `outcome_summary`.'),
      sentence('Say why it ended: that is recorded as the reason.'),
    );
  }
  const project: ProjectRecord = {
    ...ended,
    outcome_status: status,
    outcome_summary: summary,
    success_rating: checkRating(outcome.success_rating, sentence('success rating')),
    actual_duration_days: checkDays(outcome.actual_duration_days, sentence('actual duration')),
    actual_effort_hours: checkHours(outcome.actual_effort_hours, sentence('actual effort')),
    lessons_learned: checkTexts(outcome.lessons_learned, sentence('lessons learned')),
    what_worked: checkTexts(outcome.what_worked, sentence('things that worked')),
    what_didnt_work: checkTexts(outcome.what_didnt_work, sentence("things that didn't work")),
  };
  const lessons = lessonsOf(project, writing);
  const plan = putting('project', project);
  return {
    ...plan,
    changes: [...plan.changes, ...lessons.map((record) => ({ kind: 'lesson' as const, id: record.id, record }))],
    feedback: { input: feedbackOf(project, feedback), project },
  };
}

function feedbackOf(project: ProjectRecord, outcome_type: OutcomeType): FeedbackInput {
  return {
    operation: 'report_outcome',
    artifact_id: uriOf('project', project),
    artifact_type: 'project',
    outcome_type,
    rating: project.success_rating,
    comment: project.outcome_summary || undefined,
  };
}

function noteOf({ at, author }: Writing, reason: string) {
  return { at, author, reason };
}
