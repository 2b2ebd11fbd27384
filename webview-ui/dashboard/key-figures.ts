import { html, type TemplateResult } from 'lit';
import type { DashboardState } from '../protocol/dashboard';
import { formatNumber, formatRecentDay } from '../shared/formats';
import { t } from '../shared/l10n';
import { LEVELS } from './distribution';

interface KeyFigure {
  label: string;
  value: string;
  icon?: string;
  colour?: string;
  /** What the number means, in a few words. */
  note: string | TemplateResult;
}

/** The numbers to see first. */
export function keyFigures(
  { statistics, pending, stale_days }: DashboardState,
  reviewPending: () => void,
): TemplateResult {
  const { tiers, risks, stale_count, never_read_count, reads_since } = statistics;
  const usedTiers = tiers.filter(({ scopes }) => scopes > 0).length;
  const figures: KeyFigure[] = [
    {
      label: t('Entries'),
      value: formatNumber(tiers.reduce((sum, { entries }) => sum + entries, 0)),
      note: t('in all scopes'),
    },
    {
      label: t('Scopes'),
      value: formatNumber(tiers.reduce((sum, { scopes }) => sum + scopes, 0)),
      note: usedTiers === 1 ? t('in 1 tier') : t('in {0} tiers', usedTiers),
    },
    ...LEVELS.map(({ level, colour, icon }) => ({
      label: level,
      value: formatNumber(risks[level]),
      icon,
      colour,
      note: risks[level] === 1 ? t('risk indicator') : t('risk indicators'),
    })),
    {
      label: t('Stale'),
      value: formatNumber(stale_count),
      note: t('for {0} days', stale_days),
    },
    {
      label: t('Never read'),
      value: reads_since === null ? '–' : formatNumber(never_read_count),
      note: reads_since === null ? t('not counted yet') : t('since {0}', formatRecentDay(reads_since)),
    },
    {
      label: t('Pending'),
      value: formatNumber(pending),
      note:
        pending > 0
          ? html`<button type="button" class="link" @click=${reviewPending}>${t('Review changes…')}</button>`
          : t('changes by agents'),
    },
  ];
  return html`<dl class="key-figures" aria-label=${t('Key figures')}>
    ${figures.map(
      ({ label, value, icon, colour, note }) => html`<div>
        <dt>${
          icon ? html`<span class="codicon codicon-${icon} ${colour}" aria-hidden="true"></span>` : ''
        }<span>${label}</span></dt>
        <dd class="value">${value}</dd>
        <dd class="note">${note}</dd>
      </div>`,
    )}
  </dl>`;
}
