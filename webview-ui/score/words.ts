import type { ScoreSum } from '../../src/learning/feedback-model';
import type { FeedbackTier, FeedbackType, ScoreFactor } from '../../src/learning/vocabulary';
import { t } from '../shared/l10n';

export function factorName(factor: ScoreFactor): string {
  switch (factor) {
    case 'relevance':
      return t('Relevance');
    case 'effectiveness':
      return t('Effectiveness');
    case 'accuracy':
      return t('Accuracy');
    case 'completeness':
      return t('Completeness');
    case 'user_rating':
      return t('Rating');
  }
}

export function factorHelp(factor: ScoreFactor): string {
  switch (factor) {
    case 'relevance':
      return t('Was it about what was needed?');
    case 'effectiveness':
      return t('Did it work?');
    case 'accuracy':
      return t('Was it right?');
    case 'completeness':
      return t('Was all there that was needed?');
    case 'user_rating':
      return t('Did who used it find it helpful?');
  }
}

export function sumName(sum: ScoreSum['of']): string {
  switch (sum) {
    case 'raw':
      return t('Factors by their weights');
    case 'staleness':
      return t('What age takes off');
    case 'score':
      return t('Score');
    case 'confidence':
      return t('Confidence');
    case 'simple':
      return t('Simple score');
    case 'simple_confidence':
      return t('Its confidence');
    default:
      return factorName(sum);
  }
}

export function tierName(tier: FeedbackTier): string {
  switch (tier) {
    case 'implicit':
      return t('counted');
    case 'quick':
      return t('quick');
    case 'detailed':
      return t('detailed');
  }
}

/** What was said, as a person would say it. */
export function saidText(type: FeedbackType): string {
  switch (type) {
    case 'helpful':
      return t('Helpful');
    case 'not_helpful':
      return t('Not helpful');
    case 'rating':
      return t('Rated');
    case 'aspects':
      return t('Rated in detail');
    case 'suggestion':
      return t('Suggestion');
    case 'tasks_complete':
      return t('All tasks were there');
    case 'tasks_incomplete':
      return t('Tasks were missing');
    case 'estimates_accurate':
      return t('Estimates were right');
    case 'estimates_inaccurate':
      return t('Estimates were off');
    case 'risks_identified':
      return t('Risks were foreseen');
    case 'risks_missed':
      return t('Risks were missed');
    case 'dependencies_accurate':
      return t('Dependencies were right');
    case 'dependencies_missed':
      return t('Dependencies were missed');
    case 'used_as_is':
      return t('Used as it is');
    case 'needed_modification':
      return t('Had to be changed');
    case 'project_success':
      return t('The project succeeded');
    case 'project_partial':
      return t('The project succeeded in part');
    case 'project_failure':
      return t('The project failed');
    case 'used':
      return t('Used');
    case 'retrieved':
      return t('Given in an answer');
  }
}
