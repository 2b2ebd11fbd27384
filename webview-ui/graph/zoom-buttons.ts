import { html, type TemplateResult } from 'lit';
import { t } from '../shared/l10n';
import type { GraphPicture } from './picture';

const ZOOM_STEP = 1.4;

/** What the wheel and keys do as well. */
export function zoomButtons(picture: () => GraphPicture | undefined): TemplateResult {
  const button = (icon: string, label: string, run: () => void) =>
    html`<button class="icon-button" title=${label} aria-label=${label} @click=${run}>
      <span class="codicon codicon-${icon}" aria-hidden="true"></span>
    </button>`;
  return html`<div class="zoom" role="group" aria-label=${t('Zoom')}>
    ${button('zoom-in', t('Zoom In'), () => picture()?.zoomBy(ZOOM_STEP))}
    ${button('zoom-out', t('Zoom Out'), () => picture()?.zoomBy(1 / ZOOM_STEP))}
    ${button('screen-full', t('Fit to View'), () => picture()?.fit())}
  </div>`;
}
