import type { ConfidenceLevel, ScoreLevel } from '../../src/learning/vocabulary';
import type { ChartColour } from '../charts';
import { t } from './l10n';

/** How well something served, in the person's language. */
export function levelName(level: ScoreLevel): string {
  switch (level) {
    case 'highly_effective':
      return t('highly effective');
    case 'effective':
      return t('quite effective');
    case 'moderate':
      return t('moderate');
    case 'limited':
      return t('limited');
    case 'poor':
      return t('poor');
  }
}

/** Colours only underline what number and word say. */
export function levelColour(level: ScoreLevel): ChartColour {
  if (level === 'highly_effective' || level === 'effective') return 'green';
  return level === 'moderate' ? 'yellow' : 'red';
}

/** How much a score rests on. */
export function confidenceName(level: ConfidenceLevel): string {
  switch (level) {
    case 'well_established':
      return t('well established');
    case 'moderately_validated':
      return t('moderately validated');
    case 'limited_data':
      return t('limited data');
    case 'unvalidated':
      return t('not validated');
  }
}
