import type { Space } from '../protocol/note';
import { t } from '../shared/l10n';

/** What values of the front matter are called in the person's language. */

export function spaceName(space: Space): string {
  return space === 'project' ? t('Project') : t('User');
}

export function entryTypeName(type: string): string {
  switch (type) {
    case 'api_fact':
      return t('API fact');
    case 'pattern':
      return t('Pattern');
    case 'concept':
      return t('Concept');
    case 'learning':
      return t('Learning');
    case 'experiment':
      return t('Experiment');
    case 'reference':
      return t('Reference');
    case 'template':
      return t('Template');
    case 'workflow':
      return t('Workflow');
    default:
      return type;
  }
}

export function sourceTypeName(type: string): string {
  switch (type) {
    case 'youtube':
      return t('YouTube');
    case 'docs':
      return t('Documentation');
    case 'experiment':
      return t('Experiment');
    case 'manual':
      return t('Manual');
    case 'chat':
      return t('Chat');
    case 'book':
      return t('Book');
    case 'article':
      return t('Article');
    case 'course':
      return t('Course');
    default:
      return type;
  }
}

export function relationshipName(type: string): string {
  switch (type) {
    case 'references':
      return t('References');
    case 'contradicts':
      return t('Contradicts');
    case 'extends':
      return t('Extends');
    case 'implements':
      return t('Implements');
    case 'supersedes':
      return t('Supersedes');
    case 'depends_on':
      return t('Depends on');
    case 'related':
      return t('Related');
    case 'example_of':
      return t('Example of');
    default:
      return type;
  }
}
