import { formatNumber } from './formats';
import { t } from './l10n';

/** `1 entry`, `10,000 entries` */
export function entriesText(count: number): string {
  return count === 1 ? t('1 entry') : t('{0} entries', formatNumber(count));
}

/** `1 risk`, `1,200 risks` */
export function risksText(count: number): string {
  return count === 1 ? t('1 risk') : t('{0} risks', formatNumber(count));
}
