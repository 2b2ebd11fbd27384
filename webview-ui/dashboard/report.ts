import { html, nothing, type TemplateResult } from 'lit';
import type { DashboardRequest } from '../protocol/dashboard';
import type { DashboardTab } from '../protocol/dashboard-reports';
import { formatNumber } from '../shared/formats';
import { t } from '../shared/l10n';

/** Lines that a list shows before it is unfolded. */
export const SHOWN = 8;

/** What reports work with. */
export interface ReportUse {
  post(message: DashboardRequest): void;
  /** Shows another part of the page. */
  go(tab: DashboardTab): void;
  isUnfolded(list: string): boolean;
  unfold(list: string): void;
}

/** Those of a list that are shown. */
export function shownOf<Item>(list: string, items: readonly Item[], use: ReportUse): readonly Item[] {
  return use.isUnfolded(list) ? items : items.slice(0, SHOWN);
}

/** The button that shows the others, or how many there are beyond what is listed. */
export function moreOf(
  list: string,
  { listed, count = listed }: { listed: number; count?: number },
  use: ReportUse,
): TemplateResult | typeof nothing {
  if (listed > SHOWN && !use.isUnfolded(list)) {
    return html`<vscode-button class="more" secondary @click=${() => use.unfold(list)}
      >${t('Show {0} more', formatNumber(listed - SHOWN))}</vscode-button
    >`;
  }
  const left = count - listed;
  if (left <= 0) return nothing;
  return html`<p class="caption">${left === 1 ? t('and 1 more') : t('and {0} more', formatNumber(left))}</p>`;
}

/** In the place of buttons that write or fetch. */
export function restricted(): TemplateResult {
  return html`<p class="caption">${t('In Restricted Mode nothing is stored or fetched.')}</p>`;
}
