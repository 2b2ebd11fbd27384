import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ProjectColumn } from '../protocol/projects';
import { formatNumber } from '../shared/formats';
import { t } from '../shared/l10n';
import { card } from './card';
import { dropped } from './moves';
import type { Page } from './page';
import { noneText, STATUS_ICON, statusName } from './words';

/** So many cards more with each click. */
export const CARDS_A_PAGE = 50;

export function board(page: Page): TemplateResult {
  return html`<div class="board">${page.state.columns.map((column) => lane(page, column))}</div>
    ${
      page.state.writable
        ? html`<p class="quiet">
            ${t('Move a project by dragging it, by its buttons, or with Shift and the left and right arrow keys. Enter shows it.')}
          </p>`
        : nothing
    }`;
}

function lane(page: Page, { status, count, cards }: ProjectColumn): TemplateResult {
  const more = () => page.look({ shown: { ...page.view.shown, [status]: page.view.shown[status] + CARDS_A_PAGE } });
  return html`<section
    class="lane ${status}"
    aria-label=${statusName(status)}
    @dragover=${(event: DragEvent) => event.preventDefault()}
    @drop=${(event: DragEvent) => dropped(page, status, event)}
  >
    <h2>
      <span class="codicon codicon-${STATUS_ICON[status]}" aria-hidden="true"></span>
      ${statusName(status)} <span class="count">${formatNumber(count)}</span>
    </h2>
    <ul>
      ${repeat(
        cards,
        ({ id }) => id,
        (each) => card(page, each),
      )}
    </ul>
    ${count === 0 ? html`<p class="quiet">${noneText(status)}</p>` : nothing}
    ${
      count > cards.length
        ? html`<vscode-button secondary @click=${more}>${t('Show More ({0} of {1})', formatNumber(cards.length), formatNumber(count))}</vscode-button>`
        : nothing
    }
  </section>`;
}
