import { html, nothing } from 'lit';
import type { Risk, RiskLevel, SurroundingsMessage } from '../protocol/entry';
import { t } from '../shared/l10n';
import { ratingLine } from '../shared/rating';
import type { EntryView } from './view';

/** From the one to see first to the one to see last. */
const ORDER: readonly RiskLevel[] = ['DANGER', 'WARNING', 'LAST TIME'];

export const RISK_ICONS: Record<RiskLevel, string> = { DANGER: 'flame', WARNING: 'warning', 'LAST TIME': 'history' };

/** The class that gives a risk its colour. */
export function riskClass(level: RiskLevel): string {
  return level.toLowerCase().replace(' ', '-');
}

/** Told apart by word and shape as well as by colour. */
export function riskBadge(level: RiskLevel) {
  return html`<span class="badge ${riskClass(level)}"
    ><span class="codicon codicon-${RISK_ICONS[level]}" aria-hidden="true"></span>${level}</span
  >`;
}

export function head(view: EntryView, { key, scope }: SurroundingsMessage) {
  return html`<header class="head">
    <div class="name">
      <p class="path quiet">
        ${scope?.name ?? key.scope_id}<span class="crumb codicon codicon-chevron-right" aria-hidden="true"></span>${key.category}
      </p>
      <div class="title">
        <h1>${key.keyword}</h1>
        ${scope ? html`<span class="badge tier">${scope.tier}</span>` : nothing}
        <span class="badges" role="status" aria-label=${t('Risks')}>${levels(view.document.risks).map(riskBadge)}</span>
      </div>
      ${view.rating ? ratingLine(view.rating, (message) => view.post(message)) : nothing}
    </div>
    <div class="actions" role="toolbar" aria-label=${t('Actions')}>
      <vscode-button secondary icon="markdown" @click=${() => view.post({ type: 'openAsText' })}>
        ${t('Open as Text')}
      </vscode-button>
      <vscode-button secondary icon="copy" @click=${() => view.post({ type: 'copyReference' })}>
        ${t('Copy Reference for Agent')}
      </vscode-button>
      <vscode-button secondary icon="history" @click=${() => view.showHistory()}>${t('History')}</vscode-button>
    </div>
  </header>`;
}

/** Each level that occurs, once. */
function levels(risks: readonly Risk[]): RiskLevel[] {
  return ORDER.filter((level) => risks.some((risk) => risk.level === level));
}
