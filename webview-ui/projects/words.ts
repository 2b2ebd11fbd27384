import type { OutcomeStatus, ProjectStatus, TaskStatus, Transition, Visibility } from '../../src/learning/vocabulary';
import { formatNumber } from '../shared/formats';
import { t } from '../shared/l10n';

/** In the order of the seed, which is that of a project's life. */
export const STATUSES = ['planning', 'active', 'completed', 'abandoned'] as const satisfies readonly ProjectStatus[];
export const TASK_STATUSES = [
  'planned',
  'in_progress',
  'blocked',
  'completed',
  'skipped',
] as const satisfies readonly TaskStatus[];
export const VISIBILITIES = ['personal', 'team', 'organization'] as const satisfies readonly Visibility[];

export const STATUS_ICON: Readonly<Record<ProjectStatus, string>> = {
  planning: 'edit',
  active: 'play-circle',
  completed: 'pass',
  abandoned: 'circle-slash',
};

export function statusName(status: ProjectStatus): string {
  switch (status) {
    case 'planning':
      return t('In planning');
    case 'active':
      return t('Active');
    case 'completed':
      return t('Completed');
    case 'abandoned':
      return t('Abandoned');
  }
}

/** What an empty column says. */
export function noneText(status: ProjectStatus): string {
  switch (status) {
    case 'planning':
      return t('Nothing is planned.');
    case 'active':
      return t('Nothing is under way.');
    case 'completed':
      return t('Nothing is completed yet.');
    case 'abandoned':
      return t('Nothing was abandoned.');
  }
}

export const TRANSITION_ICON: Readonly<Record<Transition, string>> = {
  activate: 'play',
  complete: 'check',
  abandon: 'circle-slash',
  reopen: 'debug-restart',
};

export function transitionName(transition: Transition): string {
  switch (transition) {
    case 'activate':
      return t('Activate');
    case 'complete':
      return t('Complete');
    case 'abandon':
      return t('Abandon');
    case 'reopen':
      return t('Reopen');
  }
}

export function outcomeName(outcome: OutcomeStatus): string {
  switch (outcome) {
    case 'completed':
      return t('completed');
    case 'partial':
      return t('completed in part');
    case 'abandoned':
      return t('abandoned');
  }
}

export const OUTCOME_ICON: Readonly<Record<OutcomeStatus, string>> = {
  completed: 'pass',
  partial: 'warning',
  abandoned: 'circle-slash',
};

export function taskStatusName(status: TaskStatus): string {
  switch (status) {
    case 'planned':
      return t('planned');
    case 'in_progress':
      return t('in progress');
    case 'completed':
      return t('completed');
    case 'skipped':
      return t('skipped');
    case 'blocked':
      return t('blocked');
  }
}

export function visibilityName(visibility: Visibility): string {
  switch (visibility) {
    case 'personal':
      return t('personal');
    case 'team':
      return t('team');
    case 'organization':
      return t('organization');
  }
}

/** How well it went, 1 to 5. */
export function ratingName(rating: number): string {
  const names = [t('badly'), t('rather badly'), t('so-so'), t('well'), t('very well')];
  return names[rating - 1] ?? '';
}

export function daysText(days: number): string {
  return days === 1 ? t('1 day') : t('{0} days', formatNumber(days));
}

export function hoursText(hours: number): string {
  return t('{0} h', formatNumber(hours));
}
