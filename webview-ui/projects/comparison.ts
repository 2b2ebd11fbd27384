import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Compared } from '../protocol/projects';
import { formatPercent } from '../shared/formats';
import { t } from '../shared/l10n';

/** `12 days of 10 estimated, 20 % more`; empty where nothing is known. */
function comparedText({ estimated, actual }: Compared, unit: (amount: number) => string): string {
  if (actual === null) return estimated === null ? '' : t('{0} estimated', unit(estimated));
  if (estimated === null) return unit(actual);
  const text = t('{0} of {1} estimated', unit(actual), unit(estimated));
  if (estimated === 0 || actual === estimated) return text;
  const share = formatPercent(Math.abs(actual / estimated - 1));
  return `${text}, ${actual > estimated ? t('{0} more', share) : t('{0} less', share)}`;
}

/** What it took as a bar on what was estimated, with words beside it. */
export function comparison(
  label: string,
  compared: Compared,
  unit: (amount: number) => string,
): TemplateResult | typeof nothing {
  const text = comparedText(compared, unit);
  if (text === '') return nothing;
  return html`<div class="comparison">
    <span>${label}: ${text}</span>
    ${compared.estimated !== null && compared.actual !== null ? bars(compared.estimated, compared.actual) : nothing}
  </div>`;
}

/** The estimate above, what it took below. */
function bars(estimated: number, actual: number): TemplateResult {
  const scale = 100 / Math.max(estimated, actual, 1e-9);
  return html`<svg viewBox="0 0 100 9" preserveAspectRatio="none" aria-hidden="true">
    ${svg`<rect class="estimated" x="0" y="0" height="4" width=${Math.max(0.5, estimated * scale)}></rect>
      <rect class=${actual > estimated ? 'actual over' : 'actual'} x="0" y="5" height="4" width=${Math.max(0.5, actual * scale)}></rect>`}
  </svg>`;
}
