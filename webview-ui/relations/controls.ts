import { html, type TemplateResult } from 'lit';
import type { RelationsView } from '../protocol/relations';
import { DIRECTIONS, MOST_STEPS } from '../protocol/relations-limits';
import { formatPercent } from '../shared/formats';
import { t } from '../shared/l10n';

export interface ControlActions {
  change(changed: Partial<Pick<RelationsView, 'depth' | 'direction' | 'minimum'>>): void;
}

const LEAST = [0, 0.5, 0.7, 0.9, 1] as const;

/** How far, in which direction, and how sure relations are followed. An overview has no beginning to follow them from. */
export function controls(view: RelationsView, { change }: ControlActions): TemplateResult {
  const steps = Array.from({ length: MOST_STEPS }, (_, index) => index + 1);
  return html`<div class="controls">
    ${
      view.start === undefined
        ? ''
        : html`${choice(t('How far'), String(view.depth), steps.map(String), depthName, (depth) => change({ depth: Number(depth) }))}
          ${choice(t('Direction'), view.direction, DIRECTIONS, directionName, (direction) => change({ direction }))}`
    }
    ${choice(t('How sure'), String(view.minimum), LEAST.map(String), leastName, (least) => change({ minimum: Number(least) }))}
  </div>`;
}

function choice<Value extends string>(
  label: string,
  current: Value,
  values: readonly Value[],
  name: (value: Value) => string,
  choose: (value: Value) => void,
): TemplateResult {
  return html`<select class="field" aria-label=${label} title=${label} @change=${(event: Event) => choose((event.target as HTMLSelectElement).value as Value)}>
    ${values.map((value) => html`<option value=${value} ?selected=${value === current} .selected=${value === current}>${name(value)}</option>`)}
  </select>`;
}

function depthName(steps: string): string {
  return steps === '1' ? t('1 step') : t('{0} steps', steps);
}

function directionName(direction: RelationsView['direction']): string {
  switch (direction) {
    case 'both':
      return t('Both directions');
    case 'outgoing':
      return t('What it says of others');
    case 'incoming':
      return t('What others say of it');
  }
}

function leastName(least: string): string {
  const share = Number(least);
  if (share === 0) return t('However sure');
  return share === 1 ? t('Only certain') : t('{0} sure or more', formatPercent(share));
}
