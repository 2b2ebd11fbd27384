import type {
  AcquisitionAction,
  CoverageLevel,
  Depth,
  GapType,
  Importance,
  RecencyRequirement,
  Recommendation,
  RequiredAuthority,
  Workflow,
  WorkflowType,
} from '../../src/library/vocabulary';
import type { ChartColour } from '../charts';
import { t } from '../shared/l10n';

export function levelName(level: CoverageLevel): string {
  switch (level) {
    case 'very_high':
      return t('very high');
    case 'high':
      return t('high');
    case 'medium':
      return t('medium');
    case 'low':
      return t('low');
    case 'very_low':
      return t('very low');
  }
}

/** The word for a single score, by the bounds of the levels. */
export function levelOf(score: number): CoverageLevel {
  if (score >= 0.8) return 'very_high';
  if (score >= 0.6) return 'high';
  if (score >= 0.4) return 'medium';
  return score >= 0.2 ? 'low' : 'very_low';
}

/** Colours only underline what number and word say. */
export function colourOf(level: CoverageLevel): ChartColour {
  if (level === 'very_high' || level === 'high') return 'green';
  return level === 'medium' ? 'yellow' : 'red';
}

export interface Verdict {
  title: string;
  icon: string;
  tone: 'good' | 'warning' | 'bad';
}

export function verdictOf(recommendation: Recommendation): Verdict {
  switch (recommendation) {
    case 'proceed':
      return { title: t('Go on: there is enough'), icon: 'pass', tone: 'good' };
    case 'caveat':
      return { title: t('Go on with care'), icon: 'warning', tone: 'warning' };
    case 'acquire_web':
      return { title: t('Get more from the web first'), icon: 'cloud-download', tone: 'bad' };
    case 'request_docs':
      return { title: t('Ask for documents first'), icon: 'inbox', tone: 'bad' };
  }
}

export function gapName(type: GapType): string {
  switch (type) {
    case 'missing_topic':
      return t('Nothing about it');
    case 'insufficient_depth':
      return t('Not deep enough');
    case 'no_authority':
      return t('No authority');
    case 'stale':
      return t('Out of date');
  }
}

export function importanceName(importance: Importance): string {
  switch (importance) {
    case 'critical':
      return t('critical');
    case 'important':
      return t('important');
    case 'nice_to_have':
      return t('nice to have');
  }
}

export const IMPORTANCE_ICON: Readonly<Record<Importance, string>> = {
  critical: 'error',
  important: 'warning',
  nice_to_have: 'info',
};

export function actionName(action: AcquisitionAction): string {
  switch (action) {
    case 'web_search':
      return t('Search the web');
    case 'web_crawl':
      return t('Fetch known pages');
    case 'request_document':
      return t('Ask for a document');
    case 'none':
      return t('Nothing to do');
  }
}

export function depthName(depth: Depth): string {
  switch (depth) {
    case 'surface':
      return t('an overview');
    case 'working':
      return t('to work with it');
    case 'expert':
      return t('as an expert');
  }
}

export function authorityName(authority: RequiredAuthority): string {
  switch (authority) {
    case 'any':
      return t('any');
    case 'reputable':
      return t('reputable');
    case 'authoritative':
      return t('authoritative');
    case 'normative':
      return t('normative');
  }
}

export function recencyName(recency: RecencyRequirement): string {
  switch (recency) {
    case 'any':
      return t('any age');
    case 'recent_5y':
      return t('the last 5 years');
    case 'recent_2y':
      return t('the last 2 years');
    case 'current':
      return t('current');
  }
}

export function workflowName(workflow: Workflow | WorkflowType): string {
  switch (workflow) {
    case 'rcca':
      return t('Root cause and corrective action');
    case 'trade_study':
      return t('Trade study');
    case 'exploration':
      return t('Exploration');
    case 'planning':
      return t('Planning');
    case 'gap_analysis':
      return t('Gap analysis');
    case 'general':
      return t('General');
  }
}
