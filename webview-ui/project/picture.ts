import { html, nothing, svg, type TemplateResult } from 'lit';
import type { ChainScope } from '../protocol/project';
import { entriesText, risksText } from '../shared/counts';
import { formatNumber } from '../shared/formats';
import { t } from '../shared/l10n';
import type { Page } from './page';
import { BOX_HEIGHT, type Box, layOut } from './picture-layout';

/** The inheritance, drawn. What it shows stands in the table too. */
export function picture(page: Page): TemplateResult | typeof nothing {
  if (page.pictureWidth === 0) return nothing;
  const { width, height, boxWidth, bands, lines, boxes } = layOut(page.project.chain, page.pictureWidth);
  return html`<div class="picture">
    <svg width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="group" aria-label=${t('Inheritance')}>
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="3" refY="4" markerWidth="8" markerHeight="8" orient="auto">
          <path class="arrow" d="M0 0.5L7 4L0 7.5Z"></path>
        </marker>
      </defs>
      ${bands.map(
        ({ tier, y, height: high }) => svg`
          <rect class="band" x="0.5" y=${y + 0.5} width=${width - 1} height=${high - 1} rx="6"></rect>
          <text class="tier" x="16" y=${y + high / 2} dominant-baseline="central" aria-hidden="true">${tier}</text>`,
      )}
      ${lines.map((line) => svg`<path class="line" d=${line} marker-end="url(#arrow)"></path>`)}
      ${boxes.map((box) => boxOf(page, box, boxWidth))}
    </svg>
  </div>`;
}

/** There is room for the word in boxes of that width. */
const WORDY = 196;

function boxOf(page: Page, { scope, precedence, x, y }: Box, width: number) {
  const { scope_id, name, tier, risks } = scope;
  return svg`<foreignObject x=${x} y=${y} width=${width} height=${BOX_HEIGHT}>
    ${html`<button
      class="scope ${tier === 'PROJECT' ? 'current' : ''}"
      title=${t('Show the entries of "{0}"', name)}
      @click=${() => page.post({ type: 'openScope', scope_id })}
    >
      <span class="place">
        <span class="visually-hidden">${t('Place {0}', precedence)}</span>
        <span aria-hidden="true">${precedence}</span>
      </span>
      <span class="name">${name}</span>
      <span class="id">${scope_id}</span>
      <span class="counts">
        <span>${entriesText(scope.entries)}</span>
        ${risks > 0 ? risksSign(risks, width >= WORDY) : nothing}
      </span>
    </button>`}
  </foreignObject>`;
}

/** The same facts for who does not see the picture. */
export function chainTable(chain: readonly ChainScope[]): TemplateResult {
  return html`<table class="table">
    <thead>
      <tr>
        <th scope="col" class="number">${t('Place')}</th>
        <th scope="col">${t('Scope')}</th>
        <th scope="col">${t('Tier')}</th>
        <th scope="col">${t('Inherits from')}</th>
        <th scope="col" class="number">${t('Entries')}</th>
        <th scope="col" class="number">${t('Risks that hold')}</th>
      </tr>
    </thead>
    <tbody>
      ${chain.map(
        ({ scope_id, name, tier, parents, entries, risks }, index) => html`<tr>
          <td class="number">${index + 1}</td>
          <th scope="row">${name}<br /><code>${scope_id}</code></th>
          <td>${tier}</td>
          <td class="parents">${parents.length > 0 ? parents.join(', ') : tier === 'GENERAL' ? '–' : 'GENERAL'}</td>
          <td class="number">${formatNumber(entries)}</td>
          <td class="number">${formatNumber(risks)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

function risksSign(risks: number, wordy: boolean): TemplateResult {
  return html`<span class="risks">
    <span class="codicon codicon-warning" aria-hidden="true"></span>
    ${
      wordy
        ? risksText(risks)
        : html`<span aria-hidden="true">${formatNumber(risks)}</span><span class="visually-hidden">${risksText(risks)}</span>`
    }
  </span>`;
}
