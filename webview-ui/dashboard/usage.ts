import { html, type TemplateResult } from 'lit';
import type { UsedPiece } from '../protocol/dashboard';
import { formatLocalDay, formatNumber } from '../shared/formats';
import { t } from '../shared/l10n';
import { emptyNote } from './notes';

/** Rows that the table has before it is unfolded. */
const SHOWN = 8;

export interface UsageOptions {
  /** Most used first. */
  usage: readonly UsedPiece[];
  unfolded: boolean;
  unfold(): void;
  open(uri: string): void;
}

/** What agents found by searching: how often each entry and node was recommended, and how often it was then taken. */
export function usageTable({ usage, unfolded, unfold, open }: UsageOptions): TemplateResult {
  const shown = unfolded ? usage : usage.slice(0, SHOWN);
  return html`<section class="card wide">
    <h2 id="usage">${t('What Agents Found')}</h2>
    <p class="caption">${t(
      'Recommended for a task, and then taken. What is recommended often and never taken may promise more than it says.',
    )}</p>
    ${
      usage.length === 0
        ? emptyNote(
            t('Nothing was counted yet. Once an agent has asked what it needs to know for a task, it is listed here.'),
          )
        : html`<table class="usage" aria-labelledby="usage">
          <thead>
            <tr>
              <th scope="col">${t('Entry or node')}</th>
              <th scope="col" class="number">${t('Recommended')}</th>
              <th scope="col" class="number">${t('Taken')}</th>
              <th scope="col" class="number">${t('Last')}</th>
            </tr>
          </thead>
          <tbody>
            ${shown.map(
              ({ uri, title, place, recommended, retrieved, last_at }) => html`<tr>
                <th scope="row">
                  <button type="button" class="link" @click=${() => open(uri)}>${title}</button>
                  <span class="place">${place}</span>
                </th>
                <td class="number">${formatNumber(recommended)}</td>
                <td class="number">${formatNumber(retrieved)}</td>
                <td class="number">${formatLocalDay(last_at)}</td>
              </tr>`,
            )}
          </tbody>
        </table>`
    }
    ${
      usage.length > SHOWN && !unfolded
        ? html`<vscode-button class="more" secondary @click=${unfold}
            >${t('Show {0} more', formatNumber(usage.length - SHOWN))}</vscode-button
          >`
        : ''
    }
  </section>`;
}
