import * as vscode from 'vscode';
import type { LearnedKind, PatternDomain, PatternType, ProjectStatus, Severity, Visibility } from '../../learning';

/** What was captured, in the person's language: for every place that shows it. */

export function learnedKindName(kind: LearnedKind): string {
  switch (kind) {
    case 'project':
      return vscode.l10n.t('Project');
    case 'template':
      return vscode.l10n.t('Template');
    case 'pattern':
      return vscode.l10n.t('Pattern');
    case 'decision':
      return vscode.l10n.t('Decision');
    case 'lesson':
      return vscode.l10n.t('Lesson');
  }
}

/** The heading above all of them. */
export function learnedKindsName(kind: LearnedKind): string {
  switch (kind) {
    case 'project':
      return vscode.l10n.t('Projects');
    case 'template':
      return vscode.l10n.t('Templates');
    case 'pattern':
      return vscode.l10n.t('Patterns');
    case 'decision':
      return vscode.l10n.t('Decisions');
    case 'lesson':
      return vscode.l10n.t('Lessons');
  }
}

export function learnedIcon(kind: LearnedKind): vscode.ThemeIcon {
  return new vscode.ThemeIcon(KIND_ICON[kind]);
}

const KIND_ICON: Readonly<Record<LearnedKind, string>> = {
  project: 'project',
  template: 'files',
  pattern: 'extensions',
  decision: 'law',
  lesson: 'lightbulb',
};

export function projectStatusName(status: ProjectStatus): string {
  switch (status) {
    case 'planning':
      return vscode.l10n.t('In planning');
    case 'active':
      return vscode.l10n.t('Active');
    case 'completed':
      return vscode.l10n.t('Completed');
    case 'abandoned':
      return vscode.l10n.t('Abandoned');
  }
}

export function patternTypeName(type: PatternType): string {
  switch (type) {
    case 'antipattern':
      return vscode.l10n.t('anti-pattern');
    case 'best_practice':
      return vscode.l10n.t('best practice');
    case 'failure_mode':
      return vscode.l10n.t('failure mode');
    case 'design_pattern':
      return vscode.l10n.t('design pattern');
  }
}

export function patternDomainName(domain: PatternDomain): string {
  switch (domain) {
    case 'architecture':
      return vscode.l10n.t('Architecture');
    case 'requirements':
      return vscode.l10n.t('Requirements');
    case 'verification':
      return vscode.l10n.t('Verification');
    case 'process':
      return vscode.l10n.t('Process');
    case 'safety':
      return vscode.l10n.t('Safety');
    case 'reliability':
      return vscode.l10n.t('Reliability');
    case 'integration':
      return vscode.l10n.t('Integration');
    case 'planning':
      return vscode.l10n.t('Planning');
  }
}

export function severityName(severity: Severity): string {
  switch (severity) {
    case 'low':
      return vscode.l10n.t('low severity');
    case 'medium':
      return vscode.l10n.t('medium severity');
    case 'high':
      return vscode.l10n.t('high severity');
    case 'critical':
      return vscode.l10n.t('critical');
  }
}

export function visibilityName(visibility: Visibility): string {
  switch (visibility) {
    case 'personal':
      return vscode.l10n.t('personal');
    case 'team':
      return vscode.l10n.t('for the team');
    case 'organization':
      return vscode.l10n.t('for the organization');
  }
}

/** `0.86 from 12 ratings`. */
export function scoreInWords({ score, ratings }: { score: number; ratings: number }): string {
  const shown = score.toLocaleString(vscode.env.language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return ratings === 1
    ? vscode.l10n.t('{0} from 1 rating', shown)
    : vscode.l10n.t('{0} from {1} ratings', shown, ratings.toLocaleString(vscode.env.language));
}
